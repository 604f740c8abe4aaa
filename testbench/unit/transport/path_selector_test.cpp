#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/path_selector.h"
#include "testbench/support/harness.h"

namespace mrcnic::transport {
namespace {

using State = EvRotation::State;

std::vector<std::uint32_t> take(PathSelector& paths, std::size_t count)
{
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(paths.next());
    }
    return values;
}

// [MP-W1] [MP-3] 256 packets: ports 256..383, each twice, in order; RoundRobin and EvRotation with all GOOD alike.
TEST(PathSelector, TakesTheSetInOrder)
{
    for (const auto type : {config::PacketSpraying::round_robin, config::PacketSpraying::ev_rotation}) {
        config::PathsConfig config;
        config.packet_spraying_type = type;
        PathSelector paths{config, 3};
        for (std::uint32_t i = 0; i < 256; ++i) {
            ASSERT_EQ(paths.next(), 256 + i % 128) << i;
        }
    }
}

// [MP-3] None: one value per destination, offset + (index mod 2^bits).
TEST(PathSelector, OneValuePerDestination)
{
    config::PathsConfig config;
    config.packet_spraying_type = config::PacketSpraying::none;
    PathSelector first{config, 0};
    PathSelector sixth{config, 5};
    PathSelector around{config, 130};
    EXPECT_EQ(take(first, 3), (std::vector<std::uint32_t>{256, 256, 256}));
    EXPECT_EQ(take(sixth, 2), (std::vector<std::uint32_t>{261, 261}));
    EXPECT_EQ(take(around, 1), (std::vector<std::uint32_t>{258}));
}

// [MP-3] [MP-1] A set of one value, and values modulo 65,536: the entropy is a UDP port.
TEST(PathSelector, BoundsOfTheSet)
{
    config::PathsConfig config;
    config.entropy_mask_bits = 0;
    PathSelector single{config, 0};
    EXPECT_EQ(take(single, 3), (std::vector<std::uint32_t>{256, 256, 256}));
    config.entropy_mask_bits = 2;
    config.starting_port_offset = 65'534;
    PathSelector wraps{config, 0};
    EXPECT_EQ(take(wraps, 5), (std::vector<std::uint32_t>{65'534, 65'535, 0, 1, 65'534}));
}

std::vector<std::uint32_t> take(EvRotation& rotation, std::size_t count)
{
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(rotation.next());
    }
    return values;
}

// [MP-W2] [MP-11] Four values, 1 and 2 SKIP, cursor 1: 3 (1 restored, 2 passed); 0; 1; 3 (2 restored on that walk).
TEST(EvRotation, RestoresOneSkipAPacket)
{
    EvRotation rotation{4, 1};
    (void)rotation.next();
    rotation.on_congestion(1);
    rotation.on_congestion(2);
    EXPECT_EQ(rotation.next(), 3U);
    EXPECT_EQ(rotation.state(1), State::good);
    EXPECT_EQ(rotation.state(2), State::skip);
    EXPECT_EQ(take(rotation, 3), (std::vector<std::uint32_t>{0, 1, 3}));
    EXPECT_EQ(rotation.state(2), State::good);
    EXPECT_EQ(take(rotation, 4), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// [MP-10] [MP-20] All are GOOD at start; congestion makes a GOOD one SKIP and leaves the others.
TEST(EvRotation, Congestion)
{
    EvRotation rotation{4, 1};
    for (std::uint32_t value = 0; value < 4; ++value) {
        EXPECT_EQ(rotation.state(value), State::good);
    }
    rotation.on_congestion(0);
    rotation.on_congestion(0);
    EXPECT_EQ(rotation.state(0), State::skip);
    EXPECT_TRUE(rotation.assume_bad(1));
    rotation.on_congestion(1);
    EXPECT_EQ(rotation.state(1), State::assumed_bad);
    rotation.deny(2);
    rotation.on_congestion(2);
    EXPECT_EQ(rotation.state(2), State::denied);
}

// [MP-11] ASSUMED_BAD and DENIED are passed, as often as the ring comes round.
TEST(EvRotation, PassesBadAndDenied)
{
    EvRotation rotation{4, 1};
    EXPECT_TRUE(rotation.assume_bad(1));
    rotation.deny(3);
    EXPECT_EQ(take(rotation, 5), (std::vector<std::uint32_t>{0, 2, 0, 2, 0}));
}

// [MP-11] A full lap without a GOOD one: the one just restored, which then is GOOD and the only one.
TEST(EvRotation, LapWithoutAGoodOneTakesTheRestored)
{
    EvRotation rotation{4, 1};
    for (const std::uint32_t value : {0U, 3U}) {
        EXPECT_TRUE(rotation.assume_bad(value));
    }
    rotation.on_congestion(1);
    rotation.on_congestion(2);
    EXPECT_EQ(rotation.next(), 1U);
    EXPECT_EQ(rotation.state(2), State::skip);
    EXPECT_EQ(rotation.next(), 1U);  // 2 is restored on the way, 1 is the first GOOD one
    EXPECT_EQ(rotation.next(), 2U);
}

// [MP-11] Nothing but bad ones: the cursor's own value, and the cursor goes on.
TEST(EvRotation, AllBad)
{
    EvRotation rotation{3, 1};
    for (std::uint32_t value = 0; value < 3; ++value) {
        EXPECT_TRUE(rotation.assume_bad(value));
    }
    EXPECT_EQ(take(rotation, 4), (std::vector<std::uint32_t>{0, 1, 2, 0}));
    EXPECT_EQ(rotation.state(0), State::assumed_bad);
}

// [MP-21] A timeout makes any value bad but a bad or denied one; it counts as newly bad once.
TEST(EvRotation, Timeouts)
{
    EvRotation rotation{4, 1};
    rotation.on_congestion(1);
    EXPECT_TRUE(rotation.on_timeout(0));
    EXPECT_TRUE(rotation.on_timeout(1));
    EXPECT_FALSE(rotation.on_timeout(1));
    rotation.deny(2);
    EXPECT_FALSE(rotation.on_timeout(2));
    EXPECT_EQ(rotation.state(2), State::denied);
    EXPECT_EQ(rotation.state(1), State::assumed_bad);
    EXPECT_EQ(rotation.times_bad(1), 1U);
    EXPECT_EQ(rotation.times_bad(3), 0U);
}

// [MP-21] EvTimeoutsToBad 3: the third of one value.
TEST(EvRotation, SeveralTimeoutsToBad)
{
    EvRotation rotation{4, 3};
    EXPECT_FALSE(rotation.on_timeout(0));
    EXPECT_FALSE(rotation.on_timeout(0));
    EXPECT_FALSE(rotation.on_timeout(1));
    EXPECT_EQ(rotation.state(0), State::good);
    EXPECT_TRUE(rotation.on_timeout(0));
    EXPECT_EQ(rotation.state(0), State::assumed_bad);
    EXPECT_EQ(rotation.state(1), State::good);
}

// [MP-22] An answer without a mark: GOOD; with one: SKIP; of a value that is not bad any more: nothing.
TEST(EvRotation, ProbeAnswers)
{
    EvRotation rotation{4, 1};
    EXPECT_TRUE(rotation.assume_bad(0));
    EXPECT_TRUE(rotation.assume_bad(1));
    rotation.on_probe_answer(0, false);
    rotation.on_probe_answer(1, true);
    rotation.on_probe_answer(2, true);
    EXPECT_EQ(rotation.state(0), State::good);
    EXPECT_EQ(rotation.state(1), State::skip);
    EXPECT_EQ(rotation.state(2), State::good);
    EXPECT_TRUE(rotation.assume_bad(0));
    EXPECT_EQ(rotation.times_bad(0), 2U);
}

// [MP-11] The walk by words agrees with the walk by steps, on 256 values in any states.
TEST(EvRotation, AgreesWithAWalkByHand)
{
    constexpr std::uint32_t kSize = 256;
    std::mt19937_64 random{testbench::seed()};
    EvRotation rotation{kSize, 1};
    std::vector<State> states(kSize, State::good);
    std::uint32_t cursor = 0;
    for (int packet = 0; packet < 20'000; ++packet) {
        const auto value = static_cast<std::uint32_t>(random() % kSize);
        const auto what = random() % 16;
        if (what < 9) {
            rotation.on_congestion(value);
            states[value] = states[value] == State::good ? State::skip : states[value];
        } else if (what < 12) {
            (void)rotation.assume_bad(value);
            states[value] = State::assumed_bad;
        } else if (what < 14) {
            rotation.on_probe_answer(value, false);
            states[value] = states[value] == State::assumed_bad ? State::good : states[value];
        }
        std::uint32_t expected = kSize;
        std::uint32_t restored = kSize;
        for (std::uint32_t step = 0; step < kSize && expected == kSize; ++step) {
            const std::uint32_t at = (cursor + step) % kSize;
            if (states[at] == State::good) {
                expected = at;
            } else if (states[at] == State::skip && restored == kSize) {
                states[at] = State::good;
                restored = at;
            }
        }
        if (expected == kSize) {
            expected = restored != kSize ? restored : cursor;
        }
        cursor = (expected + 1) % kSize;
        ASSERT_EQ(rotation.next(), expected) << packet;
    }
}

// [MP-20] [MP-22] Feedback by entropy value: those of the set only, and of no use to the other types.
TEST(PathSelector, Feedback)
{
    config::PathsConfig config;
    config.entropy_mask_bits = 2;
    PathSelector paths{config, 0};
    paths.on_congestion(256);
    EXPECT_TRUE(paths.assume_bad(257));
    EXPECT_TRUE(paths.on_timeout(258));
    EXPECT_FALSE(paths.assume_bad(260));
    EXPECT_FALSE(paths.on_timeout(255));
    EXPECT_EQ(take(paths, 2), (std::vector<std::uint32_t>{259, 256}));
    EXPECT_TRUE(paths.is_bad(257));
    EXPECT_FALSE(paths.is_bad(256));
    EXPECT_FALSE(paths.is_bad(300));
    EXPECT_EQ(paths.times_bad(257), 1U);
    EXPECT_EQ(paths.times_bad(300), 0U);
    paths.on_probe_answer(257, false);
    EXPECT_FALSE(paths.is_bad(257));
    for (const auto type : {config::PacketSpraying::none, config::PacketSpraying::round_robin}) {
        config.packet_spraying_type = type;
        PathSelector stateless{config, 0};
        stateless.on_congestion(256);
        EXPECT_FALSE(stateless.assume_bad(256));
        EXPECT_FALSE(stateless.on_timeout(256));
        EXPECT_EQ(stateless.next(), 256U);
    }
}

}  // namespace
}  // namespace mrcnic::transport
