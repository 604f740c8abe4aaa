#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mrcnic/workload/chakra_text.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// How a trace is run.
struct TraceOptions {
    std::vector<std::uint32_t> nics{};       ///< NIC of each rank; more than there are ranks unless `all_used`
    bool all_used{false};                    ///< every entry of `nics` must have a rank
    bool compute_shares{true};               ///< compute nodes of a rank share it [WL-53]
    bool serializes_groups{false};           ///< [WL-56]
    bool barrier_before_collectives{false};  ///< [WL-56]
    bool all_to_all_in_turn{false};          ///< [WL-55]
};

/// Reads a Chakra execution trace in JSON [WL-50 .. WL-58]; `docs/workloads.md` describes the form.
///
/// Sends and receives are matched by sender, receiver and tag, collectives by process group, each in the order of their
/// files. Messages stand in the order of the nodes that send them, rank by rank, those of a collective where its first
/// rank has it; their ids count from 1.
/// @param files  one with all ranks, or one for each rank
/// @throws InputError with everything that is wrong
[[nodiscard]] Workload read_trace(const std::vector<TraceFile>& files, const TraceOptions& options);

/// The files of a trace: `path`, and if its name ends in `.0.json` also `.1.json` and so on, as far as they exist.
/// @throws InputError if one cannot be read
[[nodiscard]] std::vector<TraceFile> read_trace_files(const std::string& path);

}  // namespace mrcnic::workload
