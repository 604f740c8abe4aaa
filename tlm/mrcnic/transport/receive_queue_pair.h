#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mrcnic/packet/headers.h"
#include "mrcnic/packet/psn.h"

namespace mrcnic::transport {

/// The receiving end of a queue pair: which PSNs have come, what is complete, what a SACK says. Knows no kernel.
class ReceiveQueuePair {
public:
    enum class Verdict { in_order, out_of_order, duplicate, beyond_window };

    struct Parameters {
        packet::QpNumber number{0};       ///< of this end
        packet::QpNumber peer_number{0};  ///< of the sending end
        packet::Address peer{0};
        std::uint32_t window{4096};           ///< M, in PSNs [TR-17]
        std::uint64_t sack_trigger_bytes{0};  ///< T of TR-67; 0 = off
        bool takes_every_frame{false};        ///< every frame is the next expected one [PC-7]
    };

    explicit ReceiveQueuePair(const Parameters& parameters);

    /// Takes in a data packet [TR-19, TR-61]. `last`: it ends its message.
    Verdict receive(packet::Psn psn, std::uint32_t payload_bytes, bool last, std::uint64_t message_id);
    /// Messages that became complete and in order with the last `receive`, in order; each is given once [TR-62].
    [[nodiscard]] std::optional<std::uint64_t> take_completed();
    /// Messages completed on this QP so far [TR-68].
    [[nodiscard]] std::uint32_t messages_completed() const noexcept { return messages_completed_; }

    /// Whether bytes received since the last SACK call for one [TR-67].
    [[nodiscard]] bool sack_triggered() const noexcept;
    /// Fields of a SACK for `psn`, which drew it; moves on to the next block of the bitmap [TR-69, TR-70]. What a SACK
    /// says of the packet that drew it, its caller knows.
    void fill_sack(packet::Psn psn, packet::Seth& seth, packet::CcState& cc_state);

    /// E, the next expected PSN.
    [[nodiscard]] packet::Psn expected() const noexcept { return expected_; }
    [[nodiscard]] packet::Psn cumulative() const noexcept { return packet::psn_add(expected_, -1); }
    /// Packets held beyond E.
    [[nodiscard]] std::uint32_t out_of_order() const noexcept { return out_of_order_; }
    [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
    /// Whether it was asked before: a record hears of the queue pair with its first data packet [RC-81].
    [[nodiscard]] bool announced() noexcept { return std::exchange(announced_, true); }

private:
    struct PendingEnd {
        packet::Psn psn;
        std::uint64_t message_id;
    };

    [[nodiscard]] bool recorded(packet::Psn psn) const noexcept;
    void record(packet::Psn psn);
    [[nodiscard]] std::uint64_t block_from(packet::Psn base) const noexcept;
    void advance();
    void complete_messages();

    Parameters parameters_;
    packet::Psn expected_{packet::kFirstPsn};
    packet::Psn highest_{packet::psn_add(packet::kFirstPsn, -1)};
    std::uint32_t out_of_order_{0};
    std::vector<std::uint64_t> bits_;       // received PSNs beyond E, a ring over the window; made when first needed
    std::vector<PendingEnd> pending_ends_;  // ends of messages with a gap before them, in PSN order
    std::vector<std::uint64_t> completed_;  // message ids, to be taken
    std::size_t completed_taken_{0};
    std::uint32_t messages_completed_{0};
    std::uint32_t next_block_{0};
    std::uint64_t received_bytes_{0};
    std::uint64_t bytes_since_sack_{0};
    bool announced_{false};
};

}  // namespace mrcnic::transport
