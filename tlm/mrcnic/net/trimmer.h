#pragma once

#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/packet/wire_size.h"

namespace mrcnic::net {

/// Trims data frames that a queue has no room for [SW-30 .. SW-35].
class Trimmer {
public:
    Trimmer(bool enabled, const packet::DscpCodepoints& dscp) noexcept : enabled_{enabled}, dscp_{dscp} {}

    /// Whether a frame that a queue limit has refused is trimmed, not dropped [SW-30].
    [[nodiscard]] bool trims(const packet::Frame& frame, packet::DscpRole role) const noexcept
    {
        return enabled_ && frame.kind == packet::FrameKind::data &&
               (role == packet::DscpRole::trimmable || role == packet::DscpRole::trimmable_rtx);
    }

    /// Leaves IPv4, UDP, BTH and METH, ECN as it is, and the codepoint that says so [SW-31, SW-32].
    void trim(packet::Frame& frame, bool last_hop) const noexcept
    {
        frame.kind = packet::FrameKind::trimmed;
        frame.traffic_class = packet::TrafficClass::control;
        frame.wire_bytes = packet::kTrimmedWireBytes;
        frame.payload_bytes = 0;
        frame.payload.clear();
        frame.tseth = {};
        frame.reth = {};
        frame.immediate = {};
        frame.network.dscp = last_hop ? dscp_.trimmed_lasthop : dscp_.trimmed;
    }

private:
    bool enabled_;
    packet::DscpCodepoints dscp_;
};

}  // namespace mrcnic::net
