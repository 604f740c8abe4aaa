#include "mrcnic/platforms/line_rate_receive.h"

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::PlatformRun;
using testbench::run_all;
using testbench::Settings;

constexpr Picoseconds kDelay = 100'000;
constexpr Picoseconds kFrameTime = 83'480;

/// [PC-7] Frame n (n = 1, 2, ...) arrives at `Delay` + n x 83.48 ns.
Picoseconds arrival(std::uint64_t frame)
{
    return kDelay + static_cast<Picoseconds>(frame) * kFrameTime;
}

/// A run of the receiver with so many NIC-side lanes until `stop`.
config::Config lanes(int count, Picoseconds stop)
{
    return configuration("line_rate_receive", {{"nic.HostInterface.NICSide.LaneCount", std::to_string(count)},
                                               {"simulation.StopTime", std::to_string(stop) + "ps"}});
}

/// [PC-7, IN-4] Keeps up: nothing dropped, at most two frames in the pool, 4,096 bytes written in each 83.48 ns, which
/// is 392.525 Gbps. [SW-W7] The SACKs take 1.88 / 83.48 = 2.252 % of the way back.
void expect_keeps_up(int lane_count)
{
    PlatformRun run{"run", lanes(lane_count, arrival(20'000))};
    const transport::Receiver& receiver = run.node(0).nic.transport().receiver();
    const StatisticGroup& host = run.node(0).root_port.root_complex().statistics();
    const auto written = [&host] { return std::get<std::uint64_t>(host.statistics().at(1).read()); };
    ASSERT_EQ(host.statistics().at(1).name, "bytes_written");
    std::uint64_t early = 0;
    std::uint64_t late = 0;
    run.script().look_at(arrival(2'000), [&] { early = written(); });
    run.script().look_at(arrival(18'000), [&] { late = written(); });
    run_all({&run});
    EXPECT_EQ(run.number("node_0.ingress.drops_data"), 0U);
    EXPECT_LE(run.number("node_0.ingress.data_peak_bytes"), 2U * 4'174U);
    EXPECT_EQ(receiver.counters().data_received, 20'000U);
    const double gbps = static_cast<double>(late - early) * 8.0 / (16'000 * 83.48);
    EXPECT_NEAR(gbps, 392.525, 0.001);
    const double share =
        static_cast<double>(run.number("node_0.port.tx_busy_ps")) / static_cast<double>(arrival(20'000));
    EXPECT_NEAR(share, 0.02252, 0.00001);
}

TEST(LineRateReceive, SixteenLanesKeepUp)
{
    expect_keeps_up(16);
}
TEST(LineRateReceive, FifteenLanesKeepUp)
{
    expect_keeps_up(15);
}
TEST(LineRateReceive, FourteenLanesKeepUp)
{
    expect_keeps_up(14);
}

/// [PC-7] Too few lanes: the pool fills; the first frame that is dropped, and after it the share of those dropped.
/// [IN-1, RC-1] A drop is in `rx_drops` of nd-stats and nowhere in the transport.
void expect_falls_behind(int lane_count, std::uint64_t first_drop, double percent)
{
    const std::uint64_t settled = first_drop + 5'000;
    const std::uint64_t window = 60'000;
    PlatformRun run{"run", lanes(lane_count, arrival(settled + window))};
    const nic::IngressBuffer& buffer = run.node(0).nic.ingress_buffer();
    std::uint64_t drops_before = 0;
    run.script().at(arrival(first_drop), EventClass::serialization_end, [&] { EXPECT_EQ(buffer.drops(), 0U); });
    run.script().look_at(arrival(first_drop), [&] { EXPECT_EQ(buffer.drops(), 1U); });
    run.script().look_at(arrival(settled), [&] { drops_before = buffer.drops(); });
    run_all({&run});
    const double share = static_cast<double>(buffer.drops() - drops_before) / static_cast<double>(window) * 100;
    EXPECT_NEAR(share, percent, 0.1);
    EXPECT_EQ(run.number("MrcNic-0.0.rx_drops"), buffer.drops());
    EXPECT_EQ(run.number("node_0.port.rx_frames"), settled + window);
    EXPECT_EQ(run.number("node_0.transport.data_received"), settled + window - buffer.drops());
    EXPECT_EQ(run.number("node_0.transport.duplicates") + run.number("node_0.transport.window_discards") +
                  run.number("node_0.transport.out_of_order") + run.number("node_0.transport.nacks_sent"),
              0U);
}

TEST(LineRateReceive, ThirteenLanesFallBehind)
{
    expect_falls_behind(13, 43'602, 2.110);
}
TEST(LineRateReceive, TwelveLanesFallBehind)
{
    expect_falls_behind(12, 9'544, 9.640);
}
TEST(LineRateReceive, EightLanesFallBehind)
{
    expect_falls_behind(8, 2'315, 39.760);
}
TEST(LineRateReceive, FourLanesFallBehind)
{
    expect_falls_behind(4, 1'318, 69.880);
}

// [PC-7] The times of the first drops, us to one place, from the numbers of their frames.
TEST(LineRateReceive, TimesOfTheFirstDrops)
{
    EXPECT_NEAR(static_cast<double>(arrival(43'602)) / 1e6, 3'640.0, 0.05);
    EXPECT_NEAR(static_cast<double>(arrival(9'544)) / 1e6, 796.8, 0.05);
    EXPECT_NEAR(static_cast<double>(arrival(2'315)) / 1e6, 193.4, 0.05);
    EXPECT_NEAR(static_cast<double>(arrival(1'318)) / 1e6, 110.1, 0.05);
}

// [PC-7] `FrameCount` ends the run as a stop time does: one frame less, no drop.
TEST(LineRateReceive, FrameCount)
{
    const Settings four{{"nic.HostInterface.NICSide.LaneCount", "4"}};
    config::Config before = configuration("line_rate_receive", four);
    config::set(before, "workload.FrameCount", "1317");
    config::Config at = before;
    config::set(at, "workload.FrameCount", "1318");
    PlatformRun none{"none", before};
    PlatformRun one{"one", at};
    run_all({&none, &one});
    EXPECT_EQ(none.platform().outcome(), Outcome::completed);
    EXPECT_EQ(none.number("node_0.ingress.drops_data"), 0U);
    EXPECT_EQ(one.number("node_0.ingress.drops_data"), 1U);
    EXPECT_EQ(one.number("node_0.host.bytes_written"), 1'317U * 4'096U);
    EXPECT_EQ(one.number("node_0.nic_to_host.tlps"), 1'317U * 8U);
    EXPECT_EQ(one.node(0).nic.ingress_buffer().pool(packet::TrafficClass::data).occupancy(), 0U);
}

// [PC-8, PC-9] Headers bind first: 470 transfers of a write wait in the transmit buffer, 240,640 bytes of payload.
TEST(LineRateReceive, HeadersBindFirst)
{
    PlatformRun run{"run", lanes(4, arrival(1'317))};
    run_all({&run});
    EXPECT_GT(run.number("node_0.nic_to_host.tx_header_wait_ps"), 0U);
    EXPECT_EQ(run.number("node_0.nic_to_host.tx_data_wait_ps"), 0U);
}

}  // namespace
}  // namespace mrcnic::platforms
