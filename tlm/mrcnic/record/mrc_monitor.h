#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/packet/headers.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/monitor_selection.h"
#include "mrcnic/transport/observer.h"

namespace mrcnic::record {

/// A NIC as mrc-monitor sees it.
struct MonitorSource {
    std::string component_name;  ///< RC-31
    std::uint16_t node_id{0};    ///< RC-30
    packet::Address address{0};
    packet::DscpCodepoints dscp;
    MonitorRules rules;
    std::function<std::uint64_t()> egress_data_occupancy;  ///< bytes in the data pool now
};

/// The record mrc-monitor: a row for each packet of the selected connections, as it happens [RC-24, RC-64 .. RC-69].
class MrcMonitor {
public:
    /// @param sources  all NICs, as a connection is selected at both its ends
    /// @param now      the simulation's time
    /// @throws OutputError
    MrcMonitor(std::filesystem::path path, std::vector<MonitorSource> sources, std::function<Picoseconds()> now);
    MrcMonitor(const MrcMonitor&) = delete;
    MrcMonitor& operator=(const MrcMonitor&) = delete;
    ~MrcMonitor();

    /// Whom the transport of NIC `i` tells of its frames; lives as long as the record.
    [[nodiscard]] transport::FrameObserver& observer(std::size_t i);
    /// Ends the file. @throws OutputError
    void finish() { file_.close(); }

private:
    class Observer;

    CsvFile file_;
    std::function<Picoseconds()> now_;
    std::vector<MonitorSource> sources_;
    MonitorSelection selection_;
    std::vector<std::unique_ptr<Observer>> observers_;
};

}  // namespace mrcnic::record
