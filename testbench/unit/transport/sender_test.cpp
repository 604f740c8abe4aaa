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

// [TR-2] Each end has its own number, counted from 1 in order of creation, both kinds in one count.
TEST(Sender, NumbersQueuePairEnds)
{
    TransportBench bench;
    EXPECT_EQ(bench.open_sender(), 1U);
    EXPECT_EQ(bench.open_receiver(), 2U);
    EXPECT_EQ(bench.open_sender(), 3U);
    EXPECT_EQ(bench.open_receiver(), 4U);
}

// [TR-5] [TR-52] A posting that finds the process idle starts it 15 ns later; others within that time start nothing.
TEST(Sender, PostingStartsAPassAfter15ns)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.run_to(1'000);
    bench.post(1, qp, 4096);
    bench.run_to(6'000);
    bench.post(2, qp, 4096);
    bench.run_to(15'999);
    EXPECT_TRUE(bench.dma.psns().empty());
    bench.run_to(16'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
    bench.run_to(20'000);
    bench.post(3, qp, 4096);
    bench.run_to(34'999);
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
    bench.run_to(35'000);
    EXPECT_EQ(bench.dma.psns(), range(0, 2));
}

// [TR-5] [TR-52] An immediate pass does not cancel a pending start, so a posting after it does not start another.
TEST(Sender, ImmediatePassKeepsThePendingStart)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(7'000);
    bench.deliver(bench.ack(qp, kNone));
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.run_to(10'000);
    bench.post(2, qp, 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
}

// [TR-4] [TR-12] [TR-90] Pipelined in posting order; SEND_COMPLETE when the last fetch is issued, before its payload
// comes.
TEST(Sender, MessagesArePipelined)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 8192);
    bench.post(2, qp, 8192);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 3));
    EXPECT_EQ(bench.completions.lines, (Lines{"send 1 at 15000", "send 2 at 15000"}));
    bench.run_to(100'000);
    EXPECT_EQ(psns_of(bench.send_all()), range(0, 3));  // on the wire in PSN order
}

// [TR-1] [TR-11] [TR-20] [TR-32] [TR-34] [TR-35] [MP-1] [MP-2] Fields of first transmissions.
TEST(Sender, DataFrameFields)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(9, qp, 10'000);
    bench.run_to(kPass);
    const std::vector<FrameRef> frames = bench.send_all();
    ASSERT_EQ(frames.size(), 3U);
    const std::vector<Opcode> opcodes{Opcode::write_first, Opcode::write_middle, Opcode::write_last};
    const std::vector<std::uint32_t> payloads{4096, 4096, 1808};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Frame& frame = *frames[i];
        EXPECT_EQ(frame.kind, FrameKind::data);
        EXPECT_EQ(frame.payload_bytes, payloads[i]);
        EXPECT_EQ(frame.wire_bytes, payloads[i] + 78);
        EXPECT_EQ(frame.bth.opcode, opcodes[i]);
        EXPECT_EQ(frame.bth.destination_qp, 1000 + qp);
        EXPECT_EQ(frame.bth.psn, i);
        EXPECT_TRUE(frame.bth.ack_request);
        EXPECT_FALSE(frame.bth.retransmission);
        EXPECT_FALSE(frame.bth.timestamp);
        EXPECT_EQ(frame.meth.msn, 0);
        EXPECT_EQ(frame.meth.receive_queue_msn, 0);
        EXPECT_EQ(frame.reth.virtual_address, 0x2'0000'0000 + 4096 * std::uint64_t{i});
        EXPECT_EQ(frame.reth.dma_length, payloads[i]);
        EXPECT_EQ(frame.reth.r_key, 0U);
        EXPECT_EQ(frame.local_address, 0x1'0000'0000 + 4096 * std::uint64_t{i});
        EXPECT_EQ(frame.network.source, TransportBench::kOwn);
        EXPECT_EQ(frame.network.destination, TransportBench::kPeer);
        EXPECT_EQ(frame.network.ecn, packet::Ecn::ect1);
        EXPECT_EQ(frame.network.dscp, 0);
        EXPECT_EQ(frame.network.udp_source, 256 + i);
        EXPECT_EQ(frame.network.udp_destination, 4791);
        EXPECT_EQ(frame.message_id, 9U);
    }
}

/// Codepoints of a first transmission and of its repetition.
std::pair<int, int> codepoints(bool trimming, bool distinct)
{
    config::NicConfig config;
    config.transport.trimming_enabled = trimming;
    config.transport.use_distinct_dscp_for_retransmit = distinct;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    const FrameRef first = bench.send_all().at(0);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    const FrameRef second = bench.egress.next_data();
    EXPECT_EQ(second->traffic_class, TrafficClass::data);  // [FR-3]
    return {first->network.dscp, second->network.dscp};
}

// [TR-35] [TR-37] NO_TRIM, then TRIMMABLE_RTX whatever TrimmingEnabled.
TEST(Sender, RolesByDefault)
{
    EXPECT_EQ(codepoints(false, true), (std::pair{0, 8}));
}
// [TR-36] [TR-37]
TEST(Sender, RolesWithTrimming)
{
    EXPECT_EQ(codepoints(true, true), (std::pair{4, 8}));
}
// [TR-37] Without a codepoint of their own, repetitions have that of the first transmission.
TEST(Sender, RolesOfRepetitionsNotDistinct)
{
    EXPECT_EQ(codepoints(false, false), (std::pair{0, 0}));
}
// [TR-36] [TR-37]
TEST(Sender, RolesOfRepetitionsNotDistinctWithTrimming)
{
    EXPECT_EQ(codepoints(true, false), (std::pair{4, 4}));
}

// [TR-41] The codepoints are attributes.
TEST(Sender, CodepointsAreAttributes)
{
    config::NicConfig config;
    config.transport.dscp.no_trim = 33;
    config.transport.udp_destination_port = 4971;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 0);
    bench.run_to(kPass);
    const FrameRef frame = bench.send_all().at(0);
    EXPECT_EQ(frame->network.dscp, 33);
    EXPECT_EQ(frame->network.udp_destination, 4971);
    EXPECT_EQ(frame->wire_bytes, 78U);  // [TR-10] without payload
}

// [TR-66] Requests by transmission order on the QP; the last packet of a message too.
TEST(Sender, AcknowledgeRequests)
{
    config::NicConfig config;
    config.transport.ack_request_every_nth_packet = 3;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 5 * 4096);
    bench.run_to(kPass);
    std::string asking;
    for (const FrameRef& frame : bench.send_all()) {
        asking += frame->bth.ack_request ? 'x' : '.';
    }
    EXPECT_EQ(asking, "x..xx");
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed));  // the 6th transmission
    EXPECT_TRUE(bench.egress.next_data()->bth.ack_request);
}

