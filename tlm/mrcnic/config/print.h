#pragma once

#include <string>
#include <vector>

#include "mrcnic/config/settings.h"

namespace mrcnic::config {

/// `mrcnic attributes`: one line per attribute in columns.
[[nodiscard]] std::string attributes_table();

/// `mrcnic attributes --format json`: an array of {path, type, unit, default, low, high, multiple, words, doc,
/// output_only}, what does not apply left out; numbers in the base unit.
[[nodiscard]] std::string attributes_json();

/// `mrcnic attributes --format markdown`: the page `docs/attributes.md`.
[[nodiscard]] std::string attributes_markdown();

/// `mrcnic check`: every attribute with value and origin in columns.
[[nodiscard]] std::string effective_table(const std::vector<EffectiveValue>& values);

}  // namespace mrcnic::config
