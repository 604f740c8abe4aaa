#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/base/uniform.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::net {

/// What a test does to frames of a link, control frames and probes counted [SW-4]. `nth`, `every` and `probability` add
/// up: a frame that any of them picks is hit.
struct LinkFault {
    enum class Action {
        drop,
        mark,       ///< CE
        duplicate,  ///< a copy arrives right after the frame
        delay       ///< arrives `extra_delay` later; those behind it may overtake
    };
    Action action{Action::drop};
    std::uint64_t nth{0};                     ///< this frame, counted from 1; 0 = none
    std::uint64_t every{0};                   ///< every k-th frame; 0 = none
    double probability{0};                    ///< each frame, independently, 0 .. 1
    std::uint64_t seed{1};                    ///< of the draws
    Picoseconds extra_delay{0};               ///< of `delay`
    std::optional<packet::FrameKind> only{};  ///< counts and hits frames of this kind alone
};

/// The faults of one link.
class LinkFaults {
public:
    /// What becomes of a frame; several faults add up, and a drop beats the others.
    struct Verdict {
        bool drop{false};
        bool mark{false};
        bool duplicate{false};
        Picoseconds extra_delay{0};
    };

    void add(const LinkFault& fault) { faults_.push_back({fault, std::mt19937_64{fault.seed}, 0}); }
    [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }
    /// The next frame. Every fault counts it, whatever the others do to it.
    [[nodiscard]] Verdict judge(const packet::Frame& frame)
    {
        Verdict verdict;
        for (Armed& armed : faults_) {
            if (armed.hits(frame)) {
                apply(armed.fault, verdict);
            }
        }
        return verdict;
    }

private:
    struct Armed {
        LinkFault fault;
        std::mt19937_64 generator;
        std::uint64_t seen;

        [[nodiscard]] bool hits(const packet::Frame& frame)
        {
            if (fault.only && *fault.only != frame.kind) {
                return false;
            }
            ++seen;
            const bool drawn = fault.probability > 0 && uniform(generator) < fault.probability;
            return drawn || seen == fault.nth || (fault.every != 0 && seen % fault.every == 0);
        }
    };

    static void apply(const LinkFault& fault, Verdict& verdict) noexcept
    {
        switch (fault.action) {
            case LinkFault::Action::drop:
                verdict.drop = true;
                break;
            case LinkFault::Action::mark:
                verdict.mark = true;
                break;
            case LinkFault::Action::duplicate:
                verdict.duplicate = true;
                break;
            case LinkFault::Action::delay:
                verdict.extra_delay += fault.extra_delay;
                break;
        }
    }

    std::vector<Armed> faults_;
};

}  // namespace mrcnic::net
