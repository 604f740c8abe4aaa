#include "mrcnic/config/attributes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/config/binding.h"
#include "mrcnic/config/nearest.h"
#include "mrcnic/config/platforms.h"

namespace mrcnic::config {
namespace {

constexpr std::int64_t kKB = 1'000;
constexpr std::int64_t kMB = 1'000'000;
constexpr std::int64_t kGB = 1'000'000'000;
constexpr std::int64_t kTB = 1'000'000'000'000;
constexpr std::int64_t kNs = 1'000;
constexpr std::int64_t kUs = 1'000'000;
constexpr std::int64_t kMs = 1'000'000'000;
constexpr std::int64_t kSecond = 1'000'000'000'000;
constexpr std::int64_t kMbps = 1'000'000;
constexpr std::int64_t kGbps = 1'000'000'000;
constexpr std::int64_t kTbps = 1'000'000'000'000;
constexpr std::int64_t kMaxCount = 1'000'000'000;

Type flag(bool value)
{
    return {Kind::boolean, value};
}

Type count(std::int64_t value, std::int64_t low, std::int64_t high, std::string unit = {})
{
    return {Kind::integer, value, low, high, 1, {}, std::move(unit)};
}

Type multiple_of(std::int64_t multiple, std::int64_t value, std::int64_t low, std::int64_t high, std::string unit)
{
    return {Kind::integer, value, low, high, multiple, {}, std::move(unit)};
}

Type size(std::int64_t value, std::int64_t low, std::int64_t high)
{
    return {Kind::bytes, value, low, high, 1, {}, "B"};
}

// The upper bound keeps 16 lanes and sums of a busy period's bits far from 2^62.
Type rate(std::int64_t value)
{
    return {Kind::rate, value, kMbps, 100 * kTbps, 1, {}, "bps"};
}

Type time(std::int64_t value, std::int64_t low = 0, std::int64_t high = 1000 * kSecond)
{
    return {Kind::time, value, low, high, 1, {}, "ps"};
}

Type text()
{
    return {Kind::text, std::string{}};
}

Type path()
{
    return {Kind::path, std::string{}};
}

/// The first word is the default; for an enumeration, words stand in the order of its enumerators.
Type choice(std::vector<std::string> words, std::size_t default_word = 0)
{
    Type type{Kind::choice, words[default_word]};
    type.words = std::move(words);
    return type;
}

std::vector<std::string> platform_names()
{
    std::vector<std::string> names;
    for (const PlatformInfo& platform : kPlatforms) {
        names.emplace_back(platform.name);
    }
    return names;
}

class Table {
public:
    Table()
    {
        add_simulation();
        add_nic();
        add_host_interface();
        add_transport();
        add_retransmission();
        add_congestion_control();
        add_paths();
        add_fabric();
        add_workload();
    }

    [[nodiscard]] std::vector<Attribute> take() { return std::move(rows_); }

private:
    template <class Access>
    Attribute& run(std::string path, Type type, Access access, std::string doc)
    {
        auto binding = bind_member<Config>(access, type.words);
        return rows_.emplace_back(Attribute{std::move(path), std::move(type), std::move(doc), std::move(binding)});
    }

    template <class Access>
    Attribute& nic(const std::string& path, Type type, Access access, std::string doc)
    {
        auto binding = bind_member<NicConfig>(access, type.words);
        return rows_.emplace_back(Attribute{"nic." + path, std::move(type), std::move(doc), std::move(binding)});
    }

    void add_simulation();
    void add_nic();
    void add_host_interface();
    template <class Side>
    void add_pcie_side(const std::string& prefix, Side side);
    void add_transport();
    void add_retransmission();
    void add_congestion_control();
    void add_paths();
    void add_fabric();
    void add_workload();

