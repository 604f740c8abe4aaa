#pragma once

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/config/config.h"
#include "mrcnic/pcie/credit.h"
#include "mrcnic/pcie/tlp.h"
#include "mrcnic/pcie/transmit_path.h"

namespace mrcnic::pcie {

/// One end of a PCIe link, reference profile: transmit buffer, credit gate and lanes of one direction, receive buffer
/// of the other [PC-1 .. PC-12].
///
/// Two of them bound link to link make a PCIe link without propagation delay [PC-4]. Device side: a DMA engine or a
/// root complex. Not modelled in this profile: tags, ordering beyond first in first out, DLLPs, replay.
class TransactionLayer : public sc_core::sc_module {
public:
    struct Parameters {
        TransmitPath::Parameters transmit;
        CreditUnits receive_buffer;  ///< bytes for headers and data that arrive here
        EventClass transfer_end{EventClass::pcie_to_host};
        Place place;
    };
    /// Parameters of the two ends of a host link, from its attributes [PC-1, PC-5].
    [[nodiscard]] static Parameters nic_side(const config::HostInterfaceConfig& config, Place place);
    [[nodiscard]] static Parameters host_side(const config::HostInterfaceConfig& config, Place place);

    TlpTargetSocket<TransactionLayer> from_device{"from_device", *this, &TransactionLayer::submit};
    TlpInitiatorSocket<TransactionLayer> to_device{"to_device", *this};
    TlpInitiatorSocket<TransactionLayer> to_link{"to_link", *this, &TransactionLayer::flow_control};
    TlpTargetSocket<TransactionLayer> from_link{"from_link", *this, &TransactionLayer::receive};

    TransactionLayer(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters);

    /// Statistics of the direction that this end sends on.
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }
    [[nodiscard]] const TransmitPath& path() const noexcept { return path_; }
    [[nodiscard]] const ReceiveLedger& receive_buffer() const noexcept { return received_; }

private:
    void start_of_simulation() override;
    tlm::tlm_sync_enum submit(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum receive(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum flow_control(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void transfer_ended();
    void report_accepted();
    void schedule();
    void describe_statistics();

    Agenda& agenda_;
    Parameters parameters_;
    TransmitPath path_;
    ReceiveLedger received_;
    Picoseconds due_at_{kNever};
    bool reporting_{false};
    StatisticGroup statistics_;
};

}  // namespace mrcnic::pcie
