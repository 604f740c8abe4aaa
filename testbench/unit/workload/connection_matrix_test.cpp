#include "mrcnic/workload/connection_matrix.h"

#include <string>

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {
namespace {

Workload read(const std::string& text, std::uint32_t nics = 16)
{
    return read_connection_matrix(text, "w.cm", nics);
}

/// All errors of a file, or "" if there is none.
std::string errors_of(const std::string& text, std::uint32_t nics = 16)
{
    try {
        (void)read(text, nics);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// A matrix of one connection, on line 3.
std::string connection(const std::string& line)
{
    return "Nodes 16\nConnections 1\n" + line + "\n";
}

/// Two connections of trigger 1 on lines 4 and 5, then `trigger_lines`.
std::string triggered(const std::string& trigger_lines, int count = 1)
{
    return "Nodes 4\nConnections 2\nTriggers " + std::to_string(count) +
           "\n0->1 id 1 start 0 size 5 send_done_trigger 1\n1->2 id 2 trigger 1 size 6\n" + trigger_lines;
}

Workload read_data(const std::string& name, std::uint32_t nics)
{
    const std::string path = MRCNIC_SOURCE_DIR "/testbench/data/" + name;
    return read_connection_matrix(read_text_file(path), path, nics);
}

// [WL-1, WL-11, WL-13, WL-17]
TEST(ConnectionMatrix, MakesAMessageOfEachConnection)
{
    const Workload workload = read("Nodes 16\nConnections 2\n0->13 start 0 size 2000000\n13->0 start 7.5 size 1\n");

    EXPECT_EQ(workload.file, "w.cm");
    ASSERT_EQ(workload.messages.size(), 2u);
    EXPECT_EQ(workload.messages[0].source, 0u);
    EXPECT_EQ(workload.messages[0].destination, 13u);
    EXPECT_EQ(workload.messages[0].bytes, 2'000'000u);
    EXPECT_EQ(workload.messages[0].start, 0);
    EXPECT_EQ(workload.messages[0].start_kind, StartKind::at_time);
    EXPECT_EQ(workload.messages[1].source, 13u);
    EXPECT_EQ(workload.messages[1].destination, 0u);
    EXPECT_EQ(workload.messages[1].start, 8);
    EXPECT_TRUE(workload.triggers.empty());
    EXPECT_TRUE(workload.failures.empty());
}

// [WL-10] Runs of blanks, tabs, CR LF; no line end after the last line.
TEST(ConnectionMatrix, TakesBlanksTabsAndCrLf)
{
    const Workload workload =
        read("  Nodes\t16\r\nConnections   2 \r\n\t0->13  start\t 5   size 9\r\n 3 -> 4 size 10 start 6");
    ASSERT_EQ(workload.messages.size(), 2u);
    EXPECT_EQ(workload.messages[0].start, 5);
    EXPECT_EQ(workload.messages[0].bytes, 9u);
    EXPECT_EQ(workload.messages[1].source, 3u);
    EXPECT_EQ(workload.messages[1].destination, 4u);
    EXPECT_EQ(workload.messages[1].start, 6);
}

// [WL-11] Empty lines, comments and unknown words in the header; empty lines and comments among the items.
TEST(ConnectionMatrix, SkipsWhatTheHeaderMayHaveBesides)
{
    const Workload workload = read(
        "# made by hand 0->1\n\nAuthor somebody\nNodes 16\nHosts\nConnections 2\n\n0->1 start 0 size 1\n\n# and\n \t\n"
        "1->0 start 0 size 1\n\n\n");
    EXPECT_EQ(workload.messages.size(), 2u);
}

// [WL-11]
TEST(ConnectionMatrix, NamesWhatIsWrongWithTheHeader)
{
    EXPECT_EQ(errors_of(""),
              "error: w.cm:1:1: the header has no \"Nodes\"\nerror: w.cm:1:1: the header has no \"Connections\"");
    EXPECT_EQ(errors_of("Connections 1\n0->1 start 0 size 1\n"), "error: w.cm:2:1: the header has no \"Nodes\"");
    EXPECT_EQ(errors_of("Nodes 16\nNodes 16\nConnections 0\n"),
              "error: w.cm:2:1: \"Nodes\" was already given on line 1");
    EXPECT_EQ(errors_of("Nodes\nConnections 0\n"), "error: w.cm:1:6: the line ends here; expected the number of Nodes");
    EXPECT_EQ(errors_of("Nodes many\nConnections 0\n"),
              "error: w.cm:1:7: Nodes \"many\" is not a whole number; 0..18446744073709551615 is allowed");
    EXPECT_EQ(errors_of("Nodes 4 5\nConnections 0\n"), "error: w.cm:1:9: unexpected \"5\" after \"Nodes 4\"");
}

// [WL-11] After the first item the header is over.
TEST(ConnectionMatrix, RefusesHeaderWordsAmongTheItems)
{
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1") + "Triggers 0\n"),
              "error: w.cm:4:1: \"Triggers\" must stand before the first item");
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1") + "  hello\n"),
              "error: w.cm:4:3: unknown item \"hello\"; allowed are SRC->DST, trigger, failure");
}

// [WL-12]
TEST(ConnectionMatrix, ComparesCountsWithTheItems)
{
    EXPECT_EQ(errors_of("Nodes 16\nConnections 3\n0->1 start 0 size 1\n"),
              "error: w.cm:2:13: Connections 3, but the file has 1");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 0\n0->1 start 0 size 1\n"),
              "error: w.cm:2:13: Connections 0, but the file has 1");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 0\nTriggers 2\nFailures 1\ntrigger id 1 oneshot\n"),
              "error: w.cm:3:10: Triggers 2, but the file has 1\nerror: w.cm:4:10: Failures 1, but the file has 0");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 0\ntrigger id 1 oneshot\ntrigger id 2 oneshot\n"),
              "error: w.cm:3:1: the file has 2 Triggers here and below, but no header \"Triggers 2\"");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 0\nfailure switch_type TOR switch_id 0 link_id 0\n"),
              "error: w.cm:3:1: the file has 1 Failures here and below, but no header \"Failures 1\"");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 0\nTriggers 0\nFailures 0\n"), "");
}

