#include <gtest/gtest.h>

#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;
constexpr Psn kNone = 0xFFFFFF;  // cumulative PSN before anything has arrived

/// Two entropy values, 256 and 257; the timer of a packet with 256 has expired, at `expiry`, and its repetition, with
/// 257, is on the wire.
struct ProbeBench : TransportBench {
    static constexpr Picoseconds kExpiry = kPass + 150 * kUs;
    static constexpr Picoseconds kInterval = 100 * kUs;
    QpNumber qp;

    explicit ProbeBench(const config::NicConfig& configuration = two_values())
        : TransportBench{configuration}, qp{open_sender()}
    {
        post(1, qp, 4096);
        run_to(kPass);
        (void)send_all();
        run_to(kExpiry);
        EXPECT_EQ(egress.next_data()->network.udp_source, 257);
    }
    [[nodiscard]] static config::NicConfig two_values()
    {
        config::NicConfig config = without_nscc();
        config.paths.entropy_mask_bits = 1;
        config.transport.fixed_rexmit_time_enable = true;
        config.transport.fixed_rexmit_timeout = 150 * kUs;
        return config;
    }
    /// A SACK that answers a probe.
    [[nodiscard]] FrameRef answer(std::int16_t id, std::uint8_t mark, Psn cack = kNone)
    {
        FrameRef frame = sack(qp, cack, id);
        frame->bth.psn = static_cast<Psn>(id);
        frame->seth.probe_response = true;
        frame->seth.mark = mark;
        return frame;
    }
    /// Entropy values of the next four packets, the packet under repair acknowledged.
    [[nodiscard]] std::vector<int> next_values()
    {
        deliver(ack(qp, 0));
        post(9, qp, 4 * 4096);
        run_to(agenda.now() + kPass);
        std::vector<int> values;
        for (const FrameRef& frame : send_all()) {
            values.push_back(frame->network.udp_source);
        }
        return values;
    }
};

// [MP-21] [MP-22] One interval after a timeout a probe with the value that has become bad; [MP-23] its fields.
TEST(Prober, ProbesABadValue)
{
    ProbeBench bench;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval - 1);
    EXPECT_EQ(bench.egress.probes_queued(), 0U);
    EXPECT_TRUE(bench.agenda.is_quiet());  // [WL-5] it only watches
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    ASSERT_EQ(bench.egress.probes_queued(), 1U);
    EXPECT_EQ(bench.sender().counters().probes_sent, 1U);
    EXPECT_EQ(bench.egress.data_room, 230'400U - 74U);
    const FrameRef probe = bench.egress.next_probe();
    EXPECT_EQ(probe->kind, FrameKind::probe);
    EXPECT_EQ(probe->traffic_class, TrafficClass::data);
    EXPECT_EQ(probe->wire_bytes, 74U);  // [TR-25]
    EXPECT_EQ(probe->bth.opcode, packet::Opcode::probe);
    EXPECT_EQ(probe->bth.destination_qp, 1000 + bench.qp);
    EXPECT_EQ(probe->bth.psn, 0U);  // [TR-34] its id
    EXPECT_EQ(probe->peth.probe_id, 0U);
    EXPECT_EQ(probe->network.udp_source, 256);
    EXPECT_EQ(probe->network.dscp, 0);  // [TR-35] NO_TRIM
    EXPECT_EQ(probe->network.ecn, packet::Ecn::ect1);
    EXPECT_EQ(probe->network.source, TransportBench::kOwn);
    EXPECT_EQ(probe->network.destination, TransportBench::kPeer);
}

// [MP-22] No answer: the value stays bad and is probed again, with another id.
TEST(Prober, WithoutAnAnswerAgainAndAgain)
{
    ProbeBench bench;
    bench.deliver(bench.ack(bench.qp, 0));
    for (Psn id = 0; id < 3; ++id) {
        bench.run_to(ProbeBench::kExpiry + (id + 1) * ProbeBench::kInterval);
        ASSERT_EQ(bench.egress.probes_queued(), 1U);
        EXPECT_EQ(bench.egress.next_probe()->bth.psn, id);
    }
    EXPECT_EQ(bench.next_values(), (std::vector<int>{257, 257, 257, 257}));
}

// [MP-21] A packet that has been lost six times running is not lost for the sake of its path: the values of the first
// six expiries are probed, that of the seventh is not.
TEST(Prober, TheSeventhExpiryBlamesNoPath)
{
    config::NicConfig config = ProbeBench::two_values();
    config.paths.entropy_mask_bits = 3;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    for (int expiry = 1; expiry <= 7; ++expiry) {
        bench.run_to(kPass + expiry * 150 * kUs);
        (void)bench.egress.next_data();
    }
    PathSelector& paths = bench.sender().queue_pair(qp)->destination().paths();
    for (std::uint32_t value = 256; value < 262; ++value) {
        EXPECT_TRUE(paths.is_bad(value)) << value;
    }
    EXPECT_FALSE(paths.is_bad(262));
    EXPECT_EQ(bench.sender().counters().rto_fired, 7U);
}

