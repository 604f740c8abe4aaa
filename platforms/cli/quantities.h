#pragma once

#include <string>

#include "mrcnic/base/time.h"

namespace mrcnic::cli {

// Quantities as a person reads them: four digits and a unit.

/// "43.02 us"
[[nodiscard]] std::string format_time(Picoseconds time);
/// A value with the prefix of its unit, which is to follow at once: "1.234 M"
[[nodiscard]] std::string format_scaled(double value);
/// A span of the wall clock: "0.123 s", "2 min 05 s", "3 h 20 min"
[[nodiscard]] std::string format_duration(double seconds);

}  // namespace mrcnic::cli
