// Quick Adapt, trims, timeouts and gaps: what makes a window fall at once.

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/nscc_bench.h"

namespace mrcnic::transport {
namespace {

/// Trimming, max 450,000, a trim pending: the first NACK opened a window that ends 11,500 ns after 0.
struct QuickAdaptBench : NsccBench {
    QuickAdaptBench()
    {
        trimming = true;
        trim(kUs);
    }
    void achieve(std::uint64_t bytes) { sack_without_sample(2 * kUs, bytes); }
};

constexpr Picoseconds kObservedTo = 11'500 * kNs;

// [CC-35] [CC-W10] What arrived, a full packet at least.
TEST(Nscc, QuickAdaptTakesWhatArrived)
{
    const std::map<std::uint64_t, double> cases{{40'000, 40'000}, {3'000, 4'156}, {56'249, 56'249}};
    for (const auto& [achieved, window] : cases) {
        QuickAdaptBench bench;
        bench.achieve(achieved);
        bench.sack(kObservedTo + 1, kUs, false, 0);
        EXPECT_EQ(bench.window(), window);
        EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
        EXPECT_EQ(bench.nscc().gathered_increase(), 0);
    }
}

// [CC-35] Firing drops the increase, and raises a window that is less than what arrived.
TEST(Nscc, FiringStartsAfresh)
{
    QuickAdaptBench bench;
    bench.set_window(10'000);
    bench.sack(2 * kUs, 2 * kUs, false, 8 * kFull);
    EXPECT_GT(bench.nscc().gathered_increase(), 0);
    EXPECT_EQ(bench.window(), 10'000);
    bench.sack(20 * kUs, 2 * kUs, false, 1);
    EXPECT_EQ(bench.window(), 33'249);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
}

// [CC-35] [CC-W1] [CC-W10] Less than 450,000 / 2^3 = 56,250; the SACK's own bytes count.
TEST(Nscc, QuickAdaptHasAGate)
{
    QuickAdaptBench bench;
    bench.achieve(52'094);
    bench.sack(kObservedTo + 1, kUs, true);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
}

// [CC-7] The gate: 450,000 / 2^4 = 28,125.
TEST(Nscc, GateIsAnAttribute)
{
    for (const auto& [achieved, firings] : std::map<std::uint64_t, std::uint64_t>{{28'124, 1}, {28'125, 0}}) {
        NsccBench bench;
        bench.trimming = true;
        bench.config.quick_adapt_gate = 4;
        bench.trim(kUs);
        bench.sack_without_sample(2 * kUs, achieved);
        bench.sack(kObservedTo + 1, kUs, false, 0);
        EXPECT_EQ(bench.nscc().quick_adapts(), firings);
    }
}

// [CC-35] [CC-W1] Only when the observation is over, 6 + 4.5 us after it began: not in its last picosecond.
TEST(Nscc, QuickAdaptWaitsForTheEnd)
{
    QuickAdaptBench bench;
    bench.sack(kObservedTo, kUs);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
    bench.sack(kObservedTo + 1, kUs);
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
}

// [CC-35] [CC-W1] 12 us without trimming; base 3 us: 3 + 4.5.
TEST(Nscc, ObservationIsBaseAndTarget)
{
    NsccBench plain;
    plain.trim(kUs);
    plain.sack(13 * kUs, kUs);
    EXPECT_EQ(plain.nscc().quick_adapts(), 0U);
    plain.sack(13 * kUs + 1, kUs);
    EXPECT_EQ(plain.nscc().quick_adapts(), 1U);

    NsccBench near;
    near.trimming = true;
    near.trim(kUs, 100'000, 2 * kUs);
    near.trim(8'500 * kNs);
    EXPECT_EQ(near.nscc().quick_adapts(), 0U);
    near.trim(8'501 * kNs);
    EXPECT_EQ(near.nscc().quick_adapts(), 1U);
}

// [CC-35] A window that ends begins the next and forgets what arrived, fired or not.
TEST(Nscc, ObservationsFollowEachOther)
{
    QuickAdaptBench bench;
    bench.achieve(56'250);
    bench.sack(kObservedTo + 1, kUs, false, 0);  // no firing; the trim still stands
    bench.sack(kObservedTo + 1 + 10'500 * kNs, kUs, false, 0);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
    bench.sack(kObservedTo + 2 + 10'500 * kNs, kUs, false, 0);
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
    EXPECT_EQ(bench.window(), kFull);
}

// [CC-36] The trigger goes with the firing.
TEST(Nscc, OneTrimIsOneTrigger)
{
    QuickAdaptBench bench;
    bench.sack(20 * kUs, kUs);
    bench.sack(40 * kUs, kUs);
    bench.sack(60 * kUs, kUs);
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
    bench.nscc().on_trim({80 * kUs, kFull, 0, std::nullopt});
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U) << "ignored: 100,000 bytes were in flight";
}

// [CC-36] [CC-W11] The average passes 24 us at the sixth SACK of 30 us: 30 (1 - 0.75^6) = 24.6606.
TEST(Nscc, LongDelayIsATriggerWithoutTrimming)
{
    NsccBench bench;
    for (Picoseconds i = 1; i <= 5; ++i) {
        bench.sack(i * 13 * kUs, 30 * kUs);
        EXPECT_LE(bench.nscc().average_delay(), 24e6);
    }
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
    bench.sack(6 * 13 * kUs, 30 * kUs);
    EXPECT_NEAR(bench.nscc().average_delay(), 24'660'600, 50);
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
    EXPECT_EQ(bench.window(), kFull);

    NsccBench trimming;
    trimming.trimming = true;
    for (Picoseconds i = 1; i <= 9; ++i) {
        trimming.sack(i * 13 * kUs, 30 * kUs);
    }
    EXPECT_EQ(trimming.nscc().quick_adapts(), 0U);
}

// [CC-7] The threshold itself is not above it: 0.25 x 40 = 10 us.
TEST(Nscc, ThresholdIsAnAttribute)
{
    for (const auto& [threshold, firings] : std::map<Picoseconds, std::uint64_t>{{10 * kUs, 0}, {10 * kUs - 1, 1}}) {
        NsccBench bench;
        bench.config.quick_adapt_threshold = threshold;
        bench.sack(kUs, 0, false, 0);
        bench.sack(20 * kUs, 40 * kUs, false, 0);
        EXPECT_EQ(bench.nscc().quick_adapts(), firings);
    }
}

// [CC-7] Disabled it neither fires nor ignores: each NACK cuts its packet.
TEST(Nscc, QuickAdaptCanBeDisabled)
{
    NsccBench bench;
    bench.trimming = true;
    bench.config.disable_quick_adapt = true;
    bench.trim(kUs);
    bench.trim(20 * kUs);
    bench.trim(21 * kUs);
    EXPECT_EQ(bench.window(), kMax - 3.0 * kFull);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
}

// [CC-28] A firing leaves out the rest: eta, long due, comes with the next SACK, which has an increase of its own.
TEST(Nscc, FiringStops)
{
    QuickAdaptBench bench;
    bench.achieve(40'000);
    bench.sack(20 * kUs, 2 * kUs);
    EXPECT_EQ(bench.window(), 44'156);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
    bench.sack(20 * kUs + 1, 2 * kUs);
    expect_equal(bench.window(), 44'156 + 16'384.0 / 6 * 4'156 * 2.5 / 44'156 + 614.4);
}

// [CC-25] [CC-28] [CC-35] Marked SACKs are ignored until as much is acknowledged as was in flight, their own bytes
// included: of 100,000 the 25th packet is the first that is not.
TEST(Nscc, MarkedSacksAreIgnored)
{
    QuickAdaptBench bench;
    bench.achieve(40'000);
    bench.sack(20 * kUs, 32 * kUs, false, 0);
    EXPECT_EQ(bench.window(), 40'000);
    for (Picoseconds i = 1; i <= 24; ++i) {
        bench.sack(20 * kUs + i, 32 * kUs, true);
        EXPECT_EQ(bench.window(), 40'000) << i;
    }
    bench.sack(20 * kUs + 25, 32 * kUs, true);
    EXPECT_EQ(bench.window(), 20'614.4);  // decrease by a half; eta
}

// [CC-35] Unmarked SACKs are not ignored, and ignoring drops what they gathered.
TEST(Nscc, IgnoringDropsTheIncrease)
{
    QuickAdaptBench bench;
    bench.achieve(40'000);
    bench.sack(20 * kUs, 2 * kUs, false, 0);
    bench.sack(20 * kUs + 1, 2 * kUs, false, 0);  // eta
    EXPECT_EQ(bench.window(), 40'614.4);
    bench.sack(20 * kUs + 2, 2 * kUs, false, 8 * kFull);
    EXPECT_GT(bench.nscc().gathered_increase(), 0);
    bench.sack(20 * kUs + 3, 2 * kUs, true, kFull);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
    bench.sack(20 * kUs + 4, 7 * kUs, false, 8 * kFull);
    EXPECT_EQ(bench.window(), 40'614.4) << "received since adjust starts again, too";
}

// [CC-40] [CC-35] [CC-W12] A = 0.25 x 6 us; the observation begins; the packet is cut.
TEST(Nscc, FirstTrim)
{
    QuickAdaptBench bench;
    EXPECT_EQ(bench.nscc().average_delay(), 1.5e6);
    EXPECT_EQ(bench.window(), 445'844);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
}

// [CC-40] Its sample reaches the base RTT only: A folds in the initial base RTT all the same.
TEST(Nscc, SampleOfATrim)
{
    NsccBench bench;
    bench.trim(kUs, 0, 2 * kUs);
    EXPECT_EQ(bench.nscc().base_rtt(), 3 * kUs);
    EXPECT_EQ(bench.nscc().average_delay(), 1.5e6);
    EXPECT_EQ(bench.window(), 225'000.0 - kFull);
}

// [CC-40] [CC-35] [CC-W15] 9 x 4,156 = 37,404 arrived.
TEST(Nscc, TrimsAndSacks)
{
    QuickAdaptBench bench;
    EXPECT_EQ(bench.window(), 445'844);
    for (Picoseconds i = 0; i < 9; ++i) {
        bench.sack(2 * kUs + i * kSpacing, 100 * kNs);
    }
    expect_printed(bench.window(), 446'851.991);
    expect_equal(bench.window(), 445'844 + 9 * (16'384.0 / 6 * 4'156 * 4.4) / 445'844);
    bench.trim(12 * kUs, 300'000);
    EXPECT_EQ(bench.window(), 37'404);
    EXPECT_EQ(bench.nscc().quick_adapts(), 1U);
    bench.trim(12'100 * kNs, 300'000);
    EXPECT_EQ(bench.window(), 37'404);
}

// [CC-40] An ignored NACK's bytes count as ignored: of 8,312 in flight the second is not ignored any more.
TEST(Nscc, TrimsEndTheIgnoring)
{
    QuickAdaptBench bench;
    bench.achieve(40'000);
    bench.trim(12 * kUs, 2 * kFull);
    EXPECT_EQ(bench.window(), 40'000);
    bench.trim(12'100 * kNs, 0);
    EXPECT_EQ(bench.window(), 40'000);
    bench.trim(12'200 * kNs, 0);
    EXPECT_EQ(bench.window(), 40'000 - 4'156.0);
}

// [CC-41] Each expiry takes its packet, and is no trigger of Quick Adapt.
TEST(Nscc, TimeoutCutsOnePacket)
{
    NsccBench bench;
    bench.nscc().on_timeout(kFull);
    bench.nscc().on_timeout(1'000);
    EXPECT_EQ(bench.window(), 444'844);
    bench.sack(kUs, kUs, false, 0);
    bench.sack(5 * kUs, kUs, false, 0);
    bench.nscc().on_timeout(kFull);
    bench.sack(14 * kUs, kUs, false, 0);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
}

// [CC-42] The first of a burst cuts; the next after more than a base RTT.
TEST(Nscc, GapLossCutsOnceInABaseRtt)
{
    NsccBench bench;
    bench.nscc().on_gap_loss(kUs, kFull);
    bench.nscc().on_gap_loss(kUs, kFull);
    bench.nscc().on_gap_loss(7 * kUs, kFull);
    EXPECT_EQ(bench.window(), kMax - kFull);
    bench.nscc().on_gap_loss(7 * kUs + 1, 1'000);
    EXPECT_EQ(bench.window(), kMax - kFull - 1'000);
    bench.nscc().on_gap_loss(13 * kUs, kFull);  // from the last that cut
    EXPECT_EQ(bench.window(), kMax - kFull - 1'000);
}

// [CC-42] A clock of its own, and the base RTT as it is.
TEST(Nscc, GapLossHasItsOwnClock)
{
    NsccBench bench;
    bench.sack(kUs, 32 * kUs, true);
    bench.nscc().on_timeout(kFull);
    bench.nscc().on_gap_loss(kUs + 1, kFull);
    expect_equal(bench.window(), 360'000 - 2.0 * kFull);

    NsccBench cut_first;
    cut_first.nscc().on_gap_loss(kUs, kFull);
    cut_first.sack(kUs + 1, 32 * kUs, true);
    expect_equal(cut_first.window(), 0.8 * (kMax - kFull));

    NsccBench near;
    near.nscc().on_probe_rtt(2 * kUs);
    near.nscc().on_gap_loss(kUs, kFull);
    near.nscc().on_gap_loss(4 * kUs + 1, kFull);
    EXPECT_EQ(near.window(), 225'000 - 2.0 * kFull);
}

/// Any call with any legal values.
void call_at_random(Nscc& nscc, Picoseconds now, std::mt19937_64& random)
{
    const auto below = [&random](std::uint64_t bound) { return random() % bound; };
    const std::uint64_t kind = below(20);
    const std::uint64_t packets = below(3);
    const std::uint64_t flight = below(600'000);
    const auto nominal = static_cast<std::uint32_t>(60 + below(kMss));
    std::optional<Picoseconds> rtt;
    if (below(8) != 0) {
        rtt = static_cast<Picoseconds>(100'000 + below(40'000'000));
    }
    const bool marked = below(2) == 0;
    const auto penalty = static_cast<std::uint8_t>(below(4) == 0 ? 127 : 0);
    const bool restore = below(4) == 0;
    switch (kind) {
        case 0:
            return nscc.on_trim({now, nominal, flight, rtt});
        case 1:
            return nscc.on_timeout(nominal);
        case 2:
            return nscc.on_gap_loss(now, nominal);
        case 3:
            return nscc.on_probe_rtt(rtt.value_or(kBase));
        default:
            return nscc.on_sack({now, nominal * packets, flight, rtt, marked, penalty, restore});
    }
}

// [CC-15] [CC-17] Whatever comes: the window stays in its bounds, the base RTT and the maximum never rise.
TEST(Nscc, BoundsHoldAtRandom)
{
    std::mt19937_64 random{testbench::seed()};
    for (const bool trimming : {false, true}) {
        NsccBench bench;
        bench.trimming = trimming;
        Picoseconds now = 0;
        for (int i = 0; i < 20'000; ++i) {
            const double max_before = bench.nscc().max_window();
            const Picoseconds base_before = bench.nscc().base_rtt();
            now += static_cast<Picoseconds>(random() % 1'000'000) + (i % 40 == 0 ? 20 * kUs : 0);
            call_at_random(bench.nscc(), now, random);
            ASSERT_GE(bench.window(), kFull) << i;
            ASSERT_LE(bench.window(), bench.nscc().max_window()) << i;
            ASSERT_LE(bench.nscc().max_window(), max_before) << i;
            ASSERT_LE(bench.nscc().base_rtt(), base_before) << i;
            ASSERT_GE(bench.nscc().average_delay(), 0) << i;
        }
        EXPECT_GT(bench.nscc().quick_adapts(), 0U);
    }
}

}  // namespace
}  // namespace mrcnic::transport
