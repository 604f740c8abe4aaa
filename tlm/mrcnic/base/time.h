#pragma once

#include <cstdint>
#include <limits>

namespace mrcnic {

/// Simulation time in whole picoseconds, the model's unit [XT-1]. Reaches 106 days.
using Picoseconds = std::int64_t;

/// A rate in bits per second, always an integer.
using BitsPerSecond = std::uint64_t;

inline constexpr Picoseconds kPicosecondsPerSecond = 1'000'000'000'000;

/// Later than every instant of a run.
inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

}  // namespace mrcnic
