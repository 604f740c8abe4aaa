#pragma once

#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/workload/director.h"

namespace mrcnic::workload {

/// When each rank of a trace has ended: all its nodes, and all that it sends acknowledged; kNever = not yet [WL-57].
[[nodiscard]] std::vector<Picoseconds> rank_ends(const Director& director);

}  // namespace mrcnic::workload
