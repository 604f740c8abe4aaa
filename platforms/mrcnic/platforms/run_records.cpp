#include "mrcnic/platforms/run_records.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <systemc>

#include "mrcnic/base/version.h"
#include "mrcnic/config/digest.h"
#include "mrcnic/platforms/node_statistics.h"
#include "mrcnic/record/nd_stats.h"
#include "mrcnic/record/summary.h"
#include "mrcnic/workload/rank_ends.h"

namespace mrcnic::platforms {

namespace {

const std::filesystem::path& made(const std::filesystem::path& folder)
{
    record::make_folder(folder);
    return folder;
}

}  // namespace

std::string_view to_string(Outcome outcome) noexcept
{
    switch (outcome) {
        case Outcome::completed:
            return "completed";
        case Outcome::stopped:
            return "stopped";
        case Outcome::interrupted:
            return "interrupted";
        case Outcome::stuck:
            return "stuck";
        case Outcome::running:
            break;
    }
    return "running";
}

RunRecords::RunRecords(Platform& platform, const std::filesystem::path& folder,
                       const std::vector<config::EffectiveValue>& effective)
    : platform_{platform},
      folder_{made(folder)},
      digest_{config::config_digest(effective)},
      messages_{file_of("messages")},
      summary_{folder_ / "summary.json"}
{
    add_periodic_records();
    if (platform.director() != nullptr && !platform.director()->workload().trace.nodes.empty()) {
        trace_nodes_ = std::make_unique<record::TraceNodesCsv>(file_of("trace-nodes"));
    }
    schedule();
}

// [RC-10]
std::filesystem::path RunRecords::file_of(std::string_view record) const
{
    const std::string& prefix = platform_.config().simulation.record_prefix;
    return folder_ / (prefix.empty() ? fmt::format("{}.csv", record) : fmt::format("{}-{}-0.csv", prefix, record));
}

// [RC-20] [RC-27] A record that is off is not made at all.
void RunRecords::add_periodic_records()
{
    const config::SimulationConfig& simulation = platform_.config().simulation;
    const Picoseconds start = platform_.config().workload.start_time + simulation.client_start_offset;
    if (simulation.enable_net_device_stat_logging) {
        periodic_.push_back(std::make_unique<record::NdStats>(file_of("nd-stats"), platform_.ports(),
                                                              record::Utc{simulation.wall_clock_utc}, start,
                                                              simulation.nd_stats_report_interval));
    }
}

// One entry for all records: they do not keep each other alive.
void RunRecords::schedule()
{
    if (periodic_.empty()) {
        return;
    }
    Picoseconds next = kNever;
    for (const auto& record : periodic_) {
        next = std::min(next, record->next());
    }
    platform_.agenda().at<&RunRecords::write_due>(next, EventClass::record, {}, *this);
}

void RunRecords::write_due()
{
    const Picoseconds now = platform_.agenda().now();
    for (const auto& record : periodic_) {
        if (record->next() == now) {
            record->write_next();
        }
    }
    // Records only watch. When nothing else is to come, a simulation that is stuck must come to rest.
    if (platform_.agenda().has_entries() || sc_core::sc_pending_activity()) {
        schedule();
    }
}

void RunRecords::finish(double wall_seconds, double cpu_seconds)
{
    const bool has_ended = platform_.outcome() != Outcome::running;
    const Picoseconds end = has_ended ? platform_.end_time() : platform_.agenda().now();
    for (const auto& record : periodic_) {
        record->finish(end);
    }
    if (const workload::Director* director = platform_.director()) {
        messages_.finish(director->workload().messages, director->records());
        if (trace_nodes_) {
            trace_nodes_->finish(director->workload().trace, director->node_records());
        }
    } else {
        messages_.finish();
    }
    summary_.write(summary(end, wall_seconds, cpu_seconds));
    summary_.close();
}

std::string RunRecords::summary(Picoseconds end, double wall_seconds, double cpu_seconds) const
{
    record::Summary summary;
    summary.version = kVersion;
    summary.platform = platform_.config().platform;
    summary.seed = platform_.config().simulation.seed;
    summary.config_digest = digest_;
    summary.outcome = to_string(platform_.outcome());
    summary.sim_time = end;
    summary.wall_s = wall_seconds;
    summary.cpu_s = cpu_seconds;
    summary.kernel_events = platform_.agenda().kernel_events();
    if (const workload::Director* director = platform_.director()) {
        summary.messages = record::message_totals(director->workload().messages, director->records());
        const std::vector<Picoseconds> ends = workload::rank_ends(*director);
        for (std::size_t rank = 0; rank < ends.size(); ++rank) {
            summary.ranks.push_back({director->workload().trace.nics[rank], ends[rank]});
        }
    }
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        const Node& node = std::as_const(platform_).node(i);
        summary.data_packets += node.nic.transport().sender().counters().data_sent;
        summary.nics.push_back({fmt::format("MrcNic-{}", i), node_statistics(node)});
    }
    return record::summary_json(summary);
}

}  // namespace mrcnic::platforms
