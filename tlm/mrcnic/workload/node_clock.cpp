#include "mrcnic/workload/node_clock.h"

#include <algorithm>

namespace mrcnic::workload {

namespace {
constexpr unsigned kFractionBits = 32;
// Every change of the number of nodes may lose one unit of progress to rounding: less than this is done all the same.
constexpr unsigned kSlackBits = 16;
}  // namespace

void NodeClock::start_alone(std::size_t node, Picoseconds duration, Picoseconds now)
{
    alone_.push_back({duration < kNever - now ? now + duration : kNever - 1, next_order_++, node});
    std::push_heap(alone_.begin(), alone_.end());
}

void NodeClock::start_shared(std::size_t node, Picoseconds work, Picoseconds now)
{
    advance(now);
    shared_.push_back({progress_ + (static_cast<Progress>(work) << kFractionBits), next_order_++, node});
    std::push_heap(shared_.begin(), shared_.end());
}

void NodeClock::advance(Picoseconds now)
{
    if (!shared_.empty()) {
        progress_ += (static_cast<Progress>(now - at_) << kFractionBits) / shared_.size();
    }
    at_ = now;
}

bool NodeClock::reached(Progress goal) const noexcept
{
    return goal <= progress_ + (Progress{1} << kSlackBits);
}

Picoseconds NodeClock::next_end() const
{
    Picoseconds next = alone_.empty() ? kNever : alone_.front().end;
    if (!shared_.empty()) {
        const Progress goal = shared_.front().goal;
        Progress rest = 0;  // whole picoseconds, rounded up
        if (!reached(goal)) {
            const Progress missing = (goal - progress_ - (Progress{1} << kSlackBits)) * shared_.size();
            rest = (missing + (Progress{1} << kFractionBits) - 1) >> kFractionBits;
        }
        const auto longest = static_cast<Progress>(kNever - 1 - at_);
        next = std::min(next, at_ + static_cast<Picoseconds>(std::min(rest, longest)));
    }
    return next;
}

void NodeClock::take_ended(Picoseconds now, std::vector<std::size_t>& ended)
{
    advance(now);
    due_.clear();
    for (; !alone_.empty() && alone_.front().end <= now; alone_.pop_back()) {
        due_.push_back({alone_.front().order, alone_.front().node});
        std::pop_heap(alone_.begin(), alone_.end());
    }
    for (; !shared_.empty() && reached(shared_.front().goal); shared_.pop_back()) {
        due_.push_back({shared_.front().order, shared_.front().node});
        std::pop_heap(shared_.begin(), shared_.end());
    }
    std::sort(due_.begin(), due_.end(), [](const Ended& a, const Ended& b) { return a.order < b.order; });
    for (const Ended& node : due_) {
        ended.push_back(node.node);
    }
}

}  // namespace mrcnic::workload
