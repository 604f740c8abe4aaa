#include "cli/summary_table.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/columns.h"
#include "cli/quantities.h"
#include "mrcnic/record/rates.h"
#include "mrcnic/record/summary.h"
#include "mrcnic/workload/rank_ends.h"

namespace mrcnic::cli {
namespace {

using packet::TrafficClass;
using platforms::Outcome;
using platforms::Platform;

// More rows than a screen has lines help nobody; all of them are in the summary.
constexpr std::size_t kMostNics = 16;
constexpr std::size_t kMostMessages = 10;
constexpr std::size_t kMostRanks = 16;

std::uint64_t statistic(const StatisticGroup& group, std::string_view name)
{
    for (const Statistic& statistic : group.statistics()) {
        if (statistic.name == name) {
            return std::get<std::uint64_t>(statistic.read());
        }
    }
    throw std::logic_error{fmt::format("{} has no statistic {}", group.name(), name)};
}

std::string peak(const nic::BytePool& pool)
{
    return fmt::format("{} B {:>7}", format_whole(pool.peak()),
                       format_percent(static_cast<double>(pool.peak()), static_cast<double>(pool.size())));
}

Row peaks_row(const Platform& platform, std::size_t i)
{
    const nic::Nic& nic = platform.node(i).nic;
    return {fmt::format("  NIC {}", i), peak(nic.egress_buffer().pool(TrafficClass::data)),
            peak(nic.egress_buffer().pool(TrafficClass::control)), peak(nic.ingress_buffer().pool(TrafficClass::data)),
            peak(nic.ingress_buffer().pool(TrafficClass::control))};
}

std::string busy(const pcie::TransactionLayer& end, Picoseconds run)
{
    return format_percent(static_cast<double>(statistic(end.statistics(), "busy_ps")), static_cast<double>(run));
}

Row traffic_row(const Platform& platform, std::size_t i)
{
    const platforms::Node& node = platform.node(i);
    const StatisticGroup& transport = node.nic.transport().statistics();
    return {fmt::format("  NIC {}", i),
            format_whole(statistic(transport, "data_sent")),
            format_whole(statistic(transport, "data_received")),
            format_whole(statistic(transport, "retransmissions")),
            format_whole(node.nic.ingress_buffer().drops()),
            format_whole(statistic(transport, "stalls")),
            busy(node.nic.transaction_layer(), platform.end_time()),
            busy(node.root_port.transaction_layer(), platform.end_time())};
}

std::string nic_tables(const Platform& platform)
{
    std::vector<Row> peaks{{"Buffer peaks", "egress data", "egress control", "ingress data", "ingress control"}};
    std::vector<Row> traffic{
        {"Data packets", "sent", "received", "retransmitted", "dropped", "stalls", "PCIe to host", "PCIe to NIC"}};
    for (std::size_t i = 0; i < std::min(platform.node_count(), kMostNics); ++i) {
        peaks.push_back(peaks_row(platform, i));
        traffic.push_back(traffic_row(platform, i));
    }
    std::string text = columns(peaks, Align::right) + '\n' + columns(traffic, Align::right);
    if (platform.node_count() > kMostNics) {
        text += fmt::format("  and {} more NICs, see summary.json\n", platform.node_count() - kMostNics);
    }
    return text;
}

std::string_view reason_of(Outcome outcome)
{
    switch (outcome) {
        case Outcome::stopped:
            return "the stop time has come";
        case Outcome::stuck:
            return "nothing is left to happen";
        default:
            return "it failed";
    }
}

std::string headline(const Platform& platform)
{
    const workload::Director* director = platform.director();
    std::string text = platform.config().platform;
    if (director != nullptr) {
        text += fmt::format(": {} of {} messages completed", format_whole(director->completed()),
                            format_whole(director->records().size()));
    }
    if (platform.outcome() == Outcome::interrupted) {
        text += ", interrupted";
    } else if (platform.outcome() == Outcome::stopped || platform.outcome() == Outcome::stuck) {
        text += fmt::format(", {}", reason_of(platform.outcome()));
    }
    return text;
}

/// Times from the posting to the later completion, of the messages that are complete.
std::string completion_times(const workload::Director& director)
{
    Picoseconds shortest = kNever;
    Picoseconds longest = 0;
    double sum = 0;
    for (const workload::MessageRecord& record : director.records()) {
        if (record.is_complete()) {
            const Picoseconds time = record.finish() - record.posted;
            shortest = std::min(shortest, time);
            longest = std::max(longest, time);
            sum += static_cast<double>(time);
        }
    }
    const auto mean = static_cast<Picoseconds>(sum / static_cast<double>(director.completed()));
    return fmt::format("min {}, mean {}, max {}", format_time(shortest), format_time(mean), format_time(longest));
}

void add_messages(const workload::Director& director, std::vector<Row>& rows)
{
    const record::MessageTotals totals = record::message_totals(director.workload().messages, director.records());
    if (totals.completed == 0) {
        return;
    }
    rows.push_back({"Goodput", fmt::format("{} in all: {} from {} to {}", format_rate(totals.goodput_bps.value_or(0)),
                                           format_bytes(static_cast<double>(totals.bytes)),
                                           format_time(*totals.first_start), format_time(*totals.last_finish))});
    rows.push_back({"Completion time", completion_times(director)});
}

/// When the ranks of an execution trace ended.
void add_ranks(const workload::Director& director, std::vector<Row>& rows)
{
    const std::vector<Picoseconds> ends = workload::rank_ends(director);
    if (ends.empty()) {
        return;
    }
    rows.push_back({"Trace", fmt::format("{} of {} nodes ended", format_whole(director.ended_nodes()),
                                         format_whole(director.node_records().size()))});
    std::string text;
    for (std::size_t rank = 0; rank < std::min(ends.size(), kMostRanks); ++rank) {
        text += fmt::format("{}{} {}", rank == 0 ? "" : ", ", rank,
                            ends[rank] == kNever ? "unfinished" : format_time(ends[rank]));
    }
    if (ends.size() > kMostRanks) {
        text += fmt::format(" and {} more, see summary.json", ends.size() - kMostRanks);
    }
    rows.push_back({"Rank ends", std::move(text)});
}

/// What a platform without messages shows: the share of frames that its NIC dropped and what reached the host.
void add_frames(const Platform& platform, std::vector<Row>& rows)
{
    const platforms::Node& node = platform.node(0);
    const std::uint64_t frames = node.nic.network_port().counters().rx_frames;
    const std::uint64_t drops = node.nic.ingress_buffer().drops();
    const std::uint64_t written = statistic(node.root_port.root_complex().statistics(), "bytes_written");
    const double rate = platform.end_time() > 0 ? record::bits_per_second(written, platform.end_time()) : 0.0;
    rows.push_back(
        {"Frames", fmt::format("{} received, {} dropped ({:.3f} %)", format_whole(frames), format_whole(drops),
                               frames > 0 ? 100 * static_cast<double>(drops) / static_cast<double>(frames) : 0.0)});
    rows.push_back(
        {"Written to host", fmt::format("{}, {}", format_bytes(static_cast<double>(written)), format_rate(rate))});
}

void add_switch_drops(const Platform& platform, std::vector<Row>& rows)
{
    std::uint64_t drops = 0;
    bool has_switch = false;
    for (const record::PortSource& port : platform.ports()) {
        if (port.component_type == "Switch") {
            has_switch = true;
            drops += port.tx_drops();
        }
    }
    if (has_switch) {
        rows.push_back({"Switch drops", format_whole(drops)});
    }
}

std::string_view state_of(const workload::MessageRecord& record)
{
    if (record.failed) {
        return "given up after too many retries";
    }
    if (record.posted == kNever) {
        return "not posted yet";
    }
    return record.recv_complete == kNever ? "not received completely" : "received, not acknowledged completely";
}

/// Lines for the first nodes of the trace that have not ended, those that have started before the others.
std::string unfinished_nodes(const workload::Director& director)
{
    const workload::Trace& trace = director.workload().trace;
    if (director.ended_nodes() == trace.nodes.size()) {
        return {};
    }
    std::string text = fmt::format("{} of {} nodes of the trace are unfinished\n",
                                   trace.nodes.size() - director.ended_nodes(), trace.nodes.size());
    std::size_t told = 0;
    for (const bool started : {true, false}) {
        for (std::size_t i = 0; i < trace.nodes.size() && told < kMostMessages; ++i) {
            const workload::NodeRecord& record = director.node_records()[i];
            if (record.end == kNever && (record.start != kNever) == started) {
                const workload::TraceNode& node = trace.nodes[i];
                text += fmt::format("rank {}, node {}, {}: {}\n", node.rank, node.id, workload::to_string(node.type),
                                    started ? "started, not ended" : "not started");
                ++told;
            }
        }
    }
    return text;
}

}  // namespace

std::string summary_table(const Platform& platform, double wall_seconds, const std::string& records)
{
    std::vector<Row> rows;
    if (platform.director() != nullptr) {
        add_messages(*platform.director(), rows);
        add_ranks(*platform.director(), rows);
    } else {
        add_frames(platform, rows);
    }
    add_switch_drops(platform, rows);
    rows.push_back({"Simulated", fmt::format("{} in {} of wall time", format_time(platform.end_time()),
                                             format_duration(wall_seconds))});
    rows.push_back({"Records", records});
    return fmt::format("{}\n\n{}\n{}", headline(platform), columns(rows, Align::left), nic_tables(platform));
}

std::string unfinished_messages(const Platform& platform)
{
    const workload::Director* director = platform.director();
    if (director == nullptr || director->all_complete() || platform.outcome() == Outcome::interrupted) {
        return {};
    }
    const std::vector<std::size_t> unfinished = director->unfinished();
    std::string text = fmt::format("the run ended with {} of {} messages unfinished: {}\n", unfinished.size(),
                                   director->records().size(), reason_of(platform.outcome()));
    for (std::size_t i = 0; i < std::min(unfinished.size(), kMostMessages); ++i) {
        const workload::Message& message = director->workload().messages[unfinished[i]];
        text += fmt::format("message {} from NIC {} to NIC {}, {} B: {}\n", message.id, message.source,
                            message.destination, message.bytes, state_of(director->records()[unfinished[i]]));
    }
    if (unfinished.size() > kMostMessages) {
        text += fmt::format("and {} more unfinished messages\n", unfinished.size() - kMostMessages);
    }
    return text + unfinished_nodes(*director);
}

}  // namespace mrcnic::cli
