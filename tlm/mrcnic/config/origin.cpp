#include "mrcnic/config/origin.h"

#include <algorithm>

#include <fmt/format.h>

namespace mrcnic::config {
namespace {

std::string place(const Origin& origin)
{
    if (origin.kind == Origin::Kind::command_line) {
        return "--set " + origin.text + ": ";
    }
    if (origin.kind != Origin::Kind::file) {
        return {};
    }
    return origin.line == 0 ? origin.text + ": " : fmt::format("{}:{}:{}: ", origin.text, origin.line, origin.column);
}

}  // namespace

std::string Origin::describe() const
{
    switch (kind) {
        case Kind::default_value:
            return "default";
        case Kind::file:
            return fmt::format("{}:{}", text, line);
        case Kind::command_line:
            return "command line";
        default:
            return "program";
    }
}

std::string Error::text() const
{
    const bool named_by_set =
        origin.kind == Origin::Kind::command_line && origin.text.substr(0, origin.text.find('=')) == path;
    std::string line =
        fmt::format("error: {}{}{}", place(origin), path.empty() || named_by_set ? "" : path + ": ", reason);
    // A quoted value may hold line ends; an error is one line.
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
    return line;
}

}  // namespace mrcnic::config
