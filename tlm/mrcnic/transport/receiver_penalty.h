#pragma once

#include <cmath>
#include <cstdint>

#include "mrcnic/config/config.h"

namespace mrcnic::transport {

/// The penalty that a receiver puts into its SACKs while its data pool fills [CC-43]. Knows no kernel.
class ReceiverPenalty {
public:
    static constexpr std::uint8_t kFull = 127;

    /// @param config     low threshold below the high one, percent
    /// @param pool_size  bytes of the data pool, at least 1
    ReceiverPenalty(const config::CongestionControlConfig& config, std::uint64_t pool_size) noexcept
        : enabled_{config.receiver_penalty_enabled},
          low_{config.receiver_congestion_low_threshold},
          high_{config.receiver_congestion_high_threshold},
          pool_size_{static_cast<double>(pool_size)}
    {
    }

    /// @param occupancy  bytes held by the data pool
    /// @return 0 .. 127; always 0 with `ReceiverPenaltyEnabled` false [CC-11]
    [[nodiscard]] std::uint8_t at(std::uint64_t occupancy) const noexcept
    {
        if (!enabled_) {
            return 0;
        }
        const double percent = 100.0 * static_cast<double>(occupancy) / pool_size_;
        if (percent < low_) {
            return 0;
        }
        if (percent >= high_) {
            return kFull;
        }
        return static_cast<std::uint8_t>(std::floor(kFull * (percent - low_) / (high_ - low_)));
    }

private:
    bool enabled_;
    double low_;
    double high_;
    double pool_size_;
};

}  // namespace mrcnic::transport
