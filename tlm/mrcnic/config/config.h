#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/packet/roles.h"

namespace mrcnic::config {

// Plain values that blocks are built from. Defaults, ranges and texts stand in the attribute table
// (`attributes.cpp`), the only place that knows names. The initialisers here are for code that builds a block without a
// configuration; a test keeps them equal to the table's defaults. Enumerators stand in the order of the table's words.

enum class Timing { exact, clocked };
enum class PayloadMode { sizes, bytes };
enum class RttTimestampMode { sender_record, wire_timestamp };
enum class PacketSpraying { none, round_robin, ev_rotation };
enum class RtoBackoffCounts { expiries, retransmissions };
enum class SackGapMode { automatic, fixed, window };
enum class EcmpHashMethod { crc32_with_salt, crc32, dpr };
enum class Generator { single, cdf, all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, barrier };
enum class AllToAllSchedule { at_once, in_turn };
enum class TraceFamily { synthesized, compiled, collected };

/// One end of a host link [PC-1, PC-8].
struct PcieSide {
    std::uint32_t lane_count{16};
    BitsPerSecond lane_bps{31'520'000'000};
    std::uint64_t tx_header_buffer{16'000};
    std::uint64_t rx_header_buffer{16'000};
    std::uint64_t tx_data_buffer{256'000};
    std::uint64_t rx_data_buffer{256'000};
    Picoseconds memory_latency{0};  ///< host side only

    [[nodiscard]] BitsPerSecond rate() const noexcept { return lane_count * lane_bps; }
};

struct HostInterfaceConfig {
    std::uint32_t read_request_size{64};
    bool transfer_trains{true};
    PcieSide nic_side;
    PcieSide host_side;
};

struct TransportConfig {
    bool destination_groups_enabled{true};
    std::uint32_t qps_per_destination{1};
    bool qp_per_message{false};
    std::uint32_t max_psn_range{4096};
    std::uint16_t udp_destination_port{4791};
    bool trimming_enabled{false};
    bool use_distinct_dscp_for_retransmit{true};
    packet::DscpCodepoints dscp;
    Picoseconds turn_time{0};
    RttTimestampMode rtt_timestamp_mode{RttTimestampMode::sender_record};
    bool ack_request_first_packet{true};
    bool ack_request_last_packet{true};
    std::uint32_t ack_request_every_nth_packet{1};
    std::uint64_t sack_trigger_bytes{0};
    Picoseconds service_time_step{0};
    bool recv_complete_after_write{false};
    Picoseconds initial_retransmit_timeout{150'000'000};
    std::uint32_t max_exponential_rto_backoff_count{5};
    RtoBackoffCounts rto_backoff_counts{RtoBackoffCounts::expiries};
    bool fixed_rexmit_time_enable{false};
    Picoseconds fixed_rexmit_timeout{150'000'000};
    std::uint32_t max_retries{0};
    SackGapMode sack_gap_mode{SackGapMode::automatic};
    std::uint32_t sack_gap_threshold{3};  ///< transmissions; 0 = no gap detection
};

struct CongestionControlConfig {
    bool nscc_enable{true};
    bool pass_through{false};
    Picoseconds initial_base_rtt{6'000'000};
    Picoseconds reference_network_rtt{6'000'000};
    BitsPerSecond reference_network_link_speed{400'000'000'000};
    bool override_spec_target_queue_delay{false};
    Picoseconds target_queue_delay{4'500'000};
    Picoseconds target_queue_delay_margin{1'000'000};
    bool disable_quick_adapt{false};
    std::uint32_t quick_adapt_gate{3};
    Picoseconds quick_adapt_threshold{24'000'000};
    bool override_max_congestion_window{false};
    std::uint32_t max_congestion_window{108};  ///< packets
    std::uint32_t nominal_header_bytes{60};
    double alpha_multiplier{4.0};
    double fair_increase_multiplier{5.0};
    double fast_increase_multiplier{1.0};
    double eta_multiplier{0.15};
    double gamma{0.8};
    double max_multiplicative_decrease_jump{0.5};
    double delay_alpha{0.25};
    bool receiver_penalty_enabled{false};
    double receiver_congestion_low_threshold{25.0};   ///< percent
    double receiver_congestion_high_threshold{75.0};  ///< percent
    bool restore_cwind_enable{false};
};

struct PathsConfig {
    PacketSpraying packet_spraying_type{PacketSpraying::ev_rotation};
    std::uint32_t starting_port_offset{256};
    std::uint32_t entropy_mask_bits{7};
    std::uint32_t ev_timeouts_to_bad{1};
    Picoseconds ev_probe_interval{100'000'000};
    bool base_rtt_probe_enable{false};
};

/// What mrc-monitor logs of a NIC [RC-24, RC-67, RC-68].
struct MonitorConfig {
    bool enable_mrc_monitor{false};
    std::string filter_on_node_id{"All"};
    std::string filter_on_local_ip{"All"};
    std::string filter_on_remote_ip{"All"};
    std::string filter_on_qp{"All"};
    bool trigger_logging_on_rtt_enable{false};
    Picoseconds trigger_logging_on_rtt_threshold{100'000'000};
    bool trigger_logging_on_cwind_pen{false};
    std::uint32_t trigger_logging_on_cwind_pen_threshold{127};
    std::uint32_t triggered_logging_qp_limit{1};
};

/// Everything of one NIC, `nic.*`.
struct NicConfig {
    BitsPerSecond data_rate{400'000'000'000};
    std::uint32_t frame_gap_bytes{0};
    Picoseconds link_delay{100'000};
    std::uint64_t egress_buffer_size{256'000};
    std::uint64_t ingress_buffer_size{4'000'000};
    std::uint32_t mss{4096};
    HostInterfaceConfig host_interface;
    TransportConfig transport;
    CongestionControlConfig congestion_control;
    PathsConfig paths;
    MonitorConfig monitor;
    bool enable_transport_stats{true};
    Picoseconds transport_stats_report_interval{1'000'000'000};
    bool enable_buffer_stats{true};
    bool enable_event_logging{false};
};

struct SimulationConfig {
    Picoseconds stop_time{0};  ///< 0 = none
    std::uint64_t seed{1};
    Timing timing{Timing::exact};
    PayloadMode payload_mode{PayloadMode::sizes};
    std::string record_prefix;
    bool wall_clock_utc{false};
    Picoseconds client_start_offset{0};
    bool enable_net_device_stat_logging{true};
    Picoseconds nd_stats_report_interval{1'000'000'000};
    bool enable_network_buffer_stats_reporting{false};
    Picoseconds network_buffer_stats_reporting_interval{1'000'000'000};
    bool enable_message_stats{false};
    bool protocol_checkers{false};
};

struct SwitchConfig {
    BitsPerSecond data_rate{400'000'000'000};
    Picoseconds uplink_delay{500'000};
    Picoseconds forwarding_latency{0};
    bool uet_policy_enabled{true};
    bool enable_pfc{false};
    bool trimming_enabled{false};
    std::uint64_t total_shared_buffer_size{256'000'000};
    std::uint64_t head_room_per_port_limit{256'000};
    std::uint64_t plane_bdp{300'000};
    std::uint32_t queue_drop_threshold{5};
    bool enable_ecn{true};
    double ewma_weight{0.10};
    double min_threshold{0.2};
    double max_threshold{0.8};
    double max_mark_probability{1.0};
    EcmpHashMethod ecmp_hash_method{EcmpHashMethod::crc32_with_salt};
    bool enable_switch_stats{false};

    /// Bytes of one egress port and pool under the UET policy [SW-23].
    [[nodiscard]] std::uint64_t queue_limit() const noexcept
    {
        return trimming_enabled ? plane_bdp : queue_drop_threshold * plane_bdp;
    }
};

struct FabricConfig {
    std::uint32_t nics{16};
    std::uint32_t leaves{8};
    std::uint32_t nics_per_leaf{16};
    std::uint32_t spines{16};
    std::uint32_t parallel_links{1};
};

struct WorkloadConfig {
    std::string file;  ///< resolved: relative to the configuration file's folder, or to the current one with --set
    Picoseconds start_time{0};
    Generator generator{Generator::single};
    std::uint64_t message_bytes{1'048'576};
    std::uint32_t source{0};
    std::uint32_t destination{1};
    std::string ranks{"all"};  ///< NICs, see index_list.h
    AllToAllSchedule all_to_all_schedule{AllToAllSchedule::at_once};
    double load{0.5};
    std::string sources{"all"};           ///< NICs, see index_list.h
    Picoseconds run_time{1'000'000'000};  ///< 0 = no limit
    std::uint64_t message_count{0};       ///< 0 = no limit
    TraceFamily trace_family{TraceFamily::synthesized};
    bool process_group_serialization{false};
    bool comm_collective_synchronization{false};
    std::uint32_t frame_payload{4096};
    std::uint64_t frame_count{0};
};

/// Most NICs of a platform: with as many switches as ranges allow, node ids stay below 2^16 [RC-30].
inline constexpr std::uint32_t kMaxNics = 16'384;

/// A whole run, checked. `nics` has one entry for each NIC of the platform: `[nic]` with its `[[nics]]` override.
struct Config {
    std::string platform{"pair"};
    SimulationConfig simulation;
    NicConfig nic;
    std::vector<NicConfig> nics;
    SwitchConfig network_switch;
    FabricConfig fabric;
    WorkloadConfig workload;

    [[nodiscard]] std::uint32_t nic_count() const noexcept
    {
        if (platform == "leaf_spine") {
            return fabric.leaves * fabric.nics_per_leaf;
        }
        return platform == "star" ? fabric.nics : platform == "pair" ? 2U : 1U;
    }
};

}  // namespace mrcnic::config
