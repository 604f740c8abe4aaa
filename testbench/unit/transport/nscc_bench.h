#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "mrcnic/transport/nscc.h"

namespace mrcnic::transport {

inline constexpr Picoseconds kNs = 1'000;
inline constexpr Picoseconds kUs = 1'000'000;
inline constexpr Picoseconds kBase = 6 * kUs;
inline constexpr Picoseconds kSpacing = 83'480;  // a full packet at 400 Gbps
inline constexpr std::uint32_t kMss = 4'096;
inline constexpr std::uint32_t kFull = 4'156;
inline constexpr double kMax = 450'000;
inline constexpr BitsPerSecond kRate = 400'000'000'000;

/// Sheets print three decimals, paper has more.
inline void expect_printed(double value, double printed)
{
    EXPECT_NEAR(value, printed, 0.000'51);
}
inline void expect_equal(double value, double expected)
{
    EXPECT_NEAR(value, expected, 1e-9 * std::abs(expected));
}

/// A congestion context and the calls that tests make of it. Delays count from the base RTT of 6 us.
struct NsccBench {
    config::CongestionControlConfig config{};
    bool trimming{false};
    BitsPerSecond rate{kRate};
    Picoseconds created{0};
    std::optional<Nscc> made{};

    Nscc& nscc()
    {
        if (!made) {
            made.emplace(config, rate, kMss, kFull, trimming, created);
        }
        return *made;
    }
    [[nodiscard]] double window() { return nscc().window(); }
    /// Window from its start value down to `bytes`.
    void set_window(double bytes) { nscc().on_timeout(static_cast<std::uint32_t>(window() - bytes)); }

    void sack(Picoseconds now, Picoseconds delay, bool marked = false, std::uint64_t bytes = kFull)
    {
        sack_rtt(now, kBase + delay, marked, bytes);
    }
    void sack_rtt(Picoseconds now, Picoseconds rtt, bool marked = false, std::uint64_t bytes = kFull)
    {
        Nscc::Sack sack;
        sack.now = now;
        sack.newly_retired = bytes;
        sack.in_flight = 100'000;
        sack.rtt = rtt;
        sack.marked = marked;
        nscc().on_sack(sack);
    }
    void sack_without_sample(Picoseconds now, std::uint64_t bytes = kFull)
    {
        Nscc::Sack sack;
        sack.now = now;
        sack.newly_retired = bytes;
        nscc().on_sack(sack);
    }
    void penalty(Picoseconds now, std::uint8_t penalty, std::uint64_t in_flight, bool restore = false,
                 std::optional<Picoseconds> delay = std::nullopt)
    {
        Nscc::Sack sack;
        sack.now = now;
        sack.newly_retired = kFull;
        sack.in_flight = in_flight;
        sack.penalty = penalty;
        sack.restore = restore;
        if (delay) {
            sack.rtt = kBase + *delay;
        }
        nscc().on_sack(sack);
    }
    void trim(Picoseconds now, std::uint64_t in_flight = 100'000, std::optional<Picoseconds> rtt = std::nullopt)
    {
        nscc().on_trim({now, kFull, in_flight, rtt});
    }
    /// Average delay to `average`, by one sample of four times that; no mark.
    void set_average(Picoseconds now, Picoseconds average) { sack(now, 4 * average, false, 0); }
    /// Fast increase engaged, the last of its 58 SACKs at 58 x 83.48 ns = 4.84 us [CC-W7].
    void engage_fast()
    {
        set_window(225'000);
        for (Picoseconds i = 1; i <= 58; ++i) {
            sack(i * kSpacing, kUs / 2);
        }
    }
};

}  // namespace mrcnic::transport
