#include "mrcnic/workload/rank_ends.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace mrcnic::workload {

std::vector<Picoseconds> rank_ends(const Director& director)
{
    const Workload& workload = director.workload();
    std::vector<Picoseconds> ends(workload.trace.nics.size(), 0);
    for (std::size_t node = 0; node < workload.trace.nodes.size(); ++node) {
        Picoseconds& end = ends[workload.trace.nodes[node].rank];
        end = std::max(end, director.node_records()[node].end);
    }
    std::map<std::uint32_t, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        rank_of.emplace(workload.trace.nics[rank], rank);
    }
    for (std::size_t message = 0; message < workload.messages.size(); ++message) {
        if (const auto rank = rank_of.find(workload.messages[message].source); rank != rank_of.end()) {
            Picoseconds& end = ends[rank->second];
            end = std::max(end, director.records()[message].wqe_complete);
        }
    }
    return ends;
}

}  // namespace mrcnic::workload
