#include "mrcnic/record/trace_nodes_csv.h"

#include <cstddef>
#include <utility>

namespace mrcnic::record {

TraceNodesCsv::TraceNodesCsv(std::filesystem::path path)
    : file_{std::move(path), {"rank", "node", "name", "type", "start_ps", "end_ps"}}
{
}

void TraceNodesCsv::finish(const workload::Trace& trace, const std::vector<workload::NodeRecord>& records)
{
    for (std::size_t i = 0; i < records.size(); ++i) {
        const workload::TraceNode& node = trace.nodes[i];
        file_.cell(node.rank).cell(node.id).cell(node.name).cell(workload::to_string(node.type));
        file_.instant_cell(records[i].start).instant_cell(records[i].end);
        file_.end_row();
    }
    file_.close();
}

}  // namespace mrcnic::record