// [WL-12] Fewer nodes than NICs are right, more are not; one problem is enough then.
TEST(ConnectionMatrix, ComparesNodesWithTheFabric)
{
    EXPECT_EQ(errors_of(connection("0->15 start 0 size 1"), 16), "");
    EXPECT_EQ(errors_of(connection("0->15 start 0 size 1"), 17), "");
    EXPECT_EQ(errors_of(connection("0->15 start 0 size 1"), 15),
              "error: w.cm:1:7: Nodes 16 is more than the fabric's 15 NICs");
}

// [WL-3]
TEST(ConnectionMatrix, RefusesEndsThatAreEqualOrOutside)
{
    EXPECT_EQ(errors_of(connection("3->3 start 0 size 1")), "error: w.cm:3:1: source and destination are both NIC 3");
    EXPECT_EQ(errors_of(connection("16->3 start 0 size 1")),
              "error: w.cm:3:1: NIC 16 is outside the fabric of 16 NICs; they count from 0");
    EXPECT_EQ(errors_of(connection("3->16 start 0 size 1")),
              "error: w.cm:3:4: NIC 16 is outside the fabric of 16 NICs; they count from 0");
}

// [WL-10] A line that starts with a number or has an arrow is a connection, in the header too.
TEST(ConnectionMatrix, NamesWhatIsWrongWithTheEnds)
{
    EXPECT_EQ(errors_of(connection("3-5 start 0 size 1")),
              "error: w.cm:3:1: NIC \"3-5\" is not a whole number; 0..4294967295 is allowed");
    EXPECT_EQ(errors_of(connection("3 5 start 0 size 1")),
              "error: w.cm:3:3: expected \"->\" between source and destination, not \"5\"");
    EXPECT_EQ(errors_of(connection("3->")), "error: w.cm:3:4: the line ends here; expected the destination");
    EXPECT_EQ(errors_of(connection("3")), "error: w.cm:3:2: the line ends here; expected \"->\"");
    EXPECT_EQ(errors_of(connection("a->1 start 0 size 1")),
              "error: w.cm:3:1: NIC \"a\" is not a whole number; 0..4294967295 is allowed");
    EXPECT_EQ(errors_of(connection("->1 start 0 size 1")),
              "error: w.cm:3:1: NIC \"->\" is not a whole number; 0..4294967295 is allowed");
}

