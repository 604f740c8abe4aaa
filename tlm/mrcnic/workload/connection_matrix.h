#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Reads a connection matrix, the `.cm` of the public htsim simulator [WL-10 .. WL-21].
///
/// Sizes are bytes, start times picoseconds. Failure lines are checked for form only.
/// @param text       the file's contents
/// @param file       its name, for messages
/// @param nic_count  NICs of the fabric; `Nodes` may not exceed it [WL-12]
/// @throws InputError with all lines that are wrong, one problem each
[[nodiscard]] Workload read_connection_matrix(std::string_view text, const std::string& file, std::uint32_t nic_count);

}  // namespace mrcnic::workload
