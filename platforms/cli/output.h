#pragma once

#include <string>
#include <string_view>

namespace mrcnic::cli {

void print(std::string_view text);

/// `error: TEXT` on standard error; a line for each line of the text, without a second "error: " where it has one.
void print_error(std::string_view text);

/// `warning: TEXT` on standard error.
void print_warning(std::string_view text);

/// False, and an error printed, if standard output could not be written: a full disk, say.
[[nodiscard]] bool flush_output();

}  // namespace mrcnic::cli
