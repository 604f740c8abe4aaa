#include "mrcnic/record/nd_stats.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/record/rates.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::Row;
using testbench::rows_of;
using testbench::split;
using testbench::text_of;

constexpr Picoseconds kMs = 1'000'000'000;

/// A port whose counters the test sets.
class FakePort {
public:
    nic::PortCounters counters;
    std::uint64_t tx_drops{0};
    std::uint64_t rx_drops{0};
    PortSource source;

    explicit FakePort(std::uint16_t node, std::uint16_t ifid = 0)
    {
        source.component_name = "MrcNic-" + std::to_string(node);
        source.nd_name = "mrc::NicPort";
        source.component_type = "NIC";
        source.node_id = node;
        source.ifid = ifid;
        source.link_rate = 400'000'000'000;
        source.counters = &counters;
        source.tx_drops = [this] { return tx_drops; };
        source.rx_drops = [this] { return rx_drops; };
    }
    FakePort(const FakePort&) = delete;
    FakePort& operator=(const FakePort&) = delete;
};

class NdStatsFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "nd-stats.csv"};

    NdStats make(const std::vector<PortSource>& ports, Picoseconds start = 0, Picoseconds interval = kMs) const
    {
        return NdStats{path, ports, Utc{false}, start, interval};
    }
};

