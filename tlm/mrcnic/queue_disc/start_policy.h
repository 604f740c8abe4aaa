#pragma once

#include "mrcnic/packet/frame.h"

namespace mrcnic::queue_disc {

/// What is done to a frame at the moment in which it is chosen to start on the wire; a switch tests its ECN [SW-42].
class StartPolicy {
public:
    virtual ~StartPolicy() = default;
    virtual void starts(packet::Frame& frame) = 0;
};

}  // namespace mrcnic::queue_disc
