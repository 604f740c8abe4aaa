#include "mrcnic/transport/acknowledgement_builder.h"

#include <utility>

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;

void AcknowledgementBuilder::watch(IngressPool pool)
{
    if (context_.config.congestion_control.receiver_penalty_enabled) {
        penalty_.emplace(context_.config.congestion_control, pool.size);
        ingress_occupancy_ = std::move(pool.occupancy);
    }
}

void AcknowledgementBuilder::build(Frame& frame, const Acknowledgement& acknowledgement)
{
    const ReceiveQueuePair::Parameters& end = acknowledgement.queue_pair->parameters();
    frame.uid = context_.make_uid();
    frame.message_id = acknowledgement.message_id;
    frame.network.source = context_.address;
    frame.network.destination = end.peer;
    frame.network.dscp = context_.config.transport.dscp.control;
    frame.network.udp_source = acknowledgement.entropy;  // [MP-2]
    frame.network.udp_destination = context_.config.transport.udp_destination_port;
    frame.bth.destination_qp = end.peer_number;
    frame.sender_qp = end.number;
    switch (acknowledgement.kind) {
        case FrameKind::ack:
            build_ack(frame, *acknowledgement.queue_pair);
            break;
        case FrameKind::sack:
            build_sack(frame, acknowledgement);
            break;
        default:
            build_nack(frame, acknowledgement);
    }
}

// [TR-68]
void AcknowledgementBuilder::build_ack(Frame& frame, const ReceiveQueuePair& queue_pair)
{
    ++counters_.acks_sent;
    frame.bth.opcode = packet::Opcode::ack;
    frame.bth.psn = queue_pair.cumulative();
    frame.aeth.msn = queue_pair.messages_completed() & 0xFFFFFFU;
}

// [TR-69]
void AcknowledgementBuilder::build_sack(Frame& frame, const Acknowledgement& acknowledgement)
{
    ++counters_.sacks_sent;
    counters_.marked_sacks_sent += acknowledgement.marked ? 1 : 0;
    frame.bth.opcode = packet::Opcode::sack;
    frame.bth.psn = acknowledgement.psn;
    acknowledgement.queue_pair->fill_sack(acknowledgement.psn, frame.seth, frame.cc_state);
    if (acknowledgement.answers_probe) {
        frame.seth.probe_response = true;
        frame.seth.ack_psn_offset = static_cast<std::int16_t>(acknowledgement.psn);  // [TR-28] the probe's id
    }
    frame.seth.mark = acknowledgement.marked ? 1 : 0;
    frame.seth.retransmission_echo = acknowledgement.repeated;
    frame.seth.entropy = acknowledgement.entropy;
    frame.cc_state.reflected_timestamp = acknowledgement.timestamp;
    if (penalty_) {
        penalize(frame.cc_state);
    }
}

// [CC-43, CC-26] As full as the pool is now.
void AcknowledgementBuilder::penalize(packet::CcState& cc_state) const
{
    cc_state.receiver_penalty = penalty_->at(ingress_occupancy_());
    cc_state.restore_window = cc_state.receiver_penalty == 0 && context_.config.congestion_control.restore_cwind_enable;
}

// [RC-66] A NACK is reported when it is built, the others when they have been sent.
void AcknowledgementBuilder::build_nack(Frame& frame, const Acknowledgement& acknowledgement)
{
    ++counters_.nacks_sent;
    frame.bth.opcode = packet::Opcode::nack;
    frame.bth.psn = acknowledgement.psn;
    frame.neth.retransmission_echo = acknowledgement.repeated;
    frame.neth.reason = acknowledgement.reason;
    frame.neth.entropy = acknowledgement.entropy;
    frame.neth.nack_psn = acknowledgement.psn;
    frame.neth.reflected_timestamp = acknowledgement.timestamp;
    if (context_.frame_observer != nullptr) {
        context_.frame_observer->frame_sent(frame, sending_end(frame), nullptr);
    }
}

}  // namespace mrcnic::transport
