#pragma once

#include <algorithm>
#include <cstdint>

#include "mrcnic/config/config.h"

namespace mrcnic::transport {

/// The congestion window of one destination and what is in flight against it, in nominal bytes [CC-12, CC-17, CC-20].
///
/// The window stays at its start value, its maximum: nothing moves it in this version.
class CongestionWindow {
public:
    /// @param rate  the lower rate of the NIC's link ends, bit/s
    /// @param full_nominal  nominal bytes of a full packet, the lower bound of the window
    CongestionWindow(const config::CongestionControlConfig& config, BitsPerSecond rate, std::uint32_t full_nominal)
        : window_{std::max(start_value(config, rate, full_nominal), static_cast<double>(full_nominal))}
    {
    }

    /// Whether `nominal` bytes more may go [CC-20].
    [[nodiscard]] bool fits(std::uint32_t nominal) const noexcept
    {
        return static_cast<double>(in_flight_ + nominal) <= window_;
    }
    void add_in_flight(std::uint32_t nominal) noexcept { in_flight_ += nominal; }
    void remove_in_flight(std::uint32_t nominal) noexcept { in_flight_ -= nominal; }

    [[nodiscard]] double window() const noexcept { return window_; }
    [[nodiscard]] std::uint64_t in_flight() const noexcept { return in_flight_; }

private:
    // [CC-8, CC-17] 1.5 BDP, BDP = rate x InitialBaseRTT / 8; or a number of full packets.
    [[nodiscard]] static double start_value(const config::CongestionControlConfig& config, BitsPerSecond rate,
                                            std::uint32_t full_nominal) noexcept
    {
        if (config.override_max_congestion_window) {
            return static_cast<double>(config.max_congestion_window) * full_nominal;
        }
        const double bdp = static_cast<double>(rate) * static_cast<double>(config.initial_base_rtt) / 8.0 / 1e12;
        return 1.5 * bdp;
    }

    double window_;
    std::uint64_t in_flight_{0};
};

}  // namespace mrcnic::transport
