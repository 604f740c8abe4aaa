#pragma once

#include "mrcnic/platforms/fabric.h"

namespace mrcnic::platforms {

/// Two NICs back to back [SW-50].
class Pair : public Fabric {
public:
    Pair(const sc_core::sc_module_name& name, const config::Config& config, Node::Memory memory = Node::Memory::own)
        : Fabric{name, config, pair_topology(config), memory}
    {
    }
};

}  // namespace mrcnic::platforms
