#pragma once

#include <cstdint>
#include <string>

#include "mrcnic/base/time.h"

namespace mrcnic::cli {

// Quantities as a person reads them: four digits and a unit.

/// "43.02 us"
[[nodiscard]] std::string format_time(Picoseconds time);
/// "4.000 MB"
[[nodiscard]] std::string format_bytes(double bytes);
/// "371.9 Gbps"
[[nodiscard]] std::string format_rate(double bits_per_second);
/// "1.234 M", to be followed by what is counted
[[nodiscard]] std::string format_count(double count);
/// A span of the wall clock: "0.12 s", "2 min 05 s", "3 h 20 min"
[[nodiscard]] std::string format_duration(double seconds);
/// A whole number in groups of three digits: "229,570"
[[nodiscard]] std::string format_whole(std::uint64_t number);
/// `part` of `whole` in percent: "99.6 %"; of nothing, 0
[[nodiscard]] std::string format_percent(double part, double whole);

}  // namespace mrcnic::cli
