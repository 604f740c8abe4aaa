#include "mrcnic/net/switch_port.h"

#include <algorithm>

namespace mrcnic::net {

using packet::Ecn;
using packet::Frame;

SwitchPort::SwitchPort(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                       SharedPolicies& shared, const Parameters& parameters)
    : sc_module{name},
      scheduler{"scheduler", agenda, timing, shared.classes, {parameters.rate, 0, 0, false, parameters.place, this}},
      port{"port", agenda, {parameters.rate, 0, parameters.place}},
      shared_{shared},
      parameters_{parameters},
      marker_{parameters.ecn, shared.classes.count()},
      counters_(shared.classes.count()),
      wiring_{parameters.protocol_checkers}
{
    wiring_.connect(to_scheduler, scheduler.from_buffer, packet::Hop::queue);
    wiring_.connect(scheduler.to_port, port.from_scheduler, packet::Hop::port);
}

bool SwitchPort::admit(const Frame& frame)
{
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    const std::uint32_t bytes = switch_charge(frame.wire_bytes);
    if (!shared_.ingress.fits(traffic_class, bytes)) {
        ++counters_[traffic_class].ingress_drops;
        return false;
    }
    shared_.ingress.charge(parameters_.place.port, traffic_class, bytes);
    return true;
}

void SwitchPort::offer(Frame& frame)
{
    const Admission admission = queue(frame);
    if (admission == Admission::taken) {
        return;
    }
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    shared_.ingress.release(frame.ingress_port, traffic_class, switch_charge(frame.wire_bytes));
    // [SW-30] Room that the whole switch lacks is no matter of this queue: such a frame is dropped.
    if (admission == Admission::over_limit && shared_.trimmer.trims(frame, shared_.classes.role_of(frame))) {
        shared_.trimmer.trim(frame, parameters_.faces_nic);
        if (queue_trimmed(frame)) {
            ++counters_[traffic_class].trims;
            return;
        }
    }
    ++counters_[shared_.classes.class_of(frame)].egress_drops;
}

// [SW-33, SW-34]
bool SwitchPort::queue_trimmed(Frame& frame)
{
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    const std::uint32_t bytes = switch_charge(frame.wire_bytes);
    if (!shared_.ingress.fits(traffic_class, bytes) || queue(frame) != Admission::taken) {
        return false;
    }
    shared_.ingress.charge(frame.ingress_port, traffic_class, bytes);
    return true;
}

SwitchPort::Admission SwitchPort::queue(Frame& frame)
{
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    const std::uint32_t bytes = switch_charge(frame.wire_bytes);
    if (!shared_.limits.fits(shared_.classes.role_of(frame), queued_bytes(traffic_class), bytes)) {
        return Admission::over_limit;
    }
    if (!shared_.egress.fits(traffic_class, bytes)) {
        return Admission::over_pool;
    }
    shared_.egress.charge(parameters_.place.port, traffic_class, bytes);
    const std::uint64_t queued = queued_bytes(traffic_class);
    marker_.admitted(traffic_class, queued);
    counters_[traffic_class].interval_max = std::max(counters_[traffic_class].interval_max, queued);
    to_scheduler.forward(frame, tlm::BEGIN_REQ);
    return Admission::taken;
}

// [SW-42] The choice comes after the arrivals of its instant, so their share of the average is in.
void SwitchPort::starts(Frame& frame)
{
    if (frame.network.ecn != Ecn::ect0 && frame.network.ecn != Ecn::ect1) {
        return;
    }
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    if (marker_.marks(traffic_class)) {
        frame.network.ecn = Ecn::ce;
        ++counters_[traffic_class].ecn_marked;
    }
}

// [SW-13] Both charges are released when the serialization on the egress port ends.
tlm::tlm_sync_enum SwitchPort::sent(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    const std::size_t traffic_class = shared_.classes.class_of(frame);
    const std::uint32_t bytes = switch_charge(frame.wire_bytes);
    shared_.egress.release(parameters_.place.port, traffic_class, bytes);
    shared_.ingress.release(frame.ingress_port, traffic_class, bytes);
    return tlm::TLM_ACCEPTED;
}

std::uint64_t SwitchPort::take_interval_max(std::size_t traffic_class)
{
    ClassCounters& counters = counters_[traffic_class];
    const std::uint64_t most = counters.interval_max;
    counters.interval_max = queued_bytes(traffic_class);
    return most;
}

std::uint64_t SwitchPort::tx_drops() const noexcept
{
    std::uint64_t drops = 0;
    for (const ClassCounters& counters : counters_) {
        drops += counters.egress_drops;
    }
    return drops;
}

std::uint64_t SwitchPort::rx_drops() const noexcept
{
    std::uint64_t drops = 0;
    for (const ClassCounters& counters : counters_) {
        drops += counters.ingress_drops;
    }
    return drops;
}

}  // namespace mrcnic::net
