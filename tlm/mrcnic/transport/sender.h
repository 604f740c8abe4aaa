#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/queue_pair_table.h"
#include "mrcnic/transport/retransmit_timers.h"
#include "mrcnic/transport/rtt_samples.h"
#include "mrcnic/transport/send_queue_pair.h"
#include "mrcnic/transport/transport_context.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

/// The sending half of a transport: turns, windows, fetch and hand-off, acknowledgements, retransmission
/// [TR-4 .. TR-18, TR-45 .. TR-57, TR-73 .. TR-91].
class Sender {
public:
    struct Counters {
        std::uint64_t data_sent{0};        ///< data frames handed down, repetitions included
        std::uint64_t retransmissions{0};  ///< of them
        std::uint64_t acks_received{0};
        std::uint64_t sacks_received{0};
        std::uint64_t nacks_received{0};
        std::uint64_t rto_fired{0};         ///< expiries for packets still outstanding
        std::uint64_t stalls{0};            ///< changes from running to stopped for want of egress room
        std::uint64_t invalid_received{0};  ///< acknowledgements for queue pairs or PSNs that do not exist
        std::uint64_t messages_posted{0};
        std::uint64_t messages_completed{0};
        std::uint64_t messages_failed{0};
    };

    Sender(TransportContext& context, CompletionSink*& completions);

    void open(packet::QpNumber number, packet::Address destination);
    void connect(packet::QpNumber number, packet::QpNumber peer);
    void close(packet::QpNumber number);
    void post(const WorkRequest& request);

    void on_sack(const packet::Frame& frame);
    void on_ack(const packet::Frame& frame);
    void on_nack(const packet::Frame& frame);
    /// The payload of a fetched frame has arrived [TR-55].
    void hand_off(packet::Frame& frame);
    /// A data frame's serialization has ended [TR-57].
    void on_sent(const packet::Frame& frame);
    /// The egress buffer's answer to a reservation, when it did not come in the call.
    void on_answer(bool granted);
    /// Half-drain retry [EG-4].
    void on_wake();

    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    [[nodiscard]] const RttSamples& rtt() const noexcept { return rtt_; }
    /// Null if there is none.
    [[nodiscard]] const SendQueuePair* queue_pair(packet::QpNumber number) const noexcept;

private:
    void delayed_pass();
    void next_turn();
    void start_again(Destination* destination);
    void run_pass();
    [[nodiscard]] bool ask_for_room(const Destination::Choice& choice);
    void refused();
    [[nodiscard]] bool is_asked_for(const SendQueuePair& queue_pair) const noexcept;
    void end_after_answer(SendQueuePair& queue_pair);
    void take_turn(const Destination::Choice& choice);
    void send_segment(SendQueuePair& queue_pair);
    void repeat(SendQueuePair& queue_pair, packet::Psn psn);
    void fill_frame(packet::Frame& frame, SendQueuePair& queue_pair, packet::Psn psn) const;
    static void keep_payload(packet::Frame& frame, SendQueuePair& queue_pair);
    void fill_repetition(packet::Frame& frame, SendQueuePair& queue_pair, packet::Psn psn) const;

    void sample_sack(const packet::Frame& frame, const OutstandingPacket* packet);
    void sample_by_record(const packet::Frame& frame, const OutstandingPacket* packet, bool repeated);
    void retire_through(SendQueuePair& queue_pair, packet::Psn cumulative);
    void retire(SendQueuePair& queue_pair, packet::Psn psn);
    void leave_flight(SendQueuePair& queue_pair, const OutstandingPacket& packet);
    void report_completions(SendQueuePair& queue_pair);

    void start_timer(const SendQueuePair& queue_pair, packet::Psn psn, const OutstandingPacket& packet);
    void arm_timers();
    void timers_due();
    void expire(SendQueuePair& queue_pair, packet::Psn psn);
    void fail(SendQueuePair& queue_pair);
    [[nodiscard]] bool is_stale(const RetransmitTimers::Timer& timer) const noexcept;

    TransportContext& context_;
    CompletionSink*& completions_;
    packet::DscpCodepoints dscp_;
    QueuePairTable queue_pairs_;
    ReadyQueue ready_;
    RetransmitTimers timers_;
    Picoseconds timers_armed_for_{kNever};

    bool start_pending_{false};                 // a pass will start 15 ns after a posting
    bool stopped_{false};                       // by the egress pool, until a pass ends for another reason
    bool refusal_stands_{false};                // no WAKE, KICK or grant since
    bool turn_pending_{false};                  // TurnTime goes by
    std::optional<Destination::Choice> asked_;  // the egress buffer owes an answer for it
    packet::FrameRef request_;                  // the frame that asks, or was refused
    bool fails_after_answer_{false};            // the queue pair of asked_
    bool closes_after_answer_{false};           // likewise

    Counters counters_;
    RttSamples rtt_;
};

}  // namespace mrcnic::transport
