#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;

std::string text(const ConnectionEnd& end)
{
    return fmt::format("{:x}.{} {:x}.{}", end.local_address & 0xFFU, end.local_qp, end.remote_address & 0xFFU,
                       end.remote_qp);
}

/// Everything that is heard, as text.
struct Log : QueuePairObserver, FrameObserver {
    Lines lines;

    void qp_created(const ConnectionEnd& end) override { lines.push_back("created " + text(end)); }
    void wqe_created(const ConnectionEnd& end, const ObservedMessage& m) override { note("wqe_created", end, m); }
    void send_complete(const ConnectionEnd& end, const ObservedMessage& m) override { note("send", end, m); }
    void wqe_complete(const ConnectionEnd& end, const ObservedMessage& m) override { note("wqe", end, m); }
    void recv_complete(const ConnectionEnd& end) override { lines.push_back("recv " + text(end)); }
    void qp_terminated(const ConnectionEnd& end) override { lines.push_back("terminated " + text(end)); }
    void frame_sent(const Frame& frame, const ConnectionEnd& end, const FlowState* flow) override
    {
        note("sent", frame, end, flow, std::nullopt);
    }
    void frame_received(const Frame& frame, const ConnectionEnd& end, const FlowState* flow,
                        std::optional<Picoseconds> rtt) override
    {
        note("received", frame, end, flow, rtt);
    }
    Lines take() { return std::exchange(lines, {}); }

private:
    void note(const char* what, const ConnectionEnd& end, const ObservedMessage& message)
    {
        lines.push_back(fmt::format("{} {} message {} of {}", what, text(end), message.id, message.bytes));
    }
    void note(const char* what, const Frame& frame, const ConnectionEnd& end, const FlowState* flow,
              std::optional<Picoseconds> rtt)
    {
        static constexpr std::array<const char*, 7> kKinds{"data",  "ack",     "sack",   "nack",
                                                           "probe", "trimmed", "foreign"};
        std::string line =
            fmt::format("{} {} {} {}", what, kKinds[static_cast<std::size_t>(frame.kind)], frame.bth.psn, text(end));
        if (flow != nullptr) {
            line += fmt::format(" {}/{}/{:.0f}", flow->bytes_fetched, flow->bytes_in_flight, flow->congestion_window);
        }
        if (rtt) {
            line += fmt::format(" rtt {}", *rtt);
        }
        lines.push_back(line);
    }
};

// [RC-81] [RC-82] [RC-83] [RC-84] [RC-86] What a sending end does, each in its event.
TEST(Observer, SendingQueuePair)
{
    TransportBench bench;
    Log log;
    bench.transport.observe_queue_pairs(&log);
    const QpNumber qp = bench.open_sender();
    EXPECT_EQ(log.take(), Lines{});
    bench.post(7, qp, 5'000);
    bench.post(8, qp, 10);
    EXPECT_EQ(log.take(), (Lines{"created 1.1 2.1001", "wqe_created 1.1 2.1001 message 7 of 5000",
                                 "wqe_created 1.1 2.1001 message 8 of 10"}));
    bench.run_to(kPass);
    EXPECT_EQ(log.take(), (Lines{"send 1.1 2.1001 message 7 of 5000", "send 1.1 2.1001 message 8 of 10"}));
    (void)bench.send_all();
    bench.deliver(bench.sack(qp, 1, 0));
    EXPECT_EQ(log.take(), (Lines{"wqe 1.1 2.1001 message 7 of 5000"}));
    bench.verbs().close(qp);
    EXPECT_EQ(log.take(), (Lines{"terminated 1.1 2.1001"}));
}

// [RC-81] [RC-85] [RC-86] A receiving end exists for a record from its first data packet on.
TEST(Observer, ReceivingQueuePair)
{
    TransportBench bench;
    Log log;
    bench.transport.observe_queue_pairs(&log);
    const QpNumber qp = bench.open_receiver(77);
    EXPECT_EQ(log.take(), Lines{});
    bench.deliver(bench.data(qp, 0, packet::Opcode::write_only, 1));
    bench.deliver(bench.data(qp, 1, packet::Opcode::write_only, 2));
    EXPECT_EQ(log.take(), (Lines{"created 1.1 2.77", "recv 1.1 2.77", "recv 1.1 2.77"}));
    bench.verbs().close(qp);
    EXPECT_EQ(log.take(), (Lines{"terminated 1.1 2.77"}));
}

// [RC-66] [RC-65.19] [RC-65.20] [RC-65.21] Data when their serialization ends, SACK and NACK when processed: with the
// windows of the destination, and with the sample that they gave.
TEST(Observer, FramesOfASender)
{
    TransportBench bench{without_nscc()};
    Log log;
    bench.transport.observe_frames(&log);
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 3 * 4096);
    bench.run_to(kPass);
    bench.dma.complete();
    EXPECT_EQ(log.take(), Lines{});
    (void)bench.egress.next_data();
    EXPECT_EQ(log.take(), (Lines{"sent data 0 1.1 2.1001 12468/4156/450000"}));
    (void)bench.send_all();
    (void)log.take();
    bench.run_to(kPass + 5'000);
    bench.deliver(bench.sack(qp, 0, 0));
    EXPECT_EQ(log.take(), (Lines{"received sack 0 1.1 2.1001 8312/8312/450000 rtt 5000"}));
    bench.egress.data_room = 0;
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed));
    EXPECT_EQ(log.take(), (Lines{"received nack 1 1.1 2.1001 4156/4156/450000 rtt 5000"}));
    bench.deliver(bench.ack(qp, 1));
    bench.deliver(bench.ack(99, 5));
    EXPECT_EQ(log.take(), (Lines{"received ack 1 1.1 2.1001 4156/4156/450000", "received ack 5 1.99 0.0"}));
}

