#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace mrcnic::cli {
namespace {

constexpr std::string_view kError = "error: ";

void write(std::FILE* file, std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace

void print(std::string_view text)
{
    write(stdout, text);
}

void print_error(std::string_view text)
{
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        write(stderr, fmt::format("{}{}\n", line.substr(0, kError.size()) == kError ? "" : kError, line));
        begin = end + 1;
    }
}

void print_warning(std::string_view text)
{
    write(stderr, fmt::format("warning: {}\n", text));
}

bool flush_output()
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return true;
    }
    print_error("standard output cannot be written: " + std::generic_category().message(errno));
    return false;
}

}  // namespace mrcnic::cli
