#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mrcnic/config/parsed.h"

namespace mrcnic::config {

/// What a quantity measures; decides its units and the base unit it is counted in.
enum class Dimension {
    bytes,     ///< base B; KB = 1,000, KiB = 1,024
    rate,      ///< base bit/s
    time,      ///< base ps
    frequency  ///< base Hz
};

/// Reads "256KB", "31.52Gbps", "15ns" or a plain number in the base unit, with integer arithmetic only: the result is
/// exact or an error. Blanks between number and unit are allowed, signs and exponents are not.
///
/// @return the quantity in the base unit, 0 .. 2^63 - 1; an error for an unknown unit, a negative or malformed number,
///         one that is no whole multiple of the base unit or one that is too large
[[nodiscard]] Parsed<std::int64_t> parse_quantity(std::string_view text, Dimension dimension);

/// Writes `value` (>= 0, in the base unit) in the largest unit that it reaches, exactly: parse_quantity reads it back.
/// Bytes stay plain below 10,000, and take a binary unit where only that has no fraction.
[[nodiscard]] std::string format_quantity(std::int64_t value, Dimension dimension);

/// The units of a dimension, smallest first, separated by blanks.
[[nodiscard]] std::string unit_names(Dimension dimension);

/// The unit in which a plain integer counts.
[[nodiscard]] std::string_view base_unit(Dimension dimension);

}  // namespace mrcnic::config
