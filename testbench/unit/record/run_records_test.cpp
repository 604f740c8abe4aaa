#include "mrcnic/platforms/run_records.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <systemc>

#include "mrcnic/config/digest.h"
#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/node_statistics.h"
#include "mrcnic/platforms/registry.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"
#include "testbench/unit/record/recorded_run.h"

namespace mrcnic::platforms {
namespace {

using testbench::number;
using testbench::RecordedRun;
using testbench::Row;
using testbench::rows_of;
using testbench::text_of;

std::vector<Row> rows_of_node(const std::vector<Row>& rows, const std::string& node)
{
    std::vector<Row> chosen;
    for (const Row& row : rows) {
        if (row.at("node_id") == node) {
            chosen.push_back(row);
        }
    }
    return chosen;
}

double sum(const std::vector<Row>& rows, const std::string& column)
{
    double total = 0;
    for (const Row& row : rows) {
        total += number(row, column);
    }
    return total;
}

// 1 MiB is 256 packets of 4,096 bytes, 4,174 on the wire, and comes back as 256 SACKs of 94 bytes and one ACK of 62.
constexpr const char* kDataBytes = "0.001068544";
constexpr const char* kControlBytes = "2.4126e-05";

// [RC-15] [RC-17] [RC-18] [RC-44] Two rows every 10 us, the last ones at the end of draining; each frame counts once,
// on both its ends, and interval columns add up to the totals.
TEST(RunRecords, PairWithShortIntervals)
{
    RecordedRun run{"pair", {{"simulation.NDStatsReportInterval", "10us"}}};
    run.to_end();
    const std::vector<Row> rows = run.nd_stats();
    const std::vector<Row> first = rows_of_node(rows, "0");
    const std::vector<Row> second = rows_of_node(rows, "1");
    ASSERT_EQ(first.size(), 3U);
    ASSERT_EQ(second.size(), 3U);
    EXPECT_EQ(first[0].at("sim_time_sec"), "1e-05");
    EXPECT_EQ(first[1].at("sim_time_sec"), "2e-05");
    const double end = static_cast<double>(run.platform->end_time()) / 1e12;
    EXPECT_EQ(number(first[2], "sim_time_sec"), end);
    EXPECT_GT(end, 2e-5);
    EXPECT_LT(end, 3e-5);
    EXPECT_NEAR(number(first[2], "tx_rate_Gbps"), number(first[2], "interval_bytes_tx_MB") * 8e-3 / (end - 2e-5), 1e-6);

    EXPECT_EQ(first[2].at("total_packets_tx"), "256");
    EXPECT_EQ(first[2].at("total_packets_rx"), "257");
    EXPECT_EQ(first[2].at("total_bytes_tx_GB"), kDataBytes);
    EXPECT_EQ(first[2].at("total_bytes_rx_GB"), kControlBytes);
    EXPECT_EQ(second[2].at("total_bytes_rx_GB"), kDataBytes);
    EXPECT_EQ(second[2].at("total_bytes_tx_GB"), kControlBytes);
    EXPECT_EQ(second[2].at("total_packets_rx"), "256");
    EXPECT_EQ(second[2].at("total_packets_tx"), "257");
    EXPECT_NEAR(sum(first, "interval_bytes_tx_MB"), 1.068544, 1e-12);
    EXPECT_NEAR(sum(second, "interval_bytes_tx_MB"), 0.024126, 1e-12);
    EXPECT_NEAR(sum(second, "interval_bytes_rx_MB"), 1.068544, 1e-12);
}

// [RC-45] Back to back: within one frame (0.033392 Gbps of 1 ms) of 400 Gbps, FCS and headers included.
// [RC-16] [RC-17] The stop time is the instant of a row: the row is there once, and none of length 0.
// [RC-92] The message is not done: its completions are empty.
TEST(RunRecords, FullRateAndStopTime)
{
    RecordedRun run{"pair", {{"workload.MessageBytes", "200MB"}, {"simulation.StopTime", "2ms"}}};
    run.to_end();
    const std::vector<Row> sender = rows_of_node(run.nd_stats(), "0");
    ASSERT_EQ(sender.size(), 2U);
    EXPECT_EQ(sender[1].at("sim_time_sec"), "0.002");
    EXPECT_NEAR(number(sender[1], "tx_rate_Gbps"), 400, 0.033392);
    EXPECT_NEAR(number(sender[1], "tx_link_percent_util"), 100, 0.008348);
    const Row message = run.messages().at(0);
    EXPECT_EQ(message.at("bytes"), "200000000");
    EXPECT_EQ(message.at("start_ps"), "0");
    EXPECT_EQ(message.at("wqe_complete_ps") + message.at("recv_complete_ps") + message.at("finish_ps"), "");
    const auto summary = run.summary();
    EXPECT_EQ(summary["outcome"], "stopped");
    EXPECT_EQ(summary["sim_time_ps"], 2'000'000'000);
    EXPECT_EQ(summary["messages"]["posted"], 1);
    EXPECT_EQ(summary["messages"]["completed"], 0);
    EXPECT_TRUE(summary["messages"]["last_finish_ps"].is_null());
    EXPECT_TRUE(summary["messages"]["goodput_bps"].is_null());
}

// [PC-7] [E12] Drops are in rx_drops and nowhere in the transport: frames sent = frames delivered + rx_drops, exactly.
// [RC-40.12] Dropped frames have arrived.
TEST(RunRecords, DropsAreCountedOnce)
{
    RecordedRun run{"line_rate_receive",
                    {{"workload.FrameCount", "2000"},
                     {"nic.HostInterface.NICSide.LaneCount", "8"},
                     {"nic.HostInterface.HostSide.LaneCount", "8"},
                     {"nic.IngressBufferManager.TotalBufferSize", "100KB"}}};
    run.to_end();
    const std::vector<Row> rows = run.nd_stats();
    ASSERT_EQ(rows.size(), 1U);  // one port, and the run is shorter than an interval
    const auto nic = run.summary()["nics"][0];
    const std::uint64_t drops = std::stoull(rows[0].at("rx_drops"));
    EXPECT_GT(drops, 0U);
    EXPECT_EQ(nic["ingress"]["drops_data"], drops);
    EXPECT_EQ(nic["transport"]["data_received"], 2000 - drops);
    EXPECT_EQ(rows[0].at("total_packets_rx"), "2000");
    EXPECT_EQ(rows[0].at("tx_drops"), "0");
    for (const char* counter : {"retransmissions", "nacks_sent", "rto_fired", "out_of_order", "duplicates",
                                "window_discards", "invalid_received", "unknown_received"}) {
        EXPECT_EQ(nic["transport"][counter], 0) << counter;
    }
    EXPECT_EQ(nic["host"]["bytes_written"], (2000 - drops) * 4096);
    EXPECT_EQ(text_of(run.folder / "messages.csv"),
              "id,src,dst,bytes,start_ps,wqe_complete_ps,recv_complete_ps,finish_ps\n");
}

// All names that the program's description promises are there, with the values of this run.
TEST(RunRecords, SummaryOfThePair)
{
    RecordedRun run{"pair", {}};
    run.to_end();
    const auto summary = run.summary();
    EXPECT_EQ(summary["platform"], "pair");
    EXPECT_EQ(summary["seed"], 1);
    EXPECT_EQ(summary["config_digest"], config::config_digest(config::effective_values(run.platform->config())));
    EXPECT_EQ(summary["outcome"], "completed");
    EXPECT_EQ(summary["sim_time_ps"], run.platform->end_time());
    EXPECT_EQ(summary["wall_s"], 1.5);
    EXPECT_EQ(summary["cpu_s"], 1.25);
    EXPECT_EQ(summary["kernel_events"], run.platform->agenda().kernel_events());
    EXPECT_EQ(summary["data_packets"], 256);

    const Row message = run.messages().at(0);
    EXPECT_EQ(summary["messages"]["posted"], 1);
    EXPECT_EQ(summary["messages"]["completed"], 1);
    EXPECT_EQ(summary["messages"]["bytes"], 1'048'576);
    EXPECT_EQ(summary["messages"]["first_start_ps"], 0);
    EXPECT_EQ(summary["messages"]["last_finish_ps"].dump(), message.at("finish_ps"));
    // [RC-71] 8,388,608 bits until RECV_COMPLETE
    EXPECT_NEAR(summary["messages"]["goodput_bps"].get<double>(), 8'388'608e12 / number(message, "recv_complete_ps"),
                1);

    ASSERT_EQ(summary["nics"].size(), 2U);
    const auto sender = summary["nics"][0];
    EXPECT_EQ(sender["name"], "MrcNic-0");
    EXPECT_EQ(sender["egress"]["data_pool_bytes"], 230'400);
    EXPECT_EQ(sender["egress"]["data_peak_bytes"], 229'570);
    EXPECT_EQ(sender["port"]["tx_busy_ps"], 256 * 83'480);
    EXPECT_EQ(sender["host"]["bytes_read"], 1'048'576);
    EXPECT_EQ(summary["nics"][1]["host"]["bytes_written"], 1'048'576);
    EXPECT_EQ(summary["nics"][1]["transport"]["data_received"], 256);
    EXPECT_EQ(summary["nics"][1]["transport"]["sacks_sent"], 256);

    const std::vector<std::pair<const char*, std::vector<const char*>>> promised{
        {"/egress",
         {"data_pool_bytes", "control_pool_bytes", "data_peak_bytes", "control_peak_bytes", "stalls",
          "retries_after_drain"}},
        {"/ingress",
         {"data_pool_bytes", "control_pool_bytes", "data_peak_bytes", "control_peak_bytes", "drops_data",
          "drops_control"}},
        {"/port",
         {"tx_frames", "tx_bytes", "tx_busy_ps", "rx_frames", "rx_bytes", "control_wait_mean_ps",
          "control_wait_max_ps"}},
        {"/pcie/nic_to_host",
         {"tlps", "bytes", "busy_ps", "header_credit_stall_ps", "data_credit_stall_ps", "tx_header_wait_ps",
          "tx_data_wait_ps"}},
        {"/pcie/host_to_nic",
         {"tlps", "bytes", "busy_ps", "header_credit_stall_ps", "data_credit_stall_ps", "tx_header_wait_ps",
          "tx_data_wait_ps"}},
        {"/transport",
         {"data_sent", "data_received", "retransmissions", "acks_sent", "sacks_sent", "nacks_sent", "probes_sent",
          "rto_fired", "trims_seen"}},
        {"/host", {"bytes_read", "bytes_written"}}};
    for (const auto& [section, names] : promised) {
        const auto& object = sender.at(nlohmann::ordered_json::json_pointer{section});
        for (const char* name : names) {
            EXPECT_TRUE(object.contains(name) && object[name].is_number()) << section << " " << name;
        }
    }
}

// [RC-15] First rows at StartTime + ClientStartOffset + interval. [RC-10] Names with a prefix; the summary has none.
TEST(RunRecords, FirstRowAndPrefix)
{
    RecordedRun run{"pair",
                    {{"workload.StartTime", "1us"},
                     {"simulation.ClientStartOffset", "500ns"},
                     {"simulation.NDStatsReportInterval", "10us"},
                     {"simulation.RecordPrefix", "study"}}};
    run.to_end();
    const std::vector<Row> rows = rows_of(run.folder / "study-nd-stats-0.csv");
    ASSERT_EQ(rows.size(), 6U);  // at 11.5, 21.5 us and at the end
    EXPECT_EQ(rows[0].at("sim_time_sec"), "1.15e-05");
    EXPECT_TRUE(std::filesystem::exists(run.folder / "study-messages-0.csv"));
    EXPECT_TRUE(std::filesystem::exists(run.folder / "summary.json"));
    EXPECT_FALSE(std::filesystem::exists(run.folder / "nd-stats.csv"));
}

// [RC-13] The wall clock in time_utc on demand.
TEST(RunRecords, WallClock)
{
    RecordedRun run{"pair", {{"simulation.WallClockUtc", "true"}, {"workload.MessageBytes", "1"}}};
    run.to_end();
    EXPECT_EQ(run.nd_stats().at(0).at("time_utc").substr(0, 1), "2");
}

// [RC-20] [RC-27] nd-stats is on by default; a record that is off has no file and no event of its own.
TEST(RunRecords, OffCostsNothing)
{
    RecordedRun run{"pair",
                    {{"simulation.EnableNetDeviceStatLogging", "false"},
                     {"nic.EnableTransportStats", "false"},
                     {"workload.MessageBytes", "1"}}};
    EXPECT_FALSE(run.platform->agenda().has_entries());
    run.to_end();
    EXPECT_FALSE(std::filesystem::exists(run.folder / "nd-stats.csv"));
    EXPECT_FALSE(std::filesystem::exists(run.folder / "mrc-transport-stats.csv"));
    EXPECT_EQ(run.messages().size(), 1U);
    EXPECT_EQ(run.summary()["outcome"], "completed");
}

TEST(RunRecords, OnIsOneEntry)
{
    const RecordedRun run{"pair", {}};
    EXPECT_TRUE(run.platform->agenda().has_entries());
}

// Somebody ends the run at 5 us: records tell of all until then.
TEST(RunRecords, Interrupted)
{
    RecordedRun run{"pair", {{"simulation.NDStatsReportInterval", "2us"}}};
    sc_core::sc_start(sc_core::sc_time{5.0, sc_core::SC_US});
    run.platform->interrupt();
    run.records->finish(0, 0);
    const std::vector<Row> rows = rows_of_node(run.nd_stats(), "0");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2].at("sim_time_sec"), "5e-06");
    const std::uint64_t frames = run.platform->node(0).nic.network_port().counters().tx_frames;
    EXPECT_EQ(rows[2].at("total_packets_tx"), std::to_string(frames));
    EXPECT_GT(frames, 0U);
    EXPECT_EQ(run.messages().at(0).at("finish_ps"), "");
    EXPECT_EQ(run.summary()["outcome"], "interrupted");
    EXPECT_EQ(run.summary()["sim_time_ps"], 5'000'000);
}

// A message that nothing ever starts: rows do not keep the simulation alive for ever.
TEST(RunRecords, AStuckSimulationComesToRest)
{
    const testbench::TemporaryFolder files;
    const std::string file = files.path() / "stuck.cm";
    std::ofstream{file} << "Nodes 2\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 20000\n"
                           "0->1 id 2 trigger 7 size 20000\ntrigger id 7 oneshot\n";
    RecordedRun run{"pair", {{"workload.File", file.c_str()}, {"simulation.NDStatsReportInterval", "10us"}}};
    run.to_end();
    EXPECT_EQ(run.platform->outcome(), Outcome::stuck);
    const std::vector<Row> rows = rows_of_node(run.nd_stats(), "0");
    // Retransmission timers (150 us) are the last entries of all; they only look.
    ASSERT_FALSE(rows.empty());
    EXPECT_LE(number(rows.back(), "sim_time_sec"), 170e-6);
    EXPECT_EQ(rows.back().at("total_packets_tx"), "5");
    ASSERT_EQ(run.messages().size(), 2U);
    EXPECT_NE(run.messages()[0].at("finish_ps"), "");
    EXPECT_EQ(run.messages()[1].at("start_ps"), "");
    EXPECT_EQ(run.summary()["outcome"], "stuck");
}

// [RC-18] [RC-30] [RC-31] [RC-42] A star: NICs in their order, then the switch's ports, traffic or none.
TEST(RunRecords, Star)
{
    RecordedRun run{"star", {{"fabric.Nics", "3"}}};
    run.to_end();
    std::string order;
    const std::vector<Row> rows = run.nd_stats();
    for (const Row& row : rows) {
        order += row.at("component_name") + ":" + row.at("node_id") + ":" + row.at("ifid") + row.at("uldl") + " ";
    }
    EXPECT_EQ(order, "MrcNic-0:0:0ul MrcNic-1:1:0ul MrcNic-2:2:0ul Switch-0:3:0dl Switch-0:3:1dl Switch-0:3:2dl ");
    EXPECT_EQ(rows[3].at("total_bytes_rx_GB"), kDataBytes);
    EXPECT_EQ(rows[4].at("total_bytes_tx_GB"), kDataBytes);
    EXPECT_EQ(rows[5].at("total_packets_tx"), "0");
    EXPECT_EQ(rows[3].at("nd_name") + rows[3].at("component_type") + rows[3].at("tier"), "mrc::SwitchPortSwitch2");
}

// The same run in another process and folder writes the same bytes.
TEST(RunRecords, TwoRunsAreIdentical)
{
    const testbench::TemporaryFolder folder;
    const auto run_into = [](const std::filesystem::path& out) {
        RecordedRun run{"pair", {{"simulation.NDStatsReportInterval", "1us"}}, out};
        run.to_end();
    };
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        run_into(folder.path() / "a");
        std::_Exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    run_into(folder.path() / "other" / "b");
    for (const char* file : {"nd-stats.csv", "mrc-transport-stats.csv", "messages.csv", "summary.json"}) {
        const std::string text = text_of(folder.path() / "a" / file);
        EXPECT_GT(text.size(), 100U);
        EXPECT_EQ(text, text_of(folder.path() / "other" / "b" / file)) << file;
    }
}

// What cannot be written shows before the run and is named.
TEST(RunRecords, FolderThatCannotBeWritten)
{
    const testbench::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    std::ofstream{file} << "x";
    try {
        const RecordedRun run{"pair", {}, file / "out"};
        FAIL() << "no error";
    } catch (const record::OutputError& error) {
        EXPECT_EQ(error.what(), (file / "out").string() + ": cannot be made: Not a directory");
    }
}

TEST(RunRecords, FileThatCannotBeOpened)
{
    const testbench::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "summary.json";
    std::filesystem::create_directory(file);
    try {
        const RecordedRun run{"pair", {}, folder.path()};
        FAIL() << "no error";
    } catch (const record::OutputError& error) {
        EXPECT_EQ(error.what(), file.string() + ": cannot be opened for writing: Is a directory");
    }
}

// The dictionary of statistics says what the blocks say.
TEST(StatisticsPage, IsUpToDate)
{
    const RecordedRun run{"pair", {}};
    EXPECT_EQ(text_of(MRCNIC_SOURCE_DIR "/docs/statistics.md"), statistics_markdown(*run.platform));
}

TEST(StatisticsPage, NamesUnitsAndMeanings)
{
    const RecordedRun run{"pair", {}};
    const std::string page = statistics_markdown(*run.platform);
    EXPECT_NE(page.find("\n## pcie.nic_to_host\n"), std::string::npos);
    EXPECT_NE(page.find("\n| `tx_bytes` | B | their bytes on the wire |\n"), std::string::npos);
    EXPECT_EQ(page.find("| |"), std::string::npos) << "a statistic without a unit or a meaning";
    EXPECT_EQ(page.find("|  |"), std::string::npos) << "a statistic without a unit or a meaning";
}

}  // namespace
}  // namespace mrcnic::platforms
