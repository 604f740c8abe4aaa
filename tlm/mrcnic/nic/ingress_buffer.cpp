#include "mrcnic/nic/ingress_buffer.h"

#include <algorithm>
#include <string>

#include "mrcnic/packet/wire_size.h"

namespace mrcnic::nic {

using packet::Frame;
using packet::TrafficClass;

IngressBuffer::IngressBuffer(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module{name},
      roles_{parameters.dscp},
      reports_writes_{parameters.reports_writes},
      pools_{BytePool{PoolSplit{parameters.total_size}.data}, BytePool{PoolSplit{parameters.total_size}.control}}
{
    describe_statistics();
}

tlm::tlm_sync_enum IngressBuffer::arrive(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    // A switch may have trimmed the frame on its way: its codepoint decides, not what the sender made it [FR-3].
    frame.traffic_class = roles_.class_of(frame.network.dscp);
    frame.charged_bytes = std::max(frame.wire_bytes, packet::kMinimumChargeBytes);
    if (pools_[static_cast<std::size_t>(frame.traffic_class)].reserve(frame.charged_bytes)) {
        process(frame);
    }
    return tlm::TLM_COMPLETED;
}

// [IN-3] The transport's acknowledgements go out before the payload is written.
void IngressBuffer::process(Frame& frame)
{
    if (to_transport.forward(frame, tlm::BEGIN_REQ) == tlm::TLM_COMPLETED) {
        release(frame, false);
    } else if (to_dma.forward(frame, packet::phase::WRITE) == tlm::TLM_UPDATED) {
        release(frame, true);
    }
}

tlm::tlm_sync_enum IngressBuffer::write_accepted(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    release(frame, true);
    return tlm::TLM_COMPLETED;
}

void IngressBuffer::release(Frame& frame, bool written)
{
    pools_[static_cast<std::size_t>(frame.traffic_class)].release(frame.charged_bytes);
    if (written && reports_writes_) {
        to_transport.forward(frame, packet::phase::ACCEPTED);
    }
}

void IngressBuffer::describe_statistics()
{
    const auto add_pool = [this](const std::string& name, const BytePool& pool) {
        statistics_.add(name + "_pool_bytes", "B", "size of the " + name + " pool",
                        [&pool] { return StatisticValue{pool.size()}; });
        statistics_.add(name + "_peak_bytes", "B", "highest occupancy of the " + name + " pool",
                        [&pool] { return StatisticValue{pool.peak()}; });
        statistics_.add("drops_" + name, "frames", "frames dropped because the " + name + " pool had no room",
                        [&pool] { return StatisticValue{pool.refused()}; });
    };
    add_pool("data", pool(TrafficClass::data));
    add_pool("control", pool(TrafficClass::control));
}

}  // namespace mrcnic::nic
