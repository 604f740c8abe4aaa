#include "mrcnic/workload/chakra_trace.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/workload/fake_nic.h"

namespace mrcnic::workload {
namespace {

constexpr Picoseconds kUs = 1'000'000;

TraceOptions on_nics(std::uint32_t count)
{
    TraceOptions options;
    for (std::uint32_t nic = 0; nic < count; ++nic) {
        options.nics.push_back(nic);
    }
    return options;
}

/// A trace of one file whose ranks have these nodes.
std::string of_ranks(const std::vector<std::string>& ranks, const std::string& more = "")
{
    std::string text = "{" + more + "\"ranks\":[";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        text += (i == 0 ? "\n{\"nodes\":[" : ",\n{\"nodes\":[") + ranks[i] + "]}";
    }
    return text + "]}";
}

Workload read(const std::vector<std::string>& ranks, const TraceOptions& options = on_nics(4),
              const std::string& more = "")
{
    return read_trace({{"w.json", of_ranks(ranks, more)}}, options);
}

std::string errors_of(const std::vector<TraceFile>& files, const TraceOptions& options = on_nics(4))
{
    try {
        (void)read_trace(files, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}
std::string rank_errors(const std::vector<std::string>& ranks, const std::string& more = "")
{
    return errors_of({TraceFile{"w.json", of_ranks(ranks, more)}});
}

std::string compute(int id, const std::string& us, const std::string& more = "")
{
    return "{\"id\":" + std::to_string(id) + ",\"type\":\"COMP_NODE\",\"duration_micros\":" + us + more + "}";
}
std::string after(const std::string& ids)
{
    return ",\"ctrl_deps\":[" + ids + "]";
}
std::string node(int id, const std::string& type, const std::string& attributes, const std::string& more = "")
{
    return "{\"id\":" + std::to_string(id) + ",\"type\":\"" + type + "\",\"attr\":{" + attributes + "}" + more + "}";
}
std::string send(int id, int to, int bytes, int tag, const std::string& more = "")
{
    return node(id, "COMM_SEND_NODE",
                "\"comm_dst\":" + std::to_string(to) + ",\"comm_size\":" + std::to_string(bytes) +
                    ",\"comm_tag\":" + std::to_string(tag),
                more);
}
std::string receive(int id, int from, int tag, const std::string& more = "")
{
    return node(id, "COMM_RECV_NODE", "\"comm_src\":" + std::to_string(from) + ",\"comm_tag\":" + std::to_string(tag),
                more);
}
std::string collective(int id, const std::string& type, int bytes, const std::string& more = "",
                       const std::string& attributes = "")
{
    return node(id, "COMM_COLL_NODE",
                "\"comm_type\":\"" + type + "\",\"comm_size\":" + std::to_string(bytes) + attributes, more);
}

/// Runs a trace on fake NICs.
class TraceBench {
public:
    explicit TraceBench(Workload workload, const DirectorConfig& config = {}) : bench_{std::move(workload), 4, config}
    {
        testbench::run_to_end([this] { return bench_.director.all_complete(); });
    }
    [[nodiscard]] Picoseconds start(std::size_t node) const { return bench_.director.node_records().at(node).start; }
    [[nodiscard]] Picoseconds end(std::size_t node) const { return bench_.director.node_records().at(node).end; }
    [[nodiscard]] std::vector<Picoseconds> posted() const { return bench_.posted(); }
    [[nodiscard]] Picoseconds now() const { return bench_.agenda.now(); }

private:
    DirectorBench bench_;
};

// [WL-W4] Synthesized and compiled traces share.
TEST(TraceRun, ComputeNodesShareTheirRank)
{
    const TraceBench run{read({compute(1, "10") + "," + compute(2, "10"), compute(1, "10")})};
    EXPECT_EQ(run.end(0), 20 * kUs);
    EXPECT_EQ(run.end(1), 20 * kUs);
    EXPECT_EQ(run.end(2), 10 * kUs);  // another rank
    EXPECT_EQ(run.now(), 20 * kUs);   // [WL-5] no message, and the nodes keep the run alive
}

// [WL-W4] Collected traces do not.
TEST(TraceRun, ComputeNodesOfACollectedTraceTakeTheirDuration)
{
    TraceOptions options = on_nics(4);
    options.compute_shares = false;
    const TraceBench run{read({compute(1, "10") + "," + compute(2, "10")}, options)};
    EXPECT_EQ(run.end(0), 10 * kUs);
    EXPECT_EQ(run.end(1), 10 * kUs);
}

// [WL-53] CPU and memory nodes never share.
TEST(TraceRun, CpuAndMemoryNodesNeverShare)
{
    const TraceBench run{read({compute(1, "10") + "," + compute(2, "10", ",\"attr\":{\"is_cpu_op\":true}") + "," +
                               "{\"id\":3,\"type\":\"MEM_LOAD_NODE\",\"duration_micros\":10}," +
                               "{\"id\":4,\"type\":\"MEM_STORE_NODE\",\"duration_micros\":0.25}"})};
    EXPECT_EQ(run.end(0), 10 * kUs);
    EXPECT_EQ(run.end(1), 10 * kUs);
    EXPECT_EQ(run.end(2), 10 * kUs);
    EXPECT_EQ(run.end(3), kUs / 4);
}

// [WL-52, WL-50] A node starts with the end of its last dependency of either kind, the first ones at `StartTime`.
TEST(TraceRun, NodesStartWithTheirLastDependency)
{
    DirectorConfig config;
    config.start_time = 5 * kUs;
    const TraceBench run{read({compute(1, "1") + ",{\"id\":2,\"type\":\"MEM_LOAD_NODE\",\"duration_micros\":3}," +
                               "{\"id\":3,\"type\":\"METADATA_NODE\",\"ctrl_deps\":[1],\"data_deps\":[2]}," +
                               compute(4, "2", after("3"))}),
                         config};
    EXPECT_EQ(run.start(0), 5 * kUs);
    EXPECT_EQ(run.end(0), 6 * kUs);
    EXPECT_EQ(run.start(2), 8 * kUs);
    EXPECT_EQ(run.end(2), 8 * kUs);  // [WL-51] metadata takes no time
    EXPECT_EQ(run.start(3), 8 * kUs);
    EXPECT_EQ(run.end(3), 10 * kUs);
}

// [WL-54] A send ends at SEND_COMPLETE, a receive at RECV_COMPLETE; what comes before its receive has started is held.
TEST(TraceRun, SendsAndReceivesEndWithTheirTransfer)
{
    const TraceBench run{read({compute(1, "1") + "," + send(2, 1, 1'000, 3, after("1")) + "," + send(3, 1, 500, 4),
                               receive(1, 0, 3) + "," + compute(2, "10") + "," + receive(3, 0, 4, after("2"))})};
    EXPECT_EQ(run.posted(), (std::vector<Picoseconds>{kUs, 0}));
    EXPECT_EQ(run.end(1), kUs + 1);
    EXPECT_EQ(run.end(2), 1);
    EXPECT_EQ(run.start(3), 0);
    EXPECT_EQ(run.end(3), kUs + 1'000);
    EXPECT_EQ(run.start(5), 10 * kUs);
    EXPECT_EQ(run.end(5), 10 * kUs);  // came at 500
}

// [WL-54] By tag, whatever the order; with one tag in order.
TEST(TraceRun, TransfersAreMatchedByTagAndOrder)
{
    const TraceBench run{read({send(1, 1, 10, 1) + "," + send(2, 1, 20, 2) + "," + send(3, 1, 30, 1),
                               receive(1, 0, 2) + "," + receive(2, 0, 1) + "," + receive(3, 0, 1)})};
    EXPECT_EQ(run.end(3), 20);
    EXPECT_EQ(run.end(4), 10);
    EXPECT_EQ(run.end(5), 30);
}

// [WL-55] A ring of two, 100 bytes: 2 steps of 50. Rank 1 joins at 1 us. Rank 0 sends step 1 at 0 and step 2 when that
// of rank 1 has come, at 1,000,050; rank 1 has had step 1 since 50, and sends both when it joins.
TEST(TraceRun, CollectivesRunInSteps)
{
    const TraceBench run{
        read({collective(1, "ALL_REDUCE", 100), compute(1, "1") + "," + collective(2, "ALL_REDUCE", 100, after("1"))})};
    EXPECT_EQ(run.posted(), (std::vector<Picoseconds>{0, kUs, kUs + 50, kUs}));
    EXPECT_EQ(run.end(0), kUs + 51);   // its last SEND_COMPLETE; the last receive was at 1,000,050
    EXPECT_EQ(run.end(2), kUs + 100);  // its last receive
}

// [WL-56] Default: two collectives of a group at once.
TEST(TraceRun, CollectivesOfAGroupOverlapByDefault)
{
    const std::string two = collective(1, "BROADCAST", 100) + "," + collective(2, "BROADCAST", 100);
    const TraceBench run{read({two, two})};
    EXPECT_EQ(run.posted(), (std::vector<Picoseconds>{0, 0}));
}

// [WL-56] One at a time, on each rank, in the order in which they become ready: 2 before 1 here.
TEST(TraceRun, CollectivesOfAGroupTakeTurns)
{
    TraceOptions options = on_nics(4);
    options.serializes_groups = true;
    const std::string three = compute(9, "1") + "," + collective(1, "BROADCAST", 3'000'000, after("9")) + "," +
                              collective(2, "BROADCAST", 2'000'000) + "," + collective(3, "BROADCAST", 500);
    const TraceBench run{read({three, three}, options)};
    // The root ends each at its SEND_COMPLETE; 1 is ready at 1 us, when 2 and 3 are done there.
    EXPECT_EQ(run.posted(), (std::vector<Picoseconds>{kUs, 0, 1}));
    // The receiver ends 2 at 2 us, then 3, whose bytes have come long before, then 1.
    EXPECT_EQ(run.start(5), kUs);
    EXPECT_EQ(run.end(6), 2 * kUs);
    EXPECT_EQ(run.end(7), 2 * kUs);
    EXPECT_EQ(run.end(5), 4 * kUs);
}

// [WL-56] A barrier of zero bytes first: 3 ranks x 4 steps. The root sends when its last step has come.
TEST(TraceFile, PutsABarrierBeforeCollectives)
{
    TraceOptions options = on_nics(4);
    options.barrier_before_collectives = true;
    const std::string one = collective(1, "BROADCAST", 100);
    const Workload workload = read({one, one, one}, options);
    ASSERT_EQ(workload.messages.size(), 14u);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(workload.messages[i].bytes, 0u);
    }
    // Message 12 (ids from 1) is the last step of rank 2 to rank 0, the root.
    EXPECT_EQ(workload.messages[11].destination, 0u);
    for (const std::size_t broadcast : {12U, 13U}) {
        EXPECT_EQ(workload.messages[broadcast].bytes, 100u);
        const auto wait = std::find_if(workload.waits.begin(), workload.waits.end(), [broadcast](const Wait& each) {
            return each.after == Point{PointKind::message_due, broadcast};
        });
        EXPECT_EQ(wait->before, (Point{PointKind::message_received, 11}));
    }
}

// [WL-50] Rank r on NIC r, or where the mapping says.
TEST(TraceFile, RunsRanksWhereTheMappingSays)
{
    const std::vector<std::string> ranks{send(1, 1, 10, 0), receive(1, 0, 0)};
    EXPECT_EQ(read(ranks).messages[0].destination, 1u);
    TraceOptions options;
    options.nics = {3, 2};
    options.all_used = true;
    const Workload workload = read(ranks, options);
    EXPECT_EQ(workload.messages[0].source, 3u);
    EXPECT_EQ(workload.messages[0].destination, 2u);
    EXPECT_EQ(workload.trace.nics, options.nics);
    options.nics = {3, 2, 1};
    EXPECT_EQ(errors_of({TraceFile{"w.json", of_ranks(ranks)}}, options),
              "error: w.json:1:1: the trace has 2 ranks, but workload.Ranks names 3 NICs; allowed: as many");
    EXPECT_EQ(
        errors_of({TraceFile{"w.json", of_ranks(ranks)}}, on_nics(1)),
        "error: w.json:1:1: the trace has 2 ranks, but workload.Ranks names 1 NICs; allowed: at most as many ranks "
        "as NICs");
}

// [WL-55] A group sends among its own, in its order; its root by rank.
TEST(TraceFile, CollectivesStayInTheirGroup)
{
    const std::string one = collective(1, "BROADCAST", 10, "", ",\"pg_name\":\"left\",\"comm_root\":2");
    const Workload workload = read({one, "", one}, on_nics(4), "\"process_groups\":{\"left\":[2,0]},");
    ASSERT_EQ(workload.messages.size(), 1u);
    EXPECT_EQ(workload.messages[0].source, 2u);
    EXPECT_EQ(workload.messages[0].destination, 0u);
}

// [WL-58] The JSON form of the schema's messages: other spellings, numbers as texts, attributes as a list, what is 0
// left out; metadata first, one message after the other, a file for each rank.
TEST(TraceFile, ReadsTheJsonFormOfTheSchema)
{
    const std::string first =
        "{\"version\": \"0.0.4\"}{\"name\": \"a\", \"type\": \"COMP_NODE\", \"durationMicros\": \"5\",\n"
        "\"attr\": [{\"name\": \"is_cpu_op\", \"boolVal\": false}, {\"docString\": \"x\", \"name\": \"other\"}]}\n"
        "{\"id\": \"7\", \"type\": 5, \"ctrlDeps\": [\"0\"], \"startTimeMicros\": \"3\", \"attr\": [{\"name\": "
        "\"comm_dst\", "
        "\"int32Val\": 1}, {\"name\": \"comm_size\", \"uint64Val\": \"4096\"}]}";
    const std::string second =
        "{\"id\": \"1\", \"type\": \"COMM_RECV_NODE\", \"attr\": [{\"name\": \"comm_src\", "
        "\"int32Val\": 0}, {\"name\": \"comm_size\", \"uint64Val\": \"4096\"}]}"
        "{\"id\": \"2\", \"type\": \"COMM_COLL_NODE\", \"attr\": [{\"name\": \"comm_type\", "
        "\"int64Val\": \"0\"}, {\"name\": \"comm_size\", \"int64_val\": 8}]}";
    EXPECT_EQ(errors_of({TraceFile{"t.0.json", first}, TraceFile{"t.1.json", second}}),
              "error: t.1.json:1:129: rank 1, node 2: rank 0 has only 0 collectives of this process group, not 1");
    const Workload workload = read_trace(
        {TraceFile{"t.0.json", first}, TraceFile{"t.1.json", second.substr(0, second.find("{\"id\": \"2\""))}},
        on_nics(2));
    ASSERT_EQ(workload.trace.nodes.size(), 3u);
    EXPECT_EQ(workload.trace.nodes[0].duration, 5 * kUs);
    EXPECT_TRUE(workload.trace.nodes[0].shares);
    EXPECT_EQ(workload.trace.nodes[0].name, "a");
    EXPECT_EQ(workload.trace.nodes[1].id, 7u);
    ASSERT_EQ(workload.messages.size(), 1u);
    EXPECT_EQ(workload.messages[0].bytes, 4'096u);
}

// [WL-58] `NAME.0.json` brings the files of the other ranks with it.
TEST(TraceFile, FindsTheFilesOfAllRanks)
{
    const testbench::TemporaryFolder folder;
    const std::string stem = folder.path() / "t";
    for (const int rank : {0, 1, 3}) {
        std::ofstream{stem + "." + std::to_string(rank) + ".json"} << "{\"nodes\":[]}";
    }
    std::ofstream{stem + ".json"} << of_ranks({"", ""});
    EXPECT_EQ(read_trace_files(stem + ".0.json").size(), 2u);
    EXPECT_EQ(read_trace_files(stem + ".json").size(), 1u);
    EXPECT_EQ(read_trace(read_trace_files(stem + ".0.json"), on_nics(4)).trace.nics.size(), 2u);
}

// [WL-50] What is wrong with a node, with its place, rank, id and what is allowed.
TEST(TraceFile, NamesWhatIsWrongWithANode)
{
    EXPECT_EQ(rank_errors({"{\"id\":1}", "{\"id\":2,\"type\":\"STORAGE_NODE\"}"}),
              "error: w.json:2:11: rank 0, node 1: the node has no type\n"
              "error: w.json:3:26: rank 1, node 2: type \"STORAGE_NODE\" is wrong; allowed: METADATA_NODE (1), "
              "MEM_LOAD_NODE (2), MEM_STORE_NODE (3), COMP_NODE (4), COMM_SEND_NODE (5), COMM_RECV_NODE (6), "
              "COMM_COLL_NODE (7)");
    EXPECT_EQ(rank_errors({compute(1, "-1"), compute(1, "0.5,\"name\":3"), compute(1, "\"1.5\"")}),
              "error: w.json:2:56: rank 0, node 1: duration_micros -1 is wrong; allowed: a whole number in "
              "0..4611686018427\n"
              "error: w.json:4:56: rank 2, node 1: duration_micros \"1.5\" is wrong; allowed: a whole number in "
              "0..4611686018427");
    EXPECT_EQ(
        rank_errors({node(4, "COMP_NODE", "\"num_ops\":5")}),
        "error: w.json:2:56: rank 0, node 4: num_ops without duration_micros; this model has no speed of computing "
        "or of memory, so the node needs its duration");
    EXPECT_EQ(rank_errors({node(4, "COMM_SEND_NODE", "\"comm_dst\":1")}),
              "error: w.json:2:11: rank 0, node 4: a COMM_SEND_NODE needs the attribute comm_size");
    EXPECT_EQ(
        rank_errors({collective(4, "GATHER", 5)}),
        "error: w.json:2:63: rank 0, node 4: comm_type \"GATHER\" is wrong; allowed: ALL_REDUCE (0), ALL_GATHER (2), "
        "BROADCAST (5), ALL_TO_ALL (6), REDUCE_SCATTER (7), BARRIER (9)");
}

// [WL-50] Dependencies: of the rank, to nodes that it has, without a cycle.
TEST(TraceFile, NamesWrongDependencies)
{
    EXPECT_EQ(
        rank_errors({compute(1, "1") + "," + compute(1, "1"), compute(2, "1", after("1"))}),
        "error: w.json:2:59: rank 0, node 1: the rank has a node with this id already; allowed: each id once\n"
        "error: w.json:3:71: rank 1, node 2: depends on node 1, which its rank does not have; allowed: nodes of the "
        "same rank");
    EXPECT_EQ(rank_errors({compute(9, "1", after("4")) + "," + compute(4, "1", after("5")) + "," +
                               compute(5, "1", after("4,6")) + "," + compute(6, "1"),
                           compute(1, "1", after("1"))}),
              "error: w.json:2:75: rank 0, node 4: waits for itself: 4 -> 5 -> 4\n"
              "error: w.json:3:11: rank 1, node 1: waits for itself: 1 -> 1");
}

// [WL-54] Both ends of every transfer.
TEST(TraceFile, NamesTransfersWithoutTheirOtherEnd)
{
    EXPECT_EQ(
        rank_errors({send(1, 1, 10, 7) + "," + send(2, 0, 10, 7), receive(1, 0, 8)}),
        "error: w.json:2:11: rank 0, node 1: rank 1 has no receive for this send: it has 0 from rank 0 with tag 7, "
        "and 1 are sent\n"
        "error: w.json:2:94: rank 0, node 2: comm_dst 0 is its own rank; allowed: 0..1, and not its own\n"
        "error: w.json:3:11: rank 1, node 1: rank 0 has no send for this receive: it has 0 to rank 1 with tag 8, "
        "and 1 are awaited");
    EXPECT_EQ(
        rank_errors({send(1, 1, 10, 7), node(1, "COMM_RECV_NODE", "\"comm_src\":0,\"comm_tag\":7,\"comm_size\":11")}),
        "error: w.json:3:11: rank 1, node 1: comm_size 11 differs from that of its send, rank 0, node 1; allowed: "
        "10");
}

// [WL-55] The same collectives on all ranks of a group.
TEST(TraceFile, NamesCollectivesThatDoNotFit)
{
    EXPECT_EQ(
        rank_errors({collective(1, "BROADCAST", 10), collective(1, "BROADCAST", 11)}),
        "error: w.json:3:11: rank 1, node 1: collective 1 of its process group differs from that of rank 0, node 1; "
        "allowed: the same comm_type, comm_size and comm_root on every rank");
    const std::string group = ",\"pg_name\":\"g\"";
    EXPECT_EQ(rank_errors({collective(1, "BARRIER", 0, "", group)}),
              "error: w.json:2:11: rank 0, node 1: pg_name \"g\" is not defined; allowed: a name in process_groups, or "
              "none for all ranks");
    EXPECT_EQ(rank_errors({collective(1, "BARRIER", 0, "", group), ""}, "\"process_groups\":{\"g\":[1]},"),
              "error: w.json:2:11: rank 0, node 1: its rank is not in process group \"g\"");
    EXPECT_EQ(rank_errors({"", ""}, "\"process_groups\":{\"g\":[1,2]},"),
              "error: w.json:1:24: process group \"g\": 2 is no rank of this trace; allowed: 0..1");
    EXPECT_EQ(rank_errors({collective(1, "BROADCAST", 0, "", ",\"comm_root\":5")}),
              "error: w.json:2:11: rank 0, node 1: comm_root 5 is not in the process group; allowed: one of its ranks");
}

// [WL-58] Files that are no trace.
TEST(TraceFile, NamesTheFormThatItReads)
{
    EXPECT_EQ(errors_of({TraceFile{"w.json", "{\"node\":[]}"}}),
              "error: w.json:1:1: this is no execution trace; allowed: an object with \"ranks\" (all of them) or "
              "\"nodes\" (of one rank), or nodes one after another");
    EXPECT_EQ(errors_of({TraceFile{"w.json", "[]"}}),
              "error: w.json:1:1: a trace as an array is wrong; allowed: an object");
    EXPECT_EQ(errors_of({TraceFile{"w.json", "{\"ranks\":[\n{}]}"}}), "error: w.json:2:1: rank 0 has no \"nodes\"");
    EXPECT_EQ(errors_of({TraceFile{"w.json", "{\"ranks\":[{\"rank\":1,\"nodes\":[]}]}"}}),
              "error: w.json:1:19: rank 1 is wrong; allowed: a whole number in 0..0");
}

}  // namespace
}  // namespace mrcnic::workload
