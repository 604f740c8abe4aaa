#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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
    arrivals_complete,      ///< (3) a switch goes on with frames that arrived earlier, `ForwardingLatency` [SW-11]
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
///
/// Made for models in which much happens in the same picosecond: entries of an instant are kept together, in the order
/// of scheduling, and are sorted once, when the instant comes. Devices alike, in step, then cost a copy each; where
/// nothing coincides, instants are as many as entries and only a key of two words moves about.
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

        [[nodiscard]] EventClass event_class() const noexcept { return event_class_; }

    private:
        friend class Calendar;
        EventClass event_class_;
    };

    Calendar() { recent_.fill({kNoTime, 0}); }
    Calendar(const Calendar&) = delete;
    Calendar& operator=(const Calendar&) = delete;
    ~Calendar();

    /// At most 2^24 blocks of entries, and 2^28 entries in one instant.
    void push(Picoseconds time, EventClass event_class, Place place, Action action, void* owner, Pooled* payload)
    {
        const std::uint64_t order = order_of(event_class, place);
        ++size_;
        work_ += is_work(event_class) ? 1U : 0U;
        if (time == now_) {
            push_now(event_class, {{action, owner, payload}, order | next_index_++});
        } else {
            push_later(time, {{action, owner, payload}, order});
        }
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// When the next entry is due; only if not empty.
    [[nodiscard]] Picoseconds next_time() const noexcept { return is_at_work() ? now_ : near_[near_size_ - 1].time; }
    /// The key of the next entry; only if not empty.
    [[nodiscard]] Key top();
    /// Whether the next entry of the instant at work is of this class and node; false between instants.
    [[nodiscard]] bool next_is(EventClass event_class, std::uint16_t node)
    {
        if (!is_at_work()) {
            return false;
        }
        const std::uint64_t next = next_is_late() ? next_late().order : items_[next_item_].order;
        return next >> (kIndexBits + 16) == (std::uint64_t{static_cast<std::uint8_t>(event_class)} << 16U | node);
    }
    /// Removes the next entry; the reference to its payload passes to the caller.
    Entry pop()
    {
        if (!is_at_work()) {
            open_next();
        }
        const Item item = take_next();
        --size_;
        work_ -= is_work(class_of(item.order)) ? 1U : 0U;
        return item;
    }

    /// Entries that carry work. Timers, probe timers and records only watch: they do not keep a run alive [WL-5].
    [[nodiscard]] std::size_t work() const noexcept { return work_; }

private:
    static constexpr std::uint64_t kIndexBits = 28;
    static constexpr std::uint64_t kClassShift = kIndexBits + 32;
    static constexpr std::uint64_t kBlockBits = 24;
    static constexpr std::uint64_t kBlockMask = (std::uint64_t{1} << kBlockBits) - 1;
    static constexpr std::size_t kClasses = 16;
    static constexpr std::size_t kNear = 32;
    static constexpr unsigned kRecentBits = 7;
    static constexpr Picoseconds kNoTime = std::numeric_limits<Picoseconds>::min();
    static constexpr std::size_t kAhead = 3;  // entries between a prefetch and its use

    struct Item : Entry {
        std::uint64_t order;  // class, node, port, then the index in its instant
    };
    /// Entries of one instant in the order of scheduling; more of them in the next block.
    struct Block {
        static constexpr std::uint32_t kItems = 7;
        std::array<Item, kItems> items;
        std::uint32_t count;
        std::uint32_t next;  // 0 = none
    };
    /// An instant to come. Two of the same time may stand here: the older one holds what was scheduled earlier.
    struct Instant {
        Picoseconds time;
        std::uint64_t rank;  // count of instants made, then its first block
    };
    /// Where the last entry of an instant was put, for the next one of the same time.
    struct Recent {
        Picoseconds time;
        std::uint32_t block;
    };
    /// Entries of one class that were scheduled for the instant while that was at work.
    struct Late {
        std::vector<Item> items;
        std::size_t next{0};
        bool is_sorted{true};
    };

    [[nodiscard]] static bool is_work(EventClass event_class) noexcept
    {
        return event_class != EventClass::timer && event_class != EventClass::probe &&
               event_class != EventClass::record;
    }
    [[nodiscard]] static std::uint64_t order_of(EventClass event_class, Place place) noexcept
    {
        return static_cast<std::uint64_t>(event_class) << kClassShift | (std::uint64_t{place.node} << 16U | place.port)
                                                                            << kIndexBits;
    }
    [[nodiscard]] static EventClass class_of(std::uint64_t order) noexcept
    {
        return static_cast<EventClass>(order >> kClassShift);
    }
    [[nodiscard]] static bool before(const Instant& a, const Instant& b) noexcept
    {
        return a.time != b.time ? a.time < b.time : a.rank < b.rank;
    }
    [[nodiscard]] static std::size_t place_in_recent(Picoseconds time) noexcept
    {
        return static_cast<std::uint64_t>(time) * 0x9E3779B97F4A7C15U >> (64 - kRecentBits);
    }
    [[nodiscard]] bool is_at_work() const noexcept { return next_item_ < items_.size() || late_classes_ != 0; }

    void push_now(EventClass event_class, const Item& item);
    void push_later(Picoseconds time, const Item& item);
    void open_next();
    void take_in(const Instant& instant);
    void close();
    [[nodiscard]] const Item& next_late();
    [[nodiscard]] bool next_is_late();
    [[nodiscard]] Item take_next();
    void approach(std::size_t index) const noexcept;
    [[nodiscard]] std::uint32_t take_block();
    void add(const Instant& instant);
    void insert_near(const Instant& instant);
    void push_far(const Instant& instant);
    Instant pop_near();
    Instant pop_far();
    void rise(std::size_t hole, const Instant& instant);
    [[nodiscard]] std::size_t first_of(std::size_t begin, std::size_t end) const;

    // The instant at work: what was scheduled before it came, sorted, and what came since.
    Picoseconds now_{kNoTime};
    std::vector<Item> items_;
    std::size_t next_item_{0};
    std::uint64_t next_index_{0};
    std::uint32_t late_classes_{0};  // a bit for each that has entries
    std::array<Late, kClasses> late_;

    // The next few instants stand sorted, the very next one last: a small model needs no more. The others, none of them
    // before these, are in a heap.
    std::array<Instant, kNear> near_{};
    std::size_t near_size_{0};  // 0 only if far_ is empty
    std::vector<Instant> far_;
    std::array<Recent, std::size_t{1} << kRecentBits> recent_{};
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> free_blocks_;
    std::uint64_t instants_made_{0};
    std::size_t size_{0};
    std::size_t work_{0};
};

}  // namespace mrcnic
