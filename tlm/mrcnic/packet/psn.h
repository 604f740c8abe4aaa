#pragma once

#include <cstdint>

#include "mrcnic/packet/headers.h"

namespace mrcnic::packet {

// Serial arithmetic on packet sequence numbers [TR-15]. Every PSN given and returned is below kPsnCount.

inline constexpr std::uint32_t kPsnCount = 1U << 24U;
inline constexpr std::uint32_t kPsnMask = kPsnCount - 1;
/// PSNs this far apart have no order.
inline constexpr std::uint32_t kPsnHalf = kPsnCount / 2;
inline constexpr Psn kFirstPsn = 0;

/// `psn` moved by `steps`, forward or back, around the circle.
[[nodiscard]] constexpr Psn psn_add(Psn psn, std::int64_t steps) noexcept
{
    return (psn + static_cast<std::uint32_t>(static_cast<std::uint64_t>(steps) & kPsnMask)) & kPsnMask;
}

/// Steps from `from` to `to` by the shorter way, -2^23 .. 2^23 - 1; negative when `to` is before `from`.
[[nodiscard]] constexpr std::int32_t psn_distance(Psn from, Psn to) noexcept
{
    const std::uint32_t forward = (to - from) & kPsnMask;
    return static_cast<std::int32_t>(forward) - (forward >= kPsnHalf ? static_cast<std::int32_t>(kPsnCount) : 0);
}

/// Whether 0 < ((b - a) mod 2^24) < 2^23. Of two PSNs exactly 2^23 apart neither is before the other.
[[nodiscard]] constexpr bool psn_before(Psn a, Psn b) noexcept
{
    return psn_distance(a, b) > 0;
}

}  // namespace mrcnic::packet
