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
    const ReceiveQueuePair* queue_pair = find(number);
    if (queue_pair == nullptr) {
        return;
    }
    if (line_.asks_for(*queue_pair)) {
        closes_after_answer_ = number;
        return;
    }
    line_.forget(*queue_pair);
    if (context_.queue_pair_observer != nullptr) {
        context_.queue_pair_observer->qp_terminated(end_of(*queue_pair));
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
        on_trim(queue_pair, frame);
        return false;
    }
    const bool last = ends_message(frame.bth.opcode);
    const Verdict verdict = queue_pair.receive(frame.bth.psn, frame.payload_bytes, last, frame.message_id);
    if (verdict == Verdict::beyond_window) {
        ++counters_.window_discards;
        send(FrameKind::nack, queue_pair, frame, NackReason::psn_oor_window);
        return false;
    }
    acknowledge(queue_pair, frame, verdict);
    if (verdict == Verdict::duplicate) {
        return false;
    }
    counters_.payload_received += frame.payload_bytes;
    const bool writes = frame.payload_bytes > 0;
    if (report_completions(queue_pair, writes)) {
        send(FrameKind::ack, queue_pair, frame, NackReason::none);
    }
    return writes;
}

// [MP-23]
void Receiver::on_probe(const Frame& frame)
{
    ReceiveQueuePair* queue_pair = find(frame.bth.destination_qp);
    if (queue_pair == nullptr) {
        on_unknown();
    } else {
        ++counters_.probes_received;
        send(FrameKind::sack, *queue_pair, frame, NackReason::none);
    }
    observe(frame);
}

// [TR-80]
void Receiver::on_trim(ReceiveQueuePair& queue_pair, const Frame& frame)
{
    ++counters_.trims_seen;
    const bool last_hop = roles_.role_of(frame.network.dscp) == packet::DscpRole::trimmed_lasthop;
    send(FrameKind::nack, queue_pair, frame, last_hop ? NackReason::trimmed_lasthop : NackReason::trimmed);
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
        send(FrameKind::sack, queue_pair, frame, NackReason::none);
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

void Receiver::send(FrameKind kind, ReceiveQueuePair& queue_pair, const Frame& cause, NackReason reason)
{
    line_.send({kind, &queue_pair, cause.bth.psn, cause.network.udp_source,
                cause.kind == FrameKind::trimmed ? std::uint16_t{0} : cause.tseth.timestamp,  // [SW-31]
                cause.network.ecn == packet::Ecn::ce, cause.bth.retransmission, reason, cause.kind == FrameKind::probe,
                cause.message_id});
}

// A queue pair that closed meanwhile goes before those behind it are served.
void Receiver::on_answer(bool granted)
{
    if (!line_.take_answer(granted)) {
        return;
    }
    if (const std::optional<QpNumber> number = std::exchange(closes_after_answer_, std::nullopt)) {
        close(*number);
    }
    if (granted) {
        line_.serve();
    }
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
        context_.frame_observer->frame_sent(frame, sending_end(frame), nullptr);
    }
}

// [RC-66]
void Receiver::observe(const Frame& frame) const
{
    if (context_.frame_observer == nullptr) {
        return;
    }
    const ReceiveQueuePair* queue_pair = find(frame.bth.destination_qp);
    const ConnectionEnd end =
        queue_pair != nullptr ? end_of(*queue_pair) : end_without_queue_pair(frame, context_.address);
    context_.frame_observer->frame_received(frame, end, nullptr, std::nullopt);
}

}  // namespace mrcnic::transport
