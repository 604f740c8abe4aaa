#pragma once

#include "mrcnic/base/time.h"

namespace mrcnic {

/// When a block acts on what it was told: the policy that tells `exact` from `clocked` timing. Blocks ask it; they have
/// no second implementation.
class BlockTiming {
public:
    virtual ~BlockTiming() = default;
    /// Instant at which a block answers a request made at `now`; `now` itself means inside the call.
    [[nodiscard]] virtual Picoseconds answer_at(Picoseconds now) const noexcept = 0;
    /// Instant at which a block decides on what has come up to `now`.
    [[nodiscard]] virtual Picoseconds decide_at(Picoseconds now) const noexcept = 0;
};

/// Continuous time: every latency not named is zero.
class ExactTiming final : public BlockTiming {
public:
    [[nodiscard]] Picoseconds answer_at(Picoseconds now) const noexcept override { return now; }
    [[nodiscard]] Picoseconds decide_at(Picoseconds now) const noexcept override { return now; }
};

}  // namespace mrcnic
