#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/headers.h"

namespace mrcnic::transport {

/// Retransmission timers of a NIC's packets [TR-85, TR-86]. Knows no kernel.
///
/// All timers of one back-off step run equally long, so they expire in the order in which they were started: one queue
/// a step instead of a calendar of timers that are nearly always stopped. A timer is stopped by forgetting it: whoever
/// takes it asks whether the transmission it was started for still waits.
class RetransmitTimers {
public:
    struct Timer {
        Picoseconds deadline{0};
        packet::QpNumber qp{0};
        packet::Psn psn{0};
        std::uint32_t transmission{0};  ///< that it guards [TR-75]
    };

    explicit RetransmitTimers(const config::TransportConfig& config) : config_{config} {}

    /// Duration of a timer after `count` expiries, or retransmissions, of the packet [TR-85].
    [[nodiscard]] Picoseconds timeout(std::uint32_t count) const noexcept
    {
        return config_.fixed_rexmit_time_enable ? config_.fixed_rexmit_timeout
                                                : config_.initial_retransmit_timeout << step_of(count);
    }

    /// Starts a timer at `now`. `is_stale(const Timer&)` tells whether a timer was stopped: those at the head go.
    template <typename IsStale>
    void start(Picoseconds now, std::uint32_t count, Timer timer, const IsStale& is_stale)
    {
        RingQueue<Timer>& queue = queues_[step_of(count)];
        while (!queue.empty() && is_stale(queue.front())) {
            queue.pop_front();
        }
        timer.deadline = now + timeout(count);
        queue.push_back(timer);
    }

    /// When the first timer that is not stale expires; kNever if none runs.
    template <typename IsStale>
    [[nodiscard]] Picoseconds next_deadline(const IsStale& is_stale)
    {
        const RingQueue<Timer>* first = first_queue(is_stale);
        return first == nullptr ? kNever : first->front().deadline;
    }

    /// Takes the next timer that is due at `now`, in order of deadline. @return false if there is none
    template <typename IsStale>
    bool take_expired(Picoseconds now, Timer& timer, const IsStale& is_stale)
    {
        RingQueue<Timer>* first = first_queue(is_stale);
        if (first == nullptr || first->front().deadline > now) {
            return false;
        }
        timer = first->pop_front();
        return true;
    }

private:
    static constexpr std::size_t kSteps = 16;  // MaxExponentialRTOBackoffCount is 15 at most

    [[nodiscard]] std::size_t step_of(std::uint32_t count) const noexcept
    {
        return config_.fixed_rexmit_time_enable || count == 0
                   ? 0
                   : std::min(count, config_.max_exponential_rto_backoff_count);
    }
    template <typename IsStale>
    [[nodiscard]] RingQueue<Timer>* first_queue(const IsStale& is_stale)
    {
        RingQueue<Timer>* first = nullptr;
        for (RingQueue<Timer>& queue : queues_) {
            while (!queue.empty() && is_stale(queue.front())) {
                queue.pop_front();
            }
            if (!queue.empty() && (first == nullptr || queue.front().deadline < first->front().deadline)) {
                first = &queue;
            }
        }
        return first;
    }

    const config::TransportConfig& config_;
    std::array<RingQueue<Timer>, kSteps> queues_;
};

}  // namespace mrcnic::transport