// [WL-13]
TEST(ConnectionMatrix, NamesTheColumnOfABadStart)
{
    EXPECT_EQ(
        errors_of(connection("0->1 start 1us size 1")),
        "error: w.cm:3:12: start \"1us\" is not a decimal number of picoseconds; 0..4611686018427387903 is allowed");
}

// [WL-14]
TEST(ConnectionMatrix, WantsExactlyOneOfStartAndTrigger)
{
    EXPECT_EQ(errors_of(connection("0->1 id 1 start 0 size 1 trigger 1")),
              "error: w.cm:3:26: a connection has either \"start\" or \"trigger\", not both");
    EXPECT_EQ(errors_of(connection("0->1 size 1")),
              "error: w.cm:3:1: the connection never starts; give it \"start\" or \"trigger\"");
}

// [WL-15]
TEST(ConnectionMatrix, WantsTheIdBeforeTheTrigger)
{
    const std::string text = "\"id\" must stand before \"trigger\" where a trigger starts the connection";
    EXPECT_EQ(errors_of(connection("0->1 trigger 1 id 1 size 1")), "error: w.cm:3:6: " + text);
    EXPECT_EQ(errors_of(connection("0->1 trigger 1 size 1")), "error: w.cm:3:6: " + text);
    EXPECT_EQ(errors_of(connection("0->1 start 0 id 1 size 1")), "");
}

// [WL-15]
TEST(ConnectionMatrix, RefusesIdZero)
{
    EXPECT_EQ(errors_of(connection("0->1 id 0 start 0 size 1")),
              "error: w.cm:3:9: id \"0\" is out of range; 1..18446744073709551615 is allowed");
}

// [WL-15, WL-16] Without `msg` each line has a connection of its own; its message id is its id, or its ordinal.
TEST(ConnectionMatrix, TakesIdsOrOrdinals)
{
    const Workload workload =
        read("Nodes 16\nConnections 3\n0->1 id 77 start 0 size 1\n0->1 start 0 size 1\n0->1 id 5 start 0 size 1\n");
    ASSERT_EQ(workload.messages.size(), 3u);
    EXPECT_EQ(workload.messages[0].id, 77u);
    EXPECT_EQ(workload.messages[1].id, 2u);
    EXPECT_EQ(workload.messages[2].id, 5u);
    EXPECT_EQ(workload.connections, 3u);
    EXPECT_EQ(workload.messages[0].connection, 0u);
    EXPECT_EQ(workload.messages[1].connection, 1u);
    EXPECT_EQ(workload.messages[2].connection, 2u);
}

