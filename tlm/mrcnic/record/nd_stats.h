#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/nic/network_port.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/port_source.h"
#include "mrcnic/record/utc.h"

namespace mrcnic::record {

/// The record nd-stats: traffic of every network port [RC-20, RC-40].
class NdStats : public PeriodicRecord {
public:
    /// @param ports  rows of one instant are ordered by node, then port, whatever the order here [RC-18]
    /// @param start  the first rows are one interval later [RC-15]
    /// @throws OutputError
    NdStats(std::filesystem::path path, const std::vector<PortSource>& ports, Utc utc, Picoseconds start,
            Picoseconds interval);

private:
    struct Port {
        PortSource source;
        nic::PortCounters before;  // at the rows before
    };

    void write_rows(std::size_t group, Picoseconds now, Picoseconds length) override;
    void write_identity(const PortSource& source);
    void write_traffic(Port& port, Picoseconds length);
    void close() override { file_.close(); }

    CsvFile file_;
    Utc utc_;
    std::vector<Port> ports_;
};

}  // namespace mrcnic::record
