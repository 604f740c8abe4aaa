#pragma once

#include <cstdint>

#include "mrcnic/packet/frame.h"

#ifndef MRCNIC_ICRC_BYTES
#define MRCNIC_ICRC_BYTES 0
#endif

namespace mrcnic::packet {

/// Invariant CRC of every MRC frame, a build option: 0, or 4 for the sizes of the real protocol [TR-27].
inline constexpr std::uint32_t kIcrcBytes = MRCNIC_ICRC_BYTES;
static_assert(kIcrcBytes == 0 || kIcrcBytes == 4, "MRCNIC_ICRC_BYTES is 0 or 4");

inline constexpr std::uint32_t kEthernetBytes = 14;
inline constexpr std::uint32_t kFcsBytes = 4;
inline constexpr std::uint32_t kIpv4Bytes = 20;
inline constexpr std::uint32_t kUdpBytes = 8;
inline constexpr std::uint32_t kBthBytes = 12;
inline constexpr std::uint32_t kMethBytes = 4;
inline constexpr std::uint32_t kTsethBytes = 4;
inline constexpr std::uint32_t kRethBytes = 16;
inline constexpr std::uint32_t kImmediateBytes = 4;
inline constexpr std::uint32_t kAethBytes = 4;
inline constexpr std::uint32_t kSethBytes = 28;
inline constexpr std::uint32_t kCcStateBytes = 8;
inline constexpr std::uint32_t kNethBytes = 20;
inline constexpr std::uint32_t kPethBytes = 16;

/// Everything around the headers that differ by kind: Ethernet, IPv4, UDP, BTH, invariant CRC and FCS.
[[nodiscard]] constexpr std::uint32_t common_bytes(std::uint32_t icrc_bytes = kIcrcBytes) noexcept
{
    return kEthernetBytes + kIpv4Bytes + kUdpBytes + kBthBytes + icrc_bytes + kFcsBytes;
}

/// Headers between BTH and payload [TR-20 .. TR-26]. `opcode` and `timestamp` matter to data frames only: a trimmed
/// frame keeps its BTH but neither RETH nor TSETH [SW-31].
[[nodiscard]] constexpr std::uint32_t further_header_bytes(FrameKind kind, Opcode opcode, bool timestamp) noexcept
{
    switch (kind) {
        case FrameKind::data:
            return kMethBytes + (timestamp ? kTsethBytes : 0U) + kRethBytes +
                   (has_immediate(opcode) ? kImmediateBytes : 0U);
        case FrameKind::ack:
            return kAethBytes;
        case FrameKind::sack:
            return kSethBytes + kCcStateBytes;
        case FrameKind::nack:
            return kNethBytes;
        case FrameKind::probe:
            return kPethBytes;
        case FrameKind::trimmed:
            return kMethBytes;
        case FrameKind::foreign:
            break;
    }
    return 0;
}

/// Size on the wire of a frame without payload.
[[nodiscard]] constexpr std::uint32_t control_wire_bytes(FrameKind kind, std::uint32_t icrc_bytes = kIcrcBytes) noexcept
{
    return common_bytes(icrc_bytes) + further_header_bytes(kind, Opcode::write_only, false);
}

/// Size on the wire of a data frame with `payload` bytes: payload + 78, or + 82 with a timestamp [FR-1, TR-20, TR-21];
/// 4 more with an immediate [TR-11].
[[nodiscard]] constexpr std::uint32_t data_wire_bytes(std::uint32_t payload, bool timestamp,
                                                      std::uint32_t icrc_bytes = kIcrcBytes,
                                                      Opcode opcode = Opcode::write_only) noexcept
{
    return common_bytes(icrc_bytes) + further_header_bytes(FrameKind::data, opcode, timestamp) + payload;
}

inline constexpr std::uint32_t kAckWireBytes = control_wire_bytes(FrameKind::ack);          // [TR-22] 62
inline constexpr std::uint32_t kSackWireBytes = control_wire_bytes(FrameKind::sack);        // [TR-23] 94
inline constexpr std::uint32_t kNackWireBytes = control_wire_bytes(FrameKind::nack);        // [TR-24] 78
inline constexpr std::uint32_t kProbeWireBytes = control_wire_bytes(FrameKind::probe);      // [TR-25] 74
inline constexpr std::uint32_t kTrimmedWireBytes = control_wire_bytes(FrameKind::trimmed);  // [TR-26] 62

/// A frame is charged at least this in an ingress buffer [FR-2, IN-1].
inline constexpr std::uint32_t kMinimumChargeBytes = 64;

}  // namespace mrcnic::packet
