#pragma once

#include <cstdint>

#include "mrcnic/config/config.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Makes the workload that the configuration asks for: reads `File`, by its suffix `.cm` or `.csv`, or without a file
/// has the generator make it.
/// @param nic_count  NICs of the fabric
/// @throws InputError if there is anything wrong with it
[[nodiscard]] Workload load_workload(const config::WorkloadConfig& config, std::uint32_t nic_count);

/// The generator `Single`: one message, id 1, at the start time, on the pair's QPs.
/// @throws InputError if source and destination are equal or outside the fabric [WL-3]
[[nodiscard]] Workload make_single(const config::WorkloadConfig& config, std::uint32_t nic_count);

/// For fabrics without leaf and spine switches, where no path can fail [WL-18].
/// @throws InputError with the place of every failure line, if there are any
void require_no_failures(const Workload& workload);

}  // namespace mrcnic::workload
