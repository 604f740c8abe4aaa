#pragma once

#include <cstdint>

#include "mrcnic/base/time.h"

namespace mrcnic {

/// Exact ends of the transfers of one transmitter [XT-1].
///
/// The end of the n-th transfer of a busy period is the period's start plus (bits of transfers 1..n) x 10^12 / rate,
/// rounded once, halves up: nothing drifts, however long the period. A transfer that starts in the picosecond in which
/// the one before ended continues the period; any later one begins a new period.
class SerializationClock {
public:
    /// @param rate  bits per second, 1 .. 2^62
    explicit SerializationClock(BitsPerSecond rate) noexcept : rate_{rate} {}

    /// Starts a transfer of `bytes` (at most 2,305,843, so that 64 bits hold its picobits) at `start`, not before
    /// `busy_until()`.
    /// @return its end
    Picoseconds start(Picoseconds start, std::uint64_t bytes) noexcept
    {
        if (start != busy_until_) {
            period_start_ = start;
            whole_ = 0;
            remainder_ = 0;
        }
        if (bytes != last_bytes_) {
            const std::uint64_t picobits = bytes * 8U * static_cast<std::uint64_t>(kPicosecondsPerSecond);
            last_bytes_ = bytes;
            last_whole_ = picobits / rate_;
            last_remainder_ = picobits % rate_;
        }
        whole_ += last_whole_;
        remainder_ += last_remainder_;
        if (remainder_ >= rate_) {
            remainder_ -= rate_;
            ++whole_;
        }
        const std::uint64_t rounded = whole_ + (remainder_ >= rate_ - remainder_ ? 1U : 0U);
        busy_until_ = period_start_ + static_cast<Picoseconds>(rounded);
        return busy_until_;
    }

    /// End of the busy period without its last `bytes` (at most 2,305,843, no more than it has).
    [[nodiscard]] Picoseconds end_before(std::uint64_t bytes) const noexcept
    {
        const std::uint64_t picobits = bytes * 8U * static_cast<std::uint64_t>(kPicosecondsPerSecond);
        std::uint64_t whole = whole_ - picobits / rate_;
        std::uint64_t remainder = remainder_;
        const std::uint64_t less = picobits % rate_;
        if (remainder < less) {
            remainder += rate_;
            --whole;
        }
        remainder -= less;
        return period_start_ + static_cast<Picoseconds>(whole + (remainder >= rate_ - remainder ? 1U : 0U));
    }

    /// End of the last transfer started; before any instant if there was none.
    [[nodiscard]] Picoseconds busy_until() const noexcept { return busy_until_; }
    [[nodiscard]] BitsPerSecond rate() const noexcept { return rate_; }

private:
    BitsPerSecond rate_;
    Picoseconds period_start_{0};
    Picoseconds busy_until_{-1};
    // Sum of the period's transfers as whole_ + remainder_ / rate_ picoseconds.
    std::uint64_t whole_{0};
    std::uint64_t remainder_{0};
    // Frames of one size follow each other: their division is done once.
    std::uint64_t last_bytes_{0};
    std::uint64_t last_whole_{0};
    std::uint64_t last_remainder_{0};
};

/// Time that `bytes` take at `rate` when nothing precedes them, rounded to nearest, halves up.
[[nodiscard]] inline Picoseconds serialization_time(std::uint64_t bytes, BitsPerSecond rate) noexcept
{
    return SerializationClock{rate}.start(0, bytes);
}

}  // namespace mrcnic
