#include "mrcnic/record/net_buff_stats.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::Row;
using testbench::rows_of;
using testbench::text_of;

constexpr Picoseconds kMs = 1'000'000'000;

class NetBuffStatsFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "net-buff-stats.csv"};
    nic::BytePool pool{10'000};

    [[nodiscard]] BufferSource source(std::uint16_t node = 0, const char* id = "RX_TC0_BUFFER", int traffic_class = 0)
    {
        return {"MrcNic-" + std::to_string(node), node, id, traffic_class, &pool, [this] { pool.start_interval(); }};
    }
    [[nodiscard]] NetBuffStats make(const std::vector<BufferSource>& sources) const
    {
        return NetBuffStats{path, "study", sources, Utc{false}, 0, kMs};
    }
};

// [RC-50] The 21 columns, and a row: 4,174 + 4,174 bytes admitted, one frame refused, 4,174 released. 8,348 bytes in
// 1 ms are 0.066784 Gbps, 4,174 are 0.033392; 4,174 of 10,000 are 41.74 %.
TEST_F(NetBuffStatsFile, ARow)
{
    NetBuffStats record = make({source()});
    EXPECT_TRUE(pool.reserve(4'174));
    EXPECT_TRUE(pool.reserve(4'174));
    EXPECT_FALSE(pool.reserve(4'174));
    pool.release(4'174);
    record.write_next();
    record.finish(kMs);
    EXPECT_EQ(text_of(path),
              "job_id,time_utc,sim_time_sec,component_name,node_id,buffer_id,tc,occupancy_B,max_occupancy_B,"
              "buffer_max_size_B,num_enq,num_deq,interval_num_enq,interval_num_deq,interval_enq_B,interval_deq_B,"
              "interval_max_occupancy_B,enq_Gbps,deq_Gbps,overflow,percent_occupancy\n"
              "study,1970-01-01T00:00:00Z,0.001,MrcNic-0,0,RX_TC0_BUFFER,0,4174,8348,10000,2,1,2,1,8348,4174,8348,"
              "0.066784,0.033392,1,41.74\n");
}

// [RC-19] [RC-50.17] The second interval starts with 4,174 bytes held, which is its maximum; in the third 1,000 more
// come and all goes.
TEST_F(NetBuffStatsFile, Intervals)
{
    NetBuffStats record = make({source()});
    EXPECT_TRUE(pool.reserve(4'174));
    EXPECT_TRUE(pool.reserve(5'000));
    pool.release(5'000);
    record.write_next();
    pool.release(174);
    record.write_next();
    EXPECT_TRUE(pool.reserve(1'000));
    pool.release(5'000);
    record.write_next();
    record.finish(3 * kMs);
    const std::vector<Row> rows = rows_of(path);
    ASSERT_EQ(rows.size(), 3U);
    const auto cells = [&rows](const std::string& column) {
        return rows[0].at(column) + " " + rows[1].at(column) + " " + rows[2].at(column);
    };
    EXPECT_EQ(cells("occupancy_B"), "4174 4000 0");
    EXPECT_EQ(cells("max_occupancy_B"), "9174 9174 9174");
    EXPECT_EQ(cells("interval_max_occupancy_B"), "9174 4174 5000");
    EXPECT_EQ(cells("num_enq"), "2 2 3");
    EXPECT_EQ(cells("interval_num_enq"), "2 0 1");
    EXPECT_EQ(cells("interval_num_deq"), "1 1 1");
    EXPECT_EQ(cells("interval_enq_B"), "9174 0 1000");
    EXPECT_EQ(cells("interval_deq_B"), "5000 174 5000");
}

// [RC-18] By node; the four pools of a node stay in the order given.
TEST_F(NetBuffStatsFile, OrderOfRows)
{
    make({source(1, "RX_TC0_BUFFER", 0), source(1, "RX_TC1_BUFFER", 1), source(0, "TX_TC0_BUFFER", 0),
          source(0, "TX_TC1_BUFFER", 1)})
        .finish(kMs);
    std::string order;
    for (const Row& row : rows_of(path)) {
        order += row.at("node_id") + row.at("buffer_id") + row.at("tc") + " ";
    }
    EXPECT_EQ(order, "0TX_TC0_BUFFER0 0TX_TC1_BUFFER1 1RX_TC0_BUFFER0 1RX_TC1_BUFFER1 ");
}

}  // namespace
}  // namespace mrcnic::record
