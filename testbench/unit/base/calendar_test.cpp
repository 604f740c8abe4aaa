#include "mrcnic/base/calendar.h"

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic {
namespace {

class Parcel : public Pooled {
public:
    void reset() noexcept {}
};

/// What the order is made of: time, class, node, port, order of scheduling [OE-1]; the last is also its name.
using Key = std::tuple<Picoseconds, int, unsigned, unsigned, std::size_t>;

void no_action(void* /*owner*/, Pooled* /*payload*/) {}

class Schedule {
public:
    explicit Schedule(std::uint64_t seed) : random_{seed} {}

    void push_random()
    {
        // Few values, so that every later criterion decides often.
        const auto time = static_cast<Picoseconds>(pick(4));
        const int event_class = 1 + static_cast<int>(pick(11));
        const auto node = static_cast<std::uint16_t>(pick(2) == 0 ? pick(3) : 65'533 + pick(3));
        const auto port = static_cast<std::uint16_t>(pick(2) == 0 ? pick(3) : 65'533 + pick(3));
        keys_.emplace_back(time, event_class, node, port, next_);
        calendar_.push(time, static_cast<EventClass>(event_class), {node, port}, no_action,
                       reinterpret_cast<void*>(next_), nullptr);
        ++next_;
    }
    void expect_pop()
    {
        const auto first = std::min_element(keys_.begin(), keys_.end());
        if (pick(2) == 0) {  // the order is the same whether or not somebody looks first
            ASSERT_EQ(calendar_.top().time, std::get<0>(*first));
            ASSERT_EQ(static_cast<int>(calendar_.top().event_class()), std::get<1>(*first));
        }
        ASSERT_EQ(reinterpret_cast<std::size_t>(calendar_.pop().owner), std::get<4>(*first));
        keys_.erase(first);
        ASSERT_EQ(calendar_.size(), keys_.size());
        ASSERT_EQ(calendar_.empty(), keys_.empty());
    }
    std::uint64_t pick(std::uint64_t choices) { return random_() % choices; }
    [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }
    Calendar& calendar() { return calendar_; }

private:
    std::mt19937_64 random_;
    Calendar calendar_;
    std::vector<Key> keys_;
    std::size_t next_{0};
};

// [OE-1] Random entries come out as a sorted list of them has them.
TEST(Calendar, OrderEqualsThatOfASortedList)
{
    Schedule schedule{testbench::seed()};
    for (int i = 0; i < 20'000; ++i) {
        schedule.push_random();
    }
    std::vector<Key> sorted = schedule.keys();
    std::sort(sorted.begin(), sorted.end());
    for (const Key& key : sorted) {
        ASSERT_EQ(reinterpret_cast<std::size_t>(schedule.calendar().pop().owner), std::get<4>(key));
    }
    EXPECT_TRUE(schedule.calendar().empty());
}

// [OE-1] Pushes and pops in any mixture, with few entries and with many.
TEST(Calendar, OrderHoldsWhilePushing)
{
    Schedule schedule{testbench::seed()};
    for (int round = 0; round < 20'000; ++round) {
        const bool grows = round / 1'000 % 2 == 0;
        if (schedule.keys().empty() || schedule.pick(8) < (grows ? 5U : 3U)) {
            schedule.push_random();
        } else {
            schedule.expect_pop();
            if (HasFatalFailure()) {
                return;
            }
        }
    }
}

// [OE-1] The classes, by name, as the sheet lists them; a port never outweighs a node, nor a node a class.
TEST(Calendar, ClassesThenNodesThenPorts)
{
    const std::vector<std::pair<EventClass, Place>> in_order{{EventClass::serialization_end, {65'535, 65'535}},
                                                             {EventClass::pcie_to_host, {0, 0}},
                                                             {EventClass::pcie_to_nic, {0, 0}},
                                                             {EventClass::arrival, {0, 0}},
                                                             {EventClass::arrival, {0, 65'535}},
                                                             {EventClass::arrival, {1, 0}},
                                                             {EventClass::arrivals_complete, {0, 0}},
                                                             {EventClass::timer, {0, 0}},
                                                             {EventClass::delayed_pass, {0, 0}},
                                                             {EventClass::posting, {0, 0}},
                                                             {EventClass::probe, {0, 0}},
                                                             {EventClass::choice, {0, 0}},
                                                             {EventClass::record, {0, 0}}};
    Calendar calendar;
    for (std::size_t i = in_order.size(); i-- > 0;) {
        calendar.push(5, in_order[i].first, in_order[i].second, no_action, reinterpret_cast<void*>(i), nullptr);
    }
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        EXPECT_EQ(reinterpret_cast<std::size_t>(calendar.pop().owner), i);
    }
}

// [OE-4] What stands next in the instant at work; between instants there is none.
TEST(Calendar, TellsWhatIsNext)
{
    Calendar calendar;
    const auto push = [&calendar](Picoseconds time, std::uint16_t node, std::uint16_t port) {
        calendar.push(time, EventClass::arrival, {node, port}, no_action, nullptr, nullptr);
    };
    push(5, 3, 1);
    push(5, 3, 0);
    push(5, 4, 0);
    push(6, 4, 0);
    EXPECT_FALSE(calendar.next_is(EventClass::arrival, 3));
    calendar.pop();
    EXPECT_TRUE(calendar.next_is(EventClass::arrival, 3));
    EXPECT_FALSE(calendar.next_is(EventClass::choice, 3));
    calendar.pop();
    EXPECT_FALSE(calendar.next_is(EventClass::arrival, 3));
    EXPECT_TRUE(calendar.next_is(EventClass::arrival, 4));
    push(5, 3, 7);  // scheduled in the instant itself
    EXPECT_TRUE(calendar.next_is(EventClass::arrival, 3));
    calendar.pop();
    calendar.pop();
    EXPECT_FALSE(calendar.next_is(EventClass::arrival, 4));  // of the next instant
    calendar.pop();
    EXPECT_TRUE(calendar.empty());
}

// [WL-5] Timers, probes and records wait for something; all else is work.
TEST(Calendar, CountsWork)
{
    Calendar calendar;
    for (const EventClass watching : {EventClass::timer, EventClass::probe, EventClass::record}) {
        calendar.push(1, watching, {}, no_action, nullptr, nullptr);
    }
    EXPECT_EQ(calendar.work(), 0U);
    const std::vector<EventClass> working{
        EventClass::serialization_end, EventClass::pcie_to_host, EventClass::pcie_to_nic, EventClass::arrival,
        EventClass::arrivals_complete, EventClass::delayed_pass, EventClass::posting,     EventClass::choice};
    for (const EventClass event_class : working) {
        calendar.push(1, event_class, {}, no_action, nullptr, nullptr);
    }
    EXPECT_EQ(calendar.work(), working.size());
    EXPECT_EQ(calendar.size(), working.size() + 3);
    while (!calendar.empty()) {
        calendar.pop();
    }
    EXPECT_EQ(calendar.work(), 0U);
}

// A calendar that goes lets go of what it carries; one that is popped hands the reference over.
TEST(Calendar, ReleasesPayloads)
{
    Pool<Parcel> pool;
    {
        Calendar calendar;
        for (int i = 0; i < 9; ++i) {
            calendar.push(i, EventClass::arrival, {}, no_action, nullptr, pool.make().detach());
        }
        calendar.push(10, EventClass::timer, {}, no_action, nullptr, nullptr);
        const Ref<Parcel> popped = Ref<Parcel>::adopt(static_cast<Parcel*>(calendar.pop().payload));
        EXPECT_EQ(popped->references(), 1U);
        EXPECT_EQ(pool.live(), 9U);
    }
    EXPECT_EQ(pool.live(), 0U);
}

}  // namespace
}  // namespace mrcnic