// [MP-22] Answered without a mark: GOOD, and no further probe.
TEST(Prober, AnswerMakesGood)
{
    ProbeBench bench;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    (void)bench.egress.next_probe();
    bench.deliver(bench.answer(0, 0));
    EXPECT_EQ(bench.sender().counters().probe_acks_received, 1U);
    EXPECT_EQ(bench.next_values(), (std::vector<int>{256, 257, 256, 257}));
    bench.deliver(bench.ack(bench.qp, 4));
    bench.run_to(ProbeBench::kExpiry + 5 * ProbeBench::kInterval);
    EXPECT_EQ(bench.egress.probes_queued(), 0U);
}

// [MP-22] Answered with a mark: SKIP, passed once.
TEST(Prober, MarkedAnswerMakesSkip)
{
    ProbeBench bench;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    (void)bench.egress.next_probe();
    bench.deliver(bench.answer(0, 1));
    EXPECT_EQ(bench.next_values(), (std::vector<int>{257, 256, 257, 256}));
}

// [MP-23] Answers that nobody waits for: an id that was not sent, one before its frame was, the same twice.
TEST(Prober, AnswersThatDoNotCount)
{
    ProbeBench bench;
    bench.deliver(bench.answer(0, 0));
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    bench.deliver(bench.answer(0, 0));  // it is still queued
    bench.deliver(bench.answer(-1, 0));
    (void)bench.egress.next_probe();
    EXPECT_EQ(bench.next_values(), (std::vector<int>{257, 257, 257, 257}));
    bench.deliver(bench.answer(0, 0));
    bench.deliver(bench.answer(0, 0));
    EXPECT_EQ(bench.sender().counters().probe_acks_received, 5U);
    EXPECT_EQ(bench.sender().counters().invalid_received, 0U);
}

// [MP-23] A probe's SACK retires and moves H like any other; the PSN that would have drawn it does not exist.
TEST(Prober, AnswerAcknowledges)
{
    ProbeBench bench;
    bench.post(2, bench.qp, 5 * 4096);
    bench.run_to(ProbeBench::kExpiry + kPass);
    (void)bench.send_all();  // 1..5
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    (void)bench.egress.next_probe();
    FrameRef answer = bench.answer(0, 0, 0);
    answer->seth.bitmap = 0b11000;  // 4 and 5: transmissions 5 and 6
    bench.deliver(answer);
    EXPECT_EQ(bench.completions.lines.back().substr(0, 5), "wqe 1");
    EXPECT_EQ(bench.sender().counters().gap_losses, 2U);  // 1 and 2, transmissions 2 and 3: 6 - 3 = 3
    EXPECT_EQ(bench.sender().rtt().count, 0U);
}

// [MP-20] [MP-22] The receiver may say that a value is bad: M = 2.
TEST(Prober, ReceiverSaysBad)
{
    TransportBench bench{ProbeBench::two_values()};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    FrameRef sack = bench.sack(qp, 1, 0);
    sack->seth.mark = 2;
    sack->seth.entropy = 257;
    bench.deliver(sack);
    bench.deliver(sack);
    bench.run_to(kPass + 100 * kUs);
    ASSERT_EQ(bench.egress.probes_queued(), 1U);
    EXPECT_EQ(bench.egress.next_probe()->network.udp_source, 257);
}

// [MP-23] No room: not built, tried at the next interval. It neither stops the data nor waits for a WAKE.
TEST(Prober, NoRoom)
{
    ProbeBench bench;
    bench.deliver(bench.ack(bench.qp, 0));
    bench.egress.data_room = 73;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    EXPECT_EQ(bench.egress.probes_queued(), 0U);
    EXPECT_EQ(bench.sender().counters().probes_sent, 0U);
    EXPECT_EQ(bench.sender().counters().stalls, 0U);
    bench.egress.data_room = 74;
    bench.run_to(ProbeBench::kExpiry + 2 * ProbeBench::kInterval - 1);
    EXPECT_EQ(bench.egress.probes_queued(), 0U);
    bench.run_to(ProbeBench::kExpiry + 2 * ProbeBench::kInterval);
    EXPECT_EQ(bench.egress.probes_queued(), 1U);
}

// [MP-23] [TR-51] A probe takes what a stopped process leaves, and does not start it: the refusal stands.
TEST(Prober, BesideAStoppedProcess)
{
    ProbeBench bench;
    bench.egress.data_room = 100;
    bench.post(2, bench.qp, 4096);
    bench.run_to(ProbeBench::kExpiry + kPass);
    const std::uint32_t requests = bench.egress.requests;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    EXPECT_EQ(bench.egress.requests, requests + 1);  // the probe's
    EXPECT_EQ(bench.egress.probes_queued(), 1U);
    bench.egress.data_room = 10'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(bench.dma.fetching.size(), 1U);
}

