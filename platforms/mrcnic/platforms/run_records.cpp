#include "mrcnic/platforms/run_records.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <systemc>

#include "mrcnic/base/version.h"
#include "mrcnic/config/digest.h"
#include "mrcnic/platforms/node_statistics.h"
#include "mrcnic/platforms/record_sources.h"
#include "mrcnic/platforms/wire_sources.h"
#include "mrcnic/record/nd_stats.h"
#include "mrcnic/record/net_buff_stats.h"
#include "mrcnic/record/summary.h"
#include "mrcnic/record/switch_stats.h"
#include "mrcnic/record/transport_stats.h"
#include "mrcnic/workload/rank_ends.h"

namespace mrcnic::platforms {

namespace {

/// All records that runs may write; `summary.json` always is.
constexpr std::array<std::string_view, 9> kRecords{"messages",       "nd-stats",      "mrc-transport-stats",
                                                   "net-buff-stats", "mrc-monitor",   "mrc-events",
                                                   "switch-stats",   "message-stats", "trace-nodes"};

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
                       const std::vector<config::EffectiveValue>& effective, const Traces& traces)
    : platform_{platform},
      folder_{made(folder)},
      digest_{config::config_digest(effective)},
      utc_{platform.config().simulation.wall_clock_utc},
      start_{platform.config().workload.start_time + platform.config().simulation.client_start_offset},
      queue_pair_observers_(platform.node_count()),
      messages_{file_of("messages")},
      summary_{folder_ / "summary.json"}
{
    add_port_stats();
    add_transport_stats();
    add_buffer_stats();
    add_switch_stats();
    add_events();
    add_monitor();
    add_message_stats();
    observe_queue_pairs();
    add_trace_nodes();
    remove_old_records();
    add_capture(traces);
    schedule();
}

// [RC-10]
std::filesystem::path RunRecords::path_of(std::string_view record) const
{
    const std::string& prefix = platform_.config().simulation.record_prefix;
    return folder_ / (prefix.empty() ? fmt::format("{}.csv", record) : fmt::format("{}-{}-0.csv", prefix, record));
}

std::filesystem::path RunRecords::file_of(std::string_view record)
{
    written_.insert(record);
    return path_of(record);
}

// [RC-20]
void RunRecords::add_port_stats()
{
    const config::SimulationConfig& simulation = platform_.config().simulation;
    if (simulation.enable_net_device_stat_logging) {
        periodic_.push_back(std::make_unique<record::NdStats>(file_of("nd-stats"), platform_.ports(), utc_, start_,
                                                              simulation.nd_stats_report_interval));
    }
}

// [RC-21]
void RunRecords::add_transport_stats()
{
    std::vector<record::TransportSource> sources;
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        Node& node = platform_.node(i);
        if (node.nic.config().enable_transport_stats) {
            node.nic.transport().collect(&samples_.emplace_back());
            sources.push_back(transport_source(node, component_name(i), samples_.back()));
        }
    }
    if (!sources.empty()) {
        periodic_.push_back(
            std::make_unique<record::TransportStats>(file_of("mrc-transport-stats"), std::move(sources), utc_, start_));
    }
}

// [RC-22]
void RunRecords::add_buffer_stats()
{
    const config::Config& config = platform_.config();
    if (!config.simulation.enable_network_buffer_stats_reporting) {
        return;
    }
    std::vector<record::BufferSource> sources;
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        Node& node = platform_.node(i);
        if (node.nic.config().enable_buffer_stats) {
            const std::vector<record::BufferSource> pools = buffer_sources(node, component_name(i));
            sources.insert(sources.end(), pools.begin(), pools.end());
        }
    }
    const std::string& prefix = config.simulation.record_prefix;
    periodic_.push_back(std::make_unique<record::NetBuffStats>(
        file_of("net-buff-stats"), prefix.empty() ? config.platform : prefix, sources, utc_, start_,
        config.simulation.network_buffer_stats_reporting_interval));
}

// [RC-25]
void RunRecords::add_switch_stats()
{
    if (platform_.config().network_switch.enable_switch_stats) {
        periodic_.push_back(
            std::make_unique<record::SwitchStats>(file_of("switch-stats"), platform_.switch_queues(), utc_, start_,
                                                  platform_.config().simulation.nd_stats_report_interval));
    }
}

