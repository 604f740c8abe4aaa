#include "mrcnic/workload/director.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/workload/fake_nic.h"

namespace mrcnic::workload {
namespace {

void run(DirectorBench& bench)
{
    testbench::run_to_end([&bench] { return bench.director.all_complete(); });
}

// [WL-1, WL-5, RC-92] One message, with its instants.
TEST(Director, RunsAMessage)
{
    DirectorBench bench{list("5,2,3,1000,700,,\n"), 4};
    int calls = 0;
    bench.director.on_all_complete([&] {
        ++calls;
        EXPECT_EQ(bench.agenda.now(), 1750);
    });
    EXPECT_EQ(bench.director.unfinished(), std::vector<std::size_t>{0});
    run(bench);

    const MessageRecord& record = bench.director.records().at(0);
    EXPECT_EQ(record.posted, 700);
    EXPECT_EQ(record.send_complete, 701);
    EXPECT_EQ(record.recv_complete, 1700);
    EXPECT_EQ(record.wqe_complete, 1750);
    EXPECT_EQ(record.finish(), 1750);
    EXPECT_FALSE(record.failed);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(bench.director.posted(), 1u);
    EXPECT_EQ(bench.director.completed(), 1u);
    EXPECT_EQ(bench.director.completed_bytes(), 1000u);
    EXPECT_EQ(bench.director.first_posted(), 700);
    EXPECT_EQ(bench.director.last_finish(), 1750);
    EXPECT_TRUE(bench.director.unfinished().empty());
    EXPECT_TRUE(bench.director.run_errors().empty());
}

// [WL-5, interface.md] The finish is the later of the two completions, also where RECV_COMPLETE is.
TEST(Director, FinishesWithTheLaterCompletion)
{
    DirectorBench bench{list("5,0,1,1000,0,,\n6,1,0,10,0,,\n"), 2};
    bench.nics[0]->wqe_delay = -40;
    run(bench);
    EXPECT_EQ(bench.director.records()[0].wqe_complete, 960);
    EXPECT_EQ(bench.director.records()[0].finish(), 1000);
    EXPECT_EQ(bench.director.last_finish(), 1000);
}

// [RC-72] Whoever wants to hear of completions hears of each once, when both of its times are known: of the second
// message at 50 + 10, of the first at 1,000 + 50.
TEST(Director, TellsOfCompletions)
{
    DirectorBench bench{list("5,0,1,1000,0,,\n6,1,0,10,0,,\n"), 2};
    std::vector<std::pair<std::size_t, Picoseconds>> told;
    bench.director.on_complete([&](std::size_t message) {
        EXPECT_TRUE(bench.director.records()[message].is_complete());
        told.emplace_back(message, bench.agenda.now());
    });
    run(bench);
    EXPECT_EQ(told, (std::vector<std::pair<std::size_t, Picoseconds>>{{1, 60}, {0, 1050}}));
}

// [WL-2]
TEST(Director, CountsStartsFromTheStartTime)
{
    DirectorConfig config;
    config.start_time = 1'000'000'000;
    DirectorBench bench{list("1,0,1,4,0,,\n2,1,0,4,7,,\n"), 2, config};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{1'000'000'000, 1'000'000'007}));
}

// [TR-2, TR-3, RC-33, SW-56] The first message creates both ends of QP 0, the next one uses them; the other direction
// has its own. Ends of a NIC are numbered together.
TEST(Director, CreatesTheQpsOfAPairWithItsFirstMessage)
{
    DirectorBench bench{list("1,0,1,4,0,,\n2,0,1,4,10,,\n3,1,0,4,20,,\n"), 2};
    run(bench);
    EXPECT_EQ(bench.log,
              (Log{"0: nic 0 sender 1 to 0A000002", "0: nic 1 receiver 1 of 0A000001:1", "0: nic 0 connect 1 to 1",
                   "0: nic 0 post 1 on 1", "10: nic 0 post 2 on 1", "20: nic 1 sender 2 to 0A000001",
                   "20: nic 0 receiver 2 of 0A000002:2", "20: nic 1 connect 2 to 2", "20: nic 1 post 3 on 2"}));
}

