#include "mrcnic/nic/network_port.h"

#include "mrcnic/packet/timestamp.h"

namespace mrcnic::nic {

using packet::Frame;
using packet::FrameRef;

NetworkPort::NetworkPort(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters)
    : sc_module{name}, agenda_{agenda}, parameters_{parameters}, clock_{parameters.rate}
{
    statistics_.add("tx_frames", "frames", "frames serialized completely", counters_.tx_frames);
    statistics_.add("tx_bytes", "B", "their bytes on the wire", counters_.tx_bytes);
    statistics_.add("tx_busy_ps", "ps", "time with a frame on the link",
                    [this] { return StatisticValue{static_cast<std::uint64_t>(busy())}; });
    statistics_.add("rx_frames", "frames", "frames arrived, dropped ones included", counters_.rx_frames);
    statistics_.add("rx_bytes", "B", "their bytes on the wire", counters_.rx_bytes);
}

Picoseconds NetworkPort::busy() const
{
    return sending_ ? busy_total_ + (agenda_.now() - started_at_) : busy_total_;
}

tlm::tlm_sync_enum NetworkPort::start(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    started_at_ = agenda_.now();
    sending_ = true;
    if (frame.bth.timestamp && frame.kind == packet::FrameKind::data) {
        frame.tseth.timestamp = packet::timestamp_of(started_at_);  // [CC-14]
    }
    const Picoseconds end = clock_.start(started_at_, frame.wire_bytes + parameters_.frame_gap_bytes);
    agenda_.at<&NetworkPort::end>(end, EventClass::serialization_end, parameters_.place, *this, FrameRef{frame});
    return tlm::TLM_ACCEPTED;
}

void NetworkPort::end(FrameRef frame)
{
    sending_ = false;
    busy_total_ += agenda_.now() - started_at_;
    ++counters_.tx_frames;
    counters_.tx_bytes += frame->wire_bytes;
    tell_observer(*frame);
    to_wire.forward(*frame, tlm::BEGIN_REQ);
    from_scheduler.backward(*frame, packet::phase::SENT);
}

tlm::tlm_sync_enum NetworkPort::expect(Frame& frame, tlm::tlm_phase&, sc_core::sc_time& offset)
{
    agenda_.at<&NetworkPort::arrive>(agenda_.now() + agenda_.kernel_time().to_picoseconds(offset), EventClass::arrival,
                                     parameters_.place, *this, FrameRef{frame});
    return tlm::TLM_COMPLETED;
}

void NetworkPort::arrive(FrameRef frame)
{
    ++counters_.rx_frames;
    counters_.rx_bytes += frame->wire_bytes;
    frame->ingress_port = parameters_.place.port;
    to_receiver.forward(*frame, tlm::BEGIN_REQ);
}

}  // namespace mrcnic::nic
