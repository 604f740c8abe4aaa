#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

inline constexpr std::uint64_t kSourceBase = 0x1'0000'0000;       ///< first source buffer of each host [TR-6]
inline constexpr std::uint64_t kDestinationBase = 0x2'0000'0000;  ///< first destination buffer of each host [TR-6]
inline constexpr std::uint64_t kBufferAlignment = 4096;           ///< bytes [TR-6]

/// Where the payload of a message lies in the host memories of its two ends.
struct Buffers {
    std::uint64_t source{0};
    std::uint64_t destination{0};
};

/// Lays the buffers out, in the order of message ids, for each host and direction by itself [TR-6].
///
/// Source buffers of more than 4 GiB on one host run into its destination buffers: see `buffers_overlap`.
/// @return one entry for each message, in their order
[[nodiscard]] std::vector<Buffers> lay_out_buffers(const Workload& workload);

/// A host whose source buffers reach into its destination buffers, if there is one: real payload would be overwritten
/// there, which `PayloadMode = bytes` cannot have.
[[nodiscard]] std::optional<std::uint32_t> buffers_overlap(const Workload& workload,
                                                           const std::vector<Buffers>& buffers);

/// Byte `offset` of the payload of a message [TR-6].
[[nodiscard]] constexpr std::uint8_t source_byte(std::uint64_t message_id, std::uint64_t offset) noexcept
{
    return static_cast<std::uint8_t>((31 * message_id + offset + offset / 256) & 0xFFU);
}

/// Writes or reads `size` bytes of a host memory at `address`.
using MemoryWriter = std::function<void(std::uint64_t address, const std::uint8_t* data, std::size_t size)>;
using MemoryReader = std::function<void(std::uint64_t address, std::uint8_t* data, std::size_t size)>;

/// Fills the source buffer of a message with its payload.
void fill_payload(const Message& message, const Buffers& buffers, const MemoryWriter& write);

/// Compares the destination buffer of a message with its payload. @return offset of the first wrong byte, if any
[[nodiscard]] std::optional<std::uint64_t> first_wrong_byte(const Message& message, const Buffers& buffers,
                                                            const MemoryReader& read);

}  // namespace mrcnic::workload
