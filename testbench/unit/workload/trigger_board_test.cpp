#include "mrcnic/workload/trigger_board.h"

#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/workload/message_index.h"

namespace mrcnic::workload {
namespace {

/// Messages 1, 3 and 4 of five are started by the only trigger.
Workload workload_with(TriggerKind kind, std::uint64_t count)
{
    Workload workload;
    workload.messages.resize(5);
    for (const std::size_t i : {1U, 3U, 4U}) {
        workload.messages[i].start_kind = StartKind::trigger;
    }
    workload.triggers.push_back({7, kind, count});
    return workload;
}

struct Firing {
    bool allowed;
    std::vector<std::size_t> started;
    bool operator==(const Firing& other) const { return allowed == other.allowed && started == other.started; }
};

Firing fire(TriggerBoard& board)
{
    Firing firing{};
    firing.allowed = board.fire(0, firing.started);
    return firing;
}

// [WL-20]
TEST(TriggerBoard, OneshotStartsAllOnce)
{
    TriggerBoard board{workload_with(TriggerKind::oneshot, 1)};
    EXPECT_EQ(fire(board), (Firing{true, {1, 3, 4}}));
    EXPECT_EQ(fire(board), (Firing{false, {}}));
    EXPECT_EQ(fire(board), (Firing{false, {}}));
}

// [WL-20]
TEST(TriggerBoard, MultishotStartsTheNextAtEachFiring)
{
    TriggerBoard board{workload_with(TriggerKind::multishot, 1)};
    EXPECT_EQ(fire(board), (Firing{true, {1}}));
    EXPECT_EQ(fire(board), (Firing{true, {3}}));
    EXPECT_EQ(fire(board), (Firing{true, {4}}));
    EXPECT_EQ(fire(board), (Firing{true, {}}));
    EXPECT_EQ(fire(board), (Firing{true, {}}));
}

// [WL-20]
TEST(TriggerBoard, BarrierStartsAllAtTheLastOfItsFirings)
{
    TriggerBoard board{workload_with(TriggerKind::barrier, 3)};
    EXPECT_EQ(fire(board), (Firing{true, {}}));
    EXPECT_EQ(fire(board), (Firing{true, {}}));
    EXPECT_EQ(fire(board), (Firing{true, {1, 3, 4}}));
    EXPECT_EQ(fire(board), (Firing{false, {}}));
}

// [WL-16, WL-33] Ids are any positive numbers, in any order.
TEST(MessageIndex, FindsAnyId)
{
    const std::vector<std::uint64_t> ids{900, 2, 18'446'744'073'709'551'615U, 1, 7, 3};
    std::vector<Message> messages(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        messages[i].id = ids[i];
    }
    const MessageIndex index{messages};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(index.at(ids[i]), i);
    }
    EXPECT_THROW((void)index.at(0), InvariantError);
    EXPECT_THROW((void)index.at(4), InvariantError);
    EXPECT_THROW((void)index.at(901), InvariantError);
    EXPECT_EQ(index.by_id().front().second, 3u);
    EXPECT_EQ(index.by_id().back().second, 2u);
}

}  // namespace
}  // namespace mrcnic::workload
