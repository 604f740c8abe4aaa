#pragma once

#include <cstdint>

namespace mrcnic::bench {

/// What this program has asked the global operators new and delete for.
struct Allocations {
    std::uint64_t calls{0};      ///< of operator new, since the start
    std::int64_t live_bytes{0};  ///< held now, as the allocator rounds them
};

[[nodiscard]] Allocations allocations() noexcept;

}  // namespace mrcnic::bench
