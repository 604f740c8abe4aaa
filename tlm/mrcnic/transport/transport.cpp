#include "mrcnic/transport/transport.h"

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::QpNumber;
using packet::TrafficClass;

Transport::Transport(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
                     const Parameters& parameters)
    : sc_module{name},
      frames_{agenda.shared<packet::FramePool>()},
      context_{agenda,
               *this,
               frames_,
               config,
               parameters.payload_mode,
               parameters.address,
               parameters.link_rate,
               parameters.place,
               parameters.takes_every_frame,
               parameters.single_path},
      sender_{context_, completion_sink_},
      receiver_{context_, completion_sink_}
{
    verbs.bind(*this);
    describe_sender();
    describe_receiver();
}

QpNumber Transport::open_sender(packet::Address destination)
{
    sender_.open(next_qp_, destination);
    return next_qp_++;
}

QpNumber Transport::open_receiver(packet::Address source, QpNumber sender_qp)
{
    receiver_.open(next_qp_, sender_qp, source);
    return next_qp_++;
}

void Transport::connect(QpNumber sender_qp, QpNumber receiver_qp)
{
    sender_.connect(sender_qp, receiver_qp);
}

void Transport::close(QpNumber qp)
{
    sender_.close(qp);
    receiver_.close(qp);
}

void Transport::post(const WorkRequest& request)
{
    sender_.post(request);
}

FrameOutlet::Answer Transport::reserve(Frame& frame)
{
    tlm::tlm_phase phase = packet::phase::RESERVE;
    if (to_egress.forward(frame, phase) != tlm::TLM_UPDATED) {
        return Answer::later;
    }
    return phase == packet::phase::GRANT ? Answer::granted : Answer::refused;
}

void Transport::kick(Frame& frame)
{
    to_egress.forward(frame, packet::phase::KICK);
}

void Transport::submit(Frame& frame)
{
    to_egress.forward(frame, tlm::BEGIN_REQ);
}

void Transport::fetch(Frame& frame)
{
    to_dma.forward(frame, packet::phase::FETCH);
}

tlm::tlm_sync_enum Transport::from_egress(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    const bool control = frame.traffic_class == TrafficClass::control;
    if (phase == packet::phase::SENT) {
        control ? receiver_.on_sent(frame) : sender_.on_sent(frame);
    } else if (phase == packet::phase::WAKE) {
        control ? receiver_.on_wake() : sender_.on_wake();
    } else {
        const bool granted = phase == packet::phase::GRANT;
        control ? receiver_.on_answer(granted) : sender_.on_answer(frame, granted);
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Transport::fetched(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    sender_.hand_off(frame);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum Transport::deliver(Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    if (phase == packet::phase::ACCEPTED) {
        receiver_.on_write_accepted();
        return tlm::TLM_COMPLETED;
    }
    switch (frame.kind) {
        case FrameKind::data:
        case FrameKind::trimmed:
            if (receiver_.on_data(frame)) {
                phase = packet::phase::WRITE;
                return tlm::TLM_UPDATED;
            }
            break;
        case FrameKind::sack:
            sender_.on_sack(frame);
            break;
        case FrameKind::ack:
            sender_.on_ack(frame);
            break;
        case FrameKind::nack:
            sender_.on_nack(frame);
            break;
        case FrameKind::probe:
            receiver_.on_probe(frame);
            break;
        case FrameKind::foreign:
            receiver_.on_unknown();  // [TX-3] no pause is obeyed
            break;
    }
    return tlm::TLM_COMPLETED;
}

void Transport::describe_sender()
{
    const Sender::Counters& sent = sender_.counters();
    statistics_.add("data_sent", "frames", "data frames handed down, retransmissions included", sent.data_sent);
    statistics_.add("retransmissions", "frames", "data frames sent again", sent.retransmissions);
    statistics_.add("max_tx_count", "transmissions", "most transmissions of one packet", sent.max_tx_count);
    statistics_.add("probes_sent", "frames", "path and base RTT probes", sent.probes_sent);
    statistics_.add("probe_acks_received", "frames", "acknowledgements that answer a probe", sent.probe_acks_received);
    statistics_.add("acks_received", "frames", "cumulative acknowledgements received", sent.acks_received);
    statistics_.add("sacks_received", "frames", "selective acknowledgements received", sent.sacks_received);
    statistics_.add("marked_sacks_received", "frames",
                    "selective acknowledgements received that tell of a mark and gave a round-trip sample",
                    sent.marked_sacks_received);
    statistics_.add("nacks_received", "frames", "negative acknowledgements received", sent.nacks_received);
    statistics_.add("rto_fired", "timers", "retransmission timers that expired for a packet still outstanding",
                    sent.rto_fired);
    statistics_.add("gap_losses", "packets", "packets declared lost by a gap in the acknowledgements", sent.gap_losses);
    statistics_.add("quick_adapts", "firings", "windows that collapsed to what had been achieved",
                    [this] { return StatisticValue{sender_.quick_adapts()}; });
    statistics_.add("invalid_received", "frames", "acknowledgements that name no outstanding packet or queue pair",
                    sent.invalid_received);
    statistics_.add("stalls", "stalls", "changes from running to stopped for want of egress data room", sent.stalls);
}

void Transport::describe_receiver()
{
    const Receiver::Counters& received = receiver_.counters();
    statistics_.add("data_received", "frames",
                    "data frames that the ingress buffer let in, trims and duplicates included",
                    received.data_received);
    statistics_.add("probes_received", "frames", "probes received", received.probes_received);
    statistics_.add("acks_sent", "frames", "cumulative acknowledgements", received.acks_sent);
    statistics_.add("sacks_sent", "frames", "selective acknowledgements", received.sacks_sent);
    statistics_.add("marked_sacks_sent", "frames", "selective acknowledgements that tell of a mark",
                    received.marked_sacks_sent);
    statistics_.add("nacks_sent", "frames", "negative acknowledgements, trims and window", received.nacks_sent);
    statistics_.add("trims_seen", "frames", "data frames that a switch had trimmed", received.trims_seen);
    statistics_.add("out_of_order", "frames", "data frames beyond the next expected PSN", received.out_of_order);
    statistics_.add("max_out_of_order", "packets", "most packets that one queue pair held out of order",
                    received.max_out_of_order);
    statistics_.add("duplicates", "frames", "data frames that had been received before", received.duplicates);
    statistics_.add("window_discards", "frames", "data frames discarded beyond the PSN window",
                    received.window_discards);
    statistics_.add("unknown_received", "frames", "frames for no queue pair or of no use to the transport",
                    received.unknown_received);
}

}  // namespace mrcnic::transport
