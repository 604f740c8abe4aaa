#pragma once

#include "mrcnic/platforms/platform.h"

namespace mrcnic::platforms {

/// Two NICs back to back [SW-50].
class Pair : public Platform {
public:
    Pair(const sc_core::sc_module_name& name, const config::Config& config, Node::Memory memory = Node::Memory::own);
};

}  // namespace mrcnic::platforms
