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
enum class Generator { single };

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
};

struct CongestionControlConfig {
    bool nscc_enable{true};
    Picoseconds initial_base_rtt{6'000'000};
    bool override_max_congestion_window{false};
    std::uint32_t max_congestion_window{108};  ///< packets
    std::uint32_t nominal_header_bytes{60};
};

struct PathsConfig {
    PacketSpraying packet_spraying_type{PacketSpraying::ev_rotation};
    std::uint32_t starting_port_offset{256};
    std::uint32_t entropy_mask_bits{7};
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
    bool protocol_checkers{false};
};

struct SwitchConfig {
    BitsPerSecond data_rate{400'000'000'000};
    Picoseconds forwarding_latency{0};
    std::uint64_t plane_bdp{300'000};
    std::uint32_t queue_drop_threshold{5};
};

struct FabricConfig {
    std::uint32_t nics{16};
};

struct WorkloadConfig {
    std::string file;  ///< resolved: relative to the configuration file's folder, or to the current one with --set
    Picoseconds start_time{0};
    Generator generator{Generator::single};
    std::uint64_t message_bytes{1'048'576};
    std::uint32_t source{0};
    std::uint32_t destination{1};
    std::uint32_t frame_payload{4096};
    std::uint64_t frame_count{0};
};

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
        return platform == "star" ? fabric.nics : platform == "pair" ? 2U : 1U;
    }
};

}  // namespace mrcnic::config
