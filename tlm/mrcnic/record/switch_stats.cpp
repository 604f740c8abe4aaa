#include "mrcnic/record/switch_stats.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

const std::vector<std::string_view> kColumns{"time_utc",
                                             "sim_time_sec",
                                             "component_name",
                                             "node_id",
                                             "ifid",
                                             "uldl",
                                             "tc",
                                             "queue_B",
                                             "ivl_max_queue_B",
                                             "mean_queue_B",
                                             "pkts_ecn_marked",
                                             "pkts_trimmed",
                                             "pkts_trimmed_lasthop",
                                             "egress_drops",
                                             "ingress_drops"};

}  // namespace

SwitchStats::SwitchStats(std::filesystem::path path, std::vector<SwitchSource> sources, Utc utc, Picoseconds start,
                         Picoseconds interval)
    : PeriodicRecord{start, interval},
      file_{std::move(path), kColumns},
      utc_{std::move(utc)},
      sources_{std::move(sources)}
{
    std::stable_sort(sources_.begin(), sources_.end(), [](const SwitchSource& a, const SwitchSource& b) {
        return std::tuple{a.node_id, a.ifid, a.traffic_class} < std::tuple{b.node_id, b.ifid, b.traffic_class};
    });
}

void SwitchStats::write_rows(std::size_t, Picoseconds now, Picoseconds)
{
    const std::string& time_utc = utc_.now();
    for (const SwitchSource& source : sources_) {
        const SwitchFigures figures = source.take_figures();
        file_.cell(time_utc).cell(seconds(now)).cell(source.component_name).cell(source.node_id).cell(source.ifid);
        file_.cell(source.uplink ? "ul" : "dl").cell(source.traffic_class);
        file_.cell(figures.queue_bytes).cell(figures.interval_max_bytes).cell(figures.mean_queue_bytes);
        file_.cell(figures.marked).cell(figures.trimmed).cell(figures.trimmed_lasthop);
        file_.cell(figures.egress_drops).cell(figures.ingress_drops);
        file_.end_row();
    }
}

}  // namespace mrcnic::record
