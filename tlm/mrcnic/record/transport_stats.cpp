#include "mrcnic/record/transport_stats.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

using transport::SampleSeries;
using transport::TransportSamples;

using Reader = std::uint64_t (*)(const TransportFigures&);
using Series = SampleSeries TransportSamples::*;

/// A counter with its twin, which is the difference to the row before.
struct CounterColumn {
    std::string_view name;
    std::string_view twin;
    Reader read;
    Series maximum{nullptr};  // set: the columns are the maxima of these samples instead
};

template <std::uint64_t TransportFigures::*Member>
std::uint64_t member(const TransportFigures& figures)
{
    return figures.*Member;
}

std::uint64_t sent(const TransportFigures& figures)
{
    return figures.total_pkts_sent();
}

std::uint64_t received(const TransportFigures& figures)
{
    return figures.total_pkts_rcvd();
}

using F = TransportFigures;
using S = TransportSamples;

// clang-format off
constexpr std::array<CounterColumn, 26> kCounters{{
    {"total_pkts_sent", "ivl_total_pkts_sent", sent},
    {"total_pkts_rcvd", "ivl_total_pkts_rcvd", received},
    {"write_pkts_sent", "ivl_write_pkts_sent", member<&F::write_pkts_sent>},
    {"write_pkts_rcvd", "ivl_write_pkts_rcvd", member<&F::write_pkts_rcvd>},
    {"ack_pkts_sent", "ivl_ack_pkts_sent", member<&F::ack_pkts_sent>},
    {"ack_pkts_rcvd", "ivl_ack_pkts_rcvd", member<&F::ack_pkts_rcvd>},
    {"sack_pkts_sent", "ivl_sack_pkts_sent", member<&F::sack_pkts_sent>},
    {"sack_pkts_rcvd", "ivl_sack_pkts_rcvd", member<&F::sack_pkts_rcvd>},
    {"nack_pkts_sent", "ivl_nack_pkts_sent", member<&F::nack_pkts_sent>},
    {"nack_pkts_rcvd", "ivl_nack_pkts_rcvd", member<&F::nack_pkts_rcvd>},
    {"wqes_created", "ivl_wqes_created", member<&F::wqes_created>},
    {"wqes_completed", "ivl_wqes_completed", member<&F::wqes_completed>},
    {"num_out_of_order_events_on_nic", "ivl_num_out_of_order_events_on_nic", member<&F::num_out_of_order_events_on_nic>},
    {"max_out_of_order_on_flow", "ivl_max_out_of_order_on_flow", nullptr, &S::out_of_order},
    {"num_dup_events_on_nic", "ivl_num_dup_events_on_nic", member<&F::num_dup_events_on_nic>},
    {"probe_sent", "ivl_probe_sent", member<&F::probe_sent>},
    {"probe_ack_rcvd", "ivl_probe_ack_rcvd", member<&F::probe_ack_rcvd>},
    {"num_rto", "ivl_num_rto", member<&F::num_rto>},
    {"num_gap_loss", "ivl_num_gap_loss", member<&F::num_gap_loss>},
    {"num_rtx", "ivl_num_rtx", member<&F::num_rtx>},
    {"max_tx_count", "ivl_max_tx_count", nullptr, &S::transmissions},
    {"m_marked_pkts_sent", "ivl_m_marked_pkts_sent", member<&F::m_marked_pkts_sent>},
    {"m_marked_pkts_rcvd", "ivl_m_marked_pkts_rcvd", member<&F::m_marked_pkts_rcvd>},
    {"num_quick_adapt", "ivl_num_quick_adapt", member<&F::num_quick_adapt>},
    {"num_egress_pool_stalls", "ivl_num_egress_pool_stalls", member<&F::num_egress_pool_stalls>},
    {"num_psn_window_discards", "ivl_num_psn_window_discards", member<&F::num_psn_window_discards>},
}};
// clang-format on

double total_minimum(const SampleSeries& series)
{
    return series.total().minimum;
}
double total_mean(const SampleSeries& series)
{
    return series.total().mean();
}
double total_maximum(const SampleSeries& series)
{
    return series.total().maximum;
}
double interval_minimum(const SampleSeries& series)
{
    return series.interval().minimum;
}
double interval_mean(const SampleSeries& series)
{
    return series.interval().mean();
}
double interval_maximum(const SampleSeries& series)
{
    return series.interval().maximum;
}

constexpr double kPlain = 1.0;
constexpr double kMicrosecond = 1e6;  // in ps

/// A figure of some samples, divided by the unit that the column is in.
struct SampleColumn {
    std::string_view name;
    Series series;
    double (*read)(const SampleSeries&);
    double unit;
};

