#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/utc.h"

namespace mrcnic::record {

/// What a class of a switch port tells; counters since the start [RC-70].
struct SwitchFigures {
    std::uint64_t queue_bytes{0};         ///< charged now
    std::uint64_t interval_max_bytes{0};  ///< highest since the interval's start, that instant included
    double mean_queue_bytes{0};           ///< average of the ECN marker [SW-40]
    std::uint64_t marked{0};              ///< frames that got a CE mark
    std::uint64_t trimmed{0};             ///< frames trimmed to the role TRIMMED
    std::uint64_t trimmed_lasthop{0};     ///< frames trimmed to the role TRIMMED_LASTHOP
    std::uint64_t egress_drops{0};
    std::uint64_t ingress_drops{0};
};

/// A traffic class of a switch port as switch-stats sees it.
struct SwitchSource {
    std::string component_name;  ///< RC-31
    std::uint16_t node_id{0};    ///< RC-30
    std::uint16_t ifid{0};       ///< port number on the switch
    bool uplink{false};          ///< `ul` towards the spine, `dl` towards the NICs
    std::uint16_t traffic_class{0};
    std::function<SwitchFigures()> take_figures;  ///< figures now; begins a new interval of the queue's maximum
};

/// The record switch-stats: queues, marks, trims and drops of every switch port and class [RC-25, RC-70].
class SwitchStats : public PeriodicRecord {
public:
    /// @param sources  rows of one instant are ordered by node, port, class, whatever the order here [RC-18]
    /// @param start    the first rows are one interval later [RC-15]
    /// @throws OutputError
    SwitchStats(std::filesystem::path path, std::vector<SwitchSource> sources, Utc utc, Picoseconds start,
                Picoseconds interval);

private:
    void write_rows(std::size_t group, Picoseconds now, Picoseconds length) override;
    void close() override { file_.close(); }

    CsvFile file_;
    Utc utc_;
    std::vector<SwitchSource> sources_;
};

}  // namespace mrcnic::record
