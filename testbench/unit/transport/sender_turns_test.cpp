#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;
using packet::Opcode;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;
constexpr Psn kNone = 0xFFFFFF;  // cumulative PSN before anything has arrived

// [TR-45] [TR-46] Destinations take turns of one packet.
TEST(Sender, DestinationsTakeTurns)
{
    TransportBench bench;
    const QpNumber a = bench.open_sender(TransportBench::kPeer);
    const QpNumber b = bench.open_sender(TransportBench::kThird);
    bench.post(1, a, 3 * 4096);
    bench.post(2, b, 2 * 4096);
    bench.run_to(kPass);
    std::string order;
    for (const FrameRef& frame : bench.send_all()) {
        order += frame->network.destination == TransportBench::kPeer ? 'a' : 'b';
    }
    EXPECT_EQ(order, "ababa");
}

/// Sending QPs of the fetches of one pass: QPs 1 and 2 to one NIC, 3 to another, 3 packets each.
std::vector<std::uint32_t> fetch_order(bool groups)
{
    config::NicConfig config;
    config.transport.destination_groups_enabled = groups;
    TransportBench bench{config};
    for (const auto destination : {TransportBench::kPeer, TransportBench::kPeer, TransportBench::kThird}) {
        const QpNumber qp = bench.open_sender(destination);
        bench.post(qp, qp, 3 * 4096);
    }
    bench.run_to(kPass);
    std::vector<std::uint32_t> order;
    for (const FrameRef& frame : bench.send_all()) {
        order.push_back(frame->sender_qp);
    }
    return order;
}

// [TR-45] [TR-47] Two QPs of a destination share its turn.
TEST(Sender, QueuePairsShareTheTurnOfTheirDestination)
{
    EXPECT_EQ(fetch_order(true), (std::vector<std::uint32_t>{1, 3, 2, 3, 1, 3, 2, 1, 2}));
}

