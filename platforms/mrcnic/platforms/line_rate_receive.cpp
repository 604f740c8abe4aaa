#include "mrcnic/platforms/line_rate_receive.h"

namespace mrcnic::platforms {

namespace {
constexpr std::uint16_t kSourceNode = 1;
}

LineRateReceive::LineRateReceive(const sc_core::sc_module_name& name, const config::Config& configuration,
                                 Node::Memory memory)
    : Platform{name, configuration}
{
    const config::NicConfig& nic_config = config().nics[0];
    nic::NicParameters parameters = node_parameters(0, nic_config.data_rate);
    parameters.takes_every_frame = true;
    Node& receiver = add_node(parameters, memory);
    completions_.bind(*this);
    receiver.nic.completions.bind(completions_);

    workload::LineRateSource::Parameters source;
    source.rate = nic_config.data_rate;
    source.frame_gap_bytes = nic_config.frame_gap_bytes;
    source.frame_payload = config().workload.frame_payload;
    source.frame_count = config().workload.frame_count;
    source.source = workload::nic_address(kSourceNode);
    source.destination = parameters.address;
    source.destination_qp = receiver.nic.verbs->open_receiver(source.source, 1);
    source.dscp = nic_config.transport.dscp.no_trim;
    source.payload_mode = parameters.payload_mode;
    source.place = {kSourceNode, 0};
    source_ = std::make_unique<workload::LineRateSource>("source", agenda(), source);
    add_link(source_->to_wire, receiver.nic.wire_in, nic_config.link_delay);
    add_link(receiver.nic.wire_out, source_->from_wire.as_port(), nic_config.link_delay);
    agenda().on_quiet([this] {
        if (source_->finished()) {
            end(Outcome::completed);
        }
    });
}

}  // namespace mrcnic::platforms
