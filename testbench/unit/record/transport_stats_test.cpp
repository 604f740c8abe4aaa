#include "mrcnic/record/transport_stats.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::Row;
using testbench::rows_of;
using testbench::split;
using testbench::text_of;

constexpr Picoseconds kMs = 1'000'000'000;

/// A transport whose counters and samples the test sets.
struct FakeTransport {
    TransportFigures figures;
    transport::TransportSamples samples;

    [[nodiscard]] TransportSource source(std::uint16_t node, Picoseconds interval = kMs)
    {
        return {"MrcNic-" + std::to_string(node), node, interval, [this] { return figures; }, &samples};
    }
};

class TransportStatsFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "mrc-transport-stats.csv"};

    [[nodiscard]] TransportStats make(std::vector<TransportSource> sources, Picoseconds start = 0) const
    {
        return TransportStats{path, std::move(sources), Utc{false}, start};
    }
    [[nodiscard]] std::vector<Row> rows() const { return rows_of(path); }
};

/// The columns of the sheet, typed from it: counters without their twins, then samples.
const std::vector<std::string> kIdentity{"time_utc", "sim_time_sec", "component_name", "node_id"};
const std::vector<std::string> kCounters{"total_pkts_sent",
                                         "total_pkts_rcvd",
                                         "write_pkts_sent",
                                         "write_pkts_rcvd",
                                         "ack_pkts_sent",
                                         "ack_pkts_rcvd",
                                         "sack_pkts_sent",
                                         "sack_pkts_rcvd",
                                         "nack_pkts_sent",
                                         "nack_pkts_rcvd",
                                         "wqes_created",
                                         "wqes_completed",
                                         "num_out_of_order_events_on_nic",
                                         "max_out_of_order_on_flow",
                                         "num_dup_events_on_nic",
                                         "probe_sent",
                                         "probe_ack_rcvd",
                                         "num_rto",
                                         "num_gap_loss",
                                         "num_rtx",
                                         "max_tx_count",
                                         "m_marked_pkts_sent",
                                         "m_marked_pkts_rcvd",
                                         "num_quick_adapt",
                                         "num_egress_pool_stalls",
                                         "num_psn_window_discards"};
const std::vector<std::string> kSamples{"ivl_calc_min_rcvr_cwnd_pen",  "calc_mean_rcvr_cwnd_pen",
                                        "ivl_calc_mean_rcvr_cwnd_pen", "ivl_calc_max_rcvr_cwnd_pen",
                                        "calc_min_cwnd_bytes",         "ivl_calc_min_cwnd_bytes",
                                        "calc_mean_cwnd_bytes",        "ivl_calc_mean_cwnd_bytes",
                                        "ivl_calc_max_cwnd_bytes",     "ivl_min_calc_avg_q_delay_usec",
                                        "avg_calc_avg_q_delay_usec",   "ivl_avg_calc_avg_q_delay_usec",
                                        "max_calc_avg_q_delay_usec",   "ivl_max_calc_avg_q_delay_usec",
                                        "ivl_min_calc_rtt_usec",       "max_calc_rtt_usec",
                                        "ivl_max_calc_rtt_usec",       "avg_calc_rtt_usec",
                                        "ivl_avg_calc_rtt_usec",       "ivl_calc_min_bytes_in_flight",
                                        "calc_mean_bytes_in_flight",   "ivl_calc_mean_bytes_in_flight",
                                        "ivl_calc_max_bytes_in_flight"};

// [RC-60] 79 columns: 4 of identity, 26 counters each with its twin behind it, 23 of samples.
TEST_F(TransportStatsFile, Columns)
{
    FakeTransport nic;
    make({nic.source(0)}).finish(0);
    std::vector<std::string> expected = kIdentity;
    for (const std::string& counter : kCounters) {
        expected.push_back(counter);
        expected.push_back("ivl_" + counter);
    }
    expected.insert(expected.end(), kSamples.begin(), kSamples.end());
    ASSERT_EQ(expected.size(), 79U);
    const std::string text = text_of(path);
    EXPECT_EQ(split(text.substr(0, text.size() - 1), ','), expected);
}

