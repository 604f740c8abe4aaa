#include "mrcnic/nic/nic.h"

#include <algorithm>

namespace mrcnic::nic {

namespace {

BitsPerSecond link_rate(const config::NicConfig& config, const NicParameters& parameters)
{
    return parameters.link_rate == 0 ? config.data_rate : std::min(config.data_rate, parameters.link_rate);
}

Place place_of(const NicParameters& parameters)
{
    return {parameters.node, 0};
}

}  // namespace

Nic::Nic(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
         const NicParameters& parameters)
    : sc_module{name},
      config_{config},
      parameters_{parameters},
      transport_{"transport",
                 agenda,
                 config_,
                 {parameters.address, link_rate(config, parameters), parameters.payload_mode, place_of(parameters),
                  parameters.takes_every_frame, parameters.single_path}},
      egress_buffer_{"egress_buffer",
                     agenda,
                     timing_,
                     {config.egress_buffer_size, EgressBuffer::kRetryDelay, place_of(parameters)}},
      transmit_scheduler_{"transmit_scheduler",
                          agenda,
                          timing_,
                          bands_,
                          {link_rate(config, parameters), config.frame_gap_bytes, config.transport.service_time_step,
                           true, place_of(parameters)}},
      network_port_{
          "network_port", agenda, {link_rate(config, parameters), config.frame_gap_bytes, place_of(parameters)}},
      ingress_buffer_{"ingress_buffer",
                      {config.ingress_buffer_size, config.transport.dscp, config.transport.recv_complete_after_write}},
      dma_{"dma", agenda, config.host_interface.read_request_size},
      transaction_layer_{"transaction_layer", agenda,
                         pcie::TransactionLayer::nic_side(config.host_interface, place_of(parameters))},
      wiring_{parameters.protocol_checkers}
{
    connect();
}

void Nic::connect()
{
    verbs.bind(transport_.verbs);
    transport_.completions.bind(completions);
    const BytePool& pool = ingress_buffer_.pool(packet::TrafficClass::data);
    transport_.watch_ingress({pool.size(), [&pool] { return pool.occupancy(); }});

    wiring_.connect(transport_.to_egress, egress_buffer_.from_transport, packet::Hop::reservation);
    wiring_.connect(egress_buffer_.to_scheduler, transmit_scheduler_.from_buffer, packet::Hop::queue);
    wiring_.connect(transmit_scheduler_.to_port, network_port_.from_scheduler, packet::Hop::port);
    network_port_.to_wire.bind(wire_out);
    wire_in.bind(network_port_.from_wire.as_port());

    wiring_.connect(network_port_.to_receiver, ingress_buffer_.from_port, packet::Hop::wire);
    wiring_.connect(ingress_buffer_.to_transport, transport_.from_ingress, packet::Hop::delivery);
    wiring_.connect(ingress_buffer_.to_dma, dma_.from_ingress, packet::Hop::host);
    wiring_.connect(transport_.to_dma, dma_.from_transport, packet::Hop::host);

    wiring_.connect(dma_.to_pcie, transaction_layer_.from_device, pcie::TlpHop::submission);
    wiring_.connect(transaction_layer_.to_device, dma_.from_pcie, pcie::TlpHop::delivery);
    transaction_layer_.to_link.bind(pcie_out);
    pcie_in.bind(transaction_layer_.from_link.as_port());
}

}  // namespace mrcnic::nic
