#include "mrcnic/platforms/topology.h"

#include <gtest/gtest.h>

#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/path_failures.h"
#include "mrcnic/workload/input_error.h"

namespace mrcnic::platforms {
namespace {

/// Three leaves of two NICs, two spines, two links between each.
config::Config small_fabric()
{
    config::Config config = config::default_config("leaf_spine");
    config::set(config, "fabric.Leaves", "3");
    config::set(config, "fabric.NicsPerLeaf", "2");
    config::set(config, "fabric.Spines", "2");
    config::set(config, "fabric.ParallelLinks", "2");
    return config;
}

/// "5" for NIC 5, "1.4" for port 4 of switch 1.
std::string text_of(const LinkEnd& end)
{
    return end.is_nic ? std::to_string(end.device) : std::to_string(end.device) + '.' + std::to_string(end.port);
}

std::vector<std::string> upward_links(const Topology& topology)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < topology.links.size(); i += 2) {
        const LinkPlan& up = topology.links[i];
        const LinkPlan& down = topology.links[i + 1];
        EXPECT_EQ(text_of(up.from), text_of(down.to));
        EXPECT_EQ(text_of(up.to), text_of(down.from));
        EXPECT_EQ(up.delay, down.delay);
        texts.push_back(text_of(up.from) + "-" + text_of(up.to) + ":" + std::to_string(up.delay));
    }
    return texts;
}

/// Ports by which a switch sends to a NIC: "first+members".
std::string route_of(const SwitchPlan& plan, std::uint32_t nic)
{
    std::string found;
    for (const RoutePlan& route : plan.routes) {
        if (nic >= route.first_nic && nic < route.first_nic + route.nics) {
            found += std::to_string(route.first_port) + '+' + std::to_string(route.members);
        }
    }
    return found;
}

// [SW-50, SW-51, SW-3] NIC i on leaf i / H, port i mod H; leaf H + s x P + p to spine s; spine l x P + p to leaf l;
// links of NICs have the NIC's delay, the others `switch.UplinkDelay`.
TEST(Topology, LeafSpineLinks)
{
    config::Config config = small_fabric();
    config::set(config, "nics[3].TransmissionMedium.Delay", "7ns");
    config::set(config, "switch.UplinkDelay", "9ns");
    EXPECT_EQ(upward_links(leaf_spine_topology(config)),
              (std::vector<std::string>{"0-0.0:100000", "1-0.1:100000", "2-1.0:100000", "3-1.1:7000", "4-2.0:100000",
                                        "5-2.1:100000",                                                  //
                                        "0.2-3.0:9000", "0.3-3.1:9000", "0.4-4.0:9000", "0.5-4.1:9000",  //
                                        "1.2-3.2:9000", "1.3-3.3:9000", "1.4-4.2:9000", "1.5-4.3:9000",  //
                                        "2.2-3.4:9000", "2.3-3.5:9000", "2.4-4.4:9000", "2.5-4.5:9000"}));
}

// [SW-51] A leaf to its own NICs directly, to the others over all uplinks; a spine over the links to the NIC's leaf.
TEST(Topology, LeafSpineRoutes)
{
    const Topology topology = leaf_spine_topology(small_fabric());
    ASSERT_EQ(topology.switches.size(), 5U);
    const std::vector<std::vector<std::string>> expected{{"0+1", "1+1", "2+4", "2+4", "2+4", "2+4"},
                                                         {"2+4", "2+4", "0+1", "1+1", "2+4", "2+4"},
                                                         {"2+4", "2+4", "2+4", "2+4", "0+1", "1+1"},
                                                         {"0+2", "0+2", "2+2", "2+2", "4+2", "4+2"},
                                                         {"0+2", "0+2", "2+2", "2+2", "4+2", "4+2"}};
    for (std::size_t id = 0; id < 5; ++id) {
        for (std::uint32_t nic = 0; nic < 6; ++nic) {
            EXPECT_EQ(route_of(topology.switches[id], nic), expected[id][nic]) << id << ' ' << nic;
        }
    }
}

// [RC-31, RC-40.7, RC-40.9, SW-32]
TEST(Topology, LeafSpineSwitches)
{
    const Topology topology = leaf_spine_topology(small_fabric());
    EXPECT_EQ(topology.leaves, 3U);
    EXPECT_EQ(topology.switches[2].component, "Leaf-2");
    EXPECT_EQ(topology.switches[2].tier, 2);
    EXPECT_EQ(topology.switches[3].component, "Spine-0");
    EXPECT_EQ(topology.switches[3].tier, 0);
    for (std::size_t port = 0; port < 6; ++port) {
        EXPECT_EQ(topology.switches[0].ports[port].uplink, port >= 2);
        EXPECT_EQ(topology.switches[0].ports[port].faces_nic, port < 2);
        EXPECT_FALSE(topology.switches[4].ports[port].uplink);
        EXPECT_FALSE(topology.switches[4].ports[port].faces_nic);
    }
}

