#include "mrcnic/config/checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/pool_split.h"
#include "mrcnic/base/shared_buffer_split.h"
#include "mrcnic/config/attributes.h"
#include "mrcnic/config/index_list.h"
#include "mrcnic/config/quantity.h"
#include "mrcnic/packet/address_text.h"
#include "mrcnic/packet/wire_size.h"

namespace mrcnic::config {
namespace {

constexpr std::uint32_t kMaxTransferPayload = 512;  // [PC-2]

std::string bytes(std::uint64_t value)
{
    return format_quantity(static_cast<std::int64_t>(value), Dimension::bytes);
}

bool is_stamped(const NicConfig& nic)
{
    return nic.transport.rtt_timestamp_mode == RttTimestampMode::wire_timestamp;
}

/// The largest data packet of some NIC, or of a source that knows no MSS, and the attributes that make it so.
struct LargestPacket {
    std::uint32_t payload{0};
    bool stamped{false};
    std::vector<std::string> involved{};

    [[nodiscard]] std::uint64_t wire_bytes() const { return packet::data_wire_bytes(payload, stamped); }
};

LargestPacket packet_of(const NicConfig& nic, const std::string& prefix)
{
    return {nic.mss, is_stamped(nic), {prefix + "SemanticLayer.MSS", prefix + "CongestionControl.RTTTimestampMode"}};
}

/// Of what arrives anywhere in the platform: NICs may have an MSS each.
LargestPacket largest_arrival(const Config& config)
{
    LargestPacket largest = packet_of(config.nic, "nic.");
    for (std::uint32_t index = 0; index < config.nics.size(); ++index) {
        LargestPacket packet = packet_of(config.nics[index], nic_name(index) + ".");
        if (index == 0 || packet.wire_bytes() > largest.wire_bytes()) {
            largest = std::move(packet);
        }
    }
    if (config.platform == "line_rate_receive" && config.workload.frame_payload > largest.payload) {
        largest.payload = config.workload.frame_payload;
        largest.involved.emplace_back("workload.FramePayload");
    }
    return largest;
}

/// The checks of one NIC; paths start with `nic.` or `nics[3].`.
class NicChecks {
public:
    NicChecks(const NicConfig& nic, std::string prefix, const LargestPacket& arrival, std::uint32_t nic_count)
        : nic_{nic}, prefix_{std::move(prefix)}
    {
        check_pools("EgressBufferManager.TotalBufferSize", nic.egress_buffer_size, packet_of(nic, prefix_));
        check_pools("IngressBufferManager.TotalBufferSize", nic.ingress_buffer_size, arrival);
        check_data_buffers("NICSide", nic.host_interface.nic_side, arrival);
        check_data_buffers("HostSide", nic.host_interface.host_side, arrival);
        check_codepoints();
        check_monitor(nic_count);
        check_receiver_thresholds();
    }

