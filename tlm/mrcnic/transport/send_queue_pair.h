#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/base/time.h"
#include "mrcnic/packet/headers.h"
#include "mrcnic/packet/psn.h"
#include "mrcnic/transport/ack_policy.h"
#include "mrcnic/transport/gap_detector.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

class Destination;

/// What is known of a packet that has taken its PSN and is not retired.
struct PacketRecord {
    std::uint32_t payload_bytes{0};
    std::uint32_t transmission{0};         ///< number t of the latest transmission [TR-75]
    std::uint32_t transmission_before{0};  ///< number of the one before it
    std::uint32_t transmissions{0};        ///< n handed off so far [TR-57]
    std::uint32_t expiries{0};             ///< of its timer [TR-85]
    std::uint32_t message{0};              ///< ordinal on the QP, MSN [TR-34]
    std::uint64_t offset{0};               ///< of its payload in the message
    Picoseconds sent_at{0};                ///< end of serialization of the latest transmission
    std::uint16_t entropy{0};              ///< of the latest transmission [MP-2]
    bool outstanding{false};               ///< not retired
    bool in_flight{false};                 ///< counts in F [CC-20]
    bool handed_down{false};               ///< in flight and handed down [RC-65.20]
    bool awaits_retransmission{false};
    bool serialized{false};  ///< its latest transmission is
};

/// The record with the payload, kept for a repetition, `PayloadMode = "bytes"` only [EG-1].
struct OutstandingPacket : PacketRecord {
    std::vector<std::uint8_t> payload;

    /// A packet as new; keeps the payload's capacity.
    void reset() noexcept
    {
        static_cast<PacketRecord&>(*this) = PacketRecord{};
        payload.clear();
    }
};

/// What a queue pair sends next: a new segment or a repetition.
struct SendItem {
    packet::Psn psn{0};
    std::uint32_t payload_bytes{0};
    bool retransmission{false};
};

/// Everything a data frame takes from its message.
struct SegmentDescription {
    packet::Opcode opcode{packet::Opcode::write_only};
    std::uint64_t message_id{0};
    std::uint64_t message_bytes{0};
    std::uint64_t local_address{0};
    std::uint64_t remote_address{0};
    std::uint16_t msn{0};
    bool last_of_message{false};
};

/// The sending end of a queue pair: messages cut into packets, PSNs and their window, what is outstanding and what
/// waits to be repeated [TR-2, TR-10 .. TR-18, TR-48, TR-88]. Knows no kernel.
class SendQueuePair {
public:
    struct Parameters {
        packet::QpNumber number{0};
        std::uint32_t mss{4096};
        std::uint32_t max_psn_range{4096};  ///< M before the first SACK [TR-18]
        bool detects_gaps{true};            ///< `SackGapThreshold` is not 0 [TR-76]
    };

    SendQueuePair(const Parameters& parameters, const AckPolicy& ack_policy, Destination& destination);

    void post(const WorkRequest& request);
    void connect(packet::QpNumber peer) noexcept { peer_number_ = peer; }

    /// Whether a segment or a repetition waits, whether or not the windows allow it [TR-46].
    [[nodiscard]] bool has_work() const noexcept { return repetitions_ > 0 || has_segment(); }
    /// The oldest waiting repetition, else the next segment [TR-48]; only if has_work().
    [[nodiscard]] SendItem next_item() const;
    /// Whether the receiver's window has room for `psn` [TR-18, TR-82].
    [[nodiscard]] bool window_allows(packet::Psn psn) const noexcept;

    /// Takes the next segment: it gets its PSN, is outstanding and in flight.
    /// @return whether it was the last of its message [TR-90]
    bool take_segment();
    /// Takes a waiting repetition: in flight again [TR-56].
    void take_repetition(packet::Psn psn);
    /// A transmission is handed down with an entropy value: counts n and t. @return t
    std::uint32_t hand_off(packet::Psn psn, std::uint16_t entropy);
    [[nodiscard]] SegmentDescription describe(packet::Psn psn) const;

