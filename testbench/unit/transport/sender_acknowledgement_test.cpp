#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;
constexpr Psn kNone = 0xFFFFFF;  // cumulative PSN before anything has arrived

// [TR-73] [TR-74] [TR-91] cack, then p, then the bitmap; completions in posting order.
TEST(Sender, SackRetires)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    for (std::uint64_t id = 1; id <= 6; ++id) {
        bench.post(id, qp, 4096);
    }
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.completions.lines.clear();
    bench.run_to(100'000);
    bench.deliver(bench.sack(qp, 0, 5, 0b0100));  // 0; 5; 1 + 2 = 3
    EXPECT_EQ(bench.completions.take(), (Lines{"wqe 1 at 100000"}));
    const SendQueuePair* queue_pair = bench.sender().queue_pair(qp);
    ASSERT_NE(queue_pair, nullptr);
    for (const Psn psn : {0U, 3U, 5U}) {
        EXPECT_EQ(queue_pair->find(psn), nullptr) << psn;
    }
    for (const Psn psn : {1U, 2U, 4U}) {
        EXPECT_NE(queue_pair->find(psn), nullptr) << psn;
    }
    bench.deliver(bench.ack(qp, 1));
    EXPECT_EQ(bench.completions.take(), (Lines{"wqe 2 at 100000"}));
    bench.deliver(bench.sack(qp, 2, 0));
    EXPECT_EQ(bench.completions.take(), (Lines{"wqe 3 at 100000", "wqe 4 at 100000"}));
    bench.deliver(bench.sack(qp, 3, 1));
    EXPECT_EQ(bench.completions.take(), (Lines{"wqe 5 at 100000", "wqe 6 at 100000"}));
    bench.run_to(1000 * kUs);
    EXPECT_EQ(bench.sender().counters().rto_fired, 0U);  // [TR-74]
}

// [CC-13] [TR-71] Arrival - end of serialization - service time; cumulative ACKs give none.
TEST(Sender, RttSample)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 3 * 4096);
    bench.run_to(kPass);
    bench.dma.complete_all();
    bench.run_to(100'000);
    (void)bench.egress.next_data();
    bench.run_to(200'000);
    (void)bench.egress.next_data();
    bench.run_to(500'000);
    FrameRef sack = bench.sack(qp, 0, 1);
    sack->service_time = 18'800;
    bench.deliver(sack);  // p = 1, ended at 200 ns
    EXPECT_EQ(bench.sender().rtt().count, 1U);
    EXPECT_EQ(bench.sender().rtt().last, 500'000 - 200'000 - 18'800);
    bench.deliver(sack);  // not outstanding any more
    EXPECT_EQ(bench.sender().rtt().count, 1U);
    (void)bench.egress.next_data();
    bench.deliver(bench.ack(qp, 2));
    EXPECT_EQ(bench.sender().rtt().count, 1U);
}

// [CC-13] Sent once with echo 0, or twice with echo 1; anything else is in doubt.
TEST(Sender, RttSampleOfRepetitions)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    for (const Psn psn : {0U, 1U, 2U}) {
        bench.deliver(bench.nack(qp, psn, NackReason::psn_oor_window));  // gives no sample itself
    }
    bench.run_to(50'000);
    (void)bench.egress.all_data();
    bench.deliver(bench.nack(qp, 2, NackReason::psn_oor_window));
    bench.run_to(60'000);
    (void)bench.egress.all_data();
    bench.run_to(300'000);
    bench.deliver(bench.sack(qp, kNone, 1, 0, false));  // 0, sent twice, echo 0
    EXPECT_EQ(bench.sender().rtt().count, 0U);
    bench.deliver(bench.sack(qp, 0, 1, 0, true));  // 1, sent twice, echo 1
    EXPECT_EQ(bench.sender().rtt().count, 1U);
    EXPECT_EQ(bench.sender().rtt().last, 250'000);
    bench.deliver(bench.sack(qp, 1, 1, 0, true));  // 2, sent three times
    bench.deliver(bench.sack(qp, 2, 1, 0, true));  // 3, sent once, echo 1
    EXPECT_EQ(bench.sender().rtt().count, 1U);
}

// [CC-13] A trim NACK gives a sample by the same rule, service time 0.
TEST(Sender, RttSampleOfTrims)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.run_to(115'000);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    EXPECT_EQ(bench.sender().rtt().last, 100'000);
    bench.run_to(215'000);
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed_lasthop));
    EXPECT_EQ(bench.sender().rtt().last, 200'000);
    EXPECT_EQ(bench.sender().rtt().count, 2U);
    EXPECT_EQ(bench.sender().rtt().minimum, 100'000);
    EXPECT_EQ(bench.sender().rtt().maximum, 200'000);
    EXPECT_EQ(bench.sender().rtt().sum, 300'000U);
}

// [CC-14] WireTimestamp: ticks of 128 ns, modulo 2^16; any transmission, even of a packet that is retired.
TEST(Sender, RttSampleByTimestamp)
{
    config::NicConfig config;
    config.transport.rtt_timestamp_mode = config::RttTimestampMode::wire_timestamp;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.run_to(1'300'000);
    FrameRef sack = bench.sack(qp, 0, 0);
    sack->cc_state.reflected_timestamp = 3;
    sack->service_time = 5'000;
    bench.deliver(sack);
    EXPECT_EQ(bench.sender().rtt().last, 1'300'000 - 384'000 - 5'000);
    sack->cc_state.reflected_timestamp = 0xFFFF;  // one tick before the wrap: at -128 ns
    bench.deliver(sack);
    EXPECT_EQ(bench.sender().rtt().last, 1'300'000 + 128'000 - 5'000);
    EXPECT_EQ(bench.sender().rtt().count, 2U);
}

// [TR-81] Trimmed: outstanding, not queued already, echo of the latest transmission; else ignored, but a pass starts.
TEST(Sender, TrimNack)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 3 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed, true));  // was sent once
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed_lasthop));
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));  // of the first transmission, which is not the latest
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    bench.egress.data_room = 0;
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed, true));
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed, true));  // queued already
    bench.egress.data_room = 100'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));
    bench.deliver(bench.sack(qp, 0, 0));
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed, true));  // retired
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    EXPECT_EQ(bench.sender().counters().nacks_received, 6U);
}

