#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/time.h"
#include "mrcnic/workload/dependencies.h"
#include "mrcnic/workload/point.h"
#include "mrcnic/workload/trace.h"

namespace mrcnic::workload {

/// What became of a node of a trace; instants of the simulation, kNever = not yet.
struct NodeRecord {
    Picoseconds start{kNever};
    Picoseconds end{kNever};
};

/// Carries out the nodes of a trace: lets those with a duration last, takes the collectives of a process group in turn
/// where the trace asks for it, and notes when nodes start and end.
///
/// What nodes wait for is not its business: it is told of the points that have happened, and tells of those that it
/// makes happen. The end of a node that lasts is an event of class `posting` at its rank's NIC: what it starts comes in
/// the same instant, after it.
class TraceRunner {
public:
    /// @param trace   must outlive the runner
    /// @param happen  called for each point that the runner makes happen
    TraceRunner(Agenda& agenda, const Trace& trace, const Dependencies& dependencies,
                std::function<void(Point)> happen);
    ~TraceRunner();

    /// Has the nodes that wait for nothing start at `start_time` [WL-52].
    void begin(Picoseconds start_time);
    /// To be told of node_started, node_released and node_ended; other points are ignored.
    void happened(Point point);

    /// One for each node, in their order.
    [[nodiscard]] const std::vector<NodeRecord>& records() const noexcept { return records_; }
    [[nodiscard]] std::size_t ended() const noexcept { return ended_; }
    [[nodiscard]] bool all_ended() const noexcept { return ended_ == records_.size(); }

private:
    class Rank;
    /// Collectives of one process group on one rank [WL-56].
    struct GroupTurn {
        bool busy{false};
        std::deque<std::size_t> waiting{};
    };

    void start(std::size_t node);
    void end(std::size_t node);
    [[nodiscard]] GroupTurn& turn_of(const TraceNode& node);
    void release(std::size_t node) { happen_({PointKind::node_released, node}); }

    Agenda& agenda_;
    const Trace& trace_;
    std::function<void(Point)> happen_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::vector<GroupTurn> turns_;  // by rank and group, if collectives go in turn
    std::vector<NodeRecord> records_;
    std::size_t ended_{0};
};

}  // namespace mrcnic::workload
