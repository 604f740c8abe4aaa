#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/workload/message.h"
#include "mrcnic/workload/size_distribution.h"

namespace mrcnic::workload {

/// What flows with Poisson arrivals are made from [WL-42, WL-43].
struct ArrivalParameters {
    double load{0.5};                         ///< part of a source's link that its flows fill on average; above 0
    std::vector<std::uint32_t> sources{};     ///< NICs that send, ascending; at least one
    std::vector<BitsPerSecond> link_rates{};  ///< of each NIC of the fabric; at least two
    Picoseconds run_time{1'000'000'000};      ///< no flow starts later; 0 = no limit, then there is a message count
    std::uint64_t message_count{0};           ///< so many flows at most; 0 = no limit
    std::uint64_t seed{1};
};

/// More flows than this are refused: their records would fill the memory.
inline constexpr std::size_t kMostFlows = 10'000'000;

/// Mean time between two flows of a source, in picoseconds [WL-42].
[[nodiscard]] double mean_gap(const SizeDistribution& sizes, double load, BitsPerSecond link_rate);

/// Flows in the order of their starts, those of one instant by source, with ids from 1.
///
/// All draws are from one `mt19937_64` with the seed, in this order: first the first gap of each source, ascending;
/// then for each flow, in the order of starts, its size, its destination, the gap to the next flow of its source. Gaps
/// are rounded to whole picoseconds.
/// @param file  of the distribution, for messages
/// @throws InputError if there were more than kMostFlows
[[nodiscard]] Workload make_poisson_arrivals(const SizeDistribution& sizes, const ArrivalParameters& parameters,
                                             const std::string& file);

}  // namespace mrcnic::workload