// [TR-3, WL-32] Messages take the pair's QPs in turn; those that name one do not move the turn.
TEST(Director, TakesTheQpsOfAPairInTurn)
{
    DirectorConfig config;
    config.qps_per_destination = 2;
    DirectorBench bench{list("1,0,1,4,0,,\n2,0,1,4,1,,\n3,0,1,4,2,,1\n4,0,1,4,3,,\n5,0,1,4,4,,7\n6,0,2,4,5,,\n"
                             "7,0,1,4,6,,\n8,0,1,4,7,,7\n"),
                        3, config};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"),
              (Log{"0: nic 0 post 1 on 1", "1: nic 0 post 2 on 2", "2: nic 0 post 3 on 2", "3: nic 0 post 4 on 1",
                   "4: nic 0 post 5 on 3", "5: nic 0 post 6 on 4", "6: nic 0 post 7 on 2", "7: nic 0 post 8 on 3"}));
}

// [TR-3] At the defaults every message of a pair is on QP 0.
TEST(Director, HasOneQpPerPairByDefault)
{
    DirectorBench bench{list("1,0,1,4,0,,\n2,0,1,4,1,,\n3,0,1,4,2,,0\n"), 2};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"), (Log{"0: nic 0 post 1 on 1", "1: nic 0 post 2 on 1", "2: nic 0 post 3 on 1"}));
}

// [WL-16] Each line of a matrix has its own QP; lines with `msg` and one id share one.
TEST(Director, GivesEachConnectionItsQp)
{
    DirectorBench bench{matrix("Nodes 2\nConnections 5\n0->1 id 9 start 0 size 4\n0->1 id 5 msg start 1 size 4\n"
                               "0->1 start 2 size 4\n0->1 id 5 msg start 3 size 4\n0->1 id 8 start 4 size 4\n",
                               2),
                        2};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"), (Log{"0: nic 0 post 9 on 1", "1: nic 0 post 2 on 2", "2: nic 0 post 3 on 3",
                                             "3: nic 0 post 4 on 2", "4: nic 0 post 8 on 4"}));
}

// [TR-3] A QP per message, its sending end deleted in the instant of WQE_COMPLETE, its receiving end with the message.
TEST(Director, DeletesTheQpOfAMessageWhenItIsDone)
{
    DirectorConfig config;
    config.qp_per_message = true;
    DirectorBench bench{list("1,0,1,100,0,,\n2,0,1,100,1000,,0\n"), 2, config};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"), (Log{"0: nic 0 post 1 on 1", "1000: nic 0 post 2 on 2"}));
    EXPECT_EQ(bench.lines_with("close"),
              (Log{"150: nic 0 close 1", "150: nic 1 close 1", "1150: nic 0 close 2", "1150: nic 1 close 2"}));
}

// [TR-3, TR-62] With `RecvCompleteAfterWrite` RECV_COMPLETE may be the later one: the receiving end waits for it.
TEST(Director, KeepsTheReceivingEndForItsCompletion)
{
    DirectorConfig config;
    config.qp_per_message = true;
    DirectorBench bench{list("1,0,1,100,0,,\n"), 2, config};
    bench.nics[0]->wqe_delay = -40;
    run(bench);
    EXPECT_EQ(bench.lines_with("close"), (Log{"60: nic 0 close 1", "100: nic 1 close 1"}));
}

// [TR-3] Without the attribute QPs live for the whole run.
TEST(Director, KeepsLongLivedQps)
{
    DirectorBench bench{matrix("Nodes 2\nConnections 1\n0->1 start 0 size 4\n", 2), 2};
    run(bench);
    EXPECT_TRUE(bench.lines_with("close").empty());
}

// [WL-4, OE-1] At one instant: by NIC, and at one NIC in file order, whatever the ids and whatever caused the posting.
TEST(Director, PostsInFileOrderAtOneInstant)
{
    // 40 waits for 10, which is acknowledged at 4 + 50; 30 and 20 are due then too.
    DirectorBench bench{list("10,1,0,4,0,,\n40,1,2,4,0,10,\n30,1,2,4,54,,\n20,1,2,4,54,,\n5,0,2,4,54,,\n"), 3};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"), (Log{"0: nic 1 post 10 on 1", "54: nic 0 post 5 on 2", "54: nic 1 post 40 on 2",
                                             "54: nic 1 post 30 on 2", "54: nic 1 post 20 on 2"}));
}

