#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/base/time.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::transport {

/// An end of a queue pair and the end that it talks to, as records name them [RC-32].
struct ConnectionEnd {
    packet::Address local_address{0};
    packet::QpNumber local_qp{0};
    packet::Address remote_address{0};
    packet::QpNumber remote_qp{0};
};

/// The end that sends a frame of the transport.
[[nodiscard]] inline ConnectionEnd sending_end(const packet::Frame& frame) noexcept
{
    return {frame.network.source, frame.sender_qp, frame.network.destination, frame.bth.destination_qp};
}

/// The end that a frame was for which the NIC with this address does not have, or has no longer. The other end is known
/// by what goes beside the frame; of a frame that no transport of the model has made its number reads 0.
[[nodiscard]] inline ConnectionEnd end_without_queue_pair(const packet::Frame& frame, packet::Address address) noexcept
{
    return {address, frame.bth.destination_qp, frame.network.source, frame.sender_qp};
}

/// What a message is to a record.
struct ObservedMessage {
    std::uint64_t id{0};     ///< as in records [WL-16]
    std::uint64_t bytes{0};  ///< its length
};

/// Hears what happens to the queue pairs of a NIC, inside the event that makes it happen [RC-81 .. RC-86].
class QueuePairObserver {
public:
    virtual ~QueuePairObserver() = default;
    /// Sender: the first message was posted; receiver: the first data packet arrived [RC-81].
    virtual void qp_created(const ConnectionEnd& end) = 0;
    virtual void wqe_created(const ConnectionEnd& end, const ObservedMessage& message) = 0;
    virtual void send_complete(const ConnectionEnd& end, const ObservedMessage& message) = 0;
    /// A data packet of the message is handed down once more; no event of a queue pair, so most do not care.
    virtual void packet_repeated(const ConnectionEnd& /*end*/, std::uint64_t /*message_id*/) {}
    virtual void wqe_complete(const ConnectionEnd& end, const ObservedMessage& message) = 0;
    virtual void recv_complete(const ConnectionEnd& end) = 0;
    /// The end was closed; ends that live to the end of the run are not reported [RC-86].
    virtual void qp_terminated(const ConnectionEnd& end) = 0;
};

/// A destination's windows when a frame of one of its queue pairs is observed, in nominal bytes [RC-65.19 .. RC-65.21].
struct FlowState {
    std::uint64_t bytes_fetched{0};    ///< fetched or replayed and not yet retired
    std::uint64_t bytes_in_flight{0};  ///< handed down and not yet retired
    double congestion_window{0};
};

/// Hears of frames that the transport sends and takes in [RC-66].
class FrameObserver {
public:
    virtual ~FrameObserver() = default;
    /// Data, SACK, ACK and probe: when their serialization has ended; NACK: when the transport builds it.
    /// @param flow  of the destination, for data; null for control frames and probes
    virtual void frame_sent(const packet::Frame& frame, const ConnectionEnd& end, const FlowState* flow) = 0;
    /// When the transport has processed it.
    /// @param flow  of the destination, for SACKs and NACKs; null for what a receiving end takes in
    /// @param rtt   the sample that a SACK or trim NACK gave, in ps
    virtual void frame_received(const packet::Frame& frame, const ConnectionEnd& end, const FlowState* flow,
                                std::optional<Picoseconds> rtt) = 0;
};

}  // namespace mrcnic::transport
