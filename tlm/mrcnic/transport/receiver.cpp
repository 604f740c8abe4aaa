#include "mrcnic/transport/receiver.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::NackReason;
using packet::QpNumber;
using Verdict = ReceiveQueuePair::Verdict;

namespace {
// [TR-11] A peer may send immediates.
bool ends_message(packet::Opcode opcode)
{
    return opcode == packet::Opcode::write_last || opcode == packet::Opcode::write_only ||
           packet::has_immediate(opcode);
}
}  // namespace

Receiver::Receiver(TransportContext& context, CompletionSink*& completions)
    : context_{context}, completions_{completions}, roles_{context.config.transport.dscp}
{
}

void Receiver::watch(IngressPool pool)
{
    if (context_.config.congestion_control.receiver_penalty_enabled) {
        penalty_.emplace(context_.config.congestion_control, pool.size);
        ingress_occupancy_ = std::move(pool.occupancy);
    }
}

void Receiver::open(QpNumber number, QpNumber sender_qp, packet::Address source)
{
    const config::TransportConfig& transport = context_.config.transport;
    if (queue_pairs_.size() <= number) {
        queue_pairs_.resize(number + 1);
    }
    queue_pairs_[number] = std::make_unique<ReceiveQueuePair>(ReceiveQueuePair::Parameters{
        number, sender_qp, source, transport.max_psn_range, transport.sack_trigger_bytes, context_.takes_every_frame});
}

void Receiver::close(QpNumber number)
{
    if (find(number) == nullptr) {
        return;
    }
    if (asked_ && waiting_.front().qp == number) {
        closes_after_answer_ = number;
        return;
    }
    for (std::size_t left = waiting_.size(); left > 0; --left) {
        const Control control = waiting_.pop_front();
        if (control.qp != number) {
            waiting_.push_back(control);
        }
    }
    if (context_.queue_pair_observer != nullptr) {
        context_.queue_pair_observer->qp_terminated(end_of(*find(number)));
    }
    queue_pairs_[number].reset();
}

// [TR-60] Queue pair, trimmed test, window test, record, acknowledgements, write.
bool Receiver::on_data(const Frame& frame)
{
    ReceiveQueuePair* queue_pair = find(frame.bth.destination_qp);
    if (queue_pair == nullptr) {
        on_unknown();
        observe(frame);
        return false;
    }
    if (context_.queue_pair_observer != nullptr) {
        announce(*queue_pair);
    }
    ++counters_.data_received;
    const bool writes = take_in(*queue_pair, frame);
    observe(frame);
    return writes;
}

bool Receiver::take_in(ReceiveQueuePair& queue_pair, const Frame& frame)
{
    if (frame.kind == FrameKind::trimmed) {
        on_trim(frame);
        return false;
    }
    const bool last = ends_message(frame.bth.opcode);
    const Verdict verdict = queue_pair.receive(frame.bth.psn, frame.payload_bytes, last, frame.message_id);
    if (verdict == Verdict::beyond_window) {
        ++counters_.window_discards;
        send(FrameKind::nack, frame, NackReason::psn_oor_window);
        return false;
    }
    acknowledge(queue_pair, frame, verdict);
    if (verdict == Verdict::duplicate) {
        return false;
    }
    counters_.payload_received += frame.payload_bytes;
    const bool writes = frame.payload_bytes > 0;
    if (report_completions(queue_pair, writes)) {
        send(FrameKind::ack, frame, NackReason::none);
    }
    return writes;
}

// [MP-23]
void Receiver::on_probe(const Frame& frame)
{
    if (find(frame.bth.destination_qp) == nullptr) {
        on_unknown();
    } else {
        ++counters_.probes_received;
        send(FrameKind::sack, frame, NackReason::none);
    }
    observe(frame);
}

// [TR-80]
void Receiver::on_trim(const Frame& frame)
{
    ++counters_.trims_seen;
    const bool last_hop = roles_.role_of(frame.network.dscp) == packet::DscpRole::trimmed_lasthop;
    send(FrameKind::nack, frame, last_hop ? NackReason::trimmed_lasthop : NackReason::trimmed);
}

// [TR-65, TR-67]
void Receiver::acknowledge(ReceiveQueuePair& queue_pair, const Frame& frame, Verdict verdict)
{
    if (verdict == Verdict::out_of_order) {
        count_out_of_order(queue_pair);
    } else if (verdict == Verdict::duplicate) {
        ++counters_.duplicates;
    }
    if (frame.bth.ack_request || verdict == Verdict::duplicate || queue_pair.sack_triggered()) {
        send(FrameKind::sack, frame, NackReason::none);
    }
}

