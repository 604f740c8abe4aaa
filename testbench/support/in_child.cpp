#include "testbench/support/in_child.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>
#include <system_error>

namespace mrcnic::testbench {
namespace {

class Pipe {
public:
    Pipe()
    {
        if (pipe(ends_.data()) != 0) {
            throw std::system_error{errno, std::generic_category(), "cannot make a pipe"};
        }
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe()
    {
        close_end(0);
        close_end(1);
    }

    [[nodiscard]] int out() const noexcept { return ends_[0]; }
    [[nodiscard]] int in() const noexcept { return ends_[1]; }
    void close_out() noexcept { close_end(0); }
    void close_in() noexcept { close_end(1); }

private:
    void close_end(std::size_t end) noexcept
    {
        if (ends_[end] >= 0) {
            close(ends_[end]);
            ends_[end] = -1;
        }
    }

    std::array<int, 2> ends_{-1, -1};
};

bool write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

// Leaves by _Exit: what the parent has registered for its own end is not the child's to do.
[[noreturn]] void be_child(const std::function<std::string()>& body, Pipe& answer, Pipe& text)
{
    answer.close_out();
    text.close_out();
    dup2(text.in(), STDOUT_FILENO);
    dup2(text.in(), STDERR_FILENO);
    int code = EXIT_FAILURE;
    try {
        code = write_all(answer.in(), body()) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(code);
}

// Appends what has come; false at the end of the stream.
bool drain(int file, std::string& into)
{
    std::array<char, 65'536> block;
    const ssize_t size = read(file, block.data(), block.size());
    if (size > 0) {
        into.append(block.data(), static_cast<std::size_t>(size));
    }
    return size > 0 || (size < 0 && errno == EINTR);
}

// Reads both streams to their ends; false if the time was over first.
bool collect(int answer, int text, ChildResult& result, std::chrono::milliseconds limit)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + limit;
    std::array<pollfd, 2> streams{{{answer, POLLIN, 0}, {text, POLLIN, 0}}};
    const std::array<std::string*, 2> texts{&result.answer, &result.text};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) {
            return false;
        }
        if (poll(streams.data(), streams.size(), static_cast<int>(left)) <= 0) {
            continue;
        }
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (streams[i].fd >= 0 && streams[i].revents != 0 && !drain(streams[i].fd, *texts[i])) {
                streams[i].fd = -1;  // poll passes it over
            }
        }
    }
    return true;
}

}  // namespace

std::string ChildResult::describe() const
{
    if (timed_out) {
        return "no end within the time limit";
    }
    if (signal != 0) {
        return "signal " + std::to_string(signal);
    }
    return exit_code == 0 ? "ended well" : "exit code " + std::to_string(exit_code);
}

ChildResult in_child(const std::function<std::string()>& body, std::chrono::milliseconds limit)
{
    Pipe answer;
    Pipe text;
    // Or the child would write what is buffered a second time.
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error{errno, std::generic_category(), "cannot make a process"};
    }
    if (child == 0) {
        be_child(body, answer, text);
    }
    answer.close_in();
    text.close_in();
    ChildResult result;
    result.timed_out = !collect(answer.out(), text.out(), result, limit);
    if (result.timed_out) {
        kill(child, SIGKILL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return result;
}

}  // namespace mrcnic::testbench
