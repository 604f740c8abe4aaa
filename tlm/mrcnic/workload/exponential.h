#pragma once

#include <cstdint>
#include <random>

namespace mrcnic::workload {

/// One draw, exponentially distributed with mean 1, by the inverse transform -ln(1 - u) of one uniform draw [WL-6].
///
/// Computed in integers, as mathematical libraries differ in the last bit: every platform draws the same.
[[nodiscard]] double exponential(std::mt19937_64& generator) noexcept;

/// -ln(n / 2^53), for n in 1 .. 2^53, within 2^-50.
[[nodiscard]] double minus_log(std::uint64_t n) noexcept;

}  // namespace mrcnic::workload
