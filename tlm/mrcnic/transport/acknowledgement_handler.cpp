#include "mrcnic/transport/acknowledgement_handler.h"

#include <algorithm>

#include "mrcnic/packet/timestamp.h"

namespace mrcnic::transport {

using packet::Frame;
using packet::NackReason;
using packet::Psn;
using packet::psn_add;
using packet::psn_distance;
using packet::QpNumber;

namespace {
constexpr std::uint32_t kMprUnit = 128;  // PSNs [TR-16]

// [TR-77]
bool follows_window(const TransportContext& context)
{
    const config::SackGapMode mode = context.config.transport.sack_gap_mode;
    return mode == config::SackGapMode::window || (mode == config::SackGapMode::automatic && !context.single_path);
}

bool is_trim(NackReason reason)
{
    return reason == NackReason::trimmed || reason == NackReason::trimmed_lasthop;
}
}  // namespace

AcknowledgementHandler::AcknowledgementHandler(SenderState& state, TransmitProcess& process, Prober& prober)
    : state_{state},
      context_{state.context},
      process_{process},
      prober_{prober},
      gap_follows_window_{follows_window(state.context)}
{
}

// [TR-73] In this order.
void AcknowledgementHandler::on_sack(const Frame& frame)
{
    ++state_.counters.sacks_received;
    const packet::Seth& sack = frame.seth;
    SendQueuePair* queue_pair = state_.queue_pairs.find(frame.bth.destination_qp);
    if (queue_pair == nullptr || !queue_pair->hear_cumulative(sack.cack_psn)) {
        on_invalid(frame, queue_pair);
        return;
    }
    Destination& destination = queue_pair->destination();
    Rtt rtt;
    if (!sack.probe_response) {
        rtt = sample_sack(frame, queue_pair->find(psn_add(sack.cack_psn, sack.ack_psn_offset)));
    }
    if (sack.mpr > 0) {
        queue_pair->hear_window(sack.mpr * kMprUnit);
    }
    const std::uint64_t retired = retire_selected(*queue_pair, sack);
    if (!sack.probe_response) {
        feed_back_path(destination, sack);
    }
    control_congestion(destination, frame, retired, rtt);
    find_gaps(*queue_pair);
    observe(frame, *queue_pair, rtt);
    finish(*queue_pair);
}

// [TR-73] It moves neither H nor what congestion control has achieved.
void AcknowledgementHandler::on_ack(const Frame& frame)
{
    ++state_.counters.acks_received;
    SendQueuePair* queue_pair = state_.queue_pairs.find(frame.bth.destination_qp);
    if (queue_pair == nullptr || !queue_pair->hear_cumulative(frame.bth.psn)) {
        on_invalid(frame, queue_pair);
        return;
    }
    (void)retire_through(*queue_pair, frame.bth.psn, false);
    observe(frame, *queue_pair, std::nullopt);
    finish(*queue_pair);
}

// [TR-81, TR-82] Anything else than a live packet is ignored, but for the pass.
void AcknowledgementHandler::on_nack(const Frame& frame)
{
    ++state_.counters.nacks_received;
    const packet::Neth& nack = frame.neth;
    SendQueuePair* queue_pair = state_.queue_pairs.find(frame.bth.destination_qp);
    OutstandingPacket* packet = queue_pair != nullptr ? queue_pair->find(nack.nack_psn) : nullptr;
    if (packet == nullptr || packet->transmissions == 0) {
        on_invalid(frame, queue_pair);
        return;
    }
    Rtt rtt;
    if (packet->awaits_retransmission) {
        // Queued already.
    } else if (nack.reason == NackReason::psn_oor_window) {
        queue_pair->destination().leave_flight(*packet);
        queue_pair->queue_repetition(nack.nack_psn, *packet);
    } else if (is_trim(nack.reason) && nack.retransmission_echo == (packet->transmissions > 1)) {
        rtt = sample_by_record(frame, packet, nack.retransmission_echo);
        on_trim(*queue_pair, *packet, frame, rtt);
    }
    observe(frame, *queue_pair, rtt);
    finish(*queue_pair);
}

// For a queue pair that is not, or of a packet that is not outstanding: nothing is learnt, a pass starts all the same.
void AcknowledgementHandler::on_invalid(const Frame& frame, const SendQueuePair* queue_pair)
{
    ++state_.counters.invalid_received;
    if (queue_pair != nullptr) {
        observe(frame, *queue_pair, std::nullopt);
        process_.put_at_head(queue_pair->destination());
    } else if (context_.frame_observer != nullptr) {
        context_.frame_observer->frame_received(frame, end_without_queue_pair(frame, context_.address), nullptr,
                                                std::nullopt);
    }
    process_.start_now();
}

// -------------------------------------------------------------------------------------------------------- samples

// [CC-14]
AcknowledgementHandler::Rtt AcknowledgementHandler::sample_sack(const Frame& frame, const OutstandingPacket* packet)
{
    Rtt rtt;
    if (context_.stamps_frames()) {
        const std::uint16_t stamp = frame.cc_state.reflected_timestamp;
        rtt = packet::time_since_timestamp(stamp, context_.agenda.now()) - frame.service_time;
    } else {
        rtt = sample_by_record(frame, packet, frame.seth.retransmission_echo);
    }
    if (rtt) {
        state_.rtt.add(*rtt);
        state_.counters.marked_sacks_received += frame.seth.mark != 0 ? 1 : 0;
    }
    return rtt;
}

// [CC-13] Only where it is sure which transmission was acknowledged. All that a trim has: its stamp was cut off
// [SW-31].
AcknowledgementHandler::Rtt AcknowledgementHandler::sample_by_record(const Frame& frame,
                                                                     const OutstandingPacket* packet,
                                                                     bool repeated) const
{
    if (packet == nullptr || !packet->serialized || packet->transmissions != (repeated ? 2U : 1U)) {
        return std::nullopt;
    }
    return context_.agenda.now() - packet->sent_at - frame.service_time;
}

// ------------------------------------------------------------------------------------------------------- retiring

// [TR-73] Up to the cumulative PSN, then the packet that drew the SACK, then the bitmap. @return k of CC-25
std::uint64_t AcknowledgementHandler::retire_selected(SendQueuePair& queue_pair, const packet::Seth& sack)
{
    if (!sack.probe_response) {
        const Psn cause = psn_add(sack.cack_psn, sack.ack_psn_offset);
        if (const OutstandingPacket* packet = queue_pair.find(cause)) {
            queue_pair.hear_received(*packet, sack.retransmission_echo);
        }
    }
    std::uint64_t retired = retire_through(queue_pair, sack.cack_psn, true);
    if (!sack.probe_response) {
        retired += retire(queue_pair, psn_add(sack.cack_psn, sack.ack_psn_offset), true);
    }
    Psn psn = psn_add(sack.cack_psn, sack.sack_offset);
    for (std::uint64_t bits = sack.bitmap; bits != 0; bits >>= 1U, psn = psn_add(psn, 1)) {
        if ((bits & 1U) != 0) {
            retired += retire(queue_pair, psn, true);
        }
    }
    return retired;
}

std::uint64_t AcknowledgementHandler::retire_through(SendQueuePair& queue_pair, Psn cumulative, bool hears)
{
    std::uint64_t retired = 0;
    for (Psn psn = queue_pair.oldest(); psn != queue_pair.next_psn() && psn_distance(psn, cumulative) >= 0;
         psn = psn_add(psn, 1)) {
        retired += retire(queue_pair, psn, hears);
    }
    return retired;
}

// @return nominal bytes, whether they were in flight or not; 0 if it is not outstanding
std::uint64_t AcknowledgementHandler::retire(SendQueuePair& queue_pair, Psn psn, bool hears)
{
    OutstandingPacket* packet = queue_pair.find(psn);
    if (packet == nullptr) {
        return 0;
    }
    Destination& destination = queue_pair.destination();
    if (hears) {
        queue_pair.hear_received(*packet, std::nullopt);
    }
    destination.leave_flight(*packet);
    queue_pair.retire(psn, *packet);
    return destination.nominal(packet->payload_bytes);
}

// ------------------------------------------------------------------------------- paths, congestion control, gaps

// [MP-20]
void AcknowledgementHandler::feed_back_path(Destination& destination, const packet::Seth& sack)
{
    if (sack.mark == 1) {
        destination.paths().on_congestion(sack.entropy);
    } else if (sack.mark == 2) {
        prober_.on_bad(destination, sack.entropy);
    }
}

void AcknowledgementHandler::control_congestion(Destination& destination, const Frame& frame, std::uint64_t retired,
                                                Rtt rtt)
{
    CongestionWindow& window = destination.window();
    window.control().on_sack({context_.agenda.now(), retired, window.in_flight(), rtt, frame.seth.mark != 0,
                              frame.cc_state.receiver_penalty, frame.cc_state.restore_window});
    if (frame.seth.probe_response) {
        if (const Rtt probe_rtt = prober_.on_probe_answer(frame)) {
            window.control().on_probe_rtt(*probe_rtt);  // [MP-24]
        }
    }
    if (context_.samples != nullptr && rtt) {
        context_.samples->rtt.add(static_cast<double>(*rtt));
        context_.samples->receiver_penalty.add(frame.cc_state.receiver_penalty);
        context_.samples->average_delay.add(window.control().average_delay());
    }
}

// [TR-75, TR-78]
void AcknowledgementHandler::find_gaps(SendQueuePair& queue_pair)
{
    if (context_.config.transport.sack_gap_threshold == 0) {
        return;
    }
    Destination& destination = queue_pair.destination();
    const std::uint32_t threshold = gap_threshold(destination);
    while (const std::optional<Psn> psn = queue_pair.take_gap_loss(threshold)) {
        OutstandingPacket& packet = *queue_pair.find(*psn);
        ++state_.counters.gap_losses;
        destination.leave_flight(packet);
        destination.window().control().on_gap_loss(context_.agenda.now(), destination.nominal(packet.payload_bytes));
        destination.paths().on_congestion(packet.entropy);  // [MP-20] as M = 1
        queue_pair.queue_repetition(*psn, packet);
    }
}

// [TR-77]
std::uint32_t AcknowledgementHandler::gap_threshold(const Destination& destination) const
{
    const std::uint32_t fixed = context_.config.transport.sack_gap_threshold;
    if (!gap_follows_window_) {
        return fixed;
    }
    const double packets = destination.window().window() / destination.nominal(context_.config.mss);
    return std::max(fixed, static_cast<std::uint32_t>(packets));
}

// [TR-81]
void AcknowledgementHandler::on_trim(SendQueuePair& queue_pair, OutstandingPacket& packet, const Frame& frame, Rtt rtt)
{
    Destination& destination = queue_pair.destination();
    CongestionWindow& window = destination.window();
    if (rtt) {
        state_.rtt.add(*rtt);
    }
    destination.leave_flight(packet);
    queue_pair.queue_repetition(frame.neth.nack_psn, packet);
    window.control().on_trim(
        {context_.agenda.now(), destination.nominal(packet.payload_bytes), window.in_flight(), rtt});
    if (frame.neth.reason == NackReason::trimmed) {
        destination.paths().on_congestion(frame.neth.entropy);  // [MP-20] the last hop says nothing of the path
    }
}

// ------------------------------------------------------------------------------------------- completions, the pass

void AcknowledgementHandler::observe(const Frame& frame, const SendQueuePair& queue_pair, Rtt rtt) const
{
    if (context_.frame_observer != nullptr) {
        const FlowState flow = SenderState::flow_of(queue_pair.destination());
        context_.frame_observer->frame_received(frame, state_.end_of(queue_pair), &flow, rtt);
    }
}

// [TR-73, TR-50] Completions, the destination to the head, a pass. A completion may close the queue pair, and with it
// its destination [TR-3]: so the destination has its place before.
void AcknowledgementHandler::finish(SendQueuePair& queue_pair)
{
    process_.put_at_head(queue_pair.destination());
    report_completions(queue_pair);
    process_.start_now();
}

void AcknowledgementHandler::report_completions(SendQueuePair& queue_pair)
{
    const QpNumber number = queue_pair.number();
    for (SendQueuePair* open = &queue_pair; open != nullptr; open = state_.queue_pairs.find(number)) {
        const std::optional<WorkRequest> request = open->take_completed();
        if (!request) {
            return;
        }
        ++state_.counters.messages_completed;
        if (context_.queue_pair_observer != nullptr) {
            context_.queue_pair_observer->wqe_complete(state_.end_of(*open), {request->message_id, request->bytes});
        }
        state_.completions->wqe_complete(request->message_id);
    }
}

}  // namespace mrcnic::transport
