#include "mrcnic/packet/codec.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

#include <fmt/format.h>
#include <zlib.h>

#include "mrcnic/base/report.h"
#include "mrcnic/packet/wire_layout.h"

namespace mrcnic::packet {
namespace {

using Reason = DecodeError::Reason;

constexpr std::uint16_t kTypeIpv4 = 0x0800;
constexpr std::uint16_t kTypeMacControl = 0x8808;
constexpr std::size_t kIpv4ChecksumAt = 10;
constexpr std::uint32_t kCrcBytes = 4;
constexpr std::uint32_t kUpToBth = kIpv4Bytes + kUdpBytes + kBthBytes;
constexpr std::size_t kDummyLocalRouteHeader = 8;

/// Appends fields, most significant bit first.
class FieldWriter {
public:
    explicit FieldWriter(std::vector<std::uint8_t>& out) : out_{out} {}

    template <typename T>
    void field(unsigned width, const T& value)
    {
        if constexpr (std::is_signed_v<T>) {
            put(width, static_cast<std::make_unsigned_t<T>>(value));
        } else {
            put(width, static_cast<std::uint64_t>(value));
        }
    }
    /// A value that the reader insists on.
    void fixed(unsigned width, std::uint64_t value, Reason) { put(width, value); }
    /// A value that the reader passes over.
    void ignored(unsigned width, std::uint64_t value) { put(width, value); }

private:
    void put(unsigned width, std::uint64_t value)
    {
        if (width > 32) {
            put(width - 32, value >> 32U);
            value &= 0xFFFF'FFFFU;
            width = 32;
        }
        invariant((value >> width) == 0, "[TR-28] a header field does not fit its bits");
        bits_ = (bits_ << width) | value;
        for (count_ += width; count_ >= 8; count_ -= 8) {
            out_.push_back(static_cast<std::uint8_t>(bits_ >> (count_ - 8)));
        }
    }

    std::vector<std::uint8_t>& out_;
    std::uint64_t bits_{0};
    unsigned count_{0};
};

/// Takes fields off bytes, most significant bit first. Whoever reads has made sure that there are enough.
class FieldReader {
public:
    FieldReader(const std::uint8_t* bytes, std::size_t size) : bytes_{bytes}, size_{size} {}

    template <typename T>
    void field(unsigned width, T& value)
    {
        if constexpr (std::is_signed_v<T>) {
            value = static_cast<T>(static_cast<std::make_unsigned_t<T>>(take(width)));
        } else {
            value = static_cast<T>(take(width));
        }
    }
    void fixed(unsigned width, std::uint64_t value, Reason reason);
    void ignored(unsigned width, std::uint64_t) { take(width); }

private:
    std::uint64_t take(unsigned width)
    {
        if (width > 32) {
            const std::uint64_t high = take(width - 32);
            return (high << 32U) | take(32);
        }
        for (; count_ < width; count_ += 8) {
            invariant(at_ < size_, "[TR-33] a header was read beyond the end of its frame");
            bits_ = (bits_ << 8U) | bytes_[at_++];
        }
        count_ -= width;
        return (bits_ >> count_) & ((std::uint64_t{1} << width) - 1);
    }

    const std::uint8_t* bytes_;
    std::size_t size_;
    std::size_t at_{0};
    std::uint64_t bits_{0};
    unsigned count_{0};
};

const char* name_of(Reason reason) noexcept
{
    switch (reason) {
        case Reason::too_short:
            return "frame size";
        case Reason::datagram_too_short:
            return "IPv4 datagram size";
        case Reason::fcs:
            return "FCS";
        case Reason::ether_type:
            return "Ethernet type";
        case Reason::ip_version:
            return "IPv4 version and header length";
        case Reason::ip_checksum:
            return "IPv4 header checksum remainder";
        case Reason::ip_length:
            return "IPv4 total length";
        case Reason::fragment:
            return "IPv4 fragment flag and offset";
        case Reason::protocol:
            return "IPv4 protocol";
        case Reason::udp_length:
            return "UDP length";
        case Reason::opcode:
            return "BTH opcode";
        case Reason::bth_version:
            return "BTH version";
        case Reason::frame_length:
            return "length of the headers after the BTH";
        case Reason::icrc:
            return "invariant CRC";
        case Reason::header_type:
            return "header type";
        case Reason::timestamp_format:
            return "timestamp format type";
    }
    return "frame";
}

void require(bool holds, Reason reason, std::uint64_t found, std::uint64_t expected)
{
    if (!holds) {
        throw DecodeError{reason, fmt::format("{} is {} (0x{:x}), must be {} (0x{:x})", name_of(reason), found, found,
                                              expected, expected)};
    }
}

void require_size(std::uint64_t size, std::uint64_t least, Reason reason)
{
    if (size < least) {
        throw DecodeError{reason, fmt::format("{} is {} bytes, must be at least {}", name_of(reason), size, least)};
    }
}

void FieldReader::fixed(unsigned width, std::uint64_t value, Reason reason)
{
    const std::uint64_t found = take(width);
    require(found == value, reason, found, value);
}

std::optional<FrameKind> kind_of(Opcode opcode) noexcept
{
    switch (opcode) {
        case Opcode::write_first:
        case Opcode::write_middle:
        case Opcode::write_last:
        case Opcode::write_last_immediate:
        case Opcode::write_only:
        case Opcode::write_only_immediate:
            return FrameKind::data;
        case Opcode::ack:
            return FrameKind::ack;
        case Opcode::sack:
            return FrameKind::sack;
        case Opcode::nack:
            return FrameKind::nack;
        case Opcode::probe:
            return FrameKind::probe;
    }
    return std::nullopt;
}

/// One's complement of the one's complement sum: 0 over a header whose checksum is right.
std::uint32_t ipv4_checksum(const std::uint8_t* header) noexcept
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kIpv4Bytes; i += 2) {
        sum += static_cast<std::uint32_t>(header[i] << 8U | header[i + 1]);
    }
    sum = (sum & 0xFFFFU) + (sum >> 16U);
    sum = (sum & 0xFFFFU) + (sum >> 16U);
    return ~sum & 0xFFFFU;
}

