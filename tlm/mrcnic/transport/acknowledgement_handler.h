#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/packet/frame.h"
#include "mrcnic/transport/prober.h"
#include "mrcnic/transport/sender_state.h"
#include "mrcnic/transport/transmit_process.h"

namespace mrcnic::transport {

/// What a sender does with the SACKs, cumulative ACKs and NACKs that come in [TR-73 .. TR-82].
class AcknowledgementHandler {
public:
    AcknowledgementHandler(SenderState& state, TransmitProcess& process, Prober& prober);

    void on_sack(const packet::Frame& frame);
    void on_ack(const packet::Frame& frame);
    void on_nack(const packet::Frame& frame);

private:
    using Rtt = std::optional<Picoseconds>;

    void on_invalid(const packet::Frame& frame, const SendQueuePair* queue_pair);
    [[nodiscard]] Rtt sample_sack(const packet::Frame& frame, const OutstandingPacket* packet);
    [[nodiscard]] Rtt sample_by_record(const packet::Frame& frame, const OutstandingPacket* packet,
                                       bool repeated) const;
    [[nodiscard]] std::uint64_t retire_selected(SendQueuePair& queue_pair, const packet::Seth& sack);
    [[nodiscard]] std::uint64_t retire_through(SendQueuePair& queue_pair, packet::Psn cumulative, bool hears);
    [[nodiscard]] std::uint64_t retire(SendQueuePair& queue_pair, packet::Psn psn, bool hears);
    void feed_back_path(Destination& destination, const packet::Seth& sack);
    void control_congestion(Destination& destination, const packet::Frame& frame, std::uint64_t retired, Rtt rtt);
    void find_gaps(SendQueuePair& queue_pair);
    [[nodiscard]] std::uint32_t gap_threshold(const Destination& destination) const;
    void on_trim(SendQueuePair& queue_pair, OutstandingPacket& packet, const packet::Frame& frame, Rtt rtt);
    void report_completions(SendQueuePair& queue_pair);
    void observe(const packet::Frame& frame, const SendQueuePair& queue_pair, Rtt rtt) const;
    void finish(SendQueuePair& queue_pair);

    SenderState& state_;
    TransportContext& context_;
    TransmitProcess& process_;
    Prober& prober_;
    bool gap_follows_window_;  // `SackGapMode` Window, or Auto where packets overtake
};

}  // namespace mrcnic::transport
