#pragma once

#include <optional>

#include "mrcnic/packet/frame.h"
#include "mrcnic/transport/data_frames.h"
#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/sender_state.h"

namespace mrcnic::transport {

/// The transmit process of a sender: passes, turns of destinations, and the room that each packet needs first
/// [TR-5, TR-45 .. TR-53].
class TransmitProcess {
public:
    TransmitProcess(SenderState& state, DataFrames& frames) : state_{state}, context_{state.context}, frames_{frames} {}

    /// A message was posted [TR-5].
    void on_posting(Destination& destination);
    /// An acknowledgement or a timer of this destination: it goes to the head if it has work [TR-50].
    void put_at_head(Destination& destination)
    {
        if (destination.has_work()) {
            ready_.put_at_head(destination);
        }
    }
    /// A pass at once, for another reason than room [TR-52].
    void start_now();
    /// Half-drain retry [EG-4].
    void on_wake();
    /// The egress buffer's answer to a reservation, when it did not come in the call.
    /// @return the queue pair that it was for; null if none is owed
    SendQueuePair* on_answer(bool granted);
    void run_pass();
    /// A destination has lost a queue pair and may have no work left.
    void on_closing(Destination& destination);

    /// Whether the egress buffer owes an answer.
    [[nodiscard]] bool is_asking() const noexcept { return asked_.has_value(); }
    /// Whether it owes one for `queue_pair`: a grant must be used, so that must live until it comes.
    [[nodiscard]] bool is_asking_for(const SendQueuePair& queue_pair) const noexcept
    {
        return asked_ && asked_->queue_pair == &queue_pair;
    }
    /// No request while `on`: somebody else has one open.
    void hold(bool on) noexcept { held_ = on; }

private:
    void delayed_pass();
    void next_turn();
    [[nodiscard]] bool ask_for_room(const Destination::Choice& choice);
    void refused();
    void take_turn(const Destination::Choice& choice);

    SenderState& state_;
    TransportContext& context_;
    DataFrames& frames_;
    ReadyQueue ready_;
    bool start_pending_{false};                 // a pass will start 15 ns after a posting
    bool stopped_{false};                       // by the egress pool, until a pass ends for another reason
    bool refusal_stands_{false};                // no WAKE, KICK or grant since
    bool turn_pending_{false};                  // TurnTime goes by
    bool held_{false};                          // a request of the data class is open elsewhere
    std::optional<Destination::Choice> asked_;  // the egress buffer owes an answer for it
    packet::FrameRef request_;                  // the frame that asks, or was refused
};

}  // namespace mrcnic::transport
