#include "mrcnic/net/ecmp_hash.h"

#include <array>

#include <zlib.h>

namespace mrcnic::net {

namespace {

constexpr std::uint8_t kUdp = 17;
constexpr std::uint32_t kDprValues = 512;

template <std::size_t Size>
std::uint32_t checksum(std::uint32_t so_far, const std::array<std::uint8_t, Size>& bytes) noexcept
{
    return static_cast<std::uint32_t>(crc32(so_far, bytes.data(), static_cast<uInt>(Size)));
}

constexpr std::uint8_t byte(std::uint32_t value, unsigned shift) noexcept
{
    return static_cast<std::uint8_t>(value >> shift & 0xFFU);
}

}  // namespace

// [SW-53] All numbers big-endian.
EcmpHash::EcmpHash(config::EcmpHashMethod method, std::uint32_t switch_id) noexcept
    : method_{method},
      salt_{fmix32(switch_id + 0x9E37'79B9U)},
      crc_of_salt_{
          checksum(0, std::array<std::uint8_t, 4>{byte(salt_, 24), byte(salt_, 16), byte(salt_, 8), byte(salt_, 0)})}
{
}

std::uint32_t EcmpHash::hash(const packet::NetworkHeader& header) const noexcept
{
    if (method_ == config::EcmpHashMethod::dpr) {
        return (header.destination - 1) % kDprValues;
    }
    const std::uint32_t from = header.source;
    const std::uint32_t to = header.destination;
    const std::array<std::uint8_t, 13> flow{kUdp,
                                            byte(header.udp_source, 8),
                                            byte(header.udp_source, 0),
                                            byte(header.udp_destination, 8),
                                            byte(header.udp_destination, 0),
                                            byte(from, 24),
                                            byte(from, 16),
                                            byte(from, 8),
                                            byte(from, 0),
                                            byte(to, 24),
                                            byte(to, 16),
                                            byte(to, 8),
                                            byte(to, 0)};
    if (method_ == config::EcmpHashMethod::crc32) {
        return checksum(0, flow) & 0xFFFFU;
    }
    return fmix32(checksum(crc_of_salt_, flow) ^ salt_) & 0xFFFFU;
}

}  // namespace mrcnic::net