// [WL-5] After the last message no new probe, whatever is bad.
TEST(Prober, Stops)
{
    ProbeBench bench;
    bench.deliver(bench.ack(bench.qp, 0));
    bench.transport.stop_probes();
    bench.run_to(ProbeBench::kExpiry + 5 * ProbeBench::kInterval);
    EXPECT_EQ(bench.sender().counters().probes_sent, 0U);
    EXPECT_FALSE(bench.agenda.has_entries());
}

// [MP-23] [TR-3] A destination that goes with its only queue pair is not probed any more.
TEST(Prober, DestinationGone)
{
    config::NicConfig config = ProbeBench::two_values();
    config.transport.destination_groups_enabled = false;
    ProbeBench bench{config};
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    const FrameRef probe = bench.egress.next_probe();
    bench.deliver(bench.ack(bench.qp, 0));
    bench.verbs().close(bench.qp);
    bench.run_to(ProbeBench::kExpiry + 3 * ProbeBench::kInterval);
    EXPECT_EQ(bench.sender().counters().probes_sent, 1U);
    const QpNumber other = bench.open_sender();
    FrameRef late = bench.answer(0, 0);
    late->bth.destination_qp = other;
    late->seth.cack_psn = kNone;
    bench.deliver(late);  // comes for a destination that is no more
    EXPECT_EQ(bench.sender().counters().probe_acks_received, 1U);
}

/// BaseRttProbeEnable, one message, its probe still queued ahead of the data.
struct BaseRttBench : TransportBench {
    QpNumber qp;

    BaseRttBench() : TransportBench{enabled()}, qp{open_sender()} {}
    [[nodiscard]] static config::NicConfig enabled()
    {
        config::NicConfig config;
        config.paths.base_rtt_probe_enable = true;
        return config;
    }
};

// [MP-24] A probe with each message; its RTT of 2 us moves the base RTT to 3 us, so the window to 225,000 bytes, and
// nothing else: no sample, no average delay.
TEST(Prober, BaseRttProbe)
{
    BaseRttBench bench;
    bench.post(1, bench.qp, 4096);
    ASSERT_EQ(bench.egress.probes_queued(), 1U);
    bench.run_to(1 * kUs);
    EXPECT_EQ(bench.egress.next_probe()->kind, FrameKind::probe);
    bench.run_to(3'005'000);
    FrameRef answer = bench.sack(bench.qp, kNone, 0);
    answer->seth.probe_response = true;
    answer->service_time = 5'000;
    bench.deliver(answer);
    const auto& window = bench.sender().queue_pair(bench.qp)->destination().window();
    EXPECT_DOUBLE_EQ(window.window(), 225'000.0);
    EXPECT_DOUBLE_EQ(window.control().average_delay(), 0.0);
    EXPECT_EQ(bench.sender().rtt().count, 0U);
    bench.post(2, bench.qp, 4096);
    EXPECT_EQ(bench.sender().counters().probes_sent, 2U);
}

// [MP-23] One that finds no room is tried at the next interval.
TEST(Prober, BaseRttProbeWithoutRoom)
{
    BaseRttBench bench;
    bench.egress.data_room = 0;
    bench.post(1, bench.qp, 4096);
    EXPECT_EQ(bench.sender().counters().probes_sent, 0U);
    bench.egress.data_room = 74;
    bench.run_to(100 * kUs);
    EXPECT_EQ(bench.egress.probes_queued(), 1U);
    bench.run_to(300 * kUs);
    EXPECT_EQ(bench.sender().counters().probes_sent, 1U);
}

// [MP-23] [EG-1] An answer that comes later: data wait for it, as one request of the class is open at a time.
TEST(Prober, LateGrant)
{
    ProbeBench bench;
    bench.egress.answers_late = true;
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    EXPECT_EQ(bench.egress.probes_queued(), 0U);
    const std::uint32_t requests = bench.egress.requests;
    bench.post(2, bench.qp, 4096);
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval + kPass);
    EXPECT_EQ(bench.egress.requests, requests);
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.egress.probes_queued(), 1U);
    EXPECT_EQ(bench.egress.requests, requests + 1);
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.dma.fetching.size(), 1U);
}

// [MP-23] A request of the data is open: no room for the probe, the next interval.
TEST(Prober, WhileDataAsk)
{
    ProbeBench bench;
    bench.egress.answers_late = true;
    bench.post(2, bench.qp, 4096);
    bench.run_to(ProbeBench::kExpiry + ProbeBench::kInterval);
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.sender().counters().probes_sent, 0U);
    bench.egress.answers_late = false;
    bench.run_to(ProbeBench::kExpiry + 2 * ProbeBench::kInterval);
    EXPECT_GE(bench.sender().counters().probes_sent, 1U);
}

}  // namespace
}  // namespace mrcnic::transport
