// Records of whole runs: known times in all of them, and that they agree with each other.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/net/network_link.h"
#include "testbench/support/harness.h"
#include "testbench/support/in_child.h"
#include "testbench/unit/record/books.h"
#include "testbench/unit/record/record_files.h"
#include "testbench/unit/record/recorded_run.h"

namespace mrcnic::record {
namespace {

using testbench::all_on;
using testbench::Books;
using testbench::count;
using testbench::number;
using testbench::RecordedRun;
using testbench::Row;

/// Both directions of a link, as its two ends count them: sent = received + dropped on the way.
void check_link(const Row& from, const Row& to, const net::NetworkLink& link)
{
    EXPECT_EQ(count(from, "total_packets_tx"), count(to, "total_packets_rx") + link.dropped() - link.copies());
}

/// Two messages each way between two NICs.
std::string both_ways_file(const testbench::TemporaryFolder& folder)
{
    const std::filesystem::path file = folder.path() / "both_ways.cm";
    std::ofstream{file} << "Nodes 2\nConnections 4\n0->1 start 0 size 300000\n1->0 start 0 size 200000\n"
                           "0->1 start 3000000 size 1\n1->0 start 2000000 size 5000\n";
    return file.string();
}

// [RC-87] [RC-80 .. RC-86] TR-W3 on the real platform.
TEST(WholeRuns, EventsOfOnePacket)
{
    RecordedRun run{"pair", all_on("1ms", {{"workload.MessageBytes", "4096"}})};
    run.to_end();
    const std::string utc = "1970-01-01T00:00:00Z,";
    EXPECT_EQ(testbench::text_of(run.folder / "mrc-events.csv"),
              "time_utc,sim_time_ns,component_name,node_id,local_QP,remote_QP,wqe_ID,wqe_size_bytes,ev_type\n" + utc +
                  "0.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,,,QP_CREATED\n" + utc +
                  "0.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,1,4096,WQE_CREATED\n" + utc +
                  "15.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,1,4096,SEND_COMPLETE\n" + utc +
                  "269.324,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,QP_CREATED\n" + utc +
                  "269.324,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,RECV_COMPLETE\n" + utc +
                  "371.204,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,1,4096,WQE_COMPLETE\n" + utc +
                  "372.444,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,,,QP_TERMINATED\n" + utc +
                  "372.444,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,QP_TERMINATED\n");
    Books{run}.check();
}

// [RC-65] [RC-66] [TR-W3] [CC-W1] [CC-W2] Six rows: the packet is out at 169.324 and there at 269.324; the SACK takes
// 1.88 ns on the wire, the ACK behind it 1.24. Nominal 4,096 + 60 bytes; the window is 450,000, and 90,141 once the
// round trip of 201.88 ns is known. UIDs count by NIC, the node in their upper bits.
TEST(WholeRuns, PacketsOfOneMessage)
{
    RecordedRun run{"pair", all_on("1ms", {{"workload.MessageBytes", "4096"}})};
    run.to_end();
    const std::string text = testbench::text_of(run.folder / "mrc-monitor.csv");
    const std::string sender = "10.0.0.1:1,10.0.0.2:1,256,";
    const std::string receiver = "10.0.0.2:1,10.0.0.1:1,256,";
    EXPECT_EQ(text.substr(text.find('\n') + 1),
              "169.324,MrcNic-0,0,1,1,4174," + sender + ",Tx,WRITE,,1,,,,0,4156,4156,450000,,NO_TRIM,0,,,[]\n" +
                  "269.324,MrcNic-1,1,0,1,4174," + receiver + ",Rx,WRITE,,1,0,,,,,,,,NO_TRIM,0,,,[]\n" +
                  "271.204,MrcNic-1,1,0,281474976710657,94," + receiver + ",Tx,SACK,,,,0,0,,,,,0,CONTROL,0,0,1,[]\n" +
                  "272.444,MrcNic-1,1,0,281474976710658,62," + receiver + ",Tx,ACK,,,,,,,,,,,CONTROL,0,0,,[]\n" +
                  "371.204,MrcNic-0,0,1,281474976710657,94," + sender +
                  "201.88,Rx,SACK,,,0,0,0,,0,0,90141,0,CONTROL,0,0,1,[]\n" +
                  "372.444,MrcNic-0,0,1,281474976710658,62," + sender + ",Rx,ACK,,,0,,,,,,,,CONTROL,0,0,,[]\n");
}

// [RC-60] [RC-70 .. RC-72] [RC-50] The same message in the other records. RTT 0.20188 us; 32,768 bits in 269.324 ns.
TEST(WholeRuns, CountersOfOneMessage)
{
    RecordedRun run{"pair", all_on("1ms", {{"workload.MessageBytes", "4096"}})};
    run.to_end();
    const std::vector<Row> transports = run.rows("mrc-transport-stats");
    ASSERT_EQ(transports.size(), 2U);
    const Row& sender = transports[0];
    const Row& receiver = transports[1];
    EXPECT_EQ(sender.at("sim_time_sec"), "3.72444e-07");
    EXPECT_EQ(sender.at("total_pkts_sent") + sender.at("write_pkts_sent") + sender.at("wqes_created"), "111");
    EXPECT_EQ(sender.at("total_pkts_rcvd") + sender.at("ack_pkts_rcvd") + sender.at("sack_pkts_rcvd"), "211");
    EXPECT_EQ(sender.at("max_tx_count") + sender.at("ivl_max_tx_count") + sender.at("num_rtx"), "110");
    EXPECT_EQ(receiver.at("total_pkts_sent") + receiver.at("ack_pkts_sent") + receiver.at("sack_pkts_sent"), "211");
    EXPECT_EQ(receiver.at("write_pkts_rcvd") + receiver.at("max_out_of_order_on_flow"), "10");
    EXPECT_EQ(sender.at("avg_calc_rtt_usec"), "0.20188");
    EXPECT_EQ(sender.at("ivl_min_calc_rtt_usec"), "0.20188");
    EXPECT_EQ(sender.at("calc_mean_cwnd_bytes"), "450000");
    EXPECT_EQ(sender.at("ivl_calc_max_bytes_in_flight"), "4156");
    EXPECT_EQ(receiver.at("avg_calc_rtt_usec"), "0");

    const Row message = run.rows("message-stats").at(0);
    EXPECT_EQ(message.at("qp") + message.at("packets") + message.at("retransmissions"), "110");
    EXPECT_EQ(message.at("send_complete_ns"), "15");
    EXPECT_EQ(message.at("wqe_complete_ns"), "371.204");
    EXPECT_EQ(message.at("recv_complete_ns"), "269.324");
    EXPECT_DOUBLE_EQ(number(message, "goodput_Gbps"), 32'768 / 269.324);

    const std::vector<Row> pools = run.rows("net-buff-stats");
    ASSERT_EQ(pools.size(), 8U);
    EXPECT_EQ(pools[0].at("job_id"), "pair");
    EXPECT_EQ(pools[0].at("buffer_max_size_B") + " " + pools[1].at("buffer_max_size_B") + " " +
                  pools[2].at("buffer_max_size_B") + " " + pools[3].at("buffer_max_size_B"),
              "3600000 400000 230400 25600");         // [RC-50.10]
    EXPECT_EQ(pools[1].at("interval_enq_B"), "158");  // [RC-51] the SACK's 94, and 64 for the ACK of 62
    EXPECT_EQ(pools[7].at("interval_enq_B"), "156");
    EXPECT_EQ(pools[2].at("max_occupancy_B"), "4174");
    EXPECT_EQ(pools[2].at("occupancy_B") + pools[2].at("percent_occupancy"), "00");
}

// [RC-63] Lossless, both directions: what is sent is received.
TEST(WholeRuns, ALosslessPair)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{"pair", all_on("7us", {{"workload.File", both_ways_file(folder)}})};
    run.to_end();
    const Books books{run};
    books.check();
    EXPECT_EQ(books.total("write_pkts_sent"), books.total("write_pkts_rcvd"));
    EXPECT_EQ(books.total("num_rtx"), 0U);
    check_link(books.port("MrcNic-0/0/"), books.port("MrcNic-1/0/"), *run.platform->links()[0]);
    check_link(books.port("MrcNic-1/0/"), books.port("MrcNic-0/0/"), *run.platform->links()[1]);
}

// [RC-63] Every seventh frame lost in both directions, data, SACKs, ACKs, repetitions and probes.
TEST(WholeRuns, APairWithLosses)
{
    RecordedRun run{"pair", all_on("20us")};
    for (net::NetworkLink* link : run.platform->links()) {
        net::LinkFault fault;
        fault.every = 7;
        link->inject(fault);
    }
    run.to_end();
    const Books books{run};
    books.check();
    EXPECT_GT(books.total("num_rtx"), 30U);  // 256 packets
    check_link(books.port("MrcNic-0/0/"), books.port("MrcNic-1/0/"), *run.platform->links()[0]);
    check_link(books.port("MrcNic-1/0/"), books.port("MrcNic-0/0/"), *run.platform->links()[1]);
    EXPECT_GT(run.platform->links()[0]->dropped(), 36U);
}

// [RC-53] [RC-61] A receiver whose pool holds two packets drops the rest: they have arrived and are in no column of the
// transport.
TEST(WholeRuns, AReceiverThatDrops)
{
    RecordedRun run{"pair", all_on("20us", {{"nics[1].IngressBufferManager.TotalBufferSize", "10KB"},
                                            {"nics[1].HostInterface.NICSide.LaneCount", "4"},
                                            {"workload.MessageBytes", "400KB"}})};
    run.to_end();
    const Books books{run};
    books.check();
    const std::uint64_t drops = count(books.port("MrcNic-1/0/"), "rx_drops");
    EXPECT_GT(drops, 0U);
    EXPECT_EQ(books.total("write_pkts_sent"), books.total("write_pkts_rcvd") + drops);
}

// [RC-52] [RC-50.20] The smallest pools, of one packet: what waits is asked for again and again, each refusal counts,
// and the sender is stopped once, until it has sent all.
TEST(WholeRuns, SmallPools)
{
    RecordedRun run{"pair", all_on("20us", {{"nic.SemanticLayer.MSS", "768"},
                                            {"nic.EgressBufferManager.TotalBufferSize", "940"},
                                            {"workload.MessageBytes", "100KB"}})};
    run.to_end();
    const Books books{run};
    books.check();
    EXPECT_EQ(books.total("num_egress_pool_stalls"), 1U);
    EXPECT_GT(books.refusals("TX_TC0_BUFFER"), 130U);  // of 131 packets all but the first find the pool full
}

/// Four to one on a star, 400,000 bytes each, with a queue limit that does not hold them.
std::string incast_file(const testbench::TemporaryFolder& folder)
{
    const std::filesystem::path file = folder.path() / "incast.cm";
    std::ofstream{file} << "Nodes 5\nConnections 4\n0->4 start 0 size 400000\n1->4 start 0 size 400000\n"
                           "2->4 start 0 size 400000\n3->4 start 0 size 400000\n";
    return file.string();
}

// [RC-70] [RC-63] An incast whose switch drops.
TEST(WholeRuns, AnIncastWithDrops)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{"star", all_on("20us", {{"fabric.Nics", "5"},
                                            {"workload.File", incast_file(folder)},
                                            {"switch.PlaneBDP", "20KB"},
                                            {"switch.QueueDropThreshold", "3"}})};
    run.to_end();
    const Books books{run};
    books.check();
    const std::uint64_t drops = count(books.port("Switch-0/4/"), "tx_drops");
    EXPECT_GT(drops, 0U);
    EXPECT_EQ(books.total_of_queues("egress_drops"), books.total_of_ports("tx_drops"));
    EXPECT_EQ(books.total_of_queues("pkts_trimmed") + books.total_of_queues("pkts_trimmed_lasthop"), 0U);
    EXPECT_EQ(books.total("nack_pkts_sent"), 0U);
}

// [RC-70] [RC-65.13] [RC-63] An incast whose switch trims: every trim that gets through is received as such and draws a
// NACK; the switch's marks are what the receiver sees.
TEST(WholeRuns, AnIncastWithTrims)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{"star", all_on("20us", {{"fabric.Nics", "5"},
                                            {"workload.File", incast_file(folder)},
                                            {"switch.PlaneBDP", "60KB"},
                                            {"switch.TrimmingEnabled", "true"},
                                            {"nic.Transport.TrimmingEnabled", "true"}})};
    run.to_end();
    const Books books{run};
    books.check();
    const std::uint64_t trims = books.total_of_queues("pkts_trimmed_lasthop");
    EXPECT_GT(trims, 0U);
    EXPECT_EQ(books.total_of_queues("pkts_trimmed"), 0U);  // all are on their last hop
    EXPECT_EQ(books.packets([](const Row& row) { return row.at("DSCP_type") == "TRIMMED_LASTHOP"; }), trims);
    EXPECT_EQ(books.packets([](const Row& row) {
        return row.at("nack_code") == "MRC_TRIMMED_LASTHOP" && row.at("direction") == "Tx";
    }),
              trims);
    EXPECT_EQ(books.total("nack_pkts_sent"), trims);
    const std::uint64_t marked = books.total_of_queues("pkts_ecn_marked");
    EXPECT_GT(marked, 0U);
    EXPECT_EQ(books.packets([](const Row& row) { return row.at("ECN_marked") == "1"; }), marked);
}

