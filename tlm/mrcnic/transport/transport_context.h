#pragma once

#include <cstdint>

#include "mrcnic/base/agenda.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/wire_size.h"
#include "mrcnic/transport/frame_outlet.h"
#include "mrcnic/transport/observer.h"
#include "mrcnic/transport/samples.h"

namespace mrcnic::transport {

/// What the two halves of a transport share.
struct TransportContext {
    Agenda& agenda;
    FrameOutlet& outlet;
    packet::FramePool& frames;
    const config::NicConfig& config;
    config::PayloadMode payload_mode;
    packet::Address address;         ///< of this NIC
    BitsPerSecond destination_rate;  ///< the lower rate of the NIC's link ends [CC-17]
    Place place;
    bool takes_every_frame;  ///< receive side of `line_rate_receive` [PC-7]
    bool single_path;        ///< the fabric has one path between any two NICs [TR-77]

    QueuePairObserver* queue_pair_observer{nullptr};  ///< null while no record wants to hear
    FrameObserver* frame_observer{nullptr};           ///< likewise
    TransportSamples* samples{nullptr};               ///< likewise

    std::uint64_t next_uid{1};

    [[nodiscard]] bool stamps_frames() const noexcept
    {
        return config.transport.rtt_timestamp_mode == config::RttTimestampMode::wire_timestamp;
    }
    /// Unique in the run: the node in the upper bits.
    [[nodiscard]] std::uint64_t make_uid() noexcept { return std::uint64_t{place.node} << 48U | next_uid++; }
};

}  // namespace mrcnic::transport