// [WL-2] Starts in no order.
TEST(Director, PostsWhenDueWhateverTheOrderOfTheFile)
{
    DirectorBench bench{list("1,0,1,4,300,,\n2,0,1,4,100,,\n3,0,1,4,200,,\n4,0,1,4,100,,\n"), 2};
    run(bench);
    EXPECT_EQ(bench.lines_with("post"), (Log{"100: nic 0 post 2 on 1", "100: nic 0 post 4 on 1",
                                             "200: nic 0 post 3 on 1", "300: nic 0 post 1 on 1"}));
}

// All postings of a NIC and an instant are one entry of the agenda; the fake NIC has three for each message.
TEST(Director, NeedsOneEntryForAllPostingsOfAnInstant)
{
    DirectorBench bench{list("1,0,1,4,5,,\n2,0,1,4,5,,\n3,0,1,4,5,,\n4,0,1,4,9,,\n"), 2};
    run(bench);
    EXPECT_EQ(bench.agenda.entries_done(), 2u + 4u * 3u);
}

// [WL-31, OE-5] `after` waits for WQE_COMPLETE; the start is a delay from it, and 0 is the same instant.
TEST(Director, StartsMessagesAfterOthers)
{
    DirectorBench bench{list("1,0,1,100,10,,\n2,1,0,200,0,1,\n3,0,1,4,25,2,\n4,2,0,4,1000,1,\n"), 3};
    run(bench);
    // 1: 10 + 100 + 50 = 160. 2: 160 + 200 + 50 = 410, + 25. 4: 160 + 1000.
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{10, 160, 435, 1160}));
}

// [WL-19, OE-5] `send_done_trigger` fires at WQE_COMPLETE, `recv_done_trigger` at RECV_COMPLETE.
TEST(Director, FiresTriggersAtTheCompletions)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 3\nTriggers 2\n"
                               "0->1 start 0 size 100 send_done_trigger 1 recv_done_trigger 2\n"
                               "2->3 id 2 trigger 1 size 4\n3->2 id 3 trigger 2 size 4\n"
                               "trigger id 1 oneshot\ntrigger id 2 oneshot\n"),
                        4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 150, 100}));
}

// [WL-19, WL-16] On one of several messages of a connection the trigger fires at that message's completion.
TEST(Director, FiresTriggersOfSingleMessages)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 3\nTriggers 1\n"
                               "0->1 id 1 msg start 0 size 100\n"
                               "0->1 id 1 msg start 0 size 300 send_done_trigger 1\n"
                               "2->3 id 9 trigger 1 size 4\ntrigger id 1 oneshot\n"),
                        4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 0, 350}));
}

// [WL-20] A oneshot starts all its connections at once.
TEST(Director, StartsAllOfAOneshot)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 3\nTriggers 1\n0->1 start 0 size 100 send_done_trigger 1\n"
                               "2->3 id 2 trigger 1 size 4\n2->1 id 3 trigger 1 size 4\ntrigger id 1 oneshot\n"),
                        4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 150, 150}));
}

// [WL-20] A multishot starts the next one at each firing; one firing more does nothing.
TEST(Director, StartsOneOfAMultishotEachTime)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 5\nTriggers 1\n"
                               "0->1 start 0 size 100 send_done_trigger 1\n1->2 id 11 trigger 1 size 4\n"
                               "0->1 start 0 size 300 send_done_trigger 1\n1->2 id 12 trigger 1 size 4\n"
                               "0->1 start 0 size 500 send_done_trigger 1\ntrigger id 1 multishot\n"),
                        4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 150, 0, 350, 0}));
    EXPECT_TRUE(bench.director.run_errors().empty());
}

