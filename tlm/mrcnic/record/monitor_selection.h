#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/address_text.h"
#include "mrcnic/transport/observer.h"

namespace mrcnic::record {

/// Which connections a NIC logs: the attributes `nic.Monitor.*`, read [RC-67, RC-68].
struct MonitorRules {
    bool filters{false};                     ///< EnableMRCMonitor: what matches all four filters is selected
    std::optional<std::uint16_t> node;       ///< none = All
    std::optional<packet::Address> local;    ///< none = All
    std::optional<packet::Address> remote;   ///< none = All
    std::optional<packet::QpEnd> end;        ///< either end of the connection; none = All
    std::optional<Picoseconds> rtt;          ///< the sample of a SACK at or above it selects; none = off
    std::optional<std::uint32_t> penalty;    ///< a receiver penalty at or above it selects; none = off
    std::uint32_t triggered_connections{1};  ///< that triggers select at most, in the whole run

    /// Whether anything can ever be selected here.
    [[nodiscard]] bool can_select() const noexcept { return filters || rtt || penalty; }
};

/// @param config  checked: `check_relations` has refused texts that are no filter
[[nodiscard]] MonitorRules monitor_rules(const config::MonitorConfig& config);

/// Decides which packets mrc-monitor logs [RC-67 .. RC-69]. Knows no kernel and no file.
///
/// A match selects a connection, at both ends and for the rest of the run.
class MonitorSelection {
public:
    struct Nic {
        std::uint16_t node_id{0};
        packet::Address address{0};
        MonitorRules rules;
    };

    explicit MonitorSelection(std::vector<Nic> nics);

    /// A SACK was received on NIC `nic`. @param rtt  the sample it gave
    void hear_sack(std::size_t nic, const transport::ConnectionEnd& end, std::optional<Picoseconds> rtt,
                   std::uint32_t penalty);
    /// Whether a packet of this end is logged; matches filters first.
    [[nodiscard]] bool selects(std::size_t nic, const transport::ConnectionEnd& end);
    /// Connections that triggers have selected.
    [[nodiscard]] std::uint32_t triggered() const noexcept { return triggered_; }

private:
    enum class State : std::uint8_t { unknown, refused, selected };

    [[nodiscard]] State& state(std::size_t nic, packet::QpNumber qp);
    [[nodiscard]] static bool matches(const Nic& nic, const transport::ConnectionEnd& end);
    void select(std::size_t nic, const transport::ConnectionEnd& end);

    std::vector<Nic> nics_;
    std::vector<std::vector<State>> ends_;  // of each NIC, by QP number
    std::map<packet::Address, std::size_t> nic_of_;
    std::uint32_t triggered_{0};
};

}  // namespace mrcnic::record