    std::vector<Attribute> rows_;
};

// clang-format off
void Table::add_simulation()
{
    run("platform", choice(platform_names()), [](auto& c) -> auto& { return c.platform; }, "what is built");
    run("simulation.StopTime", time(0), [](auto& c) -> auto& { return c.simulation.stop_time; }, "the run ends here at the latest; 0 = when the work is done");
    run("simulation.Seed", count(1, 0, std::numeric_limits<std::int64_t>::max()), [](auto& c) -> auto& { return c.simulation.seed; }, "start of every random draw");
    run("simulation.Timing", choice({"exact", "clocked"}), [](auto& c) -> auto& { return c.simulation.timing; }, "exact = continuous time; clocked, on the edges of a clock, is not in this version");
    run("simulation.PayloadMode", choice({"sizes", "bytes"}), [](auto& c) -> auto& { return c.simulation.payload_mode; }, "frames carry only sizes, or real bytes end to end");
    run("simulation.ClientStartOffset", time(0), [](auto& c) -> auto& { return c.simulation.client_start_offset; }, "added to the first instant of periodic records (RC-15)");
    run("simulation.EnableNetDeviceStatLogging", flag(true), [](auto& c) -> auto& { return c.simulation.enable_net_device_stat_logging; }, "write nd-stats.csv (RC-20)");
    run("simulation.NDStatsReportInterval", time(kMs, kNs), [](auto& c) -> auto& { return c.simulation.nd_stats_report_interval; }, "time between two rows of nd-stats");
    run("simulation.RecordPrefix", text(), [](auto& c) -> auto& { return c.simulation.record_prefix; }, "records are PREFIX-RECORD-0.csv; empty = RECORD.csv (RC-10)").output_only = true;
    run("simulation.WallClockUtc", flag(false), [](auto& c) -> auto& { return c.simulation.wall_clock_utc; }, "time_utc of records is the wall clock instead of 1970 (RC-13)").output_only = true;
    run("simulation.ProtocolCheckers", flag(false), [](auto& c) -> auto& { return c.simulation.protocol_checkers; }, "insert the checkers of the frame, TLP and memory protocols").output_only = true;
}

void Table::add_nic()
{
    nic("UplinkNetworkInterface.DataRate", rate(400 * kGbps), [](auto& n) -> auto& { return n.data_rate; }, "rate of the network port");
    nic("UplinkNetworkInterface.FrameGapBytes", count(0, 0, 1000, "B"), [](auto& n) -> auto& { return n.frame_gap_bytes; }, "link time after each frame; 20 = preamble and gap (FR-4)");
    nic("TransmissionMedium.Delay", time(100 * kNs), [](auto& n) -> auto& { return n.link_delay; }, "propagation delay of the NIC's network link");
    nic("EgressBufferManager.TotalBufferSize", size(256 * kKB, 0, kTB), [](auto& n) -> auto& { return n.egress_buffer_size; }, "egress buffer, 90 % data pool and 10 % control pool; each holds its largest frame (PL-4)");
    nic("IngressBufferManager.TotalBufferSize", size(4 * kMB, 0, kTB), [](auto& n) -> auto& { return n.ingress_buffer_size; }, "ingress buffer, 90 % data pool and 10 % control pool; each holds its largest frame (PL-4)");
    nic("SemanticLayer.MSS", size(4096, 1, 16'000), [](auto& n) -> auto& { return n.mss; }, "largest payload of a packet (TR-10)");
}

void Table::add_host_interface()
{
    nic("HostInterface.ReadRequestSize", size(64, 1, kMB), [](auto& n) -> auto& { return n.host_interface.read_request_size; }, "payload bytes of a read request (PC-3)");
    nic("HostInterface.TransferTrains", flag(true), [](auto& n) -> auto& { return n.host_interface.transfer_trains; }, "one event for transfers that nothing can interrupt; changes no result");
    add_pcie_side("HostInterface.NICSide.", [](auto& n) -> auto& { return n.host_interface.nic_side; });
    add_pcie_side("HostInterface.HostSide.", [](auto& n) -> auto& { return n.host_interface.host_side; });
    nic("HostInterface.HostSide.MemoryLatency", time(0), [](auto& n) -> auto& { return n.host_interface.host_side.memory_latency; }, "time that host memory takes to answer a read");
}

template <class Side>
void Table::add_pcie_side(const std::string& prefix, Side side)
{
    nic(prefix + "LaneCount", count(16, 1, 16), [side](auto& n) -> auto& { return side(n).lane_count; }, "lanes of the direction that this side sends (PC-1)");
    nic(prefix + "LaneBps", rate(31'520'000'000), [side](auto& n) -> auto& { return side(n).lane_bps; }, "rate of one lane (PC-1)");
    nic(prefix + "TXHeaderBufferSize", size(16 * kKB, 34, kTB), [side](auto& n) -> auto& { return side(n).tx_header_buffer; }, "transmit buffer for headers, 34 bytes a transfer (PC-8)");
    nic(prefix + "RXHeaderBufferSize", size(16 * kKB, 34, kTB), [side](auto& n) -> auto& { return side(n).rx_header_buffer; }, "receive buffer for headers, 34 bytes a transfer (PC-8)");
    nic(prefix + "TXDataBufferSize", size(256 * kKB, 0, kTB), [side](auto& n) -> auto& { return side(n).tx_data_buffer; }, "transmit buffer for payload; holds the largest transfer (PC-8, PC-12)");
    nic(prefix + "RXDataBufferSize", size(256 * kKB, 0, kTB), [side](auto& n) -> auto& { return side(n).rx_data_buffer; }, "receive buffer for payload; holds the largest transfer (PC-8, PC-12)");
}

void Table::add_transport()
{
    nic("Transport.DestinationGroupsEnabled", flag(true), [](auto& n) -> auto& { return n.transport.destination_groups_enabled; }, "QPs of one remote NIC share turn, window and paths (TR-45)");
    nic("Transport.QpsPerDestination", count(1, 1, 65'536), [](auto& n) -> auto& { return n.transport.qps_per_destination; }, "messages of a pair of NICs go to this many QPs in turn (TR-3)");
    nic("Transport.QpPerMessage", flag(false), [](auto& n) -> auto& { return n.transport.qp_per_message; }, "a QP per message instead (TR-3)");
    nic("Transport.MaxPsnRange", multiple_of(128, 4096, 128, 32'640, "PSN"), [](auto& n) -> auto& { return n.transport.max_psn_range; }, "receiver's PSN window (TR-17)");
    nic("Transport.UdpDestinationPort", count(4791, 0, 65'535), [](auto& n) -> auto& { return n.transport.udp_destination_port; }, "UDP destination port of every frame");
    nic("Transport.TrimmingEnabled", flag(false), [](auto& n) -> auto& { return n.transport.trimming_enabled; }, "first transmissions are TRIMMABLE (TR-36)");
    nic("Transport.UseDistinctDSCPForRetransmit", flag(true), [](auto& n) -> auto& { return n.transport.use_distinct_dscp_for_retransmit; }, "retransmissions are TRIMMABLE_RTX (TR-37)");
    nic("Transport.DscpNoTrim", count(0, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.no_trim; }, "codepoint of NO_TRIM (TR-35)");
    nic("Transport.DscpTrimmable", count(4, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.trimmable; }, "codepoint of TRIMMABLE (TR-36)");
    nic("Transport.DscpTrimmableRtx", count(8, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.trimmable_rtx; }, "codepoint of TRIMMABLE_RTX (TR-37)");
    nic("Transport.DscpTrimmed", count(12, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.trimmed; }, "codepoint of TRIMMED (TR-38)");
    nic("Transport.DscpTrimmedLastHop", count(16, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.trimmed_lasthop; }, "codepoint of TRIMMED_LASTHOP (TR-39)");
    nic("Transport.DscpControl", count(46, 0, 63), [](auto& n) -> auto& { return n.transport.dscp.control; }, "codepoint of CONTROL (TR-40)");
    nic("Transport.TurnTime", time(0), [](auto& n) -> auto& { return n.transport.turn_time; }, "time that a destination's turn takes (TR-53)");
    nic("Transport.AckRequestFirstPacket", flag(true), [](auto& n) -> auto& { return n.transport.ack_request_first_packet; }, "acknowledge requests start with the QP's first transmission (TR-66)");
    nic("Transport.AckRequestLastPacket", flag(true), [](auto& n) -> auto& { return n.transport.ack_request_last_packet; }, "the last packet of a message requests one (TR-66)");
    nic("Transport.AckRequestEveryNthPacket", count(1, 1, 1024, "packets"), [](auto& n) -> auto& { return n.transport.ack_request_every_nth_packet; }, "every Nth transmission requests one (TR-66)");
    nic("Transport.SackTriggerBytes", size(0, 0, kGB), [](auto& n) -> auto& { return n.transport.sack_trigger_bytes; }, "a SACK after this many received bytes too; 0 = off (TR-67)");
    nic("Transport.ServiceTimeStep", time(0), [](auto& n) -> auto& { return n.transport.service_time_step; }, "a SACK's service time is rounded down to this; 0 = exact (TR-71)");
    nic("Transport.RecvCompleteAfterWrite", flag(false), [](auto& n) -> auto& { return n.transport.recv_complete_after_write; }, "RECV_COMPLETE waits for the PCIe transmit buffer (TR-62)");
}

void Table::add_retransmission()
{
    // Bounded so that 2^15 times the timeout added to the longest run still fits 63 bits of picoseconds.
    nic("Transport.InitialRetransmitTimeout", time(150 * kUs, kNs, 100 * kSecond), [](auto& n) -> auto& { return n.transport.initial_retransmit_timeout; }, "first retransmission timeout (TR-85)");
    nic("Transport.MaxExponentialRTOBackoffCount", count(5, 0, 15), [](auto& n) -> auto& { return n.transport.max_exponential_rto_backoff_count; }, "the timeout doubles at most this often (TR-85)");
    nic("Transport.RtoBackoffCounts", choice({"Expiries", "Retransmissions"}), [](auto& n) -> auto& { return n.transport.rto_backoff_counts; }, "what doubles the timeout (TR-85)");
    nic("Transport.FixedRexmitTimeEnable", flag(false), [](auto& n) -> auto& { return n.transport.fixed_rexmit_time_enable; }, "the timeout never doubles (TR-86)");
    nic("Transport.FixedRexmitTimeout", time(150 * kUs, kNs, 100 * kSecond), [](auto& n) -> auto& { return n.transport.fixed_rexmit_timeout; }, "the timeout that never doubles (TR-86)");
    nic("Transport.MaxRetries", count(0, 0, kMaxCount), [](auto& n) -> auto& { return n.transport.max_retries; }, "retries of one packet after expiries; one more expiry fails its QP; 0 = no limit (TR-87)");
}

void Table::add_congestion_control()
{
    nic("CongestionControl.NSCCEnable", flag(true), [](auto& n) -> auto& { return n.congestion_control.nscc_enable; }, "the congestion window follows acknowledgements (CC-1)").notice = "in this version the congestion window stays at its start value, whatever this says";
    nic("CongestionControl.InitialBaseRTT", time(6 * kUs, kNs, kSecond), [](auto& n) -> auto& { return n.congestion_control.initial_base_rtt; }, "base RTT at the start; gives the first window (CC-3, CC-17)");
    nic("CongestionControl.OverrideMaxCongestionWindow", flag(false), [](auto& n) -> auto& { return n.congestion_control.override_max_congestion_window; }, "the first window is MaxCongestionWindow (CC-8)");
    nic("CongestionControl.MaxCongestionWindow", count(108, 1, 1'000'000, "packets"), [](auto& n) -> auto& { return n.congestion_control.max_congestion_window; }, "the first window with the override, in full packets (CC-8)");
    nic("CongestionControl.NominalHeaderBytes", count(60, 0, 1000, "B"), [](auto& n) -> auto& { return n.congestion_control.nominal_header_bytes; }, "what the window counts of a packet beyond its payload (CC-12)");
    nic("CongestionControl.RTTTimestampMode", choice({"SenderRecord", "WireTimestamp"}), [](auto& n) -> auto& { return n.transport.rtt_timestamp_mode; }, "RTT from the sender's record, or from a stamp of 4 bytes in each data packet (CC-14)");
}

void Table::add_paths()
{
    nic("Paths.PacketSprayingType", choice({"None", "RoundRobin", "EvRotation"}, 2), [](auto& n) -> auto& { return n.paths.packet_spraying_type; }, "how entropy values are chosen (MP-3)");
    nic("Paths.StartingPortOffset", count(256, 0, 65'535), [](auto& n) -> auto& { return n.paths.starting_port_offset; }, "first entropy value (MP-3)");
    nic("Paths.EntropyMaskBits", count(7, 0, 8, "bits"), [](auto& n) -> auto& { return n.paths.entropy_mask_bits; }, "2^this entropy values (MP-3)");
}

void Table::add_fabric()
{
    run("switch.DataRate", rate(400 * kGbps), [](auto& c) -> auto& { return c.network_switch.data_rate; }, "rate of every switch port");
    run("switch.ForwardingLatency", time(0), [](auto& c) -> auto& { return c.network_switch.forwarding_latency; }, "time from a frame's arrival to its egress queue (SW-11)");
    run("switch.PlaneBDP", size(300 * kKB, 1, kGB), [](auto& c) -> auto& { return c.network_switch.plane_bdp; }, "unit of an egress port's queue limit (SW-23)");
    run("switch.QueueDropThreshold", count(5, 1, 1'000'000), [](auto& c) -> auto& { return c.network_switch.queue_drop_threshold; }, "queue limit in units of PlaneBDP (SW-23)");
    run("fabric.Nics", count(16, 2, 999), [](auto& c) -> auto& { return c.fabric.nics; }, "NICs of the platform star (SW-21)");
}

void Table::add_workload()
{
    run("workload.File", path(), [](auto& c) -> auto& { return c.workload.file; }, "messages: a .cm connection matrix or a .csv message list; empty = the generator");
    run("workload.StartTime", time(0), [](auto& c) -> auto& { return c.workload.start_time; }, "added to every message's start (WL-2)");
    run("workload.Generator", choice({"Single"}), [](auto& c) -> auto& { return c.workload.generator; }, "what makes messages without a file: Single = one message");
    run("workload.MessageBytes", size(1'048'576, 0, kTB), [](auto& c) -> auto& { return c.workload.message_bytes; }, "bytes of the single message");
    run("workload.Source", count(0, 0, 998), [](auto& c) -> auto& { return c.workload.source; }, "sending NIC of the single message");
    run("workload.Destination", count(1, 0, 998), [](auto& c) -> auto& { return c.workload.destination; }, "receiving NIC of the single message");
    run("workload.FramePayload", size(4096, 0, 16'000), [](auto& c) -> auto& { return c.workload.frame_payload; }, "payload of each frame of line_rate_receive");
    run("workload.FrameCount", count(0, 0, 1'000'000'000'000), [](auto& c) -> auto& { return c.workload.frame_count; }, "frames of line_rate_receive; 0 = until the stop time");
}
// clang-format on

/// Splits "nics[3].X" into 3 and "nic.X"; nothing if `path` has not that form.
std::optional<std::pair<std::uint32_t, std::string>> split_nic_path(std::string_view path)
{
    constexpr std::string_view kStart = "nics[";
    if (path.substr(0, kStart.size()) != kStart) {
        return std::nullopt;
    }
    std::uint32_t index = 0;
    const char* const first = path.data() + kStart.size();
    const char* const last = path.data() + path.size();
    const auto [end, error] = std::from_chars(first, last, index);
    const std::string_view rest = path.substr(static_cast<std::size_t>(end - path.data()));
    if (error != std::errc{} || rest.substr(0, 2) != "].") {
        return std::nullopt;
    }
    return std::pair{index, fmt::format("nic.{}", rest.substr(2))};
}

/// The nearest of `known` to a path, which may be one of a single NIC.
std::string suggestion(std::string_view path, const std::vector<std::string_view>& known)
{
    const auto nic_path = split_nic_path(path);
    std::string nearest{nearest_path(nic_path ? nic_path->second : path, known)};
    if (nic_path) {
        nearest.replace(0, 3, nic_name(nic_path->first));
    }
    return fmt::format("did you mean {}?", nearest);
}

bool allowed_at(std::string_view known, std::string_view path)
{
    return !split_nic_path(path) || known.substr(0, 4) == "nic.";
}

}  // namespace

const std::vector<Attribute>& attributes()
{
    static const std::vector<Attribute> table = Table{}.take();
    return table;
}

const Attribute* find_attribute(std::string_view path)
{
    const auto& table = attributes();
    const auto found = std::find_if(table.begin(), table.end(), [path](const Attribute& a) { return a.path == path; });
    return found == table.end() ? nullptr : &*found;
}

bool is_table(std::string_view path)
{
    const auto& table = attributes();
    return std::any_of(table.begin(), table.end(), [path](const Attribute& a) {
        return a.path.size() > path.size() && a.path[path.size()] == '.' && a.path.compare(0, path.size(), path) == 0;
    });
}

std::string Target::path() const
{
    return nic ? fmt::format("{}.{}", nic_name(*nic), attribute->path_in_nic()) : attribute->path;
}

std::string nic_name(std::uint32_t index)
{
    return fmt::format("nics[{}]", index);
}

Parsed<Target> find_target(std::string_view path)
{
    const auto nic_path = split_nic_path(path);
    const Attribute* attribute = find_attribute(nic_path ? nic_path->second : path);
    if (attribute == nullptr) {
        return Parsed<Target>::failed(unknown_attribute(path));
    }
    return Parsed<Target>::of(nic_path ? Target{attribute, nic_path->first} : Target{attribute, std::nullopt});
}

std::string unknown_attribute(std::string_view path)
{
    std::vector<std::string_view> known;
    for (const Attribute& attribute : attributes()) {
        if (allowed_at(attribute.path, path)) {
            known.push_back(attribute.path);
        }
    }
    return "unknown attribute; " + suggestion(path, known);
}

std::string unknown_table(std::string_view path)
{
    std::vector<std::string_view> known{"nics"};
    for (const Attribute& attribute : attributes()) {
        const std::string_view attribute_path{attribute.path};
        for (std::size_t dot = attribute_path.find('.'); dot != std::string_view::npos;
             dot = attribute_path.find('.', dot + 1)) {
            known.push_back(attribute_path.substr(0, dot));
        }
    }
    known.erase(std::remove_if(known.begin(), known.end(), [path](std::string_view k) { return !allowed_at(k, path); }),
                known.end());
    return "unknown table; " + suggestion(path, known);
}

}  // namespace mrcnic::config
