#include "mrcnic/workload/node_clock.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::workload {
namespace {

using Ends = std::vector<std::pair<Picoseconds, std::size_t>>;

/// Runs a clock until it is empty.
Ends run(NodeClock& clock)
{
    Ends ends;
    while (clock.next_end() != kNever) {
        const Picoseconds now = clock.next_end();
        std::vector<std::size_t> ended;
        clock.take_ended(now, ended);
        for (const std::size_t node : ended) {
            ends.emplace_back(now, node);
        }
    }
    return ends;
}

// [WL-W4] [WL-53] 10 us each: both end at 20 us if they share, else at 10 us.
TEST(NodeClock, HasTheWorkedNumbers)
{
    NodeClock shared;
    shared.start_shared(0, 10'000'000, 0);
    shared.start_shared(1, 10'000'000, 0);
    EXPECT_EQ(run(shared), (Ends{{20'000'000, 0}, {20'000'000, 1}}));
    NodeClock alone;
    alone.start_alone(0, 10'000'000, 0);
    alone.start_alone(1, 10'000'000, 0);
    EXPECT_EQ(run(alone), (Ends{{10'000'000, 0}, {10'000'000, 1}}));
}

// [WL-53] 10 from 0 and 10 from 4: the first has 6 left at 4, which take 12; then the other has 4 left by itself.
TEST(NodeClock, SharesWhileOthersRun)
{
    NodeClock clock;
    clock.start_shared(7, 10, 0);
    EXPECT_EQ(clock.next_end(), 10);
    clock.start_shared(8, 10, 4);
    EXPECT_EQ(clock.next_end(), 16);
    EXPECT_EQ(run(clock), (Ends{{16, 7}, {20, 8}}));
}

// [WL-53] A short node among long ones: with it each runs at a quarter, without it at a third. 1 x 4 = 4; 999 x 3 more.
TEST(NodeClock, EndsWithoutDriftAfterThirds)
{
    NodeClock clock;
    for (std::size_t node = 0; node < 3; ++node) {
        clock.start_shared(node, 1'000'000'000'000, 0);
    }
    clock.start_shared(3, 1, 0);
    EXPECT_EQ(run(clock), (Ends{{4, 3}, {3'000'000'000'001, 0}, {3'000'000'000'001, 1}, {3'000'000'000'001, 2}}));
}

// Three of 5 from 0, a fourth from 1: at 1 each of the three has 14/3 left, times 4 is 18 2/3: done at 19 2/3, so
// at 20. The fourth has done 19/4 by then; the last quarter takes one more picosecond.
TEST(NodeClock, EndsAtTheFirstWholePicosecond)
{
    NodeClock clock;
    for (std::size_t node = 0; node < 3; ++node) {
        clock.start_shared(node, 5, 0);
    }
    clock.start_shared(3, 5, 1);
    EXPECT_EQ(run(clock), (Ends{{20, 0}, {20, 1}, {20, 2}, {21, 3}}));
}

// [WL-53] What runs alone neither slows others nor is slowed; ends of one instant come in the order of the starts.
TEST(NodeClock, KeepsTheTwoKindsApart)
{
    NodeClock clock;
    clock.start_shared(0, 10, 0);
    clock.start_alone(1, 10, 0);
    clock.start_shared(2, 0, 3);
    EXPECT_EQ(run(clock), (Ends{{3, 2}, {10, 0}, {10, 1}}));
}

// Three of 10,000 share; a node without work comes and goes every picosecond, and each time a third is rounded. They
// still end at 30,000.
TEST(NodeClock, DoesNotDriftWithManyChanges)
{
    NodeClock clock;
    for (std::size_t node = 0; node < 3; ++node) {
        clock.start_shared(node, 10'000, 0);
    }
    for (Picoseconds now = 1; now < 30'000; ++now) {
        clock.start_shared(3, 0, now);
        ASSERT_EQ(clock.next_end(), now);
        std::vector<std::size_t> ended;
        clock.take_ended(now, ended);
        ASSERT_EQ(ended, std::vector<std::size_t>{3});
    }
    EXPECT_EQ(run(clock), (Ends{{30'000, 0}, {30'000, 1}, {30'000, 2}}));
}

}  // namespace
}  // namespace mrcnic::workload
