#include "mrcnic/host/root_port.h"

namespace mrcnic::host {

RootPort::RootPort(const sc_core::sc_module_name& name, Agenda& agenda, const config::HostInterfaceConfig& config,
                   Place place, config::PayloadMode payload_mode, bool protocol_checkers)
    : sc_module{name},
      transaction_layer_{"transaction_layer", agenda, pcie::TransactionLayer::host_side(config, place)},
      root_complex_{"root_complex", agenda, place, payload_mode},
      wiring_{protocol_checkers}
{
    wiring_.connect(transaction_layer_.to_device, root_complex_.from_pcie, pcie::TlpHop::delivery);
    wiring_.connect(root_complex_.to_pcie, transaction_layer_.from_device, pcie::TlpHop::submission);
    transaction_layer_.to_link.bind(pcie_out);
    pcie_in.bind(transaction_layer_.from_link.as_port());
}

}  // namespace mrcnic::host
