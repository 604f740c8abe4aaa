#pragma once

#include <random>

namespace mrcnic {

/// A number in [0, 1) from one draw, the same with every standard library, as its distributions are not [WL-6].
[[nodiscard]] inline double uniform(std::mt19937_64& generator)
{
    return static_cast<double>(generator() >> 11U) * 0x1.0p-53;
}

}  // namespace mrcnic
