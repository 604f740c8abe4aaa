#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/ack_policy.h"
#include "mrcnic/transport/congestion_window.h"
#include "mrcnic/transport/path_selector.h"

namespace mrcnic::transport {
namespace {

constexpr BitsPerSecond k400Gbps = 400'000'000'000;
constexpr std::uint32_t kFullNominal = 4156;

/// Which of `count` transmissions ask for an acknowledgement, "x" those that do; none is a last one.
std::string asking(const config::TransportConfig& config, std::size_t count)
{
    AckPolicy policy{config};
    std::string result;
    for (std::size_t i = 0; i < count; ++i) {
        result += policy.request(false, false) ? 'x' : '.';
    }
    return result;
}

// [TR-66] N = 1, the default: every packet.
TEST(AckPolicy, EveryPacketByDefault)
{
    EXPECT_EQ(asking({}, 6), "xxxxxx");
    config::TransportConfig config;
    config.ack_request_first_packet = false;
    EXPECT_EQ(asking(config, 6), "xxxxxx");
}

// [TR-66] The 1st, (N+1)th, (2N+1)th with AckRequestFirstPacket, else the Nth, 2Nth.
TEST(AckPolicy, EveryNth)
{
    config::TransportConfig config;
    config.ack_request_every_nth_packet = 4;
    EXPECT_EQ(asking(config, 10), "x...x...x.");
    config.ack_request_first_packet = false;
    EXPECT_EQ(asking(config, 10), "...x...x..");
}

// [TR-66] Last packets by their attribute, repetitions always; both count as transmissions.
TEST(AckPolicy, LastPacketsAndRepetitions)
{
    config::TransportConfig config;
    config.ack_request_every_nth_packet = 4;
    AckPolicy policy{config};
    EXPECT_TRUE(policy.request(false, false));   // 1st
    EXPECT_TRUE(policy.request(true, false));    // 2nd: last of its message
    EXPECT_TRUE(policy.request(false, true));    // 3rd: a repetition
    EXPECT_FALSE(policy.request(false, false));  // 4th
    EXPECT_TRUE(policy.request(false, false));   // 5th

    config.ack_request_last_packet = false;
    AckPolicy without_last{config};
    EXPECT_TRUE(without_last.request(true, false));  // 1st
    EXPECT_FALSE(without_last.request(true, false));
}

// [CC-W1] [CC-17] [CC-3] BDP 300,000; maximum 450,000 nominal bytes.
TEST(CongestionWindow, StartsAtOneAndAHalfBdp)
{
    const CongestionWindow window{{}, k400Gbps, kFullNominal};
    EXPECT_DOUBLE_EQ(window.window(), 450'000.0);
    config::CongestionControlConfig config;
    config.initial_base_rtt = 8'000'000;
    EXPECT_DOUBLE_EQ((CongestionWindow{config, k400Gbps, kFullNominal}.window()), 600'000.0);
    EXPECT_DOUBLE_EQ((CongestionWindow{{}, 100'000'000'000, kFullNominal}.window()), 112'500.0);
}

// [CC-1] Whether NSCC runs or not, the window is at its start value and limits.
TEST(CongestionWindow, StaysAtItsStartWithoutNscc)
{
    config::CongestionControlConfig config;
    config.nscc_enable = false;
    CongestionWindow window{config, k400Gbps, kFullNominal};
    EXPECT_DOUBLE_EQ(window.window(), 450'000.0);
    window.add_in_flight(450'000);
    EXPECT_FALSE(window.fits(1));
}

// [CC-8] In full packets when overridden: 108 x 4,156 = 448,848.
TEST(CongestionWindow, MaximumInPackets)
{
    config::CongestionControlConfig config;
    config.override_max_congestion_window = true;
    EXPECT_DOUBLE_EQ((CongestionWindow{config, k400Gbps, kFullNominal}.window()), 448'848.0);
    config.max_congestion_window = 2;
    EXPECT_DOUBLE_EQ((CongestionWindow{config, k400Gbps, kFullNominal}.window()), 8'312.0);
}

// [CC-17] On a slow link the lower bound of one full nominal packet wins: 1 Gbps x 6 us x 1.5 / 8 = 1,125.
TEST(CongestionWindow, NeverBelowOneFullPacket)
{
    CongestionWindow window{{}, 1'000'000'000, kFullNominal};
    EXPECT_DOUBLE_EQ(window.window(), 4'156.0);
    EXPECT_TRUE(window.fits(4'156));
    window.add_in_flight(4'156);
    EXPECT_FALSE(window.fits(60));
}

// [CC-W1] [CC-20] 108 full packets fit, 1,152 nominal bytes remain; F + n = window still goes.
TEST(CongestionWindow, GateIsInclusive)
{
    CongestionWindow window{{}, k400Gbps, kFullNominal};
    int packets = 0;
    while (window.fits(kFullNominal)) {
        window.add_in_flight(kFullNominal);
        ++packets;
    }
    EXPECT_EQ(packets, 108);
    EXPECT_EQ(window.in_flight(), 448'848U);
    EXPECT_TRUE(window.fits(1'152));
    EXPECT_FALSE(window.fits(1'153));
    window.remove_in_flight(kFullNominal);
    EXPECT_TRUE(window.fits(kFullNominal + 1'152));
}

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

}  // namespace
}  // namespace mrcnic::transport