// [WL-20] The example of the sheet: both senders done, then NIC 2 sends.
TEST(Director, HoldsMessagesBehindABarrier)
{
    DirectorBench bench{
        matrix("Nodes 4\nConnections 3\nTriggers 1\n0->3 id 1 start 0 size 1000000 send_done_trigger 1\n"
               "1->3 id 2 start 7 size 1000000 send_done_trigger 1\n2->0 id 3 trigger 1 size 4096\n"
               "trigger id 1 barrier count 2\n"),
        4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 7, 1'000'057}));
}

// [WL-20] A second firing of a oneshot is an error of the run.
TEST(Director, ReportsASecondFiringOfAOneshot)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 3\nTriggers 1\n0->1 start 0 size 100 send_done_trigger 9\n"
                               "0->1 start 0 size 300 send_done_trigger 9\n2->3 id 30 trigger 9 size 4\n"
                               "trigger id 9 oneshot\n"),
                        4};
    const std::string expected = "w.cm: trigger 9 (oneshot) has fired already; message 2 fires it once more";
    testbench::ExpectReport report{report_id::kWorkload, expected};
    // The report ends the run, but what caused it has been noted.
    testbench::run_to_end([&bench] { return bench.director.all_complete(); });
    EXPECT_EQ(report.count(), 1u);
    EXPECT_EQ(bench.director.run_errors(), std::vector<std::string>{expected});
    EXPECT_EQ(bench.director.records()[1].wqe_complete, 350);
}

// [WL-20] So is one firing more of a barrier than its count.
TEST(Director, ReportsASurplusFiringOfABarrier)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 4\nTriggers 1\n0->1 start 0 size 100 send_done_trigger 9\n"
                               "0->1 start 0 size 300 send_done_trigger 9\n0->1 start 0 size 500 send_done_trigger 9\n"
                               "2->3 id 30 trigger 9 size 4\ntrigger id 9 barrier count 2\n"),
                        4};
    const std::string expected = "w.cm: trigger 9 (barrier of 2) has fired already; message 3 fires it once more";
    testbench::ExpectReport report{report_id::kWorkload, expected};
    testbench::run_to_end([&bench] { return bench.director.all_complete(); });
    EXPECT_EQ(bench.director.run_errors(), std::vector<std::string>{expected});
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 0, 0, 350}));
}

// [WL-5] Messages that never start are listed, by id.
TEST(Director, ListsUnfinishedMessagesById)
{
    DirectorBench bench{matrix("Nodes 4\nConnections 4\nTriggers 2\n0->1 id 50 start 0 size 100\n"
                               "2->3 id 40 trigger 1 size 4 send_done_trigger 2\n2->3 id 60 start 0 size 4\n"
                               "2->3 id 30 trigger 2 size 4 send_done_trigger 1\n"
                               "trigger id 1 oneshot\ntrigger id 2 oneshot\n"),
                        4};
    bench.director.on_all_complete([] { ADD_FAILURE() << "two messages have not even started"; });
    testbench::run_to_end([&bench] { return bench.director.completed() == 2; });
    EXPECT_EQ(bench.director.unfinished(), (std::vector<std::size_t>{3, 1}));
    EXPECT_EQ(bench.director.posted(), 2u);
    EXPECT_EQ(bench.director.records()[1].posted, kNever);
    EXPECT_EQ(bench.director.records()[1].finish(), kNever);
}

// [TR-87] A message whose QP goes into error is not complete, and what waits for it does not start.
TEST(Director, NotesFailedMessages)
{
    DirectorBench bench{list("1,0,1,100,0,,\n2,1,0,100,0,,\n3,1,0,4,0,1,\n"), 2};
    bench.nics[0]->qps_fail = true;
    testbench::run_to_end([&bench] { return bench.director.failed() == 1; });
    EXPECT_TRUE(bench.director.records()[0].failed);
    EXPECT_FALSE(bench.director.records()[1].failed);
    EXPECT_EQ(bench.director.completed(), 1u);
    EXPECT_EQ(bench.director.unfinished(), (std::vector<std::size_t>{0, 2}));
}

