#include "mrcnic/record/switch_stats.h"

#include <string>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::Row;
using testbench::rows_of;
using testbench::text_of;

constexpr Picoseconds kMs = 1'000'000'000;

SwitchSource source(std::uint16_t node, std::uint16_t port, std::uint16_t traffic_class, bool uplink = false)
{
    return {"Leaf-" + std::to_string(node), node, port, uplink, traffic_class, [] { return SwitchFigures{}; }};
}

// [RC-70] The 15 columns, a different number in each.
TEST(SwitchStatsFile, ARow)
{
    const testbench::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "switch-stats.csv";
    SwitchSource queue = source(4, 2, 1, true);
    int taken = 0;
    queue.take_figures = [&taken] {
        ++taken;
        return SwitchFigures{11, 12, 13.5, 14, 15, 16, 17, 18};
    };
    SwitchStats record{path, {queue}, Utc{false}, 0, kMs};
    EXPECT_EQ(record.next(), kMs);
    record.write_next();
    record.finish(kMs);
    EXPECT_EQ(taken, 1);
    EXPECT_EQ(text_of(path),
              "time_utc,sim_time_sec,component_name,node_id,ifid,uldl,tc,queue_B,ivl_max_queue_B,mean_queue_B,"
              "pkts_ecn_marked,pkts_trimmed,pkts_trimmed_lasthop,egress_drops,ingress_drops\n"
              "1970-01-01T00:00:00Z,0.001,Leaf-4,4,2,ul,1,11,12,13.5,14,15,16,17,18\n");
}

// [RC-18] By node, port and class.
TEST(SwitchStatsFile, OrderOfRows)
{
    const testbench::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "switch-stats.csv";
    SwitchStats{path, {source(5, 0, 0), source(4, 10, 0), source(4, 2, 1), source(4, 2, 0)}, Utc{false}, 0, kMs}.finish(
        kMs);
    std::string order;
    for (const Row& row : rows_of(path)) {
        order += row.at("node_id") + "." + row.at("ifid") + "." + row.at("tc") + row.at("uldl") + " ";
    }
    EXPECT_EQ(order, "4.2.0dl 4.2.1dl 4.10.0dl 5.0.0dl ");
}

}  // namespace
}  // namespace mrcnic::record
