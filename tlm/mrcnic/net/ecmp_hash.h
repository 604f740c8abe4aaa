#pragma once

#include <cstddef>
#include <cstdint>

#include "mrcnic/config/config.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::net {

/// The 32-bit finalizer of MurmurHash3.
[[nodiscard]] constexpr std::uint32_t fmix32(std::uint32_t h) noexcept
{
    h ^= h >> 16U;
    h *= 0x85EB'CA6BU;
    h ^= h >> 13U;
    h *= 0xC2B2'AE35U;
    h ^= h >> 16U;
    return h;
}

/// Chooses one of several equal paths by what a frame's headers say [SW-52 .. SW-54].
class EcmpHash {
public:
    /// @param switch_id  counts switches from 0, leaves before spines [SW-51]
    EcmpHash(config::EcmpHashMethod method, std::uint32_t switch_id) noexcept;

    /// 16 bits of a UDP frame; with `dpr` (destination address - 1) mod 512.
    [[nodiscard]] std::uint32_t hash(const packet::NetworkHeader& header) const noexcept;
    /// Index of the member that takes the frame, below `members`. Frames of other protocols: member 0 [SW-54].
    [[nodiscard]] std::size_t member_of(const packet::Frame& frame, std::size_t members) const noexcept
    {
        return frame.kind == packet::FrameKind::foreign ? 0 : hash(frame.network) % members;
    }
    [[nodiscard]] std::uint32_t salt() const noexcept { return salt_; }

private:
    config::EcmpHashMethod method_;
    std::uint32_t salt_;
    std::uint32_t crc_of_salt_;  // every frame's checksum begins with it
};

}  // namespace mrcnic::net
