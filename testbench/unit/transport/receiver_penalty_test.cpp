#include "mrcnic/transport/receiver_penalty.h"

#include <gtest/gtest.h>

namespace mrcnic::transport {
namespace {

constexpr std::uint64_t kPool = 3'600'000;

config::CongestionControlConfig enabled()
{
    config::CongestionControlConfig config;
    config.receiver_penalty_enabled = true;
    return config;
}

// [CC-43] [CC-W13] 25, 50, 62.5 and 75 % of the pool; 127 x 37.5 / 50 = 95.25.
TEST(ReceiverPenalty, RisesBetweenTheThresholds)
{
    const ReceiverPenalty penalty{enabled(), kPool};
    EXPECT_EQ(penalty.at(900'000), 0);
    EXPECT_EQ(penalty.at(1'800'000), 63);
    EXPECT_EQ(penalty.at(2'250'000), 95);
    EXPECT_EQ(penalty.at(2'700'000), 127);
}

// [CC-43] 1 / 127 of the way is 14,173.2 bytes, all of it 1,800,000.
TEST(ReceiverPenalty, RoundsDownAndHasEnds)
{
    const ReceiverPenalty penalty{enabled(), kPool};
    EXPECT_EQ(penalty.at(0), 0);
    EXPECT_EQ(penalty.at(899'999), 0);
    EXPECT_EQ(penalty.at(914'173), 0);
    EXPECT_EQ(penalty.at(914'174), 1);
    EXPECT_EQ(penalty.at(2'699'999), 126);
    EXPECT_EQ(penalty.at(kPool), 127);
}

// [CC-11] [CC-43] From 0 to 50 % of 1,000 bytes: 127 x 12.5 / 50 = 31.75; 127 x 49.9 / 50 = 126.7.
TEST(ReceiverPenalty, ThresholdsAreAttributes)
{
    config::CongestionControlConfig config = enabled();
    config.receiver_congestion_low_threshold = 0;
    config.receiver_congestion_high_threshold = 50;
    const ReceiverPenalty penalty{config, 1000};
    EXPECT_EQ(penalty.at(0), 0);
    EXPECT_EQ(penalty.at(125), 31);
    EXPECT_EQ(penalty.at(499), 126);
    EXPECT_EQ(penalty.at(500), 127);
}

// [CC-11] Off by default.
TEST(ReceiverPenalty, NeedsToBeEnabled)
{
    const ReceiverPenalty penalty{config::CongestionControlConfig{}, kPool};
    EXPECT_EQ(penalty.at(kPool), 0);
}

}  // namespace
}  // namespace mrcnic::transport
