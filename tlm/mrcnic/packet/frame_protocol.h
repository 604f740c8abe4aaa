#pragma once

#include "mrcnic/base/protocol_sockets.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::packet {

/// Phases of the frame protocol beside BEGIN_REQ; `docs/protocols.md` has the rules.
namespace phase {
// Transmit side: transport -> egress buffer. One request of a class is open at a time.
TLM_DECLARE_EXTENDED_PHASE(RESERVE);  ///< forward: may this frame have room?
TLM_DECLARE_EXTENDED_PHASE(GRANT);    ///< backward: it has
TLM_DECLARE_EXTENDED_PHASE(REFUSE);   ///< backward: it has not; wait for WAKE or a reason of one's own
TLM_DECLARE_EXTENDED_PHASE(WAKE);     ///< backward: room may have come; carries the frame last refused
TLM_DECLARE_EXTENDED_PHASE(KICK);     ///< forward: the requester starts again by itself, its refusal no longer stands
// Transmit side: every hop from the port up to the transport.
TLM_DECLARE_EXTENDED_PHASE(SENT);  ///< backward: the frame's serialization has ended
// Host side: transport or ingress buffer -> DMA.
TLM_DECLARE_EXTENDED_PHASE(FETCH);     ///< forward: read this frame's payload from the host
TLM_DECLARE_EXTENDED_PHASE(FETCHED);   ///< backward: the whole payload has arrived
TLM_DECLARE_EXTENDED_PHASE(WRITE);     ///< forward: write this frame's payload to the host
TLM_DECLARE_EXTENDED_PHASE(ACCEPTED);  ///< backward: the PCIe transmit buffer has taken the whole write
}  // namespace phase

// How a transport answers a frame that the ingress buffer delivers with BEGIN_REQ. TLM_COMPLETED: processed, give its
// room back now. TLM_UPDATED with phase WRITE: its payload goes to the host first [IN-2].

using FrameInitiatorPort = InitiatorPort<Frame>;
using FrameTargetPort = TargetPort<Frame>;
template <typename Module>
using FrameInitiatorSocket = InitiatorSocket<Frame, Module>;
template <typename Module>
using FrameTargetSocket = TargetSocket<Frame, Module>;

}  // namespace mrcnic::packet
