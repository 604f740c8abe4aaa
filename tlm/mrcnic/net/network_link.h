#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/kernel_time.h"
#include "mrcnic/net/link_faults.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::net {

/// One direction of a link: a frame arrives, whole, `delay` after its serialization has ended [SW-2].
///
/// Models propagation only: ports serialize. Adds its delay to the annotated one, so it costs no event. Loses nothing
/// and keeps order but for what a test asks, holds any number of frames.
class NetworkLink : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<NetworkLink> from{"from", *this, &NetworkLink::carry};
    packet::FrameInitiatorSocket<NetworkLink> to{"to", *this};

    NetworkLink(const sc_core::sc_module_name& name, Picoseconds delay)
        : sc_module{name}, delay_{KernelTime{}.to_kernel(delay)}
    {
    }

    /// Test hook; several faults add up.
    void inject(const LinkFault& fault) { faults_.add(fault); }
    /// From now on everything that enters is lost [SW-57].
    void cut() noexcept { cut_ = true; }

    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }    ///< that entered
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }  ///< by the test hook or a cut
    [[nodiscard]] std::uint64_t marked() const noexcept { return marked_; }    ///< CE by the test hook
    [[nodiscard]] std::uint64_t copies() const noexcept { return copies_; }    ///< made by the test hook
    /// Frames handed on to the far end: what entered without the dropped ones, and the copies.
    [[nodiscard]] std::uint64_t delivered() const noexcept { return frames_ - dropped_ + copies_; }
    /// Copies that somebody still holds; 0 after a run that drained.
    [[nodiscard]] std::size_t live_copies() const noexcept { return pool_.live(); }

private:
    tlm::tlm_sync_enum carry(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        ++frames_;
        offset += delay_;
        if (cut_ || !faults_.empty()) {
            return carry_faulty(frame, phase, offset);
        }
        return to.forward(frame, phase, offset);
    }

    tlm::tlm_sync_enum carry_faulty(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        const LinkFaults::Verdict verdict = faults_.judge(frame);
        if (verdict.drop || cut_) {
            ++dropped_;
            return tlm::TLM_COMPLETED;
        }
        if (verdict.mark) {
            ++marked_;
            frame.network.ecn = packet::Ecn::ce;
        }
        offset += KernelTime{}.to_kernel(verdict.extra_delay);
        const sc_core::sc_time arrival = offset;
        packet::FrameRef copy;
        if (verdict.duplicate) {
            copy = pool_.make();
            static_cast<packet::FrameFields&>(*copy) = frame;
            copy->payload = frame.payload;
        }
        const tlm::tlm_sync_enum status = to.forward(frame, phase, offset);
        if (copy) {
            ++copies_;
            tlm::tlm_phase begin = tlm::BEGIN_REQ;
            sc_core::sc_time same = arrival;
            to.forward(*copy, begin, same);
        }
        return status;
    }

    sc_core::sc_time delay_;
    LinkFaults faults_;
    packet::FramePool pool_;
    bool cut_{false};
    std::uint64_t frames_{0};
    std::uint64_t dropped_{0};
    std::uint64_t marked_{0};
    std::uint64_t copies_{0};
};

}  // namespace mrcnic::net
