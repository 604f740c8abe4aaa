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

Type real(double value, double low, double high, std::string unit = {})
{
    return {Kind::real, value, low, high, 1, {}, std::move(unit)};
}

Type text(std::string value = {})
{
    return {Kind::text, std::move(value)};
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
        add_monitor();
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
    void add_monitor();
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
    run("simulation.EnableNetworkBufferStatsReporting", flag(false), [](auto& c) -> auto& { return c.simulation.enable_network_buffer_stats_reporting; }, "write net-buff-stats.csv for the NICs with EnableBufferStats (RC-22)");
    run("simulation.NetworkBufferStatsReportingInterval", time(kMs, kNs), [](auto& c) -> auto& { return c.simulation.network_buffer_stats_reporting_interval; }, "time between two rows of net-buff-stats");
    run("simulation.EnableMessageStats", flag(false), [](auto& c) -> auto& { return c.simulation.enable_message_stats; }, "write message-stats.csv (RC-26)");
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
    nic("EnableTransportStats", flag(true), [](auto& n) -> auto& { return n.enable_transport_stats; }, "write mrc-transport-stats.csv (RC-21)");
    nic("TransportStatsReportInterval", time(kMs, kNs), [](auto& n) -> auto& { return n.transport_stats_report_interval; }, "time between two rows of mrc-transport-stats");
    nic("EnableBufferStats", flag(true), [](auto& n) -> auto& { return n.enable_buffer_stats; }, "rows in net-buff-stats.csv, if simulation.EnableNetworkBufferStatsReporting (RC-22)");
    nic("EnableEventLogging", flag(false), [](auto& n) -> auto& { return n.enable_event_logging; }, "write mrc-events.csv (RC-23)");
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
    nic("Transport.SackGapMode", choice({"Auto", "Fixed", "Window"}), [](auto& n) -> auto& { return n.transport.sack_gap_mode; }, "what a gap in SACKs is measured by; Auto = Fixed where all paths are one, else Window (TR-77)");
    nic("Transport.SackGapThreshold", count(3, 0, 1'000'000, "transmissions"), [](auto& n) -> auto& { return n.transport.sack_gap_threshold; }, "a packet is lost when one sent this many later has arrived; 0 = off (TR-76)");
}

