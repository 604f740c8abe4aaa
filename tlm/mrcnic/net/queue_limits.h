#pragma once

#include <cstdint>
#include <limits>

#include "mrcnic/config/config.h"
#include "mrcnic/packet/roles.h"

namespace mrcnic::net {

/// Byte limits of one egress queue, the frame on the wire included [SW-23, SW-24].
class QueueLimits {
public:
    /// Without the UET policy there is no limit but the pool [SW-25].
    explicit QueueLimits(const config::SwitchConfig& config) noexcept
    {
        if (config.uet_policy_enabled) {
            normal_ = config.queue_limit();
            retransmission_ = normal_ + normal_ / 2;
        }
    }

    [[nodiscard]] bool fits(packet::DscpRole role, std::uint64_t queued, std::uint32_t bytes) const noexcept
    {
        return queued + bytes <= (role == packet::DscpRole::trimmable_rtx ? retransmission_ : normal_);
    }

private:
    std::uint64_t normal_{std::numeric_limits<std::uint64_t>::max()};
    std::uint64_t retransmission_{std::numeric_limits<std::uint64_t>::max()};
};

}  // namespace mrcnic::net
