#include "mrcnic/packet/codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/packet/frame_fields.h"

namespace mrcnic::packet {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Reason = DecodeError::Reason;

constexpr Address kFirst = 0x0A00'0001;  // 10.0.0.1
constexpr Address kSecond = 0x0A00'0002;
constexpr WireFormat kPlain{0, false};  // neither invariant CRC nor FCS
constexpr WireFormat kWithFcs{0, true};
constexpr WireFormat kWithIcrc{4, false};
constexpr std::array<FrameKind, 7> kAllKinds{FrameKind::data,  FrameKind::ack,     FrameKind::sack,   FrameKind::nack,
                                             FrameKind::probe, FrameKind::trimmed, FrameKind::foreign};

const DscpRoles& roles()
{
    static const DscpRoles kAll{DscpCodepoints{}};
    return kAll;
}

Bytes hex(const std::string& text)
{
    std::istringstream in{text};
    Bytes bytes;
    for (std::string byte; in >> byte;) {
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(byte, nullptr, 16)));
    }
    return bytes;
}

/// CRC-32 of Ethernet, bit by bit: the definition, not a library.
std::uint32_t crc_by_definition(const Bytes& bytes)
{
    std::uint32_t crc = 0xFFFF'FFFF;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB8'8320U : 0U);
        }
    }
    return ~crc;
}

Bytes with_crc(Bytes bytes, std::uint32_t crc)
{
    for (const unsigned shift : {0U, 8U, 16U, 24U}) {
        bytes.push_back(static_cast<std::uint8_t>(crc >> shift));
    }
    return bytes;
}

Bytes encoded(const Frame& frame, WireFormat format)
{
    Bytes bytes{1, 2, 3};  // is replaced
    encode(frame, bytes, format);
    return bytes;
}

/// The bytes are those of the frame, with and without FCS, and the frame that of the bytes.
void expect_bytes(const Frame& frame, const std::string& text)
{
    const Bytes expected = hex(text);
    EXPECT_EQ(encoded(frame, kPlain), expected);
    EXPECT_EQ(encoded(frame, kWithFcs), with_crc(expected, crc_by_definition(expected)));
    FramePool pool;
    const FrameRef back = pool.make();
    decode(expected.data(), expected.size(), roles(), *back, kPlain);
    EXPECT_EQ(testing::fields_of(*back), testing::fields_of(frame));
    EXPECT_EQ(back->payload, frame.payload);
}

void expect_error(const Bytes& bytes, Reason reason, WireFormat format, const std::string& text)
{
    FramePool pool;
    const FrameRef frame = pool.make();
    try {
        decode(bytes.data(), bytes.size(), roles(), *frame, format);
        ADD_FAILURE() << "decoded; expected: " << text;
    } catch (const DecodeError& error) {
        EXPECT_EQ(error.reason(), reason) << error.what();
        EXPECT_STREQ(error.what(), text.c_str());
    }
    EXPECT_EQ(testing::fields_of(*frame), testing::fields_of(*pool.make())) << "is not as new";
}

class Codec : public ::testing::Test {
protected:
    FrameRef make(FrameKind kind, Opcode opcode, Psn psn)
    {
        const bool forward = kind == FrameKind::data || kind == FrameKind::trimmed || kind == FrameKind::probe;
        FrameRef frame = pool_.make();
        frame->kind = kind;
        frame->network.source = forward ? kFirst : kSecond;
        frame->network.destination = forward ? kSecond : kFirst;
        frame->network.udp_source = 0x0105;
        frame->bth.opcode = opcode;
        frame->bth.destination_qp = forward ? 7 : 3;
        frame->bth.psn = psn;
        if (!forward) {
            frame->network.dscp = 46;
            frame->traffic_class = TrafficClass::control;
        }
        return frame;
    }
    FrameRef data_frame()
    {
        FrameRef frame = make(FrameKind::data, Opcode::write_only, 10);
        frame->bth.ack_request = true;
        frame->meth.msn = 2;
        frame->reth = {0x2'0000'1000, 0, 4};
        frame->payload = {0xDE, 0xAD, 0xBE, 0xEF};
        frame->payload_bytes = 4;
        frame->wire_bytes = 82;
        return frame;
    }
    FrameRef ack_frame()
    {
        FrameRef frame = make(FrameKind::ack, Opcode::ack, 10);
        frame->aeth.msn = 1;
        frame->wire_bytes = 62;
        return frame;
    }

