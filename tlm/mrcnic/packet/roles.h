#pragma once

#include <array>
#include <cstdint>

namespace mrcnic::packet {

/// The NIC's traffic classes [FR-3].
enum class TrafficClass : std::uint8_t { data, control };

/// Meaning of a DSCP codepoint [TR-35 .. TR-41].
enum class DscpRole : std::uint8_t {
    no_trim,
    trimmable,
    trimmable_rtx,
    trimmed,
    trimmed_lasthop,
    control,
    unrecognized
};

/// Class of a role: trimmed frames and acknowledgements are control, everything else data [FR-3, TR-35 .. TR-41].
[[nodiscard]] constexpr TrafficClass class_of(DscpRole role) noexcept
{
    switch (role) {
        case DscpRole::trimmed:
        case DscpRole::trimmed_lasthop:
        case DscpRole::control:
            return TrafficClass::control;
        default:
            return TrafficClass::data;
    }
}

/// The six codepoints, attributes `nic.Transport.Dscp*` [TR-41]; 0..63, all different (the configuration sees to it).
struct DscpCodepoints {
    std::uint8_t no_trim{0};
    std::uint8_t trimmable{4};
    std::uint8_t trimmable_rtx{8};
    std::uint8_t trimmed{12};
    std::uint8_t trimmed_lasthop{16};
    std::uint8_t control{46};
};

/// Looks up the role of a codepoint.
class DscpRoles {
public:
    explicit DscpRoles(const DscpCodepoints& codepoints) noexcept
    {
        roles_.fill(DscpRole::unrecognized);
        roles_[codepoints.no_trim & 63U] = DscpRole::no_trim;
        roles_[codepoints.trimmable & 63U] = DscpRole::trimmable;
        roles_[codepoints.trimmable_rtx & 63U] = DscpRole::trimmable_rtx;
        roles_[codepoints.trimmed & 63U] = DscpRole::trimmed;
        roles_[codepoints.trimmed_lasthop & 63U] = DscpRole::trimmed_lasthop;
        roles_[codepoints.control & 63U] = DscpRole::control;
    }
    [[nodiscard]] DscpRole role_of(std::uint8_t dscp) const noexcept { return roles_[dscp & 63U]; }
    [[nodiscard]] TrafficClass class_of(std::uint8_t dscp) const noexcept { return packet::class_of(role_of(dscp)); }

private:
    std::array<DscpRole, 64> roles_{};
};

}  // namespace mrcnic::packet
