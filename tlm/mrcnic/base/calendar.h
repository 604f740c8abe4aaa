#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/base/pool.h"
#include "mrcnic/base/time.h"

namespace mrcnic {

/// What happens in one picosecond happens in this order, over the whole model [OE-1, OE-3, RC-16].
enum class EventClass : std::uint8_t {
    serialization_end = 1,  ///< (1) a frame has left a network port
    pcie_to_host,           ///< (2) a PCIe transfer towards the host has ended
    pcie_to_nic,            ///< (2) a PCIe transfer towards the NIC has ended
    arrival,                ///< (3) a frame has arrived
    arrivals_complete,      ///< (3) all arrivals of the instant at one switch are in [OE-4]
    timer,                  ///< (4) a timer expires
    delayed_pass,           ///< (5) a pass of the transmit process, 15 ns after its cause [TR-52]
    posting,                ///< (6) a message is posted
    probe,                  ///< (7) a probe timer
    choice,                 ///< every free port chooses its next frame [OE-3]
    record                  ///< a row of a record, after all else [RC-16]
};

/// Place of an event among those of its instant and class: node id, then port [OE-1].
struct Place {
    std::uint16_t node{0};
    std::uint16_t port{0};
};

/// A calendar queue of things to do, ordered by (time, class, node, port, order of scheduling). Knows no kernel.
class Calendar {
public:
    /// Called when an entry is due; takes over the reference to `payload`, which may be null.
    using Action = void (*)(void* owner, Pooled* payload);

    struct Entry {
        Picoseconds time;
        std::uint64_t rank;  ///< class, node, port
        std::uint64_t sequence;
        Action action;
        void* owner;
        Pooled* payload;

        [[nodiscard]] EventClass event_class() const noexcept { return static_cast<EventClass>(rank >> 32U); }
    };

    Calendar() = default;
    Calendar(const Calendar&) = delete;
    Calendar& operator=(const Calendar&) = delete;
    ~Calendar();

    void push(Picoseconds time, EventClass event_class, Place place, Action action, void* owner, Pooled* payload);
    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
    /// The next entry; only if not empty.
    [[nodiscard]] const Entry& top() const noexcept { return heap_.front(); }
    /// Removes the next entry; the reference to its payload passes to the caller.
    Entry pop();

    /// Entries that carry work. Timers, probe timers and records only watch: they do not keep a run alive [WL-5].
    [[nodiscard]] std::size_t work() const noexcept { return work_; }

private:
    [[nodiscard]] static bool before(const Entry& a, const Entry& b) noexcept
    {
        if (a.time != b.time) {
            return a.time < b.time;
        }
        return a.rank != b.rank ? a.rank < b.rank : a.sequence < b.sequence;
    }
    [[nodiscard]] static bool is_work(EventClass event_class) noexcept
    {
        return event_class != EventClass::timer && event_class != EventClass::probe &&
               event_class != EventClass::record;
    }

    std::vector<Entry> heap_;
    std::uint64_t next_sequence_{0};
    std::size_t work_{0};
};

}  // namespace mrcnic