    FramePool pool_;
};

// IPv4 checksums below: the words of a header with our addresses and zeros sum to
// 4500 + FF11 + 0A00 + 0001 + 0A00 + 0002 = 15814, plus type of service and total length; the carry is added, the sum
// inverted.

// [TR-20] [TR-28] [TR-34] 15814 + 01 + 40 = 15855, 5856, A7A9.
TEST_F(Codec, BytesOfADataFrame)
{
    expect_bytes(*data_frame(),
                 "02 00 0A 00 00 02  02 00 0A 00 00 01  08 00 "
                 "45 01 00 40  00 00 00 00  FF 11 A7 A9  0A 00 00 01  0A 00 00 02 "
                 "01 05 12 B7 00 2C 00 00 "
                 "CA 00 FF FF 00 00 00 07 80 00 00 0A "
                 "00 00 00 02 "
                 "00 00 00 02 00 00 10 00  00 00 00 00  00 00 00 04 "
                 "DE AD BE EF");
}

// [TR-21] [TR-11] [TR-28] [TR-32] A retransmission with timestamp and immediate that a switch has marked:
// type of service 8 x 4 + 3 = 23; 15814 + 23 + 47 = 1587E, 587F, A780.
TEST_F(Codec, BytesOfADataFrameWithTimestampAndImmediate)
{
    const FrameRef frame = make(FrameKind::data, Opcode::write_last_immediate, 0xFF'FFFE);
    frame->network.dscp = 8;
    frame->network.ecn = Ecn::ce;
    frame->bth.ack_request = frame->bth.retransmission = frame->bth.timestamp = true;
    frame->meth.msn = 0x1234;
    frame->tseth.timestamp = 0xABCD;
    frame->reth = {0x0102'0304'0506'0708, 0x1122'3344, 3};
    frame->immediate.data = 0xCAFE'F00D;
    frame->payload = {1, 2, 3};
    frame->payload_bytes = 3;
    frame->wire_bytes = 89;
    expect_bytes(*frame,
                 "02 00 0A 00 00 02  02 00 0A 00 00 01  08 00 "
                 "45 23 00 47  00 00 00 00  FF 11 A7 80  0A 00 00 01  0A 00 00 02 "
                 "01 05 12 B7 00 33 00 00 "
                 "C9 00 FF FF 00 00 00 07 B0 FF FF FE "
                 "00 00 12 34 "
                 "AB CD 00 01 "
                 "01 02 03 04 05 06 07 08  11 22 33 44  00 00 00 03 "
                 "CA FE F0 0D "
                 "01 02 03");
}

// [TR-22] [TR-28] [TR-30] 15814 + B9 + 2C = 158F9, 58FA, A705.
TEST_F(Codec, BytesOfACumulativeAck)
{
    expect_bytes(*ack_frame(),
                 "02 00 0A 00 00 01  02 00 0A 00 00 02  08 00 "
                 "45 B9 00 2C  00 00 00 00  FF 11 A7 05  0A 00 00 02  0A 00 00 01 "
                 "01 05 12 B7 00 18 00 00 "
                 "D1 00 FF FF 00 00 00 03 00 00 00 0A "
                 "00 00 00 01");
}

// [TR-23] [TR-28] [TR-30] [TR-69] [TR-70] The SACK of TR-W6, marked, of a retransmission, with a restore flag and
// penalty 63. First word: type 1, next 0, M 1, PR 0, echo 1 = 0001 00000 01 000 0 1. 15814 + B9 + 4C = 15919, 591A,
// A6E5.
TEST_F(Codec, BytesOfASack)
{
    const FrameRef frame = make(FrameKind::sack, Opcode::sack, 11);
    frame->seth = {1, false, true, 7, 0x0001'0105, 4, 2, 1, 32, 1, 0x76};
    frame->cc_state = {0x1234, 5, true, 63, 0x01'020F};
    frame->wire_bytes = 94;
    expect_bytes(*frame,
                 "02 00 0A 00 00 01  02 00 0A 00 00 02  08 00 "
                 "45 B9 00 4C  00 00 00 00  FF 11 A6 E5  0A 00 00 02  0A 00 00 01 "
                 "01 05 12 B7 00 38 00 00 "
                 "DC 00 FF FF 00 00 00 03 00 00 00 0B "
                 "10 21 00 07  00 01 01 05  00 00 00 00  00 00 00 04  21 20 00 01  00 00 00 00 00 00 00 76 "
                 "12 34 00 05  BF 01 02 0F");
}

// [TR-28] [MP-23] The SACK of probe 32,769, which as a signed field is -32,767; sack_offset -64.
// First word: type 1, next 0, M 0, PR 1, echo 0 = 0001 00000 00 000 1 0.
TEST_F(Codec, BytesOfTheSackOfAProbe)
{
    const FrameRef frame = make(FrameKind::sack, Opcode::sack, 0x8001);
    frame->seth = {0, true, false, -32'767, 0x0105, 0xFF'FFFF, 0, 0, 255, -64, 0x8000'0000'0000'0001};
    frame->wire_bytes = 94;
    expect_bytes(*frame,
                 "02 00 0A 00 00 01  02 00 0A 00 00 02  08 00 "
                 "45 B9 00 4C  00 00 00 00  FF 11 A6 E5  0A 00 00 02  0A 00 00 01 "
                 "01 05 12 B7 00 38 00 00 "
                 "DC 00 FF FF 00 00 00 03 00 00 80 01 "
                 "10 02 80 01  00 00 01 05  00 00 00 00  00 FF FF FF  00 FF FF C0  80 00 00 00 00 00 00 01 "
                 "00 00 00 00  00 00 00 00");
}

// [TR-24] [TR-28] [TR-30] [TR-31] First word: type 2, next 0, echo 1. 15814 + B9 + 3C = 15909, 590A, A6F5.
TEST_F(Codec, BytesOfANack)
{
    const FrameRef frame = make(FrameKind::nack, Opcode::nack, 9);
    frame->neth = {true, NackReason::trimmed_lasthop, 0x5A, 0x0001'0105, 9, 2, 3, 0xBEEF};
    frame->wire_bytes = 78;
    expect_bytes(*frame,
                 "02 00 0A 00 00 01  02 00 0A 00 00 02  08 00 "
                 "45 B9 00 3C  00 00 00 00  FF 11 A6 F5  0A 00 00 02  0A 00 00 01 "
                 "01 05 12 B7 00 28 00 00 "
                 "DD 00 FF FF 00 00 00 03 00 00 00 09 "
                 "20 01 02 5A  00 01 01 05  00 00 00 00  00 00 00 09  23 00 BE EF");
}

// [TR-25] [TR-28] [TR-30] 15814 + 01 + 38 = 1584D, 584E, A7B1.
TEST_F(Codec, BytesOfAProbe)
{
    const FrameRef frame = make(FrameKind::probe, Opcode::probe, 5);
    frame->peth = {5, 0x0102};
    frame->wire_bytes = 74;
    expect_bytes(*frame,
                 "02 00 0A 00 00 02  02 00 0A 00 00 01  08 00 "
                 "45 01 00 38  00 00 00 00  FF 11 A7 B1  0A 00 00 01  0A 00 00 02 "
                 "01 05 12 B7 00 24 00 00 "
                 "DE 00 FF FF 00 00 00 07 00 00 00 05 "
                 "30 00 00 00  00 05 00 00  00 00 00 00  01 02 00 01");
}

// [TR-26] [TR-28] [TR-38] [SW-31] IPv4 length 44; codepoint 12. 15814 + 31 + 2C = 15871, 5872, A78D.
TEST_F(Codec, BytesOfATrimmedFrame)
{
    const FrameRef frame = make(FrameKind::trimmed, Opcode::write_middle, 0x01'0203);
    frame->network.dscp = 12;
    frame->traffic_class = TrafficClass::control;
    frame->bth.ack_request = true;
    frame->meth.msn = 3;
    frame->wire_bytes = 62;
    expect_bytes(*frame,
                 "02 00 0A 00 00 02  02 00 0A 00 00 01  08 00 "
                 "45 31 00 2C  00 00 00 00  FF 11 A7 8D  0A 00 00 01  0A 00 00 02 "
                 "01 05 12 B7 00 18 00 00 "
                 "C7 00 FF FF 00 00 00 07 80 01 02 03 "
                 "00 00 00 03");
}

// [SW-17] A foreign frame is MAC control and zeros: here 14 + 6 + FCS.
TEST_F(Codec, BytesOfAForeignFrame)
{
    const FrameRef frame = make(FrameKind::foreign, Opcode::write_only, 0);
    frame->network = {};
    frame->traffic_class = TrafficClass::data;
    frame->bth = {};
    frame->wire_bytes = 24;
    expect_bytes(*frame, "02 00 00 00 00 00  02 00 00 00 00 00  88 08  00 00 00 00 00 00");
}

// [TR-28] The FCS is the CRC-32 of Ethernet, lowest byte first; its check value is that of every catalogue.
TEST_F(Codec, FcsIsTheEthernetCrc)
{
    EXPECT_EQ(crc_by_definition({'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xCBF4'3926u);
    const Bytes bytes = encoded(*ack_frame(), kWithFcs);
    ASSERT_EQ(bytes.size(), 62u);
    EXPECT_EQ(crc_by_definition(bytes), 0x2144'DF1Cu) << "the residue of a frame with its FCS";
}

// [TR-27] Both lengths grow by 4: 15814 + B9 + 30 = 158FD, 58FE, A701. The CRC is over eight bytes of ones and the
// datagram with the fields that change on the way as ones.
TEST_F(Codec, BytesOfTheInvariantCrc)
{
    const FrameRef frame = ack_frame();
    frame->wire_bytes = 66;
    const Bytes sent =
        hex("02 00 0A 00 00 01  02 00 0A 00 00 02  08 00 "
            "45 B9 00 30  00 00 00 00  FF 11 A7 01  0A 00 00 02  0A 00 00 01 "
            "01 05 12 B7 00 1C 00 00 "
            "D1 00 FF FF 00 00 00 03 00 00 00 0A "
            "00 00 00 01");
    const Bytes masked =
        hex("FF FF FF FF FF FF FF FF "
            "45 FF 00 30  00 00 00 00  FF 11 FF FF  0A 00 00 02  0A 00 00 01 "
            "01 05 12 B7 00 1C FF FF "
            "D1 00 FF FF FF 00 00 03 00 00 00 0A "
            "00 00 00 01");
    EXPECT_EQ(encoded(*frame, kWithIcrc), with_crc(sent, crc_by_definition(masked)));
}

// [TR-27] What a switch may change on the way leaves the invariant CRC as it is.
TEST_F(Codec, InvariantCrcOutlivesMarksAndHops)
{
    const FrameRef frame = ack_frame();
    frame->wire_bytes = 66;
    const Bytes sent = encoded(*frame, kWithIcrc);
    frame->network.ecn = Ecn::ce;
    frame->network.dscp = 1;
    const Bytes marked = encoded(*frame, kWithIcrc);
    EXPECT_NE(sent, marked);
    EXPECT_TRUE(std::equal(sent.end() - 4, sent.end(), marked.end() - 4));
    frame->bth.psn ^= 1U;
    const Bytes other = encoded(*frame, kWithIcrc);
    EXPECT_FALSE(std::equal(sent.end() - 4, sent.end(), other.end() - 4));
}

// [TR-27] Packets of others, by the same rule. A congestion notification that a ConnectX-4 Lx sent: its BTH has a bit
// of byte 4 set, its IPv4 header an identification and "do not fragment".
TEST_F(Codec, InvariantCrcOfAnAdapter)
{
    const Bytes datagram =
        hex("45 C2 00 3C  71 8C 40 00  40 11 91 61  0A 00 11 01  0A 00 12 01 "
            "00 00 12 B7 00 28 00 00 "
            "81 00 FF FF 40 00 01 18 00 00 00 00 "
            "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
    const Bytes sent = with_crc({}, invariant_crc(datagram.data(), datagram.size()));
    EXPECT_EQ(sent, hex("82 FD 00 2A"));
}

// [TR-27] An unreliable send of 22 bytes and two of padding, with a UDP checksum; the CRC is that of the public
// example.
TEST_F(Codec, InvariantCrcOfAnExampleWithUdpChecksum)
{
    const Bytes datagram =
        hex("45 01 00 40  04 78 40 00  40 11 B4 D5  C0 A8 00 07  C0 A8 00 07 "
            "C0 00 12 B7 00 2C AC A2 "
            "24 60 FF FF 00 00 00 D3 00 CF 17 10 "
            "46 30 81 8B E2 89 35 D9 0E 9A 95 50 54 01 BE 88 5E 50 00 00");
    const Bytes sent = with_crc({}, invariant_crc(datagram.data(), datagram.size()));
    EXPECT_EQ(sent, hex("78 F3 53 F3"));
}

// [TR-33] The beginning of a frame as a capture without payload holds it: all up to the last header.
TEST_F(Codec, HeadersAreTheBeginningOfTheFrame)
{
    testing::RandomFrames random{testbench::seed(), roles()};
    Bytes headers{1, 2, 3};  // is replaced
    for (int i = 0; i < 4'000; ++i) {
        const FrameKind kind = kAllKinds[static_cast<std::size_t>(i) % kAllKinds.size()];
        const std::uint32_t icrc_bytes = random.below(2) == 0 ? 0U : 4U;
        const FrameRef frame = random.make(kind, icrc_bytes, true);
        const Bytes whole = encoded(*frame, {icrc_bytes, false});
        encode_headers(*frame, headers, icrc_bytes);
        const std::size_t rest = frame->payload_bytes + icrc_bytes;
        ASSERT_EQ(headers.size(), kind == FrameKind::foreign ? 14U : whole.size() - rest);
        ASSERT_TRUE(std::equal(headers.begin(), headers.end(), whole.begin()));
    }
}

// [TR-33] With `PayloadMode` sizes a frame has no bytes: zeros stand for them, as many as it should have.
TEST_F(Codec, MissingPayloadIsZeros)
{
    const FrameRef frame = data_frame();
    const Bytes whole = encoded(*frame, kPlain);
    frame->payload.clear();
    const Bytes bytes = encoded(*frame, kPlain);
    ASSERT_EQ(bytes.size(), whole.size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end() - 4, whole.begin()));
    EXPECT_EQ(Bytes(bytes.end() - 4, bytes.end()), Bytes(4, 0));
}

// [TR-33] Bytes and back is the identity: all kinds, all fields over the whole range of their bits, with and without
// payload bytes, invariant CRC and FCS.
TEST_F(Codec, BytesAndBackIsTheIdentity)
{
    testing::RandomFrames random{testbench::seed(), roles()};
    const FrameRef back = pool_.make();
    Bytes bytes;
    for (int i = 0; i < 40'000; ++i) {
        const FrameKind kind = kAllKinds[static_cast<std::size_t>(i) % kAllKinds.size()];
        const WireFormat format{random.below(2) == 0 ? 0U : 4U, random.below(2) == 0};
        const bool with_bytes = random.below(2) == 0;
        const FrameRef frame = random.make(kind, format.icrc_bytes, with_bytes);
        encode(*frame, bytes, format);
        ASSERT_EQ(bytes.size(), frame->wire_bytes - (format.fcs ? 0U : 4U));
        decode(bytes.data(), bytes.size(), roles(), *back, format);
        ASSERT_EQ(testing::fields_of(*back), testing::fields_of(*frame)) << "frame " << i;
        ASSERT_EQ(back->payload, with_bytes ? frame->payload : Bytes(frame->payload_bytes)) << "frame " << i;
    }
}

// [TR-33] The largest datagram that IPv4 can hold; one byte more does not fit its length field.
TEST_F(Codec, LargestDatagram)
{
    const FrameRef frame = make(FrameKind::data, Opcode::write_only, 0);
    frame->payload_bytes = 65'535 - 60;
    frame->wire_bytes = 65'535 + 18;
    const Bytes bytes = encoded(*frame, kWithFcs);
    const FrameRef back = pool_.make();
    decode(bytes.data(), bytes.size(), roles(), *back, kWithFcs);
    EXPECT_EQ(back->payload_bytes, 65'475u);
    ++frame->payload_bytes;
    ++frame->wire_bytes;
    EXPECT_THROW(encoded(*frame, kWithFcs), InvariantError);
}

// [TR-28] A field that does not fit its bits, a size that is not the layout's, half a payload: faults of ours.
TEST_F(Codec, RefusesFramesThatContradictThemselves)
{
    const FrameRef frame = data_frame();
    frame->bth.psn = 0x100'0000;
    EXPECT_THROW(encoded(*frame, kPlain), InvariantError);
    frame->bth.psn = 0xFF'FFFF;
    EXPECT_NO_THROW(encoded(*frame, kPlain));
    frame->wire_bytes = 83;
    EXPECT_THROW(encoded(*frame, kPlain), InvariantError);
    frame->wire_bytes = 82;
    frame->payload.pop_back();
    EXPECT_THROW(encoded(*frame, kPlain), InvariantError);
    EXPECT_THROW(encoded(*ack_frame(), WireFormat{2, true}), InvariantError);
}

// Each way in which bytes are no frame of ours is told by name, with the value found and the value allowed.
TEST_F(Codec, NamesWhatIsWrong)
{
    const Bytes ack = encoded(*ack_frame(), kPlain);
    const Bytes data = encoded(*data_frame(), kPlain);
    const auto changed = [](Bytes bytes, std::size_t at, std::uint8_t value) {
        bytes.at(at) = value;
        return bytes;
    };
    expect_error({}, Reason::too_short, kPlain, "frame size is 0 bytes, must be at least 14");
    expect_error(Bytes(17), Reason::too_short, kWithFcs, "frame size is 17 bytes, must be at least 18");
    expect_error(Bytes(ack.begin(), ack.begin() + 53), Reason::datagram_too_short, kPlain,
                 "IPv4 datagram size is 39 bytes, must be at least 40");
    expect_error(changed(ack, 12, 0x86), Reason::ether_type, kPlain,
                 "Ethernet type is 34304 (0x8600), must be 2048 (0x800)");
    expect_error(changed(ack, 14, 0x65), Reason::ip_version, kPlain,
                 "IPv4 version and header length is 101 (0x65), must be 69 (0x45)");
    expect_error(changed(ack, 20, 0x20), Reason::fragment, kPlain,
                 "IPv4 fragment flag and offset is 8192 (0x2000), must be 0 (0x0)");
    expect_error(changed(ack, 23, 6), Reason::protocol, kPlain, "IPv4 protocol is 6 (0x6), must be 17 (0x11)");
    // Checksum A704 instead of A705: the sum is FFFE, inverted 1.
    expect_error(changed(ack, 25, 0x04), Reason::ip_checksum, kPlain,
                 "IPv4 header checksum remainder is 1 (0x1), must be 0 (0x0)");
    Bytes longer = ack;
    longer.push_back(0);
    expect_error(longer, Reason::ip_length, kPlain, "IPv4 total length is 44 (0x2c), must be 45 (0x2d)");
    expect_error(changed(ack, 39, 0x19), Reason::udp_length, kPlain, "UDP length is 25 (0x19), must be 24 (0x18)");
    expect_error(changed(ack, 42, 0xC5), Reason::opcode, kPlain,
                 "BTH opcode is 0xC5, must be C6 to CB, D1, DC, DD or DE");
    expect_error(changed(ack, 43, 0x01), Reason::bth_version, kPlain, "BTH version is 1 (0x1), must be 0 (0x0)");
    expect_error(changed(ack, 42, 0xDC), Reason::frame_length, kPlain,
                 "length of the headers after the BTH is 4 (0x4), must be 36 (0x24)");
    expect_error(changed(ack, 42, 0xC7), Reason::frame_length, kPlain,
                 "length of the headers after the BTH is 4 bytes, must be at least 20");
    // Timestamp bit set: RETH's first bytes are taken for a TSETH.
    expect_error(changed(data, 50, 0x90), Reason::timestamp_format, kPlain,
                 "timestamp format type is 2 (0x2), must be 1 (0x1)");
}

// [TR-28] SETH is type 1, NETH 2, PETH 3.
TEST_F(Codec, ChecksHeaderTypes)
{
    testing::RandomFrames random{testbench::seed(), roles()};
    for (const auto& [kind, type] : {std::pair{FrameKind::sack, 1}, {FrameKind::nack, 2}, {FrameKind::probe, 3}}) {
        Bytes bytes = encoded(*random.make(kind, 0, false), kPlain);
        EXPECT_EQ(bytes.at(54) >> 4, type);
        bytes.at(54) = static_cast<std::uint8_t>(bytes.at(54) ^ 0xC0U);
        const std::string found = std::to_string(type ^ 0xC);
        const std::array<const char*, 4> digits{"", "d", "e", "f"};
        const auto index = static_cast<std::size_t>(type);
        expect_error(bytes, Reason::header_type, kPlain,
                     "header type is " + found + " (0x" + digits.at(index) + "), must be " + std::to_string(type) +
                         " (0x" + std::to_string(type) + ")");
    }
}

// [TR-28] A CRC of 32 bits finds every single wrong bit, wherever it is.
TEST_F(Codec, FcsFindsEverySingleBit)
{
    const Bytes good = encoded(*data_frame(), kWithFcs);
    const FrameRef frame = pool_.make();
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        Bytes bytes = good;
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
        try {
            decode(bytes.data(), bytes.size(), roles(), *frame, kWithFcs);
            ADD_FAILURE() << "bit " << bit;
        } catch (const DecodeError& error) {
            EXPECT_EQ(error.reason(), Reason::fcs) << "bit " << bit;
        }
    }
}

// [TR-27] The invariant CRC finds a wrong bit of the payload by itself.
TEST_F(Codec, InvariantCrcFindsAWrongPayload)
{
    const FrameRef frame = data_frame();
    frame->wire_bytes = 86;
    Bytes bytes = encoded(*frame, kWithIcrc);
    bytes[bytes.size() - 5] ^= 1U;
    try {
        decode(bytes.data(), bytes.size(), roles(), *frame, kWithIcrc);
        ADD_FAILURE() << "decoded";
    } catch (const DecodeError& error) {
        EXPECT_EQ(error.reason(), Reason::icrc) << error.what();
    }
}

/// Decodes whatever the bytes are. What decodes is a whole frame: it encodes to as many bytes, and back to itself.
bool survives(const Bytes& bytes, WireFormat format, Frame& frame, Frame& again)
{
    try {
        decode(bytes.data(), bytes.size(), roles(), frame, format);
    } catch (const DecodeError&) {
        return false;
    }
    const Bytes repeated = encoded(frame, format);
    EXPECT_EQ(repeated.size(), bytes.size());
    decode(repeated.data(), repeated.size(), roles(), again, format);
    EXPECT_EQ(testing::fields_of(again), testing::fields_of(frame));
    return true;
}

// Frames cut at every length.
TEST_F(Codec, SurvivesTruncation)
{
    testing::RandomFrames random{testbench::seed(), roles()};
    const FrameRef frame = pool_.make();
    const FrameRef again = pool_.make();
    for (const FrameKind kind : kAllKinds) {
        for (const std::uint32_t icrc_bytes : {0U, 4U}) {
            const WireFormat format{icrc_bytes, false};
            const Bytes whole = encoded(*random.make(kind, icrc_bytes, true), format);
            for (std::size_t size = 0; size < whole.size(); ++size) {
                // Exactly as large as the bytes: a sanitizer sees any read beyond.
                const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
                const bool decoded = survives(cut, format, *frame, *again);
                ASSERT_EQ(decoded, kind == FrameKind::foreign && size >= 14) << "cut to " << size;
            }
        }
    }
}

// Frames with wrong bits and bytes of no meaning at all; the IPv4 checksum is put right, so that what follows is
// reached.
TEST_F(Codec, SurvivesNoise)
{
    testing::RandomFrames random{testbench::seed(), roles()};
    const FrameRef frame = pool_.make();
    const FrameRef again = pool_.make();
    int decoded = 0;
    for (int i = 0; i < 60'000; ++i) {
        const WireFormat format{0, random.below(16) == 0};
        Bytes bytes(random.below(200));
        if (random.below(4) != 0) {
            bytes = encoded(*random.make(kAllKinds[random.below(7)], 0, true), format);
        }
        for (std::uint64_t flips = random.below(4); flips > 0 && !bytes.empty(); --flips) {
            const std::uint64_t bit = random.below(std::min<std::size_t>(bytes.size(), 90) * 8);
            bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
        }
        if (bytes.size() >= 34) {
            std::uint32_t sum = 0;
            for (std::size_t at = 14; at < 34; at += 2) {
                sum += at == 24 ? 0U : bytes[at] * 256U + bytes[at + 1];
            }
            sum = 0xFFFFU - (sum % 0xFFFFU);
            bytes[24] = static_cast<std::uint8_t>(sum / 256);
            bytes[25] = static_cast<std::uint8_t>(sum % 256);
        }
        decoded += survives(bytes, format, *frame, *again) ? 1 : 0;
    }
    EXPECT_GT(decoded, 10'000) << "the noise never lets a frame through: nothing was tested";
    EXPECT_LT(decoded, 50'000);
}

}  // namespace
}  // namespace mrcnic::packet
