#include "mrcnic/platforms/leaf_spine.h"

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::expect_times;
using testbench::PlatformRun;
using testbench::run_to_completion;
using testbench::Settings;

/// Two leaves of two NICs, two spines.
Settings small_fabric(const Settings& more = {})
{
    Settings settings{{"fabric.Leaves", "2"}, {"fabric.NicsPerLeaf", "2"}, {"fabric.Spines", "2"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

// [SW-W1, SW-W2] One full packet across a spine. Serialized at 169,324; forward 1,450.44 ns, SACK 1,207.52 ns.
TEST(LeafSpine, TimelineOfOnePacket)
{
    PlatformRun run{
        "run",
        configuration("leaf_spine", small_fabric({{"workload.MessageBytes", "4096B"}, {"workload.Destination", "3"}}))};
    run_to_completion({&run});
    expect_times(run, 1, {15'000, 169'324 + 1'450'440, 169'324 + 1'450'440 + 1'207'520});
    EXPECT_EQ(run.results().at("node_0.rtt"), "1 2657960 2657960 2657960");
}

// [SW-W1, SW-51] Two NICs of one leaf meet there, as on a single switch: 487.24 ns.
TEST(LeafSpine, NicsOfOneLeaf)
{
    PlatformRun run{"run", configuration("leaf_spine", small_fabric({{"workload.MessageBytes", "4096B"}}))};
    run_to_completion({&run});
    EXPECT_EQ(run.results().at("node_0.rtt"), "1 487240 487240 487240");
    EXPECT_EQ(run.network_switch(2).port(0).port.counters().tx_frames, 0U);
    EXPECT_EQ(run.network_switch(3).port(0).port.counters().tx_frames, 0U);
}

// [SW-50, SW-51, SW-10] The default fabric: 128 NICs, each to the one half way round; all arrives and nothing is lost.
// Both ways between two leaves use all uplinks between them.
TEST(LeafSpine, DefaultFabric)
{
    const testbench::TemporaryFolder folder;
    std::string text = "Nodes 128\nConnections 128\n";
    for (int nic = 0; nic < 128; ++nic) {
        text += std::to_string(nic) + "->" + std::to_string((nic + 64) % 128) + " start 0 size 100000\n";
    }
    PlatformRun run{"run",
                    configuration("leaf_spine", {{"workload.File", testbench::write_workload(folder, "a.cm", text)},
                                                 {"simulation.ProtocolCheckers", "false"}})};
    run_to_completion({&run});
    EXPECT_EQ(run.platform().director()->completed(), 128U);
    ASSERT_EQ(run.fabric().switch_count(), 24U);
    for (std::size_t uplink = 16; uplink < 32; ++uplink) {
        EXPECT_GT(run.network_switch(0).port(uplink).port.counters().tx_frames, 0U) << uplink;
    }
    EXPECT_EQ(run.network_switch(0).node(), 128U);
    EXPECT_EQ(run.network_switch(23).node(), 151U);
    EXPECT_EQ(run.network_switch(23).id(), 23U);
}

// [SW-56, RC-30, RC-31, RC-40] Ports as records see them: NICs, leaves, spines.
TEST(LeafSpine, PortsForRecords)
{
    PlatformRun run{"run", configuration("leaf_spine", small_fabric({{"workload.MessageBytes", "0B"}}))};
    const std::vector<record::PortSource> ports = run.platform().ports();
    ASSERT_EQ(ports.size(), 4U + 2U * 4U + 2U * 2U);
    const record::PortSource& leaf_up = ports[4 + 4 + 3];
    EXPECT_EQ(leaf_up.component_name, "Leaf-1");
    EXPECT_EQ(leaf_up.node_id, 5);
    EXPECT_EQ(leaf_up.ifid, 3);
    EXPECT_TRUE(leaf_up.uplink);
    EXPECT_EQ(leaf_up.tier, 2);
    EXPECT_FALSE(ports[4].uplink);
    const record::PortSource& spine = ports.back();
    EXPECT_EQ(spine.component_name, "Spine-1");
    EXPECT_EQ(spine.node_id, 7);
    EXPECT_EQ(spine.ifid, 1);
    EXPECT_FALSE(spine.uplink);
    EXPECT_EQ(spine.tier, 0);
    EXPECT_FALSE(run.node(0).nic.parameters().single_path);  // [TR-77]
    run_to_completion({&run});
}

// [SW-57] Leaf 0 loses its link to spine 0 before the run: what hashes to it is lost until it is sent again by another
// way; the link counts it, nobody else does.
TEST(LeafSpine, AFailedPathLosesSilently)
{
    PlatformRun run{
        "run",
        configuration("leaf_spine", small_fabric({{"workload.MessageBytes", "400KB"}, {"workload.Destination", "3"}}))};
    run.fabric().fail_path(0, 2);
    run_to_completion({&run});
    EXPECT_GT(run.network_switch(0).port(2).port.counters().tx_frames, 0U);
    EXPECT_EQ(run.network_switch(2).port(0).port.counters().rx_frames, 0U);
    EXPECT_GT(run.network_switch(3).port(0).port.counters().rx_frames, 0U);
    EXPECT_GT(run.number("node_0.transport.retransmissions"), 0U);
    for (const record::PortSource& port : run.platform().ports()) {
        EXPECT_EQ(port.tx_drops() + port.rx_drops(), 0U);
    }
    EXPECT_EQ(run.platform().director()->completed(), 1U);
}

// [SW-57] From a time on: what has left the port by then arrives.
TEST(LeafSpine, APathFailsAtATime)
{
    PlatformRun run{
        "run",
        configuration("leaf_spine", small_fabric({{"workload.MessageBytes", "400KB"}, {"workload.Destination", "3"}}))};
    std::uint64_t before = 0;
    run.fabric().fail_path(0, 2, 2'000'000);
    run.script().look_at(2'000'000, [&] { before = run.network_switch(0).port(2).port.counters().tx_frames; });
    run_to_completion({&run});
    EXPECT_GT(before, 0U);
    EXPECT_EQ(run.network_switch(2).port(0).port.counters().rx_frames, before);
    EXPECT_GT(run.network_switch(0).port(2).port.counters().tx_frames, before);
}

// [WL-18] The same by a line of a workload; a failure that nobody meets later keeps no run alive.
TEST(LeafSpine, AWorkloadFailsAPath)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "f.cm",
                                                       "Nodes 4\nConnections 1\nFailures 1\n"
                                                       "0->3 start 0 size 400000\n"
                                                       "failure switch_type CORE switch_id 1 link_id 1\n");
    PlatformRun run{"run", configuration("leaf_spine", small_fabric({{"workload.File", file}}))};
    run.fabric().fail_path(0, 3, kPicosecondsPerSecond);
    run_to_completion({&run});
    EXPECT_EQ(run.network_switch(1).port(3).port.counters().rx_frames, 0U);
    EXPECT_GT(run.network_switch(3).port(1).port.counters().tx_frames, 0U);
    EXPECT_LT(run.platform().end_time(), kPicosecondsPerSecond);
}

// [SW-32, SW-35, SW-36] Trims on the way are TRIMMED, those at the port of the NIC TRIMMED_LASTHOP. Eight NICs of two
// leaves send to one of a third.
TEST(LeafSpine, TrimsAtBothTiers)
{
    const testbench::TemporaryFolder folder;
    std::string text = "Nodes 12\nConnections 8\n";
    for (int nic = 0; nic < 8; ++nic) {
        text += std::to_string(nic) + "->8 start 0 size 400000\n";
    }
    PlatformRun run{"run",
                    configuration("leaf_spine", {{"fabric.Leaves", "3"},
                                                 {"fabric.NicsPerLeaf", "4"},
                                                 {"fabric.Spines", "3"},
                                                 {"switch.TrimmingEnabled", "true"},
                                                 {"switch.PlaneBDP", "50KB"},
                                                 {"nic.Transport.TrimmingEnabled", "true"},
                                                 {"workload.File", testbench::write_workload(folder, "i.cm", text)}})};
    run_to_completion({&run});
    std::uint64_t last_hop = run.network_switch(2).port(0).trimmed_lasthop(0);
    std::uint64_t elsewhere = 0;
    for (std::size_t id = 0; id < run.fabric().switch_count(); ++id) {
        for (std::size_t port = 0; port < run.network_switch(id).port_count(); ++port) {
            elsewhere += run.network_switch(id).port(port).trimmed(0);
            EXPECT_EQ(run.network_switch(id).port(port).tx_drops(), 0U);
        }
    }
    EXPECT_GT(last_hop, 0U);
    EXPECT_GT(elsewhere, 0U);
    EXPECT_EQ(run.number("node_8.transport.trims_seen"), last_hop + elsewhere);
    EXPECT_EQ(run.platform().director()->completed(), 8U);
}

}  // namespace
}  // namespace mrcnic::platforms
