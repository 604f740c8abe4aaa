#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/base/time.h"

namespace mrcnic::workload {

/// What a node of an execution trace is [WL-51].
enum class NodeType { metadata, memory_load, memory_store, compute, send, receive, collective };

/// Its name in a trace.
[[nodiscard]] std::string_view to_string(NodeType type) noexcept;

/// A node of an execution trace. What it waits for and what it sends stand in the workload.
struct TraceNode {
    std::uint64_t id{0};  ///< as in the trace, unique in its rank
    std::string name{};
    std::uint32_t rank{0};
    NodeType type{NodeType::metadata};
    Picoseconds duration{0};  ///< of compute and memory nodes
    bool shares{false};       ///< with the other nodes of its rank that share: all run at an equal part of the speed
    std::size_t group{0};     ///< of a collective: index of its process group
};

/// The execution trace of a workload: a graph of nodes for each rank [WL-50].
struct Trace {
    std::vector<TraceNode> nodes;     ///< by rank, then in the order of its file
    std::vector<std::uint32_t> nics;  ///< NIC of each rank
    std::size_t groups{0};            ///< TraceNode::group is below this
    bool serializes_groups{false};    ///< a rank runs one collective of a group at a time [WL-56]
};

}  // namespace mrcnic::workload
