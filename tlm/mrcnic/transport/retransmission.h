#pragma once

#include "mrcnic/packet/frame.h"
#include "mrcnic/transport/prober.h"
#include "mrcnic/transport/retransmit_timers.h"
#include "mrcnic/transport/sender_state.h"
#include "mrcnic/transport/transmit_process.h"

namespace mrcnic::transport {

/// Retransmission timers at work: when they start, what an expiry does, when a queue pair gives up [TR-57, TR-85 ..
/// TR-87].
class Retransmission {
public:
    Retransmission(SenderState& state, TransmitProcess& process, Prober& prober);

    /// A data frame's serialization has ended: the timer of its packet starts, if it is the latest transmission.
    void on_sent(const packet::Frame& frame);
    /// The egress buffer has given an answer that was owed for `queue_pair`.
    void on_answered(SendQueuePair& queue_pair);

private:
    [[nodiscard]] bool is_stale(const RetransmitTimers::Timer& timer) const noexcept;
    void start_timer(const SendQueuePair& queue_pair, packet::Psn psn, const OutstandingPacket& packet);
    void arm();
    void timers_due();
    void expire(SendQueuePair& queue_pair, packet::Psn psn);
    void fail(SendQueuePair& queue_pair);

    SenderState& state_;
    TransportContext& context_;
    TransmitProcess& process_;
    Prober& prober_;
    RetransmitTimers timers_;
    Picoseconds armed_for_{kNever};
    bool fails_after_answer_{false};  // the queue pair that an answer is owed for
};

}  // namespace mrcnic::transport
