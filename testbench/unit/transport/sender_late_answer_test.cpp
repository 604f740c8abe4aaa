#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;
constexpr Psn kNone = 0xFFFFFF;  // cumulative PSN before anything has arrived

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
    TransportBench bench{without_nscc()};
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
