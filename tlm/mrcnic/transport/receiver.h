#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/transport/acknowledgement_builder.h"
#include "mrcnic/transport/control_line.h"
#include "mrcnic/transport/receive_queue_pair.h"
#include "mrcnic/transport/transport_context.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

/// The receiving half of a transport: data frames in, acknowledgements out [TR-60 .. TR-72, TR-80].
class Receiver {
public:
    struct Counters : AcknowledgementCounters {
        std::uint64_t data_received{0};  ///< data packets, trimmed ones and duplicates included
        std::uint64_t probes_received{0};
        std::uint64_t trims_seen{0};
        std::uint64_t out_of_order{0};      ///< data packets beyond the next expected PSN
        std::uint64_t max_out_of_order{0};  ///< most of them that one queue pair held at once
        std::uint64_t duplicates{0};        ///< data packets already received
        std::uint64_t window_discards{0};   ///< data packets discarded beyond the PSN window
        std::uint64_t unknown_received{0};  ///< frames for no queue pair, or of no use to a transport
        std::uint64_t payload_received{0};  ///< bytes of new data packets
    };

    Receiver(TransportContext& context, CompletionSink*& completions);

    /// Where congestion of this NIC shows [CC-43].
    void watch(IngressPool pool) { builder_.watch(std::move(pool)); }
    void open(packet::QpNumber number, packet::QpNumber sender_qp, packet::Address source);
    void close(packet::QpNumber number);

    /// A data frame or what a switch left of one. @return whether its payload goes to the host
    [[nodiscard]] bool on_data(const packet::Frame& frame);
    /// A probe: answered at once [MP-23].
    void on_probe(const packet::Frame& frame);
    /// The PCIe transmit buffer has accepted the oldest write, `RecvCompleteAfterWrite` only [TR-62].
    void on_write_accepted();
    /// A frame of no use here, discarded.
    void on_unknown() noexcept { ++counters_.unknown_received; }
    /// The serialization of an acknowledgement has ended.
    void on_sent(const packet::Frame& frame) const;
    /// The egress buffer's late answer to a control reservation.
    void on_answer(bool granted);
    /// Control space was released [EG-6].
    void on_wake() { line_.serve(); }

    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    /// Acknowledgements that wait for room.
    [[nodiscard]] std::size_t waiting() const noexcept { return line_.waiting(); }
    [[nodiscard]] const ReceiveQueuePair* queue_pair(packet::QpNumber number) const noexcept { return find(number); }

private:
    struct AwaitedCompletion {
        std::uint64_t message_id{0};
        std::uint64_t writes{0};  ///< that must have been accepted before
        ConnectionEnd end;
    };

    [[nodiscard]] ReceiveQueuePair* find(packet::QpNumber number) const noexcept
    {
        return number < queue_pairs_.size() ? queue_pairs_[number].get() : nullptr;
    }
    [[nodiscard]] bool take_in(ReceiveQueuePair& queue_pair, const packet::Frame& frame);
    void on_trim(ReceiveQueuePair& queue_pair, const packet::Frame& frame);
    void announce(ReceiveQueuePair& queue_pair);
    void observe(const packet::Frame& frame) const;
    void complete(std::uint64_t message_id, const ConnectionEnd& end);
    [[nodiscard]] ConnectionEnd end_of(const ReceiveQueuePair& queue_pair) const;
    void acknowledge(ReceiveQueuePair& queue_pair, const packet::Frame& frame, ReceiveQueuePair::Verdict verdict);
    void count_out_of_order(const ReceiveQueuePair& queue_pair);
    [[nodiscard]] bool report_completions(ReceiveQueuePair& queue_pair, bool writes);
    void send(packet::FrameKind kind, ReceiveQueuePair& queue_pair, const packet::Frame& cause,
              packet::NackReason reason);

    TransportContext& context_;
    CompletionSink*& completions_;
    packet::DscpRoles roles_;
    std::vector<std::unique_ptr<ReceiveQueuePair>> queue_pairs_;  // by number
    Counters counters_;
    AcknowledgementBuilder builder_{context_, counters_};
    ControlLine line_{context_, builder_};
    std::optional<packet::QpNumber> closes_after_answer_;
    RingQueue<AwaitedCompletion> awaited_;
    std::uint64_t writes_started_{0};
    std::uint64_t writes_accepted_{0};
};

}  // namespace mrcnic::transport
