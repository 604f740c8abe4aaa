#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/retransmit_timers.h"

namespace mrcnic::transport {
namespace {

constexpr Picoseconds kUs = 1'000'000;

struct TimerBench {
    config::TransportConfig config;
    RetransmitTimers timers{config};
    std::set<std::uint32_t> stopped;  // transmissions

    [[nodiscard]] auto stale() const
    {
        return [this](const RetransmitTimers::Timer& timer) { return stopped.count(timer.transmission) != 0; };
    }
    void start(Picoseconds now, std::uint32_t count, std::uint32_t transmission)
    {
        timers.start(now, count, {0, 1, transmission, transmission}, stale());
    }
    [[nodiscard]] Picoseconds next() { return timers.next_deadline(stale()); }
    /// Transmissions whose timers expire at `now`.
    std::vector<std::uint32_t> expire(Picoseconds now)
    {
        std::vector<std::uint32_t> expired;
        RetransmitTimers::Timer timer;
        while (timers.take_expired(now, timer, stale())) {
            expired.push_back(timer.transmission);
        }
        return expired;
    }
};

// [TR-W7] [TR-85] 150, 300, 600, 1,200, 2,400, 4,800, 4,800 us.
TEST(RetransmitTimers, BackOffDoublesFiveTimes)
{
    const TimerBench bench;
    const std::vector<Picoseconds> expected{150, 300, 600, 1'200, 2'400, 4'800, 4'800, 4'800};
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(bench.timers.timeout(i), expected[i] * kUs) << i;
    }
}

// [TR-85] Bounds of MaxExponentialRTOBackoffCount: 0 never doubles; 15 doubles fifteen times, 32,768 x.
TEST(RetransmitTimers, BackOffBounds)
{
    TimerBench bench;
    bench.config.max_exponential_rto_backoff_count = 0;
    EXPECT_EQ(bench.timers.timeout(7), 150 * kUs);
    bench.config.max_exponential_rto_backoff_count = 15;
    EXPECT_EQ(bench.timers.timeout(15), 4'915'200 * kUs);
    EXPECT_EQ(bench.timers.timeout(4'000'000'000U), 4'915'200 * kUs);
}

// [TR-86] FixedRexmitTimeout always.
TEST(RetransmitTimers, FixedTime)
{
    TimerBench bench;
    bench.config.fixed_rexmit_time_enable = true;
    bench.config.fixed_rexmit_timeout = 70 * kUs;
    EXPECT_EQ(bench.timers.timeout(0), 70 * kUs);
    EXPECT_EQ(bench.timers.timeout(9), 70 * kUs);
    bench.start(0, 9, 1);
    bench.start(kUs, 0, 2);
    EXPECT_EQ(bench.expire(70 * kUs), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(bench.expire(71 * kUs), (std::vector<std::uint32_t>{2}));
}

// [TR-85] In order of deadline, whatever the order of the starts.
TEST(RetransmitTimers, ExpireInOrderOfDeadline)
{
    TimerBench bench;
    EXPECT_EQ(bench.next(), kNever);
    bench.start(0, 1, 10);         // at 300
    bench.start(20 * kUs, 0, 11);  // at 170
    bench.start(30 * kUs, 0, 12);  // at 180
    EXPECT_EQ(bench.next(), 170 * kUs);
    EXPECT_TRUE(bench.expire(170 * kUs - 1).empty());
    EXPECT_EQ(bench.expire(300 * kUs), (std::vector<std::uint32_t>{11, 12, 10}));
    EXPECT_EQ(bench.next(), kNever);
}

// [TR-74] A stopped timer never expires and is not waited for.
TEST(RetransmitTimers, StoppedTimersAreForgotten)
{
    TimerBench bench;
    bench.start(0, 0, 1);
    bench.start(kUs, 0, 2);
    bench.start(2 * kUs, 0, 3);
    bench.stopped = {1, 3};
    EXPECT_EQ(bench.next(), 151 * kUs);
    EXPECT_EQ(bench.expire(200 * kUs), (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(bench.next(), kNever);
}

}  // namespace
}  // namespace mrcnic::transport
