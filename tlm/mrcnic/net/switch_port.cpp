#include "mrcnic/net/switch_port.h"

namespace mrcnic::net {

using packet::Frame;

SwitchPort::SwitchPort(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                       const SwitchBands& bands, const Parameters& parameters)
    : sc_module{name},
      scheduler{"scheduler", agenda, timing, bands, {parameters.rate, 0, 0, false, parameters.place}},
      port{"port", agenda, {parameters.rate, 0, parameters.place}},
      bands_{bands},
      parameters_{parameters},
      wiring_{parameters.protocol_checkers}
{
    wiring_.connect(to_scheduler, scheduler.from_buffer, packet::Hop::queue);
    wiring_.connect(scheduler.to_port, port.from_scheduler, packet::Hop::port);
}

bool SwitchPort::offer(Frame& frame)
{
    const std::uint32_t charge = switch_charge(frame.wire_bytes);
    std::uint64_t& queued = queued_[bands_.class_of(frame)];
    if (queued + charge > parameters_.queue_limit) {
        ++tx_drops_;
        return false;
    }
    queued += charge;
    to_scheduler.forward(frame, tlm::BEGIN_REQ);
    return true;
}

// [SW-13] Charges are released when the serialization on the egress port ends.
tlm::tlm_sync_enum SwitchPort::sent(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    queued_[bands_.class_of(frame)] -= switch_charge(frame.wire_bytes);
    return tlm::TLM_ACCEPTED;
}

}  // namespace mrcnic::net
