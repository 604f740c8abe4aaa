#include "mrcnic/record/net_buff_stats.h"

#include <algorithm>
#include <utility>

#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

const std::vector<std::string_view> kColumns{"job_id",
                                             "time_utc",
                                             "sim_time_sec",
                                             "component_name",
                                             "node_id",
                                             "buffer_id",
                                             "tc",
                                             "occupancy_B",
                                             "max_occupancy_B",
                                             "buffer_max_size_B",
                                             "num_enq",
                                             "num_deq",
                                             "interval_num_enq",
                                             "interval_num_deq",
                                             "interval_enq_B",
                                             "interval_deq_B",
                                             "interval_max_occupancy_B",
                                             "enq_Gbps",
                                             "deq_Gbps",
                                             "overflow",
                                             "percent_occupancy"};

}  // namespace

NetBuffStats::NetBuffStats(std::filesystem::path path, std::string job_id, const std::vector<BufferSource>& sources,
                           Utc utc, Picoseconds start, Picoseconds interval)
    : PeriodicRecord{start, interval},
      file_{std::move(path), kColumns},
      job_id_{std::move(job_id)},
      utc_{std::move(utc)}
{
    for (const BufferSource& source : sources) {
        pools_.push_back({source, {}});
    }
    std::stable_sort(pools_.begin(), pools_.end(),
                     [](const Pool& a, const Pool& b) { return a.source.node_id < b.source.node_id; });
}

void NetBuffStats::write_rows(std::size_t, Picoseconds now, Picoseconds length)
{
    const std::string& time_utc = utc_.now();
    for (Pool& pool : pools_) {
        const BufferSource& source = pool.source;
        file_.cell(job_id_).cell(time_utc).cell(seconds(now)).cell(source.component_name).cell(source.node_id);
        file_.cell(source.buffer_id).cell(source.traffic_class);
        write_pool(pool, length);
        file_.end_row();
    }
}

void NetBuffStats::write_pool(Pool& pool, Picoseconds length)
{
    const nic::BytePool& bytes = *pool.source.pool;
    const Traffic total{bytes.reserved(), bytes.released(), bytes.bytes_in(), bytes.bytes_out()};
    const std::uint64_t bytes_in = total.bytes_in - pool.before.bytes_in;
    const std::uint64_t bytes_out = total.bytes_out - pool.before.bytes_out;
    file_.cell(bytes.occupancy()).cell(bytes.peak()).cell(bytes.size());
    file_.cell(total.admissions).cell(total.releases);
    file_.cell(total.admissions - pool.before.admissions).cell(total.releases - pool.before.releases);
    file_.cell(bytes_in).cell(bytes_out).cell(bytes.interval_peak());
    file_.cell(gbps(bytes_in, length)).cell(gbps(bytes_out, length));
    file_.cell(bytes.refused()).cell(ratio(bytes.occupancy(), 100U, bytes.size(), 1U));
    pool.before = total;
    pool.source.start_interval();
}

}  // namespace mrcnic::record
