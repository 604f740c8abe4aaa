#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/packet/wire_size.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/transport/transport.h"

// A transport among neighbours that do what the test says, with checkers of the frame protocol between them.

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::FrameRef;
using packet::Psn;
using packet::QpNumber;
using packet::TrafficClass;

/// An egress buffer with two budgets of room. Answers at once, or when told; serializes when told.
class ScriptedEgress : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<ScriptedEgress> socket{"socket", *this, &ScriptedEgress::forward};

    std::uint64_t data_room{230'400};
    std::uint64_t control_room{25'600};
    bool answers_late{false};
    std::uint32_t requests{0};  ///< of both classes
    std::uint32_t kicks{0};

    explicit ScriptedEgress(const sc_core::sc_module_name& name) : sc_module{name} {}

    /// Data frames, probes not counted.
    [[nodiscard]] std::size_t data_queued() const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < queue(TrafficClass::data).size(); ++i) {
            count += queue(TrafficClass::data)[i]->kind == FrameKind::data ? 1U : 0U;
        }
        return count;
    }
    [[nodiscard]] std::size_t probes_queued() const { return queue(TrafficClass::data).size() - data_queued(); }
    [[nodiscard]] std::size_t control_queued() const { return queue(TrafficClass::control).size(); }
    /// The oldest frame of a class leaves: its serialization ends now and its room comes back.
    FrameRef serialize(TrafficClass traffic_class)
    {
        FrameRef frame = queue(traffic_class).pop_front();
        room(*frame) += frame->wire_bytes;
        socket.backward(*frame, packet::phase::SENT);
        return frame;
    }
    /// The oldest data frame, probes ahead of it with it.
    FrameRef next_data()
    {
        FrameRef frame = serialize(TrafficClass::data);
        while (frame->kind == FrameKind::probe) {
            frame = serialize(TrafficClass::data);
        }
        return frame;
    }
    /// The oldest probe; nothing else is queued ahead of it.
    FrameRef next_probe() { return serialize(TrafficClass::data); }
    FrameRef next_control() { return serialize(TrafficClass::control); }
    std::vector<FrameRef> all_data()
    {
        std::vector<FrameRef> frames;
        while (data_queued() > 0) {
            frames.push_back(next_data());
        }
        return frames;
    }
    std::vector<FrameRef> all_control()
    {
        std::vector<FrameRef> frames;
        while (control_queued() > 0) {
            frames.push_back(next_control());
        }
        return frames;
    }
    /// Says that room may have come.
    void wake(TrafficClass traffic_class)
    {
        const FrameRef carrier = refused_[index(traffic_class)];
        socket.backward(*carrier, packet::phase::WAKE);
    }
    [[nodiscard]] bool owes_answer(TrafficClass traffic_class) const
    {
        return static_cast<bool>(asking_[index(traffic_class)]);
    }
    /// Answers the open request of a class.
    void answer(TrafficClass traffic_class)
    {
        const FrameRef frame = std::exchange(asking_[index(traffic_class)], FrameRef{});
        socket.backward(*frame, decide(*frame));
    }

private:
    [[nodiscard]] static std::size_t index(TrafficClass traffic_class)
    {
        return static_cast<std::size_t>(traffic_class);
    }
    [[nodiscard]] RingQueue<FrameRef>& queue(TrafficClass c) { return queues_[index(c)]; }
    [[nodiscard]] const RingQueue<FrameRef>& queue(TrafficClass c) const { return queues_[index(c)]; }
    [[nodiscard]] std::uint64_t& room(const Frame& frame)
    {
        return frame.traffic_class == TrafficClass::data ? data_room : control_room;
    }
    tlm::tlm_phase decide(Frame& frame)
    {
        if (room(frame) >= frame.wire_bytes) {
            room(frame) -= frame.wire_bytes;
            return packet::phase::GRANT;
        }
        if (frame.kind != FrameKind::probe) {
            refused_[index(frame.traffic_class)] = FrameRef{frame};
        }
        return packet::phase::REFUSE;
    }
    tlm::tlm_sync_enum forward(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
    {
        if (phase == packet::phase::RESERVE) {
            ++requests;
            if (answers_late) {
                asking_[index(frame.traffic_class)] = FrameRef{frame};
                return tlm::TLM_ACCEPTED;
            }
            phase = decide(frame);
            return tlm::TLM_UPDATED;
        }
        if (phase == packet::phase::KICK) {
            ++kicks;
        } else {
            queue(frame.traffic_class).push_back(FrameRef{frame});
        }
        return tlm::TLM_ACCEPTED;
    }

    RingQueue<FrameRef> queues_[2];
    FrameRef refused_[2];
    FrameRef asking_[2];
};