// ------------------------------------------------------------------------------------------------------- windows

// [CC-W1] [CC-20] [TR-49] 108 packets in flight; each retired one lets one more go.
TEST(Sender, CongestionWindowStops)
{
    TransportBench bench;
    bench.egress.data_room = 10'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 200 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 107));
    EXPECT_EQ(bench.egress.requests, 108U);
    (void)bench.send_all();
    bench.deliver(bench.sack(qp, 0, 0));
    EXPECT_EQ(bench.dma.psns(), range(108, 108));
    bench.deliver(bench.ack(qp, 3));  // three more
    EXPECT_EQ(bench.dma.psns(), range(108, 111));
}

// [CC-12] [CC-20] 450,000 - 108 x 4,156 = 1,152: a packet of 1,092 bytes fills the window, one of 1,093 does not fit.
TEST(Sender, CongestionWindowIsFilledExactly)
{
    TransportBench bench;
    bench.egress.data_room = 10'000'000;
    const QpNumber first = bench.open_sender();
    const QpNumber second = bench.open_sender();
    bench.post(1, first, 108 * 4096);
    bench.run_to(kPass);
    bench.post(2, second, 1'093);
    bench.run_to(2 * kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 108U);
    const QpNumber third = bench.open_sender();
    bench.post(3, third, 1'092);
    bench.run_to(3 * kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 109U);  // [TR-47] the first QP whose next item fits
    EXPECT_EQ(bench.completions.lines.back(), "send 3 at 45000");
}

// [CC-12] With WireTimestamp a full packet is 4,160 nominal bytes: 108 x 4,160 = 449,280, 720 left.
TEST(Sender, NominalBytesWithTimestamp)
{
    config::NicConfig config;
    config.transport.rtt_timestamp_mode = config::RttTimestampMode::wire_timestamp;
    TransportBench bench{config};
    bench.egress.data_room = 10'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 108 * 4096);
    bench.post(2, qp, 656);  // 656 + 64 = 720
    bench.post(3, qp, 0);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 109U);
    const std::vector<FrameRef> frames = bench.send_all();
    EXPECT_EQ(frames[0]->wire_bytes, 4178U);  // [TR-21]
    EXPECT_TRUE(frames[0]->bth.timestamp);
}

// [CC-1] Without NSCC the window keeps its start value and limits.
TEST(Sender, WindowLimitsWithoutNscc)
{
    config::NicConfig config;
    config.congestion_control.nscc_enable = false;
    TransportBench bench{config};
    bench.egress.data_room = 10'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 200 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 108U);
}

// [TR-18] [TR-16] MPR 128 of its own, then what the receiver advertises; only the cumulative PSN moves the window.
TEST(Sender, PsnWindowStops)
{
    config::NicConfig config = without_window();
    config.transport.max_psn_range = 128;
    TransportBench bench{config};
    bench.egress.data_room = 100'000'000;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 1000 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.dma.psns(), range(0, 127));
    (void)bench.send_all();
    FrameRef sack = bench.sack(qp, kNone, 6);  // 5 arrived, 0 did not
    sack->seth.mpr = 1;
    bench.deliver(sack);
    EXPECT_TRUE(bench.dma.psns().empty());
    sack = bench.sack(qp, 0, 0);
    sack->seth.mpr = 1;
    bench.deliver(sack);
    EXPECT_EQ(bench.dma.psns(), range(128, 128));
    sack = bench.sack(qp, 0, 1);
    sack->seth.mpr = 2;
    bench.deliver(sack);
    EXPECT_EQ(bench.dma.psns(), range(128, 256));  // up to CACK + 256
}

