#include <gtest/gtest.h>

#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;
using packet::Opcode;

/// What the control queue holds, in short, in its order; it is empty afterwards.
Lines controls(TransportBench& bench)
{
    Lines result;
    for (const FrameRef& frame : bench.egress.all_control()) {
        const char* name = frame->kind == FrameKind::sack ? "sack" : frame->kind == FrameKind::ack ? "ack" : "nack";
        result.push_back(fmt::format("{} {}", name, frame->bth.psn));
    }
    return result;
}

// [TR-60] [TR-65] [TR-68] [IN-3] SACK, then ACK, when the packet arrives, before its payload is written; RECV_COMPLETE
// then.
TEST(Receiver, AcknowledgesOnArrival)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver(77);
    bench.run_to(1'000);
    EXPECT_TRUE(bench.deliver(bench.data(qp, 0, Opcode::write_first, 5)));
    EXPECT_EQ(controls(bench), (Lines{"sack 0"}));
    EXPECT_TRUE(bench.completions.lines.empty());
    bench.run_to(2'000);
    EXPECT_TRUE(bench.deliver(bench.data(qp, 1, Opcode::write_last, 5)));
    EXPECT_EQ(controls(bench), (Lines{"sack 1", "ack 1"}));
    EXPECT_EQ(bench.completions.lines, (Lines{"recv 5 at 2000"}));  // [TR-62] [TR-92]
    EXPECT_EQ(bench.receiver().counters().payload_received, 8192U);
}

// [TR-69] [TR-23] [TR-34] [TR-32] [TR-40] [MP-2] Fields of a SACK.
TEST(Receiver, SackFields)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver(77);
    for (const Psn psn : {0U, 1U, 2U, 3U, 4U, 6U, 7U, 9U, 10U}) {
        bench.deliver(bench.data(qp, psn));
    }
    (void)bench.egress.all_control();
    FrameRef data = bench.data(qp, 11);
    data->network.ecn = packet::Ecn::ce;
    data->bth.retransmission = true;
    bench.deliver(data);
    const FrameRef sack = bench.egress.next_control();
    EXPECT_EQ(sack->kind, FrameKind::sack);
    EXPECT_EQ(sack->traffic_class, TrafficClass::control);
    EXPECT_EQ(sack->wire_bytes, 94U);
    EXPECT_EQ(sack->network.source, TransportBench::kOwn);
    EXPECT_EQ(sack->network.destination, TransportBench::kPeer);
    EXPECT_EQ(sack->network.ecn, packet::Ecn::ect1);
    EXPECT_EQ(sack->network.dscp, 46);
    EXPECT_EQ(sack->network.udp_source, 311);
    EXPECT_EQ(sack->bth.opcode, Opcode::sack);  // [TR-30]
    EXPECT_EQ(sack->bth.destination_qp, 77U);
    EXPECT_EQ(sack->bth.psn, 11U);
    EXPECT_FALSE(sack->bth.retransmission);
    EXPECT_EQ(sack->seth.cack_psn, 4U);  // [TR-W6]
    EXPECT_EQ(sack->seth.ack_psn_offset, 7);
    EXPECT_EQ(sack->seth.sack_offset, 1);
    EXPECT_EQ(sack->seth.bitmap, 0x76U);
    EXPECT_EQ(sack->seth.entropy, 311U);
    EXPECT_EQ(sack->seth.mark, 1);
    EXPECT_TRUE(sack->seth.retransmission_echo);
    EXPECT_FALSE(sack->seth.probe_response);
    EXPECT_EQ(sack->seth.mpr, 32);
    EXPECT_EQ(sack->cc_state.received_bytes, 160U);
    EXPECT_EQ(sack->cc_state.out_of_order_count, 5);
    EXPECT_EQ(sack->cc_state.reflected_timestamp, 0);
    EXPECT_EQ(sack->cc_state.receiver_penalty, 0);
    bench.deliver(bench.data(qp, 12));
    EXPECT_EQ(bench.egress.next_control()->seth.mark, 0);
}

