#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/packet/wire_size.h"
#include "mrcnic/queue_disc/strict_priority.h"

namespace mrcnic::net {

/// Traffic classes and pools of a switch under the UET policy: class n uses pool n [SW-20].
inline constexpr std::size_t kSwitchClasses = 3;

[[nodiscard]] constexpr std::size_t switch_class_of(packet::DscpRole role) noexcept
{
    switch (role) {
        case packet::DscpRole::control:
            return 2;
        case packet::DscpRole::trimmed:
        case packet::DscpRole::trimmed_lasthop:
            return 1;
        default:
            return 0;
    }
}

/// Bytes that a frame is charged in a switch: without Ethernet header and FCS, at least 46 [SW-12].
[[nodiscard]] constexpr std::uint32_t switch_charge(std::uint32_t wire_bytes) noexcept
{
    constexpr std::uint32_t minimum = 46;
    constexpr std::uint32_t around_ip = packet::kEthernetBytes + packet::kFcsBytes;
    return wire_bytes > around_ip + minimum ? wire_bytes - around_ip : minimum;
}

/// Strict priority among the classes, the highest first [SW-14].
class SwitchBands final : public queue_disc::BandMap {
public:
    explicit SwitchBands(const packet::DscpCodepoints& dscp) noexcept : roles_{dscp} {}
    [[nodiscard]] std::size_t bands() const noexcept override { return kSwitchClasses; }
    [[nodiscard]] std::size_t band_of(const packet::Frame& frame) const noexcept override
    {
        return kSwitchClasses - 1 - class_of(frame);
    }
    [[nodiscard]] std::size_t class_of(const packet::Frame& frame) const noexcept
    {
        return switch_class_of(roles_.role_of(frame.network.dscp));
    }

private:
    packet::DscpRoles roles_;
};

}  // namespace mrcnic::net
