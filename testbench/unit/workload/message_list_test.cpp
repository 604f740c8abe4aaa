#include "mrcnic/workload/message_list.h"

#include <string>

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {
namespace {

const std::string kHead = "id,src,dst,bytes,start_ps,after,qp\n";

Workload read(const std::string& text, std::uint32_t nics = 4)
{
    return read_message_list(text, "w.csv", nics);
}

/// The message for whose acknowledgement another one waits.
std::size_t after(const Workload& workload, std::size_t message)
{
    for (const Wait& wait : workload.waits) {
        if (wait.after == Point{PointKind::message_due, message} &&
            wait.before.kind == PointKind::message_acknowledged) {
            return wait.before.index;
        }
    }
    ADD_FAILURE() << "message " << message << " waits for none";
    return message;
}

/// All errors of a file, or "" if there is none.
std::string errors_of(const std::string& text, std::uint32_t nics = 4)
{
    try {
        (void)read(text, nics);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

// [WL-1, WL-30, WL-31, WL-32] The example of the sheet.
TEST(MessageList, MakesAMessageOfEachRow)
{
    const Workload workload = read(kHead + "1,0,1,4096,0,,\n2,0,1,1048576,0,1,\n3,2,1,65536,500000,,1\n");

    EXPECT_EQ(workload.file, "w.csv");
    ASSERT_EQ(workload.messages.size(), 3u);
    const Message& first = workload.messages[0];
    EXPECT_EQ(first.id, 1u);
    EXPECT_EQ(first.source, 0u);
    EXPECT_EQ(first.destination, 1u);
    EXPECT_EQ(first.bytes, 4096u);
    EXPECT_EQ(first.start, 0);
    EXPECT_EQ(first.start_kind, StartKind::at_time);
    EXPECT_EQ(first.qp, std::nullopt);
    EXPECT_EQ(first.connection, std::nullopt);
    EXPECT_EQ(workload.messages[1].start_kind, StartKind::waits);
    EXPECT_EQ(after(workload, 1), 0u);
    EXPECT_EQ(workload.messages[2].source, 2u);
    EXPECT_EQ(workload.messages[2].start, 500'000);
    EXPECT_EQ(workload.messages[2].qp, 1u);
}

// [WL-30] The last two columns may be missing, in all rows or in some.
TEST(MessageList, TakesRowsWithoutTheLastColumns)
{
    EXPECT_EQ(read("id,src,dst,bytes,start_ps\n1,0,1,5,0\n").messages.size(), 1u);
    const Workload workload = read("id,src,dst,bytes,start_ps,after\n1,0,1,5,0\n2,0,1,5,7,1\n");
    ASSERT_EQ(workload.messages.size(), 2u);
    EXPECT_EQ(after(workload, 1), 0u);
    EXPECT_EQ(workload.messages[1].start, 7);
    EXPECT_EQ(read(kHead + "1,0,1,5,0\n2,0,1,5,7,1\n").messages.size(), 2u);
}

// [WL-30] Comments, empty lines, blanks around fields, CR LF.
TEST(MessageList, SkipsCommentsAndBlanks)
{
    const Workload workload = read("# by hand\r\n\r\n" + kHead + "\n#1,0,1,5,0\n 9 ,\t0, 1,5 ,0 , ,\r\n  \n");
    ASSERT_EQ(workload.messages.size(), 1u);
    EXPECT_EQ(workload.messages[0].id, 9u);
}

// [WL-30]
TEST(MessageList, NamesWhatIsWrongWithTheFirstLine)
{
    const std::string first = "the first line is \"id,src,dst,bytes,start_ps,after,qp\"";
    EXPECT_EQ(errors_of(""), "error: w.csv:1:1: the first line, \"id,src,dst,bytes,start_ps,after,qp\", is missing");
    EXPECT_EQ(errors_of("# nothing\n\n"),
              "error: w.csv:2:1: the first line, \"id,src,dst,bytes,start_ps,after,qp\", is missing");
    EXPECT_EQ(errors_of("1,0,1,4096,0,,\n"), "error: w.csv:1:1: column 1 is \"1\", expected \"id\"; " + first);
    EXPECT_EQ(errors_of("id,src,dest,bytes\n"), "error: w.csv:1:8: column 3 is \"dest\", expected \"dst\"; " + first);
    EXPECT_EQ(errors_of("id,src,dst\n"), "error: w.csv:1:1: the column \"bytes\" is missing; only after and qp may be");
    EXPECT_EQ(errors_of("id,src,dst,bytes,start_ps,after,qp,prio\n"),
              "error: w.csv:1:36: unexpected column \"prio\"; the last one is qp");
}

// [WL-30]
TEST(MessageList, CountsTheFieldsOfARow)
{
    EXPECT_EQ(errors_of(kHead + "1,0,1,5\n"), "error: w.csv:2:1: 4 fields; at least 5 are needed");
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,,,7\n"), "error: w.csv:2:13: 8 fields, but the first line names 7");
    EXPECT_EQ(errors_of("id,src,dst,bytes,start_ps\n1,0,1,5,0,\n"),
              "error: w.csv:2:11: 6 fields, but the first line names 5");
}

// [WL-3]
TEST(MessageList, RefusesEndsThatAreEqualOrOutside)
{
    EXPECT_EQ(errors_of(kHead + "1,2,2,5,0,,\n"), "error: w.csv:2:3: source and destination are both NIC 2");
    EXPECT_EQ(errors_of(kHead + "1,4,2,5,0,,\n"),
              "error: w.csv:2:3: NIC 4 is outside the fabric of 4 NICs; they count from 0");
    EXPECT_EQ(errors_of(kHead + "1,2,4,5,0,,\n"),
              "error: w.csv:2:5: NIC 4 is outside the fabric of 4 NICs; they count from 0");
    EXPECT_EQ(errors_of(kHead + "1,2,x,5,0,,\n"),
              "error: w.csv:2:5: dst \"x\" is not a whole number; 0..4294967295 is allowed");
}

// [WL-32]
TEST(MessageList, TakesZeroBytes)
{
    EXPECT_EQ(read(kHead + "1,0,1,0,0,,\n").messages[0].bytes, 0u);
    EXPECT_EQ(errors_of(kHead + "1,0,1,,0,,\n"),
              "error: w.csv:2:7: bytes \"\" is not a whole number; 0..18446744073709551615 is allowed");
}

// [WL-30] Whole picoseconds here.
TEST(MessageList, RefusesDecimalStarts)
{
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0.5,,\n"),
              "error: w.csv:2:9: start_ps \"0.5\" is not a whole number; 0..4611686018427387903 is allowed");
}

// [WL-32, TR-2]
TEST(MessageList, RefusesQpsThatCannotBe)
{
    EXPECT_EQ(read(kHead + "1,0,1,5,0,,16777215\n").messages[0].qp, 16'777'215u);
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,,16777216\n"),
              "error: w.csv:2:12: qp \"16777216\" is out of range; 0..16777215 is allowed");
}

// [WL-33]
TEST(MessageList, WantsUniquePositiveIds)
{
    EXPECT_EQ(errors_of(kHead + "7,0,1,5,0,,\n7,0,1,5,0,,\n"), "error: w.csv:3:1: id 7 is already that of line 2");
    EXPECT_EQ(errors_of(kHead + "0,0,1,5,0,,\n"),
              "error: w.csv:2:1: id \"0\" is out of range; 1..18446744073709551615 is allowed");
    EXPECT_EQ(errors_of(kHead + "-3,0,1,5,0,,\n"),
              "error: w.csv:2:1: id \"-3\" is not a whole number; 1..18446744073709551615 is allowed");
}

// [WL-31] A message may wait for one further down, but not for one that is not there.
TEST(MessageList, WantsTheMessageToWaitFor)
{
    EXPECT_EQ(after(read(kHead + "1,0,1,5,0,9,\n9,0,1,5,0,,\n"), 0), 1u);
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,8,\n9,0,1,5,0,,\n"), "error: w.csv:2:11: after: there is no message 8");
    // The row that is waited for is the one that is wrong.
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,9,\n9,0,0,5,0,,\n"),
              "error: w.csv:3:3: source and destination are both NIC 0");
}

// [WL-33]
TEST(MessageList, RefusesCycles)
{
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,1,\n"), "error: w.csv:2:11: after: message 1 waits for itself: 1 -> 1");
    EXPECT_EQ(errors_of(kHead + "5,0,1,5,0,6,\n6,0,1,5,0,7,\n7,0,1,5,0,6,\n8,0,1,5,0,,\n9,0,1,5,0,8,\n"),
              "error: w.csv:3:11: after: message 6 waits for itself: 6 -> 7 -> 6");
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,2,\n2,0,1,5,0,1,\n3,0,1,5,0,4,\n4,0,1,5,0,3,\n"),
              "error: w.csv:2:11: after: message 1 waits for itself: 1 -> 2 -> 1\n"
              "error: w.csv:4:11: after: message 3 waits for itself: 3 -> 4 -> 3");
    std::string ring = kHead;
    for (int i = 1; i <= 10; ++i) {
        ring += std::to_string(i) + ",0,1,5,0," + std::to_string(i % 10 + 1) + ",\n";
    }
    EXPECT_EQ(errors_of(ring),
              "error: w.csv:2:11: after: message 1 waits for itself: 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> ... -> 1");
}

// [WL-31, WL-33] A long chain and a tree are no cycles, in whatever order they stand.
TEST(MessageList, TakesChainsAndTrees)
{
    std::string chain = kHead;
    for (int i = 1; i <= 1000; ++i) {
        chain += std::to_string(i) + ",0,1,5,0," + (i < 1000 ? std::to_string(i + 1) : "") + ",\n";
    }
    EXPECT_EQ(errors_of(chain), "");
    EXPECT_EQ(errors_of(kHead + "1,0,1,5,0,,\n2,0,1,5,0,1,\n3,0,1,5,0,1,\n4,0,1,5,0,2,\n5,0,1,5,0,2,\n"), "");
}

// Every row that is wrong is named, in one go.
TEST(MessageList, CollectsAllErrors)
{
    EXPECT_EQ(errors_of(kHead + "1,0,0,5,0,,\n2,0,1,x,0,,\n3,0,1,5,0,8,\n"),
              "error: w.csv:2:3: source and destination are both NIC 0\n"
              "error: w.csv:3:7: bytes \"x\" is not a whole number; 0..18446744073709551615 is allowed\n"
              "error: w.csv:4:11: after: there is no message 8");
}

TEST(MessageList, ReadsTheFileOfTheProject)
{
    const std::string path = MRCNIC_SOURCE_DIR "/testbench/data/list.csv";
    const Workload workload = read_message_list(read_text_file(path), path, 2);
    ASSERT_EQ(workload.messages.size(), 4u);
    EXPECT_EQ(workload.messages[3].id, 60u);
    EXPECT_EQ(after(workload, 3), 2u);
}

}  // namespace
}  // namespace mrcnic::workload
