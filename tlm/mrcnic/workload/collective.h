#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mrcnic/workload/message.h"
#include "mrcnic/workload/point.h"

namespace mrcnic::workload {

enum class CollectiveKind { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, barrier };

/// A collective operation of some NICs [WL-55].
struct Collective {
    CollectiveKind kind{CollectiveKind::all_reduce};
    std::uint64_t bytes{0};             ///< S of WL-55; of no account for a barrier
    std::vector<std::uint32_t> nics{};  ///< of its ranks, in the order of the ring; different ones
    std::size_t root{0};                ///< of a broadcast: index into `nics`
    bool in_turn{false};                ///< all-to-all: one transfer of a rank after another instead of all at once
};

/// The messages of one rank of a collective: indices into Workload::messages.
struct CollectiveShare {
    std::vector<std::size_t> sends;     ///< in the order of their steps
    std::vector<std::size_t> receives;  ///< in the order of their steps
};

/// Turns a collective into messages, which it puts behind those of `workload`, with ids that count on.
///
/// - Rings (all-reduce, all-gather, reduce-scatter, barrier): a rank sends step i + 1 when it has received step i, as
/// that
///   is what it passes on; its own earlier sends need not be acknowledged.
/// - All-to-all: a rank sends to the ranks behind it, the next one first. In turn, each transfer waits for the
///   acknowledgement of the one before.
/// - Broadcast: the root sends to all others at once, the next one first.
///
/// @param starts  for each rank what all its sends wait for; empty: nothing, they start at the workload's start time
/// @return the messages of each rank
std::vector<CollectiveShare> expand(const Collective& collective, const std::vector<Point>& starts, Workload& workload);

}  // namespace mrcnic::workload