/// A DMA engine that completes fetches when told.
class ScriptedDma : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<ScriptedDma> socket{"socket", *this, &ScriptedDma::forward};
    RingQueue<FrameRef> fetching;

    explicit ScriptedDma(const sc_core::sc_module_name& name) : sc_module{name} {}

    void complete()
    {
        const FrameRef frame = fetching.pop_front();
        socket.backward(*frame, packet::phase::FETCHED);
    }
    void complete_all()
    {
        while (!fetching.empty()) {
            complete();
        }
    }
    /// PSNs of the fetches that are under way.
    [[nodiscard]] std::vector<Psn> psns() const
    {
        std::vector<Psn> result;
        for (std::size_t i = 0; i < fetching.size(); ++i) {
            result.push_back(fetching[i]->bth.psn);
        }
        return result;
    }

private:
    tlm::tlm_sync_enum forward(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
    {
        fetching.push_back(FrameRef{frame});
        return tlm::TLM_ACCEPTED;
    }
};

/// An ingress buffer that delivers the test's frames.
class ScriptedIngress : public sc_core::sc_module {
public:
    packet::FrameInitiatorSocket<ScriptedIngress> socket{"socket", *this};
    packet::FramePool frames;

    explicit ScriptedIngress(const sc_core::sc_module_name& name) : sc_module{name} {}

    /// @return whether the payload is to be written to the host
    bool deliver(const FrameRef& frame)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        return socket.forward(*frame, phase) == tlm::TLM_UPDATED;
    }
};

/// Completions as text with their instants, in picoseconds.
class CompletionLog : public sc_core::sc_module, public CompletionSink {
public:
    std::vector<std::string> lines;

    CompletionLog(const sc_core::sc_module_name& name, Agenda& agenda) : sc_module{name}, agenda_{agenda} {}

    void send_complete(std::uint64_t id) override { note("send", id); }
    void wqe_complete(std::uint64_t id) override { note("wqe", id); }
    void recv_complete(std::uint64_t id) override { note("recv", id); }
    void message_failed(std::uint64_t id) override { note("failed", id); }

    [[nodiscard]] std::vector<std::string> take() { return std::exchange(lines, {}); }

private:
    void note(const char* what, std::uint64_t id)
    {
        lines.push_back(fmt::format("{} {} at {}", what, id, agenda_.now()));
    }

    Agenda& agenda_;
};

using Lines = std::vector<std::string>;
using Psns = std::vector<Psn>;

inline Psns psns_of(const std::vector<FrameRef>& frames)
{
    Psns result;
    for (const FrameRef& frame : frames) {
        result.push_back(frame->bth.psn);
    }
    return result;
}
inline Psns range(Psn first, Psn last)
{
    Psns result;
    for (Psn psn = first; psn <= last; ++psn) {
        result.push_back(psn);
    }
    return result;
}

struct TransportBench {
    static constexpr packet::Address kOwn = 0x0A000001;
    static constexpr packet::Address kPeer = 0x0A000002;
    static constexpr packet::Address kThird = 0x0A000003;
    static constexpr Picoseconds kPass = 15'000;  ///< [TR-5]
    static constexpr Picoseconds kUs = 1'000'000;

    Agenda agenda{"agenda"};
    config::NicConfig config;
    Transport transport;
    ScriptedEgress egress{"egress"};
    ScriptedDma dma{"dma"};
    ScriptedIngress ingress{"ingress"};
    CompletionLog completions{"completions", agenda};
    pcie::CheckedWiring wiring{true};

