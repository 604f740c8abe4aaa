#include "mrcnic/workload/dependencies.h"

#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"

namespace mrcnic::workload {
namespace {

constexpr Point due(std::size_t message)
{
    return {PointKind::message_due, message};
}

Workload two_messages_and_a_node()
{
    Workload workload;
    workload.messages.resize(2);
    workload.trace.nodes.resize(1);
    workload.waits = {{{PointKind::message_received, 0}, due(1)},
                      {{PointKind::node_ended, 0}, due(1)},
                      {{PointKind::message_received, 0}, {PointKind::node_started, 0}}};
    return workload;
}

// [WL-52] A point happens with the last of those that it waits for.
TEST(Dependencies, TellWhatHappensWithTheLastCause)
{
    Dependencies dependencies{two_messages_and_a_node()};
    EXPECT_TRUE(dependencies.is_free(due(0)));
    EXPECT_FALSE(dependencies.is_free(due(1)));
    std::vector<Point> happened;
    dependencies.pass({PointKind::message_sent, 0}, happened);
    EXPECT_TRUE(happened.empty());
    dependencies.pass({PointKind::message_received, 0}, happened);
    EXPECT_EQ(happened, (std::vector<Point>{{PointKind::node_started, 0}}));
    dependencies.pass({PointKind::node_ended, 0}, happened);
    ASSERT_EQ(happened.size(), 2u);
    EXPECT_EQ(happened[1], due(1));
    EXPECT_TRUE(dependencies.is_free(due(1)));
}

TEST(Dependencies, AreNothingWhereNothingWaits)
{
    Workload workload;
    workload.messages.resize(3);
    Dependencies dependencies{workload};
    std::vector<Point> happened;
    dependencies.pass({PointKind::message_received, 2}, happened);
    EXPECT_TRUE(happened.empty());
    EXPECT_TRUE(dependencies.is_free(due(2)));
}

TEST(Dependencies, RefuseAPointThatHappensTwice)
{
    Dependencies dependencies{two_messages_and_a_node()};
    std::vector<Point> happened;
    dependencies.pass({PointKind::message_received, 0}, happened);
    EXPECT_THROW(dependencies.pass({PointKind::message_received, 0}, happened), InvariantError);
}

}  // namespace
}  // namespace mrcnic::workload
