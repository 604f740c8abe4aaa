#pragma once

#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/sender_state.h"

namespace mrcnic::transport {

/// Builds the data frames of a sender: new segments, which are fetched, and repetitions, which the NIC rebuilds
/// [TR-55 .. TR-57].
class DataFrames {
public:
    explicit DataFrames(SenderState& state);

    /// Makes `frame` one that can ask for room for `choice`.
    void prepare(packet::Frame& frame, const Destination::Choice& choice) const;
    /// The room is there: the next segment of a queue pair takes its PSN and is fetched.
    void send_segment(packet::Frame& frame, SendQueuePair& queue_pair);
    /// The room is there: a repetition joins the data queue.
    void repeat(packet::Frame& frame, SendQueuePair& queue_pair, packet::Psn psn);
    /// The payload of a segment has arrived: it joins the data queue.
    void hand_off(packet::Frame& frame);

private:
    void fill(packet::Frame& frame, SendQueuePair& queue_pair, packet::Psn psn) const;
    void give_number(packet::Frame& frame, SendQueuePair& queue_pair);
    void take_samples(const Destination& destination, const OutstandingPacket* packet, bool repeated);
    static void keep_payload(packet::Frame& frame, OutstandingPacket* packet);

    SenderState& state_;
    TransportContext& context_;
    packet::DscpCodepoints dscp_;
};

}  // namespace mrcnic::transport
