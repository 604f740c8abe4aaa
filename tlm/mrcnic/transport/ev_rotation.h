#pragma once

#include <cstdint>
#include <vector>

#include "mrcnic/transport/ev_set.h"

namespace mrcnic::transport {

/// States of the entropy values of one destination and the choice among them [MP-10, MP-11, MP-20 .. MP-22]. Knows no
/// kernel. Values are named by their place in the rotation.
class EvRotation {
public:
    enum class State {
        good,
        skip,         ///< passed once, then good
        assumed_bad,  ///< passed until a probe comes back
        denied        ///< passed for good
    };

    /// @param size  values in the rotation, 1 .. 256
    /// @param timeouts_to_bad  `EvTimeoutsToBad`
    EvRotation(std::uint32_t size, std::uint32_t timeouts_to_bad);

    /// The value of the next transmission [MP-11].
    [[nodiscard]] std::uint32_t next() noexcept
    {
        if (not_good_ == 0) {
            const std::uint32_t value = cursor_;
            move_behind(value);
            return value;
        }
        return walk();
    }

    /// A packet on it was marked, trimmed or lost by a gap: good becomes skip [MP-20].
    void on_congestion(std::uint32_t value);
    /// A retransmission timer of it has expired [MP-21]. @return whether it has become bad by that
    [[nodiscard]] bool on_timeout(std::uint32_t value);
    /// Assumed to be bad from now on. @return whether it was not
    bool assume_bad(std::uint32_t value);
    /// A probe of it has come back, marked or not [MP-22].
    void on_probe_answer(std::uint32_t value, bool marked);
    void deny(std::uint32_t value) { set(value, State::denied); }

    [[nodiscard]] State state(std::uint32_t value) const noexcept;
    /// How often it has become bad so far: tells a schedule of probes that is still meant from an older one.
    [[nodiscard]] std::uint32_t times_bad(std::uint32_t value) const noexcept
    {
        return times_bad_.empty() ? 0 : times_bad_[value];
    }

private:
    [[nodiscard]] std::uint32_t walk() noexcept;
    [[nodiscard]] std::uint32_t distance(std::uint32_t value) const noexcept
    {
        return value >= cursor_ ? value - cursor_ : value + size_ - cursor_;
    }
    void move_behind(std::uint32_t value) noexcept { cursor_ = value + 1 == size_ ? 0 : value + 1; }
    void set(std::uint32_t value, State state);

    std::uint32_t size_;
    std::uint32_t timeouts_to_bad_;
    std::uint32_t cursor_{0};
    std::uint32_t not_good_{0};  // values that are not good
    EvSet good_;
    EvSet skip_;
    EvSet bad_;
    std::vector<std::uint32_t> timeouts_;   // since it was bad last; empty until one expires
    std::vector<std::uint32_t> times_bad_;  // empty until one is bad
};

}  // namespace mrcnic::transport