// [TR-6] Requests carry the addresses of the buffers; the hook comes before each posting, to fill them.
TEST(Director, PostsBuffersAndCallsTheHookBefore)
{
    DirectorBench bench{list("9,0,1,5000,0,,\n3,0,1,100,0,,\n"), 2};
    bench.director.before_posting([&bench](const Message& message, const Buffers& buffers) {
        bench.log.push_back(fmt::format("fill {} at {:X}", message.id, buffers.source));
    });
    run(bench);
    EXPECT_EQ(bench.lines_with("fill"), (Log{"fill 9 at 100001000", "fill 3 at 100000000"}));
    EXPECT_EQ(bench.log[3], "fill 9 at 100001000");
    EXPECT_EQ(bench.log[4], "0: nic 0 post 9 on 1");
    const auto& posts = bench.nics[0]->posts;
    ASSERT_EQ(posts.size(), 2u);
    EXPECT_EQ(posts[0].local_address, 0x1'0000'1000u);
    EXPECT_EQ(posts[0].remote_address, 0x2'0000'1000u);
    EXPECT_EQ(posts[0].bytes, 5000u);
    EXPECT_EQ(posts[1].local_address, 0x1'0000'0000u);
    EXPECT_EQ(posts[1].remote_address, 0x2'0000'0000u);
}

// [WL-5] A workload without messages is complete from the start.
TEST(Director, IsCompleteWithoutMessages)
{
    DirectorBench bench{matrix("Nodes 2\nConnections 0\n", 2), 2};
    int calls = 0;
    bench.director.on_all_complete([&calls] { ++calls; });
    run(bench);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(bench.director.first_posted(), kNever);
    EXPECT_EQ(bench.director.last_finish(), kNever);
}

// [TR-91] A second completion of a message is a fault of the model.
TEST(Director, RefusesASecondCompletion)
{
    DirectorBench bench{list("1,0,1,100,0,,\n"), 2};
    run(bench);
    EXPECT_THROW(bench.director.completions[0]->wqe_complete(1), InvariantError);
    EXPECT_THROW(bench.director.completions[1]->recv_complete(1), InvariantError);
    EXPECT_THROW(bench.director.completions[0]->send_complete(1), InvariantError);
}

// [TR-90 .. TR-92] Completions come from the end that they belong to.
TEST(Director, RefusesCompletionsOfTheWrongNic)
{
    DirectorBench bench{list("1,0,1,100,0,,\n"), 2};
    bench.nics[0]->qps_fail = true;
    testbench::run_to_end([&bench] { return bench.director.failed() == 1; });
    EXPECT_THROW(bench.director.completions[1]->wqe_complete(1), InvariantError);
    EXPECT_THROW(bench.director.completions[1]->send_complete(1), InvariantError);
    EXPECT_THROW(bench.director.completions[0]->recv_complete(1), InvariantError);
    EXPECT_THROW(bench.director.completions[0]->wqe_complete(2), InvariantError);
}

// [WL-20, WL-31] The project's own files run to their end.
class DirectorFiles : public testing::TestWithParam<const char*> {};

TEST_P(DirectorFiles, RunToTheirEnd)
{
    const std::string path = std::string{MRCNIC_SOURCE_DIR "/testbench/data/"} + GetParam();
    const std::string text = read_text_file(path);
    const bool is_list = path.substr(path.size() - 4) == ".csv";
    DirectorBench bench{is_list ? read_message_list(text, path, 16) : read_connection_matrix(text, path, 16), 16};
    run(bench);
    EXPECT_EQ(bench.director.completed(), bench.director.workload().messages.size());
}

INSTANTIATE_TEST_SUITE_P(Data, DirectorFiles,
                         testing::Values("one_way.cm", "both_ways.cm", "permutation_16.cm", "incast_4.cm",
                                         "chains_4.cm", "messages.cm", "barrier_4.cm", "list.csv"));

// [WL-20] The barrier of the file: 50,050 is the later acknowledgement, then one answer after the other.
TEST(DirectorData, AnswersBehindTheBarrierOneAfterAnother)
{
    const std::string path = MRCNIC_SOURCE_DIR "/testbench/data/barrier_4.cm";
    DirectorBench bench{read_connection_matrix(read_text_file(path), path, 4), 4};
    run(bench);
    EXPECT_EQ(bench.posted(), (std::vector<Picoseconds>{0, 0, 50'050, 54'196, 58'342}));
}

}  // namespace
}  // namespace mrcnic::workload
