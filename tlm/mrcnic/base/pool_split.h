#pragma once

#include <algorithm>
#include <cstdint>

namespace mrcnic {

/// Sizes of a buffer's two pools: data = floor(0.9 size), control = the rest [PL-1].
struct PoolSplit {
    explicit PoolSplit(std::uint64_t total) noexcept : data{total / 10 * 9 + total % 10 * 9 / 10}, control{total - data}
    {
    }

    /// The smallest buffer whose pools hold at least these many bytes: floor(9 t / 10) >= d from t = ceil(10 d / 9),
    /// t - floor(9 t / 10) = ceil(t / 10) >= c from t = 10 (c - 1) + 1.
    [[nodiscard]] static std::uint64_t smallest_total(std::uint64_t data, std::uint64_t control) noexcept
    {
        const std::uint64_t for_data = (10 * data + 8) / 9;
        const std::uint64_t for_control = control == 0 ? 0 : 10 * (control - 1) + 1;
        return std::max(for_data, for_control);
    }

    std::uint64_t data;
    std::uint64_t control;
};

}  // namespace mrcnic
