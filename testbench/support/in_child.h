#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace mrcnic::testbench {

/// What became of a child process.
struct ChildResult {
    bool timed_out{false};
    int signal{0};       ///< that ended it; 0 = none
    int exit_code{0};    ///< meaningful without signal and timeout
    std::string answer;  ///< what the body returned
    std::string text;    ///< all that the child wrote to standard output and standard error

    [[nodiscard]] bool ended_well() const noexcept { return !timed_out && signal == 0 && exit_code == 0; }
    /// "ended well", "exit code 1", "signal 11" or "no end within the time limit".
    [[nodiscard]] std::string describe() const;
};

/// Runs `body` in a process of its own, since a SystemC kernel runs once per process, and kills it after `limit`.
///
/// An exception that leaves the body becomes exit code 1 with its text in `text`. Nothing that the body changes in
/// memory comes back but its answer. To be called before the caller's own kernel has anything in it.
/// @throws std::system_error if no process can be made
[[nodiscard]] ChildResult in_child(const std::function<std::string()>& body, std::chrono::milliseconds limit);

}  // namespace mrcnic::testbench