// [TR-45] DestinationGroupsEnabled false: a destination each.
TEST(Sender, QueuePairsAsDestinations)
{
    EXPECT_EQ(fetch_order(false), (std::vector<std::uint32_t>{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

// [TR-45] [MP-4] QPs of a destination share window and paths; as destinations they have their own.
TEST(Sender, SharedWindowAndPaths)
{
    TransportBench bench;
    bench.egress.data_room = 10'000'000;
    const QpNumber first = bench.open_sender();
    const QpNumber second = bench.open_sender();
    bench.post(1, first, 100 * 4096);
    bench.post(2, second, 100 * 4096);
    bench.run_to(kPass);
    const std::vector<FrameRef> frames = bench.send_all();
    ASSERT_EQ(frames.size(), 108U);
    for (std::uint32_t i = 0; i < 108; ++i) {
        EXPECT_EQ(frames[i]->network.udp_source, 256 + i);
    }
}

// [TR-45] [MP-4]
TEST(Sender, OwnWindowsAndPaths)
{
    config::NicConfig config;
    config.transport.destination_groups_enabled = false;
    TransportBench bench{config};
    bench.egress.data_room = 10'000'000;
    const QpNumber first = bench.open_sender();
    const QpNumber second = bench.open_sender();
    bench.post(1, first, 200 * 4096);
    bench.post(2, second, 200 * 4096);
    bench.run_to(kPass);
    const std::vector<FrameRef> frames = bench.send_all();
    ASSERT_EQ(frames.size(), 216U);
    EXPECT_EQ(frames[0]->network.udp_source, 256);
    EXPECT_EQ(frames[1]->network.udp_source, 256);
    EXPECT_EQ(frames[2]->network.udp_source, 257);
}

// [TR-51] [EG-3] A refusal ends the pass with the destination at the head; nothing smaller is tried.
TEST(Sender, RefusalEndsThePass)
{
    TransportBench bench;
    bench.egress.data_room = 4174 + 1000;
    const QpNumber a = bench.open_sender(TransportBench::kPeer);
    const QpNumber small = bench.open_sender(TransportBench::kPeer);
    const QpNumber b = bench.open_sender(TransportBench::kThird);
    bench.post(1, a, 2 * 4096);
    bench.run_to(kPass);  // PSN 0 goes, PSN 1 is refused
    bench.post(2, small, 10);
    bench.post(3, b, 10);
    bench.run_to(10 * kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    EXPECT_EQ(bench.egress.requests, 2U);  // [TR-5] stopped by the pool: postings start nothing
    EXPECT_EQ(bench.sender().counters().stalls, 1U);
    bench.egress.data_room = 10'000;
    bench.egress.wake(TrafficClass::data);
    std::vector<std::uint32_t> order;
    for (const FrameRef& frame : bench.send_all()) {
        order.push_back(frame->sender_qp);
    }
    // [TR-47] The ring of the head starts behind the QP that sent last; the tail is b.
    EXPECT_EQ(order, (std::vector<std::uint32_t>{a, small, b, a}));
    EXPECT_EQ(bench.sender().counters().stalls, 1U);
}

// [TR-55] [EG-1] Room before the fetch: 55 packets of 4,174 bytes in 230,400, the 56th is refused.
TEST(Sender, ReservesBeforeItFetches)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 100 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 55U);
    EXPECT_EQ(bench.egress.requests, 56U);
    EXPECT_EQ(bench.egress.data_room, 830U);
}

// [EG-4] [TR-52] Stopped by the pool: an ACK, a SACK, a NACK start a pass at once, for unknown QPs too.
TEST(Sender, AcknowledgementsStartAStoppedProcess)
{
    TransportBench bench;
    bench.egress.data_room = 0;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.egress.requests, 1U);
    bench.run_to(20'000);
    bench.deliver(bench.ack(99, 0));
    EXPECT_EQ(bench.egress.requests, 2U);
    EXPECT_EQ(bench.egress.kicks, 1U);
    bench.egress.data_room = 4174;
    bench.deliver(bench.sack(99, 0, 0));
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.egress.data_room = 4174;
    bench.deliver(bench.nack(99, 0, NackReason::trimmed));
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
    EXPECT_EQ(bench.egress.kicks, 3U);
    EXPECT_EQ(bench.sender().counters().stalls, 1U);  // stopped all the time
}

// [TR-50] An acknowledgement puts its destination, if not queued, at the head; [TR-49] it had left for its window.
TEST(Sender, AcknowledgedDestinationGoesToTheHead)
{
    config::NicConfig config;
    config.congestion_control.override_max_congestion_window = true;
    config.congestion_control.max_congestion_window = 1;
    TransportBench bench{config};
    const QpNumber a = bench.open_sender(TransportBench::kPeer);
    const QpNumber b = bench.open_sender(TransportBench::kThird);
    bench.post(1, a, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.data_room = 0;
    bench.post(2, b, 4096);
    bench.run_to(2 * kPass);  // b is at the head, refused
    bench.deliver(bench.sack(a, 0, 0));
    bench.egress.data_room = 4174;
    bench.egress.wake(TrafficClass::data);
    ASSERT_EQ(bench.dma.fetching.size(), 1U);
    EXPECT_EQ(bench.dma.fetching.front()->sender_qp, a);
}

// [TR-50] A destination that is queued keeps its place.
TEST(Sender, QueuedDestinationKeepsItsPlace)
{
    TransportBench bench;
    const QpNumber a = bench.open_sender(TransportBench::kPeer);
    const QpNumber b = bench.open_sender(TransportBench::kThird);
    bench.egress.data_room = 4174;
    bench.post(1, a, 2 * 4096);
    bench.post(2, b, 2 * 4096);
    bench.run_to(kPass);  // a sends and goes behind b, which is refused
    bench.dma.complete_all();
    (void)bench.egress.next_data();
    bench.egress.data_room = 4174;
    bench.deliver(bench.sack(a, 0, 0));
    ASSERT_EQ(bench.dma.fetching.size(), 1U);
    EXPECT_EQ(bench.dma.fetching.front()->sender_qp, b);
}

// [TR-53] Turns take TurnTime: one packet each 10 ns.
TEST(Sender, TurnTime)
{
    config::NicConfig config;
    config.transport.turn_time = 10'000;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 3 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.run_to(20'000);
    bench.deliver(bench.ack(qp, kNone));  // a pass is under way
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.run_to(24'999);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.run_to(25'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
    bench.run_to(35'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 2));
    bench.post(2, qp, 4096);
    bench.run_to(40'000);
    bench.deliver(bench.ack(qp, kNone));  // the last turn is not over
    EXPECT_EQ(bench.dma.psns(), range(0, 2));
    bench.run_to(45'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 3));
}

// [TR-53] [EG-4] A turn that goes by after a refusal: an acknowledgement meanwhile is no reason to kick.
TEST(Sender, TurnTimeAfterARefusal)
{
    config::NicConfig config;
    config.transport.turn_time = 10'000;
    TransportBench bench{config};
    bench.egress.data_room = 0;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 3 * 4096);
    bench.run_to(kPass);
    bench.run_to(20'000);
    bench.egress.data_room = 20'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.deliver(bench.ack(qp, kNone));
    EXPECT_EQ(bench.egress.kicks, 0U);
    bench.run_to(40'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 2));
}

// [TR-56] [TR-57] [MP-2] Room, then the queue in the same instant; no fetch; same PSN, rtx, new entropy and number.
TEST(Sender, Repetition)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    const std::vector<FrameRef> first = bench.send_all();
    EXPECT_EQ(first[1]->transmission, 1U);
    bench.run_to(50'000);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    EXPECT_TRUE(bench.dma.fetching.empty());
    ASSERT_EQ(bench.egress.data_queued(), 1U);
    EXPECT_EQ(bench.egress.data_room, 230'400U - 4174U);
    const FrameRef again = bench.egress.next_data();
    EXPECT_EQ(again->bth.psn, 0U);
    EXPECT_TRUE(again->bth.retransmission);
    EXPECT_EQ(again->network.udp_source, 258);
    EXPECT_EQ(again->transmission, 2U);
    EXPECT_EQ(again->wire_bytes, 4174U);
    EXPECT_EQ(again->reth.virtual_address, 0x2'0000'0000U);
    EXPECT_EQ(again->bth.opcode, Opcode::write_first);
    EXPECT_NE(again->uid, first[0]->uid);
    EXPECT_EQ(bench.sender().counters().retransmissions, 1U);
    EXPECT_EQ(bench.sender().counters().data_sent, 3U);
}

// [TR-48] A waiting repetition goes before a new segment, and no segment passes one that waits for room.
TEST(Sender, RepetitionBeforeNewSegments)
{
    TransportBench bench;
    bench.egress.data_room = 2 * 4174;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.post(2, qp, 10);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.data_room = 1'000;
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed));
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    EXPECT_TRUE(bench.dma.fetching.empty());
    bench.egress.data_room = 2 * 4174 + 88;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 1));
    EXPECT_EQ(bench.dma.psns(), range(2, 2));
}

// [TR-56] A repetition that waits in the queue is sent although acknowledged; no timer starts for it [TR-57].
TEST(Sender, AcknowledgedInTheQueue)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    bench.deliver(bench.sack(qp, 0, 0));
    EXPECT_EQ(bench.completions.lines.back(), "wqe 1 at 15000");
    ASSERT_EQ(bench.egress.data_queued(), 1U);
    (void)bench.egress.next_data();
    bench.run_to(1000 * kUs);
    EXPECT_EQ(bench.sender().counters().rto_fired, 0U);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
}

// [TR-88] One that waits for room is not sent any more once acknowledged.
TEST(Sender, AcknowledgedBeforeItsTurn)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.data_room = 0;
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed));
    bench.deliver(bench.sack(qp, 0, 0));
    bench.egress.data_room = 100'000;
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(1, 1));
}

