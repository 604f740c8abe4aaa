#pragma once

#include "mrcnic/packet/frame.h"

namespace mrcnic::transport {

/// What sender and receiver ask of the blocks around the transport; the module turns it into protocol calls.
class FrameOutlet {
public:
    enum class Answer { granted, refused, later };

    virtual ~FrameOutlet() = default;
    /// Asks the egress buffer for room. `later`: the answer comes as a call of its own.
    virtual Answer reserve(packet::Frame& frame) = 0;
    /// The refusal of `frame` no longer stands: a pass starts for another reason [TR-52].
    virtual void kick(packet::Frame& frame) = 0;
    /// Hands over a frame that has room.
    virtual void submit(packet::Frame& frame) = 0;
    /// Has a frame's payload read from the host.
    virtual void fetch(packet::Frame& frame) = 0;
};

}  // namespace mrcnic::transport