void Receiver::count_out_of_order(const ReceiveQueuePair& queue_pair)
{
    ++counters_.out_of_order;
    counters_.max_out_of_order = std::max<std::uint64_t>(counters_.max_out_of_order, queue_pair.out_of_order());
    if (context_.samples != nullptr) {
        context_.samples->out_of_order.add(queue_pair.out_of_order());
    }
}

// [TR-62, TR-68] One cumulative acknowledgement for all messages that one packet completes.
bool Receiver::report_completions(ReceiveQueuePair& queue_pair, bool writes)
{
    if (writes) {
        ++writes_started_;
    }
    bool completed = false;
    while (const std::optional<std::uint64_t> id = queue_pair.take_completed()) {
        completed = true;
        if (context_.config.transport.recv_complete_after_write && writes_accepted_ < writes_started_) {
            awaited_.push_back({*id, writes_started_, end_of(queue_pair)});
        } else {
            complete(*id, end_of(queue_pair));
        }
    }
    return completed;
}

void Receiver::on_write_accepted()
{
    ++writes_accepted_;
    while (!awaited_.empty() && awaited_.front().writes <= writes_accepted_) {
        const AwaitedCompletion awaited = awaited_.pop_front();
        complete(awaited.message_id, awaited.end);
    }
}

void Receiver::complete(std::uint64_t message_id, const ConnectionEnd& end)
{
    if (context_.queue_pair_observer != nullptr) {
        context_.queue_pair_observer->recv_complete(end);
    }
    completions_->recv_complete(message_id);
}

void Receiver::send(FrameKind kind, const Frame& cause, NackReason reason)
{
    const Control control{kind,
                          cause.bth.destination_qp,
                          cause.bth.psn,
                          cause.network.udp_source,
                          cause.kind == FrameKind::trimmed ? std::uint16_t{0} : cause.tseth.timestamp,  // [SW-31]
                          cause.network.ecn == packet::Ecn::ce,
                          cause.bth.retransmission,
                          reason,
                          cause.kind == FrameKind::probe,
                          cause.message_id};
    // [EG-6] Nothing new is built while others wait.
    if (!waiting_.empty() || !try_build(control)) {
        wait_in_line(control);
    }
}

// [TR-72] SACKs and ACKs of a queue pair merge to the newest and keep their place; NACKs and answers to probes, each
// of which says something of its own, do not.
void Receiver::wait_in_line(const Control& control)
{
    if (control.kind != FrameKind::nack && !control.answers_probe) {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (waiting_[i].kind == control.kind && waiting_[i].qp == control.qp && !waiting_[i].answers_probe) {
                waiting_[i] = control;
                return;
            }
        }
    }
    waiting_.push_back(control);
}

bool Receiver::try_build(const Control& control)
{
    request_ = context_.frames.make();
    Frame& frame = *request_;
    frame.kind = control.kind;
    frame.traffic_class = packet::TrafficClass::control;
    frame.wire_bytes = control.kind == FrameKind::sack  ? packet::kSackWireBytes
                       : control.kind == FrameKind::ack ? packet::kAckWireBytes
                                                        : packet::kNackWireBytes;
    switch (context_.outlet.reserve(frame)) {
        case FrameOutlet::Answer::granted:
            build(frame, control);
            return true;
        case FrameOutlet::Answer::refused:
            request_.reset();
            return false;
        case FrameOutlet::Answer::later:
            asked_ = true;
            return false;
    }
    return false;
}

void Receiver::on_answer(bool granted)
{
    if (!asked_) {
        return;
    }
    asked_ = false;
    if (granted) {
        build(*request_, waiting_.pop_front());
    } else {
        request_.reset();
    }
    if (const std::optional<QpNumber> number = std::exchange(closes_after_answer_, std::nullopt)) {
        close(*number);
    }
    if (granted) {
        serve_line();
    }
}

void Receiver::on_wake()
{
    if (!asked_) {
        serve_line();
    }
}

void Receiver::serve_line()
{
    while (!waiting_.empty() && try_build(waiting_.front())) {
        waiting_.pop_front();
    }
}