// [TR-81] [TR-74] A trimmed packet leaves the flight and its timer stops: the timer runs from the repetition.
TEST(Sender, TrimStopsTheTimer)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.run_to(100 * kUs);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    (void)bench.egress.next_data();
    bench.run_to(250 * kUs - 1);
    EXPECT_EQ(bench.sender().counters().rto_fired, 0U);
    bench.run_to(250 * kUs);
    EXPECT_EQ(bench.sender().counters().rto_fired, 1U);
}

// [TR-31] Reasons that the model does not send are ignored, but for the pass.
TEST(Sender, OtherNackReasons)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    for (const NackReason reason : {NackReason::none, NackReason::no_bitmap, NackReason::no_pkt_buffer,
                                    NackReason::no_resource, NackReason::unexpected_event}) {
        bench.deliver(bench.nack(qp, 0, reason));
    }
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    EXPECT_EQ(bench.sender().rtt().count, 0U);
    EXPECT_EQ(bench.sender().counters().nacks_received, 5U);
}

// [TR-82] NACK 0B: neither the packet nor a new segment before p - (CACK + 1) < MPR; lower repetitions go on.
TEST(Sender, WindowNack)
{
    config::NicConfig config = without_window();
    config.transport.sack_gap_threshold = 0;
    TransportBench bench{config};
    bench.egress.data_room = 100'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 300 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    FrameRef sack = bench.sack(qp, 9, 0);
    sack->seth.mpr = 1;  // the receiver takes 10 .. 137
    bench.deliver(sack);
    bench.post(2, qp, 4096);
    bench.deliver(bench.nack(qp, 140, NackReason::psn_oor_window));
    bench.run_to(kPass + 20'000);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    EXPECT_TRUE(bench.dma.fetching.empty());
    bench.deliver(bench.nack(qp, 20, NackReason::trimmed));
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(20, 20));
    sack = bench.sack(qp, 11, 0);
    sack->seth.mpr = 1;  // 12 .. 139
    bench.deliver(sack);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    sack = bench.sack(qp, 12, 0);
    sack->seth.mpr = 1;
    bench.deliver(sack);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(140, 140));
    EXPECT_TRUE(bench.dma.fetching.empty());
}

// [TR-18] [TR-33] What a peer must not send: never a crash, counted, and a pass all the same.
TEST(Sender, BogusAcknowledgements)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    const QpNumber receiving = bench.open_receiver();
    bench.post(1, qp, 4 * 4096);
    bench.run_to(kPass);
    bench.dma.complete();
    (void)bench.egress.all_data();  // 0 is sent, 1..3 are being fetched
    bench.deliver(bench.sack(0, 0, 0));
    bench.deliver(bench.sack(receiving, 0, 0));
    bench.deliver(bench.ack(0xFFFFFF, 0));
    bench.deliver(bench.sack(qp, 4, 0));         // never sent
    bench.deliver(bench.sack(qp, 0x7FFFFF, 0));  // half around
    bench.deliver(bench.ack(qp, 4));
    bench.deliver(bench.nack(qp, 4, NackReason::trimmed));
    bench.deliver(bench.nack(qp, 2, NackReason::trimmed));  // not on the wire yet
    bench.deliver(bench.nack(0xFFFFFF, 0, NackReason::psn_oor_window));
    EXPECT_EQ(bench.sender().counters().invalid_received, 9U);
    bench.deliver(bench.sack(qp, kNone, 32'000, ~std::uint64_t{0} << 10U));  // p and bitmap beyond what exists
    FrameRef odd = bench.sack(qp, kNone, -32'768, ~std::uint64_t{0});
    odd->seth.sack_offset = -32'768;
    odd->seth.mpr = 0;
    bench.deliver(odd);
    EXPECT_EQ(bench.sender().queue_pair(qp)->oldest(), 0U);
    EXPECT_EQ(bench.sender().queue_pair(qp)->window(), 4096U);
    bench.deliver(bench.sack(qp, 3, 0));  // a lie: three of them are not sent yet
    bench.dma.complete_all();
    EXPECT_EQ(bench.egress.all_data().size(), 3U);
    bench.run_to(1000 * kUs);
    EXPECT_EQ(bench.completions.lines.back(), "wqe 1 at 15000");
}

// E10: two QPs, and a resume after a refusal goes by its queue, whatever index a frame carries.
TEST(Sender, CaseE10)
{
    TransportBench bench;
    bench.egress.data_room = 0;
    const QpNumber first = bench.open_sender();
    const QpNumber second = bench.open_sender();
    bench.post(1, first, 4096);
    bench.post(2, second, 4096);
    bench.run_to(kPass);
    FrameRef sack = bench.sack(7, 0, 0);
    sack->network.dscp = 7;
    bench.deliver(sack);
    EXPECT_EQ(bench.sender().counters().invalid_received, 1U);
    bench.egress.data_room = 100'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(bench.dma.fetching.size(), 2U);
}

}  // namespace
}  // namespace mrcnic::transport
