#pragma once

#include <string>

#include "mrcnic/platforms/platform.h"

namespace mrcnic::cli {

/// What a person wants to know after a run: messages, goodput, completion times, and for each NIC the peaks of its
/// pools, drops, stalls, retransmissions and the load of its host link.
/// @param wall_seconds  time that the run took
/// @param records       where the records are
[[nodiscard]] std::string summary_table(const platforms::Platform& platform, double wall_seconds,
                                        const std::string& records);

/// Why a run that was not interrupted left messages unfinished, and a line for each of the first ten of them with what
/// became of it, then "and N more"; empty if there is none.
[[nodiscard]] std::string unfinished_messages(const platforms::Platform& platform);

}  // namespace mrcnic::cli
