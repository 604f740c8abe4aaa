#include "mrcnic/transport/control_line.h"

#include <utility>

namespace mrcnic::transport {

using packet::FrameKind;

void ControlLine::send(const Acknowledgement& acknowledgement)
{
    if (!waiting_.empty() || !try_build(acknowledgement)) {
        wait_in_line(acknowledgement);
    }
}

// [TR-72] SACKs and ACKs of a queue pair merge to the newest and keep their place; NACKs and answers to probes, each
// of which says something of its own, do not.
void ControlLine::wait_in_line(const Acknowledgement& acknowledgement)
{
    if (acknowledgement.kind != FrameKind::nack && !acknowledgement.answers_probe) {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (waiting_[i].kind == acknowledgement.kind && waiting_[i].queue_pair == acknowledgement.queue_pair &&
                !waiting_[i].answers_probe) {
                waiting_[i] = acknowledgement;
                return;
            }
        }
    }
    waiting_.push_back(acknowledgement);
}

void ControlLine::forget(const ReceiveQueuePair& queue_pair)
{
    for (std::size_t left = waiting_.size(); left > 0; --left) {
        const Acknowledgement acknowledgement = waiting_.pop_front();
        if (acknowledgement.queue_pair != &queue_pair) {
            waiting_.push_back(acknowledgement);
        }
    }
}

bool ControlLine::try_build(const Acknowledgement& acknowledgement)
{
    request_ = context_.frames.make();
    request_->kind = acknowledgement.kind;
    request_->traffic_class = packet::TrafficClass::control;
    request_->wire_bytes = packet::control_wire_bytes(acknowledgement.kind);
    switch (context_.outlet.reserve(*request_)) {
        case FrameOutlet::Answer::granted:
            build(acknowledgement);
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

void ControlLine::build(const Acknowledgement& acknowledgement)
{
    const packet::FrameRef held = std::move(request_);
    builder_.build(*held, acknowledgement);
    context_.outlet.submit(*held);
}

bool ControlLine::take_answer(bool granted)
{
    if (!std::exchange(asked_, false)) {
        return false;
    }
    if (granted) {
        build(waiting_.pop_front());
    } else {
        request_.reset();
    }
    return true;
}

void ControlLine::serve()
{
    while (!asked_ && !waiting_.empty() && try_build(waiting_.front())) {
        waiting_.pop_front();
    }
}

}  // namespace mrcnic::transport