// [RC-66] Data, trims and probes when processed; SACK and ACK when their serialization ends, a NACK when it is built.
TEST(Observer, FramesOfAReceiver)
{
    TransportBench bench;
    Log log;
    bench.transport.observe_frames(&log);
    const QpNumber qp = bench.open_receiver(77);
    bench.deliver(bench.data(qp, 0, packet::Opcode::write_only, 1));
    EXPECT_EQ(log.take(), (Lines{"received data 0 1.1 2.77"}));
    (void)bench.egress.all_control();
    EXPECT_EQ(log.take(), (Lines{"sent sack 0 1.1 2.77", "sent ack 0 1.1 2.77"}));
    bench.deliver(bench.trimmed(qp, 1, 12));
    EXPECT_EQ(log.take(), (Lines{"sent nack 1 1.1 2.77", "received trimmed 1 1.1 2.77"}));
    (void)bench.egress.all_control();
    EXPECT_EQ(log.take(), Lines{});
    bench.deliver(bench.make(FrameKind::probe, TrafficClass::data, 74, qp, 5));
    (void)bench.egress.all_control();
    EXPECT_EQ(log.take(), (Lines{"received probe 5 1.1 2.77", "sent sack 5 1.1 2.77"}));
    bench.deliver(bench.data(99, 3));
    EXPECT_EQ(log.take(), (Lines{"received data 3 1.99 0.0"}));
}

// [RC-65.8] [TR-3] A queue pair that was closed meanwhile: what still arrives for it tells of the other end.
TEST(Observer, FramesForAQueuePairThatIsClosed)
{
    TransportBench bench;
    Log log;
    bench.transport.observe_frames(&log);
    const QpNumber sending = bench.open_sender();
    const QpNumber receiving = bench.open_receiver(77);
    bench.verbs().close(sending);
    bench.verbs().close(receiving);
    const std::vector<FrameRef> late{bench.ack(sending, 5), bench.data(receiving, 3)};
    for (const FrameRef& frame : late) {
        frame->network.source = 2;
        frame->sender_qp = 77;
        bench.deliver(frame);
    }
    EXPECT_EQ(log.take(), (Lines{"received ack 5 1.1 2.77", "received data 3 1.2 2.77"}));
}

// [RC-66] A probe, when its serialization ends; it has no part in the windows.
TEST(Observer, Probe)
{
    config::NicConfig config;
    config.paths.base_rtt_probe_enable = true;
    TransportBench bench{config};
    Log log;
    bench.transport.observe_frames(&log);
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 10);
    EXPECT_EQ(log.take(), Lines{});
    (void)bench.egress.next_probe();
    EXPECT_EQ(log.take(), (Lines{"sent probe 0 1.1 2.1001"}));
}

// [RC-60.57 .. RC-60.79] [RC-62] Samples, in bytes and picoseconds, since the start and since the last row.
TEST(Observer, SenderSamples)
{
    TransportBench bench;
    TransportSamples samples;
    bench.transport.collect(&samples);
    const QpNumber qp = bench.open_sender();
    bench.post(1, qp, 2 * 4096);
    bench.run_to(kPass);
    (void)bench.send_all();
    EXPECT_EQ(samples.congestion_window.total().count, 2U);
    EXPECT_DOUBLE_EQ(samples.congestion_window.total().mean(), 450'000.0);
    EXPECT_DOUBLE_EQ(samples.bytes_in_flight.total().maximum, 8'312.0);  // both are fetched by then
    bench.run_to(kPass + 14 * kUs);
    FrameRef sack = bench.sack(qp, 0, 0);
    sack->cc_state.receiver_penalty = 12;
    bench.deliver(sack);
    EXPECT_EQ(samples.rtt.total().count, 1U);
    EXPECT_DOUBLE_EQ(samples.rtt.total().sum, 14'000'000.0);
    EXPECT_DOUBLE_EQ(samples.average_delay.total().maximum, 2'000'000.0);  // [CC-W4] d = 8 us
    EXPECT_DOUBLE_EQ(samples.receiver_penalty.total().maximum, 12.0);
    samples.transmissions.start_interval();
    bench.deliver(bench.nack(qp, 1, NackReason::trimmed));
    EXPECT_EQ(samples.rtt.total().count, 1U);  // of SACKs only
    EXPECT_DOUBLE_EQ(samples.transmissions.interval().maximum, 2.0);
    EXPECT_EQ(samples.transmissions.interval().count, 1U);
    EXPECT_EQ(samples.congestion_window.total().count, 2U);  // first transmissions only
    EXPECT_EQ(bench.sender().counters().max_tx_count, 2U);
}

// [RC-60.29] [RC-60.31] Packets held out of order, at each that comes so.
TEST(Observer, ReceiverSamples)
{
    TransportBench bench;
    TransportSamples samples;
    bench.transport.collect(&samples);
    const QpNumber qp = bench.open_receiver();
    for (const Psn psn : {2U, 3U, 0U, 1U, 6U}) {
        bench.deliver(bench.data(qp, psn));
    }
    EXPECT_EQ(samples.out_of_order.total().count, 3U);
    EXPECT_DOUBLE_EQ(samples.out_of_order.total().maximum, 2.0);
    EXPECT_DOUBLE_EQ(samples.out_of_order.total().minimum, 1.0);
    EXPECT_EQ(bench.receiver().counters().out_of_order, 3U);
    EXPECT_EQ(bench.receiver().counters().max_out_of_order, 2U);
}

}  // namespace
}  // namespace mrcnic::transport
