#include "mrcnic/platforms/wire_sources.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace mrcnic::platforms {

namespace {

using PortKey = std::pair<std::uint16_t, std::uint16_t>;  // device, port

struct Found {
    packet::WireTransmitter* transmitter;
    std::string name;
};

// Over the hierarchy of modules, so that a platform of any form has nothing to add.
void find(const sc_core::sc_object& parent, std::map<PortKey, Found>& found)
{
    for (sc_core::sc_object* child : parent.get_child_objects()) {
        if (auto* transmitter = dynamic_cast<packet::WireTransmitter*>(child)) {
            const Place place = transmitter->place();
            found[{place.node, place.port}] = {transmitter, child->basename()};
        }
        find(*child, found);
    }
}

}  // namespace

std::vector<record::WireSource> wire_sources(const Platform& platform)
{
    std::map<PortKey, Found> found;
    find(platform, found);
    for (const record::PortSource& port : platform.ports()) {
        const auto known = found.find({port.node_id, port.ifid});
        if (known != found.end()) {
            known->second.name = port.component_name;
        }
    }
    std::vector<record::WireSource> sources;
    for (const auto& [key, transmitter] : found) {
        sources.push_back({fmt::format("{}:{}", transmitter.name, key.second), transmitter.transmitter});
    }
    return sources;
}

}  // namespace mrcnic::platforms
