#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/packet/wire_size.h"
#include "mrcnic/queue_disc/strict_priority.h"

namespace mrcnic::net {

/// Traffic class of a role under the UET policy [SW-20].
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

/// Traffic classes of a switch, their pools, and strict priority among them, the highest first [SW-14].
///
/// Under the UET policy three classes by role, class n in pool n [SW-20]; without it eight, DSCP / 8, in one pool
/// [SW-25].
class SwitchClasses final : public queue_disc::BandMap {
public:
    static constexpr std::size_t kUetClasses = 3;
    static constexpr std::size_t kPlainClasses = 8;

    SwitchClasses(const packet::DscpCodepoints& dscp, bool uet_policy) noexcept
        : roles_{dscp}, count_{uet_policy ? kUetClasses : kPlainClasses}, uet_policy_{uet_policy}
    {
        for (std::uint8_t codepoint = 0; codepoint < by_codepoint_.size(); ++codepoint) {
            const std::size_t by_role = switch_class_of(roles_.role_of(codepoint));
            by_codepoint_[codepoint] = static_cast<std::uint8_t>(uet_policy ? by_role : codepoint / 8U);
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] bool uet_policy() const noexcept { return uet_policy_; }
    [[nodiscard]] std::size_t pool_of(std::size_t traffic_class) const noexcept
    {
        return uet_policy_ ? traffic_class : 0;
    }
    [[nodiscard]] std::size_t class_of(const packet::Frame& frame) const noexcept
    {
        return by_codepoint_[frame.network.dscp & 63U];
    }
    [[nodiscard]] packet::DscpRole role_of(const packet::Frame& frame) const noexcept
    {
        return roles_.role_of(frame.network.dscp);
    }

    [[nodiscard]] std::size_t bands() const noexcept override { return count_; }
    [[nodiscard]] std::size_t band_of(const packet::Frame& frame) const noexcept override
    {
        return count_ - 1 - class_of(frame);
    }

private:
    packet::DscpRoles roles_;
    std::array<std::uint8_t, 64> by_codepoint_{};
    std::size_t count_;
    bool uet_policy_;
};

}  // namespace mrcnic::net
