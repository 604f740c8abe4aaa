#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>

#include "mrcnic/base/time.h"

namespace mrcnic::record {

/// (a x b) / (c x d), all above 0 but a: reduced before it is divided, so that figures such as 99.992344 stay short.
[[nodiscard]] inline double ratio(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) noexcept
{
    for (std::uint64_t* above : {&a, &b}) {
        for (std::uint64_t* below : {&c, &d}) {
            const std::uint64_t common = std::gcd(*above, *below);
            *above /= common;
            *below /= common;
        }
    }
    return static_cast<double>(a) * static_cast<double>(b) / (static_cast<double>(c) * static_cast<double>(d));
}

/// Bits per second of `bytes` in `interval`, which is longer than 0.
[[nodiscard]] inline double bits_per_second(std::uint64_t bytes, Picoseconds interval) noexcept
{
    return ratio(bytes, 8U * static_cast<std::uint64_t>(kPicosecondsPerSecond), static_cast<std::uint64_t>(interval),
                 1U);
}

/// The same in Gbps [RC-40.17].
[[nodiscard]] inline double gbps(std::uint64_t bytes, Picoseconds interval) noexcept
{
    return ratio(bytes, 8'000U, static_cast<std::uint64_t>(interval), 1U);
}

/// Percent of `link_rate` that `bytes` in `interval` make [RC-40.19].
[[nodiscard]] inline double percent_of_rate(std::uint64_t bytes, Picoseconds interval, BitsPerSecond link_rate) noexcept
{
    return ratio(bytes, 800U * static_cast<std::uint64_t>(kPicosecondsPerSecond), static_cast<std::uint64_t>(interval),
                 link_rate);
}

/// Picoseconds in seconds [RC-14].
[[nodiscard]] inline double seconds(Picoseconds time) noexcept
{
    return static_cast<double>(time) / static_cast<double>(kPicosecondsPerSecond);
}

/// Picoseconds in nanoseconds, for columns of durations.
[[nodiscard]] inline double nanoseconds(Picoseconds time) noexcept
{
    return static_cast<double>(time) / 1e3;
}

}  // namespace mrcnic::record