// [SW-1] The lower rate of a link's ends.
TEST(Topology, Rates)
{
    config::Config config = small_fabric();
    config::set(config, "switch.DataRate", "200Gbps");
    config::set(config, "nics[1].UplinkNetworkInterface.DataRate", "100Gbps");
    const Topology topology = leaf_spine_topology(config);
    EXPECT_EQ(topology.switches[0].ports[0].rate, 200'000'000'000U);
    EXPECT_EQ(topology.switches[0].ports[1].rate, 100'000'000'000U);
    EXPECT_EQ(topology.switches[0].ports[2].rate, 200'000'000'000U);
    EXPECT_EQ(topology.far_rates[1], 200'000'000'000U);
}

// [TR-77] One path: one leaf, or S x P = 1; pair and star.
TEST(Topology, SinglePath)
{
    config::Config config = small_fabric();
    EXPECT_FALSE(leaf_spine_topology(config).single_path);
    config::set(config, "fabric.Leaves", "1");
    EXPECT_TRUE(leaf_spine_topology(config).single_path);
    config::set(config, "fabric.Leaves", "2");
    config::set(config, "fabric.Spines", "1");
    EXPECT_FALSE(leaf_spine_topology(config).single_path);
    config::set(config, "fabric.ParallelLinks", "1");
    EXPECT_TRUE(leaf_spine_topology(config).single_path);
    EXPECT_TRUE(star_topology(config::default_config("star")).single_path);
    EXPECT_TRUE(pair_topology(config::default_config("pair")).single_path);
}

// [SW-50] One switch with a port for each NIC; and none, each direction with the delay of the NIC that sends.
TEST(Topology, StarAndPair)
{
    const Topology star = star_topology(config::default_config("star"));
    EXPECT_EQ(star.links.size(), 32U);
    EXPECT_EQ(star.switches.at(0).component, "Switch-0");
    EXPECT_EQ(star.switches[0].tier, 2);
    EXPECT_TRUE(star.switches[0].ports[15].faces_nic);
    EXPECT_EQ(route_of(star.switches[0], 15), "15+1");
    config::Config two = config::default_config("pair");
    config::set(two, "nics[1].TransmissionMedium.Delay", "7ns");
    const Topology pair = pair_topology(two);
    EXPECT_TRUE(pair.switches.empty());
    EXPECT_EQ(pair.links.at(1).delay, 7'000);
    EXPECT_EQ(text_of(pair.links[1].from) + text_of(pair.links[1].to), "10");
}

workload::Workload with_failure(workload::SwitchKind kind, std::uint64_t switch_id, std::uint64_t link_id)
{
    workload::Workload load;
    load.file = "f.cm";
    load.failures.push_back({kind, switch_id, link_id, 7, 3});
    return load;
}

std::string error_of(const workload::Workload& load, const Topology& topology)
{
    try {
        static_cast<void>(path_failures(load, topology));
    } catch (const workload::InputError& error) {
        return error.what();
    }
    return {};
}

// [WL-18] TOR is a leaf, CORE a spine, link_id a port of it.
TEST(PathFailures, NameSwitchesAndPorts)
{
    const Topology topology = leaf_spine_topology(small_fabric());
    const auto leaf = path_failures(with_failure(workload::SwitchKind::leaf, 2, 5), topology);
    ASSERT_EQ(leaf.size(), 1U);
    EXPECT_EQ(leaf[0].switch_id, 2U);
    EXPECT_EQ(leaf[0].port, 5);
    const auto spine = path_failures(with_failure(workload::SwitchKind::spine, 1, 0), topology);
    EXPECT_EQ(spine.at(0).switch_id, 4U);
}

// [WL-18] One that is none of ours is an error with its place.
TEST(PathFailures, RefuseWhatIsNoneOfOurs)
{
    const Topology topology = leaf_spine_topology(small_fabric());
    EXPECT_EQ(error_of(with_failure(workload::SwitchKind::leaf, 3, 0), topology),
              "error: f.cm:7:3: switch_id 3 is no leaf of this fabric; allowed: 0 to 2");
    EXPECT_EQ(error_of(with_failure(workload::SwitchKind::spine, 2, 0), topology),
              "error: f.cm:7:3: switch_id 2 is no spine of this fabric; allowed: 0 to 1");
    EXPECT_EQ(error_of(with_failure(workload::SwitchKind::spine, 1, 6), topology),
              "error: f.cm:7:3: link_id 6 is no port of Spine-1; allowed: 0 to 5");
    EXPECT_EQ(error_of(with_failure(workload::SwitchKind::leaf, 0, 0), star_topology(config::default_config("star"))),
              "error: f.cm:7:3: failure lines need a fabric with leaf and spine switches");
}

}  // namespace
}  // namespace mrcnic::platforms
