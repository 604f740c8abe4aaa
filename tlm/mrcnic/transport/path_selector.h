#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/config/config.h"
#include "mrcnic/transport/ev_rotation.h"

namespace mrcnic::transport {

/// Chooses the entropy value of each transmission to one destination and hears what becomes of it [MP-1 .. MP-4].
/// Knows no kernel. Feedback on a value that is not of the set, and any with a type without states, is ignored.
class PathSelector {
public:
    /// @param destination_index  ordinal of the destination on its NIC, for `PacketSprayingType = "None"`
    PathSelector(const config::PathsConfig& config, std::uint32_t destination_index)
        : start_{config.starting_port_offset},
          mask_{(1U << config.entropy_mask_bits) - 1U},
          type_{config.packet_spraying_type},
          step_{type_ == config::PacketSpraying::none ? destination_index : 0},
          rotation_{mask_ + 1, config.ev_timeouts_to_bad}
    {
    }

    /// The next entropy value, 0 .. 65,535.
    [[nodiscard]] std::uint16_t next() noexcept
    {
        switch (type_) {
            case config::PacketSpraying::none:
                return value_at(step_);
            case config::PacketSpraying::round_robin:
                return value_at(step_++);
            case config::PacketSpraying::ev_rotation:
                break;
        }
        return value_at(rotation_.next());
    }

    /// A packet with `value` was marked, trimmed or lost by a gap [MP-20].
    void on_congestion(std::uint32_t value)
    {
        if (const auto place = place_of(value)) {
            rotation_.on_congestion(*place);
        }
    }
    /// The retransmission timer of a packet with `value` has expired [MP-21]. @return whether it has become bad
    [[nodiscard]] bool on_timeout(std::uint32_t value)
    {
        const auto place = place_of(value);
        return place && rotation_.on_timeout(*place);
    }
    /// The receiver says so [MP-20]. @return whether it was not bad before
    [[nodiscard]] bool assume_bad(std::uint32_t value)
    {
        const auto place = place_of(value);
        return place && rotation_.assume_bad(*place);
    }
    /// A probe with `value` was answered [MP-22].
    void on_probe_answer(std::uint32_t value, bool marked)
    {
        if (const auto place = place_of(value)) {
            rotation_.on_probe_answer(*place, marked);
        }
    }
    /// Whether `value` is assumed to be bad.
    [[nodiscard]] bool is_bad(std::uint32_t value) const noexcept
    {
        const auto place = place_of(value);
        return place && rotation_.state(*place) == EvRotation::State::assumed_bad;
    }
    /// How often `value` has become bad so far.
    [[nodiscard]] std::uint32_t times_bad(std::uint32_t value) const noexcept
    {
        const auto place = place_of(value);
        return place ? rotation_.times_bad(*place) : 0;
    }

private:
    [[nodiscard]] std::uint16_t value_at(std::uint32_t step) const noexcept
    {
        return static_cast<std::uint16_t>(start_ + (step & mask_));
    }
    [[nodiscard]] std::optional<std::uint32_t> place_of(std::uint32_t value) const noexcept
    {
        const std::uint32_t place = (value - start_) & 0xFFFFU;
        if (type_ != config::PacketSpraying::ev_rotation || place > mask_) {
            return std::nullopt;
        }
        return place;
    }

    std::uint32_t start_;
    std::uint32_t mask_;
    config::PacketSpraying type_;
    std::uint32_t step_;
    EvRotation rotation_;
};

}  // namespace mrcnic::transport
