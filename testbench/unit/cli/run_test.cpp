#include <algorithm>
#include <csignal>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "testbench/support/program.h"

// `mrcnic run`: exit codes, records, table, progress, interruption.

namespace mrcnic::testbench {
namespace {

using Arguments = std::vector<std::string>;
using nlohmann::json;

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

json summary_of(const Program& program, const std::string& folder = "out")
{
    return json::parse(program.read(folder + "/summary.json"));
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream stream{text};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

// The default main job: exit code 0, nothing on standard error, a table that agrees with the summary.
TEST(Run, MainJob)
{
    const Program program;
    const Finished finished = program.run({"run", example("pair.toml")});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(lines_of(finished.out).at(0), "pair: 2 of 2 messages completed");
    for (const char* part : {"\nGoodput ", " Gbps in all: 4.000 MB from 0 ps to ", "\nCompletion time   min ",
                             ", mean ", ", max ", "\nSimulated ", "\nRecords           out\n"}) {
        EXPECT_TRUE(contains(finished.out, part)) << part << " is not in\n" << finished.out;
    }
    // [TR-W4] 55 packets of 4,174 bytes of a pool of 230,400
    EXPECT_TRUE(contains(finished.out, "  NIC 0        229,570 B  99.6 %")) << finished.out;
    const json summary = summary_of(program);
    EXPECT_EQ(summary["platform"], "pair");
    EXPECT_EQ(summary["messages"]["completed"], 2);
    EXPECT_EQ(summary["messages"]["bytes"], 4'000'000);
    // ceil(2,000,000 / 4,096) each way
    EXPECT_EQ(summary["data_packets"], 2 * 489);
    EXPECT_TRUE(std::filesystem::exists(program.folder() / "out/nd-stats.csv"));
    EXPECT_EQ(lines_of(program.read("out/messages.csv")).size(), 3U);
}

// The columns of the table stand below each other: its rows end where the heading ends.
TEST(Run, TableIsAligned)
{
    const Program program;
    const Finished finished =
        program.run({"run", example("line_rate_receive.toml"), "--set", "workload.FrameCount=1200"});
    const std::vector<std::string> lines = lines_of(finished.out);
    EXPECT_EQ(lines.at(0), "line_rate_receive");
    EXPECT_EQ(lines.at(2), "Frames            1,200 received, 0 dropped (0.000 %)");
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        if (lines[i].rfind("Buffer peaks", 0) == 0 || lines[i].rfind("Data packets", 0) == 0) {
            EXPECT_EQ(lines[i].size(), lines[i + 1].size()) << finished.out;
        }
        EXPECT_TRUE(lines[i].empty() || lines[i].back() != ' ') << finished.out;
    }
}

TEST(Run, QuietPrintsNothing)
{
    const Program program;
    const Finished finished = program.run({"run", example("pair.toml"), "--quiet", "--out", "a/b"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.out + finished.err, "");
    EXPECT_EQ(summary_of(program, "a/b")["messages"]["completed"], 2);
}

// --set goes before the file, the last of a path wins; a relative path there is relative to the current folder.
TEST(Run, Overrides)
{
    const Program program;
    program.write("own.cm", "Nodes 2\nConnections 1\n1->0 start 0 size 5000\n");
    const Finished finished =
        program.run({"run", example("pair.toml"), "--set", "nic.SemanticLayer.MSS=16", "--set=workload.File=own.cm",
                     "--set", "nic.SemanticLayer.MSS=1000", "--seed", "7", "--seed", "8", "--quiet"});
    EXPECT_EQ(finished.exit_code, 0);
    const json summary = summary_of(program);
    EXPECT_EQ(summary["seed"], 8);
    EXPECT_EQ(summary["data_packets"], 5);
    EXPECT_EQ(summary["nics"][1]["transport"]["data_sent"], 5);
}

// [WL-5] Exit code 4: records are whole, the first ten unfinished messages are listed.
TEST(Run, StopTime)
{
    const Program program;
    const Finished finished =
        program.run({"run", example("star.toml"), "--set", "workload.File=" + data("permutation_16.cm"), "--set",
                     "simulation.StopTime=10us"});
    EXPECT_EQ(finished.exit_code, 4);
    const std::vector<std::string> errors = lines_of(finished.err);
    ASSERT_EQ(errors.size(), 12U) << finished.err;
    EXPECT_EQ(errors[0], "error: the run ended with 16 of 16 messages unfinished: the stop time has come");
    EXPECT_EQ(errors[1], "error: message 1 from NIC 0 to NIC 5, 2000000 B: not received completely");
    EXPECT_EQ(errors[11], "error: and 6 more unfinished messages");
    EXPECT_EQ(lines_of(finished.out).at(0), "star: 0 of 16 messages completed, the stop time has come");
    const json summary = summary_of(program);
    EXPECT_EQ(summary["sim_time_ps"], 10'000'000);
    EXPECT_EQ(summary["messages"]["posted"], 16);
    EXPECT_EQ(lines_of(program.read("out/messages.csv")).size(), 17U);
}

// Exit code 3: events ran out with a message unfinished, here one that waits for a trigger that never fires.
TEST(Run, Stuck)
{
    const Program program;
    program.write("stuck.cm",
                  "Nodes 2\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 1000 send_done_trigger 1\n"
                  "1->0 id 2 trigger 1 size 1000\ntrigger id 1 barrier count 2\n");
    const Finished finished = program.run({"run", example("pair.toml"), "--set", "workload.File=stuck.cm", "--quiet"});
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(finished.err,
              "error: the run ended with 1 of 2 messages unfinished: nothing is left to happen\n"
              "error: message 2 from NIC 1 to NIC 0, 1000 B: not posted yet\n");
    EXPECT_EQ(summary_of(program)["messages"]["completed"], 1);
}

// [WL-20] Exit code 3: a oneshot that fires twice is an error of the run, whose records are whole all the same.
TEST(Run, TriggerFiresOnceMore)
{
    const Program program;
    program.write("twice.cm",
                  "Nodes 2\nConnections 3\nTriggers 1\n0->1 id 1 start 0 size 1000 send_done_trigger 1\n"
                  "0->1 id 3 start 0 size 1000 send_done_trigger 1\n1->0 id 2 trigger 1 size 1000\n"
                  "trigger id 1 oneshot\n");
    const Finished finished = program.run({"run", example("pair.toml"), "--set", "workload.File=twice.cm", "--quiet"});
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(finished.err, "error: twice.cm: trigger 1 (oneshot) has fired already; message 3 fires it once more\n");
    EXPECT_EQ(summary_of(program)["messages"]["completed"], 3);
}

// [TR-87] A warning of the model is a line on standard error; so is what it led to.
TEST(Run, Warning)
{
    const Program program;
    const Finished finished = program.run(
        {"run", example("pair.toml"), "--quiet", "--set", "nics[1].IngressBufferManager.TotalBufferSize=20KB", "--set",
         "nics[1].HostInterface.NICSide.LaneCount=1", "--set", "nic.Transport.MaxRetries=1", "--set",
         "nic.CongestionControl.NSCCEnable=false", "--set", "nic.Transport.SackGapThreshold=0"});
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(finished.err,
              "warning: /mrcnic/transport: queue pair 1 went into error after 1 retries of one packet\n"
              "error: the run ended with 1 of 2 messages unfinished: nothing is left to happen\n"
              "error: message 1 from NIC 0 to NIC 1, 2000000 B: given up after too many retries\n");
}

// With payload the program compares what arrived with what was sent.
TEST(Run, PayloadOfBytes)
{
    const Program program;
    const Finished finished =
        program.run({"run", example("pair.toml"), "--set", "simulation.PayloadMode=bytes", "--quiet"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
}

// One message, one each way, a permutation, on the star as on the pair: all complete, no packet more than needed.
TEST(Run, WorkloadsOnAStar)
{
    struct Case {
        std::string file;
        int messages;
    };
    for (const Case& run : {Case{"one_way.cm", 1}, Case{"both_ways.cm", 2}, Case{"permutation_16.cm", 16}}) {
        const Program program;
        const Finished finished =
            program.run({"run", example("star.toml"), "--quiet", "--set", "workload.File=" + data(run.file)});
        EXPECT_EQ(finished.exit_code, 0) << finished.err;
        const json summary = summary_of(program);
        EXPECT_EQ(summary["messages"]["completed"], run.messages);
        EXPECT_EQ(summary["data_packets"], run.messages * 489);
    }
}

// The examples run as they ship.
TEST(Run, Examples)
{
    for (const char* name : {"pair.toml", "star.toml", "incast.toml", "leaf_spine.toml", "line_rate_receive.toml"}) {
        const Program program;
        const Finished finished = program.run({"run", example(name)});
        EXPECT_EQ(finished.exit_code, 0) << name << '\n' << finished.err;
        EXPECT_EQ(finished.err, "");
    }
}

/// All files of a run, the fields of the summary left out that tell of the machine.
std::string records_of(const Program& program, const std::string& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{program.folder() / folder}) {
        const std::string name = entry.path().filename();
        files[name] = program.read(entry.path());
        if (name == "summary.json") {
            json summary = json::parse(files[name]);
            for (const char* field : {"version", "wall_s", "cpu_s", "kernel_events"}) {
                EXPECT_EQ(summary.erase(field), 1U) << field;
            }
            files[name] = summary.dump();
        }
    }
    EXPECT_GE(files.size(), 3U);
    return json(files).dump();
}

// The same file and seed give the same records.
TEST(Run, SameRecordsTwice)
{
    const Program program;
    for (const char* folder : {"a", "b"}) {
        EXPECT_EQ(program
                      .run({"run", example("star.toml"), "--quiet", "--out", folder, "--set",
                            "simulation.NDStatsReportInterval=5us"})
                      .exit_code,
                  0);
    }
    EXPECT_GT(lines_of(program.read("a/nd-stats.csv")).size(), 4U * 32U);
    EXPECT_EQ(records_of(program, "a"), records_of(program, "b"));
}

const Arguments kLongRun{"run",   example("line_rate_receive.toml"),       "--set", "workload.FrameCount=1000000000",
                         "--set", "simulation.NDStatsReportInterval=100us"};

/// Waits until the process runs the simulation: it has written records, or progress to a file.
void wait_for_output(const Program& program, const std::string& file)
{
    std::error_code missing;
    for (int i = 0; i < 3000; ++i) {
        const auto size = std::filesystem::file_size(program.folder() / file, missing);
        if (!missing && size > 0) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    ADD_FAILURE() << "nothing was written to " << file << " in 30 s";
}

void expect_valid_records(const Program& program)
{
    const json summary = summary_of(program);
    EXPECT_EQ(summary["outcome"], "interrupted");
    EXPECT_GT(summary["sim_time_ps"], 0);
    const std::vector<std::string> rows = lines_of(program.read("out/nd-stats.csv"));
    EXPECT_GT(rows.size(), 1U);
    for (const std::string& row : rows) {
        EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(rows[0].begin(), rows[0].end(), ',')) << row;
    }
    // Whole: the last row ends, and is that of the end of the run.
    EXPECT_EQ(program.read("out/nd-stats.csv").back(), '\n');
    EXPECT_EQ(program.read("out/messages.csv").back(), '\n');
}

// SIGINT and SIGTERM end the run with exit code 130; records so far are closed and valid.
TEST(Run, Interrupted)
{
    for (const int signal : {SIGINT, SIGTERM}) {
        const Program program;
        const pid_t process = program.start(kLongRun);
        wait_for_output(program, "out/nd-stats.csv");
        kill(process, signal);
        const Finished finished = program.wait(process);
        EXPECT_EQ(finished.exit_code, 130);
        EXPECT_EQ(finished.err, "");
        EXPECT_EQ(lines_of(finished.out).at(0), "line_rate_receive, interrupted");
        expect_valid_records(program);
    }
}

// A platform with messages says how far it came, but an interruption is no error: none is listed.
TEST(Run, InterruptedWithMessages)
{
    const Program program;
    Arguments arguments{"run",   example("pair.toml"),           "--set", "workload.File=",
                        "--set", "workload.MessageBytes=1000GB", "--set", "simulation.NDStatsReportInterval=100us"};
    const pid_t process = program.start(arguments);
    wait_for_output(program, "out/nd-stats.csv");
    kill(process, SIGINT);
    const Finished finished = program.wait(process);
    EXPECT_EQ(finished.exit_code, 130);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(lines_of(finished.out).at(0), "pair: 0 of 1 messages completed, interrupted");
    expect_valid_records(program);
}

// Piped, there is no progress unless it is asked for; then it is whole lines: percent, time, rate, time left.
TEST(Run, Progress)
{
    const Program program;
    Arguments arguments = kLongRun;
    arguments.insert(arguments.end(), {"--progress", "on", "--quiet"});
    const pid_t process = program.start(arguments);
    wait_for_output(program, "stderr");
    kill(process, SIGINT);
    const Finished finished = program.wait(process);
    EXPECT_EQ(finished.exit_code, 130);
    EXPECT_EQ(finished.out, "");
    EXPECT_FALSE(contains(finished.err, "\r"));
    const std::string line = lines_of(finished.err).at(0);
    EXPECT_EQ(line.find(" %  simulated "), 5U) << line;
    EXPECT_TRUE(contains(line, " packets/s  ")) << line;
    EXPECT_EQ(line.substr(line.size() - 5), " left") << line;
}

// [WL-5, WL-57] A trace without messages runs for as long as its nodes do: two of 10 us that share, on an idle NIC.
TEST(Run, TraceOfComputeNodesOnly)
{
    const Program program;
    program.write("t.json", R"({"ranks":[{"nodes":[{"id":1,"type":"COMP_NODE","duration_micros":10},
        {"id":2,"name":"two","type":"COMP_NODE","duration_micros":10}]}]})");
    const Finished finished =
        program.run({"run", example("pair.toml"), "--set", "workload.File=t.json", "--set", "workload.StartTime=1us"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_TRUE(contains(finished.out, "\nTrace       2 of 2 nodes ended\nRank ends   0 21.00 us\n")) << finished.out;
    const json summary = summary_of(program);
    EXPECT_EQ(summary["sim_time_ps"], 21'000'000);
    EXPECT_EQ(summary["ranks"], json::parse(R"([{"rank": 0, "nic": 0, "end_ps": 21000000}])"));
    EXPECT_EQ(program.read("out/trace-nodes.csv"),
              "rank,node,name,type,start_ps,end_ps\n"
              "0,1,,COMP_NODE,1000000,21000000\n"
              "0,2,two,COMP_NODE,1000000,21000000\n");
}

// [WL-54] Ranks that wait for each other: exit code 3, and the nodes that have not ended.
TEST(Run, TraceThatIsStuck)
{
    const Program program;
    program.write("t.json", R"({"ranks":[
        {"nodes":[{"id":1,"type":"COMM_RECV_NODE","attr":{"comm_src":1}},
                  {"id":2,"type":"COMM_SEND_NODE","ctrl_deps":[1],"attr":{"comm_dst":1,"comm_size":10}}]},
        {"nodes":[{"id":1,"type":"COMM_RECV_NODE","attr":{"comm_src":0}},
                  {"id":2,"type":"COMM_SEND_NODE","ctrl_deps":[1],"attr":{"comm_dst":0,"comm_size":10}}]}]})");
    const Finished finished = program.run({"run", example("pair.toml"), "--set", "workload.File=t.json"});
    EXPECT_EQ(finished.exit_code, 3);
    for (const char* line : {"error: the run ended with 2 of 2 messages unfinished: nothing is left to happen\n",
                             "error: 4 of 4 nodes of the trace are unfinished\n",
                             "error: rank 0, node 1, COMM_RECV_NODE: started, not ended\n",
                             "error: rank 1, node 2, COMM_SEND_NODE: not started\n"}) {
        EXPECT_TRUE(contains(finished.err, line)) << line << finished.err;
    }
    EXPECT_TRUE(contains(program.read("out/trace-nodes.csv"), "0,1,,COMM_RECV_NODE,0,\n0,2,,COMM_SEND_NODE,,\n"));
}

// The examples of the workloads run to their end; a run without a trace has no record of its nodes.
TEST(Run, ExamplesOfWorkloads)
{
    for (const std::string name : {"websearch", "allreduce", "trace"}) {
        const Program program;
        const Finished finished = program.run({"run", example(name + ".toml")});
        EXPECT_EQ(finished.exit_code, 0) << name << finished.err;
        EXPECT_EQ(std::filesystem::exists(program.folder() / "out/trace-nodes.csv"), name == "trace");
        if (name == "allreduce") {
            EXPECT_EQ(summary_of(program)["messages"]["completed"], 112);  // [WL-W3]
        }
    }
}

}  // namespace
}  // namespace mrcnic::testbench
