#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mrcnic/config/parsed.h"

namespace mrcnic::config {

/// Reads a list of NICs as an attribute has it: `all`, or numbers and ranges such as `0,3,5-9`, in that order.
/// @param count  how many there are: numbers are below it
/// @return the numbers, none of them twice; or what is wrong and what is allowed
[[nodiscard]] Parsed<std::vector<std::uint32_t>> parse_index_list(std::string_view text, std::uint32_t count);

}  // namespace mrcnic::config
