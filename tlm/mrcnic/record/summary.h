#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mrcnic/base/statistics.h"
#include "mrcnic/base/time.h"
#include "mrcnic/workload/director.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::record {

/// What a run did for its messages.
struct MessageTotals {
    std::uint64_t posted{0};
    std::uint64_t completed{0};  ///< both ends know that it is done
    std::uint64_t bytes{0};      ///< of the complete ones
    std::optional<Picoseconds> first_start;
    std::optional<Picoseconds> last_finish;  ///< the last completion
    std::optional<double> goodput_bps;       ///< of the messages with RECV_COMPLETE [RC-71]; none if there is none
};

/// @param records  one for each message
[[nodiscard]] MessageTotals message_totals(const std::vector<workload::Message>& messages,
                                           const std::vector<workload::MessageRecord>& records);

/// Statistics that stand in one object of the summary.
struct StatisticSource {
    std::string section;  ///< names of the objects in each other, within the NIC's: "egress", "pcie.nic_to_host"
    const StatisticGroup* group{nullptr};
    std::string only{};  ///< name of one statistic; empty = all of the group
};

/// Those of `source`, in the order of its group.
[[nodiscard]] std::vector<const Statistic*> statistics_of(const StatisticSource& source);

/// A NIC in the summary.
struct NicSource {
    std::string name;  ///< RC-31
    std::vector<StatisticSource> statistics;
};

/// A rank of an execution trace in the summary.
struct RankSource {
    std::uint32_t nic{0};
    Picoseconds end{kNever};  ///< WL-57; kNever = it has not ended
};

/// What summary.json tells of a run.
struct Summary {
    std::string version;
    std::string platform;
    std::uint64_t seed{1};
    std::string config_digest;
    std::string outcome;
    Picoseconds sim_time{0};         ///< end of the run
    double wall_s{0};                ///< wall-clock seconds that the run took
    double cpu_s{0};                 ///< CPU seconds of it
    std::uint64_t kernel_events{0};  ///< activations of the model's processes
    std::uint64_t data_packets{0};   ///< data frames that all NICs handed down
    MessageTotals messages;
    std::vector<RankSource> ranks;  ///< of an execution trace, in their order; empty if none was run
    std::vector<NicSource> nics;
};

/// The text of summary.json. Statistics are read now.
[[nodiscard]] std::string summary_json(const Summary& summary);

}  // namespace mrcnic::record
