#pragma once

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/config/config.h"
#include "mrcnic/host/root_complex.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/pcie/transaction_layer.h"

namespace mrcnic::host {

/// The host's end of a NIC's PCIe link: its transaction layer and the root complex behind it.
///
/// Bind `pcie_out` and `pcie_in` to the NIC and `memory()` to any base-protocol memory.
class RootPort : public sc_core::sc_module {
public:
    pcie::TlpInitiatorPort pcie_out{"pcie_out"};
    pcie::TlpTargetPort pcie_in{"pcie_in"};

    /// @param place  of the NIC [OE-1]
    RootPort(const sc_core::sc_module_name& name, Agenda& agenda, const config::HostInterfaceConfig& config,
             Place place, config::PayloadMode payload_mode, bool protocol_checkers);

    [[nodiscard]] tlm::tlm_initiator_socket<32>& memory() noexcept { return root_complex_.memory.socket; }
    [[nodiscard]] const RootComplex& root_complex() const noexcept { return root_complex_; }
    [[nodiscard]] const pcie::TransactionLayer& transaction_layer() const noexcept { return transaction_layer_; }
    [[nodiscard]] pcie::CheckedWiring& wiring() noexcept { return wiring_; }

private:
    pcie::TransactionLayer transaction_layer_;
    RootComplex root_complex_;
    pcie::CheckedWiring wiring_;
};

}  // namespace mrcnic::host
