#include "mrcnic/nic/dma.h"

#include <string>
#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::nic {

using packet::Frame;
using packet::FrameRef;
using pcie::Tlp;
using pcie::TlpKind;
using pcie::TlpRef;

Dma::Dma(const sc_core::sc_module_name& name, Agenda& agenda, std::uint32_t read_request_size)
    : sc_module{name}, read_request_size_{read_request_size}, tlps_{agenda.shared<pcie::TlpPool>()}
{
}

TlpRef Dma::make_tlp(Frame& frame)
{
    if (free_tags_.empty()) {
        free_tags_.push_back(static_cast<std::uint32_t>(frame_of_tag_.size()));
        frame_of_tag_.emplace_back();
    }
    TlpRef tlp = tlps_.make();
    tlp->tag = free_tags_.back();
    free_tags_.pop_back();
    frame_of_tag_[tlp->tag] = FrameRef{frame};
    tlp->length = frame.payload_bytes;
    return tlp;
}

FrameRef Dma::take(std::uint32_t tag)
{
    free_tags_.push_back(tag);
    return std::exchange(frame_of_tag_[tag], FrameRef{});
}

tlm::tlm_sync_enum Dma::fetch(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    const TlpRef tlp = make_tlp(frame);
    tlp->kind = TlpKind::memory_read;
    tlp->address = frame.local_address;
    tlp->payload_bytes = read_request_size_;
    to_pcie.forward(*tlp, tlm::BEGIN_REQ);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Dma::complete(Tlp& tlp, tlm::tlm_phase&, sc_core::sc_time&)
{
    if (tlp.tag >= frame_of_tag_.size() || !frame_of_tag_[tlp.tag]) {
        const std::string text = "a completion carries tag " + std::to_string(tlp.tag) + ", which no request has";
        SC_REPORT_ERROR(report_id::kPcie, text.c_str());
        return tlm::TLM_COMPLETED;
    }
    const FrameRef frame = take(tlp.tag);
    if (tlp.status != pcie::CompletionStatus::successful) {
        ++failed_reads_;
        SC_REPORT_WARNING(report_id::kHost,
                          "the host answered a payload fetch with an error; zeros are sent in its place");
    }
    frame->payload.swap(tlp.data);
    from_transport.backward(*frame, packet::phase::FETCHED);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum Dma::write(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    const TlpRef tlp = make_tlp(frame);
    tlp->kind = TlpKind::memory_write;
    tlp->address = frame.reth.virtual_address;
    tlp->payload_bytes = frame.payload_bytes;
    tlp->reports_acceptance = true;
    tlp->data.swap(frame.payload);
    tlm::tlm_phase answer = tlm::BEGIN_REQ;
    if (to_pcie.forward(*tlp, answer) != tlm::TLM_UPDATED) {
        return tlm::TLM_ACCEPTED;
    }
    take(tlp->tag).reset();
    phase = packet::phase::ACCEPTED;
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum Dma::write_accepted(Tlp& tlp, tlm::tlm_phase&, sc_core::sc_time&)
{
    const FrameRef frame = take(tlp.tag);
    from_ingress.backward(*frame, packet::phase::ACCEPTED);
    return tlm::TLM_COMPLETED;
}

}  // namespace mrcnic::nic