// [RC-60] Each counter stands under its name; a different number in each tells a swap. [RC-63] The totals are the sums
// of write, ACK, SACK and NACK: 1 + 3 + 5 + 7 and 2 + 4 + 6 + 8; probes are not in them.
TEST_F(TransportStatsFile, EveryCounterUnderItsName)
{
    FakeTransport nic;
    TransportStats record = make({nic.source(3)});
    nic.figures = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    nic.samples.out_of_order.add(30);
    nic.samples.transmissions.add(31);
    record.write_next();
    record.finish(kMs);
    const Row row = rows().at(0);
    EXPECT_EQ(row.at("time_utc"), "1970-01-01T00:00:00Z");
    EXPECT_EQ(row.at("sim_time_sec"), "0.001");
    EXPECT_EQ(row.at("component_name"), "MrcNic-3");
    EXPECT_EQ(row.at("node_id"), "3");
    const std::vector<std::string> values{"16", "20", "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11",
                                          "30", "12", "13", "14", "15", "16", "17", "31", "18", "19", "20", "21", "22"};
    for (std::size_t i = 0; i < kCounters.size(); ++i) {
        EXPECT_EQ(row.at(kCounters[i]), values[i]) << kCounters[i];
        EXPECT_EQ(row.at("ivl_" + kCounters[i]), values[i])
            << "the first interval is since the start: " << kCounters[i];
    }
}

// [RC-19] A twin counts since the row before; that of a maximum is the interval's own maximum.
TEST_F(TransportStatsFile, Twins)
{
    FakeTransport nic;
    TransportStats record = make({nic.source(0)});
    nic.figures.write_pkts_sent = 100;
    nic.figures.ack_pkts_sent = 1;
    nic.samples.out_of_order.add(9);
    nic.samples.out_of_order.add(4);
    record.write_next();
    nic.figures.write_pkts_sent = 130;
    nic.samples.out_of_order.add(5);
    record.write_next();
    record.write_next();
    record.finish(3 * kMs);
    const std::vector<Row> all = rows();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].at("ivl_total_pkts_sent"), "101");
    EXPECT_EQ(all[1].at("total_pkts_sent"), "131");
    EXPECT_EQ(all[1].at("ivl_total_pkts_sent"), "30");
    EXPECT_EQ(all[1].at("ivl_write_pkts_sent"), "30");
    EXPECT_EQ(all[1].at("ivl_ack_pkts_sent"), "0");
    EXPECT_EQ(all[0].at("ivl_max_out_of_order_on_flow"), "9");
    EXPECT_EQ(all[1].at("max_out_of_order_on_flow"), "9");
    EXPECT_EQ(all[1].at("ivl_max_out_of_order_on_flow"), "5");
    EXPECT_EQ(all[2].at("max_out_of_order_on_flow"), "9");
    EXPECT_EQ(all[2].at("ivl_max_out_of_order_on_flow"), "0");
}

