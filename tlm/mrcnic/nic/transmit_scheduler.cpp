#include "mrcnic/nic/transmit_scheduler.h"

#include <algorithm>

#include "mrcnic/base/serialization_clock.h"

namespace mrcnic::nic {

using packet::Frame;
using packet::FrameRef;

TransmitScheduler::TransmitScheduler(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                                     const queue_disc::BandMap& bands, const Parameters& parameters)
    : sc_module{name}, agenda_{agenda}, timing_{timing}, bands_{bands}, parameters_{parameters}, queue_{bands.bands()}
{
    statistics_.add("control_wait_mean_ps", "ps", "mean time from joining the queue to the start, control frames",
                    [this] {
                        return StatisticValue{control_started_ == 0 ? 0.0
                                                                    : static_cast<double>(control_wait_total_) /
                                                                          static_cast<double>(control_started_)};
                    });
    statistics_.add("control_wait_max_ps", "ps", "longest such time", control_wait_max_);
}

tlm::tlm_sync_enum TransmitScheduler::join(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    frame.joined_queue_at = agenda_.now();
    if (parameters_.stamps_service_time && frame.kind == packet::FrameKind::sack) {
        frame.service_time = service_time();
    }
    queue_.enqueue(FrameRef{frame}, bands_.band_of(frame));
    ask_for_choice();
    return tlm::TLM_ACCEPTED;
}

// [TX-2, TR-71] Only what is queued ahead in the control class counts; the frame on the link does not.
Picoseconds TransmitScheduler::service_time() const noexcept
{
    constexpr std::size_t control = queue_disc::ControlBeforeData::kControl;
    const std::uint64_t frames = queue_.frames(control);
    if (frames == 0) {
        return 0;
    }
    const std::uint64_t bytes = queue_.bytes(control) + frames * parameters_.frame_gap_bytes;
    const Picoseconds exact = serialization_time(bytes, parameters_.rate);
    const Picoseconds step = parameters_.service_time_step;
    return step == 0 ? exact : exact / step * step;
}

tlm::tlm_sync_enum TransmitScheduler::sent(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    port_free_ = true;
    from_buffer.backward(frame, phase);
    ask_for_choice();
    return tlm::TLM_ACCEPTED;
}

void TransmitScheduler::ask_for_choice()
{
    if (port_free_ && !choice_pending_ && !queue_.empty()) {
        choice_pending_ = true;
        agenda_.at<&TransmitScheduler::choose>(timing_.decide_at(agenda_.now()), EventClass::choice, parameters_.place,
                                               *this);
    }
}

void TransmitScheduler::choose()
{
    choice_pending_ = false;
    const FrameRef frame = queue_.dequeue();
    if (frame->traffic_class == packet::TrafficClass::control) {
        const auto wait = static_cast<std::uint64_t>(agenda_.now() - frame->joined_queue_at);
        ++control_started_;
        control_wait_total_ += wait;
        control_wait_max_ = std::max(control_wait_max_, wait);
    }
    if (parameters_.start_policy != nullptr) {
        parameters_.start_policy->starts(*frame);
    }
    port_free_ = false;
    to_port.forward(*frame, tlm::BEGIN_REQ);
}

}  // namespace mrcnic::nic
