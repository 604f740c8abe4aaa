#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mrcnic/base/time.h"
#include "mrcnic/nic/network_port.h"

namespace mrcnic::record {

/// A network port as the nd-stats record sees it [RC-40].
struct PortSource {
    std::string component_name;  ///< RC-31
    std::string nd_name;         ///< `mrc::NicPort` or `mrc::SwitchPort`
    std::string component_type;  ///< `NIC` or `Switch`
    std::uint16_t node_id{0};    ///< RC-30
    std::uint16_t ifid{0};       ///< port number on the device
    bool uplink{true};           ///< `ul` towards the spine, `dl` towards the NICs; a NIC's port is `ul`
    int tier{3};                 ///< 0 spine, 1 fabric, 2 rack, 3 NIC
    BitsPerSecond link_rate{0};  ///< 100 % of the utilisation columns
    const nic::PortCounters* counters{nullptr};
    std::function<std::uint64_t()> tx_drops;  ///< frames, since the start [RC-40.21]
    std::function<std::uint64_t()> rx_drops;  ///< frames, since the start [RC-40.22]
};

}  // namespace mrcnic::record
