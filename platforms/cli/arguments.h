#pragma once

#include <functional>
#include <variant>

#include "cli/commands.h"

namespace mrcnic::cli {

/// What the command line asks for: a command to be carried out, or, when help, version or an error was printed, how to
/// end.
using Request = std::variant<std::function<ExitCode()>, ExitCode>;

[[nodiscard]] Request parse_arguments(int argc, const char* const* argv);

}  // namespace mrcnic::cli