// [WL-16] Lines with `msg` and the same id share one connection; message ids are the ordinals of the lines.
TEST(ConnectionMatrix, GathersMessagesOfOneConnection)
{
    const Workload workload = read_data("messages.cm", 2);
    ASSERT_EQ(workload.messages.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(workload.messages[i].id, i + 1);
        EXPECT_EQ(workload.messages[i].connection, i < 4 ? 0u : 1u);
    }
    EXPECT_EQ(workload.connections, 2u);
    EXPECT_EQ(workload.messages[2].bytes, 10'000u);
}

// [WL-16] The number behind `msg` may be missing, but is not 0.
TEST(ConnectionMatrix, TakesANumberBehindMsg)
{
    EXPECT_EQ(errors_of(connection("0->1 id 1 start 0 size 1 msg")), "");
    EXPECT_EQ(errors_of(connection("0->1 id 1 msg 12 start 0 size 1")), "");
    EXPECT_EQ(errors_of(connection("0->1 msg start 0 size 1")), "");
    EXPECT_EQ(errors_of(connection("0->1 id 1 msg 0 start 0 size 1")),
              "error: w.cm:3:15: msg \"0\" is out of range; 1..18446744073709551615 is allowed");
}

// [WL-16] A connection has one source and one destination, a message id one message.
TEST(ConnectionMatrix, RefusesIdsThatClash)
{
    EXPECT_EQ(errors_of("Nodes 16\nConnections 2\n0->1 id 4 msg start 0 size 1\n0->2 id 4 msg start 0 size 1\n"),
              "error: w.cm:4:1: connection 4 goes 0->1 on line 3");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 2\n0->1 id 4 start 0 size 1\n0->1 id 4 start 0 size 1\n"),
              "error: w.cm:4:9: message id 4 is already that of line 3; a line with \"msg\" or without \"id\" has its "
              "ordinal as message id");
    EXPECT_EQ(errors_of("Nodes 16\nConnections 2\n0->1 id 2 start 0 size 1\n0->1 start 0 size 1\n"),
              "error: w.cm:4:1: message id 2 is already that of line 3; a line with \"msg\" or without \"id\" has its "
              "ordinal as message id");
}

// [WL-17]
TEST(ConnectionMatrix, WantsASizeOfAtLeastOneByte)
{
    EXPECT_EQ(errors_of(connection("0->1 start 0")), "error: w.cm:3:1: the connection has no \"size\"");
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 0")),
              "error: w.cm:3:19: size \"0\" is out of range; 1..18446744073709551615 is allowed");
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1.5")),
              "error: w.cm:3:19: size \"1.5\" is not a whole number; 1..18446744073709551615 is allowed");
    EXPECT_EQ(read(connection("0->1 start 0 size 4294967296")).messages[0].bytes, 4'294'967'296u);
}

// [WL-10] The words of a line come in any order, each once and with its value.
TEST(ConnectionMatrix, NamesWordsThatDoNotBelong)
{
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1 weight 3")),
              "error: w.cm:3:21: unknown word \"weight\"; allowed are id, msg, start, trigger, size, "
              "send_done_trigger, recv_done_trigger, prio");
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1 size 2")),
              "error: w.cm:3:21: \"size\" stands twice on this line");
    EXPECT_EQ(errors_of(connection("0->1 start 0 size")),
              "error: w.cm:3:18: the line ends here; expected the value of \"size\"");
}

// [WL-18] `prio` is read and has no effect.
TEST(ConnectionMatrix, IgnoresPrio)
{
    EXPECT_EQ(read(connection("0->1 prio 7 start 3 size 1")).messages[0].start, 3);
    EXPECT_EQ(errors_of(connection("0->1 start 0 size 1 prio high")),
              "error: w.cm:3:26: prio \"high\" is not a whole number; 0..18446744073709551615 is allowed");
}

