#pragma once

#include <cstddef>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/transport/acknowledgement_builder.h"

namespace mrcnic::transport {

/// Asks the egress buffer for room for acknowledgements and has them built and sent when there is some. Those without
/// wait in the order of first need, whatever their queue pair or kind [EG-6].
class ControlLine {
public:
    ControlLine(TransportContext& context, AcknowledgementBuilder& builder) noexcept
        : context_{context}, builder_{builder}
    {
    }

    /// Now, or when there is room; while others wait, nothing new is built before them.
    void send(const Acknowledgement& acknowledgement);
    /// Whether the egress buffer owes an answer for an acknowledgement of this queue pair, which must live until then.
    [[nodiscard]] bool asks_for(const ReceiveQueuePair& queue_pair) const
    {
        return asked_ && waiting_.front().queue_pair == &queue_pair;
    }
    /// Drops what waits for a queue pair that closes; none that `asks_for`.
    void forget(const ReceiveQueuePair& queue_pair);
    /// The egress buffer's late answer; those behind wait for serve(). @return whether one was owed
    bool take_answer(bool granted);
    /// Sends as many as there is room for, unless an answer is owed.
    void serve();
    /// Acknowledgements that wait for room.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

private:
    void wait_in_line(const Acknowledgement& acknowledgement);
    [[nodiscard]] bool try_build(const Acknowledgement& acknowledgement);
    void build(const Acknowledgement& acknowledgement);

    TransportContext& context_;
    AcknowledgementBuilder& builder_;
    RingQueue<Acknowledgement> waiting_;
    packet::FrameRef request_;  // the frame that asks for room
    bool asked_{false};         // the egress buffer owes an answer for it, the front of waiting_
};

}  // namespace mrcnic::transport
