#include "mrcnic/workload/line_rate_source.h"

#include "mrcnic/packet/psn.h"
#include "mrcnic/packet/wire_size.h"
#include "mrcnic/workload/buffers.h"

namespace mrcnic::workload {

using packet::Frame;
using packet::FrameRef;

namespace {
/// Frames land in turn in so many places of host memory.
constexpr std::uint64_t kDestinations = 1024;
constexpr std::uint64_t kPlaceBytes = 16'384;  // no payload is larger
}  // namespace

LineRateSource::LineRateSource(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters)
    : sc_module{name}, agenda_{agenda}, parameters_{parameters}, clock_{parameters.rate}
{
}

void LineRateSource::start_frame()
{
    const std::uint64_t bytes =
        packet::data_wire_bytes(parameters_.frame_payload, false) + std::uint64_t{parameters_.frame_gap_bytes};
    agenda_.at<&LineRateSource::frame_sent>(clock_.start(agenda_.now(), bytes), EventClass::serialization_end,
                                            parameters_.place, *this);
}

void LineRateSource::frame_sent()
{
    const FrameRef frame = make_frame();
    ++frames_sent_;
    tell_observer(*frame);
    to_wire.forward(*frame, tlm::BEGIN_REQ);
    if (!finished()) {
        start_frame();
    }
}

FrameRef LineRateSource::make_frame()
{
    FrameRef made = frames_.make();
    Frame& frame = *made;
    frame.payload_bytes = parameters_.frame_payload;
    frame.wire_bytes = packet::data_wire_bytes(parameters_.frame_payload, false);
    frame.network.source = parameters_.source;
    frame.network.destination = parameters_.destination;
    frame.network.dscp = parameters_.dscp;
    frame.bth.opcode = packet::Opcode::write_middle;
    frame.bth.destination_qp = parameters_.destination_qp;
    frame.bth.ack_request = true;
    frame.bth.psn = static_cast<packet::Psn>(frames_sent_ & packet::kPsnMask);
    frame.reth.virtual_address = kDestinationBase + frames_sent_ % kDestinations * kPlaceBytes;
    frame.reth.dma_length = parameters_.frame_payload;
    frame.uid = std::uint64_t{parameters_.place.node} << 48U | (frames_sent_ + 1);
    if (parameters_.payload_mode == config::PayloadMode::bytes) {
        frame.payload.resize(parameters_.frame_payload);
        for (std::uint32_t k = 0; k < parameters_.frame_payload; ++k) {
            frame.payload[k] = source_byte(frames_sent_ + 1, k);
        }
    }
    return made;
}

tlm::tlm_sync_enum LineRateSource::absorb(Frame&, tlm::tlm_phase&, sc_core::sc_time&)
{
    ++frames_absorbed_;
    return tlm::TLM_COMPLETED;
}

}  // namespace mrcnic::workload
