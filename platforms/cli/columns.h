#pragma once

#include <string>
#include <vector>

namespace mrcnic::cli {

using Row = std::vector<std::string>;

enum class Align { left, right };

/// Rows of as many cells each, in columns three blanks apart. The first column is left-aligned, the others as said.
[[nodiscard]] std::string columns(const std::vector<Row>& rows, Align others);

}  // namespace mrcnic::cli
