#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"

namespace mrcnic::platforms {

/// A port of a switch.
struct PortPlan {
    BitsPerSecond rate{0};  ///< the lower one of the link's two ends [SW-1]
    bool uplink{false};     ///< towards the spines; the others face NICs, or leaves below [RC-40.7]
    bool faces_nic{false};  ///< [SW-32]
};

/// NICs `first_nic` .. `first_nic + nics - 1` are reached by `members` ports from `first_port` on [SW-51].
struct RoutePlan {
    std::uint32_t first_nic{0};
    std::uint32_t nics{1};
    std::uint16_t first_port{0};
    std::uint16_t members{1};
};

/// A switch that a fabric is to have, with its ports by number and its routes.
struct SwitchPlan {
    std::string name;       ///< of its module
    std::string component;  ///< in records [RC-31]
    int tier{2};            ///< [RC-40.9]
    std::vector<PortPlan> ports;
    std::vector<RoutePlan> routes;
};

/// One end of a link: a NIC by its number, or a port of a switch by its id.
struct LinkEnd {
    bool is_nic{true};
    std::size_t device{0};
    std::uint16_t port{0};
};

/// One direction of a link.
struct LinkPlan {
    LinkEnd from;
    LinkEnd to;
    Picoseconds delay{0};
};

/// A fabric on paper: what stands where and what is wired to what [SW-50, SW-51]. Knows no kernel.
///
/// Links come in pairs, one for each direction, that of the lower end first; those of NICs first, in their order.
struct Topology {
    std::vector<BitsPerSecond> far_rates;  ///< of the device at the other end of each NIC's link
    std::vector<SwitchPlan> switches;      ///< by switch id, leaves before spines
    std::vector<LinkPlan> links;
    std::size_t leaves{0};   ///< the first so many switches; 0 where switches are neither leaves nor spines
    bool single_path{true};  ///< whether frames between two NICs all go the same way [TR-77]
};

/// Two NICs back to back.
[[nodiscard]] Topology pair_topology(const config::Config& config);
/// `fabric.Nics` NICs on one switch, NIC i on port i.
[[nodiscard]] Topology star_topology(const config::Config& config);
/// Leaves with NICs below and spines above. Ports of a leaf: its NICs, then its links to spine 0, 1, ...; of a spine:
/// its links to leaf 0, 1, ...
[[nodiscard]] Topology leaf_spine_topology(const config::Config& config);

}  // namespace mrcnic::platforms
