#pragma once

#include <cstdint>

#include "mrcnic/base/time.h"

namespace mrcnic::packet {

/// Tick of the 16-bit timestamp of `RTTTimestampMode = "WireTimestamp"` [CC-14].
inline constexpr Picoseconds kTimestampTick = 128'000;

/// Stamp of an instant: ticks, rounded down, modulo 2^16 (8.389 ms).
[[nodiscard]] constexpr std::uint16_t timestamp_of(Picoseconds time) noexcept
{
    return static_cast<std::uint16_t>(static_cast<std::uint64_t>(time / kTimestampTick) & 0xFFFFU);
}

/// Time from the stamped instant to `now`, whole ticks, modulo 2^16 of them.
[[nodiscard]] constexpr Picoseconds time_since_timestamp(std::uint16_t stamp, Picoseconds now) noexcept
{
    const auto start = static_cast<Picoseconds>(stamp) * kTimestampTick;
    constexpr Picoseconds wrap = kTimestampTick * 65'536;
    const Picoseconds elapsed = (now % wrap - start) % wrap;
    return elapsed < 0 ? elapsed + wrap : elapsed;
}

}  // namespace mrcnic::packet
