#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/protocol_checker.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::packet {

/// Where on a frame's way a checker stands: which phases and answers are right [docs/protocols.md].
enum class Hop : std::uint8_t {
    reservation,  ///< transport -> egress buffer
    queue,        ///< egress buffer -> transmit scheduler
    port,         ///< transmit scheduler -> network port
    wire,         ///< network port -> link, network port -> buffer or switch
    link_end,     ///< link -> network port: as wire, but a link's test hook may let frames overtake [SW-4]
    delivery,     ///< ingress buffer -> transport
    host          ///< transport or ingress buffer -> DMA
};

/// Rules of the frame protocol; their texts are in `docs/protocols.md`.
enum class FrameRule : std::uint8_t {
    referenced,         // FP-1
    sized,              // FP-2
    unchanged,          // FP-3
    phase,              // FP-4
    answer,             // FP-5
    delay,              // FP-6
    payload,            // FP-7
    one_transaction,    // FP-8
    ends,               // FP-9
    one_request,        // FP-10
    request_answered,   // FP-11
    wake_after_refuse,  // FP-12
    kick_after_refuse,  // FP-13
    granted_first,      // FP-14
    sent_once,          // FP-15
    port_holds_one,     // FP-16
    arrival_order,      // FP-17
    fetch_order,        // FP-18
    write_order,        // FP-19
    count
};

/// The rule's number and text.
[[nodiscard]] const ProtocolRule& rule_of(FrameRule rule) noexcept;

/// Checks the frame protocol on one hop. Allocates only when more transactions are open than ever before.
class FrameChecker : public ProtocolChecker<Frame> {
public:
    FrameChecker(const sc_core::sc_module_name& name, Hop hop);

    /// Transactions begun and not ended; a granted frame counts as one.
    [[nodiscard]] std::size_t open() const noexcept { return open_.size(); }

private:
    enum class Step : std::uint8_t {
        begin,
        reserve,
        grant,
        refuse,
        wake,
        kick,
        sent,
        fetch,
        fetched,
        write,
        accepted,
        other
    };
    enum class State : std::uint8_t { requested, granted, sending, fetching, writing };

    /// A frame with an open transaction and what it must not change meanwhile [FP-3].
    struct Transaction {
        const Frame* frame;
        std::uint32_t wire_bytes;
        FrameKind kind;
        TrafficClass traffic_class;
        State state;
    };
    using Transactions = std::vector<Transaction>;

    void forward_called(Frame& frame, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override;
    void forward_returned(Frame& frame, const tlm::tlm_phase& called, Status status,
                          const tlm::tlm_phase& returned) override;
    void backward_called(Frame& frame, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override;
    void backward_returned(Frame& frame, const tlm::tlm_phase& called, Status status,
                           const tlm::tlm_phase& returned) override;
    void check_finished() override;

    void check_frame(const Frame& frame, Step step, const sc_core::sc_time& delay);
    void check_unchanged(const Frame& frame, Step step);
    void begin(const Frame& frame, const sc_core::sc_time& delay);
    [[nodiscard]] bool is_wire() const noexcept { return hop_ == Hop::wire || hop_ == Hop::link_end; }
    void hand_over(const Frame& frame);
    void arrive(const Frame& frame, const sc_core::sc_time& delay);
    void reserve(const Frame& frame);
    void kick(const Frame& frame);
    void wake(const Frame& frame);
    void answer_request(const Frame& frame, Step answer);
    void sent(const Frame& frame);
    void end_oldest(const Frame& frame, State state, FrameRule rule, Step step);
    void open(const Frame& frame, State state, Step step);
    [[nodiscard]] bool is_answer(Step called, Status status, Step returned) const noexcept;
    [[nodiscard]] Transactions::iterator find(const Frame& frame) noexcept;
    void broken(FrameRule rule, Step step, const Frame& frame);

    static Step step_of(const tlm::tlm_phase& phase);
    static const char* name_of(Step step) noexcept;

    Hop hop_;
    Transactions open_;  // in order of their beginning
    std::array<bool, 2> request_open_{};
    std::array<const Frame*, 2> last_refused_{};
    sc_core::sc_time last_arrival_;
};

}  // namespace mrcnic::packet