    [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

private:
    void add(std::string_view path, std::string reason, std::vector<std::string> involved)
    {
        findings_.push_back({prefix_ + std::string{path}, std::move(reason), std::move(involved)});
    }

    // [PL-4] A pool that cannot hold its largest frame would never let the run end.
    void check_pools(std::string_view path, std::uint64_t size, const LargestPacket& largest)
    {
        const std::uint64_t data_frame = largest.wire_bytes();
        const std::uint64_t control_frame = packet::kSackWireBytes;
        const PoolSplit split{size};
        if (split.data >= data_frame && split.control >= control_frame) {
            return;
        }
        const bool data = split.data < data_frame;
        add(path,
            fmt::format("{} leaves {} for the {} pool, less than its largest frame, {}; allowed: at least {}",
                        bytes(size), bytes(data ? split.data : split.control), data ? "data" : "control",
                        bytes(data ? data_frame : control_frame),
                        bytes(PoolSplit::smallest_total(data_frame, control_frame))),
            largest.involved);
    }

    // [PC-12] The largest transfer in either direction, of a payload or of a read request.
    void check_data_buffers(std::string_view side_name, const PcieSide& side, const LargestPacket& largest)
    {
        const std::uint32_t smallest = std::max(std::min(kMaxTransferPayload, largest.payload),
                                                std::min(kMaxTransferPayload, nic_.host_interface.read_request_size));
        std::vector<std::string> involved = largest.involved;
        involved.push_back(prefix_ + "HostInterface.ReadRequestSize");
        const std::array<std::pair<std::string_view, std::uint64_t>, 2> buffers{
            {{"TXDataBufferSize", side.tx_data_buffer}, {"RXDataBufferSize", side.rx_data_buffer}}};
        for (const auto& [name, size] : buffers) {
            if (size < smallest) {
                add(fmt::format("HostInterface.{}.{}", side_name, name),
                    fmt::format("{} is smaller than the largest transfer; allowed: at least {}", bytes(size),
                                bytes(smallest)),
                    involved);
            }
        }
    }

    // [TR-41] A codepoint must tell one role.
    void check_codepoints()
    {
        const packet::DscpCodepoints& dscp = nic_.transport.dscp;
        const std::array<std::pair<std::string_view, std::uint8_t>, 6> codepoints{
            {{"Transport.DscpNoTrim", dscp.no_trim},
             {"Transport.DscpTrimmable", dscp.trimmable},
             {"Transport.DscpTrimmableRtx", dscp.trimmable_rtx},
             {"Transport.DscpTrimmed", dscp.trimmed},
             {"Transport.DscpTrimmedLastHop", dscp.trimmed_lasthop},
             {"Transport.DscpControl", dscp.control}}};
        for (auto later = codepoints.begin(); later != codepoints.end(); ++later) {
            const auto earlier = std::find_if(codepoints.begin(), later,
                                              [later](const auto& other) { return other.second == later->second; });
            if (earlier != later) {
                add(later->first,
                    fmt::format("{} is also {}{}; allowed: six different codepoints in 0 to 63", later->second, prefix_,
                                earlier->first),
                    {prefix_ + std::string{earlier->first}});
            }
        }
    }

    // [RC-67] A filter that can match nothing would leave the file empty without a word.
    void check_monitor(std::uint32_t nic_count)
    {
        const MonitorConfig& monitor = nic_.monitor;
        check_filter("Monitor.FilterOnNodeId", monitor.filter_on_node_id,
                     packet::parse_number(monitor.filter_on_node_id, nic_count).has_value(),
                     fmt::format("a NIC of this platform, 0 to {}", nic_count - 1));
        check_filter("Monitor.FilterOnLocalIp", monitor.filter_on_local_ip,
                     packet::parse_address(monitor.filter_on_local_ip).has_value(), "an IPv4 address such as 10.0.0.1");
        check_filter("Monitor.FilterOnRemoteIp", monitor.filter_on_remote_ip,
                     packet::parse_address(monitor.filter_on_remote_ip).has_value(),
                     "an IPv4 address such as 10.0.0.1");
        check_filter("Monitor.FilterOnQp", monitor.filter_on_qp, packet::parse_qp_end(monitor.filter_on_qp).has_value(),
                     "ADDRESS:NUMBER such as 10.0.0.1:17");
    }

    void check_filter(std::string_view path, const std::string& text, bool valid, std::string_view allowed)
    {
        if (!valid && text != "All") {
            add(path, fmt::format("\"{}\" is no such filter; allowed: All or {}", text, allowed), {"platform"});
        }
    }

    // [CC-43] The penalty rises between the two.
    void check_receiver_thresholds()
    {
        const double low = nic_.congestion_control.receiver_congestion_low_threshold;
        const double high = nic_.congestion_control.receiver_congestion_high_threshold;
        if (low >= high) {
            const std::string high_path = prefix_ + "CongestionControl.ReceiverCongestionHighThreshold";
            add("CongestionControl.ReceiverCongestionLowThreshold",
                fmt::format("{} % is not below {}, {} %; allowed: a low threshold below the high one", low, high_path,
                            high),
                {high_path});
        }
    }

    const NicConfig& nic_;
    std::string prefix_;
    std::vector<Finding> findings_;
};

/// Of what is wrong with one NIC only what `[nic]` has not been told already.
void check_nics(const Config& config, std::vector<Finding>& findings)
{
    const LargestPacket arrival = largest_arrival(config);
    const std::uint32_t count = config.nic_count();
    const std::vector<Finding> common = NicChecks{config.nic, "nic.", arrival, count}.take();
    findings.insert(findings.end(), common.begin(), common.end());
    for (std::uint32_t index = 0; index < config.nics.size(); ++index) {
        const std::string prefix = nic_name(index) + ".";
        const std::vector<Finding> as_common = NicChecks{config.nic, prefix, arrival, count}.take();
        for (Finding& finding : NicChecks{config.nics[index], prefix, arrival, count}.take()) {
            const bool known = std::any_of(as_common.begin(), as_common.end(), [&finding](const Finding& other) {
                return other.path == finding.path && other.reason == finding.reason;
            });
            if (!known) {
                findings.push_back(std::move(finding));
            }
        }
    }
}

void check_simulation(const Config& config, std::vector<Finding>& findings)
{
    if (config.simulation.timing == Timing::clocked) {
        findings.push_back({"simulation.Timing", "clocked is not available in this version; allowed: exact"});
    }
    if (config.platform == "line_rate_receive" && config.simulation.stop_time == 0 &&
        config.workload.frame_count == 0) {
        findings.push_back(
            {"workload.FrameCount",
             "line_rate_receive would never end; allowed: at least 1 (or simulation.StopTime at least 1ps)",
             {"simulation.StopTime", "platform"}});
    }
}

/// Whether the platform has switches, and how many ports the largest one has.
std::uint64_t most_switch_ports(const Config& config)
{
    const FabricConfig& fabric = config.fabric;
    if (config.platform == "star") {
        return fabric.nics;
    }
    if (config.platform == "leaf_spine") {
        return std::max<std::uint64_t>(fabric.nics_per_leaf + std::uint64_t{fabric.spines} * fabric.parallel_links,
                                       std::uint64_t{fabric.leaves} * fabric.parallel_links);
    }
    return 0;
}

constexpr std::uint32_t kNotCharged = packet::kEthernetBytes + packet::kFcsBytes;  // [SW-12]
constexpr std::uint32_t kSackCharge = packet::kSackWireBytes - kNotCharged;

/// The largest charge of a frame in a switch [SW-12].
std::uint64_t largest_charge(const Config& config)
{
    std::uint64_t largest = kSackCharge;
    for (const NicConfig& nic : config.nics) {
        largest = std::max<std::uint64_t>(largest, packet::data_wire_bytes(nic.mss, is_stamped(nic)) - kNotCharged);
    }
    return largest;
}

/// Node ids and port numbers have 16 bits [RC-30]. @return whether the fabric can be built
bool check_fabric(const Config& config, std::vector<Finding>& findings)
{
    if (config.platform != "leaf_spine") {
        return true;
    }
    const std::uint64_t nics = config.nic_count();
    if (nics < 2 || nics > kMaxNics) {
        findings.push_back({"fabric.NicsPerLeaf",
                            fmt::format("{} leaves of {} NICs are {} NICs; allowed: 2 to {} in all",
                                        config.fabric.leaves, config.fabric.nics_per_leaf, nics, kMaxNics),
                            {"fabric.Leaves", "platform"}});
    }
    const std::uint64_t ports = most_switch_ports(config);
    constexpr std::uint64_t kMaxPorts = 65'535;
    if (ports > kMaxPorts) {
        findings.push_back({"fabric.ParallelLinks",
                            fmt::format("{} gives a switch {} ports; allowed: at most {}", config.fabric.parallel_links,
                                        ports, kMaxPorts),
                            {"fabric.Spines", "fabric.Leaves", "fabric.NicsPerLeaf"}});
    }
    return findings.empty();
}

/// [SW-12, SW-23] A port's queue that holds no full frame would drop or trim every one, and the run would never end.
void check_queue_limit(const Config& config, std::uint64_t largest, std::vector<Finding>& findings)
{
    const SwitchConfig& policy = config.network_switch;
    if (!policy.uet_policy_enabled || policy.queue_limit() >= largest) {
        return;
    }
    const std::uint64_t times = policy.trimming_enabled ? 1 : policy.queue_drop_threshold;
    findings.push_back({"switch.PlaneBDP",
                        fmt::format("{} times {} holds no full packet, {}; allowed: at least {}", times,
                                    bytes(policy.plane_bdp), bytes(largest), bytes((largest - 1) / times + 1)),
                        {"switch.QueueDropThreshold", "switch.TrimmingEnabled", "nic.SemanticLayer.MSS",
                         "nic.CongestionControl.RTTTimestampMode"}});
}

/// [SW-21] At least one full frame for each pool.
void check_shared_buffer(const Config& config, std::uint64_t largest, std::vector<Finding>& findings)
{
    const SwitchConfig& policy = config.network_switch;
    const std::uint64_t ports = most_switch_ports(config);
    const std::uint64_t needed =
        policy.uet_policy_enabled ? SharedBufferSplit::smallest_sizing_total(largest, kSackCharge) : largest;
    const SharedBufferSplit split{policy.total_shared_buffer_size, policy.head_room_per_port_limit, ports};
    if (split.sizing_total < needed) {
        findings.push_back(
            {"switch.TotalSharedBufferSize",
             fmt::format("{} less {} for each of {} ports leaves {}; allowed: at least {}",
                         bytes(policy.total_shared_buffer_size), bytes(policy.head_room_per_port_limit), ports,
                         bytes(split.sizing_total), bytes(policy.head_room_per_port_limit * ports + needed)),
             {"switch.HeadRoomPerPortLimit", "fabric.Nics", "fabric.NicsPerLeaf", "fabric.Spines",
              "fabric.ParallelLinks", "fabric.Leaves", "nic.SemanticLayer.MSS"}});
    }
}

void check_switch(const Config& config, std::vector<Finding>& findings)
{
    const SwitchConfig& policy = config.network_switch;
    if (policy.enable_pfc) {
        findings.push_back({"switch.EnablePFC", "true, but NICs obey no pause frames (SW-17); allowed: false"});
    }
    if (policy.min_threshold > policy.max_threshold) {
        findings.push_back({"switch.MinThreshold",
                            fmt::format("{} is above switch.MaxThreshold; allowed: at most {}", policy.min_threshold,
                                        policy.max_threshold),
                            {"switch.MaxThreshold"}});
    }
    if (most_switch_ports(config) > 0) {
        const std::uint64_t largest = largest_charge(config);
        check_queue_limit(config, largest, findings);
        check_shared_buffer(config, largest, findings);
    }
}

bool is_collective(Generator generator)
{
    return generator != Generator::single && generator != Generator::cdf;
}

bool is_distribution(const std::string& file)
{
    constexpr std::string_view kSuffix = ".cdf";
    return file.size() > kSuffix.size() && file.compare(file.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
}

Parsed<std::vector<std::uint32_t>> check_nic_list(const Config& config, const std::string& path,
                                                  const std::string& text, std::vector<Finding>& findings)
{
    auto list = parse_index_list(text, config.nic_count());
    if (!list) {
        findings.push_back({path, list.error, {"platform", "fabric.Nics"}});
    }
    return list;
}

// [WL-3]
void check_single(const Config& config, std::vector<Finding>& findings)
{
    const WorkloadConfig& workload = config.workload;
    const std::uint32_t nics = config.nic_count();
    for (const auto& [path, index] :
         {std::pair{"workload.Source", workload.source}, std::pair{"workload.Destination", workload.destination}}) {
        if (index >= nics) {
            findings.push_back({path,
                                fmt::format("{} is no NIC of this platform; allowed: 0 to {}", index, nics - 1),
                                {"platform", "fabric.Nics", "fabric.Leaves", "fabric.NicsPerLeaf"}});
        }
    }
    if (workload.source == workload.destination) {
        findings.push_back({"workload.Destination",
                            fmt::format("{} is also workload.Source; allowed: another NIC", workload.destination),
                            {"workload.Source"}});
    }
}

// [WL-43]
void check_flows(const Config& config, std::vector<Finding>& findings)
{
    const WorkloadConfig& workload = config.workload;
    (void)check_nic_list(config, "workload.Sources", workload.sources, findings);
    if (workload.run_time == 0 && workload.message_count == 0) {
        findings.push_back({"workload.RunTime",
                            "0 and workload.MessageCount 0 would never end; allowed: at least 1 of one of them",
                            {"workload.MessageCount"}});
    }
}

// [WL-55]
void check_collective(const Config& config, std::vector<Finding>& findings)
{
    const WorkloadConfig& workload = config.workload;
    if (!workload.file.empty()) {
        findings.push_back({"workload.Generator",
                            "a collective reads no file; allowed with workload.File: Single, or Cdf with a .cdf file",
                            {"workload.File"}});
    }
    const auto ranks = check_nic_list(config, "workload.Ranks", workload.ranks, findings);
    if (ranks && ranks.value->size() < 2) {
        findings.push_back({"workload.Ranks", "a collective of one NIC sends nothing; allowed: at least two NICs"});
    }
    if (ranks && workload.generator == Generator::broadcast &&
        std::find(ranks.value->begin(), ranks.value->end(), workload.source) == ranks.value->end()) {
        findings.push_back(
            {"workload.Source",
             fmt::format("{} is the root of the broadcast; allowed: one of workload.Ranks", workload.source),
             {"workload.Ranks", "workload.Generator"}});
    }
}

void check_workload(const Config& config, std::vector<Finding>& findings)
{
    const WorkloadConfig& workload = config.workload;
    if (config.platform == "line_rate_receive") {
        return;
    }
    if (is_collective(workload.generator)) {
        check_collective(config, findings);
    } else if (is_distribution(workload.file)) {
        check_flows(config, findings);
    } else if (workload.generator == Generator::cdf) {
        findings.push_back({"workload.Generator",
                            "Cdf needs a distribution; allowed: a workload.File with suffix .cdf",
                            {"workload.File"}});
    } else if (workload.file.empty()) {
        check_single(config, findings);
    } else {
        (void)check_nic_list(config, "workload.Ranks", workload.ranks, findings);
    }
}

void add_range_error(const Attribute& attribute, const Value& value, const Target& target, std::vector<Error>& errors)
{
    std::string reason = range_error(attribute.type, value);
    if (!reason.empty()) {
        errors.push_back({{}, target.path(), std::move(reason)});
    }
}

}  // namespace

std::vector<Finding> check_relations(const Config& config)
{
    std::vector<Finding> findings;
    if (!check_fabric(config, findings)) {
        return findings;
    }
    check_simulation(config, findings);
    check_nics(config, findings);
    check_switch(config, findings);
    check_workload(config, findings);
    return findings;
}

std::vector<Error> validate(const Config& config)
{
    std::vector<Error> errors;
    for (const Attribute& attribute : attributes()) {
        const Value common = attribute.read(config);
        add_range_error(attribute, common, {&attribute, std::nullopt}, errors);
        for (std::uint32_t index = 0; attribute.of_nic() && index < config.nics.size(); ++index) {
            const Value own = attribute.read(config.nics[index]);
            if (own != common) {
                add_range_error(attribute, own, {&attribute, index}, errors);
            }
        }
    }
    if (config.nics.size() != std::min(config.nic_count(), kMaxNics)) {
        errors.push_back(
            {{},
             "nics",
             fmt::format("has {} entries; allowed: one for each NIC, {}", config.nics.size(), config.nic_count())});
    }
    // Relations between values that are themselves out of range would only repeat what has been said.
    if (errors.empty()) {
        for (Finding& finding : check_relations(config)) {
            errors.push_back({{}, std::move(finding.path), std::move(finding.reason)});
        }
    }
    return errors;
}

}  // namespace mrcnic::config
