#include "mrcnic/workload/collective.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrcnic::workload {
namespace {

struct Expanded {
    Workload workload;
    std::vector<CollectiveShare> shares;
};

Expanded expanded(CollectiveKind kind, std::uint64_t bytes, std::vector<std::uint32_t> nics, bool in_turn = false)
{
    Expanded result;
    result.shares = expand({kind, bytes, std::move(nics), 0, in_turn}, {}, result.workload);
    return result;
}

std::vector<std::uint32_t> nics(std::uint32_t count)
{
    std::vector<std::uint32_t> result(count);
    std::iota(result.begin(), result.end(), 0U);
    return result;
}

/// "3: 0->1 125 after received 1" for a message and what it waits for, by ids.
std::string text_of(const Workload& workload, std::size_t message)
{
    const Message& what = workload.messages[message];
    std::string text = fmt::format("{}: {}->{} {}", what.id, what.source, what.destination, what.bytes);
    for (const Wait& wait : workload.waits) {
        if (wait.after == Point{PointKind::message_due, message}) {
            EXPECT_EQ(what.start_kind, StartKind::waits);
            text += fmt::format(" after {} {}",
                                wait.before.kind == PointKind::message_received ? "received" : "acknowledged",
                                workload.messages[wait.before.index].id);
        }
    }
    return text;
}

std::vector<std::string> texts_of(const Workload& workload)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < workload.messages.size(); ++i) {
        texts.push_back(text_of(workload, i));
    }
    return texts;
}

void expect_ring(const Expanded& ring, std::size_t ranks, std::size_t steps, std::uint64_t bytes)
{
    ASSERT_EQ(ring.workload.messages.size(), ranks * steps);
    EXPECT_EQ(ring.workload.waits.size(), ranks * (steps - 1));  // all but the first step of each rank
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(ring.shares[rank].sends.size(), steps);
        EXPECT_EQ(ring.shares[rank].receives.size(), steps);
    }
    for (const Message& message : ring.workload.messages) {
        EXPECT_EQ(message.bytes, bytes);
        EXPECT_EQ(message.destination, (message.source + 1) % ranks);
    }
}

// [WL-W3] 14 transfers of 125 bytes a rank, 112 in all, 14,000 bytes.
TEST(Collective, AllReduceHasTheWorkedNumbers)
{
    const Expanded ring = expanded(CollectiveKind::all_reduce, 1'000, nics(8));
    expect_ring(ring, 8, 14, 125);
    std::uint64_t bytes = 0;
    for (const Message& message : ring.workload.messages) {
        bytes += message.bytes;
    }
    EXPECT_EQ(ring.workload.messages.size(), 112u);
    EXPECT_EQ(bytes, 14'000u);
}

// [WL-55] The steps and sizes of the other rings; 1,001 / 8 is rounded up to 126.
TEST(Collective, OtherRingsHaveTheirStepsAndSizes)
{
    expect_ring(expanded(CollectiveKind::all_reduce, 1'001, nics(8)), 8, 14, 126);
    expect_ring(expanded(CollectiveKind::all_gather, 1'000, nics(8)), 8, 7, 1'000);
    expect_ring(expanded(CollectiveKind::reduce_scatter, 1'001, nics(8)), 8, 7, 126);
    expect_ring(expanded(CollectiveKind::barrier, 1'000, nics(8)), 8, 14, 0);
}

// [WL-55] A step passes on what the step before brought; the ring goes in the order of the list.
TEST(Collective, AStepOfARingWaitsForTheOneBefore)
{
    EXPECT_EQ(texts_of(expanded(CollectiveKind::reduce_scatter, 30, {4, 9, 2}).workload),
              (std::vector<std::string>{"1: 4->9 10", "2: 9->2 10", "3: 2->4 10", "4: 4->9 10 after received 3",
                                        "5: 9->2 10 after received 1", "6: 2->4 10 after received 2"}));
}

// [WL-55] All at once, or one after another.
TEST(Collective, AllToAllGoesToTheRanksBehind)
{
    EXPECT_EQ(texts_of(expanded(CollectiveKind::all_to_all, 10, nics(3)).workload),
              (std::vector<std::string>{"1: 0->1 4", "2: 1->2 4", "3: 2->0 4", "4: 0->2 4", "5: 1->0 4", "6: 2->1 4"}));
    EXPECT_EQ(texts_of(expanded(CollectiveKind::all_to_all, 10, nics(3), true).workload),
              (std::vector<std::string>{"1: 0->1 4", "2: 1->2 4", "3: 2->0 4", "4: 0->2 4 after acknowledged 1",
                                        "5: 1->0 4 after acknowledged 2", "6: 2->1 4 after acknowledged 3"}));
}

// [WL-55] S from the root to all.
TEST(Collective, BroadcastGoesFromTheRootToAll)
{
    Workload workload;
    const auto shares = expand({CollectiveKind::broadcast, 10, {5, 6, 7}, 1, false}, {}, workload);
    EXPECT_EQ(texts_of(workload), (std::vector<std::string>{"1: 6->7 10", "2: 6->5 10"}));
    EXPECT_EQ(shares[0].receives.size(), 1u);
    EXPECT_EQ(shares[1].sends.size(), 2u);
}

// [WL-55] With starts every send of a rank waits for its rank's; ids go on behind messages that are there.
TEST(Collective, SendsWaitForTheStartOfTheirRank)
{
    Workload workload;
    workload.messages.resize(7);
    const std::vector<Point> starts{{PointKind::node_released, 0}, {PointKind::node_released, 1}};
    expand({CollectiveKind::all_reduce, 10, {0, 1}}, starts, workload);
    ASSERT_EQ(workload.messages.size(), 11u);
    EXPECT_EQ(workload.messages[7].id, 8u);
    std::map<std::size_t, std::size_t> sends;
    for (const Wait& wait : workload.waits) {
        if (wait.before.kind == PointKind::node_released) {
            EXPECT_EQ(workload.messages[wait.after.index].source, wait.before.index);
            ++sends[wait.before.index];
        }
    }
    EXPECT_EQ(sends, (std::map<std::size_t, std::size_t>{{0, 2}, {1, 2}}));
}

// A group of one sends nothing.
TEST(Collective, OfOneRankIsEmpty)
{
    for (const CollectiveKind kind :
         {CollectiveKind::all_reduce, CollectiveKind::all_to_all, CollectiveKind::broadcast}) {
        EXPECT_TRUE(expanded(kind, 10, {3}).workload.messages.empty());
    }
}

}  // namespace
}  // namespace mrcnic::workload
