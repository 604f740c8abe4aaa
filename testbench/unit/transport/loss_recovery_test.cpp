#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

// Losses that SACKs show, and what congestion control and paths hear of losses.

namespace mrcnic::transport {
namespace {

using packet::NackReason;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;
constexpr Psn kNone = 0xFFFFFF;  // cumulative PSN before anything has arrived

/// A queue pair whose packets are on the wire, the n-th with transmission number and PSN n.
struct LossBench : TransportBench {
    QpNumber qp;

    explicit LossBench(std::uint64_t packets, const config::NicConfig& configuration = without_nscc(),
                       bool one_path = true)
        : TransportBench{configuration, one_path}, qp{open_sender()}
    {
        post(1, qp, packets * 4096);
        run_to(kPass);
        (void)send_all();
    }
    [[nodiscard]] std::uint64_t gap_losses() const { return sender().counters().gap_losses; }
    [[nodiscard]] double window() const { return sender().queue_pair(qp)->destination().window().window(); }
};

// [TR-W5] [TR-75] [TR-78] 0..11 sent once, 5 and 8 lost: 5 is repeated at the SACK of 9, 8 at that of 11, once each.
TEST(LossRecovery, WorkedExample)
{
    LossBench bench{12};
    for (Psn psn = 0; psn < 5; ++psn) {
        bench.deliver(bench.sack(bench.qp, psn, 0));
    }
    bench.deliver(bench.sack(bench.qp, 4, 2, 0b10));
    bench.deliver(bench.sack(bench.qp, 4, 3, 0b110));
    EXPECT_EQ(bench.gap_losses(), 0U);
    bench.deliver(bench.sack(bench.qp, 4, 5, 0b10110));
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(5, 5));
    bench.deliver(bench.sack(bench.qp, 4, 6, 0b110110));
    EXPECT_EQ(bench.gap_losses(), 1U);
    bench.deliver(bench.sack(bench.qp, 4, 7, 0x76));
    const std::vector<FrameRef> frames = bench.egress.all_data();
    EXPECT_EQ(psns_of(frames), range(8, 8));
    EXPECT_TRUE(frames[0]->bth.retransmission);
    EXPECT_EQ(frames[0]->transmission, 13U);
    bench.deliver(bench.sack(bench.qp, 4, 7, 0x76));  // again: nothing new
    EXPECT_EQ(bench.gap_losses(), 2U);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
}

// [TR-75] A repetition is a transmission like others: lost, it is found by those after it.
TEST(LossRecovery, LostRepetition)
{
    LossBench bench{8};
    bench.deliver(bench.sack(bench.qp, kNone, 4, 0b1000));     // 3 came: H = 3
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));  // 8 is its new number
    bench.deliver(bench.sack(bench.qp, kNone, 8, 0b11111110));
    EXPECT_EQ(bench.gap_losses(), 1U);
    bench.post(2, bench.qp, 3 * 4096);
    bench.run_to(3 * kPass);
    (void)bench.send_all();  // 9, 10, 11
    bench.deliver(bench.sack(bench.qp, kNone, 10, 0b1111111110));
    EXPECT_EQ(bench.gap_losses(), 1U);
    bench.deliver(bench.sack(bench.qp, kNone, 11, 0b11111111110));
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));
    EXPECT_EQ(bench.gap_losses(), 2U);
}

/// Gap losses when 0, trimmed once and repeated as transmission 6, is acknowledged.
std::uint64_t losses_by_echo(bool echo)
{
    LossBench bench{6};
    bench.deliver(bench.nack(bench.qp, 0, NackReason::trimmed));
    (void)bench.egress.all_data();
    bench.deliver(bench.sack(bench.qp, 0, 0, 0, echo));
    return bench.gap_losses();
}
// [TR-75] The echo tells which of two transmissions came: the second, 6, moves H beyond 1, 2 and 3.
TEST(LossRecovery, EchoOfARepetitionMovesH)
{
    EXPECT_EQ(losses_by_echo(true), 3U);
}
// [TR-75] The first, 0, shows nothing.
TEST(LossRecovery, EchoOfAFirstTransmissionDoesNot)
{
    EXPECT_EQ(losses_by_echo(false), 0U);
}

// [TR-75] Without an echo of its own, in the bitmap or below cack, a packet sent twice does not move H.
TEST(LossRecovery, DoubtDoesNotMoveH)
{
    LossBench bench{6};
    bench.deliver(bench.nack(bench.qp, 0, NackReason::trimmed));
    (void)bench.egress.all_data();
    bench.deliver(bench.sack(bench.qp, 1, 0, 0, false));  // of 1; 0 is retired with it
    EXPECT_EQ(bench.gap_losses(), 0U);
}

