#include "mrcnic/nic/egress_buffer.h"

namespace mrcnic::nic {

using packet::Frame;
using packet::FrameRef;
using packet::TrafficClass;

EgressBuffer::EgressBuffer(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                           const Parameters& parameters)
    : sc_module{name},
      agenda_{agenda},
      timing_{timing},
      parameters_{parameters},
      classes_{Class{PoolSplit{parameters.total_size}.data}, Class{PoolSplit{parameters.total_size}.control}}
{
    describe_statistics();
}

tlm::tlm_sync_enum EgressBuffer::forward(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    if (phase == packet::phase::RESERVE) {
        return reserve(frame, phase);
    }
    if (phase == packet::phase::KICK) {
        start(class_of(frame));
        return tlm::TLM_ACCEPTED;
    }
    return to_scheduler.forward(frame, tlm::BEGIN_REQ);
}

tlm::tlm_sync_enum EgressBuffer::reserve(Frame& frame, tlm::tlm_phase& phase)
{
    const Picoseconds now = agenda_.now();
    const Picoseconds answer_at = timing_.answer_at(now);
    if (answer_at > now) {
        agenda_.at<&EgressBuffer::answer_later>(answer_at, EventClass::delayed_pass, parameters_.place, *this,
                                                FrameRef{frame});
        return tlm::TLM_ACCEPTED;
    }
    phase = decide(frame);
    return tlm::TLM_UPDATED;
}

tlm::tlm_phase EgressBuffer::decide(Frame& frame)
{
    Class& traffic_class = class_of(frame);
    const bool granted = traffic_class.pool.reserve(frame.wire_bytes);
    if (frame.kind == packet::FrameKind::probe) {
        // [MP-23] It takes what room there is, or none: it neither stops the data nor starts them again.
        return granted ? packet::phase::GRANT : packet::phase::REFUSE;
    }
    if (granted) {
        start(traffic_class);
        return packet::phase::GRANT;
    }
    traffic_class.stopped = true;
    traffic_class.refused = FrameRef{frame};
    return packet::phase::REFUSE;
}

void EgressBuffer::answer_later(FrameRef frame)
{
    from_transport.backward(*frame, decide(*frame));
}

// [EG-2] The room is free when the serialization has ended.
tlm::tlm_sync_enum EgressBuffer::sent(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    Class& traffic_class = class_of(frame);
    const bool crossed_half = traffic_class.pool.release(frame.wire_bytes);
    from_transport.backward(frame, phase);
    if (!traffic_class.stopped) {
        return tlm::TLM_ACCEPTED;
    }
    if (frame.traffic_class == TrafficClass::control) {
        wake(traffic_class);  // [EG-6] waiting control packets are served whenever control space is released
    } else if (crossed_half) {
        agenda_.at<&EgressBuffer::retry_after_drain>(agenda_.now() + parameters_.retry_delay, EventClass::delayed_pass,
                                                     parameters_.place, *this);
    }
    return tlm::TLM_ACCEPTED;
}

void EgressBuffer::start(Class& traffic_class)
{
    traffic_class.stopped = false;
    traffic_class.refused.reset();
}

// [EG-4] A retry is not cancelled when the requester has gone on meanwhile; it then finds nothing to do.
void EgressBuffer::retry_after_drain()
{
    Class& data = classes_[index(TrafficClass::data)];
    if (data.stopped) {
        ++retries_after_drain_;
        wake(data);
    }
}

void EgressBuffer::wake(Class& traffic_class)
{
    const FrameRef carrier = traffic_class.refused;
    start(traffic_class);
    from_transport.backward(*carrier, packet::phase::WAKE);
}

void EgressBuffer::describe_statistics()
{
    const auto add_pool = [this](const std::string& name, const BytePool& pool) {
        statistics_.add(name + "_pool_bytes", "B", "size of the " + name + " pool",
                        [&pool] { return StatisticValue{pool.size()}; });
        statistics_.add(name + "_peak_bytes", "B", "highest occupancy of the " + name + " pool",
                        [&pool] { return StatisticValue{pool.peak()}; });
        statistics_.add(name + "_refused", "reservations", "reservations that the " + name + " pool refused",
                        [&pool] { return StatisticValue{pool.refused()}; });
    };
    add_pool("data", pool(TrafficClass::data));
    add_pool("control", pool(TrafficClass::control));
    statistics_.add("retries_after_drain", "retries", "retries 15 ns after a stopped data pool drained to half",
                    retries_after_drain_);
}

}  // namespace mrcnic::nic
