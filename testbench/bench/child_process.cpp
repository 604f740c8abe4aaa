#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "testbench/bench/measurement.h"

namespace mrcnic::bench {

namespace {

[[noreturn]] void be_child(const Case& chosen, std::uint64_t packets, int out)
{
    try {
        const Measurement measurement = chosen.run(packets);
        // Less than PIPE_BUF: written whole.
        if (write(out, &measurement, sizeof measurement) == static_cast<ssize_t>(sizeof measurement)) {
            std::_Exit(EXIT_SUCCESS);
        }
    } catch (const std::exception& error) {
        std::cerr << "error: case " << chosen.name << ": " << error.what() << '\n';
    }
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

Measurement run_in_child(const Case& chosen, std::uint64_t packets)
{
    int ends[2];
    if (pipe(ends) != 0) {
        throw std::runtime_error{"no pipe could be made"};
    }
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) {
        throw std::runtime_error{"no process could be made"};
    }
    if (child == 0) {
        close(ends[0]);
        be_child(chosen, packets, ends[1]);
    }
    close(ends[1]);
    Measurement measurement;
    const ssize_t size = read(ends[0], &measurement, sizeof measurement);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (size != static_cast<ssize_t>(sizeof measurement) || status != 0) {
        throw std::runtime_error{"case " + std::string{chosen.name} + " did not end well"};
    }
    return measurement;
}

}  // namespace mrcnic::bench
