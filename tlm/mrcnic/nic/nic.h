#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/config/config.h"
#include "mrcnic/nic/dma.h"
#include "mrcnic/nic/egress_buffer.h"
#include "mrcnic/nic/ingress_buffer.h"
#include "mrcnic/nic/network_port.h"
#include "mrcnic/nic/transmit_scheduler.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/pcie/transaction_layer.h"
#include "mrcnic/queue_disc/strict_priority.h"
#include "mrcnic/transport/transport.h"

namespace mrcnic::nic {

/// Place and surroundings of one NIC.
struct NicParameters {
    std::uint16_t node{0};       ///< node id [RC-30]
    packet::Address address{0};  ///< IPv4 [SW-56]
    BitsPerSecond link_rate{0};  ///< rate of the far end of the wire; the lower one counts [SW-1]. 0 = the NIC's own
    config::PayloadMode payload_mode{config::PayloadMode::sizes};
    bool protocol_checkers{false};
    bool takes_every_frame{false};  ///< every admitted frame is the next expected one [PC-7]
    bool single_path{true};         ///< frames between two NICs all go the same way, none overtakes [TR-77]
};

/// An MRC NIC: transport, buffers, scheduler, port, DMA engine and its end of the PCIe link.
///
/// Bind `wire_out` and `wire_in` to a link, `pcie_out` and `pcie_in` to a root port, `completions` to whoever posts
/// through `verbs`. All NICs of a platform share one agenda; a NIC in somebody else's platform gets one of its own with
/// `Agenda::Inputs::foreign`.
class Nic : public sc_core::sc_module {
public:
    packet::FrameInitiatorPort wire_out{"wire_out"};
    packet::FrameTargetPort wire_in{"wire_in"};
    pcie::TlpInitiatorPort pcie_out{"pcie_out"};
    pcie::TlpTargetPort pcie_in{"pcie_in"};
    sc_core::sc_export<transport::Verbs> verbs{"verbs"};
    sc_core::sc_port<transport::CompletionSink> completions{"completions"};

    Nic(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
        const NicParameters& parameters);

    [[nodiscard]] const config::NicConfig& config() const noexcept { return config_; }
    [[nodiscard]] const NicParameters& parameters() const noexcept { return parameters_; }
    [[nodiscard]] const transport::Transport& transport() const noexcept { return transport_; }
    /// To set what hears of the transport, before the run, and to stop its probes.
    [[nodiscard]] transport::Transport& transport() noexcept { return transport_; }
    [[nodiscard]] const EgressBuffer& egress_buffer() const noexcept { return egress_buffer_; }
    [[nodiscard]] const TransmitScheduler& transmit_scheduler() const noexcept { return transmit_scheduler_; }
    [[nodiscard]] const NetworkPort& network_port() const noexcept { return network_port_; }
    [[nodiscard]] const IngressBuffer& ingress_buffer() const noexcept { return ingress_buffer_; }
    [[nodiscard]] const Dma& dma() const noexcept { return dma_; }
    [[nodiscard]] const pcie::TransactionLayer& transaction_layer() const noexcept { return transaction_layer_; }
    /// For a record, whose intervals start in the pools.
    [[nodiscard]] EgressBuffer& egress_buffer() noexcept { return egress_buffer_; }
    [[nodiscard]] IngressBuffer& ingress_buffer() noexcept { return ingress_buffer_; }
    [[nodiscard]] pcie::CheckedWiring& wiring() noexcept { return wiring_; }

private:
    void connect();

    // A copy: blocks keep references into it.
    const config::NicConfig config_;
    const NicParameters parameters_;
    // Without state: one for all NICs.
    static inline const ExactTiming timing_{};
    static inline const queue_disc::ControlBeforeData bands_{};
    transport::Transport transport_;
    EgressBuffer egress_buffer_;
    TransmitScheduler transmit_scheduler_;
    NetworkPort network_port_;
    IngressBuffer ingress_buffer_;
    Dma dma_;
    pcie::TransactionLayer transaction_layer_;
    pcie::CheckedWiring wiring_;
};

}  // namespace mrcnic::nic