// ---------------------------------------------------------------------------------------------- turns and the pool

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

// --------------------------------------------------------------------------------------- repetition and hand-off

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

// ----------------------------------------------------------------------------------------------- acknowledgements

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
    TransportBench bench{without_window()};
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

// --------------------------------------------------------------------------------------------------------- timers

/// One packet that is never acknowledged: instants of its expiries, each repetition leaving at once.
std::vector<Picoseconds> expiries(TransportBench& bench, QpNumber qp, std::size_t count)
{
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    std::vector<Picoseconds> result;
    Picoseconds now = kPass;
    while (result.size() < count) {
        now += 50 * kUs;
        bench.run_to(now);
        if (bench.egress.data_queued() > 0) {
            result.push_back(now);
            (void)bench.egress.next_data();
        }
    }
    return result;
}

// [TR-W7] [TR-85] [TR-87] Timeouts of 150, 300, 600, 1,200, 2,400, 4,800, 4,800 us, each with a pass at once.
TEST(Sender, TimeoutsBackOff)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    std::vector<Picoseconds> expected;
    Picoseconds sum = 0;
    for (const Picoseconds timeout : {150, 300, 600, 1'200, 2'400, 4'800, 4'800}) {
        sum += timeout * kUs;
        expected.push_back(kPass + sum);
    }
    EXPECT_EQ(expiries(bench, qp, 7), expected);
    EXPECT_EQ(bench.sender().counters().rto_fired, 7U);
    EXPECT_EQ(bench.sender().counters().retransmissions, 7U);
}

// [TR-86] FixedRexmitTimeout always.
TEST(Sender, FixedTimeouts)
{
    config::NicConfig config;
    config.transport.fixed_rexmit_time_enable = true;
    config.transport.fixed_rexmit_timeout = 100 * kUs;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    EXPECT_EQ(expiries(bench, qp, 3),
              (std::vector<Picoseconds>{kPass + 100 * kUs, kPass + 200 * kUs, kPass + 300 * kUs}));
}

/// Expiry of a packet that was trimmed twice before.
Picoseconds expiry_after_two_trims(config::RtoBackoffCounts counts)
{
    config::NicConfig config;
    config.transport.rto_backoff_counts = counts;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    (void)bench.egress.next_data();
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed, true));
    (void)bench.egress.next_data();
    Picoseconds now = kPass;
    while (bench.egress.data_queued() == 0) {
        now += 50 * kUs;
        bench.run_to(now);
    }
    return now - kPass;
}

// [TR-85] n counts expiries: none so far.
TEST(Sender, BackOffCountsExpiries)
{
    EXPECT_EQ(expiry_after_two_trims(config::RtoBackoffCounts::expiries), 150 * kUs);
}
// [TR-85] n counts repetitions for whatever reason: two, so 600 us.
TEST(Sender, BackOffCountsRetransmissions)
{
    EXPECT_EQ(expiry_after_two_trims(config::RtoBackoffCounts::retransmissions), 600 * kUs);
}