// [RC-43] A published row: 0.073062 MB in 1 ms on a link of 800 Gbps.
TEST(Rates, PublishedRow)
{
    EXPECT_EQ(gbps(73'062, kMs), 0.584496);
    EXPECT_EQ(percent_of_rate(73'062, kMs, 800'000'000'000), 0.073062);
}

// [RC-45] 400 Gbps for 1 ms is 50 MB, 11,978.9 full frames of 4,174 bytes; one of them is 0.0334 Gbps.
TEST(Rates, FullRate)
{
    EXPECT_EQ(gbps(50'000'000, kMs), 400.0);
    EXPECT_EQ(percent_of_rate(50'000'000, kMs, 400'000'000'000), 100.0);
    EXPECT_EQ(gbps(4'174, kMs), 0.033392);
}

// A second at 400 Gbps has more picobits than 64 bits hold. 4 Tbps for 1000 s: 5e14 bytes.
TEST(Rates, LargeNumbers)
{
    EXPECT_EQ(percent_of_rate(50'000'000'000, 1000 * kMs, 400'000'000'000), 100.0);
    EXPECT_EQ(bits_per_second(500'000'000'000'000, 1'000'000 * kMs), 4e12);
    EXPECT_EQ(gbps(0, 1), 0.0);
    EXPECT_EQ(seconds(1), 1e-12);
}

// [RC-14] [RC-40] [RC-41] [RC-42] The 22 columns and the sheet's example row; a port without traffic has its row as
// well.
TEST_F(NdStatsFile, TheExampleOfTheSheet)
{
    FakePort busy{0};
    FakePort idle{1};
    NdStats record = make({busy.source, idle.source});
    busy.counters = {11'978, 49'996'172, 11'971, 1'125'274};
    record.write_next();
    record.finish(kMs);
    EXPECT_EQ(
        text_of(path),
        "time_utc,sim_time_sec,component_name,nd_name,component_type,ifid,uldl,node_id,tier,subtier,total_packets_tx,"
        "total_packets_rx,total_bytes_tx_GB,total_bytes_rx_GB,interval_bytes_tx_MB,interval_bytes_rx_MB,tx_rate_Gbps,"
        "rx_rate_Gbps,tx_link_percent_util,rx_link_percent_util,tx_drops,rx_drops\n"
        "1970-01-01T00:00:00Z,0.001,MrcNic-0,mrc::NicPort,NIC,0,ul,0,3,4294967295,11978,11971,0.049996172,0.001125274,"
        "49.996172,1.125274,399.969376,9.002192,99.992344,2.250548,0,0\n"
        "1970-01-01T00:00:00Z,0.001,MrcNic-1,mrc::NicPort,NIC,0,ul,1,3,4294967295,0,0,0,0,0,0,0,0,0,0,0,0\n");
}

// [RC-19] [RC-40] Totals and drops count from the start, interval columns since the row before.
TEST_F(NdStatsFile, IntervalsAndTotals)
{
    FakePort port{0};
    NdStats record = make({port.source});
    port.counters = {1, 4'174, 2, 188};
    port.tx_drops = 3;
    port.rx_drops = 4;
    record.write_next();
    port.counters = {3, 12'522, 3, 282};
    port.rx_drops = 5;
    record.write_next();
    record.finish(2 * kMs);
    const std::vector<Row> rows = rows_of(path);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].at("sim_time_sec"), "0.002");
    EXPECT_EQ(rows[1].at("total_packets_tx"), "3");
    EXPECT_EQ(rows[1].at("total_bytes_tx_GB"), "1.2522e-05");
    EXPECT_EQ(rows[0].at("interval_bytes_tx_MB"), "0.004174");
    EXPECT_EQ(rows[1].at("interval_bytes_tx_MB"), "0.008348");
    EXPECT_EQ(rows[1].at("interval_bytes_rx_MB"), "9.4e-05");
    EXPECT_EQ(rows[0].at("tx_drops"), "3");
    EXPECT_EQ(rows[0].at("rx_drops"), "4");
    EXPECT_EQ(rows[1].at("rx_drops"), "5");
}

// [RC-15] First rows at start + offset + interval (the vendor's platform: 1 ms each), then one every interval.
// [RC-19] The first interval counts since the start of the run: 3 ms.
TEST_F(NdStatsFile, InstantsOfRows)
{
    FakePort port{0};
    NdStats record = make({port.source}, 2 * kMs);
    EXPECT_EQ(record.next(), 3 * kMs);
    port.counters.tx_bytes = 30'000;
    record.write_next();
    EXPECT_EQ(record.next(), 4 * kMs);
    record.write_next();
    record.finish(4 * kMs);
    const std::vector<Row> rows = rows_of(path);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("sim_time_sec"), "0.003");
    EXPECT_EQ(rows[0].at("tx_rate_Gbps"), "0.08");  // 240,000 bits in 3 ms
    EXPECT_EQ(rows[1].at("sim_time_sec"), "0.004");
}

// [RC-17] The end between two instants: a last row whose interval is shorter and whose rate uses its true length.
TEST_F(NdStatsFile, LastShortRow)
{
    FakePort port{0};
    NdStats record = make({port.source});
    record.write_next();
    port.counters.tx_bytes = 5'000'000;
    record.finish(kMs + kMs / 4);
    const std::vector<Row> rows = rows_of(path);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].at("sim_time_sec"), "0.00125");
    EXPECT_EQ(rows[1].at("interval_bytes_tx_MB"), "5");
    EXPECT_EQ(rows[1].at("tx_rate_Gbps"), "160");  // 4e7 bits in 0.25 ms
    EXPECT_EQ(rows[1].at("tx_link_percent_util"), "40");
}

// [RC-17] The end in the instant of a row, or at 0: no row of length 0.
TEST_F(NdStatsFile, NoRowWithoutLength)
{
    FakePort port{0};
    make({port.source}).finish(0);
    EXPECT_TRUE(rows_of(path).empty());
    NdStats record = make({port.source});
    record.write_next();
    record.finish(kMs);
    EXPECT_EQ(rows_of(path).size(), 1U);
}

// [RC-18] Rows of one instant by node, then port.
TEST_F(NdStatsFile, OrderOfRows)
{
    FakePort a{2, 1};
    FakePort b{2, 0};
    FakePort c{0, 3};
    FakePort d{10, 0};
    make({a.source, d.source, b.source, c.source}).finish(kMs);
    std::string order;
    for (const Row& row : rows_of(path)) {
        order += row.at("node_id") + ":" + row.at("ifid") + " ";
    }
    EXPECT_EQ(order, "0:3 2:0 2:1 10:0 ");
}

// [RC-40.7] [RC-40.9] A switch port towards the NICs.
TEST_F(NdStatsFile, SwitchPort)
{
    FakePort port{4, 2};
    port.source.uplink = false;
    port.source.tier = 2;
    make({port.source}).finish(kMs);
    const Row row = rows_of(path).at(0);
    EXPECT_EQ(row.at("uldl"), "dl");
    EXPECT_EQ(row.at("tier"), "2");
    EXPECT_EQ(row.at("ifid"), "2");
}

}  // namespace
}  // namespace mrcnic::record
