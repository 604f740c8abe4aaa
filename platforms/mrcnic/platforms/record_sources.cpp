#include "mrcnic/platforms/record_sources.h"

#include "mrcnic/packet/roles.h"

namespace mrcnic::platforms {

namespace {

using packet::TrafficClass;

record::TransportFigures figures_of(const transport::Transport& transport)
{
    const transport::Sender::Counters& sender = transport.sender().counters();
    const transport::Receiver::Counters& receiver = transport.receiver().counters();
    record::TransportFigures figures;
    figures.write_pkts_sent = sender.data_sent;
    figures.write_pkts_rcvd = receiver.data_received;
    figures.ack_pkts_sent = receiver.acks_sent;
    figures.ack_pkts_rcvd = sender.acks_received;
    figures.sack_pkts_sent = receiver.sacks_sent;
    figures.sack_pkts_rcvd = sender.sacks_received;
    figures.nack_pkts_sent = receiver.nacks_sent;
    figures.nack_pkts_rcvd = sender.nacks_received;
    figures.wqes_created = sender.messages_posted;
    figures.wqes_completed = sender.messages_completed;
    figures.num_out_of_order_events_on_nic = receiver.out_of_order;
    figures.num_dup_events_on_nic = receiver.duplicates;
    figures.probe_sent = sender.probes_sent;
    figures.probe_ack_rcvd = sender.probe_acks_received;
    figures.num_rto = sender.rto_fired;
    figures.num_gap_loss = sender.gap_losses;
    figures.num_rtx = sender.retransmissions;
    figures.m_marked_pkts_sent = receiver.marked_sacks_sent;
    figures.m_marked_pkts_rcvd = sender.marked_sacks_received;
    figures.num_quick_adapt = transport.sender().quick_adapts();
    figures.num_egress_pool_stalls = sender.stalls;
    figures.num_psn_window_discards = receiver.window_discards;
    return figures;
}

template <typename Buffer>
record::BufferSource buffer_source(Buffer& buffer, TrafficClass traffic_class, const char* id)
{
    record::BufferSource source;
    source.buffer_id = id;
    source.traffic_class = static_cast<int>(traffic_class);
    source.pool = &buffer.pool(traffic_class);
    source.start_interval = [&buffer, traffic_class] { buffer.start_interval(traffic_class); };
    return source;
}

}  // namespace

record::TransportSource transport_source(const Node& node, const std::string& name,
                                         transport::TransportSamples& samples)
{
    const transport::Transport& transport = node.nic.transport();
    return {name, node.nic.parameters().node, node.nic.config().transport_stats_report_interval,
            [&transport] { return figures_of(transport); }, &samples};
}

std::vector<record::BufferSource> buffer_sources(Node& node, const std::string& name)
{
    nic::Nic& nic = node.nic;
    std::vector<record::BufferSource> sources{
        buffer_source(nic.ingress_buffer(), TrafficClass::data, "RX_TC0_BUFFER"),
        buffer_source(nic.ingress_buffer(), TrafficClass::control, "RX_TC1_BUFFER"),
        buffer_source(nic.egress_buffer(), TrafficClass::data, "TX_TC0_BUFFER"),
        buffer_source(nic.egress_buffer(), TrafficClass::control, "TX_TC1_BUFFER")};
    for (record::BufferSource& source : sources) {
        source.component_name = name;
        source.node_id = nic.parameters().node;
    }
    return sources;
}

record::MonitorSource monitor_source(const Node& node, const std::string& name)
{
    const nic::Nic& nic = node.nic;
    return {name,
            nic.parameters().node,
            nic.parameters().address,
            nic.config().transport.dscp,
            record::monitor_rules(nic.config().monitor),
            [&nic] { return nic.egress_buffer().pool(TrafficClass::data).occupancy(); }};
}

}  // namespace mrcnic::platforms