    /// The record of an outstanding packet; null if `psn` was never sent or is retired.
    [[nodiscard]] OutstandingPacket* find(packet::Psn psn) noexcept;
    [[nodiscard]] const OutstandingPacket* find(packet::Psn psn) const noexcept;
    /// Takes an outstanding packet out of flight and queues it for repetition [TR-78, TR-81, TR-82, TR-87].
    void queue_repetition(packet::Psn psn, OutstandingPacket& packet);
    /// Retires an outstanding packet [TR-74, TR-88].
    void retire(packet::Psn psn, OutstandingPacket& packet);
    /// An outstanding packet was received. @param echo  rtx echo of the SACK if that names the packet: tells which of
    /// two transmissions it was; otherwise only one that was sent once is sure [TR-75]
    void hear_received(const OutstandingPacket& packet, std::optional<bool> echo) noexcept;
    /// The next packet whose latest transmission lies `threshold` or more before the highest that was received, in
    /// order of transmission; each transmission is given once [TR-75, TR-78].
    [[nodiscard]] std::optional<packet::Psn> take_gap_loss(std::uint32_t threshold);
    /// The next message of which all packets are retired, in posting order; each is given once [TR-91].
    [[nodiscard]] std::optional<WorkRequest> take_completed();

    /// A cumulative acknowledgement was heard. @return false if it names PSNs that were never sent
    bool hear_cumulative(packet::Psn cumulative) noexcept;
    void hear_window(std::uint32_t psns) noexcept { window_ = psns; }

    /// First PSN that is not retired; the next new one if none is outstanding.
    [[nodiscard]] packet::Psn oldest() const noexcept { return oldest_; }
    [[nodiscard]] packet::Psn next_psn() const noexcept { return next_psn_; }
    [[nodiscard]] packet::Psn cumulative() const noexcept { return cumulative_; }
    [[nodiscard]] std::uint32_t window() const noexcept { return window_; }
    [[nodiscard]] packet::QpNumber number() const noexcept { return parameters_.number; }
    [[nodiscard]] packet::QpNumber peer_number() const noexcept { return peer_number_; }
    [[nodiscard]] Destination& destination() const noexcept { return destination_; }
    [[nodiscard]] AckPolicy& ack_policy() noexcept { return ack_policy_; }

    /// Ends the queue pair in error [TR-87]. @return ids of the messages that will not complete
    std::vector<std::uint64_t> fail();
    [[nodiscard]] bool has_failed() const noexcept { return failed_; }
    /// Whether it was asked before: a record hears of the queue pair with its first message [RC-81].
    [[nodiscard]] bool announced() noexcept { return std::exchange(announced_, true); }

private:
    struct SendMessage {
        WorkRequest request;
        std::uint64_t segmented{0};  // bytes that have taken their PSN
        packet::Psn last_psn{0};     // of its last segment, once that has one
    };

    [[nodiscard]] bool has_segment() const noexcept { return segmenting_ < messages_.size(); }
    [[nodiscard]] const SendMessage& message(std::uint32_t ordinal) const noexcept
    {
        return messages_[ordinal - first_message_];
    }
    [[nodiscard]] OutstandingPacket& slot(packet::Psn psn) noexcept { return packets_[psn & (packets_.size() - 1)]; }
    void make_room();

    Parameters parameters_;
    AckPolicy ack_policy_;
    Destination& destination_;
    packet::QpNumber peer_number_{0};
    RingQueue<SendMessage> messages_;         // posted and not complete
    std::uint32_t first_message_{0};          // ordinal of messages_[0]
    std::size_t segmenting_{0};               // index of the message that is being cut
    std::vector<OutstandingPacket> packets_;  // a ring over PSNs oldest_ .. next_psn_, grown by doubling
    packet::Psn oldest_{packet::kFirstPsn};
    packet::Psn next_psn_{packet::kFirstPsn};
    packet::Psn cumulative_{packet::psn_add(packet::kFirstPsn, -1)};
    std::uint32_t window_;
    std::uint32_t repetitions_{0};      // packets that await retransmission
    packet::Psn lowest_repetition_{0};  // no waiting one is before it
    GapDetector gaps_;
    bool failed_{false};
    bool announced_{false};
};

}  // namespace mrcnic::transport
