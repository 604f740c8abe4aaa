#include "mrcnic/transport/transmit_process.h"

#include <utility>

namespace mrcnic::transport {

namespace {
/// From a posting that finds the transmit process idle to its pass [TR-5, TR-52].
constexpr Picoseconds kPassDelay = 15'000;
}  // namespace

void TransmitProcess::on_posting(Destination& destination)
{
    ready_.put_at_tail(destination);
    if (!start_pending_ && !stopped_) {
        start_pending_ = true;
        context_.agenda.at<&TransmitProcess::delayed_pass>(context_.agenda.now() + kPassDelay, EventClass::delayed_pass,
                                                           context_.place, *this);
    }
}

void TransmitProcess::delayed_pass()
{
    start_pending_ = false;
    run_pass();
}

void TransmitProcess::next_turn()
{
    turn_pending_ = false;
    run_pass();
}

void TransmitProcess::on_wake()
{
    refusal_stands_ = false;
    if (stopped_) {
        run_pass();
    }
}

void TransmitProcess::start_now()
{
    if (refusal_stands_) {
        refusal_stands_ = false;
        context_.outlet.kick(*request_);
    }
    run_pass();
}

void TransmitProcess::on_closing(Destination& destination)
{
    if (!destination.has_work()) {
        ready_.remove(destination);
    }
}

// [TR-46, TR-47, TR-49, TR-51, TR-53] Turns until the pool, the windows or the work end.
void TransmitProcess::run_pass()
{
    if (asked_ || turn_pending_ || held_) {
        return;  // a pass is under way, or to come, and will see what changed
    }
    while (Destination* destination = ready_.head()) {
        const std::optional<Destination::Choice> choice = destination->choose();
        if (!choice) {
            ready_.remove(*destination);
            continue;
        }
        if (!ask_for_room(*choice)) {
            return;
        }
        take_turn(*choice);
        if (turn_pending_) {
            return;
        }
    }
    stopped_ = false;
    request_.reset();
}

bool TransmitProcess::ask_for_room(const Destination::Choice& choice)
{
    if (!request_) {
        request_ = context_.frames.make();
    } else if (request_->bth.retransmission) {
        request_->reset();  // it was refused, and another packet may ask now
    }
    frames_.prepare(*request_, choice);
    switch (context_.outlet.reserve(*request_)) {
        case FrameOutlet::Answer::granted:
            return true;
        case FrameOutlet::Answer::refused:
            refused();
            return false;
        case FrameOutlet::Answer::later:
            asked_ = choice;
            return false;
    }
    return false;
}

// [TR-51] The destination stays at the head; nothing smaller is tried.
void TransmitProcess::refused()
{
    if (!stopped_) {
        ++state_.counters.stalls;
    }
    stopped_ = true;
    refusal_stands_ = true;
}

SendQueuePair* TransmitProcess::on_answer(bool granted)
{
    if (!asked_) {
        return nullptr;
    }
    const Destination::Choice choice = *std::exchange(asked_, std::nullopt);
    granted ? take_turn(choice) : refused();
    return choice.queue_pair;
}

void TransmitProcess::take_turn(const Destination::Choice& choice)
{
    SendQueuePair& queue_pair = *choice.queue_pair;
    Destination& destination = queue_pair.destination();
    refusal_stands_ = false;
    destination.has_sent(queue_pair);
    const packet::FrameRef frame = std::move(request_);
    if (choice.item.retransmission) {
        frames_.repeat(*frame, queue_pair, choice.item.psn);
    } else {
        frames_.send_segment(*frame, queue_pair);
    }
    ready_.remove(destination);
    if (destination.has_work()) {
        ready_.put_at_tail(destination);
    }
    const Picoseconds turn_time = context_.config.transport.turn_time;
    if (turn_time > 0) {
        turn_pending_ = true;
        context_.agenda.at<&TransmitProcess::next_turn>(context_.agenda.now() + turn_time, EventClass::delayed_pass,
                                                        context_.place, *this);
    }
}

}  // namespace mrcnic::transport