// [WL-18] TOR is a leaf, CORE a spine.
TEST(ConnectionMatrix, KeepsFailures)
{
    const Workload workload = read(
        "Nodes 16\nConnections 0\nFailures 2\nfailure switch_type TOR switch_id 3 link_id 4\n"
        " failure link_id 6 switch_id 5 switch_type CORE\n");
    ASSERT_EQ(workload.failures.size(), 2u);
    EXPECT_EQ(workload.failures[0].switch_kind, SwitchKind::leaf);
    EXPECT_EQ(workload.failures[0].switch_id, 3u);
    EXPECT_EQ(workload.failures[0].link_id, 4u);
    EXPECT_EQ(workload.failures[0].line, 4u);
    EXPECT_EQ(workload.failures[0].column, 1u);
    EXPECT_EQ(workload.failures[1].switch_kind, SwitchKind::spine);
    EXPECT_EQ(workload.failures[1].switch_id, 5u);
    EXPECT_EQ(workload.failures[1].link_id, 6u);
    EXPECT_EQ(workload.failures[1].line, 5u);
    EXPECT_EQ(workload.failures[1].column, 2u);
}

// [WL-18]
TEST(ConnectionMatrix, NamesWhatIsWrongWithAFailure)
{
    const std::string head = "Nodes 16\nConnections 0\nFailures 1\n";
    EXPECT_EQ(errors_of(head + "failure switch_type AGG switch_id 0 link_id 0\n"),
              "error: w.cm:4:21: switch_type \"AGG\" is not in this model; allowed are TOR (leaf) and CORE (spine)");
    EXPECT_EQ(errors_of(head + "failure switch_type TOR switch_id 0\n"),
              "error: w.cm:4:1: the failure has no \"link_id\"");
    EXPECT_EQ(errors_of(head + "failure switch_type TOR switch_id -1 link_id 0\n"),
              "error: w.cm:4:35: switch_id \"-1\" is not a whole number; 0..18446744073709551615 is allowed");
    EXPECT_EQ(errors_of(head + "failure port 1\n"),
              "error: w.cm:4:9: unknown word \"port\"; allowed are switch_type, switch_id, link_id");
}

// [WL-19, WL-20] Kinds and counts of triggers, and who fires them.
TEST(ConnectionMatrix, ReadsTriggers)
{
    const Workload workload = read(
        "Nodes 4\nConnections 3\nTriggers 3\n0->1 id 1 start 0 size 5 send_done_trigger 30 recv_done_trigger 20\n"
        "1->2 id 2 trigger 20 size 6\n1->2 id 3 trigger 30 size 6 recv_done_trigger 10\n"
        "trigger id 10 oneshot\ntrigger multishot id 20\ntrigger id 30 count 9 barrier\n");
    ASSERT_EQ(workload.triggers.size(), 3u);
    EXPECT_EQ(workload.triggers[0].id, 10u);
    EXPECT_EQ(workload.triggers[0].kind, TriggerKind::oneshot);
    EXPECT_EQ(workload.triggers[1].id, 20u);
    EXPECT_EQ(workload.triggers[1].kind, TriggerKind::multishot);
    EXPECT_EQ(workload.triggers[2].id, 30u);
    EXPECT_EQ(workload.triggers[2].kind, TriggerKind::barrier);
    EXPECT_EQ(workload.triggers[2].count, 9u);
    EXPECT_EQ(workload.messages[0].fires_at_send_done, 2u);
    EXPECT_EQ(workload.messages[0].fires_at_recv_done, 1u);
    EXPECT_EQ(workload.messages[1].start_kind, StartKind::trigger);
    EXPECT_EQ(workload.messages[1].trigger, 1u);
    EXPECT_EQ(workload.messages[1].fires_at_send_done, std::nullopt);
    EXPECT_EQ(workload.messages[2].trigger, 2u);
    EXPECT_EQ(workload.messages[2].fires_at_recv_done, 0u);
}