// [RC-18] [RC-30] [RC-42] Two leaves and two spines: unequal paths, rows of all switches.
TEST(WholeRuns, ALeafSpine)
{
    RecordedRun run{"leaf_spine", all_on("20us", {{"fabric.Leaves", "2"},
                                                  {"fabric.NicsPerLeaf", "2"},
                                                  {"fabric.Spines", "2"},
                                                  {"workload.Destination", "3"}})};
    run.to_end();
    const Books books{run};
    books.check();
    std::string order;
    for (const Row& row : run.rows("switch-stats")) {
        if (row.at("sim_time_sec") == "2e-05" && row.at("tc") == "0") {
            order += row.at("component_name") + "." + row.at("ifid") + row.at("uldl") + " ";
        }
    }
    EXPECT_EQ(order,
              "Leaf-0.0dl Leaf-0.1dl Leaf-0.2ul Leaf-0.3ul Leaf-1.0dl Leaf-1.1dl Leaf-1.2ul Leaf-1.3ul Spine-0.0dl "
              "Spine-0.1dl Spine-1.0dl Spine-1.1dl ");
}

// [RC-86] With a queue pair for each message its ends are closed at its completion, all of them before the end.
TEST(WholeRuns, QueuePairsOfMessages)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{
        "pair", all_on("20us", {{"nic.Transport.QpPerMessage", "true"}, {"workload.File", both_ways_file(folder)}})};
    run.to_end();
    std::map<std::string, std::string> completed;
    std::size_t terminated = 0;
    for (const Row& row : run.rows("mrc-events")) {
        const std::string end = row.at("local_QP");
        if (row.at("ev_type") == "WQE_COMPLETE") {
            completed[end] = row.at("sim_time_ns");
        } else if (row.at("ev_type") == "QP_TERMINATED") {
            ++terminated;
            if (completed.count(end) != 0) {
                EXPECT_EQ(row.at("sim_time_ns"), completed[end]) << end;
            }
        }
    }
    EXPECT_EQ(terminated, 2 * completed.size());
    EXPECT_EQ(completed.size(), 4U);
}

