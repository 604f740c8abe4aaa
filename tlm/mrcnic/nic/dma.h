#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/pcie/tlp.h"

namespace mrcnic::nic {

/// The NIC's DMA engine: turns fetches and writes of payload into TLPs and completions back into frames [PC-3, IN-2].
///
/// One read request and one completion a fetch, any number outstanding; no alignment, no limit on tags in the reference
/// profile.
class Dma : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<Dma> from_transport{"from_transport", *this, &Dma::fetch};
    packet::FrameTargetSocket<Dma> from_ingress{"from_ingress", *this, &Dma::write};
    pcie::TlpInitiatorSocket<Dma> to_pcie{"to_pcie", *this, &Dma::write_accepted};
    pcie::TlpTargetSocket<Dma> from_pcie{"from_pcie", *this, &Dma::complete};

    /// @param read_request_size  bytes that a read request carries [PC-3]
    Dma(const sc_core::sc_module_name& name, Agenda& agenda, std::uint32_t read_request_size);

    [[nodiscard]] std::uint64_t failed_reads() const noexcept { return failed_reads_; }

private:
    tlm::tlm_sync_enum fetch(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum write(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum write_accepted(pcie::Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum complete(pcie::Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    [[nodiscard]] pcie::TlpRef make_tlp(packet::Frame& frame);
    [[nodiscard]] packet::FrameRef take(std::uint32_t tag);

    std::uint32_t read_request_size_;
    pcie::TlpPool& tlps_;
    std::vector<packet::FrameRef> frame_of_tag_;
    std::vector<std::uint32_t> free_tags_;
    std::uint64_t failed_reads_{0};
};

}  // namespace mrcnic::nic
