#include "mrcnic/record/nd_stats.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

constexpr double kGigabyte = 1e9;
constexpr double kMegabyte = 1e6;
constexpr std::uint32_t kNoSubtier = 4'294'967'295;  // [RC-40.10]

const std::vector<std::string_view> kColumns{"time_utc",
                                             "sim_time_sec",
                                             "component_name",
                                             "nd_name",
                                             "component_type",
                                             "ifid",
                                             "uldl",
                                             "node_id",
                                             "tier",
                                             "subtier",
                                             "total_packets_tx",
                                             "total_packets_rx",
                                             "total_bytes_tx_GB",
                                             "total_bytes_rx_GB",
                                             "interval_bytes_tx_MB",
                                             "interval_bytes_rx_MB",
                                             "tx_rate_Gbps",
                                             "rx_rate_Gbps",
                                             "tx_link_percent_util",
                                             "rx_link_percent_util",
                                             "tx_drops",
                                             "rx_drops"};

}  // namespace

NdStats::NdStats(std::filesystem::path path, const std::vector<PortSource>& ports, Utc utc, Picoseconds start,
                 Picoseconds interval)
    : PeriodicRecord{start, interval}, file_{std::move(path), kColumns}, utc_{utc}
{
    for (const PortSource& source : ports) {
        ports_.push_back({source, {}});
    }
    std::stable_sort(ports_.begin(), ports_.end(), [](const Port& a, const Port& b) {
        return std::pair{a.source.node_id, a.source.ifid} < std::pair{b.source.node_id, b.source.ifid};
    });
}

void NdStats::write_rows(std::size_t, Picoseconds now, Picoseconds length)
{
    const std::string& time_utc = utc_.now();
    for (Port& port : ports_) {
        file_.cell(time_utc).cell(seconds(now));
        write_identity(port.source);
        write_traffic(port, length);
        file_.end_row();
    }
}

void NdStats::write_identity(const PortSource& source)
{
    file_.cell(source.component_name).cell(source.nd_name).cell(source.component_type).cell(source.ifid);
    file_.cell(source.uplink ? "ul" : "dl").cell(source.node_id).cell(source.tier).cell(kNoSubtier);
}

void NdStats::write_traffic(Port& port, Picoseconds length)
{
    const nic::PortCounters total = *port.source.counters;
    const BitsPerSecond rate = port.source.link_rate;
    const std::uint64_t tx_bytes = total.tx_bytes - port.before.tx_bytes;
    const std::uint64_t rx_bytes = total.rx_bytes - port.before.rx_bytes;
    file_.cell(total.tx_frames).cell(total.rx_frames);
    file_.cell(static_cast<double>(total.tx_bytes) / kGigabyte).cell(static_cast<double>(total.rx_bytes) / kGigabyte);
    file_.cell(static_cast<double>(tx_bytes) / kMegabyte).cell(static_cast<double>(rx_bytes) / kMegabyte);
    file_.cell(gbps(tx_bytes, length)).cell(gbps(rx_bytes, length));
    file_.cell(percent_of_rate(tx_bytes, length, rate)).cell(percent_of_rate(rx_bytes, length, rate));
    file_.cell(port.source.tx_drops()).cell(port.source.rx_drops());
    port.before = total;
}

}  // namespace mrcnic::record