    explicit TransportBench(config::NicConfig configuration = {}, bool single_path = true)
        : config{std::move(configuration)}, transport{"transport", agenda, config, parameters(single_path)}
    {
        transport.completions.bind(completions);
        wiring.connect(transport.to_egress, egress.socket.as_port(), packet::Hop::reservation);
        wiring.connect(transport.to_dma, dma.socket.as_port(), packet::Hop::host);
        wiring.connect(ingress.socket, transport.from_ingress.as_port(), packet::Hop::delivery);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    [[nodiscard]] static Transport::Parameters parameters(bool single_path = true)
    {
        Transport::Parameters parameters;
        parameters.address = kOwn;
        parameters.single_path = single_path;
        return parameters;
    }

    Verbs& verbs() { return *transport.verbs.operator->(); }
    [[nodiscard]] const Sender& sender() const { return transport.sender(); }
    [[nodiscard]] const Receiver& receiver() const { return transport.receiver(); }

    /// A sending end, connected to QP 1000 + its number of the peer.
    QpNumber open_sender(packet::Address destination = kPeer)
    {
        const QpNumber number = verbs().open_sender(destination);
        verbs().connect(number, 1000 + number);
        return number;
    }
    QpNumber open_receiver(QpNumber sender_qp = 77) { return verbs().open_receiver(kPeer, sender_qp); }
    void post(std::uint64_t id, QpNumber qp, std::uint64_t bytes)
    {
        verbs().post({id, qp, bytes, 0x1'0000'0000, 0x2'0000'0000});
    }
    /// The events of `when` included.
    void run_to(Picoseconds when)
    {
        sc_core::sc_start(agenda.kernel_time().to_kernel(when) - sc_core::sc_time_stamp());
        while (sc_core::sc_pending_activity_at_current_time()) {
            sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the kernel leaves the last instant to the next calls
        }
    }
    /// All that was fetched goes out now. @return the frames
    std::vector<FrameRef> send_all()
    {
        dma.complete_all();
        return egress.all_data();
    }

    [[nodiscard]] FrameRef make(FrameKind kind, TrafficClass traffic_class, std::uint32_t wire_bytes, QpNumber qp,
                                Psn psn)
    {
        FrameRef frame = ingress.frames.make();
        frame->kind = kind;
        frame->traffic_class = traffic_class;
        frame->wire_bytes = wire_bytes;
        frame->bth.destination_qp = qp;
        frame->bth.psn = psn;
        return frame;
    }
    /// A data packet of 4,096 bytes that asks for an acknowledgement.
    [[nodiscard]] FrameRef data(QpNumber qp, Psn psn, packet::Opcode opcode = packet::Opcode::write_middle,
                                std::uint64_t message = 0)
    {
        FrameRef frame = make(FrameKind::data, TrafficClass::data, 4174, qp, psn);
        frame->payload_bytes = 4096;
        frame->message_id = message;
        frame->bth.opcode = opcode;
        frame->bth.ack_request = true;
        frame->network.udp_source = static_cast<std::uint16_t>(300 + psn);
        return frame;
    }
    [[nodiscard]] FrameRef trimmed(QpNumber qp, Psn psn, std::uint8_t dscp)
    {
        FrameRef frame = make(FrameKind::trimmed, TrafficClass::control, 62, qp, psn);
        frame->network.dscp = dscp;
        frame->bth.ack_request = true;
        return frame;
    }
    [[nodiscard]] FrameRef sack(QpNumber qp, Psn cack, std::int16_t offset, std::uint64_t bitmap = 0, bool echo = false)
    {
        FrameRef frame = make(FrameKind::sack, TrafficClass::control, 94, qp, packet::psn_add(cack, offset));
        frame->seth.cack_psn = cack;
        frame->seth.ack_psn_offset = offset;
        frame->seth.mpr = 32;
        frame->seth.sack_offset = 1;
        frame->seth.bitmap = bitmap;
        frame->seth.retransmission_echo = echo;
        return frame;
    }
    [[nodiscard]] FrameRef ack(QpNumber qp, Psn psn)
    {
        return make(FrameKind::ack, TrafficClass::control, 62, qp, psn);
    }
    [[nodiscard]] FrameRef nack(QpNumber qp, Psn psn, packet::NackReason reason, bool echo = false)
    {
        FrameRef frame = make(FrameKind::nack, TrafficClass::control, 78, qp, psn);
        frame->neth.nack_psn = psn;
        frame->neth.reason = reason;
        frame->neth.retransmission_echo = echo;
        return frame;
    }
    bool deliver(const FrameRef& frame) { return ingress.deliver(frame); }
};

/// A window that keeps its start value: for facts that are not about how it moves [CC-1].
[[nodiscard]] inline config::NicConfig without_nscc()
{
    config::NicConfig config;
    config.congestion_control.nscc_enable = false;
    return config;
}

/// A window that never binds.
[[nodiscard]] inline config::NicConfig without_window()
{
    config::NicConfig config = without_nscc();
    config.congestion_control.override_max_congestion_window = true;
    config.congestion_control.max_congestion_window = 100'000;
    return config;
}

}  // namespace mrcnic::transport