std::uint32_t crc_of(const std::uint8_t* bytes, std::size_t size) noexcept
{
    return static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(size)));
}

void append_crc(std::vector<std::uint8_t>& out, std::uint32_t crc)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        out.push_back(static_cast<std::uint8_t>(crc >> shift));
    }
}

std::uint32_t crc_at(const std::uint8_t* bytes) noexcept
{
    std::uint32_t crc = 0;
    for (unsigned i = 0; i < kCrcBytes; ++i) {
        crc |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
    }
    return crc;
}

void append_datagram_headers(const Frame& frame, std::vector<std::uint8_t>& out)
{
    const std::uint32_t datagram_bytes = frame.wire_bytes - kEthernetBytes - kFcsBytes;
    const layout::Lengths lengths{datagram_bytes, datagram_bytes - kIpv4Bytes};
    FieldWriter writer{out};
    layout::ethernet_fields(writer, frame.network, kTypeIpv4);
    layout::network_fields(writer, frame.network, lengths);
    const std::uint32_t checksum = ipv4_checksum(out.data() + kEthernetBytes);
    out[kEthernetBytes + kIpv4ChecksumAt] = static_cast<std::uint8_t>(checksum >> 8U);
    out[kEthernetBytes + kIpv4ChecksumAt + 1] = static_cast<std::uint8_t>(checksum);
    layout::bth_fields(writer, frame.bth);
    layout::further_fields(writer, frame);
}

/// Payload, or zeros in its place, and the invariant CRC.
void append_rest(const Frame& frame, std::vector<std::uint8_t>& out, std::uint32_t icrc_bytes)
{
    out.insert(out.end(), frame.payload.begin(), frame.payload.end());
    out.resize(frame.wire_bytes - kFcsBytes - (frame.kind == FrameKind::foreign ? 0 : icrc_bytes));
    if (frame.kind != FrameKind::foreign && icrc_bytes != 0) {
        append_crc(out, invariant_crc(out.data() + kEthernetBytes, out.size() - kEthernetBytes));
    }
}

/// Checks what IPv4 and UDP say of `datagram` and reads both and the BTH.
void decode_common(const std::uint8_t* datagram, std::size_t size, WireFormat format, Frame& frame)
{
    require_size(size, kUpToBth + format.icrc_bytes, Reason::datagram_too_short);
    FieldReader reader{datagram, size};
    layout::Lengths lengths;
    layout::network_fields(reader, frame.network, lengths);
    const std::uint32_t remainder = ipv4_checksum(datagram);
    require(remainder == 0, Reason::ip_checksum, remainder, 0);
    require(lengths.ip == size, Reason::ip_length, lengths.ip, size);
    require(lengths.udp == size - kIpv4Bytes, Reason::udp_length, lengths.udp, size - kIpv4Bytes);
    layout::bth_fields(reader, frame.bth);
    if (format.icrc_bytes != 0) {
        const std::uint32_t found = crc_at(datagram + size - kCrcBytes);
        const std::uint32_t expected = invariant_crc(datagram, size - kCrcBytes);
        require(found == expected, Reason::icrc, found, expected);
    }
}

FrameKind kind_on_wire(const Frame& frame, DscpRole role)
{
    const std::optional<FrameKind> kind = kind_of(frame.bth.opcode);
    if (!kind) {
        throw DecodeError{Reason::opcode,
                          fmt::format("{} is 0x{:02X}, must be C6 to CB, D1, DC, DD or DE", name_of(Reason::opcode),
                                      static_cast<unsigned>(frame.bth.opcode))};
    }
    const bool trimmed = role == DscpRole::trimmed || role == DscpRole::trimmed_lasthop;
    return *kind == FrameKind::data && trimmed ? FrameKind::trimmed : *kind;
}

