#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;
using packet::Opcode;

constexpr Picoseconds kPass = TransportBench::kPass;
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

// [CC-W1] [CC-20] [TR-49] 108 packets in flight; each retired one lets one more go.
TEST(Sender, CongestionWindowStops)
{
    TransportBench bench{without_nscc()};
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
    config.transport.sack_gap_threshold = 0;
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

}  // namespace
}  // namespace mrcnic::transport