// [RC-67] A filter on one of two connections: its packets alone, at both ends.
TEST(WholeRuns, AFilteredConnection)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{"star",
                    {{"fabric.Nics", "5"},
                     {"workload.File", incast_file(folder)},
                     {"nic.Monitor.EnableMRCMonitor", "true"},
                     {"nic.Monitor.FilterOnLocalIp", "10.0.0.2"}}};
    run.to_end();
    const std::vector<Row> rows = run.rows("mrc-monitor");
    std::map<std::string, std::size_t> of_end;
    for (const Row& row : rows) {
        ++of_end[row.at("local_QP") + ">" + row.at("remote_QP")];
    }
    ASSERT_EQ(of_end.size(), 2U);
    EXPECT_EQ(of_end.begin()->first, "10.0.0.2:1>10.0.0.5:2");
    EXPECT_EQ(of_end.rbegin()->first, "10.0.0.5:2>10.0.0.2:1");
    EXPECT_GT(of_end.begin()->second, 98U);
    EXPECT_GT(of_end.rbegin()->second, 98U);
}

// [RC-68] [RC-69] The first round trip of 8 us or more selects its connection, and no other follows.
TEST(WholeRuns, ATriggeredConnection)
{
    const testbench::TemporaryFolder folder;
    RecordedRun run{"star",
                    {{"fabric.Nics", "5"},
                     {"workload.File", incast_file(folder)},
                     {"nic.Monitor.TriggerLoggingOnRttEnable", "true"},
                     {"nic.Monitor.TriggerLoggingOnRttThreshold", "8us"}}};
    run.to_end();
    const std::vector<Row> rows = run.rows("mrc-monitor");
    ASSERT_GT(rows.size(), 10U);
    EXPECT_EQ(rows[0].at("packet_type") + rows[0].at("direction"), "SACKRx");
    EXPECT_GE(number(rows[0], "RTT_ns"), 8'000);
    for (const Row& row : rows) {
        const bool at_sender = row.at("local_QP") == rows[0].at("local_QP");
        EXPECT_EQ(row.at("local_QP"), rows[0].at(at_sender ? "local_QP" : "remote_QP"));
    }
}

// [RC-21] NICs with intervals of their own: rows in the order of time, then node.
TEST(WholeRuns, IntervalsOfTheirOwn)
{
    RecordedRun run{"pair",
                    {{"nic.TransportStatsReportInterval", "10us"}, {"nics[1].TransportStatsReportInterval", "7us"}}};
    run.to_end();
    std::string order;
    for (const Row& row : run.rows("mrc-transport-stats")) {
        if (number(row, "sim_time_sec") < 21.5e-6) {
            order += row.at("sim_time_sec") + ":" + row.at("node_id") + " ";
        }
    }
    EXPECT_EQ(order, "7e-06:1 1e-05:0 1.4e-05:1 2e-05:0 2.1e-05:1 ");
}

// [RC-22] [RC-23] [RC-21] Switches of a NIC: only those that are on have rows.
TEST(WholeRuns, SwitchedForOneNic)
{
    RecordedRun run{"pair",
                    {{"simulation.EnableNetworkBufferStatsReporting", "true"},
                     {"nics[0].EnableBufferStats", "false"},
                     {"nics[1].EnableTransportStats", "false"},
                     {"nics[1].EnableEventLogging", "true"}}};
    run.to_end();
    for (const auto& [record, nic] : std::map<std::string, std::string>{
             {"net-buff-stats", "1"}, {"mrc-transport-stats", "0"}, {"mrc-events", "1"}}) {
        const std::vector<Row> rows = run.rows(record);
        EXPECT_FALSE(rows.empty()) << record;
        for (const Row& row : rows) {
            EXPECT_EQ(row.at("node_id"), nic) << record;
        }
    }
}

// Records do not change what they look at: times of all messages are the same with all of them and without any.
TEST(WholeRuns, RecordsOnlyLook)
{
    const testbench::TemporaryFolder folder;
    const std::string file = incast_file(folder);
    const RecordedRun::Settings star{{"fabric.Nics", "5"}, {"workload.File", file}, {"switch.PlaneBDP", "20KB"}};
    const auto run_into = [&folder](const char* name, const RecordedRun::Settings& settings) {
        RecordedRun run{"star", settings, folder.path() / name};
        run.to_end();
    };
    const testbench::ChildResult child = testbench::in_child(
        [&] {
            run_into("on", all_on("3us", star));
            return std::string{};
        },
        std::chrono::seconds{60});
    ASSERT_TRUE(child.ended_well()) << child.describe() << child.text;
    RecordedRun::Settings off = star;
    off.emplace_back("simulation.EnableNetDeviceStatLogging", "false");
    off.emplace_back("nic.EnableTransportStats", "false");
    run_into("off", off);
    EXPECT_EQ(testbench::text_of(folder.path() / "on" / "messages.csv"),
              testbench::text_of(folder.path() / "off" / "messages.csv"));
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path() / "off"}) {
        files.push_back(entry.path().filename().string());
    }
    std::sort(files.begin(), files.end());
    EXPECT_EQ(files, (std::vector<std::string>{"messages.csv", "summary.json"}));  // [RC-27]
}

// Records of an earlier run that this one does not write are gone; what is not a record stays.
TEST(WholeRuns, OldRecordsAreRemoved)
{
    const testbench::TemporaryFolder folder;
    for (const char* name :
         {"mrc-monitor.csv", "switch-stats.csv", "nd-stats.csv", "mine.csv", "study-mrc-monitor-0.csv"}) {
        std::ofstream{folder.path() / name} << "old\n";
    }
    const RecordedRun run{"pair", {}, folder.path()};
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "mrc-monitor.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "switch-stats.csv"));
    EXPECT_EQ(testbench::text_of(folder.path() / "mine.csv"), "old\n");
    EXPECT_EQ(testbench::text_of(folder.path() / "study-mrc-monitor-0.csv"), "old\n");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "nd-stats.csv"));
}

}  // namespace
}  // namespace mrcnic::record
