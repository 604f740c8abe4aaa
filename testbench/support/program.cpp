#include "testbench/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace mrcnic::testbench {
namespace {

constexpr int kCannotStart = 126;

void redirect(int descriptor, const char* file)
{
    const int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (opened < 0 || dup2(opened, descriptor) < 0) {
        _exit(kCannotStart);
    }
}

}  // namespace

std::string Program::write(const std::string& name, const std::string& text) const
{
    std::ofstream{folder() / name} << text;
    return name;
}

std::string Program::read(const std::filesystem::path& name) const
{
    if (!std::filesystem::is_regular_file(folder() / name)) {
        return {};  // /dev/full, say, which has no end
    }
    std::ifstream stream{folder() / name, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

pid_t Program::start(const std::vector<std::string>& arguments) const
{
    std::vector<std::string> words{MRCNIC_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        if (chdir(folder().c_str()) != 0) {
            _exit(kCannotStart);
        }
        redirect(STDOUT_FILENO, "stdout");
        redirect(STDERR_FILENO, "stderr");
        // As for users: the program itself must keep the kernel's banner away.
        unsetenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE");
        execv(argv.front(), argv.data());
        _exit(kCannotStart);
    }
    return process;
}

Finished Program::wait(pid_t process) const
{
    int status = 0;
    Finished finished;
    if (waitpid(process, &status, 0) == process) {
        finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    finished.out = read("stdout");
    finished.err = read("stderr");
    return finished;
}

std::string example(const std::string& name)
{
    return MRCNIC_SOURCE_DIR "/platforms/examples/" + name;
}

std::string data(const std::string& name)
{
    return MRCNIC_SOURCE_DIR "/testbench/data/" + name;
}

}  // namespace mrcnic::testbench
