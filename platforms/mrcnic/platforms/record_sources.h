#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mrcnic/platforms/node.h"
#include "mrcnic/record/mrc_monitor.h"
#include "mrcnic/record/net_buff_stats.h"
#include "mrcnic/record/transport_stats.h"
#include "mrcnic/transport/samples.h"

namespace mrcnic::platforms {

// What records read of a NIC. `name` is its component name [RC-31]; the node must outlive what is returned.

/// The transport; `samples` are what it collects.
[[nodiscard]] record::TransportSource transport_source(const Node& node, const std::string& name,
                                                       transport::TransportSamples& samples);
/// The four pools, ingress first, data before control [RC-50].
[[nodiscard]] std::vector<record::BufferSource> buffer_sources(Node& node, const std::string& name);
[[nodiscard]] record::MonitorSource monitor_source(const Node& node, const std::string& name);

}  // namespace mrcnic::platforms
