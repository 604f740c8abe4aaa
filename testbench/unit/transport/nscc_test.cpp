#include "mrcnic/transport/nscc.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "testbench/unit/transport/nscc_bench.h"

namespace mrcnic::transport {
namespace {

// [CC-W1] [CC-3] [CC-17] BDP = 400 Gbps x 6 us / 8.
TEST(Nscc, StartsWithOneAndAHalfBdp)
{
    NsccBench bench;
    EXPECT_EQ(bench.window(), kMax);
    EXPECT_EQ(bench.nscc().max_window(), kMax);
    EXPECT_EQ(bench.nscc().base_rtt(), kBase);
    EXPECT_EQ(bench.nscc().average_delay(), 0);
    EXPECT_EQ(bench.nscc().target(), 6e6);
    EXPECT_NEAR(bench.window() / kFull, 108.277, 0.000'5);
    EXPECT_LE(108.0 * kFull, bench.window());
    EXPECT_GT(109.0 * kFull, bench.window());
}

// [CC-W1] [CC-5] 0.75 x 6 us with trimming; the override whatever that is.
TEST(Nscc, Target)
{
    NsccBench trimming;
    trimming.trimming = true;
    EXPECT_EQ(trimming.nscc().target(), 4.5e6);
    for (const bool with_trimming : {false, true}) {
        NsccBench overridden;
        overridden.trimming = with_trimming;
        overridden.config.override_spec_target_queue_delay = true;
        overridden.config.target_queue_delay = 2 * kUs;
        EXPECT_EQ(overridden.nscc().target(), 2e6);
    }
    NsccBench other_base;
    other_base.config.initial_base_rtt = 8 * kUs;
    EXPECT_EQ(other_base.nscc().target(), 8e6);
}

// [CC-1] Neither base RTT nor average nor window moves.
TEST(Nscc, DisabledStaysAtItsStart)
{
    NsccBench bench;
    bench.config.nscc_enable = false;
    bench.sack_rtt(kUs, 2 * kUs, true);
    bench.penalty(2 * kUs, 127, 10'000);
    bench.trim(3 * kUs, 0, kUs);
    bench.trim(30 * kUs);
    bench.nscc().on_timeout(kFull);
    bench.nscc().on_gap_loss(40 * kUs, kFull);
    bench.nscc().on_probe_rtt(kUs);
    EXPECT_EQ(bench.window(), kMax);
    EXPECT_EQ(bench.nscc().max_window(), kMax);
    EXPECT_EQ(bench.nscc().base_rtt(), kBase);
    EXPECT_EQ(bench.nscc().average_delay(), 0);
    EXPECT_EQ(bench.nscc().quick_adapts(), 0U);
}

// [CC-8] 108 x 4,156 = 448,848; a base RTT found later gives the maximum by CC-15.
TEST(Nscc, FirstMaximumInPackets)
{
    NsccBench bench;
    bench.config.override_max_congestion_window = true;
    EXPECT_EQ(bench.window(), 448'848);
    EXPECT_EQ(bench.nscc().max_window(), 448'848);
    bench.nscc().on_probe_rtt(3 * kUs);
    EXPECT_EQ(bench.nscc().max_window(), 300'000);
}

// [CC-15] [CC-W2] r + 1 us, and 1.5 x 400 Gbps x that / 8 = 75 bytes a nanosecond.
TEST(Nscc, FirstSampleGivesTheBase)
{
    const std::map<Picoseconds, std::pair<Picoseconds, double>> cases{
        {201'880, {1'201'880, 90'141}}, {487'240, {1'487'240, 111'543}}, {2'657'960, {3'657'960, 274'347}}};
    for (const auto& [sample, expected] : cases) {
        NsccBench bench;
        bench.sack_rtt(kUs, sample);
        EXPECT_EQ(bench.nscc().base_rtt(), expected.first);
        expect_equal(bench.nscc().max_window(), expected.second);
        expect_equal(bench.window(), expected.second);
        EXPECT_EQ(bench.nscc().average_delay(), 0) << "the delay is counted from the new reference";
    }
}

// [CC-15] [CC-W3] Only more than 1 us below.
TEST(Nscc, BaseHasAMargin)
{
    NsccBench bench;
    bench.nscc().on_probe_rtt(5'500 * kNs);
    bench.nscc().on_probe_rtt(5'000 * kNs);
    EXPECT_EQ(bench.nscc().base_rtt(), kBase);
    bench.sack_rtt(1, kBase);
    EXPECT_EQ(bench.nscc().average_delay(), 0) << "delays still count from 6 us";
    bench.nscc().on_probe_rtt(4'999 * kNs);
    EXPECT_EQ(bench.nscc().base_rtt(), 5'999 * kNs);
    // R = 4,999 ns: a sample of 6,999 is delayed by 2 us, A = 0.25 x 2.
    bench.sack_rtt(kUs, 6'999 * kNs);
    EXPECT_EQ(bench.nscc().average_delay(), 5e5);
}

// [CC-15] B never rises; target and gains do not follow it. Proportional at d = 2 us as in CC-W5.
TEST(Nscc, BaseOnlyFallsAndTargetStays)
{
    NsccBench bench;
    bench.nscc().on_probe_rtt(2 * kUs);
    bench.nscc().on_probe_rtt(50 * kUs);
    EXPECT_EQ(bench.nscc().base_rtt(), 3 * kUs);
    EXPECT_EQ(bench.nscc().max_window(), 225'000);
    EXPECT_EQ(bench.window(), 225'000);
    EXPECT_EQ(bench.nscc().target(), 6e6);
    bench.sack_rtt(kUs, 4 * kUs);
    expect_equal(bench.nscc().gathered_increase(), 16'384.0 / 6 * kFull * 4);
}

// [MP-24] A probe's sample moves no average.
TEST(Nscc, ProbeIsNoDelaySample)
{
    NsccBench bench;
    bench.nscc().on_probe_rtt(20 * kUs);
    EXPECT_EQ(bench.nscc().average_delay(), 0);
}

// [CC-16] [CC-W4] Each step takes a quarter of what is missing.
TEST(Nscc, AverageOfDelays)
{
    NsccBench bench;
    Picoseconds now = 0;
    for (const double expected : {2.0, 3.5, 4.625, 5.46875, 6.1015625}) {
        bench.sack(now += kSpacing, 8 * kUs);
        expect_equal(bench.nscc().average_delay(), expected * 1e6);
    }
}

// [CC-10] [CC-16] Below the reference the delay is 0, not less; the weight is an attribute.
TEST(Nscc, DelayIsNotNegative)
{
    NsccBench bench;
    bench.config.delay_alpha = 0.5;
    bench.sack(1, 4 * kUs);
    EXPECT_EQ(bench.nscc().average_delay(), 2e6);
    bench.sack(2, -900 * kNs);
    EXPECT_EQ(bench.nscc().average_delay(), 1e6);
}

// [CC-17] One full packet at least, the maximum at most.
TEST(Nscc, WindowStaysInBounds)
{
    NsccBench bench;
    bench.nscc().on_timeout(10'000'000);
    EXPECT_EQ(bench.window(), kFull);
    // 200 packets in fast increase would be 831,200 bytes.
    for (Picoseconds i = 1; i <= 200; ++i) {
        bench.sack(i * kSpacing, 0);
    }
    EXPECT_TRUE(bench.nscc().is_fast());
    EXPECT_EQ(bench.window(), kMax);
}

// [CC-17] 1 Gbps: the maximum, 1,125 bytes, is less than a packet.
TEST(Nscc, LowerBoundWins)
{
    NsccBench bench;
    bench.rate = 1'000'000'000;
    EXPECT_EQ(bench.nscc().max_window(), 1'125);
    EXPECT_EQ(bench.window(), kFull);
    bench.sack(7 * kUs, 2 * kUs);
    EXPECT_EQ(bench.window(), kFull);
}

// [CC-18] [CC-30] [CC-W5] alpha = 4 x 4,096 / 6 us; x 4,156 x 4 us. Nine: 408,551,424 / 225,000.
TEST(Nscc, ProportionalIncrease)
{
    NsccBench bench;
    bench.set_window(225'000);
    bench.sack(kSpacing, 2 * kUs);
    expect_equal(bench.nscc().gathered_increase(), 16'384.0 * 4'156 * 4 / 6);
    for (Picoseconds i = 2; i <= 8; ++i) {
        bench.sack(i * kSpacing, 2 * kUs);
        EXPECT_EQ(bench.window(), 225'000) << "33,248 bytes are not more than 8 packets";
    }
    bench.sack(9 * kSpacing, 2 * kUs);
    expect_printed(bench.window(), 226'815.784);
    expect_equal(bench.window(), 225'000 + 408'551'424.0 / 225'000);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
}

// [CC-32] [CC-W5] With a due eta 0.15 x 4,096 = 614.4 more.
TEST(Nscc, EtaJoinsTheIncrease)
{
    NsccBench bench;
    bench.set_window(225'000);
    for (Picoseconds i = 1; i <= 9; ++i) {
        bench.sack(5'300 * kNs + i * kSpacing, 2 * kUs);  // the ninth at 6.05 us
    }
    expect_printed(bench.window(), 226'815.784 + 614.4);
}

// [CC-29] [CC-W6] fi = 5 x 4,096.
TEST(Nscc, FairIncrease)
{
    NsccBench bench;
    bench.set_window(225'000);
    bench.sack(kSpacing, 7 * kUs);
    expect_equal(bench.nscc().gathered_increase(), 85'114'880);
    for (Picoseconds i = 2; i <= 9; ++i) {
        bench.sack(i * kSpacing, 7 * kUs);
    }
    expect_printed(bench.window(), 228'404.595);
    expect_equal(bench.window(), 225'000 + 9 * 85'114'880.0 / 225'000);
}

// [CC-29] The target itself is fair increase, 1 ps less the proportional one.
TEST(Nscc, FairFromTheTargetOn)
{
    NsccBench fair;
    fair.sack(1, 6 * kUs);
    expect_equal(fair.nscc().gathered_increase(), 85'114'880);
    NsccBench proportional;
    proportional.sack(1, 6 * kUs - 1);
    expect_equal(proportional.nscc().gathered_increase(), 16'384.0 * 4'156 / 6e6);
}

// [CC-4] [CC-18] Twice the reference rate: a = 1/2. Twice the reference RTT: a = b = 1/2.
TEST(Nscc, GainsScaleWithTheReference)
{
    NsccBench rate;
    rate.config.reference_network_link_speed = 800'000'000'000;
    rate.sack(1, 2 * kUs);
    expect_equal(rate.nscc().gathered_increase(), 16'384.0 * 4'156 * 4 / 6 / 2);
    NsccBench rtt;
    rtt.config.reference_network_rtt = 12 * kUs;
    rtt.sack(1, 2 * kUs);
    expect_equal(rtt.nscc().gathered_increase(), 16'384.0 * 4'156 * 4 / 6 / 4);
    rtt.sack(2, 7 * kUs);
    expect_equal(rtt.nscc().gathered_increase(), 16'384.0 * 4'156 * 4 / 6 / 4 + 85'114'880.0 / 2);
    NsccBench eta;
    eta.config.reference_network_link_speed = 800'000'000'000;
    eta.set_window(225'000);
    eta.sack(7 * kUs, 7 * kUs, true, 0);
    expect_equal(eta.window(), 225'307.2);
    // Trimming: b = 0.75 and the target as much shorter, so alpha is the same; 4.5 - 2 us.
    NsccBench trimming;
    trimming.trimming = true;
    trimming.sack(1, 2 * kUs);
    expect_equal(trimming.nscc().gathered_increase(), 16'384.0 / 6 * 4'156 * 2.5);
}

// [CC-9] Each multiplier by itself.
TEST(Nscc, Multipliers)
{
    NsccBench bench;
    bench.config.alpha_multiplier = 2;
    bench.config.fair_increase_multiplier = 1;
    bench.config.fast_increase_multiplier = 0.5;
    bench.sack(1, 2 * kUs);
    expect_equal(bench.nscc().gathered_increase(), 8'192.0 * 4'156 * 4 / 6);
    bench.sack(2, 7 * kUs);
    expect_equal(bench.nscc().gathered_increase(), 8'192.0 * 4'156 * 4 / 6 + 4'096.0 * 4'156);
    bench.set_window(kFull);
    bench.sack(3, 0);  // 4,156 is not more than the window
    EXPECT_EQ(bench.window(), kFull);
    bench.sack(4, 0);
    EXPECT_EQ(bench.window(), 1.5 * kFull);
    NsccBench eta;
    eta.config.eta_multiplier = 1;
    eta.set_window(225'000);
    eta.sack(7 * kUs, 7 * kUs, true, 0);
    expect_equal(eta.window(), 225'000 + 4'096);
}

// [CC-30] [CC-W7] Six adjustments of nine proportional steps each, then the 58th packet.
TEST(Nscc, FastIncrease)
{
    NsccBench bench;
    bench.set_window(225'000);
    for (Picoseconds i = 1; i <= 57; ++i) {
        bench.sack(i * kSpacing, kUs / 2);
        EXPECT_FALSE(bench.nscc().is_fast()) << i;
    }
    bench.sack(58 * kSpacing, kUs / 2);
    EXPECT_TRUE(bench.nscc().is_fast());
    double expected = 225'000;
    for (int i = 0; i < 6; ++i) {
        expected += 9 * (16'384.0 * 4'156 * 5.5 / 6) / expected;
    }
    expect_equal(bench.window(), expected + kFull);
    expect_printed(bench.window(), 243'742.247);
}

// [CC-6] [CC-30] While it acts nothing proportional is gathered; a delay of the margin ends it and its count.
TEST(Nscc, FastIncreaseEndsAtTheMargin)
{
    NsccBench bench;
    bench.engage_fast();
    const double gathered = bench.nscc().gathered_increase();
    const double window = bench.window();
    bench.sack(59 * kSpacing, kUs - 1);
    EXPECT_EQ(bench.window(), window + kFull);
    EXPECT_EQ(bench.nscc().gathered_increase(), gathered);
    bench.sack(60 * kSpacing, kUs);
    EXPECT_FALSE(bench.nscc().is_fast());
    EXPECT_EQ(bench.window(), window + kFull);
    expect_equal(bench.nscc().gathered_increase(), gathered + 16'384.0 * 4'156 * 5 / 6);
    bench.sack(61 * kSpacing, 0);
    EXPECT_FALSE(bench.nscc().is_fast()) << "its count starts again";
}

// [CC-6] Margin 0: never.
TEST(Nscc, MarginIsAnAttribute)
{
    NsccBench bench;
    bench.config.target_queue_delay_margin = 0;
    bench.set_window(kFull);
    bench.sack(1, 0);
    bench.sack(2, 0);
    EXPECT_FALSE(bench.nscc().is_fast());
}

// [CC-29] Fair increase leaves count and engaged as they are.
TEST(Nscc, FairIncreaseLeavesTheFastOneAlone)
{
    NsccBench engaged;
    engaged.engage_fast();
    engaged.sack(59 * kSpacing, 7 * kUs);
    EXPECT_TRUE(engaged.nscc().is_fast());

    NsccBench counting;
    counting.set_window(2.5 * kFull);
    counting.sack(1, 0);
    counting.sack(2, 0);
    counting.sack(3, 7 * kUs);
    counting.sack(4, 0);
    EXPECT_TRUE(counting.nscc().is_fast()) << "the third packet below the margin";
}

// [CC-31] Marked below the target: nothing, and fast increase stays engaged.
TEST(Nscc, MarkWithoutDelayDoesNothing)
{
    NsccBench bench;
    bench.engage_fast();
    const double gathered = bench.nscc().gathered_increase();
    const double window = bench.window();
    bench.sack(59 * kSpacing, 6 * kUs - 1, true);
    EXPECT_EQ(bench.window(), window);
    EXPECT_EQ(bench.nscc().gathered_increase(), gathered);
    EXPECT_TRUE(bench.nscc().is_fast());
}

// [CC-31] Marked from the target on: fast increase ends, with its count, even if the average does not allow a cut.
TEST(Nscc, MarkWithDelayEndsFastIncrease)
{
    NsccBench bench;
    bench.engage_fast();
    const double window = bench.window();
    bench.sack(59 * kSpacing, 6 * kUs, true);
    EXPECT_FALSE(bench.nscc().is_fast());
    EXPECT_EQ(bench.window(), window);
    bench.sack(60 * kSpacing, 0);
    EXPECT_FALSE(bench.nscc().is_fast());
}

// [CC-31] [CC-W8] 1 - 0.8 (A - 6) / A, at least 0.5. One sample of 4 A makes the average A.
TEST(Nscc, Decrease)
{
    const std::map<Picoseconds, double> cases{{8, 360'000}, {9, 330'000}, {12, 270'000}, {16, 225'000}, {24, 225'000}};
    for (const auto& [average, window] : cases) {
        NsccBench bench;
        bench.sack(kSpacing, 4 * average * kUs, true);
        expect_equal(bench.nscc().average_delay(), static_cast<double>(average) * 1e6);
        expect_equal(bench.window(), window);
    }
}

// [CC-10] [CC-31] A = 16: 1 - 0.4 x 10 / 16 = 0.75; A = 24: 0.7, but 0.72 is kept.
TEST(Nscc, DepthOfADecrease)
{
    const std::map<Picoseconds, double> cases{{16, 337'500}, {24, 324'000}};
    for (const auto& [average, window] : cases) {
        NsccBench bench;
        bench.config.gamma = 0.4;
        bench.config.max_multiplicative_decrease_jump = 0.72;
        bench.sack(kSpacing, 4 * average * kUs, true);
        expect_equal(bench.window(), window);
    }
}

// [CC-31] [CC-W9] An average of the target is none above it.
TEST(Nscc, NoDecreaseAtTheTarget)
{
    NsccBench bench;
    bench.sack(kSpacing, 24 * kUs, true);
    EXPECT_EQ(bench.nscc().average_delay(), 6e6);
    EXPECT_EQ(bench.window(), kMax);
    bench.sack(2 * kSpacing, 32 * kUs, true);  // A = 12.5 us: 1 - 0.8 x 6.5 / 12.5
    expect_equal(bench.window(), 0.584 * kMax);
}

// [CC-31] [CC-W9] Once in a base RTT: not 5.9 us after the last, nor 6.0, but 1 ps later.
TEST(Nscc, DecreasesOnceInABaseRtt)
{
    NsccBench bench;
    bench.sack(100, 32 * kUs, true);
    expect_equal(bench.window(), 360'000);
    bench.sack(100 + 5'900 * kNs, 8 * kUs, true);
    expect_equal(bench.window(), 360'000);
    bench.sack(100 + 6'000 * kNs, 8 * kUs, true);  // A = 8 us throughout; eta is due, 614.4
    expect_equal(bench.window(), 360'614.4);
    bench.sack(101 + 6'000 * kNs, 8 * kUs, true);
    expect_equal(bench.window(), 0.8 * 360'614.4);
}

// [CC-31] The base RTT, not the initial one: 3 us here, and delays count from 2 us.
TEST(Nscc, DecreaseFollowsTheBase)
{
    NsccBench bench;
    bench.nscc().on_probe_rtt(2 * kUs);
    bench.sack_rtt(100, 2 * kUs + 32 * kUs, true);
    expect_equal(bench.window(), 180'000);
    bench.sack_rtt(101 + 3 * kUs, 2 * kUs + 8 * kUs, true);
    expect_equal(bench.window(), 144'000);
}

// [CC-32] An adjustment needs more than the initial base RTT; one for its bytes takes eta from that time on.
TEST(Nscc, AdjustmentsAreTimed)
{
    NsccBench bench;
    bench.created = 10 * kUs;
    bench.set_window(225'000);
    bench.sack(16 * kUs, 7 * kUs, true, 0);
    EXPECT_EQ(bench.window(), 225'000);
    bench.sack(16 * kUs, 7 * kUs, true, 8 * kFull);
    EXPECT_EQ(bench.window(), 225'000) << "8 packets are not more than 8";
    bench.sack(16 * kUs, 7 * kUs, true, 1);
    expect_equal(bench.window(), 225'614.4);
    bench.sack(22 * kUs, 7 * kUs, true, 0);  // A = 0.25 x 7 x (1 + ... 0.75^3) = 4.8 us: no cut
    expect_equal(bench.window(), 225'614.4);
    bench.sack(22 * kUs + 1, 4 * kUs, true, 0);
    expect_equal(bench.window(), 226'228.8);
}

// [CC-32] The initial base RTT, also when the base has become 3 us.
TEST(Nscc, AdjustmentsKeepTheInitialBase)
{
    NsccBench bench;
    bench.nscc().on_probe_rtt(2 * kUs);
    bench.set_window(100'000);
    bench.sack_rtt(kUs, 5 * kUs);  // 16,384 / 6 x 4,156 x 3 = 34,045,952
    bench.sack_rtt(4 * kUs, 5 * kUs, true, 0);
    EXPECT_EQ(bench.window(), 100'000);
    bench.sack_rtt(5 * kUs, 5 * kUs, true, 8 * kFull);
    expect_equal(bench.window(), 100'340.45952);
    bench.sack_rtt(6 * kUs + 1, 5 * kUs, true, 0);
    expect_equal(bench.window(), 100'340.45952 + 614.4);
}

// [CC-32] By bytes before the time is over: no eta, and both counters start again.
TEST(Nscc, AdjustmentByBytes)
{
    NsccBench bench;
    bench.set_window(225'000);
    bench.sack(kSpacing, 7 * kUs, false, 9 * kFull);
    expect_equal(bench.window(), 225'000 + 9 * 85'114'880.0 / 225'000);
    const double window = bench.window();
    bench.sack(2 * kSpacing, 7 * kUs, false, 8 * kFull);
    EXPECT_EQ(bench.window(), window);
    bench.sack(3 * kSpacing, 7 * kUs, false, 1);
    expect_equal(bench.window(), window + (8 * 85'114'880.0 + 20'480) / window);
}

// [CC-32] [CC-31] [CC-W14] The average converges to 8 us: 0.8 each time.
TEST(Nscc, MarkedSacks)
{
    NsccBench bench;
    std::map<Picoseconds, double> changes;
    double before = bench.window();
    for (Picoseconds i = 1; i <= 150; ++i) {
        bench.sack(i * kSpacing, 8 * kUs, true);
        if (bench.window() != before) {
            changes[i] = before = bench.window();
        }
    }
    const std::map<Picoseconds, double> expected{
        {5, 444'007.682}, {72, 444'622.082}, {77, 355'697.666}, {144, 356'312.066}, {149, 285'049.653}};
    ASSERT_EQ(changes.size(), expected.size());
    for (const auto& [i, window] : expected) {
        ASSERT_EQ(changes.count(i), 1U) << i;
        expect_printed(changes[i], window);
    }
    expect_equal(changes[5], kMax * (1 - 0.8 * 0.1015625 / 6.1015625));
}

// [CC-26] [CC-W13] 200,000 - 4,156 x 63 / 127, with a sample and without.
TEST(Nscc, PenaltyCutsTheWindow)
{
    NsccBench without;
    without.penalty(kSpacing, 63, 200'000);
    expect_printed(without.window(), 197'938.362);
    expect_equal(without.window(), 200'000 - 4'156.0 * 63 / 127);
    NsccBench with;
    with.penalty(kSpacing, 63, 200'000, false, 0);
    expect_equal(with.window(), 200'000 - 4'156.0 * 63 / 127);
    // A window below the flight counts from itself.
    NsccBench small;
    small.set_window(100'000);
    small.penalty(kSpacing, 127, 200'000);
    EXPECT_EQ(small.window(), 100'000 - 4'156.0);
    // One full packet at least.
    NsccBench least;
    least.penalty(kSpacing, 127, 5'000);
    EXPECT_EQ(least.window(), kFull);
}

// [CC-26] No increase of any kind from such a SACK; a decrease there is.
TEST(Nscc, NothingIncreasesUnderAPenalty)
{
    NsccBench bench;
    bench.penalty(7 * kUs, 1, 200'000, false, 2 * kUs);
    expect_equal(bench.window(), 200'000 - 4'156.0 / 127);  // eta would have been due
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
    bench.penalty(8 * kUs, 1, 200'000, false, 7 * kUs);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);

    NsccBench fast;
    fast.engage_fast();
    const double window = fast.window();
    fast.penalty(59 * kSpacing, 1, 1'000'000, false, 0);
    expect_equal(fast.window(), window - 4'156.0 / 127);
    EXPECT_TRUE(fast.nscc().is_fast());

    NsccBench marked;
    Nscc::Sack sack;
    sack.now = kSpacing;
    sack.newly_retired = kFull;
    sack.in_flight = 127'000;
    sack.rtt = kBase + 32 * kUs;
    sack.marked = true;
    sack.penalty = 127;
    marked.nscc().on_sack(sack);
    expect_equal(marked.window(), 0.8 * (127'000 - 4'156));
}

// [CC-26] Saved at the first penalty, restored once, when it is 0 and the flag says so.
TEST(Nscc, WindowIsRestored)
{
    NsccBench bench;
    bench.set_window(300'000);
    bench.penalty(1, 127, 200'000);
    bench.penalty(2, 127, 100'000, true);  // still a penalty
    EXPECT_EQ(bench.window(), 95'844);
    bench.penalty(3, 0, 100'000, false);
    EXPECT_EQ(bench.window(), 95'844);
    bench.penalty(4, 0, 100'000, true);
    EXPECT_EQ(bench.window(), 300'000);
    bench.set_window(50'000);
    bench.penalty(5, 0, 50'000, true);
    EXPECT_EQ(bench.window(), 50'000);
}

// [CC-26] [CC-17] Not above a maximum that has become lower meanwhile.
TEST(Nscc, RestoredWindowIsBounded)
{
    NsccBench bench;
    bench.penalty(1, 127, 100'000);
    bench.nscc().on_probe_rtt(2 * kUs);
    bench.penalty(2, 0, 100'000, true);
    EXPECT_EQ(bench.window(), 225'000);
}

// [CC-27] Without a sample neither average nor window moves, but the bytes count: the next adjusts.
TEST(Nscc, NoSampleOnlyCounts)
{
    NsccBench bench;
    bench.set_window(225'000);
    bench.sack_without_sample(7 * kUs, 8 * kFull);
    EXPECT_EQ(bench.window(), 225'000);
    EXPECT_EQ(bench.nscc().average_delay(), 0);
    EXPECT_EQ(bench.nscc().gathered_increase(), 0);
    NsccBench early;
    early.set_window(225'000);
    early.sack_without_sample(1, 8 * kFull);
    early.sack(2, 7 * kUs, false, 1);
    expect_equal(early.window(), 225'000 + 20'480.0 / 225'000);
}

}  // namespace
}  // namespace mrcnic::transport
