#pragma once

#include <filesystem>
#include <vector>

#include "mrcnic/record/csv_file.h"
#include "mrcnic/workload/trace.h"
#include "mrcnic/workload/trace_runner.h"

namespace mrcnic::record {

/// The file trace-nodes.csv: when each node of an execution trace started and ended, by rank, then in the order of the
/// trace [WL-52, WL-54].
class TraceNodesCsv {
public:
    /// @throws OutputError
    explicit TraceNodesCsv(std::filesystem::path path);

    /// Writes a row for each node; instants that have not come are empty. @param records  one for each node
    /// @throws OutputError
    void finish(const workload::Trace& trace, const std::vector<workload::NodeRecord>& records);

private:
    CsvFile file_;
};

}  // namespace mrcnic::record