// [EG-1] With PayloadMode "bytes" the NIC rebuilds the frame: the bytes are those that were fetched.
TEST(Sender, RepetitionCarriesThePayload)
{
    Agenda agenda{"payload_agenda"};
    Transport::Parameters parameters = TransportBench::parameters();
    parameters.payload_mode = config::PayloadMode::bytes;
    const config::NicConfig config;
    Transport transport{"payload_transport", agenda, config, parameters};
    ScriptedEgress egress{"payload_egress"};
    ScriptedDma dma{"payload_dma"};
    ScriptedIngress ingress{"payload_ingress"};
    CompletionLog completions{"payload_completions", agenda};
    pcie::CheckedWiring wiring{true};
    transport.completions.bind(completions);
    wiring.connect(transport.to_egress, egress.socket.as_port(), packet::Hop::reservation);
    wiring.connect(transport.to_dma, dma.socket.as_port(), packet::Hop::host);
    wiring.connect(ingress.socket, transport.from_ingress.as_port(), packet::Hop::delivery);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const QpNumber qp = transport.verbs->open_sender(TransportBench::kPeer);
    transport.verbs->post({1, qp, 3, 0, 0});
    sc_core::sc_start(sc_core::sc_time{15, sc_core::SC_NS});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    dma.fetching.front()->payload = {7, 8, 9};
    dma.complete_all();
    (void)egress.all_data();
    const FrameRef nack = ingress.frames.make();
    nack->kind = FrameKind::nack;
    nack->traffic_class = TrafficClass::control;
    nack->wire_bytes = 78;
    nack->bth.destination_qp = qp;
    nack->neth.reason = NackReason::trimmed;
    ingress.deliver(nack);
    EXPECT_EQ(egress.next_data()->payload, (std::vector<std::uint8_t>{7, 8, 9}));
}

}  // namespace
}  // namespace mrcnic::transport