/// `bytes`: what lies between BTH and invariant CRC.
void decode_rest(const std::uint8_t* bytes, std::size_t size, Frame& frame)
{
    const std::uint32_t headers = further_header_bytes(frame.kind, frame.bth.opcode, frame.bth.timestamp);
    if (frame.kind == FrameKind::data) {
        require_size(size, headers, Reason::frame_length);
    } else {
        require(size == headers, Reason::frame_length, size, headers);
    }
    FieldReader reader{bytes, headers};
    layout::further_fields(reader, frame);
    frame.payload.assign(bytes + headers, bytes + size);
    frame.payload_bytes = static_cast<std::uint32_t>(size - headers);
}

void decode_frame(const std::uint8_t* bytes, std::size_t size, const DscpRoles& roles, Frame& frame, WireFormat format)
{
    const std::uint32_t fcs_bytes = format.fcs ? kFcsBytes : 0;
    require_size(size, kEthernetBytes + fcs_bytes, Reason::too_short);
    size -= fcs_bytes;
    if (format.fcs) {
        const std::uint32_t expected = crc_of(bytes, size);
        require(crc_at(bytes + size) == expected, Reason::fcs, crc_at(bytes + size), expected);
    }
    frame.wire_bytes = static_cast<std::uint32_t>(size) + kFcsBytes;
    const auto type = static_cast<std::uint32_t>(bytes[12] << 8U | bytes[13]);
    if (type == kTypeMacControl) {
        frame.kind = FrameKind::foreign;
        return;
    }
    require(type == kTypeIpv4, Reason::ether_type, type, kTypeIpv4);

    const std::uint8_t* datagram = bytes + kEthernetBytes;
    decode_common(datagram, size - kEthernetBytes, format, frame);
    frame.kind = kind_on_wire(frame, roles.role_of(frame.network.dscp));
    frame.traffic_class = roles.class_of(frame.network.dscp);
    decode_rest(datagram + kUpToBth, size - kEthernetBytes - kUpToBth - format.icrc_bytes, frame);
}

}  // namespace

std::uint32_t wire_bytes_of(const Frame& frame, std::uint32_t icrc_bytes) noexcept
{
    if (frame.kind == FrameKind::foreign) {
        return frame.wire_bytes;
    }
    return common_bytes(icrc_bytes) + further_header_bytes(frame.kind, frame.bth.opcode, frame.bth.timestamp) +
           (frame.kind == FrameKind::data ? frame.payload_bytes : 0U);
}

void encode_headers(const Frame& frame, std::vector<std::uint8_t>& out, std::uint32_t icrc_bytes)
{
    invariant(icrc_bytes == 0 || icrc_bytes == kCrcBytes, "[TR-27] the invariant CRC has 0 or 4 bytes");
    invariant(frame.wire_bytes >= kEthernetBytes + kFcsBytes && frame.wire_bytes == wire_bytes_of(frame, icrc_bytes),
              "[FR-1] a frame's size is not that of its layout");
    out.clear();
    if (frame.kind == FrameKind::foreign) {
        FieldWriter writer{out};
        layout::ethernet_fields(writer, frame.network, kTypeMacControl);
    } else {
        append_datagram_headers(frame, out);
    }
}

void encode(const Frame& frame, std::vector<std::uint8_t>& out, WireFormat format)
{
    invariant(frame.payload.empty() || (frame.kind == FrameKind::data && frame.payload.size() == frame.payload_bytes),
              "[TR-33] a frame holds a part of its payload");
    out.reserve(frame.wire_bytes);
    encode_headers(frame, out, format.icrc_bytes);
    append_rest(frame, out, format.icrc_bytes);
    if (format.fcs) {
        append_crc(out, crc_of(out.data(), out.size()));
    }
}

void decode(const std::uint8_t* bytes, std::size_t size, const DscpRoles& roles, Frame& frame, WireFormat format)
{
    invariant(format.icrc_bytes == 0 || format.icrc_bytes == kCrcBytes, "[TR-27] the invariant CRC has 0 or 4 bytes");
    frame.reset();
    try {
        decode_frame(bytes, size, roles, frame, format);
    } catch (...) {
        frame.reset();
        throw;
    }
}

std::uint32_t invariant_crc(const std::uint8_t* datagram, std::size_t size) noexcept
{
    std::array<std::uint8_t, kDummyLocalRouteHeader + kUpToBth> head{};
    head.fill(0xFF);
    std::copy_n(datagram, kUpToBth, head.begin() + kDummyLocalRouteHeader);
    for (const std::size_t masked : {1U, 8U, 10U, 11U, 26U, 27U, 32U}) {
        head[kDummyLocalRouteHeader + masked] = 0xFF;
    }
    const uLong crc = crc32(0, head.data(), static_cast<uInt>(head.size()));
    return static_cast<std::uint32_t>(crc32(crc, datagram + kUpToBth, static_cast<uInt>(size - kUpToBth)));
}

}  // namespace mrcnic::packet