// [TR-68] [TR-22] [TR-34] [TR-40] Fields of a cumulative ACK.
TEST(Receiver, AckFields)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver(77);
    bench.deliver(bench.data(qp, 0, Opcode::write_only, 1));
    bench.deliver(bench.data(qp, 1, Opcode::write_only, 2));
    const std::vector<FrameRef> frames = bench.egress.all_control();
    ASSERT_EQ(frames.size(), 4U);
    const Frame& ack = *frames[3];
    EXPECT_EQ(ack.kind, FrameKind::ack);
    EXPECT_EQ(ack.wire_bytes, 62U);
    EXPECT_EQ(ack.bth.opcode, Opcode::ack);
    EXPECT_EQ(ack.bth.psn, 1U);
    EXPECT_EQ(ack.bth.destination_qp, 77U);
    EXPECT_EQ(ack.aeth.syndrome, 0);
    EXPECT_EQ(ack.aeth.msn, 2U);
    EXPECT_EQ(frames[1]->aeth.msn, 1U);
    EXPECT_EQ(ack.network.dscp, 46);
    EXPECT_EQ(ack.network.ecn, packet::Ecn::ect1);
    EXPECT_EQ(ack.network.udp_source, 301);
}

// [TR-68] [TR-61] [TR-62] One packet completes three messages: one ACK with the highest MSN, completions in order.
TEST(Receiver, OneAckForSeveralMessages)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    for (Psn psn = 1; psn <= 2; ++psn) {
        bench.deliver(bench.data(qp, psn, Opcode::write_only, 10 + psn));
    }
    EXPECT_EQ(controls(bench), (Lines{"sack 1", "sack 2"}));
    EXPECT_EQ(bench.receiver().counters().out_of_order, 2U);
    bench.deliver(bench.data(qp, 0, Opcode::write_only, 10));
    const std::vector<FrameRef> frames = bench.egress.all_control();
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[1]->bth.psn, 2U);
    EXPECT_EQ(frames[1]->aeth.msn, 3U);
    EXPECT_EQ(bench.completions.lines, (Lines{"recv 10 at 0", "recv 11 at 0", "recv 12 at 0"}));
}

// [TR-11] Segments with immediate, which a peer may send, end their messages too.
TEST(Receiver, ImmediatesEndMessages)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    bench.deliver(bench.data(qp, 0, Opcode::write_only_immediate, 1));
    bench.deliver(bench.data(qp, 1, Opcode::write_first, 2));
    bench.deliver(bench.data(qp, 2, Opcode::write_last_immediate, 2));
    EXPECT_EQ(bench.completions.lines, (Lines{"recv 1 at 0", "recv 2 at 0"}));
}

// [TR-60] [IN-2] A data frame without payload causes no write.
TEST(Receiver, EmptyPacketIsNotWritten)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    FrameRef data = bench.data(qp, 0, Opcode::write_only, 1);
    data->payload_bytes = 0;
    data->wire_bytes = 78;
    EXPECT_FALSE(bench.deliver(data));
    EXPECT_EQ(controls(bench), (Lines{"sack 0", "ack 0"}));
    EXPECT_EQ(bench.completions.lines, (Lines{"recv 1 at 0"}));
}

// [TR-65] Without A a packet draws no SACK, unless it is a duplicate; the ACK of its message comes all the same
// [TR-68].
TEST(Receiver, PacketsThatDoNotAsk)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    FrameRef data = bench.data(qp, 0, Opcode::write_only, 1);
    data->bth.ack_request = false;
    EXPECT_TRUE(bench.deliver(data));
    EXPECT_EQ(controls(bench), (Lines{"ack 0"}));
    EXPECT_FALSE(bench.deliver(data));
    EXPECT_EQ(controls(bench), (Lines{"sack 0"}));
}

