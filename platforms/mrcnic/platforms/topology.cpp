#include "mrcnic/platforms/topology.h"

#include <algorithm>

#include <fmt/format.h>

namespace mrcnic::platforms {

namespace {

LinkEnd nic_end(std::size_t nic)
{
    return {true, nic, 0};
}

LinkEnd port_end(std::size_t switch_id, std::size_t port)
{
    return {false, switch_id, static_cast<std::uint16_t>(port)};
}

void add_link(Topology& topology, const LinkEnd& lower, const LinkEnd& upper, Picoseconds delay)
{
    topology.links.push_back({lower, upper, delay});
    topology.links.push_back({upper, lower, delay});
}

// [SW-3] The delay of both directions is that of the link's lower end, the NIC.
void add_nic(Topology& topology, const config::Config& config, std::uint32_t nic, std::size_t switch_id)
{
    SwitchPlan& plan = topology.switches[switch_id];
    const auto port = static_cast<std::uint16_t>(plan.ports.size());
    topology.far_rates.push_back(config.network_switch.data_rate);
    plan.ports.push_back({std::min(config.nics[nic].data_rate, config.network_switch.data_rate), false, true});
    plan.routes.push_back({nic, 1, port, 1});
    add_link(topology, nic_end(nic), port_end(switch_id, port), config.nics[nic].link_delay);
}

void add_leaf(Topology& topology, const config::Config& config, std::uint32_t leaf)
{
    const config::FabricConfig& fabric = config.fabric;
    topology.switches.push_back({fmt::format("leaf_{}", leaf), fmt::format("Leaf-{}", leaf), 2, {}, {}});
    for (std::uint32_t nic = 0; nic < fabric.nics_per_leaf; ++nic) {
        add_nic(topology, config, leaf * fabric.nics_per_leaf + nic, leaf);
    }
    SwitchPlan& plan = topology.switches.back();
    const std::uint32_t uplinks = fabric.spines * fabric.parallel_links;
    plan.ports.resize(plan.ports.size() + uplinks, {config.network_switch.data_rate, true, false});
    const std::uint32_t before = leaf * fabric.nics_per_leaf;
    const std::uint32_t behind = before + fabric.nics_per_leaf;
    const auto first = static_cast<std::uint16_t>(fabric.nics_per_leaf);
    plan.routes.push_back({0, before, first, static_cast<std::uint16_t>(uplinks)});
    plan.routes.push_back({behind, config.nic_count() - behind, first, static_cast<std::uint16_t>(uplinks)});
}

void add_spine(Topology& topology, const config::Config& config, std::uint32_t spine)
{
    const config::FabricConfig& fabric = config.fabric;
    SwitchPlan plan{fmt::format("spine_{}", spine), fmt::format("Spine-{}", spine), 0, {}, {}};
    plan.ports.resize(fabric.leaves * fabric.parallel_links, {config.network_switch.data_rate, false, false});
    for (std::uint32_t leaf = 0; leaf < fabric.leaves; ++leaf) {
        plan.routes.push_back({leaf * fabric.nics_per_leaf, fabric.nics_per_leaf,
                               static_cast<std::uint16_t>(leaf * fabric.parallel_links),
                               static_cast<std::uint16_t>(fabric.parallel_links)});
    }
    topology.switches.push_back(std::move(plan));
}

// [SW-51]
void add_uplinks(Topology& topology, const config::Config& config, std::uint32_t leaf)
{
    const config::FabricConfig& fabric = config.fabric;
    for (std::uint32_t spine = 0; spine < fabric.spines; ++spine) {
        for (std::uint32_t parallel = 0; parallel < fabric.parallel_links; ++parallel) {
            const std::uint32_t up = fabric.nics_per_leaf + spine * fabric.parallel_links + parallel;
            const std::uint32_t down = leaf * fabric.parallel_links + parallel;
            add_link(topology, port_end(leaf, up), port_end(fabric.leaves + spine, down),
                     config.network_switch.uplink_delay);
        }
    }
}

}  // namespace

Topology pair_topology(const config::Config& config)
{
    Topology topology;
    topology.far_rates = {config.nics[1].data_rate, config.nics[0].data_rate};
    for (std::size_t nic = 0; nic < 2; ++nic) {
        topology.links.push_back({nic_end(nic), nic_end(1 - nic), config.nics[nic].link_delay});
    }
    return topology;
}

Topology star_topology(const config::Config& config)
{
    Topology topology;
    topology.switches.push_back({"switch", "Switch-0", 2, {}, {}});
    for (std::uint32_t nic = 0; nic < config.nic_count(); ++nic) {
        add_nic(topology, config, nic, 0);
    }
    return topology;
}

Topology leaf_spine_topology(const config::Config& config)
{
    const config::FabricConfig& fabric = config.fabric;
    Topology topology;
    topology.leaves = fabric.leaves;
    topology.single_path = fabric.leaves == 1 || fabric.spines * fabric.parallel_links == 1;
    for (std::uint32_t leaf = 0; leaf < fabric.leaves; ++leaf) {
        add_leaf(topology, config, leaf);
    }
    for (std::uint32_t spine = 0; spine < fabric.spines; ++spine) {
        add_spine(topology, config, spine);
    }
    for (std::uint32_t leaf = 0; leaf < fabric.leaves; ++leaf) {
        add_uplinks(topology, config, leaf);
    }
    return topology;
}

}  // namespace mrcnic::platforms
