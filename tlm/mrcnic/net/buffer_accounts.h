#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mrcnic/base/report.h"
#include "mrcnic/net/switch_classes.h"

namespace mrcnic::net {

/// Accounts of the shared packet buffer in one direction: bytes charged to each port and class, and to each pool
/// [SW-13].
///
/// A switch has two of them, ingress and egress, against the same pool sizes.
class BufferAccounts {
public:
    /// @param classes     must outlive the object
    /// @param pool_sizes  bytes, one for each pool
    BufferAccounts(const SwitchClasses& classes, std::vector<std::uint64_t> pool_sizes, std::size_t ports)
        : classes_{classes}, sizes_{std::move(pool_sizes)}, totals_(sizes_.size()), by_port_(ports * classes.count())
    {
    }

    /// Whether the pool of the class holds `bytes` more [SW-15, SW-16].
    [[nodiscard]] bool fits(std::size_t traffic_class, std::uint32_t bytes) const noexcept
    {
        const std::size_t pool = classes_.pool_of(traffic_class);
        return totals_[pool] + bytes <= sizes_[pool];
    }
    void charge(std::size_t port, std::size_t traffic_class, std::uint32_t bytes) noexcept
    {
        by_port_[index_of(port, traffic_class)] += bytes;
        totals_[classes_.pool_of(traffic_class)] += bytes;
    }
    void release(std::size_t port, std::size_t traffic_class, std::uint32_t bytes)
    {
        std::uint64_t& charged = by_port_[index_of(port, traffic_class)];
        invariant(charged >= bytes, "SW-13: a switch released bytes that it had not charged");
        charged -= bytes;
        totals_[classes_.pool_of(traffic_class)] -= bytes;
    }

    /// Bytes charged to a port and class.
    [[nodiscard]] std::uint64_t of_port(std::size_t port, std::size_t traffic_class) const noexcept
    {
        return by_port_[index_of(port, traffic_class)];
    }
    [[nodiscard]] std::size_t pools() const noexcept { return sizes_.size(); }
    [[nodiscard]] std::uint64_t total(std::size_t pool) const noexcept { return totals_[pool]; }
    [[nodiscard]] std::uint64_t size(std::size_t pool) const noexcept { return sizes_[pool]; }

private:
    [[nodiscard]] std::size_t index_of(std::size_t port, std::size_t traffic_class) const noexcept
    {
        return port * classes_.count() + traffic_class;
    }

    const SwitchClasses& classes_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::uint64_t> totals_;
    std::vector<std::uint64_t> by_port_;
};

}  // namespace mrcnic::net
