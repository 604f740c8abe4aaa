#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/kernel_time.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::net {

/// What a test does to frames of a link, control frames and probes counted [SW-4].
struct LinkFault {
    enum class Action { drop, mark };
    Action action{Action::drop};
    std::uint64_t nth{0};    ///< this frame, counted from 1; 0 = none
    std::uint64_t every{0};  ///< every k-th frame; 0 = none

    [[nodiscard]] bool hits(std::uint64_t frame) const noexcept
    {
        return frame == nth || (every != 0 && frame % every == 0);
    }
};

/// One direction of a link: a frame arrives, whole, `delay` after its serialization has ended [SW-2].
///
/// Models propagation only: ports serialize. Adds its delay to the annotated one, so it costs no event. Loses nothing
/// but what a test asks for, keeps order, holds any number of frames.
class NetworkLink : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<NetworkLink> from{"from", *this, &NetworkLink::carry};
    packet::FrameInitiatorSocket<NetworkLink> to{"to", *this};

    NetworkLink(const sc_core::sc_module_name& name, Picoseconds delay)
        : sc_module{name}, delay_{KernelTime{}.to_kernel(delay)}
    {
    }

    /// Test hook; several faults add up.
    void inject(const LinkFault& fault) { faults_.push_back(fault); }
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }    ///< that entered
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }  ///< by the test hook
    [[nodiscard]] std::uint64_t marked() const noexcept { return marked_; }    ///< CE by the test hook

private:
    tlm::tlm_sync_enum carry(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        ++frames_;
        for (const LinkFault& fault : faults_) {
            if (!fault.hits(frames_)) {
                continue;
            }
            if (fault.action == LinkFault::Action::drop) {
                ++dropped_;
                return tlm::TLM_COMPLETED;
            }
            ++marked_;
            frame.network.ecn = packet::Ecn::ce;
        }
        offset += delay_;
        return to.forward(frame, phase, offset);
    }

    sc_core::sc_time delay_;
    std::vector<LinkFault> faults_;
    std::uint64_t frames_{0};
    std::uint64_t dropped_{0};
    std::uint64_t marked_{0};
};

}  // namespace mrcnic::net