// [TR-61] [TR-19] D6: a duplicate, in front of E or recorded, is counted as that, not written, and no drop.
TEST(Receiver, CaseD6Duplicates)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    EXPECT_TRUE(bench.deliver(bench.data(qp, 0, Opcode::write_only, 1)));
    EXPECT_TRUE(bench.deliver(bench.data(qp, 5)));
    EXPECT_FALSE(bench.deliver(bench.data(qp, 0, Opcode::write_only, 1)));
    EXPECT_FALSE(bench.deliver(bench.data(qp, 5)));
    const Receiver::Counters& counters = bench.receiver().counters();
    EXPECT_EQ(counters.duplicates, 2U);
    EXPECT_EQ(counters.out_of_order, 1U);
    EXPECT_EQ(counters.data_received, 4U);
    EXPECT_EQ(counters.window_discards, 0U);
    EXPECT_EQ(counters.payload_received, 8192U);
    EXPECT_EQ(controls(bench), (Lines{"sack 0", "ack 0", "sack 5", "sack 0", "sack 5"}));
    EXPECT_EQ(bench.completions.lines, (Lines{"recv 1 at 0"}));
}

// [TR-19] [TR-31] [TR-24] [TR-34] p >= E + M: discarded, NACK 0B, no SACK, not recorded.
TEST(Receiver, BeyondTheWindow)
{
    config::NicConfig config;
    config.transport.max_psn_range = 128;
    TransportBench bench{config};
    const QpNumber qp = bench.open_receiver(77);
    FrameRef data = bench.data(qp, 128);
    data->bth.retransmission = true;
    EXPECT_FALSE(bench.deliver(data));
    const std::vector<FrameRef> frames = bench.egress.all_control();
    ASSERT_EQ(frames.size(), 1U);
    const Frame& nack = *frames[0];
    EXPECT_EQ(nack.kind, FrameKind::nack);
    EXPECT_EQ(nack.wire_bytes, 78U);
    EXPECT_EQ(nack.bth.opcode, Opcode::nack);
    EXPECT_EQ(nack.bth.psn, 128U);
    EXPECT_EQ(nack.bth.destination_qp, 77U);
    EXPECT_EQ(nack.neth.reason, NackReason::psn_oor_window);
    EXPECT_EQ(static_cast<int>(nack.neth.reason), 0x0B);
    EXPECT_EQ(nack.neth.nack_psn, 128U);
    EXPECT_EQ(nack.neth.entropy, 428U);
    EXPECT_EQ(nack.network.udp_source, 428);
    EXPECT_EQ(nack.network.dscp, 46);
    EXPECT_TRUE(nack.neth.retransmission_echo);
    EXPECT_EQ(nack.neth.cc_type, 2);
    EXPECT_EQ(bench.receiver().counters().window_discards, 1U);
    EXPECT_EQ(bench.receiver().counters().duplicates, 0U);
    EXPECT_TRUE(bench.deliver(bench.data(qp, 127)));
    EXPECT_EQ(bench.egress.next_control()->cc_state.out_of_order_count, 1);
}

