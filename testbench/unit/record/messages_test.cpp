#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mrcnic/base/report.h"
#include "mrcnic/record/messages_csv.h"
#include "mrcnic/record/summary.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using workload::Message;
using workload::MessageRecord;

Message message(std::uint64_t id, std::uint32_t source, std::uint32_t destination, std::uint64_t bytes)
{
    Message made;
    made.id = id;
    made.source = source;
    made.destination = destination;
    made.bytes = bytes;
    return made;
}

// Three messages, ids falling: complete, received only, never posted.
const std::vector<Message> kMessages{message(30, 0, 1, 1'000), message(20, 1, 0, 500), message(10, 2, 3, 7)};
const std::vector<MessageRecord> kRecords{
    {1'000'000, 1'500'000, 2'500'000, 2'000'000, false}, {1'100'000, kNever, kNever, 3'000'000, false}, {}};

// [RC-92] One row for each message, ordered by id; finish is the later completion; what has not come is empty.
TEST(MessagesCsv, RowsById)
{
    const testbench::TemporaryFolder folder;
    MessagesCsv file{folder.path() / "messages.csv"};
    file.finish(kMessages, kRecords);
    EXPECT_EQ(testbench::text_of(folder.path() / "messages.csv"),
              "id,src,dst,bytes,start_ps,wqe_complete_ps,recv_complete_ps,finish_ps\n"
              "10,2,3,7,,,,\n"
              "20,1,0,500,1100000,,3000000,\n"
              "30,0,1,1000,1000000,2500000,2000000,2500000\n");
}

// [RC-92] Always written: a platform without messages has the header line.
TEST(MessagesCsv, WithoutMessages)
{
    const testbench::TemporaryFolder folder;
    MessagesCsv file{folder.path() / "messages.csv"};
    file.finish();
    EXPECT_EQ(testbench::text_of(folder.path() / "messages.csv"),
              "id,src,dst,bytes,start_ps,wqe_complete_ps,recv_complete_ps,finish_ps\n");
}

// [RC-71] Goodput = bytes x 8 / (last RECV_COMPLETE - first posting): 12,000 bits in 2 us are 6 Gbps.
TEST(MessageTotals, OfARunCutShort)
{
    const MessageTotals totals = message_totals(kMessages, kRecords);
    EXPECT_EQ(totals.posted, 2U);
    EXPECT_EQ(totals.completed, 1U);
    EXPECT_EQ(totals.bytes, 1'000U);
    EXPECT_EQ(totals.first_start, 1'000'000);
    EXPECT_EQ(totals.last_finish, 2'500'000);
    EXPECT_EQ(totals.goodput_bps, 6e9);
}

// Where there is nothing to tell there is no number, not 0.
TEST(MessageTotals, OfNothing)
{
    const MessageTotals none = message_totals({}, {});
    EXPECT_EQ(none.posted, 0U);
    EXPECT_FALSE(none.first_start || none.last_finish || none.goodput_bps);
    const MessageTotals posted = message_totals({kMessages[0]}, {{5, kNever, kNever, kNever, false}});
    EXPECT_EQ(posted.first_start, 5);
    EXPECT_FALSE(posted.last_finish || posted.goodput_bps);
}

Summary summary_of(const StatisticGroup& group)
{
    Summary summary;
    summary.version = "1.2.3";
    summary.platform = "pair";
    summary.seed = 7;
    summary.config_digest = "ab";
    summary.outcome = "completed";
    summary.sim_time = 12;
    summary.wall_s = 0.5;
    summary.cpu_s = 0.25;
    summary.kernel_events = 3;
    summary.data_packets = 4;
    summary.nics = {{"MrcNic-0", {{"egress", &group, "b"}, {"pcie.nic_to_host", &group}}}};
    return summary;
}

// The summary's names as users and scripts rely on them, null where there is no value, statistics by their sections.
TEST(Summary, ObjectAsDescribed)
{
    std::uint64_t counter = 18'446'744'073'709'551'615U;
    StatisticGroup group{"group"};
    group.add("a", "B", "counts", counter);
    group.add("b", "ps", "a mean", [] { return StatisticValue{1.5}; });
    const std::string text = summary_json(summary_of(group));
    EXPECT_EQ(text.back(), '\n');
    const auto parsed = nlohmann::ordered_json::parse(text);
    const auto expected = nlohmann::ordered_json::parse(R"({
        "version": "1.2.3", "platform": "pair", "seed": 7, "config_digest": "ab", "outcome": "completed",
        "sim_time_ps": 12, "wall_s": 0.5, "cpu_s": 0.25, "kernel_events": 3, "data_packets": 4,
        "messages": {"posted": 0, "completed": 0, "bytes": 0, "first_start_ps": null, "last_finish_ps": null,
                     "goodput_bps": null},
        "nics": [{"name": "MrcNic-0", "egress": {"b": 1.5},
                  "pcie": {"nic_to_host": {"a": 18446744073709551615, "b": 1.5}}}]})");
    EXPECT_EQ(parsed, expected) << text;
}

TEST(Summary, RefusesAStatisticThatDoesNotExist)
{
    const StatisticGroup group{"group"};
    EXPECT_THROW(static_cast<void>(summary_json(summary_of(group))), InvariantError);
}

}  // namespace
}  // namespace mrcnic::record