// [RC-60.57] .. [RC-60.79] Two samples of each series in the first interval, one in the second: minimum, mean and
// maximum of the interval and of all. Times in us: 2,000,000 and 4,500,000 ps are 2 and 4.5 us, their mean 3.25; with
// 500,000 the mean of three is 2.333333.
TEST_F(TransportStatsFile, Samples)
{
    FakeTransport nic;
    TransportStats record = make({nic.source(0)});
    const auto add = [&nic](double penalty, double window, double delay, double rtt, double flight) {
        nic.samples.receiver_penalty.add(penalty);
        nic.samples.congestion_window.add(window);
        nic.samples.average_delay.add(delay);
        nic.samples.rtt.add(rtt);
        nic.samples.bytes_in_flight.add(flight);
    };
    add(10, 450'000, 2e6, 4e6, 4'156);
    add(20, 225'000.5, 4.5e6, 6e6, 8'312);
    record.write_next();
    add(63, 300'000, 0.5e6, 5e6, 0);
    record.write_next();
    record.finish(2 * kMs);
    const std::vector<Row> all = rows();
    ASSERT_EQ(all.size(), 2U);
    const std::vector<std::string> first{
        "10",  "15",  "15", "20", "225000.5", "225000.5", "337500.25", "337500.25", "450000", "2",    "3.25", "3.25",
        "4.5", "4.5", "4",  "6",  "6",        "5",        "5",         "4156",      "6234",   "6234", "8312"};
    const std::vector<std::string> second{"63",     "31",  "63", "63",  "225000.5", "300000", "",  "300000",
                                          "300000", "0.5", "",   "0.5", "4.5",      "0.5",    "5", "6",
                                          "5",      "5",   "5",  "0",   "4156",     "0",      "0"};
    for (std::size_t i = 0; i < kSamples.size(); ++i) {
        EXPECT_EQ(all[0].at(kSamples[i]), first[i]) << kSamples[i];
        if (!second[i].empty()) {
            EXPECT_EQ(all[1].at(kSamples[i]), second[i]) << kSamples[i];
        }
    }
    EXPECT_DOUBLE_EQ(testbench::number(all[1], "calc_mean_cwnd_bytes"), 975'000.5 / 3);
    EXPECT_DOUBLE_EQ(testbench::number(all[1], "avg_calc_avg_q_delay_usec"), 7.0 / 3);
}

// [RC-62] An interval without samples writes 0, and so does a run without any.
TEST_F(TransportStatsFile, NoSamplesAreZeros)
{
    FakeTransport nic;
    TransportStats record = make({nic.source(0)});
    nic.samples.rtt.add(3e6);
    record.write_next();
    record.write_next();
    record.finish(2 * kMs);
    const Row row = rows().at(1);
    EXPECT_EQ(row.at("ivl_min_calc_rtt_usec") + row.at("ivl_max_calc_rtt_usec") + row.at("ivl_avg_calc_rtt_usec"),
              "000");
    EXPECT_EQ(row.at("avg_calc_rtt_usec") + row.at("max_calc_rtt_usec"), "33");
    for (const std::string& name : kSamples) {
        if (name.find("rtt") == std::string::npos) {
            EXPECT_EQ(row.at(name), "0") << name;
        }
    }
}

std::string order_of(const std::vector<Row>& rows)
{
    std::string order;
    for (const Row& row : rows) {
        order += row.at("sim_time_sec") + ":" + row.at("node_id") + " ";
    }
    return order;
}

// [RC-21] NICs with intervals of 2, 3 and 2 ms: rows are ordered in time, those of one instant by node [RC-18]; [RC-15]
// each starts an interval after the start, 1 ms; [RC-17] the end at 6.5 ms gives each a last row.
TEST_F(TransportStatsFile, IntervalsOfTheirOwn)
{
    FakeTransport nics[3];
    TransportStats record =
        make({nics[2].source(2, 2 * kMs), nics[0].source(0, 2 * kMs), nics[1].source(1, 3 * kMs)}, kMs);
    while (record.next() < 13 * kMs / 2) {
        record.write_next();
    }
    record.finish(13 * kMs / 2);
    EXPECT_EQ(order_of(rows()), "0.003:0 0.003:2 0.004:1 0.005:0 0.005:2 0.0065:0 0.0065:1 0.0065:2 ");
}

// [RC-17] A NIC whose row is due in the instant of the end has no second one.
TEST_F(TransportStatsFile, NoRowWithoutLength)
{
    FakeTransport nics[2];
    TransportStats record = make({nics[0].source(0, 2 * kMs), nics[1].source(1, 3 * kMs)});
    record.write_next();
    record.finish(2 * kMs);
    EXPECT_EQ(order_of(rows()), "0.002:0 0.002:1 ");
}

}  // namespace
}  // namespace mrcnic::record
