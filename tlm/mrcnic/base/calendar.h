#pragma once

#include <array>
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

    /// What an entry does.
    struct Entry {
        Action action;
        void* owner;
        Pooled* payload;
    };

    /// Where an entry stands.
    class Key {
    public:
        Picoseconds time;

        [[nodiscard]] EventClass event_class() const noexcept
        {
            return static_cast<EventClass>(order_ >> (kPlaceBits + kSlotBits));
        }

    private:
        friend class Calendar;
        std::uint64_t order_;  // class, node, port, then the slot of the entry, which orders nothing
    };

    Calendar() = default;
    Calendar(const Calendar&) = delete;
    Calendar& operator=(const Calendar&) = delete;
    ~Calendar();

    /// At most 2^28 entries at a time.
    void push(Picoseconds time, EventClass event_class, Place place, Action action, void* owner, Pooled* payload);
    [[nodiscard]] bool empty() const noexcept { return near_size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return near_size_ + far_.size(); }
    /// The key of the next entry; only if not empty.
    [[nodiscard]] const Key& top() const noexcept { return near_[near_size_ - 1]; }
    /// Removes the next entry; the reference to its payload passes to the caller.
    Entry pop();

    /// Entries that carry work. Timers, probe timers and records only watch: they do not keep a run alive [WL-5].
    [[nodiscard]] std::size_t work() const noexcept { return work_; }

private:
    static constexpr std::uint64_t kPlaceBits = 32;
    static constexpr std::uint64_t kSlotBits = 28;
    static constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;
    static constexpr std::size_t kNear = 32;

    struct Slot {
        Entry entry;
        std::uint64_t sequence;
    };

    [[nodiscard]] static bool is_work(EventClass event_class) noexcept
    {
        return event_class != EventClass::timer && event_class != EventClass::probe &&
               event_class != EventClass::record;
    }
    [[nodiscard]] bool before(const Key& a, const Key& b) const noexcept
    {
        if (a.time != b.time) {
            return a.time < b.time;
        }
        if ((a.order_ ^ b.order_) >> kSlotBits != 0) {
            return a.order_ < b.order_;
        }
        return slots_[a.order_ & kSlotMask].sequence < slots_[b.order_ & kSlotMask].sequence;
    }
    [[nodiscard]] std::uint64_t take_slot(const Slot& slot);
    void insert_near(const Key& key);
    void push_far(const Key& key);
    Key pop_far();
    void rise(std::size_t hole, const Key& key);
    [[nodiscard]] std::size_t first_of(std::size_t begin, std::size_t end) const;

    // The next few entries stand sorted, the very next one last: a small model needs no more. The others, none of them
    // before these, are in a heap. What an entry does stays in its slot while its key moves about.
    std::array<Key, kNear> near_{};
    std::size_t near_size_{0};  // 0 only if far_ is empty
    std::vector<Key> far_;
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> free_slots_;
    std::uint64_t next_sequence_{0};
    std::size_t work_{0};
};

}  // namespace mrcnic
