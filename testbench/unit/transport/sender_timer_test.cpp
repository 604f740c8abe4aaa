#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::NackReason;

constexpr Picoseconds kPass = TransportBench::kPass;
constexpr Picoseconds kUs = TransportBench::kUs;

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
    config::NicConfig config = without_nscc();
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

}  // namespace
}  // namespace mrcnic::transport