void Table::add_congestion_control()
{
    nic("CongestionControl.NSCCEnable", flag(true), [](auto& n) -> auto& { return n.congestion_control.nscc_enable; }, "the congestion window follows acknowledgements (CC-1)");
    nic("CongestionControl.PassThrough", flag(false), [](auto& n) -> auto& { return n.congestion_control.pass_through; }, "the window is computed, not enforced (CC-2)");
    nic("CongestionControl.InitialBaseRTT", time(6 * kUs, kNs, kSecond), [](auto& n) -> auto& { return n.congestion_control.initial_base_rtt; }, "base RTT at the start; gives the first window (CC-3, CC-17)");
    nic("CongestionControl.ReferenceNetworkRTT", time(6 * kUs, kNs, kSecond), [](auto& n) -> auto& { return n.congestion_control.reference_network_rtt; }, "reference of the increase gains (CC-4)");
    nic("CongestionControl.ReferenceNetworkLinkSpeed", rate(400 * kGbps), [](auto& n) -> auto& { return n.congestion_control.reference_network_link_speed; }, "reference of the increase gains (CC-4)");
    nic("CongestionControl.OverrideSpecTargetQueueDelay", flag(false), [](auto& n) -> auto& { return n.congestion_control.override_spec_target_queue_delay; }, "the target is TargetQueueDelay; else InitialBaseRTT, 0.75 of it with TrimmingEnabled (CC-5)");
    nic("CongestionControl.TargetQueueDelay", time(4'500 * kNs, kNs, kSecond), [](auto& n) -> auto& { return n.congestion_control.target_queue_delay; }, "queueing delay aimed at, with the override (CC-5)");
    nic("CongestionControl.TargetQueueDelayMargin", time(kUs, 0, kSecond), [](auto& n) -> auto& { return n.congestion_control.target_queue_delay_margin; }, "below this delay fast increase may begin (CC-6)");
    nic("CongestionControl.DisableQuickAdapt", flag(false), [](auto& n) -> auto& { return n.congestion_control.disable_quick_adapt; }, "no Quick Adapt (CC-7)");
    nic("CongestionControl.QuickAdaptGate", count(3, 0, 30), [](auto& n) -> auto& { return n.congestion_control.quick_adapt_gate; }, "Quick Adapt only below the max window / 2^this (CC-7)");
    nic("CongestionControl.QuickAdaptThreshold", time(24 * kUs, 0, kSecond), [](auto& n) -> auto& { return n.congestion_control.quick_adapt_threshold; }, "average delay that triggers Quick Adapt without trimming (CC-7)");
    nic("CongestionControl.OverrideMaxCongestionWindow", flag(false), [](auto& n) -> auto& { return n.congestion_control.override_max_congestion_window; }, "the first window is MaxCongestionWindow (CC-8)");
    nic("CongestionControl.MaxCongestionWindow", count(108, 1, 1'000'000, "packets"), [](auto& n) -> auto& { return n.congestion_control.max_congestion_window; }, "the first window with the override, in full packets (CC-8)");
    nic("CongestionControl.NominalHeaderBytes", count(60, 0, 1000, "B"), [](auto& n) -> auto& { return n.congestion_control.nominal_header_bytes; }, "what the window counts of a packet beyond its payload (CC-12)");
    nic("CongestionControl.AlphaMultiplier", real(4.0, 0, 1000), [](auto& n) -> auto& { return n.congestion_control.alpha_multiplier; }, "gain of proportional increase (CC-9)");
    nic("CongestionControl.FairIncreaseMultiplier", real(5.0, 0, 1000), [](auto& n) -> auto& { return n.congestion_control.fair_increase_multiplier; }, "gain of fair increase (CC-9)");
    nic("CongestionControl.FastIncreaseMultiplier", real(1.0, 0, 1000), [](auto& n) -> auto& { return n.congestion_control.fast_increase_multiplier; }, "window bytes for each byte acknowledged in fast increase (CC-9)");
    nic("CongestionControl.EtaMultiplier", real(0.15, 0, 1000), [](auto& n) -> auto& { return n.congestion_control.eta_multiplier; }, "increase once in each base RTT, in packets (CC-9)");
    nic("CongestionControl.Gamma", real(0.8, 0, 1), [](auto& n) -> auto& { return n.congestion_control.gamma; }, "depth of a multiplicative decrease (CC-10)");
    nic("CongestionControl.MaxMultiplicativeDecreaseJump", real(0.5, 0, 1), [](auto& n) -> auto& { return n.congestion_control.max_multiplicative_decrease_jump; }, "least share of the window that a decrease keeps (CC-10)");
    nic("CongestionControl.DelayAlpha", real(0.25, 0, 1), [](auto& n) -> auto& { return n.congestion_control.delay_alpha; }, "weight of the newest delay sample (CC-10)");
    nic("CongestionControl.ReceiverPenaltyEnabled", flag(false), [](auto& n) -> auto& { return n.congestion_control.receiver_penalty_enabled; }, "SACKs carry a penalty while the ingress data pool is full (CC-11)");
    nic("CongestionControl.ReceiverCongestionLowThreshold", real(25.0, 0, 100, "%"), [](auto& n) -> auto& { return n.congestion_control.receiver_congestion_low_threshold; }, "occupancy of the ingress data pool where the penalty begins (CC-43)");
    nic("CongestionControl.ReceiverCongestionHighThreshold", real(75.0, 0, 100, "%"), [](auto& n) -> auto& { return n.congestion_control.receiver_congestion_high_threshold; }, "occupancy of the ingress data pool of the full penalty, 127 (CC-43)");
    nic("CongestionControl.RestoreCWindEnable", flag(false), [](auto& n) -> auto& { return n.congestion_control.restore_cwind_enable; }, "the window returns to what it was when the penalty ends (CC-26)");
    nic("CongestionControl.RTTTimestampMode", choice({"SenderRecord", "WireTimestamp"}), [](auto& n) -> auto& { return n.transport.rtt_timestamp_mode; }, "RTT from the sender's record, or from a stamp of 4 bytes in each data packet (CC-14)");
}

void Table::add_paths()
{
    nic("Paths.PacketSprayingType", choice({"None", "RoundRobin", "EvRotation"}, 2), [](auto& n) -> auto& { return n.paths.packet_spraying_type; }, "how entropy values are chosen (MP-3)");
    nic("Paths.StartingPortOffset", count(256, 0, 65'535), [](auto& n) -> auto& { return n.paths.starting_port_offset; }, "first entropy value (MP-3)");
    nic("Paths.EntropyMaskBits", count(7, 0, 8, "bits"), [](auto& n) -> auto& { return n.paths.entropy_mask_bits; }, "2^this entropy values (MP-3)");
    nic("Paths.EvTimeoutsToBad", count(1, 1, 1'000'000), [](auto& n) -> auto& { return n.paths.ev_timeouts_to_bad; }, "expiries after which an entropy value counts as bad (MP-21)");
    nic("Paths.EvProbeInterval", time(100 * kUs, kNs, kSecond), [](auto& n) -> auto& { return n.paths.ev_probe_interval; }, "time between probes of a bad entropy value (MP-22)");
    nic("Paths.BaseRttProbeEnable", flag(false), [](auto& n) -> auto& { return n.paths.base_rtt_probe_enable; }, "a probe with each message posted (MP-24)");
}

void Table::add_fabric()
{
    run("switch.DataRate", rate(400 * kGbps), [](auto& c) -> auto& { return c.network_switch.data_rate; }, "rate of every switch port");
    run("switch.UplinkDelay", time(500 * kNs), [](auto& c) -> auto& { return c.network_switch.uplink_delay; }, "propagation delay between leaf and spine (SW-3)");
    run("switch.ForwardingLatency", time(0), [](auto& c) -> auto& { return c.network_switch.forwarding_latency; }, "time from a frame's arrival to its egress queue (SW-11)");
    run("switch.UETPolicyEnabled", flag(true), [](auto& c) -> auto& { return c.network_switch.uet_policy_enabled; }, "classes by DSCP role, three pools and a limit for each queue (SW-20)");
    run("switch.EnablePFC", flag(false), [](auto& c) -> auto& { return c.network_switch.enable_pfc; }, "pause frames; only false is allowed (SW-17)");
    run("switch.TrimmingEnabled", flag(false), [](auto& c) -> auto& { return c.network_switch.trimming_enabled; }, "trim what a queue limit refuses, if its role allows it (SW-30)");
    run("switch.TotalSharedBufferSize", size(256 * kMB, 0, kTB), [](auto& c) -> auto& { return c.network_switch.total_shared_buffer_size; }, "packet buffer of a switch (SW-21)");
    run("switch.HeadRoomPerPortLimit", size(256 * kKB, 0, kTB), [](auto& c) -> auto& { return c.network_switch.head_room_per_port_limit; }, "taken off the packet buffer for each connected port (SW-21)");
    run("switch.PlaneBDP", size(300 * kKB, 1, kGB), [](auto& c) -> auto& { return c.network_switch.plane_bdp; }, "unit of an egress port's queue limit (SW-23)");
    run("switch.QueueDropThreshold", count(5, 1, 1'000'000), [](auto& c) -> auto& { return c.network_switch.queue_drop_threshold; }, "queue limit in units of PlaneBDP (SW-23)");
    run("switch.EnableEcn", flag(true), [](auto& c) -> auto& { return c.network_switch.enable_ecn; }, "mark frames as their queue grows (SW-43)");
    run("switch.EwmaWeight", real(0.10, 0, 1), [](auto& c) -> auto& { return c.network_switch.ewma_weight; }, "weight of the newest queue length in the average (SW-40)");
    run("switch.MinThreshold", real(0.2, 0, 1), [](auto& c) -> auto& { return c.network_switch.min_threshold; }, "share of the queue limit where marking begins (SW-41)");
    run("switch.MaxThreshold", real(0.8, 0, 1), [](auto& c) -> auto& { return c.network_switch.max_threshold; }, "share of the queue limit where every frame is marked (SW-41)");
    run("switch.MaxMarkProbability", real(1.0, 0, 1), [](auto& c) -> auto& { return c.network_switch.max_mark_probability; }, "probability of a mark just below MaxThreshold (SW-42)");
    run("switch.EcmpHashMethod", choice({"crc32WithSalt", "crc32", "dpr"}), [](auto& c) -> auto& { return c.network_switch.ecmp_hash_method; }, "how one of several equal paths is chosen (SW-52)");
    run("switch.EnableSwitchStats", flag(false), [](auto& c) -> auto& { return c.network_switch.enable_switch_stats; }, "write switch-stats.csv (RC-25)");
    run("fabric.Nics", count(16, 2, 999), [](auto& c) -> auto& { return c.fabric.nics; }, "NICs of the platform star (SW-21)");
    run("fabric.Leaves", count(8, 1, 1024), [](auto& c) -> auto& { return c.fabric.leaves; }, "leaf switches of leaf_spine (SW-50)");
    run("fabric.NicsPerLeaf", count(16, 1, 999), [](auto& c) -> auto& { return c.fabric.nics_per_leaf; }, "NICs of each leaf (SW-50)");
    run("fabric.Spines", count(16, 1, 1024), [](auto& c) -> auto& { return c.fabric.spines; }, "spine switches of leaf_spine (SW-50)");
    run("fabric.ParallelLinks", count(1, 1, 64), [](auto& c) -> auto& { return c.fabric.parallel_links; }, "links between each leaf and spine (SW-50)");
}

void Table::add_workload()
{
    run("workload.File", path(), [](auto& c) -> auto& { return c.workload.file; }, "a .cm connection matrix, a .csv message list, a .cdf flow-size distribution, a .json execution trace; empty = the generator");
    run("workload.StartTime", time(0), [](auto& c) -> auto& { return c.workload.start_time; }, "added to every message's start (WL-2)");
    run("workload.Generator", choice({"Single", "Cdf", "AllReduce", "AllGather", "ReduceScatter", "AllToAll", "Broadcast", "Barrier"}), [](auto& c) -> auto& { return c.workload.generator; }, "what makes messages: Single = one, without a file; Cdf = flows by a .cdf file (WL-42); a collective of workload.Ranks (WL-55)");
    run("workload.MessageBytes", size(1'048'576, 0, kTB), [](auto& c) -> auto& { return c.workload.message_bytes; }, "bytes of the single message; S of a collective (WL-55)");
    run("workload.Source", count(0, 0, kMaxNics - 1), [](auto& c) -> auto& { return c.workload.source; }, "sending NIC of the single message; root of a broadcast");
    run("workload.Destination", count(1, 0, kMaxNics - 1), [](auto& c) -> auto& { return c.workload.destination; }, "receiving NIC of the single message");
    run("workload.Ranks", text("all"), [](auto& c) -> auto& { return c.workload.ranks; }, "NICs of a collective in ring order, or of a trace's ranks (WL-50): all, or a list such as 0,3,5-9");
    run("workload.AllToAllSchedule", choice({"AtOnce", "InTurn"}), [](auto& c) -> auto& { return c.workload.all_to_all_schedule; }, "transfers of a rank in an all-to-all: all at once, or one after another (WL-55)");
    run("workload.Load", real(0.5, 1e-6, 100.0), [](auto& c) -> auto& { return c.workload.load; }, "part of each source's link that its flows fill on average (WL-42)");
    run("workload.Sources", text("all"), [](auto& c) -> auto& { return c.workload.sources; }, "NICs that start flows: all, or a list such as 0,3,5-9 (WL-43)");
    run("workload.RunTime", time(kMs), [](auto& c) -> auto& { return c.workload.run_time; }, "no flow starts later; 0 = no limit, then MessageCount limits (WL-43)");
    run("workload.MessageCount", count(0, 0, 10'000'000), [](auto& c) -> auto& { return c.workload.message_count; }, "so many flows at most; 0 = no limit (WL-43)");
    run("workload.TraceFamily", choice({"synthesized", "compiled", "collected"}), [](auto& c) -> auto& { return c.workload.trace_family; }, "collected: each compute node takes its duration; else those of a rank share it (WL-53)");
    run("workload.ProcessGroupSerialization", flag(false), [](auto& c) -> auto& { return c.workload.process_group_serialization; }, "a rank runs one collective of a process group at a time (WL-56)");
    run("workload.CommCollectiveSynchronization", flag(false), [](auto& c) -> auto& { return c.workload.comm_collective_synchronization; }, "a zero-byte barrier before each collective of a trace (WL-56)");
    run("workload.FramePayload", size(4096, 0, 16'000), [](auto& c) -> auto& { return c.workload.frame_payload; }, "payload of each frame of line_rate_receive");
    run("workload.FrameCount", count(0, 0, 1'000'000'000'000), [](auto& c) -> auto& { return c.workload.frame_count; }, "frames of line_rate_receive; 0 = until the stop time");
}

void Table::add_monitor()
{
    nic("Monitor.EnableMRCMonitor", flag(false), [](auto& n) -> auto& { return n.monitor.enable_mrc_monitor; }, "write mrc-monitor.csv (RC-24)");
    nic("Monitor.FilterOnNodeId", text("All"), [](auto& n) -> auto& { return n.monitor.filter_on_node_id; }, "only packets of this node; a number or All (RC-67)");
    nic("Monitor.FilterOnLocalIp", text("All"), [](auto& n) -> auto& { return n.monitor.filter_on_local_ip; }, "only QPs of this address; an IPv4 address or All (RC-67)");
    nic("Monitor.FilterOnRemoteIp", text("All"), [](auto& n) -> auto& { return n.monitor.filter_on_remote_ip; }, "only QPs to this address; an IPv4 address or All (RC-67)");
    nic("Monitor.FilterOnQp", text("All"), [](auto& n) -> auto& { return n.monitor.filter_on_qp; }, "only the connection with this end, ADDRESS:NUMBER, or All (RC-67)");
    nic("Monitor.TriggerLoggingOnRttEnable", flag(false), [](auto& n) -> auto& { return n.monitor.trigger_logging_on_rtt_enable; }, "log a connection from its first slow round trip on (RC-68)");
    nic("Monitor.TriggerLoggingOnRttThreshold", time(100 * kUs), [](auto& n) -> auto& { return n.monitor.trigger_logging_on_rtt_threshold; }, "a round trip this long is slow (RC-68)");
    nic("Monitor.TriggerLoggingOnCWindPen", flag(false), [](auto& n) -> auto& { return n.monitor.trigger_logging_on_cwind_pen; }, "log a connection from its first high receiver penalty on (RC-68)");
    nic("Monitor.TriggerLoggingOnCWindPenThreshold", count(127, 0, 127), [](auto& n) -> auto& { return n.monitor.trigger_logging_on_cwind_pen_threshold; }, "a penalty this high is high (RC-68)");
    nic("Monitor.TriggeredLoggingQPLimit", count(1, 0, 100), [](auto& n) -> auto& { return n.monitor.triggered_logging_qp_limit; }, "connections that triggers select at most, in the whole run (RC-68)");
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
