#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/packet/wire_size.h"

namespace mrcnic::packet {

// Frames as the bytes of the wire and back [TR-28, TR-33].
//
// What the sheet leaves open is filled in so: MAC addresses are 02:00 and the four bytes of the IPv4 address; the UDP
// checksum is 0; the format type of a probe's timestamp is 1, as in a TSETH; a foreign frame is a MAC control frame
// (type 0x8808) of zeros. BTH.ts of a control or trimmed frame is carried, but only a data frame has a TSETH [SW-31].

/// What of the bytes is a choice of whoever wants them.
struct WireFormat {
    std::uint32_t icrc_bytes{kIcrcBytes};  ///< 0 or 4 [TR-27]
    bool fcs{true};                        ///< false: without the last four bytes, as captures hold frames
};

/// Bytes that are no frame of ours: what is wrong, the value found, the value allowed.
class DecodeError : public std::runtime_error {
public:
    enum class Reason : std::uint8_t {
        too_short,
        datagram_too_short,
        fcs,
        ether_type,
        ip_version,
        ip_checksum,
        ip_length,
        fragment,
        protocol,
        udp_length,
        opcode,
        bth_version,
        frame_length,
        icrc,
        header_type,
        timestamp_format
    };

    DecodeError(Reason reason, const std::string& text) : std::runtime_error{text}, reason_{reason} {}
    [[nodiscard]] Reason reason() const noexcept { return reason_; }

private:
    Reason reason_;
};

/// Size of `frame` on the wire by its kind, opcode and payload, FCS included. A foreign frame has the size it states.
[[nodiscard]] std::uint32_t wire_bytes_of(const Frame& frame, std::uint32_t icrc_bytes = kIcrcBytes) noexcept;

/// Replaces `out` by the bytes of `frame`. A data frame without payload bytes gets zeros in their place.
/// @throws InvariantError if a field does not fit its bits, `wire_bytes` is not the size of the layout, or the payload
/// has
///         neither no bytes nor `payload_bytes`
void encode(const Frame& frame, std::vector<std::uint8_t>& out, WireFormat format = {});

/// Replaces `out` by the beginning of what `encode` makes of `frame`: all up to the last header, without payload,
/// invariant CRC and FCS. Of a foreign frame it is the Ethernet header.
/// @throws InvariantError as `encode`
void encode_headers(const Frame& frame, std::vector<std::uint8_t>& out, std::uint32_t icrc_bytes = kIcrcBytes);

/// Sets all of `frame` that is on the wire, its size, kind and class; the rest is as new. MAC addresses, reserved bits,
/// contexts, P_Key, IPv4 id and TTL and the UDP checksum are not looked at.
/// @param roles  tell trimmed from whole data frames [TR-80], and the class
/// @throws DecodeError, `frame` is then as new
void decode(const std::uint8_t* bytes, std::size_t size, const DscpRoles& roles, Frame& frame, WireFormat format = {});

/// Invariant CRC of an IPv4 datagram without its last four bytes, at least 40 bytes long: CRC-32 over eight bytes of
/// ones and the datagram, with type of service, TTL, both checksums and byte 4 of the BTH as ones. Sent lowest byte
/// first [TR-27].
[[nodiscard]] std::uint32_t invariant_crc(const std::uint8_t* datagram, std::size_t size) noexcept;

}  // namespace mrcnic::packet