// [TR-57] [TR-85] The timer starts at the end of serialization, not at the hand-off.
TEST(Sender, TimerStartsAtTheEndOfSerialization)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    bench.dma.complete_all();
    bench.run_to(400 * kUs);
    (void)bench.egress.next_data();
    bench.run_to(550 * kUs - 1);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    bench.run_to(550 * kUs);
    EXPECT_EQ(bench.egress.data_queued(), 1U);
}

// [TR-87] [TR-50] [EG-4] Expiry starts a stopped process at once, with its destination at the head.
TEST(Sender, TimeoutStartsAPass)
{
    TransportBench bench;
    const QpNumber a = bench.open_sender(TransportBench::kPeer);
    const QpNumber b = bench.open_sender(TransportBench::kThird);
    bench.post(1, a, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.data_room = 0;
    bench.post(2, b, 4096);
    bench.run_to(100 * kUs);
    bench.egress.data_room = 4174;
    bench.run_to(kPass + 150 * kUs - 1);
    EXPECT_EQ(bench.egress.data_queued(), 0U);
    bench.run_to(kPass + 150 * kUs);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(0, 0));
    EXPECT_EQ(bench.egress.kicks, 1U);
}

// [TR-87] MaxRetries 2: the third expiry ends the QP, with all its messages; later postings fail at once.
TEST(Sender, MaxRetries)
{
    config::NicConfig config;
    config.transport.max_retries = 2;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    const QpNumber other = bench.open_sender();
    {
        const testbench::ExpectReport expected{report_id::kTransport, "queue pair 1 went into error after 2 retries"};
        EXPECT_EQ(expiries(bench, qp, 2), (std::vector<Picoseconds>{kPass + 150 * kUs, kPass + 450 * kUs}));
        bench.post(2, qp, 4096);
        bench.run_to(kPass + 460 * kUs);
        (void)bench.dma.complete();
        bench.completions.lines.clear();
        bench.run_to(kPass + 1'050 * kUs);
    }
    EXPECT_EQ(bench.completions.take(), (Lines{"failed 1 at 1050015000", "failed 2 at 1050015000"}));
    EXPECT_EQ(bench.sender().counters().messages_failed, 2U);
    bench.post(3, qp, 4096);
    EXPECT_EQ(bench.completions.take(), (Lines{"failed 3 at 1050015000"}));
    (void)bench.egress.all_data();
    bench.deliver(bench.sack(qp, 0, 0));  // comes too late
    bench.post(4, other, 108 * 4096);     // the window is free again
    bench.egress.data_room = 1'000'000;
    bench.run_to(kPass + 1'100 * kUs);
    EXPECT_EQ(bench.dma.fetching.size(), 108U);
    EXPECT_EQ(bench.completions.take(), (Lines{"send 4 at 1050030000"}));
}

// [TR-87] No limit by default: 12 expiries and it goes on.
TEST(Sender, NoRetryLimit)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    EXPECT_EQ(expiries(bench, qp, 12).size(), 12U);
    bench.deliver(bench.sack(qp, 0, 0));
    EXPECT_EQ(bench.sender().counters().messages_completed, 1U);
}

// [TR-89] [TR-87] Several timers of one instant: the packets go again, lowest first.
TEST(Sender, TimersOfOneInstant)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.deliver(bench.sack(qp, 0, 0));
    bench.run_to(kPass + 150 * kUs);
    EXPECT_EQ(psns_of(bench.egress.all_data()), range(1, 3));
    EXPECT_EQ(bench.sender().counters().rto_fired, 3U);
}

// --------------------------------------------------------------------------------------------------- late answers

// [TR-51] [EG-1] A grant that comes later: the fetch waits for it, and one request is open at a time.
TEST(Sender, LateGrant)
{
    TransportBench bench;
    bench.egress.answers_late = true;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    EXPECT_EQ(bench.egress.requests, 1U);
    bench.deliver(bench.ack(qp, kNone));  // a pass is under way
    EXPECT_EQ(bench.egress.requests, 1U);
    EXPECT_TRUE(bench.dma.fetching.empty());
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.dma.psns(), range(0, 1));
    EXPECT_FALSE(bench.egress.owes_answer(TrafficClass::data));
}

// [TR-51] A refusal that comes later stops the process; WAKE and KICK start it.
TEST(Sender, LateRefusal)
{
    TransportBench bench;
    bench.egress.answers_late = true;
    bench.egress.data_room = 0;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.sender().counters().stalls, 1U);
    bench.egress.wake(TrafficClass::data);
    EXPECT_EQ(bench.egress.requests, 2U);
    bench.deliver(bench.ack(qp, kNone));
    EXPECT_EQ(bench.egress.kicks, 0U);  // the refusal does not stand, a request is open
    bench.egress.answer(TrafficClass::data);
    bench.deliver(bench.ack(qp, kNone));
    EXPECT_EQ(bench.egress.kicks, 1U);
    bench.egress.data_room = 4174;
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.dma.psns(), range(0, 0));
}

