#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "mrcnic/transport/receive_queue_pair.h"
#include "mrcnic/transport/receiver_penalty.h"
#include "mrcnic/transport/transport_context.h"

namespace mrcnic::transport {

/// The data pool of the ingress buffer, as far as a receiver asks for it [CC-43].
struct IngressPool {
    std::uint64_t size{0};                     ///< bytes, at least 1
    std::function<std::uint64_t()> occupancy;  ///< bytes held now
};

/// An acknowledgement that is to be built, from the frame that drew it [TR-72].
struct Acknowledgement {
    packet::FrameKind kind{packet::FrameKind::sack};  ///< SACK, ACK or NACK
    ReceiveQueuePair* queue_pair{nullptr};            ///< outlives it
    packet::Psn psn{0};
    std::uint16_t entropy{0};
    std::uint16_t timestamp{0};
    bool marked{false};  ///< the frame arrived CE
    bool repeated{false};
    packet::NackReason reason{packet::NackReason::none};
    bool answers_probe{false};    ///< `psn` is the probe's id
    std::uint64_t message_id{0};  ///< of the frame that drew it, for records
};

/// What was built.
struct AcknowledgementCounters {
    std::uint64_t acks_sent{0};
    std::uint64_t sacks_sent{0};         ///< answers to probes included
    std::uint64_t marked_sacks_sent{0};  ///< of them, with M not 0
    std::uint64_t nacks_sent{0};
};

/// Fills in acknowledgements: SACK [TR-69], ACK [TR-68] and NACK [TR-80], as their queue pair stands now.
class AcknowledgementBuilder {
public:
    /// `counters` must outlive it.
    AcknowledgementBuilder(TransportContext& context, AcknowledgementCounters& counters) noexcept
        : context_{context}, counters_{counters}
    {
    }

    /// Where congestion of this NIC shows; without it, and with `ReceiverPenaltyEnabled` false, there is no penalty.
    void watch(IngressPool pool);
    /// @param frame  new, with the kind of `acknowledgement`
    void build(packet::Frame& frame, const Acknowledgement& acknowledgement);

private:
    void build_ack(packet::Frame& frame, const ReceiveQueuePair& queue_pair);
    void build_sack(packet::Frame& frame, const Acknowledgement& acknowledgement);
    void build_nack(packet::Frame& frame, const Acknowledgement& acknowledgement);
    void penalize(packet::CcState& cc_state) const;

    TransportContext& context_;
    AcknowledgementCounters& counters_;
    std::optional<ReceiverPenalty> penalty_;
    std::function<std::uint64_t()> ingress_occupancy_;
};

}  // namespace mrcnic::transport
