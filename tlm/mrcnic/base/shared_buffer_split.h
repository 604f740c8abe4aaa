#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mrcnic {

/// What ports of a switch share of its packet buffer, and its three pools [SW-21, SW-22].
struct SharedBufferSplit {
    static constexpr std::size_t kPools = 3;

    /// @param total              `TotalSharedBufferSize`, bytes
    /// @param headroom_per_port  `HeadRoomPerPortLimit`, bytes, taken off for every connected port though nothing uses
    /// it
    SharedBufferSplit(std::uint64_t total, std::uint64_t headroom_per_port, std::uint64_t ports) noexcept
        : sizing_total{headroom_per_port * ports < total ? total - headroom_per_port * ports : 0}
    {
    }

    /// 1.5 : 1 : 1, the last one with what rounding leaves.
    [[nodiscard]] std::array<std::uint64_t, kPools> pools() const noexcept
    {
        const std::uint64_t first = sizing_total * 3 / 7;
        const std::uint64_t second = sizing_total * 2 / 7;
        return {first, second, sizing_total - first - second};
    }

    /// The smallest sizing total with a charge of the largest frame for each pool [SW-21], in which the last pool, that
    /// of acknowledgements, holds its largest one: what never fits would be dropped for ever.
    [[nodiscard]] static std::uint64_t smallest_sizing_total(std::uint64_t largest_frame,
                                                             std::uint64_t largest_control_frame) noexcept
    {
        std::uint64_t total = kPools * largest_frame;
        while (SharedBufferSplit{total, 0, 0}.pools().back() < largest_control_frame) {
            ++total;
        }
        return total;
    }

    std::uint64_t sizing_total;
};

}  // namespace mrcnic
