#pragma once

#include <algorithm>
#include <cstdint>

#include "mrcnic/base/pool_split.h"
#include "mrcnic/base/report.h"

namespace mrcnic::nic {

/// One class's share of a NIC buffer: counts the bytes that frames hold and refuses what does not fit.
///
/// Knows no time and no neighbour: pools never borrow from each other [PL-1]. All sizes are in bytes.
class BytePool {
public:
    /// @param size  capacity; the configuration has made sure that one frame fits [PL-4]
    explicit BytePool(std::uint64_t size) noexcept : size_{size} {}

    /// Reserves `bytes` if they fit (an exact fit does). A refusal changes nothing but its count.
    [[nodiscard]] bool reserve(std::uint64_t bytes) noexcept
    {
        if (bytes > size_ - occupancy_) {
            ++refused_;
            return false;
        }
        occupancy_ += bytes;
        bytes_in_ += bytes;
        ++reserved_;
        interval_peak_ = std::max(interval_peak_, occupancy_);
        return true;
    }

    /// Gives `bytes` back.
    /// @return true if this took the pool from above half its size to half or less [EG-4]
    /// @throws InvariantError if more is given back than is held [PL-3]
    bool release(std::uint64_t bytes)
    {
        invariant(bytes <= occupancy_, "[PL-3] a pool was given back more than it held");
        const bool was_above_half = above_half();
        occupancy_ -= bytes;
        ++released_;
        return was_above_half && !above_half();
    }

    /// From now on `interval_peak` tells the highest occupancy since now, that of now included [RC-50.17].
    void start_interval() noexcept
    {
        earlier_peak_ = peak();
        interval_peak_ = occupancy_;
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint64_t occupancy() const noexcept { return occupancy_; }
    [[nodiscard]] std::uint64_t peak() const noexcept { return std::max(earlier_peak_, interval_peak_); }
    [[nodiscard]] std::uint64_t interval_peak() const noexcept { return interval_peak_; }
    [[nodiscard]] std::uint64_t reserved() const noexcept { return reserved_; }                ///< reservations granted
    [[nodiscard]] std::uint64_t released() const noexcept { return released_; }                ///< releases
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }                  ///< reservations refused
    [[nodiscard]] std::uint64_t bytes_in() const noexcept { return bytes_in_; }                ///< bytes ever reserved
    [[nodiscard]] std::uint64_t bytes_out() const noexcept { return bytes_in_ - occupancy_; }  ///< ever released

private:
    // Compared doubled, so that the half of an odd size is not rounded [PL-1].
    [[nodiscard]] bool above_half() const noexcept { return 2 * occupancy_ > size_; }

    std::uint64_t size_;
    std::uint64_t occupancy_{0};
    std::uint64_t earlier_peak_{0};   // of the intervals before, so that a reservation keeps one maximum only
    std::uint64_t interval_peak_{0};  // since start_interval()
    std::uint64_t reserved_{0};
    std::uint64_t released_{0};
    std::uint64_t refused_{0};
    std::uint64_t bytes_in_{0};
};

using mrcnic::PoolSplit;

}  // namespace mrcnic::nic
