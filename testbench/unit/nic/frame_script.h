#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/packet/wire_size.h"

// Neighbours of a block that moves frames, which do what a test tells them, and a clock for the test's own actions.

namespace mrcnic::testbench {

/// Carries out the actions of a test as entries of the agenda, among those of the blocks.
class Script {
public:
    explicit Script(Agenda& agenda) : agenda_{agenda} {}

    /// Runs `action` at `when`, in the place that its class has in the instant [OE-1].
    void at(Picoseconds when, EventClass event_class, std::function<void()> action)
    {
        steps_.push_back({std::move(action)});
        agenda_.at<&Step::run>(when, event_class, Place{}, steps_.back());
    }
    /// As soon as frames arrive.
    void at(Picoseconds when, std::function<void()> action) { at(when, EventClass::arrival, std::move(action)); }
    /// After all else in the instant.
    void look_at(Picoseconds when, std::function<void()> action) { at(when, EventClass::record, std::move(action)); }

private:
    struct Step {
        std::function<void()> action;
        void run() { action(); }
    };
    Agenda& agenda_;
    std::deque<Step> steps_;
};

/// A call that a neighbour saw, one word each: "GRANT 7@15000" is phase, uid, instant.
[[nodiscard]] inline std::string note_of(const packet::Frame& frame, const tlm::tlm_phase& phase, Picoseconds now)
{
    const std::string name = phase.get_name();
    return name.substr(name.rfind(':') + 1) + ' ' + std::to_string(frame.uid) + '@' + std::to_string(now);
}

using FrameCall = std::function<tlm::tlm_sync_enum(packet::Frame&, tlm::tlm_phase&, sc_core::sc_time&)>;

/// Calls forward, notes what comes back.
class FrameInitiator : public sc_core::sc_module {
public:
    packet::FrameInitiatorSocket<FrameInitiator> socket{"socket", *this, &FrameInitiator::backward};
    std::vector<std::string> seen;
    FrameCall on_backward;

    FrameInitiator(const sc_core::sc_module_name& name, const Agenda& agenda) : sc_module{name}, agenda_{agenda} {}

    /// @return the phase of the answer: the one called with, if nothing was updated
    tlm::tlm_phase call(const packet::FrameRef& frame, const tlm::tlm_phase& phase)
    {
        tlm::tlm_phase answer = phase;
        socket.forward(*frame, answer);
        return answer;
    }
    /// A frame whose last bit comes `delay` from now.
    void send(const packet::FrameRef& frame, Picoseconds delay = 0)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time offset = agenda_.kernel_time().to_kernel(delay);
        socket->nb_transport_fw(*frame, phase, offset);
    }

private:
    tlm::tlm_sync_enum backward(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        seen.push_back(note_of(frame, phase, agenda_.now()));
        return on_backward ? on_backward(frame, phase, offset) : tlm::TLM_ACCEPTED;
    }
    const Agenda& agenda_;
};

/// Notes what comes forward, answers as it is told, calls backward.
class FrameTarget : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<FrameTarget> socket{"socket", *this, &FrameTarget::forward};
    std::vector<std::string> seen;
    std::vector<packet::FrameRef> frames;  ///< what came, held
    std::vector<Picoseconds> times;        ///< when its last bit comes
    bool holds_frames{true};
    FrameCall on_forward;

    FrameTarget(const sc_core::sc_module_name& name, const Agenda& agenda, tlm::tlm_sync_enum answer)
        : sc_module{name}, agenda_{agenda}, answer_{answer}
    {
    }
    void back(const packet::FrameRef& frame, const tlm::tlm_phase& phase) { socket.backward(*frame, phase); }

private:
    tlm::tlm_sync_enum forward(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        const Picoseconds when = agenda_.now() + agenda_.kernel_time().to_picoseconds(offset);
        if (holds_frames) {
            seen.push_back(note_of(frame, phase, when));
            frames.emplace_back(frame);
            times.push_back(when);
        }
        return on_forward ? on_forward(frame, phase, offset) : answer_;
    }
    const Agenda& agenda_;
    tlm::tlm_sync_enum answer_;
};

/// Frames with running numbers, 1, 2, ...
class FrameMaker {
public:
    [[nodiscard]] packet::FrameRef data(std::uint32_t payload_bytes = 4096)
    {
        packet::FrameRef frame = make(packet::FrameKind::data, packet::data_wire_bytes(payload_bytes, false), 0);
        frame->payload_bytes = payload_bytes;
        return frame;
    }
    [[nodiscard]] packet::FrameRef sack() { return control(packet::FrameKind::sack); }
    [[nodiscard]] packet::FrameRef probe() { return make(packet::FrameKind::probe, packet::kProbeWireBytes, 0); }
    [[nodiscard]] packet::FrameRef control(packet::FrameKind kind)
    {
        return make(kind, packet::control_wire_bytes(kind), 46);
    }
    /// A frame of any size and codepoint; its class is that of the default codepoints.
    [[nodiscard]] packet::FrameRef make(packet::FrameKind kind, std::uint32_t wire_bytes, std::uint8_t dscp)
    {
        packet::FrameRef frame = pool_.make();
        frame->kind = kind;
        frame->wire_bytes = wire_bytes;
        frame->network.dscp = dscp;
        frame->traffic_class = packet::DscpRoles{packet::DscpCodepoints{}}.class_of(dscp);
        frame->uid = ++made_;
        return frame;
    }
    [[nodiscard]] std::size_t live() const noexcept { return pool_.live(); }

private:
    packet::FramePool pool_;
    std::uint64_t made_{0};
};

}  // namespace mrcnic::testbench
