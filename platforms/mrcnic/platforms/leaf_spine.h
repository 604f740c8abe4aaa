#pragma once

#include "mrcnic/platforms/fabric.h"

namespace mrcnic::platforms {

/// Leaves with NICs, each wired to every spine [SW-50]. NIC i is on leaf i / NicsPerLeaf.
class LeafSpine : public Fabric {
public:
    LeafSpine(const sc_core::sc_module_name& name, const config::Config& config,
              Node::Memory memory = Node::Memory::own)
        : Fabric{name, config, leaf_spine_topology(config), memory}
    {
    }
};

}  // namespace mrcnic::platforms
