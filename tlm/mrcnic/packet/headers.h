#pragma once

#include <cstdint>

namespace mrcnic::packet {

// Decoded headers, fields in the order of the wire [TR-28, TR-33, TR-34]. `codec.h` packs them to bytes and back.

/// IPv4 address as a number: 10.0.0.1 is 0x0A000001 [SW-56].
using Address = std::uint32_t;
/// Packet sequence number, 24 bits [TR-15].
using Psn = std::uint32_t;
/// Queue pair number, 24 bits [TR-2].
using QpNumber = std::uint32_t;

/// ECN codepoints of IPv4. Every frame a NIC sends is ECT(1) [TR-32].
enum class Ecn : std::uint8_t { not_ect = 0, ect1 = 1, ect0 = 2, ce = 3 };

/// BTH opcodes [TR-11, TR-30].
enum class Opcode : std::uint8_t {
    write_first = 0xC6,
    write_middle = 0xC7,
    write_last = 0xC8,
    write_last_immediate = 0xC9,
    write_only = 0xCA,
    write_only_immediate = 0xCB,
    ack = 0xD1,
    sack = 0xDC,
    nack = 0xDD,
    probe = 0xDE
};

[[nodiscard]] constexpr bool has_immediate(Opcode opcode) noexcept
{
    return opcode == Opcode::write_last_immediate || opcode == Opcode::write_only_immediate;
}

/// NACK reasons [TR-31].
enum class NackReason : std::uint8_t {
    none = 0,
    trimmed = 0x01,
    trimmed_lasthop = 0x02,
    no_bitmap = 0x06,
    no_pkt_buffer = 0x07,
    no_resource = 0x0A,
    psn_oor_window = 0x0B,
    unexpected_event = 0x19
};

/// IPv4 and UDP: what differs from frame to frame.
struct NetworkHeader {
    Address source{0};
    Address destination{0};
    std::uint8_t dscp{0};         ///< 6 bits
    Ecn ecn{Ecn::ect1};           ///< 2 bits
    std::uint16_t udp_source{0};  ///< low 16 bits of the entropy value [MP-1]
    std::uint16_t udp_destination{4791};
};

/// Base transport header, first in every frame of the transport [TR-20 .. TR-26].
struct Bth {
    Opcode opcode{Opcode::write_only};
    QpNumber destination_qp{0};
    bool ack_request{false};     ///< A
    bool retransmission{false};  ///< rtx
    bool timestamp{false};       ///< ts: a TSETH follows
    Psn psn{0};
};

/// Follows BTH in data and in what a switch leaves of them [TR-20, TR-26].
struct Meth {
    std::uint16_t receive_queue_msn{0};
    std::uint16_t msn{0};  ///< ordinal of the message on its QP, from 0 [TR-34]
};

/// Follows METH in data with `WireTimestamp` [TR-21].
struct Tseth {
    std::uint16_t timestamp{0};  ///< in ticks of 128 ns [CC-14]
};

/// Last header of data: where the payload goes [TR-20].
struct Reth {
    std::uint64_t virtual_address{0};  ///< of this segment
    std::uint32_t r_key{0};
    std::uint32_t dma_length{0};  ///< of this segment, bytes
};

/// Follows RETH when the opcode is the last or only segment with immediate [TR-11].
struct Immediate {
    std::uint32_t data{0};
};

/// Follows BTH in a cumulative ACK [TR-22].
struct Aeth {
    std::uint8_t syndrome{0};  ///< 0 = ACK
    std::uint32_t msn{0};      ///< 24 bits: messages completed on the QP [TR-68]
};

/// Follows BTH in a SACK [TR-23, TR-69].
struct Seth {
    std::uint8_t mark{0};             ///< M, 0..2 [TR-69]
    bool probe_response{false};       ///< PR
    bool retransmission_echo{false};  ///< the packet that drew it was a retransmission (a reserved bit, ours)
    std::int16_t ack_psn_offset{0};   ///< PSN that drew it - cack_psn; with PR the probe id
    std::uint32_t entropy{0};
    Psn cack_psn{0};
    std::uint8_t cc_type{0};   ///< 4 bits
    std::uint8_t cc_flags{0};  ///< 4 bits
    std::uint8_t mpr{0};       ///< window in units of 128 PSNs [TR-16]
    std::int16_t sack_offset{0};
    std::uint64_t bitmap{0};  ///< bit i stands for PSN cack_psn + sack_offset + i [TR-70]
};

/// Follows SETH in a SACK: what the receiver tells congestion control [TR-23].
struct CcState {
    std::uint16_t reflected_timestamp{0};
    std::uint16_t out_of_order_count{0};  ///< 15 bits
    bool restore_window{false};
    std::uint8_t receiver_penalty{0};  ///< 0..127
    std::uint32_t received_bytes{0};   ///< 24 bits, units of 256 bytes
};

/// Follows BTH in a NACK [TR-24].
struct Neth {
    bool retransmission_echo{false};
    NackReason reason{NackReason::none};
    std::uint8_t vendor{0};
    std::uint32_t entropy{0};
    Psn nack_psn{0};
    std::uint8_t cc_type{2};   ///< 4 bits
    std::uint8_t cc_flags{0};  ///< 4 bits
    std::uint16_t reflected_timestamp{0};
};

/// Follows BTH in a probe [TR-25].
struct Peth {
    std::uint16_t probe_id{0};
    std::uint16_t timestamp{0};
};

}  // namespace mrcnic::packet
