#pragma once

#include <array>
#include <cstdint>

#include <systemc>

#include "mrcnic/base/statistics.h"
#include "mrcnic/nic/byte_pool.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/packet/roles.h"

namespace mrcnic::nic {

/// Room for what the NIC has received: charge or drop, per class [PL-1, IN-1 .. IN-4].
///
/// A frame that does not fit is dropped, counted, and seen by nobody else. One that does goes to the transport at once;
/// its room comes back when it was processed, or, with a payload, when the PCIe transmit buffer has accepted the write.
class IngressBuffer : public sc_core::sc_module {
public:
    struct Parameters {
        std::uint64_t total_size{4'000'000};  ///< bytes; split 90 : 10 [PL-1]
        packet::DscpCodepoints dscp;
        bool reports_writes{false};  ///< tells the transport of accepted writes (`RecvCompleteAfterWrite`)
    };

    packet::FrameTargetSocket<IngressBuffer> from_port{"from_port", *this, &IngressBuffer::arrive};
    packet::FrameInitiatorSocket<IngressBuffer> to_transport{"to_transport", *this};
    packet::FrameInitiatorSocket<IngressBuffer> to_dma{"to_dma", *this, &IngressBuffer::write_accepted};

    IngressBuffer(const sc_core::sc_module_name& name, const Parameters& parameters);

    [[nodiscard]] const BytePool& pool(packet::TrafficClass traffic_class) const noexcept
    {
        return pools_[static_cast<std::size_t>(traffic_class)];
    }
    /// The pool's `interval_peak` counts from now.
    void start_interval(packet::TrafficClass traffic_class) noexcept
    {
        pools_[static_cast<std::size_t>(traffic_class)].start_interval();
    }
    [[nodiscard]] std::uint64_t drops() const noexcept { return pools_[0].refused() + pools_[1].refused(); }
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }

private:
    tlm::tlm_sync_enum arrive(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum write_accepted(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void process(packet::Frame& frame);
    void release(packet::Frame& frame, bool written);
    void describe_statistics();

    packet::DscpRoles roles_;
    bool reports_writes_;
    std::array<BytePool, 2> pools_;
    StatisticGroup statistics_{"ingress"};
};

}  // namespace mrcnic::nic
