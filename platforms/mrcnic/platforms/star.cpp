#include "mrcnic/platforms/star.h"

#include <algorithm>

namespace mrcnic::platforms {

Star::Star(const sc_core::sc_module_name& name, const config::Config& configuration, Node::Memory memory)
    : Platform{name, configuration}
{
    const std::uint32_t count = config().nic_count();
    net::Switch::Parameters parameters;
    parameters.node = static_cast<std::uint16_t>(count);  // [RC-30] NICs first, then switches
    parameters.forwarding_latency = config().network_switch.forwarding_latency;
    parameters.queue_limit = config().network_switch.queue_drop_threshold * config().network_switch.plane_bdp;
    parameters.dscp = config().nic.transport.dscp;
    parameters.protocol_checkers = config().simulation.protocol_checkers;
    for (std::uint32_t i = 0; i < count; ++i) {
        parameters.port_rates.push_back(std::min(config().nics[i].data_rate, config().network_switch.data_rate));
    }
    switch_ = std::make_unique<net::Switch>("switch", agenda(), parameters);
    for (std::uint32_t i = 0; i < count; ++i) {
        Node& node = add_node(node_parameters(i, config().network_switch.data_rate), memory);
        nic::NetworkPort& port = switch_->port(i).port;
        switch_->add_route(node.nic.parameters().address, static_cast<std::uint16_t>(i));
        // [SW-3] the delay of both directions is that of the link's lower end, the NIC
        add_link(node.nic.wire_out, port.from_wire.as_port(), config().nics[i].link_delay);
        add_link(port.to_wire, node.nic.wire_in, config().nics[i].link_delay);
    }
    add_director();
}

void Star::finish_checkers(bool cut_short)
{
    Platform::finish_checkers(cut_short);
    switch_->finish_checkers(cut_short);
}

std::vector<record::PortSource> Star::ports() const
{
    std::vector<record::PortSource> ports = Platform::ports();
    for (std::size_t i = 0; i < switch_->port_count(); ++i) {
        const net::SwitchPort& port = switch_->port(i);
        record::PortSource source;
        source.component_name = "Switch-0";
        source.nd_name = "mrc::SwitchPort";
        source.component_type = "Switch";
        source.node_id = switch_->node();
        source.ifid = static_cast<std::uint16_t>(i);
        source.uplink = false;
        source.tier = 2;
        source.link_rate = port.port.rate();
        source.counters = &port.port.counters();
        source.tx_drops = [&port] { return port.tx_drops(); };
        source.rx_drops = [] { return std::uint64_t{0}; };
        ports.push_back(std::move(source));
    }
    return ports;
}

}  // namespace mrcnic::platforms
