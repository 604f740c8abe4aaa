#include "mrcnic/workload/dependencies.h"

#include "mrcnic/base/report.h"

namespace mrcnic::workload {

Dependencies::Dependencies(const Workload& workload)
{
    if (workload.waits.empty()) {
        return;
    }
    first_node_point_ = kMessagePoints * workload.messages.size();
    const std::size_t points = first_node_point_ + kNodePoints * workload.trace.nodes.size();
    missing_.resize(points);
    first_follower_.resize(points + 1);
    for (const Wait& wait : workload.waits) {
        ++missing_[number(wait.after)];
        ++first_follower_[number(wait.before) + 1];
    }
    for (std::size_t i = 0; i < points; ++i) {
        first_follower_[i + 1] += first_follower_[i];
    }
    std::vector<std::size_t> next{first_follower_.begin(), first_follower_.end() - 1};
    followers_.resize(workload.waits.size());
    for (const Wait& wait : workload.waits) {
        followers_[next[number(wait.before)]++] = wait.after;
    }
}

void Dependencies::pass(Point point, std::vector<Point>& happened)
{
    if (followers_.empty()) {
        return;
    }
    const std::size_t passed = number(point);
    for (std::size_t i = first_follower_[passed]; i < first_follower_[passed + 1]; ++i) {
        std::uint32_t& missing = missing_[number(followers_[i])];
        invariant(missing > 0, "[WL-52] a point happens once");
        if (--missing == 0) {
            happened.push_back(followers_[i]);
        }
    }
}

}  // namespace mrcnic::workload
