#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "mrcnic/base/time.h"

namespace mrcnic::transport {

/// Round-trip samples of data SACKs and trim NACKs [CC-13, CC-14].
struct RttSamples {
    std::uint64_t count{0};
    Picoseconds last{0};
    Picoseconds minimum{std::numeric_limits<Picoseconds>::max()};
    Picoseconds maximum{0};
    std::uint64_t sum{0};

    void add(Picoseconds sample) noexcept
    {
        ++count;
        last = sample;
        minimum = std::min(minimum, sample);
        maximum = std::max(maximum, sample);
        sum += static_cast<std::uint64_t>(sample);
    }
};

}  // namespace mrcnic::transport
