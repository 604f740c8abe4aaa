#include "mrcnic/platforms/fabric.h"

#include <algorithm>
#include <utility>

#include "mrcnic/platforms/path_failures.h"
#include "mrcnic/workload/buffers.h"
#include "mrcnic/workload/load.h"

namespace mrcnic::platforms {

namespace {

record::SwitchFigures take_figures(net::SwitchPort& port, std::size_t traffic_class)
{
    record::SwitchFigures figures;
    figures.queue_bytes = port.queued_bytes(traffic_class);
    figures.interval_max_bytes = port.take_interval_max(traffic_class);
    figures.mean_queue_bytes = port.mean_queue(traffic_class);
    figures.marked = port.ecn_marked(traffic_class);
    figures.trimmed = port.trimmed(traffic_class);
    figures.trimmed_lasthop = port.trimmed_lasthop(traffic_class);
    figures.egress_drops = port.egress_drops(traffic_class);
    figures.ingress_drops = port.ingress_drops(traffic_class);
    return figures;
}

}  // namespace

net::Switch::Parameters switch_parameters(const config::Config& config, const Topology& topology, std::size_t id)
{
    net::Switch::Parameters parameters;
    parameters.node = static_cast<std::uint16_t>(config.nic_count() + id);  // [RC-30] NICs first, then switches
    parameters.id = static_cast<std::uint32_t>(id);
    parameters.policy = config.network_switch;
    parameters.dscp = config.nic.transport.dscp;
    parameters.seed = config.simulation.seed;
    for (const PortPlan& port : topology.switches[id].ports) {
        parameters.ports.push_back({port.rate, port.faces_nic});
    }
    parameters.protocol_checkers = config.simulation.protocol_checkers;
    return parameters;
}

void add_routes(net::Switch& network_switch, const SwitchPlan& plan)
{
    for (const RoutePlan& route : plan.routes) {
        for (std::uint32_t nic = route.first_nic; nic < route.first_nic + route.nics; ++nic) {
            network_switch.add_route(workload::nic_address(nic), route.first_port, route.members);
        }
    }
}

Fabric::Fabric(const sc_core::sc_module_name& name, const config::Config& configuration, Topology topology,
               Node::Memory memory)
    : Platform{name, configuration}, topology_{std::move(topology)}
{
    make_parts(memory);
    connect();
    workload::Workload load = workload::load_workload(config());
    fail_paths(load);
    add_director(std::move(load));
}

void Fabric::make_parts(Node::Memory memory)
{
    for (std::size_t id = 0; id < topology_.switches.size(); ++id) {
        const SwitchPlan& plan = topology_.switches[id];
        switches_.push_back(
            std::make_unique<net::Switch>(plan.name.c_str(), agenda(), switch_parameters(config(), topology_, id)));
        add_routes(*switches_.back(), plan);
    }
    for (std::uint32_t nic = 0; nic < config().nic_count(); ++nic) {
        nic::NicParameters parameters = node_parameters(nic, topology_.far_rates[nic]);
        parameters.single_path = topology_.single_path;
        add_node(parameters, memory);
    }
}

void Fabric::connect()
{
    for (const LinkPlan& link : topology_.links) {
        add_link(exit_of(link.from), entry_of(link.to), link.delay);
    }
}

packet::FrameInitiatorPort& Fabric::exit_of(const LinkEnd& end)
{
    if (end.is_nic) {
        return node(end.device).nic.wire_out;
    }
    return switches_[end.device]->port(end.port).port.to_wire;
}

packet::FrameTargetPort& Fabric::entry_of(const LinkEnd& end)
{
    if (end.is_nic) {
        return node(end.device).nic.wire_in;
    }
    return switches_[end.device]->port(end.port).port.from_wire.as_port();
}

void Fabric::fail_path(std::size_t switch_id, std::uint16_t port, Picoseconds when)
{
    for (std::size_t i = 0; i < topology_.links.size(); ++i) {
        const LinkEnd& from = topology_.links[i].from;
        if (from.is_nic || from.device != switch_id || from.port != port) {
            continue;
        }
        net::NetworkLink& link = this->link(i);
        if (when <= agenda().now()) {
            link.cut();
        } else {
            agenda().at<&net::NetworkLink::cut>(when, EventClass::timer, {}, link);
        }
    }
}

// [WL-18] Those of a workload fail from the start: its lines have no time.
void Fabric::fail_paths(const workload::Workload& load)
{
    for (const PathFailure& failure : path_failures(load, topology_)) {
        fail_path(failure.switch_id, failure.port);
    }
}

void Fabric::finish_checkers(bool cut_short)
{
    Platform::finish_checkers(cut_short);
    for (const auto& network_switch : switches_) {
        network_switch->finish_checkers(cut_short);
    }
}

std::vector<record::PortSource> Fabric::ports() const
{
    std::vector<record::PortSource> ports = Platform::ports();
    for (std::size_t id = 0; id < switches_.size(); ++id) {
        const SwitchPlan& plan = topology_.switches[id];
        for (std::size_t i = 0; i < plan.ports.size(); ++i) {
            const net::SwitchPort& port = switches_[id]->port(i);
            record::PortSource source;
            source.component_name = plan.component;
            source.nd_name = "mrc::SwitchPort";
            source.component_type = "Switch";
            source.node_id = switches_[id]->node();
            source.ifid = static_cast<std::uint16_t>(i);
            source.uplink = plan.ports[i].uplink;
            source.tier = plan.tier;
            source.link_rate = port.port.rate();
            source.counters = &port.port.counters();
            source.tx_drops = [&port] { return port.tx_drops(); };
            source.rx_drops = [&port] { return port.rx_drops(); };
            ports.push_back(std::move(source));
        }
    }
    return ports;
}

std::vector<record::SwitchSource> Fabric::switch_queues()
{
    std::vector<record::SwitchSource> queues;
    for (std::size_t id = 0; id < switches_.size(); ++id) {
        const SwitchPlan& plan = topology_.switches[id];
        for (std::size_t i = 0; i < plan.ports.size(); ++i) {
            net::SwitchPort& port = switches_[id]->port(i);
            for (std::size_t tc = 0; tc < port.classes(); ++tc) {
                queues.push_back({plan.component, switches_[id]->node(), static_cast<std::uint16_t>(i),
                                  plan.ports[i].uplink, static_cast<std::uint16_t>(tc),
                                  [&port, tc] { return take_figures(port, tc); }});
            }
        }
    }
    return queues;
}

}  // namespace mrcnic::platforms
