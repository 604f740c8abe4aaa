#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Reads a message list, CSV with the columns `id,src,dst,bytes,start_ps,after,qp` [WL-30 .. WL-33].
///
/// The last two columns may be missing or empty. Blanks around a field do not count.
/// @param text       the file's contents
/// @param file       its name, for messages
/// @param nic_count  NICs of the fabric [WL-3]
/// @throws InputError with all lines that are wrong, one problem each
[[nodiscard]] Workload read_message_list(std::string_view text, const std::string& file, std::uint32_t nic_count);

}  // namespace mrcnic::workload
