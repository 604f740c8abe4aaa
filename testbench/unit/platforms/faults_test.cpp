#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::PlatformRun;
using testbench::run_to_completion;
using testbench::Settings;

/// Frames that entered the links = those that arrived at a port + those that a fault took [SW-4].
void expect_conserved(PlatformRun& run)
{
    for (std::size_t i = 0; i < 2; ++i) {
        const net::NetworkLink& link = *run.platform().links()[i];
        EXPECT_EQ(link.frames(), run.node(i).nic.network_port().counters().tx_frames);
        EXPECT_EQ(link.frames() - link.dropped(), run.node(1 - i).nic.network_port().counters().rx_frames);
    }
}

// [SW-4, TR-85] One packet lost, the 1st of one: its timer, 150 us after the end of its serialization, sends it again,
// without a fetch [EG-1].
TEST(Faults, OnePacketComesAgain)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "4096B"}})};
    run.platform().links()[0]->inject({net::LinkFault::Action::drop, 1, 0});
    run_to_completion({&run});
    // Repeated at 169,324 + 150 us; on the link 83.48 ns, 100 ns, then the SACK.
    testbench::expect_times(run, 1, {15'000, 150'352'804, 150'454'684});
    EXPECT_EQ(run.number("node_0.transport.rto_fired"), 1U);
    EXPECT_EQ(run.number("node_0.transport.retransmissions"), 1U);
    EXPECT_EQ(run.number("node_0.nic_to_host.tlps"), 1U);
    EXPECT_EQ(run.number("node_0.transport.data_sent"), 2U);
    expect_conserved(run);
}

// [EG-4] Nothing else starts a NIC whose pool refuses while at or below half, but the timer: the first packet is lost,
// the second, refused at 15 ns, waits. On expiry, 144.613 ns + 150 us, the first goes again (a retransmission before
// new data, and no room for both); its SACK, 70 + 201.88 ns later, makes the second go.
TEST(Faults, OnlyTheTimerStartsTheNicAgain)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "two.csv",
                                                       "id,src,dst,bytes,start_ps,after,qp\n"
                                                       "1,0,1,3422,0,,\n"
                                                       "2,0,1,4096,0,,\n");
    PlatformRun run{
        "run", configuration("pair", {{"nic.EgressBufferManager.TotalBufferSize", "7778B"}, {"workload.File", file}})};
    run.platform().links()[0]->inject({net::LinkFault::Action::drop, 1, 0});
    run_to_completion({&run});
    EXPECT_EQ(run.number("message_1.wqe"), 150'416'493U);
    EXPECT_EQ(run.number("message_2.send"), 150'416'493U);
    EXPECT_EQ(run.number("node_0.transport.rto_fired"), 1U);
}

// [SW-4, TR-75] Every 50th frame of the way there: 2,000,000 bytes arrive all the same; each loss is seen by a gap in
// the acknowledgements and costs one repetition.
TEST(Faults, EveryFiftiethDataFrame)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "2000000B"}})};
    net::NetworkLink& link = *run.platform().links()[0];
    link.inject({net::LinkFault::Action::drop, 0, 50});
    run_to_completion({&run});
    // 489 packets: 9 lost; 498 frames by then: none of the 9 repetitions is the 500th.
    EXPECT_EQ(link.dropped(), 9U);
    EXPECT_EQ(run.number("node_0.transport.data_sent"), 498U);
    EXPECT_EQ(run.number("node_0.transport.gap_losses"), 9U);
    EXPECT_EQ(run.number("node_0.transport.rto_fired"), 0U);
    EXPECT_EQ(run.number("node_1.transport.duplicates"), 0U);
    EXPECT_EQ(run.number("node_1.host.bytes_written"), 2'000'000U);
    EXPECT_EQ(run.number("node_0.nic_to_host.tlps"), 489U);  // repetitions are not fetched
    expect_conserved(run);
}

// [SW-4] Acknowledgements are lost: later ones make up for them, or a timer and a duplicate do.
TEST(Faults, EverySecondAcknowledgement)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "2000000B"}})};
    run.platform().links()[1]->inject({net::LinkFault::Action::drop, 0, 2});
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_1.host.bytes_written"), 2'000'000U);
    EXPECT_GE(run.platform().links()[1]->dropped(), 245U);
    expect_conserved(run);
}

// [SW-4, MP-21] Every second frame of one way, one message: a repetition that is lost and a probe that passes may take
// turns, but not for ever.
TEST(Faults, EverySecondFrameOfOneWay)
{
    std::deque<PlatformRun> runs;
    for (const char* bytes : {"5000B", "20000B", "50000B", "200000B", "2000000B"}) {
        const std::string name = std::string{"run_"} + bytes;
        PlatformRun& run = runs.emplace_back(name.c_str(), configuration("pair", {{"workload.MessageBytes", bytes}}));
        run.platform().links()[0]->inject({net::LinkFault::Action::drop, 0, 2});
    }
    run_to_completion({&runs[0], &runs[1], &runs[2], &runs[3], &runs[4]});
    for (PlatformRun& run : runs) {
        EXPECT_LT(run.platform().end_time(), 100'000'000'000);
    }
}

// [SW-4, PL-3, IN-1] Random faults in both directions, small buffers, both ways: every message completes once, the
// pools come home.
TEST(Faults, RandomFaultsAndAttributes)
{
    std::mt19937_64 random{testbench::seed()};
    const testbench::TemporaryFolder folder;
    std::deque<PlatformRun> runs;
    for (int i = 0; i < 6; ++i) {
        const auto between = [&random](std::uint64_t low, std::uint64_t high) {
            return std::to_string(low + random() % (high - low + 1));
        };
        std::string list = "id,src,dst,bytes,start_ps,after,qp\n";
        for (int m = 1; m <= 12; ++m) {
            const bool there = random() % 2 == 0;
            list += std::to_string(m) + (there ? ",0,1," : ",1,0,") + between(0, 60'000) + ',' + between(0, 5'000'000) +
                    ",,\n";
        }
        const Settings settings{
            {"workload.File", testbench::write_workload(folder, "list_" + std::to_string(i) + ".csv", list)},
            {"simulation.PayloadMode", "bytes"},
            {"nic.EgressBufferManager.TotalBufferSize", between(4'638, 30'000)},
            {"nic.IngressBufferManager.TotalBufferSize", between(4'638, 30'000)},
            {"nic.HostInterface.NICSide.LaneCount", between(1, 16)},
            {"nic.HostInterface.HostSide.LaneCount", between(1, 16)},
            {"nic.HostInterface.NICSide.TXHeaderBufferSize", between(34, 500)},
            {"nic.HostInterface.NICSide.RXDataBufferSize", between(512, 5'000)},
            {"nic.HostInterface.HostSide.TXDataBufferSize", between(512, 5'000)},
            {"nic.TransmissionMedium.Delay", between(0, 300'000) + "ps"}};
        PlatformRun& run = runs.emplace_back(("run_" + std::to_string(i)).c_str(), configuration("pair", settings));
        for (net::NetworkLink* link : run.platform().links()) {
            link->inject({net::LinkFault::Action::drop, 0, 5 + random() % 40});
        }
    }
    run_to_completion({&runs[0], &runs[1], &runs[2], &runs[3], &runs[4], &runs[5]});
    for (PlatformRun& run : runs) {
        EXPECT_EQ(run.platform().director()->completed(), 12U);
        EXPECT_EQ(run.platform().compare_payloads(), std::vector<std::string>{});
        expect_conserved(run);
    }
}

}  // namespace
}  // namespace mrcnic::platforms
