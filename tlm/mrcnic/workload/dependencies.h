#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/workload/message.h"
#include "mrcnic/workload/point.h"

namespace mrcnic::workload {

/// Counts for each point of a run what it still waits for: the one mechanism behind `after` of a message list, steps of
/// collectives and graphs of traces. Knows no time and no kernel.
class Dependencies {
public:
    explicit Dependencies(const Workload& workload);

    /// To be told that `point` has happened; puts the points that waited only for it behind `happened`, in the order of
    /// the workload's waits.
    void pass(Point point, std::vector<Point>& happened);
    /// Whether a point waits for nothing, or for nothing any more.
    [[nodiscard]] bool is_free(Point point) const noexcept { return missing_.empty() || missing_[number(point)] == 0; }

private:
    static constexpr std::size_t kMessagePoints = 4;
    static constexpr std::size_t kNodePoints = 3;

    [[nodiscard]] std::size_t number(Point point) const noexcept
    {
        const auto kind = static_cast<std::size_t>(point.kind);
        return is_of_message(point.kind) ? kMessagePoints * point.index + kind
                                         : first_node_point_ + kNodePoints * point.index + kind - kMessagePoints;
    }

    // All empty where nothing waits for anything.
    std::size_t first_node_point_{0};
    std::vector<std::uint32_t> missing_;       // by number of the point
    std::vector<std::size_t> first_follower_;  // by number of the point; one more at the end
    std::vector<Point> followers_;
};

}  // namespace mrcnic::workload