// [TR-78] [TR-74] Lost by a gap: out of flight, its timer stopped; it waits for room as a repetition.
TEST(LossRecovery, GapStopsTheTimer)
{
    LossBench bench{4};
    bench.egress.data_room = 0;
    bench.deliver(bench.sack(bench.qp, kNone, 4, 0b1110));
    EXPECT_EQ(bench.sender().queue_pair(bench.qp)->destination().window().in_flight(), 0U);
    bench.run_to(1'000 * kUs);
    EXPECT_EQ(bench.sender().counters().rto_fired, 0U);
    EXPECT_EQ(bench.gap_losses(), 1U);
}

// [TR-73] [TR-88] A packet declared lost is outstanding: acknowledged before its turn it is not repeated.
TEST(LossRecovery, AcknowledgedAfterItsGap)
{
    LossBench bench{4};
    bench.egress.data_room = 0;
    bench.deliver(bench.sack(bench.qp, kNone, 4, 0b1110));
    const std::uint64_t samples = bench.sender().rtt().count;
    bench.deliver(bench.sack(bench.qp, 3, -3));  // of 0, late
    EXPECT_EQ(bench.sender().rtt().count, samples + 1);
    bench.egress.data_room = 100'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    EXPECT_EQ(bench.completions.lines.back(), "wqe 1 at 15000");
}

// [TR-76] Threshold 0: no detection, the timer does it.
TEST(LossRecovery, ThresholdZero)
{
    config::NicConfig config = without_nscc();
    config.transport.sack_gap_threshold = 0;
    LossBench bench{12, config};
    bench.deliver(bench.sack(bench.qp, kNone, 12, 0xFFE));
    EXPECT_EQ(bench.gap_losses(), 0U);
    bench.run_to(kPass + 150 * kUs);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));
}

/// First H at which packet 0 counts as lost, with a window of 10 packets that does not move.
Psn first_loss(config::SackGapMode mode, bool one_path)
{
    config::NicConfig config = without_nscc();
    config.congestion_control.override_max_congestion_window = true;
    config.congestion_control.max_congestion_window = 10;
    config.transport.sack_gap_mode = mode;
    LossBench bench{40, config, one_path};
    for (Psn psn = 1; psn < 40; ++psn) {
        bench.deliver(bench.sack(bench.qp, kNone, static_cast<std::int16_t>(psn + 1)));
        if (bench.gap_losses() > 0) {
            return psn;
        }
        (void)bench.send_all();
    }
    return kNone;
}
// [TR-77] Fixed: the threshold, 3, whatever the window.
TEST(LossRecovery, FixedMode)
{
    EXPECT_EQ(first_loss(config::SackGapMode::fixed, false), 3U);
}
// [TR-77] Window: floor(window / full packet) = 10.
TEST(LossRecovery, WindowMode)
{
    EXPECT_EQ(first_loss(config::SackGapMode::window, true), 10U);
}
// [TR-77] Auto: Fixed where the fabric has a single path.
TEST(LossRecovery, AutoOnASinglePath)
{
    EXPECT_EQ(first_loss(config::SackGapMode::automatic, true), 3U);
}
// [TR-77] Auto: Window otherwise.
TEST(LossRecovery, AutoOnSeveralPaths)
{
    EXPECT_EQ(first_loss(config::SackGapMode::automatic, false), 10U);
}

// ------------------------------------------------------------------------------- congestion control of losses

