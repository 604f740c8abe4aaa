#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/base/time.h"

namespace mrcnic::workload {

/// When the running nodes of one rank end [WL-53]. Knows no kernel.
///
/// Nodes that share progress at the same part of the speed: 1 / k each while k of them run. Their progress is kept in
/// units of 2^-32 ps, and an end is the first whole picosecond at which the work is done.
class NodeClock {
public:
    /// `node` runs by itself: it ends `duration` after `now`.
    void start_alone(std::size_t node, Picoseconds duration, Picoseconds now);
    /// `node` shares: it would end `work` after `now` if it were the only one.
    void start_shared(std::size_t node, Picoseconds work, Picoseconds now);
    /// The next end, as things stand; kNever if nothing runs.
    [[nodiscard]] Picoseconds next_end() const;
    /// Puts the nodes that end at `now` behind `ended`, in the order of their starts. Call it at no `next_end()` later
    /// than that.
    void take_ended(Picoseconds now, std::vector<std::size_t>& ended);

private:
    __extension__ using Progress = unsigned __int128;  // 2^-32 ps

    struct Alone {
        Picoseconds end;
        std::uint64_t order;
        std::size_t node;
        // For the heap of the standard library, whose front is the greatest.
        bool operator<(const Alone& other) const noexcept
        {
            return end != other.end ? end > other.end : order > other.order;
        }
    };
    struct Shared {
        Progress goal;
        std::uint64_t order;
        std::size_t node;
        bool operator<(const Shared& other) const noexcept
        {
            return goal != other.goal ? goal > other.goal : order > other.order;
        }
    };
    struct Ended {
        std::uint64_t order;
        std::size_t node;
    };

    void advance(Picoseconds now);
    [[nodiscard]] bool reached(Progress goal) const noexcept;

    std::vector<Alone> alone_;    // heap
    std::vector<Shared> shared_;  // heap
    Progress progress_{0};        // of a node that shares from the beginning
    Picoseconds at_{0};           // instant of `progress_`
    std::uint64_t next_order_{0};
    std::vector<Ended> due_;
};

}  // namespace mrcnic::workload