// [RC-23]
void RunRecords::add_events()
{
    std::vector<record::EventSource> sources;
    std::vector<std::size_t> nics;
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        const nic::Nic& nic = platform_.node(i).nic;
        if (nic.config().enable_event_logging) {
            sources.push_back({component_name(i), nic.parameters().node});
            nics.push_back(i);
        }
    }
    if (sources.empty()) {
        return;
    }
    events_ = std::make_unique<record::MrcEvents>(file_of("mrc-events"), std::move(sources), utc_,
                                                  [this] { return platform_.agenda().now(); });
    for (std::size_t k = 0; k < nics.size(); ++k) {
        queue_pair_observers_[nics[k]].add(events_->observer(k));
    }
}

// [RC-24] On everywhere if it is anywhere: a match selects both ends of a connection [RC-67].
void RunRecords::add_monitor()
{
    std::vector<record::MonitorSource> sources;
    bool any = false;
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        sources.push_back(monitor_source(platform_.node(i), component_name(i)));
        any = any || sources.back().rules.can_select();
    }
    if (!any) {
        return;
    }
    monitor_ = std::make_unique<record::MrcMonitor>(file_of("mrc-monitor"), std::move(sources),
                                                    [this] { return platform_.agenda().now(); });
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        platform_.node(i).nic.transport().observe_frames(&monitor_->observer(i));
    }
}

// [RC-26]
void RunRecords::add_message_stats()
{
    workload::Director* director = platform_.director();
    if (director == nullptr || !platform_.config().simulation.enable_message_stats) {
        return;
    }
    std::vector<std::uint32_t> mss;
    for (const config::NicConfig& nic : platform_.config().nics) {
        mss.push_back(nic.mss);
    }
    message_stats_ = std::make_unique<record::MessageStats>(file_of("message-stats"), director->workload().messages,
                                                            director->records(), std::move(mss));
    director->on_complete([this](std::size_t message) { message_stats_->completed(message); });
    for (record::QueuePairObservers& observers : queue_pair_observers_) {
        observers.add(*message_stats_);
    }
}

void RunRecords::observe_queue_pairs()
{
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        if (!queue_pair_observers_[i].is_empty()) {
            platform_.node(i).nic.transport().observe_queue_pairs(&queue_pair_observers_[i]);
        }
    }
}

void RunRecords::add_trace_nodes()
{
    const workload::Director* director = std::as_const(platform_).director();
    if (director != nullptr && !director->workload().trace.nodes.empty()) {
        trace_nodes_ = std::make_unique<record::TraceNodesCsv>(file_of("trace-nodes"));
    }
}

void RunRecords::remove_old_records() const
{
    for (const std::string_view record : kRecords) {
        if (written_.count(record) == 0) {
            record::remove_file(path_of(record));
        }
    }
}

void RunRecords::add_capture(const Traces& traces)
{
    const std::filesystem::path path = folder_ / "wire.pcapng";
    if (!traces.pcap) {
        record::remove_file(path);
        return;
    }
    wire_ = std::make_unique<record::WireCapture>(path, wire_sources(platform_), platform_.agenda(),
                                                  platform_.config().simulation.payload_mode, traces.window);
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
    stop_observing();
    for (const auto& record : periodic_) {
        record->finish(end);
    }
    if (events_) {
        events_->finish(end);
    }
    if (monitor_) {
        monitor_->finish();
    }
    if (message_stats_) {
        message_stats_->finish();
    }
    if (const workload::Director* director = std::as_const(platform_).director()) {
        messages_.finish(director->workload().messages, director->records());
        if (trace_nodes_) {
            trace_nodes_->finish(director->workload().trace, director->node_records());
        }
    } else {
        messages_.finish();
    }
    summary_.write(summary(end, wall_seconds, cpu_seconds));
    summary_.close();
    if (wire_) {
        wire_->close();
    }
}

// Whatever the kernel does from now on is not of this run.
void RunRecords::stop_observing()
{
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        transport::Transport& transport = platform_.node(i).nic.transport();
        transport.observe_queue_pairs(nullptr);
        transport.observe_frames(nullptr);
        transport.collect(nullptr);
    }
    if (workload::Director* director = platform_.director()) {
        director->on_complete({});
    }
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
    if (const workload::Director* director = std::as_const(platform_).director()) {
        summary.messages = record::message_totals(director->workload().messages, director->records());
        const std::vector<Picoseconds> ends = workload::rank_ends(*director);
        for (std::size_t rank = 0; rank < ends.size(); ++rank) {
            summary.ranks.push_back({director->workload().trace.nics[rank], ends[rank]});
        }
    }
    for (std::size_t i = 0; i < platform_.node_count(); ++i) {
        const Node& node = std::as_const(platform_).node(i);
        summary.data_packets += node.nic.transport().sender().counters().data_sent;
        summary.nics.push_back({component_name(i), node_statistics(node)});
    }
    return record::summary_json(summary);
}

}  // namespace mrcnic::platforms