// [WL-20]
TEST(ConnectionMatrix, NamesWhatIsWrongWithATrigger)
{
    EXPECT_EQ(errors_of(triggered("trigger id 1\n")),
              "error: w.cm:6:1: a trigger is exactly one of \"oneshot\", \"multishot\" and \"barrier\"");
    EXPECT_EQ(errors_of(triggered("trigger id 1 oneshot multishot\n")),
              "error: w.cm:6:1: a trigger is exactly one of \"oneshot\", \"multishot\" and \"barrier\"");
    EXPECT_EQ(errors_of(triggered("trigger oneshot\n")), "error: w.cm:6:1: the trigger has no \"id\"");
    EXPECT_EQ(errors_of(triggered("trigger id 1 barrier\n")), "error: w.cm:6:1: \"barrier\" and \"count\" go together");
    EXPECT_EQ(errors_of(triggered("trigger id 1 oneshot count 2\n")),
              "error: w.cm:6:1: \"barrier\" and \"count\" go together");
    EXPECT_EQ(errors_of(triggered("trigger id 1 barrier count 0\n")),
              "error: w.cm:6:28: count \"0\" is out of range; 1..18446744073709551615 is allowed");
    EXPECT_EQ(errors_of(triggered("trigger id 1 twice\n")),
              "error: w.cm:6:14: unknown word \"twice\"; allowed are id, oneshot, multishot, barrier, count");
}

// [WL-21] Before or after those that name it, but once.
TEST(ConnectionMatrix, WantsEachTriggerDefinedOnce)
{
    EXPECT_EQ(errors_of(triggered("trigger id 1 oneshot\n")), "");
    EXPECT_EQ(errors_of("Nodes 4\nConnections 1\nTriggers 1\ntrigger id 1 oneshot\n0->1 id 1 trigger 1 size 1\n"), "");
    EXPECT_EQ(errors_of(triggered("trigger id 1 oneshot\ntrigger id 1 multishot\n", 2)),
              "error: w.cm:7:12: trigger 1 is already defined on line 6");
    EXPECT_EQ(errors_of(triggered("trigger id 2 oneshot\n")),
              "error: w.cm:4:44: trigger 1 is never defined\nerror: w.cm:5:19: trigger 1 is never defined");
}

// Every line that is wrong is named, in one go and in the order of the file.
TEST(ConnectionMatrix, CollectsAllErrors)
{
    EXPECT_EQ(errors_of("Nodes 4\nConnections 4\n0->0 start 0 size 1\n0->1 size 1\n0->1 start 0 size 1\n"),
              "error: w.cm:2:13: Connections 4, but the file has 3\n"
              "error: w.cm:3:1: source and destination are both NIC 0\n"
              "error: w.cm:4:1: the connection never starts; give it \"start\" or \"trigger\"");
}

// A file of another kind is given up after a while.
TEST(ConnectionMatrix, StopsAfterAHundredErrors)
{
    std::string text = "Nodes 4\nConnections 1000\n";
    for (int i = 0; i < 1000; ++i) {
        text += "0->0 start 0 size 1\n";
    }
    try {
        (void)read(text);
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems().size(), 100u);
    }
}

// [WL-20, WL-21] Files of our own, in the form of the real ones.
TEST(ConnectionMatrix, ReadsTheFilesOfTheProject)
{
    EXPECT_EQ(read_data("one_way.cm", 16).messages.size(), 1u);
    EXPECT_EQ(read_data("both_ways.cm", 16).messages.size(), 2u);
    EXPECT_EQ(read_data("permutation_16.cm", 16).messages.size(), 16u);
    EXPECT_EQ(read_data("incast_4.cm", 4).messages[2].start, 2'000'000);
    EXPECT_EQ(read_data("chains_4.cm", 4).triggers.size(), 4u);
    EXPECT_EQ(read_data("barrier_4.cm", 4).triggers[0].count, 2u);
    const Workload pair = read_data("../../platforms/examples/pair.cm", 2);
    ASSERT_EQ(pair.messages.size(), 2u);
    for (std::uint32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(pair.messages[i].source, i);
        EXPECT_EQ(pair.messages[i].destination, 1 - i);
        EXPECT_EQ(pair.messages[i].bytes, 2'000'000u);
        EXPECT_EQ(pair.messages[i].start, 0);
    }
}

}  // namespace
}  // namespace mrcnic::workload
