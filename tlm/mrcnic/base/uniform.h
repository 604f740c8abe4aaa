#pragma once

#include <cstdint>
#include <random>

namespace mrcnic {

/// One draw, uniform in [0, 1): the upper 53 bits of one number of the generator [WL-6].
///
/// The distributions of the standard library differ from platform to platform; this one does not.
[[nodiscard]] inline double uniform(std::mt19937_64& generator) noexcept
{
    constexpr double kStep = 0x1p-53;
    return static_cast<double>(generator() >> 11U) * kStep;
}

}  // namespace mrcnic
