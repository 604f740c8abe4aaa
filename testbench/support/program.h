#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/support/harness.h"

// The built program as its users run it: as a process of its own with files in a folder of its own.

namespace mrcnic::testbench {

/// What a run of the program left.
struct Finished {
    int exit_code{-1};  ///< -N if signal N ended it
    std::string out;    ///< standard output
    std::string err;    ///< standard error
};

/// Runs the program in a new folder. Standard output and error are files: nobody watches on a terminal.
class Program {
public:
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }
    /// Writes a file into the folder. @return its name
    std::string write(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string read(const std::filesystem::path& name) const;

    [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }

    [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const;
    [[nodiscard]] Finished wait(pid_t process) const;

private:
    TemporaryFolder folder_;
};

/// An example that ships with the program, such as "pair.toml".
[[nodiscard]] std::string example(const std::string& name);
/// A workload of the tests' own.
[[nodiscard]] std::string data(const std::string& name);

}  // namespace mrcnic::testbench
