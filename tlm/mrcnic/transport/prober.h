#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/frame.h"
#include "mrcnic/transport/sender_state.h"
#include "mrcnic/transport/transmit_process.h"

namespace mrcnic::transport {

/// Probes of paths that are assumed to be bad, and of the base RTT [MP-21 .. MP-24].
///
/// All intervals are equally long, so probes fall due in the order in which they were asked for: one queue and one
/// agenda entry stand for all. The entries only watch; what keeps a run alive is a probe on its way [WL-5].
class Prober {
public:
    Prober(SenderState& state, TransmitProcess& process) : state_{state}, context_{state.context}, process_{process} {}

    /// A transmission with `entropy` has timed out [MP-21].
    void on_timeout(Destination& destination, std::uint16_t entropy);
    /// The receiver says that `entropy` is bad, M = 2 [MP-20].
    void on_bad(Destination& destination, std::uint32_t entropy);
    /// `BaseRttProbeEnable`: a probe with each message [MP-24].
    void on_posting(Destination& destination);
    /// A probe's serialization has ended.
    void on_sent(const packet::Frame& frame);
    /// A SACK that answers a probe: the state of its value changes [MP-22]. @return the probe's RTT [MP-24], ps
    std::optional<Picoseconds> on_probe_answer(const packet::Frame& frame);
    /// The egress buffer's answer to the reservation of a probe, when it did not come in the call.
    void on_answer(bool granted);

    /// A destination is deleted.
    void forget(const Destination& destination);
    /// All messages are complete: no new probe from now on [WL-5].
    void stop();

private:
    /// What a probe is for.
    struct Target {
        Destination* destination{nullptr};  ///< null: deleted since
        std::uint16_t entropy{0};
        bool tests_path{false};      ///< of a bad value; false: for the base RTT only
        std::uint32_t times_bad{0};  ///< how often that had become bad when it was asked for
    };
    struct Due {
        Picoseconds when{0};
        Target target;
    };
    struct Sent {
        Target target;
        Picoseconds sent_at{-1};  ///< end of its serialization, negative before
        bool answered{false};
    };

    void schedule(const Target& target);
    void arm();
    void probes_due();
    [[nodiscard]] static bool is_wanted(const Target& target);
    void probe(Target target);
    void build(packet::Frame& frame, Target& target);
    void conclude(const Target& target, bool granted);
    [[nodiscard]] Sent* find(std::uint32_t probe_id);

    SenderState& state_;
    TransportContext& context_;
    TransmitProcess& process_;
    RingQueue<Due> due_;
    Picoseconds armed_for_{kNever};
    RingQueue<Sent> sent_;         // probes first_id_ .. next_id_ - 1
    std::uint32_t first_id_{0};    // without wrap; 16 bits on the wire
    std::uint32_t next_id_{0};     // likewise
    std::optional<Target> asked_;  // the egress buffer owes an answer for it
    packet::FrameRef request_;
    bool stopped_{false};
};

}  // namespace mrcnic::transport
