#pragma once

#include <string>
#include <vector>

#include "mrcnic/platforms/node.h"
#include "mrcnic/platforms/platform.h"
#include "mrcnic/record/summary.h"

namespace mrcnic::platforms {

/// The statistics of a host and its NIC, by their places in the summary.
[[nodiscard]] std::vector<record::StatisticSource> node_statistics(const Node& node);

/// The page `docs/statistics.md`: every statistic of a NIC with its unit and meaning.
[[nodiscard]] std::string statistics_markdown(const Platform& platform);

}  // namespace mrcnic::platforms
