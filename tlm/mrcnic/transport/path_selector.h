#pragma once

#include <cstdint>

#include "mrcnic/config/config.h"

namespace mrcnic::transport {

/// Chooses the entropy value of each transmission to one destination [MP-1 .. MP-4].
///
/// All paths count as good in this version, so EvRotation takes the values in order, like RoundRobin.
class PathSelector {
public:
    /// @param destination_index  ordinal of the destination on its NIC, for `PacketSprayingType = "None"`
    PathSelector(const config::PathsConfig& config, std::uint32_t destination_index) noexcept
        : start_{config.starting_port_offset},
          mask_{(1U << config.entropy_mask_bits) - 1U},
          rotates_{config.packet_spraying_type != config::PacketSpraying::none},
          step_{rotates_ ? 0 : destination_index}
    {
    }

    /// The next entropy value, 0 .. 65,535.
    [[nodiscard]] std::uint16_t next() noexcept
    {
        const auto value = static_cast<std::uint16_t>(start_ + (step_ & mask_));
        if (rotates_) {
            ++step_;
        }
        return value;
    }

private:
    std::uint32_t start_;
    std::uint32_t mask_;
    bool rotates_;
    std::uint32_t step_;
};

}  // namespace mrcnic::transport