// [CC-42] [TR-73] Several losses of one SACK: the window, at its maximum of 450,000, is cut once, by 4,156.
TEST(LossRecovery, GapCutsTheWindowOnce)
{
    LossBench bench{6, {}};
    bench.run_to(kPass + 6 * kUs);
    bench.deliver(bench.sack(bench.qp, kNone, 6, 0b100000));  // 0, 1 and 2 are lost
    EXPECT_EQ(bench.gap_losses(), 3U);
    EXPECT_DOUBLE_EQ(bench.window(), 445'844.0);
}

// [CC-W12] [CC-40] [TR-81] A trim NACK with a sample of 6 us: A = 1.5 us, window 445,844.
TEST(LossRecovery, TrimCutsTheWindow)
{
    LossBench bench{6, {}};
    bench.run_to(kPass + 6 * kUs);
    bench.deliver(bench.nack(bench.qp, 0, NackReason::trimmed));
    EXPECT_DOUBLE_EQ(bench.window(), 445'844.0);
    const auto& control = bench.sender().queue_pair(bench.qp)->destination().window().control();
    EXPECT_DOUBLE_EQ(control.average_delay(), 1'500'000.0);
    bench.deliver(bench.nack(bench.qp, 0, NackReason::trimmed));  // of what is repeated by now: ignored
    EXPECT_DOUBLE_EQ(bench.window(), 445'844.0);
}

// [CC-41] [TR-87] Each expiry takes its packet off the window.
TEST(LossRecovery, TimeoutCutsTheWindow)
{
    LossBench bench{2, {}};
    bench.run_to(kPass + 150 * kUs);
    EXPECT_DOUBLE_EQ(bench.window(), 450'000.0 - 2 * 4'156.0);
}

// [TR-82] NACK 0B: no reaction of the window.
TEST(LossRecovery, WindowNackCutsNothing)
{
    LossBench bench{2, {}};
    bench.deliver(bench.nack(bench.qp, 1, NackReason::psn_oor_window));
    EXPECT_DOUBLE_EQ(bench.window(), 450'000.0);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(1, 1));
}

// [CC-26] A penalty of 63 with 8,312 bytes in flight and 4,156 retired: 8,312 - 4,156 x 63 / 127; the restore flag
// gives the window back.
TEST(LossRecovery, ReceiverPenalty)
{
    LossBench bench{3, {}};
    FrameRef sack = bench.sack(bench.qp, 0, 0, 0, true);  // in doubt: no sample
    sack->cc_state.receiver_penalty = 63;
    bench.deliver(sack);
    EXPECT_DOUBLE_EQ(bench.window(), 8'312.0 - 4'156.0 * 63 / 127);
    sack = bench.sack(bench.qp, 1, 0, 0, true);
    sack->cc_state.restore_window = true;
    bench.deliver(sack);
    EXPECT_DOUBLE_EQ(bench.window(), 450'000.0);
}

// [CC-2] PassThrough: 300 packets go, more than any window has.
TEST(LossRecovery, PassThrough)
{
    config::NicConfig config;
    config.congestion_control.pass_through = true;
    TransportBench bench{config};
    bench.egress.data_room = 10'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 300 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 300U);
}

// [CC-15] [CC-20] The first sample of 201.88 ns narrows the window to 90,141 bytes: 21 packets may be in flight.
TEST(LossRecovery, FirstSampleNarrowsTheWindow)
{
    LossBench bench{40, {}};
    bench.run_to(kPass + 201'880);
    bench.deliver(bench.sack(bench.qp, 0, 0));
    EXPECT_DOUBLE_EQ(bench.window(), 90'141.0);
    bench.deliver(bench.ack(bench.qp, 18));  // 39 - 18 = 21 left
    bench.post(2, bench.qp, 4096);
    bench.run_to(kPass + 220'000);
    EXPECT_TRUE(bench.dma.fetching.empty());
    bench.deliver(bench.ack(bench.qp, 19));
    EXPECT_EQ(bench.dma.psns(), range(40, 40));
}

// ------------------------------------------------------------------------------------------ paths hear of losses

/// Entropy values of the next `count` packets.
std::vector<int> next_values(LossBench& bench, std::uint64_t count)
{
    bench.post(9, bench.qp, count * 4096);
    bench.run_to(bench.agenda.now() + kPass);
    std::vector<int> values;
    for (const FrameRef& frame : bench.send_all()) {
        values.push_back(frame->network.udp_source);
    }
    return values;
}
config::NicConfig four_values()
{
    config::NicConfig config = without_nscc();
    config.paths.entropy_mask_bits = 2;
    return config;
}

// [MP-20] SACK with M = 1: its value is passed once.
TEST(LossRecovery, MarkedValueIsSkipped)
{
    LossBench bench{4, four_values()};
    FrameRef sack = bench.sack(bench.qp, 1, 0);
    sack->seth.mark = 1;
    sack->seth.entropy = 257;
    bench.deliver(sack);
    EXPECT_EQ(next_values(bench, 5), (std::vector<int>{256, 258, 259, 256, 257}));
    EXPECT_EQ(bench.sender().counters().marked_sacks_received, 1U);
}

// [MP-20] A trim on the way: its value is passed once. One on the last hop says nothing of the path.
TEST(LossRecovery, TrimmedValueIsSkipped)
{
    LossBench bench{4, four_values()};
    bench.egress.data_room = 0;
    FrameRef nack = bench.nack(bench.qp, 1, NackReason::trimmed);
    nack->neth.entropy = 257;
    bench.deliver(nack);
    nack = bench.nack(bench.qp, 2, NackReason::trimmed_lasthop);
    nack->neth.entropy = 258;
    bench.deliver(nack);
    bench.egress.data_room = 100'000;
    bench.egress.wake(TrafficClass::data);  // 1 and 2 go again
    std::vector<int> values;
    for (const FrameRef& frame : bench.egress.all_data()) {
        values.push_back(frame->network.udp_source);
    }
    EXPECT_EQ(values, (std::vector<int>{256, 258}));
}

// [MP-20] A SACK gap counts as M = 1 for the value of the lost transmission: the repetition of 0, which had 256, passes
// it.
TEST(LossRecovery, LostValueIsSkipped)
{
    LossBench bench{4, four_values()};
    bench.deliver(bench.sack(bench.qp, kNone, 4, 0b1000));
    EXPECT_EQ(bench.egress.next_data()->network.udp_source, 257);
    EXPECT_EQ(next_values(bench, 3), (std::vector<int>{258, 259, 256}));
}

}  // namespace
}  // namespace mrcnic::transport
