#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/headers.h"
#include "mrcnic/transport/congestion_window.h"
#include "mrcnic/transport/path_selector.h"
#include "mrcnic/transport/send_queue_pair.h"

namespace mrcnic::transport {

/// A remote NIC as the transmit scheduler sees it: its queue pairs, one congestion context, one path context [TR-45].
/// Knows no kernel.
class Destination {
public:
    struct Choice {
        SendQueuePair* queue_pair;
        SendItem item;
    };

    /// @param nominal_header  nominal bytes that a packet counts beside its payload [CC-12]
    Destination(packet::Address address, std::uint32_t nominal_header, const CongestionWindow& window,
                const PathSelector& paths)
        : address_{address}, nominal_header_{nominal_header}, window_{window}, paths_{paths}
    {
    }

    void add(SendQueuePair& queue_pair) { queue_pairs_.push_back(&queue_pair); }
    /// The ring keeps its place: the queue pair whose turn it was, or the one behind `queue_pair`.
    void remove(const SendQueuePair& queue_pair)
    {
        const auto place = std::find(queue_pairs_.begin(), queue_pairs_.end(), &queue_pair);
        const auto index = static_cast<std::size_t>(place - queue_pairs_.begin());
        queue_pairs_.erase(place);
        if (index < next_) {
            --next_;
        }
        if (next_ >= queue_pairs_.size()) {
            next_ = 0;
        }
    }

    /// The first queue pair, after the one that sent last, whose next item the windows allow [TR-47].
    [[nodiscard]] std::optional<Choice> choose() const
    {
        const std::size_t count = queue_pairs_.size();
        for (std::size_t step = 0; step < count; ++step) {
            const std::size_t index = next_ + step < count ? next_ + step : next_ + step - count;
            SendQueuePair& queue_pair = *queue_pairs_[index];
            if (!queue_pair.has_work()) {
                continue;
            }
            const SendItem item = queue_pair.next_item();
            if (queue_pair.window_allows(item.psn) && window_.fits(nominal(item.payload_bytes))) {
                return Choice{&queue_pair, item};
            }
        }
        return std::nullopt;
    }
    /// `queue_pair` has sent: the next turn starts behind it.
    void has_sent(const SendQueuePair& queue_pair)
    {
        const auto place = std::find(queue_pairs_.begin(), queue_pairs_.end(), &queue_pair);
        next_ = static_cast<std::size_t>(place - queue_pairs_.begin()) + 1;
        if (next_ >= queue_pairs_.size()) {
            next_ = 0;
        }
    }
    [[nodiscard]] bool has_work() const
    {
        return std::any_of(queue_pairs_.begin(), queue_pairs_.end(),
                           [](const SendQueuePair* queue_pair) { return queue_pair->has_work(); });
    }

    /// A packet of this destination is fetched or replayed [CC-20].
    void enter_flight(const PacketRecord& packet) noexcept { window_.add_in_flight(nominal(packet.payload_bytes)); }
    /// One that is in flight, if it is, is retired, trimmed, timed out or lost by a gap [CC-20, TR-74].
    void leave_flight(const PacketRecord& packet) noexcept
    {
        if (packet.in_flight) {
            window_.remove_in_flight(nominal(packet.payload_bytes), packet.handed_down);
        }
    }

    [[nodiscard]] bool is_empty() const noexcept { return queue_pairs_.empty(); }
    /// The queue pair that a probe names [MP-23]; null if there is none.
    [[nodiscard]] const SendQueuePair* first_queue_pair() const noexcept
    {
        return queue_pairs_.empty() ? nullptr : queue_pairs_.front();
    }
    [[nodiscard]] std::uint32_t nominal(std::uint32_t payload) const noexcept { return payload + nominal_header_; }
    [[nodiscard]] packet::Address address() const noexcept { return address_; }
    [[nodiscard]] CongestionWindow& window() noexcept { return window_; }
    [[nodiscard]] const CongestionWindow& window() const noexcept { return window_; }
    [[nodiscard]] PathSelector& paths() noexcept { return paths_; }

private:
    friend class ReadyQueue;

    packet::Address address_;
    std::uint32_t nominal_header_;
    CongestionWindow window_;
    PathSelector paths_;
    std::vector<SendQueuePair*> queue_pairs_;  // in order of creation
    std::size_t next_{0};
    bool ready_{false};
};

/// Destinations that have something to send, in the order of their turns [TR-45, TR-46, TR-49, TR-50].
class ReadyQueue {
public:
    /// The destination whose turn it is; null if none.
    [[nodiscard]] Destination* head() noexcept { return queue_.empty() ? nullptr : queue_.front(); }
    /// A destination that is in the queue already keeps its place.
    void put_at_head(Destination& destination)
    {
        if (!destination.ready_) {
            destination.ready_ = true;
            queue_.push_front(&destination);
        }
    }
    void put_at_tail(Destination& destination)
    {
        if (!destination.ready_) {
            destination.ready_ = true;
            queue_.push_back(&destination);
        }
    }
    void remove(Destination& destination)
    {
        if (!destination.ready_) {
            return;
        }
        destination.ready_ = false;
        if (queue_.front() == &destination) {
            queue_.pop_front();
            return;
        }
        // Only a grant that came late finds another one at the head: once around, without it.
        for (std::size_t left = queue_.size(); left > 0; --left) {
            Destination* front = queue_.pop_front();
            if (front != &destination) {
                queue_.push_back(front);
            }
        }
    }

private:
    RingQueue<Destination*> queue_;
};

}  // namespace mrcnic::transport
