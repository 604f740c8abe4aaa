#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/ack_policy.h"
#include "mrcnic/transport/congestion_window.h"

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

CongestionWindow window_of(const config::CongestionControlConfig& config)
{
    return {Nscc{config, k400Gbps, 4096, kFullNominal, false, 0}, config.pass_through};
}

// [CC-W1] [CC-20] 108 full packets fit, 1,152 nominal bytes remain; F + n = window still goes.
TEST(CongestionWindow, GateIsInclusive)
{
    const config::CongestionControlConfig config;
    CongestionWindow window = window_of(config);
    int packets = 0;
    while (window.fits(kFullNominal)) {
        window.add_in_flight(kFullNominal);
        ++packets;
    }
    EXPECT_EQ(packets, 108);
    EXPECT_EQ(window.in_flight(), 448'848U);
    EXPECT_TRUE(window.fits(1'152));
    EXPECT_FALSE(window.fits(1'153));
    window.remove_in_flight(kFullNominal, false);
    EXPECT_TRUE(window.fits(kFullNominal + 1'152));
}

// [CC-20] The gate follows the window: 450,000 - 4,156 after a timeout leaves room for 107 full packets.
TEST(CongestionWindow, GateFollowsTheWindow)
{
    const config::CongestionControlConfig config;
    CongestionWindow window = window_of(config);
    window.control().on_timeout(kFullNominal);
    EXPECT_DOUBLE_EQ(window.window(), 445'844.0);
    EXPECT_TRUE(window.fits(445'844));
    EXPECT_FALSE(window.fits(445'845));
}

// [CC-2] PassThrough: computed, not enforced.
TEST(CongestionWindow, PassThrough)
{
    config::CongestionControlConfig config;
    config.pass_through = true;
    CongestionWindow window = window_of(config);
    window.add_in_flight(450'000);
    EXPECT_TRUE(window.fits(kFullNominal));
    window.control().on_timeout(kFullNominal);
    EXPECT_DOUBLE_EQ(window.window(), 445'844.0);
}

}  // namespace
}  // namespace mrcnic::transport
