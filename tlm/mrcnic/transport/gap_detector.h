#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/headers.h"

namespace mrcnic::transport {

/// Numbers the transmissions of a queue pair and finds those that later ones have overtaken [TR-75, TR-78]. Knows no
/// kernel.
///
/// Transmissions stand in the order of their numbers, which is that of the wire, so those that are lost come first: a
/// look at the head is enough, and each transmission is looked at once.
class GapDetector {
public:
    /// What has become of a transmission.
    enum class Fate {
        settled,  ///< received, repeated or given up: of no interest any more
        missing,  ///< serialized, and nothing is known of it
        queued    ///< not serialized yet, like all after it
    };

    /// @param enabled  false (`SackGapThreshold` 0): numbers only
    explicit GapDetector(bool enabled) noexcept : enabled_{enabled} {}

    /// A transmission of `psn` is handed down. @return its number t, counted from 0
    std::uint32_t add(packet::Psn psn)
    {
        if (enabled_) {
            psns_.push_back(psn);
        }
        return next_++;
    }

    /// Transmission t is known to have been received: H.
    void heard(std::uint32_t transmission) noexcept { heard_end_ = std::max(heard_end_, transmission + 1); }

    /// The next transmission that lies at least `threshold`, 1 or more, before H and is missing; each is given once.
    /// @param fate_of  Fate(psn, number) of a transmission
    template <typename FateOf>
    [[nodiscard]] std::optional<packet::Psn> take_lost(std::uint32_t threshold, const FateOf& fate_of)
    {
        while (!psns_.empty() && first_ + threshold < heard_end_) {
            const packet::Psn psn = psns_.front();
            const Fate fate = fate_of(psn, first_);
            if (fate == Fate::queued) {
                break;
            }
            psns_.pop_front();
            ++first_;
            if (fate == Fate::missing) {
                return psn;
            }
        }
        return std::nullopt;
    }

private:
    bool enabled_;
    RingQueue<packet::Psn> psns_;  // of transmissions first_ .. next_ - 1
    std::uint32_t first_{0};
    std::uint32_t next_{0};
    std::uint32_t heard_end_{0};  // H + 1
};

}  // namespace mrcnic::transport
