#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mrcnic::config {

/// The path of `known` (not empty) that a person most likely meant, capitals ignored. Paths with the same last name
/// come first, since what goes wrong most is where an attribute stands; then those with the same first name, then the
/// fewest edits, then the earliest.
[[nodiscard]] std::string_view nearest_path(std::string_view path, const std::vector<std::string_view>& known);

}  // namespace mrcnic::config