// [TR-56] A repetition acknowledged between request and grant is sent all the same, out of flight.
TEST(Sender, LateGrantForAnAcknowledgedRepetition)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.answers_late = true;
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    bench.deliver(bench.sack(qp, 0, 0));
    bench.egress.answer(TrafficClass::data);
    EXPECT_FALSE(bench.egress.owes_answer(TrafficClass::data));
    const FrameRef frame = bench.egress.next_data();
    EXPECT_EQ(frame->bth.psn, 0U);
    EXPECT_TRUE(frame->bth.retransmission);
    EXPECT_EQ(frame->payload_bytes, 4096U);
    bench.deliver(bench.sack(qp, 1, 0));
    EXPECT_EQ(bench.completions.lines.back(), "wqe 1 at 15000");
    bench.egress.answers_late = false;
    bench.egress.data_room = 1'000'000;
    bench.post(2, qp, 200 * 4096);
    bench.run_to(2 * kPass);
    EXPECT_EQ(bench.dma.fetching.size(), 108U);  // nothing is counted in flight any more
}

// [TR-3] [TR-56] The QP is closed between request and grant: the frame still goes, then the QP.
TEST(Sender, LateGrantForAClosedQueuePair)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    bench.egress.answers_late = true;
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    bench.deliver(bench.sack(qp, 0, 0));
    bench.verbs().close(qp);
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.egress.all_data().size(), 1U);
    EXPECT_EQ(bench.sender().queue_pair(qp), nullptr);
}

// [TR-87] The QP fails between request and grant: what was granted goes, then the messages fail.
TEST(Sender, LateGrantForAFailedQueuePair)
{
    config::NicConfig config;
    config.transport.max_retries = 1;
    TransportBench bench{config};
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    bench.dma.complete_all();
    (void)bench.egress.all_data();
    bench.run_to(kPass + 150 * kUs);
    (void)bench.egress.all_data();  // both again
    bench.egress.answers_late = true;
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed, true));  // 1 asks for room
    const testbench::ExpectReport expected{report_id::kTransport};
    bench.run_to(kPass + 450 * kUs);  // 0 expires again: too often
    EXPECT_EQ(bench.completions.lines.back(), "send 1 at 15000");
    bench.egress.answer(TrafficClass::data);
    EXPECT_EQ(bench.completions.lines.back(), "failed 1 at 450015000");
    EXPECT_EQ(bench.egress.all_data().size(), 1U);
    EXPECT_FALSE(bench.egress.owes_answer(TrafficClass::data));
}

// [TR-3] QpPerMessage: frames for a closed QP are of no use; fetches and timers of it do no harm.
TEST(Sender, LateFramesForAClosedQueuePair)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    const QpNumber other = bench.open_sender();
    bench.post(1, qp, 4096);
    bench.post(2, other, 4096);
    bench.run_to(kPass);
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    (void)bench.send_all();
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    bench.deliver(bench.sack(qp, 0, 0));
    bench.verbs().close(qp);
    EXPECT_EQ(bench.egress.all_data().size(), 1U);  // the repetition that waited [TR-56]
    bench.deliver(bench.sack(qp, 0, 0));
    bench.deliver(bench.ack(qp, 0));
    bench.deliver(bench.nack(qp, 0, NackReason::trimmed));
    EXPECT_EQ(bench.sender().counters().invalid_received, 4U);
    bench.verbs().close(qp);  // twice: nothing
    bench.run_to(kPass + 150 * kUs);
    EXPECT_EQ(bench.sender().counters().rto_fired, 1U);  // that of the other
}

// Frames go home when all is done.
TEST(Sender, NoFrameIsLeft)
{
    TransportBench bench;
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 60 * 4096);
    bench.run_to(kPass);
    while (!bench.dma.fetching.empty()) {
        for (const FrameRef& frame : bench.send_all()) {
            bench.deliver(bench.sack(qp, frame->bth.psn, 0));
        }
    }
    EXPECT_EQ(bench.completions.lines.back(), "wqe 1 at 15000");
    EXPECT_EQ(bench.transport.live_frames(), 1U);  // the bench still holds the one it refused last
}

}  // namespace
}  // namespace mrcnic::transport
