#include "mrcnic/transport/sender.h"

#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::QpNumber;

Sender::Sender(TransportContext& context, CompletionSink*& completions)
    : state_{context, completions},
      frames_{state_},
      process_{state_, frames_},
      prober_{state_, process_},
      retransmission_{state_, process_, prober_},
      acknowledgements_{state_, process_, prober_}
{
}

void Sender::open(QpNumber number, packet::Address address)
{
    state_.queue_pairs.open(number, address);
}

void Sender::connect(QpNumber number, QpNumber peer)
{
    if (SendQueuePair* queue_pair = state_.queue_pairs.find(number)) {
        queue_pair->connect(peer);
    }
}

void Sender::close(QpNumber number)
{
    SendQueuePair* queue_pair = state_.queue_pairs.find(number);
    if (queue_pair == nullptr) {
        return;
    }
    if (process_.is_asking_for(*queue_pair)) {
        closes_after_answer_ = true;
        return;
    }
    if (state_.context.queue_pair_observer != nullptr) {
        state_.context.queue_pair_observer->qp_terminated(state_.end_of(*queue_pair));
    }
    Destination& destination = queue_pair->destination();
    destination.remove(*queue_pair);
    process_.on_closing(destination);
    if (!state_.context.config.transport.destination_groups_enabled) {
        prober_.forget(destination);  // it goes with its only queue pair [TR-45]
    }
    state_.queue_pairs.erase(number);
}

// [TR-5]
void Sender::post(const WorkRequest& request)
{
    SendQueuePair* queue_pair = state_.queue_pairs.find(request.qp);
    invariant(queue_pair != nullptr, "[TR-3] a message was posted to a queue pair that is not open");
    ++state_.counters.messages_posted;
    if (state_.context.queue_pair_observer != nullptr) {
        announce(*queue_pair, request);
    }
    if (queue_pair->has_failed()) {
        ++state_.counters.messages_failed;
        state_.completions->message_failed(request.message_id);  // [TR-87]
        return;
    }
    queue_pair->post(request);
    process_.on_posting(queue_pair->destination());
    prober_.on_posting(queue_pair->destination());
}

// [RC-81, RC-82]
void Sender::announce(SendQueuePair& queue_pair, const WorkRequest& request)
{
    const ConnectionEnd end = state_.end_of(queue_pair);
    if (!queue_pair.announced()) {
        state_.context.queue_pair_observer->qp_created(end);
    }
    state_.context.queue_pair_observer->wqe_created(end, {request.message_id, request.bytes});
}

void Sender::on_sent(const Frame& frame)
{
    if (frame.kind == FrameKind::probe) {
        prober_.on_sent(frame);
    } else {
        retransmission_.on_sent(frame);
    }
    if (state_.context.frame_observer != nullptr) {
        observe_sent(frame);
    }
}

// [RC-66]
void Sender::observe_sent(const Frame& frame) const
{
    const ConnectionEnd end = sending_end(frame);
    const SendQueuePair* queue_pair = state_.queue_pairs.find(frame.sender_qp);
    if (frame.kind == FrameKind::probe || queue_pair == nullptr) {
        state_.context.frame_observer->frame_sent(frame, end, nullptr);
        return;
    }
    const FlowState flow = SenderState::flow_of(queue_pair->destination());
    state_.context.frame_observer->frame_sent(frame, end, &flow);
}

void Sender::on_answer(const Frame& frame, bool granted)
{
    if (frame.kind == FrameKind::probe) {
        prober_.on_answer(granted);
        return;
    }
    SendQueuePair* queue_pair = process_.on_answer(granted);
    if (queue_pair == nullptr) {
        return;
    }
    retransmission_.on_answered(*queue_pair);
    if (std::exchange(closes_after_answer_, false)) {
        close(queue_pair->number());
    }
    if (granted) {
        process_.run_pass();
    }
}

}  // namespace mrcnic::transport
