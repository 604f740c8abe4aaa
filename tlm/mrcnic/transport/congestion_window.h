#pragma once

#include <cstdint>

#include "mrcnic/transport/nscc.h"

namespace mrcnic::transport {

/// The congestion context of one destination: its window and what is in flight against it, in nominal bytes [CC-12,
/// CC-20]. Knows no kernel.
class CongestionWindow {
public:
    /// @param pass_through  the window is computed, not enforced [CC-2]
    CongestionWindow(const Nscc& control, bool pass_through) : control_{control}, pass_through_{pass_through} {}

    /// Whether `nominal` bytes more may go [CC-20].
    [[nodiscard]] bool fits(std::uint32_t nominal) const noexcept
    {
        return static_cast<double>(in_flight_ + nominal) <= control_.window() || pass_through_;
    }
    /// A packet is fetched or replayed.
    void add_in_flight(std::uint32_t nominal) noexcept { in_flight_ += nominal; }
    /// One of those in flight is handed down.
    void add_handed_down(std::uint32_t nominal) noexcept { handed_down_ += nominal; }
    /// A packet leaves the flight; `handed_down`: it had been.
    void remove_in_flight(std::uint32_t nominal, bool handed_down) noexcept
    {
        in_flight_ -= nominal;
        handed_down_ -= handed_down ? nominal : 0;
    }

    [[nodiscard]] double window() const noexcept { return control_.window(); }
    /// F of CC-20: fetched or replayed, and neither retired nor lost since.
    [[nodiscard]] std::uint64_t in_flight() const noexcept { return in_flight_; }
    /// The part of F that has been handed down.
    [[nodiscard]] std::uint64_t handed_down() const noexcept { return handed_down_; }
    [[nodiscard]] Nscc& control() noexcept { return control_; }
    [[nodiscard]] const Nscc& control() const noexcept { return control_; }

private:
    Nscc control_;
    bool pass_through_;
    std::uint64_t in_flight_{0};
    std::uint64_t handed_down_{0};
};

}  // namespace mrcnic::transport
