#pragma once

#include <cstdint>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Makes the workload that the configuration asks for: reads `File`, by its suffix `.cm`, `.csv`, `.cdf` or `.json`, or
/// without a file has the generator make it.
/// @param nic_count   NICs of the fabric
/// @param link_rates  of each NIC, for a `.cdf`; empty: 400 Gbps each
/// @param seed        of all random draws
/// @throws InputError if there is anything wrong with it
[[nodiscard]] Workload load_workload(const config::WorkloadConfig& config, std::uint32_t nic_count,
                                     const std::vector<BitsPerSecond>& link_rates = {}, std::uint64_t seed = 1);
/// The same for a whole configuration.
[[nodiscard]] Workload load_workload(const config::Config& config);

/// The generator `Single`: one message, id 1, at the start time, on the pair's QPs.
/// @throws InputError if source and destination are equal or outside the fabric [WL-3]
[[nodiscard]] Workload make_single(const config::WorkloadConfig& config, std::uint32_t nic_count);

/// The generator of a collective: `MessageBytes` over `Ranks`, from the start time on [WL-55].
/// @throws InputError if `Ranks` is no list of NICs, or lacks the root of a broadcast
[[nodiscard]] Workload make_collective(const config::WorkloadConfig& config, std::uint32_t nic_count);

/// For fabrics without leaf and spine switches, where no path can fail [WL-18].
/// @throws InputError with the place of every failure line, if there are any
void require_no_failures(const Workload& workload);

}  // namespace mrcnic::workload
