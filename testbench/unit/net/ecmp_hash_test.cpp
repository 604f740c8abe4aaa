#include "mrcnic/net/ecmp_hash.h"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::net {
namespace {

using config::EcmpHashMethod;

packet::NetworkHeader flow(std::uint16_t source_port)
{
    packet::NetworkHeader header;
    header.source = 0x0A00'0001;
    header.destination = 0x0A00'0101;
    header.udp_source = source_port;
    header.udp_destination = 4791;
    return header;
}

// [SW-53] The sheet's vectors.
TEST(EcmpHash, VectorsOfTheSheet)
{
    const std::array<std::uint16_t, 5> ports{256, 257, 258, 259, 383};
    const std::array<std::vector<std::uint32_t>, 2> hashes{
        {{63'523, 14'717, 17'761, 61'256, 5'980}, {26'866, 8'795, 11'387, 611, 45'402}}};
    const std::array<std::uint32_t, 2> salts{0x92CA'2F0E, 0x96A0'F96B};
    for (std::uint32_t id = 0; id < 2; ++id) {
        const EcmpHash hash{EcmpHashMethod::crc32_with_salt, id};
        EXPECT_EQ(hash.salt(), salts[id]);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            EXPECT_EQ(hash.hash(flow(ports[i])), hashes[id][i]) << "switch " << id << ", port " << ports[i];
        }
    }
}

// [SW-52] Ports 256..383 over four members, as the sheet counts them.
TEST(EcmpHash, MembersOfTheSheet)
{
    const std::array<std::vector<int>, 2> expected{{{42, 33, 32, 21}, {31, 36, 29, 32}}};
    for (std::uint32_t id = 0; id < 2; ++id) {
        const EcmpHash hash{EcmpHashMethod::crc32_with_salt, id};
        std::vector<int> counts(4);
        packet::FramePool frames;
        const packet::FrameRef frame = frames.make();
        for (std::uint16_t port = 256; port <= 383; ++port) {
            frame->network = flow(port);
            ++counts[hash.member_of(*frame, 4)];
        }
        EXPECT_EQ(counts, expected[id]) << "switch " << id;
    }
}

// [SW-52] `crc32`: no salt, no finalizer, so every switch chooses alike. The IEEE checksum is
// worked out bit by bit here, over 11 0100 12B7 0A000001 0A000101.
TEST(EcmpHash, WithoutSalt)
{
    const std::array<std::uint8_t, 13> bytes{0x11, 0x01, 0x00, 0x12, 0xB7, 0x0A, 0x00,
                                             0x00, 0x01, 0x0A, 0x00, 0x01, 0x01};
    std::uint32_t crc = 0xFFFF'FFFF;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB8'8320U : 0U);
        }
    }
    for (const std::uint32_t id : {0U, 5U}) {
        EXPECT_EQ((EcmpHash{EcmpHashMethod::crc32, id}.hash(flow(256))), ~crc & 0xFFFFU);
    }
}

// [SW-52] `dpr`: (destination address - 1) mod 512, whatever the ports.
TEST(EcmpHash, ByDestination)
{
    const EcmpHash hash{EcmpHashMethod::dpr, 3};
    EXPECT_EQ(hash.hash(flow(256)), 0x100U);
    EXPECT_EQ(hash.hash(flow(300)), 0x100U);
    packet::NetworkHeader header = flow(256);
    header.destination = 0x0A00'0201;
    EXPECT_EQ(hash.hash(header), 0U);
    header.destination = 0x0A00'0200;
    EXPECT_EQ(hash.hash(header), 511U);
}

// [SW-54] Other protocols than UDP: member 0, whatever the address.
TEST(EcmpHash, ForeignFramesTakeTheFirstMember)
{
    packet::FramePool frames;
    const packet::FrameRef frame = frames.make();
    frame->kind = packet::FrameKind::foreign;
    for (const EcmpHashMethod method : {EcmpHashMethod::crc32_with_salt, EcmpHashMethod::crc32, EcmpHashMethod::dpr}) {
        const EcmpHash hash{method, 0};
        for (std::uint16_t port = 256; port < 272; ++port) {
            frame->network = flow(port);
            EXPECT_EQ(hash.member_of(*frame, 4), 0U);
        }
    }
}

}  // namespace
}  // namespace mrcnic::net
