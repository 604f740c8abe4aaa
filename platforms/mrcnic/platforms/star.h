#pragma once

#include "mrcnic/platforms/fabric.h"

namespace mrcnic::platforms {

/// N NICs on one switch [SW-50]. NIC i is on port i.
class Star : public Fabric {
public:
    Star(const sc_core::sc_module_name& name, const config::Config& config, Node::Memory memory = Node::Memory::own)
        : Fabric{name, config, star_topology(config), memory}
    {
    }
};

}  // namespace mrcnic::platforms
