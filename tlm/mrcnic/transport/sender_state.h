#pragma once

#include <cstdint>

#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/observer.h"
#include "mrcnic/transport/queue_pair_table.h"
#include "mrcnic/transport/rtt_samples.h"
#include "mrcnic/transport/send_queue_pair.h"
#include "mrcnic/transport/transport_context.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

/// What a sender has done since the start of the run.
struct SenderCounters {
    std::uint64_t data_sent{0};        ///< data frames handed down, repetitions included
    std::uint64_t retransmissions{0};  ///< of them
    std::uint64_t max_tx_count{0};     ///< most transmissions of one packet
    std::uint64_t probes_sent{0};
    std::uint64_t probe_acks_received{0};  ///< SACKs that answer a probe
    std::uint64_t acks_received{0};
    std::uint64_t sacks_received{0};
    std::uint64_t marked_sacks_received{0};  ///< with M not 0, that gave an RTT sample
    std::uint64_t nacks_received{0};
    std::uint64_t rto_fired{0};         ///< expiries for packets still outstanding
    std::uint64_t gap_losses{0};        ///< packets declared lost by a SACK gap
    std::uint64_t stalls{0};            ///< changes from running to stopped for want of egress room
    std::uint64_t invalid_received{0};  ///< acknowledgements for queue pairs or PSNs that do not exist
    std::uint64_t messages_posted{0};
    std::uint64_t messages_completed{0};
    std::uint64_t messages_failed{0};
};

/// What the parts of a sender work on.
struct SenderState {
    SenderState(TransportContext& shared, CompletionSink*& sink)
        : context{shared}, completions{sink}, queue_pairs{shared}
    {
    }

    TransportContext& context;
    CompletionSink*& completions;
    QueuePairTable queue_pairs;
    SenderCounters counters;
    RttSamples rtt;

    /// The sending end as records name it.
    [[nodiscard]] ConnectionEnd end_of(const SendQueuePair& queue_pair) const
    {
        return {context.address, queue_pair.number(), queue_pair.destination().address(), queue_pair.peer_number()};
    }
    [[nodiscard]] static FlowState flow_of(const Destination& destination)
    {
        const CongestionWindow& window = destination.window();
        return {window.in_flight(), window.handed_down(), window.window()};
    }
};

}  // namespace mrcnic::transport
