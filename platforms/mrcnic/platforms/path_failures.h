#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/platforms/topology.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::platforms {

/// A switch port that sends nothing [SW-57].
struct PathFailure {
    std::size_t switch_id{0};
    std::uint16_t port{0};
};

/// The failure lines of a workload in this fabric: `TOR` n is leaf n, `CORE` n spine n, `link_id` the port [WL-18].
/// @throws workload::InputError with the place of every line that names none of ours
[[nodiscard]] std::vector<PathFailure> path_failures(const workload::Workload& load, const Topology& topology);

}  // namespace mrcnic::platforms