// clang-format off
constexpr std::array<SampleColumn, 23> kSamples{{
    {"ivl_calc_min_rcvr_cwnd_pen", &S::receiver_penalty, interval_minimum, kPlain},
    {"calc_mean_rcvr_cwnd_pen", &S::receiver_penalty, total_mean, kPlain},
    {"ivl_calc_mean_rcvr_cwnd_pen", &S::receiver_penalty, interval_mean, kPlain},
    {"ivl_calc_max_rcvr_cwnd_pen", &S::receiver_penalty, interval_maximum, kPlain},
    {"calc_min_cwnd_bytes", &S::congestion_window, total_minimum, kPlain},
    {"ivl_calc_min_cwnd_bytes", &S::congestion_window, interval_minimum, kPlain},
    {"calc_mean_cwnd_bytes", &S::congestion_window, total_mean, kPlain},
    {"ivl_calc_mean_cwnd_bytes", &S::congestion_window, interval_mean, kPlain},
    {"ivl_calc_max_cwnd_bytes", &S::congestion_window, interval_maximum, kPlain},
    {"ivl_min_calc_avg_q_delay_usec", &S::average_delay, interval_minimum, kMicrosecond},
    {"avg_calc_avg_q_delay_usec", &S::average_delay, total_mean, kMicrosecond},
    {"ivl_avg_calc_avg_q_delay_usec", &S::average_delay, interval_mean, kMicrosecond},
    {"max_calc_avg_q_delay_usec", &S::average_delay, total_maximum, kMicrosecond},
    {"ivl_max_calc_avg_q_delay_usec", &S::average_delay, interval_maximum, kMicrosecond},
    {"ivl_min_calc_rtt_usec", &S::rtt, interval_minimum, kMicrosecond},
    {"max_calc_rtt_usec", &S::rtt, total_maximum, kMicrosecond},
    {"ivl_max_calc_rtt_usec", &S::rtt, interval_maximum, kMicrosecond},
    {"avg_calc_rtt_usec", &S::rtt, total_mean, kMicrosecond},
    {"ivl_avg_calc_rtt_usec", &S::rtt, interval_mean, kMicrosecond},
    {"ivl_calc_min_bytes_in_flight", &S::bytes_in_flight, interval_minimum, kPlain},
    {"calc_mean_bytes_in_flight", &S::bytes_in_flight, total_mean, kPlain},
    {"ivl_calc_mean_bytes_in_flight", &S::bytes_in_flight, interval_mean, kPlain},
    {"ivl_calc_max_bytes_in_flight", &S::bytes_in_flight, interval_maximum, kPlain},
}};
// clang-format on

std::vector<std::string_view> columns()
{
    std::vector<std::string_view> names{"time_utc", "sim_time_sec", "component_name", "node_id"};
    for (const CounterColumn& column : kCounters) {
        names.push_back(column.name);
        names.push_back(column.twin);
    }
    for (const SampleColumn& column : kSamples) {
        names.push_back(column.name);
    }
    return names;
}

std::vector<TransportSource> sorted(std::vector<TransportSource> sources)
{
    std::stable_sort(sources.begin(), sources.end(),
                     [](const TransportSource& a, const TransportSource& b) { return a.node_id < b.node_id; });
    return sources;
}

std::vector<Picoseconds> intervals(const std::vector<TransportSource>& sources)
{
    std::vector<Picoseconds> result;
    for (const TransportSource& source : sorted(sources)) {
        result.push_back(source.interval);
    }
    return result;
}

void start_interval(TransportSamples& samples)
{
    for (const Series series : {&S::receiver_penalty, &S::congestion_window, &S::average_delay, &S::rtt,
                                &S::bytes_in_flight, &S::out_of_order, &S::transmissions}) {
        (samples.*series).start_interval();
    }
}

}  // namespace

TransportStats::TransportStats(std::filesystem::path path, std::vector<TransportSource> sources, Utc utc,
                               Picoseconds start)
    : PeriodicRecord{start, intervals(sources)}, file_{std::move(path), columns()}, utc_{std::move(utc)}
{
    for (TransportSource& source : sorted(std::move(sources))) {
        nics_.push_back({std::move(source), {}});
    }
}

void TransportStats::write_rows(std::size_t group, Picoseconds now, Picoseconds)
{
    Nic& nic = nics_[group];
    const TransportFigures figures = nic.source.figures();
    file_.cell(utc_.now()).cell(seconds(now)).cell(nic.source.component_name).cell(nic.source.node_id);
    write_counters(nic, figures);
    write_samples(*nic.source.samples);
    file_.end_row();
    nic.before = figures;
    start_interval(*nic.source.samples);
}

void TransportStats::write_counters(const Nic& nic, const TransportFigures& figures)
{
    for (const CounterColumn& column : kCounters) {
        if (column.maximum != nullptr) {
            const SampleSeries& series = nic.source.samples->*column.maximum;
            file_.cell(static_cast<std::uint64_t>(series.total().maximum));
            file_.cell(static_cast<std::uint64_t>(series.interval().maximum));
        } else {
            const std::uint64_t total = column.read(figures);
            file_.cell(total).cell(total - column.read(nic.before));
        }
    }
}

void TransportStats::write_samples(const TransportSamples& samples)
{
    for (const SampleColumn& column : kSamples) {
        file_.cell(column.read(samples.*column.series) / column.unit);
    }
}

}  // namespace mrcnic::record
