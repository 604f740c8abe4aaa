#include "mrcnic/workload/trace_runner.h"

#include <utility>

#include "mrcnic/base/report.h"
#include "mrcnic/workload/node_clock.h"

namespace mrcnic::workload {

/// The nodes of one rank that take time.
class TraceRunner::Rank {
public:
    Rank(TraceRunner& runner, std::uint32_t nic) : runner_{runner}, place_{static_cast<std::uint16_t>(nic), 0} {}

    void add_root(std::size_t node) { roots_.push_back(node); }
    void begin_at(Picoseconds start_time)
    {
        if (!roots_.empty()) {
            runner_.agenda_.at<&Rank::start_roots>(start_time, EventClass::posting, place_, *this);
        }
    }
    void run(std::size_t node, const TraceNode& what)
    {
        const Picoseconds now = runner_.agenda_.now();
        what.shares ? clock_.start_shared(node, what.duration, now) : clock_.start_alone(node, what.duration, now);
        arm();
    }

private:
    void start_roots()
    {
        for (const std::size_t node : roots_) {
            runner_.happen_({PointKind::node_started, node});
        }
    }
    // An entry that is no longer the next end cannot be cancelled; it finds nothing to do. As a start never makes the
    // other nodes end earlier, none of them is later than the last end, and the run does not outlive its nodes.
    void arm()
    {
        const Picoseconds next = clock_.next_end();
        if (next == kNever || (!armed_.empty() && armed_.back() <= next)) {
            return;
        }
        armed_.push_back(next);
        runner_.agenda_.at<&Rank::end_due>(next, EventClass::posting, place_, *this);
    }
    void end_due()
    {
        armed_.pop_back();
        clock_.take_ended(runner_.agenda_.now(), ended_);
        for (const std::size_t node : std::exchange(ended_, {})) {
            runner_.happen_({PointKind::node_ended, node});
        }
        arm();
    }

    TraceRunner& runner_;
    Place place_;
    std::vector<std::size_t> roots_;
    NodeClock clock_;
    std::vector<Picoseconds> armed_;  // instants of the entries in the agenda, the next one last
    std::vector<std::size_t> ended_;
};

TraceRunner::TraceRunner(Agenda& agenda, const Trace& trace, const Dependencies& dependencies,
                         std::function<void(Point)> happen)
    : agenda_{agenda},
      trace_{trace},
      happen_{std::move(happen)},
      turns_(trace.serializes_groups ? trace.nics.size() * trace.groups : 0),
      records_(trace.nodes.size())
{
    for (const std::uint32_t nic : trace.nics) {
        ranks_.push_back(std::make_unique<Rank>(*this, nic));
    }
    for (std::size_t node = 0; node < trace.nodes.size(); ++node) {
        if (dependencies.is_free({PointKind::node_started, node})) {
            ranks_[trace.nodes[node].rank]->add_root(node);
        }
    }
}

TraceRunner::~TraceRunner() = default;

void TraceRunner::begin(Picoseconds start_time)
{
    for (const auto& rank : ranks_) {
        rank->begin_at(start_time);
    }
}

void TraceRunner::happened(Point point)
{
    if (point.kind == PointKind::node_started) {
        start(point.index);
    } else if (point.kind == PointKind::node_ended) {
        end(point.index);
    }
}

void TraceRunner::start(std::size_t node)
{
    invariant(records_[node].start == kNever, "[WL-52] a node starts once");
    records_[node].start = agenda_.now();
    const TraceNode& what = trace_.nodes[node];
    if (what.type == NodeType::collective) {
        if (!trace_.serializes_groups) {
            release(node);
        } else if (GroupTurn& turn = turn_of(what); turn.busy) {
            turn.waiting.push_back(node);
        } else {
            turn.busy = true;
            release(node);
        }
    } else if (what.duration > 0) {
        ranks_[what.rank]->run(node, what);
    }
}

void TraceRunner::end(std::size_t node)
{
    invariant(records_[node].start != kNever && records_[node].end == kNever,
              "[WL-54] a node ends once, after its start");
    records_[node].end = agenda_.now();
    ++ended_;
    const TraceNode& what = trace_.nodes[node];
    if (what.type != NodeType::collective || !trace_.serializes_groups) {
        return;
    }
    GroupTurn& turn = turn_of(what);
    turn.busy = !turn.waiting.empty();
    if (turn.busy) {
        const std::size_t next = turn.waiting.front();
        turn.waiting.pop_front();
        release(next);
    }
}

TraceRunner::GroupTurn& TraceRunner::turn_of(const TraceNode& node)
{
    return turns_[node.rank * trace_.groups + node.group];
}

}  // namespace mrcnic::workload