void Receiver::build(Frame& frame, const Control& control)
{
    const packet::FrameRef held = std::move(request_);
    ReceiveQueuePair& queue_pair = *find(control.qp);
    const ReceiveQueuePair::Parameters& end = queue_pair.parameters();
    frame.uid = context_.make_uid();
    frame.message_id = control.message_id;
    frame.network.source = context_.address;
    frame.network.destination = end.peer;
    frame.network.dscp = context_.config.transport.dscp.control;
    frame.network.udp_source = control.entropy;  // [MP-2]
    frame.network.udp_destination = context_.config.transport.udp_destination_port;
    frame.bth.destination_qp = end.peer_number;
    frame.sender_qp = end.number;
    switch (control.kind) {
        case FrameKind::ack:
            build_ack(frame, queue_pair);
            break;
        case FrameKind::sack:
            build_sack(frame, queue_pair, control);
            break;
        default:
            build_nack(frame, control);
            if (context_.frame_observer != nullptr) {
                context_.frame_observer->frame_sent(frame, end_of(queue_pair), nullptr);  // [RC-66]
            }
    }
    context_.outlet.submit(frame);
}

// [TR-68]
void Receiver::build_ack(Frame& frame, const ReceiveQueuePair& queue_pair)
{
    ++counters_.acks_sent;
    frame.bth.opcode = packet::Opcode::ack;
    frame.bth.psn = queue_pair.cumulative();
    frame.aeth.msn = queue_pair.messages_completed() & 0xFFFFFFU;
}

// [TR-69]
void Receiver::build_sack(Frame& frame, ReceiveQueuePair& queue_pair, const Control& control)
{
    ++counters_.sacks_sent;
    counters_.marked_sacks_sent += control.marked ? 1 : 0;
    frame.bth.opcode = packet::Opcode::sack;
    frame.bth.psn = control.psn;
    queue_pair.fill_sack(control.psn, frame.seth, frame.cc_state);
    if (control.answers_probe) {
        frame.seth.probe_response = true;
        frame.seth.ack_psn_offset = static_cast<std::int16_t>(control.psn);  // [TR-28] the probe's id
    }
    frame.seth.mark = control.marked ? 1 : 0;
    frame.seth.retransmission_echo = control.repeated;
    frame.seth.entropy = control.entropy;
    frame.cc_state.reflected_timestamp = control.timestamp;
    if (penalty_) {
        penalize(frame.cc_state);
    }
}

// [CC-43, CC-26] As full as the pool is now.
void Receiver::penalize(packet::CcState& cc_state) const
{
    cc_state.receiver_penalty = penalty_->at(ingress_occupancy_());
    cc_state.restore_window = cc_state.receiver_penalty == 0 && context_.config.congestion_control.restore_cwind_enable;
}

void Receiver::build_nack(Frame& frame, const Control& control)
{
    ++counters_.nacks_sent;
    frame.bth.opcode = packet::Opcode::nack;
    frame.bth.psn = control.psn;
    frame.neth.retransmission_echo = control.repeated;
    frame.neth.reason = control.reason;
    frame.neth.entropy = control.entropy;
    frame.neth.nack_psn = control.psn;
    frame.neth.reflected_timestamp = control.timestamp;
}

// -------------------------------------------------------------------------------------------------------- records

ConnectionEnd Receiver::end_of(const ReceiveQueuePair& queue_pair) const
{
    const ReceiveQueuePair::Parameters& end = queue_pair.parameters();
    return {context_.address, end.number, end.peer, end.peer_number};
}

// [RC-81]
void Receiver::announce(ReceiveQueuePair& queue_pair)
{
    if (!queue_pair.announced()) {
        context_.queue_pair_observer->qp_created(end_of(queue_pair));
    }
}

// [RC-66] NACKs were reported when they were built.
void Receiver::on_sent(const Frame& frame) const
{
    if (context_.frame_observer != nullptr && frame.kind != FrameKind::nack) {
        const ConnectionEnd end{context_.address, frame.sender_qp, frame.network.destination, frame.bth.destination_qp};
        context_.frame_observer->frame_sent(frame, end, nullptr);
    }
}

// [RC-66]
void Receiver::observe(const Frame& frame) const
{
    if (context_.frame_observer == nullptr) {
        return;
    }
    const ReceiveQueuePair* queue_pair = find(frame.bth.destination_qp);
    const ConnectionEnd end = queue_pair != nullptr
                                  ? end_of(*queue_pair)
                                  : ConnectionEnd{context_.address, frame.bth.destination_qp, frame.network.source, 0};
    context_.frame_observer->frame_received(frame, end, nullptr, std::nullopt);
}

}  // namespace mrcnic::transport