// [TR-80] [TR-38] [TR-39] A trim draws a NACK 01 or 02 by its codepoint, nothing else, even for a PSN that was
// received.
TEST(Receiver, TrimmedFrames)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    bench.deliver(bench.data(qp, 0));
    (void)bench.egress.all_control();
    EXPECT_FALSE(bench.deliver(bench.trimmed(qp, 0, 12)));
    EXPECT_FALSE(bench.deliver(bench.trimmed(qp, 1, 16)));
    EXPECT_FALSE(bench.deliver(bench.trimmed(qp, 9'999, 12)));  // beyond the window: no matter
    const std::vector<FrameRef> frames = bench.egress.all_control();
    ASSERT_EQ(frames.size(), 3U);
    const std::vector<int> reasons{0x01, 0x02, 0x01};
    const Psns psns{0, 1, 9'999};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(frames[i]->kind, FrameKind::nack);
        EXPECT_EQ(static_cast<int>(frames[i]->neth.reason), reasons[i]);
        EXPECT_EQ(frames[i]->neth.nack_psn, psns[i]);
        EXPECT_EQ(frames[i]->neth.reflected_timestamp, 0);
    }
    EXPECT_EQ(bench.receiver().counters().trims_seen, 3U);
    EXPECT_EQ(bench.receiver().counters().window_discards, 0U);
    EXPECT_EQ(bench.receiver().queue_pair(qp)->expected(), 1U);
}

// [TR-67] A SACK when T bytes have come since the last one.
TEST(Receiver, SackTrigger)
{
    config::NicConfig config;
    config.transport.sack_trigger_bytes = 8192;
    TransportBench bench{config};
    const QpNumber qp = bench.open_receiver();
    for (Psn psn = 0; psn < 5; ++psn) {
        FrameRef data = bench.data(qp, psn);
        data->bth.ack_request = false;
        bench.deliver(data);
    }
    EXPECT_EQ(controls(bench), (Lines{"sack 1", "sack 3"}));
    bench.deliver(bench.data(qp, 5));  // asks by itself, the count starts again
    FrameRef data = bench.data(qp, 6);
    data->bth.ack_request = false;
    bench.deliver(data);
    EXPECT_EQ(controls(bench), (Lines{"sack 5"}));
}

// [CC-14] [TR-69] The stamp is reflected in SACK and NACK 0B; a trim has lost it.
TEST(Receiver, ReflectsTimestamps)
{
    config::NicConfig config;
    config.transport.rtt_timestamp_mode = config::RttTimestampMode::wire_timestamp;
    config.transport.max_psn_range = 128;
    TransportBench bench{config};
    const QpNumber qp = bench.open_receiver();
    for (const Psn psn : {0U, 500U}) {
        FrameRef data = bench.data(qp, psn);
        data->wire_bytes = 4178;
        data->bth.timestamp = true;
        data->tseth.timestamp = 0xABCD;
        bench.deliver(data);
    }
    EXPECT_EQ(bench.egress.next_control()->cc_state.reflected_timestamp, 0xABCD);
    EXPECT_EQ(bench.egress.next_control()->neth.reflected_timestamp, 0xABCD);
    FrameRef trim = bench.trimmed(qp, 1, 12);
    trim->tseth.timestamp = 0xABCD;
    bench.deliver(trim);
    EXPECT_EQ(bench.egress.next_control()->neth.reflected_timestamp, 0);
}

// [TR-60] [TR-3] Frames for no QP, closed ones too, and frames of no use: counted, nothing drawn, nothing written.
TEST(Receiver, UnknownQueuePairs)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver();
    const QpNumber sending = bench.open_sender();
    EXPECT_FALSE(bench.deliver(bench.data(0, 0)));
    EXPECT_FALSE(bench.deliver(bench.data(0xFFFFFF, 0)));
    EXPECT_FALSE(bench.deliver(bench.data(sending, 0)));
    EXPECT_FALSE(bench.deliver(bench.trimmed(99, 0, 12)));
    EXPECT_FALSE(bench.deliver(bench.make(FrameKind::probe, TrafficClass::data, 74, sending, 0)));
    EXPECT_FALSE(bench.deliver(bench.make(FrameKind::foreign, TrafficClass::data, 64, 0, 0)));
    EXPECT_TRUE(bench.deliver(bench.data(qp, 0, Opcode::write_only, 1)));
    bench.verbs().close(qp);
    bench.verbs().close(qp);
    EXPECT_FALSE(bench.deliver(bench.data(qp, 0, Opcode::write_only, 1)));  // late
    EXPECT_EQ(bench.receiver().counters().unknown_received, 7U);
    EXPECT_EQ(bench.receiver().counters().data_received, 1U);
    EXPECT_EQ(controls(bench), (Lines{"sack 0", "ack 0"}));
}

// [TR-62] RecvCompleteAfterWrite: the PCIe transmit buffer has accepted the writes, in their order.
TEST(Receiver, RecvCompleteAfterWrite)
{
    config::NicConfig config;
    config.transport.recv_complete_after_write = true;
    TransportBench bench{config};
    const QpNumber qp = bench.open_receiver();
    const QpNumber other = bench.open_receiver();
    const FrameRef first = bench.data(qp, 0, Opcode::write_first, 1);
    const FrameRef second = bench.data(other, 0, Opcode::write_only, 2);
    const FrameRef third = bench.data(qp, 1, Opcode::write_last, 1);
    for (const FrameRef& frame : {first, second, third}) {
        EXPECT_TRUE(bench.deliver(frame));
    }
    EXPECT_EQ(controls(bench), (Lines{"sack 0", "sack 0", "ack 0", "sack 1", "ack 1"}));  // these do not wait
    Picoseconds now = 0;
    for (const FrameRef& frame : {first, second, third}) {
        now += 1'000;
        bench.run_to(now);
        bench.ingress.socket.forward(*frame, packet::phase::ACCEPTED);
    }
    EXPECT_EQ(bench.completions.take(), (Lines{"recv 2 at 2000", "recv 1 at 3000"}));
    FrameRef empty = bench.data(qp, 2, Opcode::write_only, 3);
    empty->payload_bytes = 0;
    bench.deliver(empty);  // no write is awaited
    EXPECT_EQ(bench.completions.take(), (Lines{"recv 3 at 3000"}));
}

// [MP-23] [TR-34] A probe is answered at once with a SACK: PR, the probe's id, M from its own mark, its entropy value;
// it acknowledges like any other.
TEST(Receiver, AnswersProbes)
{
    TransportBench bench;
    const QpNumber qp = bench.open_receiver(77);
    bench.deliver(bench.data(qp, 0));
    bench.deliver(bench.data(qp, 2));
    (void)bench.egress.all_control();
    const FrameRef probe = bench.make(FrameKind::probe, TrafficClass::data, 74, qp, 0x8001);
    probe->network.udp_source = 300;
    EXPECT_FALSE(bench.deliver(probe));
    FrameRef answer = bench.egress.next_control();
    EXPECT_EQ(answer->kind, FrameKind::sack);
    EXPECT_EQ(answer->bth.psn, 0x8001U);
    EXPECT_EQ(answer->bth.destination_qp, 77U);
    EXPECT_TRUE(answer->seth.probe_response);
    EXPECT_EQ(static_cast<std::uint16_t>(answer->seth.ack_psn_offset), 0x8001);
    EXPECT_EQ(answer->seth.mark, 0);
    EXPECT_EQ(answer->seth.entropy, 300U);
    EXPECT_EQ(answer->network.udp_source, 300);
    EXPECT_EQ(answer->seth.cack_psn, 0U);
    EXPECT_EQ(answer->seth.bitmap, 0b10U);
    probe->network.ecn = packet::Ecn::ce;
    bench.deliver(probe);
    EXPECT_EQ(bench.egress.next_control()->seth.mark, 1);
    EXPECT_EQ(bench.receiver().counters().probes_received, 2U);
    EXPECT_EQ(bench.receiver().counters().sacks_sent, 4U);
    EXPECT_EQ(bench.receiver().counters().marked_sacks_sent, 1U);
    EXPECT_EQ(bench.receiver().counters().data_received, 2U);
}

// [MP-23] [TR-72] Answers to probes wait like others; each tells of another value, so they do not merge.
TEST(Receiver, AnswersToProbesDoNotMerge)
{
    TransportBench bench;
    bench.egress.control_room = 94;
    const QpNumber qp = bench.open_receiver();
    bench.deliver(bench.data(qp, 0));
    bench.deliver(bench.make(FrameKind::probe, TrafficClass::data, 74, qp, 8));
    bench.deliver(bench.data(qp, 1));
    bench.deliver(bench.make(FrameKind::probe, TrafficClass::data, 74, qp, 9));
    bench.deliver(bench.data(qp, 2));
    Lines built;
    while (bench.egress.control_queued() > 0) {
        built.push_back(controls(bench).at(0));
        bench.egress.wake(TrafficClass::control);
    }
    EXPECT_EQ(built, (Lines{"sack 0", "sack 8", "sack 2", "sack 9"}));
}

/// Penalty and restore flag of a SACK while the data pool of 3,600,000 bytes holds `occupancy`.
std::pair<int, bool> penalty(config::CongestionControlConfig congestion, std::uint64_t occupancy)
{
    config::NicConfig config;
    config.congestion_control = congestion;
    TransportBench bench{config};
    bench.transport.watch_ingress({3'600'000, [occupancy] { return occupancy; }});
    bench.deliver(bench.data(bench.open_receiver(), 0));
    const FrameRef sack = bench.egress.next_control();
    return {sack->cc_state.receiver_penalty, sack->cc_state.restore_window};
}
config::CongestionControlConfig penalties(bool restore)
{
    config::CongestionControlConfig config;
    config.receiver_penalty_enabled = true;
    config.restore_cwind_enable = restore;
    return config;
}
// [CC-W13] [CC-43] Half full: 63.
TEST(Receiver, Penalty)
{
    EXPECT_EQ(penalty(penalties(true), 1'800'000), (std::pair{63, false}));
}
// [CC-W13] [CC-26] A quarter full: 0, and the window may be restored.
TEST(Receiver, NoPenaltyRestores)
{
    EXPECT_EQ(penalty(penalties(true), 900'000), (std::pair{0, true}));
}
// [CC-11] Without RestoreCWindEnable it may not.
TEST(Receiver, NoPenaltyWithoutRestore)
{
    EXPECT_EQ(penalty(penalties(false), 900'000), (std::pair{0, false}));
}
// [CC-11] Off by default, however full.
TEST(Receiver, PenaltyIsOffByDefault)
{
    EXPECT_EQ(penalty({}, 3'600'000), (std::pair{0, false}));
}

// ------------------------------------------------------------------------------------------- control pool is full

// [TR-72] [EG-6] Waiting in order of first need; SACKs merge to the newest p, ACKs to the highest MSN, at their places;
// NACKs do not; nothing is built, or asked for, past the list.
TEST(Receiver, ControlPoolFull)
{
    TransportBench bench;
    bench.egress.control_room = 94;
    const QpNumber one = bench.open_receiver(71);
    const QpNumber two = bench.open_receiver(72);
    bench.deliver(bench.data(one, 0));
    bench.deliver(bench.data(one, 1));  // refused: waits
    bench.deliver(bench.data(two, 0, Opcode::write_only, 5));
    bench.deliver(bench.trimmed(one, 7, 12));
    bench.deliver(bench.trimmed(one, 8, 16));
    bench.deliver(bench.data(one, 3));
    bench.deliver(bench.data(two, 1, Opcode::write_only, 6));
    EXPECT_EQ(bench.egress.requests, 2U);
    EXPECT_EQ(bench.receiver().waiting(), 5U);
    EXPECT_EQ(bench.completions.lines.size(), 2U);  // completions do not wait

    std::vector<FrameRef> built;
    while (bench.egress.control_queued() > 0) {
        built.push_back(bench.egress.next_control());
        bench.egress.wake(TrafficClass::control);
    }
    ASSERT_EQ(built.size(), 6U);
    EXPECT_EQ(built[1]->kind, FrameKind::sack);
    EXPECT_EQ(built[1]->bth.destination_qp, 71U);
    EXPECT_EQ(built[1]->bth.psn, 3U);
    EXPECT_EQ(built[1]->seth.cack_psn, 1U);
    EXPECT_EQ(built[1]->seth.ack_psn_offset, 2);
    EXPECT_EQ(built[1]->seth.bitmap, 0b10U);
    EXPECT_EQ(built[1]->seth.entropy, 303U);
    EXPECT_EQ(built[2]->kind, FrameKind::sack);
    EXPECT_EQ(built[2]->bth.destination_qp, 72U);
    EXPECT_EQ(built[2]->bth.psn, 1U);
    EXPECT_EQ(built[3]->kind, FrameKind::ack);
    EXPECT_EQ(built[3]->aeth.msn, 2U);
    EXPECT_EQ(built[3]->bth.psn, 1U);
    EXPECT_EQ(built[4]->neth.nack_psn, 7U);
    EXPECT_EQ(built[4]->neth.reason, NackReason::trimmed);
    EXPECT_EQ(built[5]->neth.nack_psn, 8U);
    EXPECT_EQ(built[5]->neth.reason, NackReason::trimmed_lasthop);
    EXPECT_EQ(bench.receiver().waiting(), 0U);
    EXPECT_EQ(bench.egress.control_room, 94U);
    EXPECT_EQ(bench.receiver().counters().sacks_sent, 3U);
}

// [EG-6] A smaller ACK does not pass a SACK that waits, and a wake without enough room changes nothing.
TEST(Receiver, NothingPassesTheList)
{
    TransportBench bench;
    bench.egress.control_room = 93;
    const QpNumber qp = bench.open_receiver();
    bench.deliver(bench.data(qp, 0, Opcode::write_only, 1));
    EXPECT_EQ(bench.egress.control_queued(), 0U);
    bench.egress.wake(TrafficClass::control);
    EXPECT_EQ(bench.egress.control_queued(), 0U);
    bench.egress.control_room = 94 + 62;
    bench.egress.wake(TrafficClass::control);
    EXPECT_EQ(controls(bench), (Lines{"sack 0", "ack 0"}));
}

// [TR-72] [EG-6] An answer that comes later: others join the list behind, the one asked for may merge meanwhile.
TEST(Receiver, LateControlAnswer)
{
    TransportBench bench;
    bench.egress.answers_late = true;
    const QpNumber qp = bench.open_receiver();
    bench.deliver(bench.data(qp, 0));
    bench.deliver(bench.trimmed(qp, 5, 12));
    bench.deliver(bench.data(qp, 1));
    EXPECT_EQ(bench.egress.requests, 1U);
    bench.egress.answer(TrafficClass::control);
    EXPECT_EQ(controls(bench), (Lines{"sack 1"}));
    bench.egress.control_room = 0;
    bench.egress.answer(TrafficClass::control);  // the NACK is refused
    EXPECT_EQ(bench.receiver().waiting(), 1U);
    bench.egress.control_room = 78;
    bench.egress.wake(TrafficClass::control);
    bench.egress.answer(TrafficClass::control);
    EXPECT_EQ(controls(bench), (Lines{"nack 5"}));
}

// [TR-3] [EG-6] A closed QP leaves the list; what was asked for already is built first.
TEST(Receiver, ClosedWhileWaiting)
{
    TransportBench bench;
    bench.egress.answers_late = true;
    const QpNumber one = bench.open_receiver(71);
    const QpNumber two = bench.open_receiver(72);
    bench.deliver(bench.data(one, 0, Opcode::write_only, 1));
    bench.deliver(bench.data(two, 0));
    bench.verbs().close(one);
    bench.egress.answer(TrafficClass::control);
    EXPECT_EQ(bench.receiver().queue_pair(one), nullptr);
    bench.egress.answer(TrafficClass::control);
    const std::vector<FrameRef> frames = bench.egress.all_control();
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0]->bth.destination_qp, 71U);
    EXPECT_EQ(frames[1]->bth.destination_qp, 72U);  // the ACK of the first went with its QP
    EXPECT_EQ(bench.receiver().waiting(), 0U);
}

// [TR-3] The same when the answer is a refusal.
TEST(Receiver, ClosedAndRefused)
{
    TransportBench bench;
    bench.egress.answers_late = true;
    bench.egress.control_room = 0;
    const QpNumber one = bench.open_receiver(71);
    const QpNumber two = bench.open_receiver(72);
    bench.deliver(bench.data(one, 0));
    bench.deliver(bench.data(two, 0));
    bench.verbs().close(one);
    bench.egress.answer(TrafficClass::control);
    EXPECT_EQ(bench.receiver().waiting(), 1U);
    bench.egress.control_room = 1'000;
    bench.egress.wake(TrafficClass::control);
    bench.egress.answer(TrafficClass::control);
    EXPECT_EQ(bench.egress.next_control()->bth.destination_qp, 72U);
}

}  // namespace
}  // namespace mrcnic::transport
