#include "mrcnic/workload/buffers.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace mrcnic::workload {

namespace {

using Chunk = std::array<std::uint8_t, 4096>;

/// Calls `visit(offset, size)` for every chunk of `bytes` until it returns false.
template <typename Visitor>
void for_each_chunk(std::uint64_t bytes, const Visitor& visit)
{
    for (std::uint64_t offset = 0; offset < bytes;) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes - offset, Chunk{}.size()));
        if (!visit(offset, size)) {
            return;
        }
        offset += size;
    }
}

/// Takes a buffer from the free room of one host and direction.
std::uint64_t take(std::map<std::uint32_t, std::uint64_t>& next, std::uint32_t nic, std::uint64_t base,
                   std::uint64_t bytes)
{
    std::uint64_t& free = next.emplace(nic, base).first->second;
    const std::uint64_t address = free;
    free = (address + bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
    return address;
}

}  // namespace

std::vector<Buffers> lay_out_buffers(const Workload& workload)
{
    const std::vector<Message>& messages = workload.messages;
    std::vector<std::size_t> by_id(messages.size());
    std::iota(by_id.begin(), by_id.end(), std::size_t{0});
    std::sort(by_id.begin(), by_id.end(),
              [&messages](std::size_t a, std::size_t b) { return messages[a].id < messages[b].id; });

    std::vector<Buffers> buffers(messages.size());
    std::map<std::uint32_t, std::uint64_t> next_source;
    std::map<std::uint32_t, std::uint64_t> next_destination;
    for (const std::size_t i : by_id) {
        const Message& message = messages[i];
        buffers[i].source = take(next_source, message.source, kSourceBase, message.bytes);
        buffers[i].destination = take(next_destination, message.destination, kDestinationBase, message.bytes);
    }
    return buffers;
}

std::optional<std::uint32_t> buffers_overlap(const Workload& workload, const std::vector<Buffers>& buffers)
{
    std::map<std::uint32_t, bool> receives;
    for (const Message& message : workload.messages) {
        receives[message.destination] = receives[message.destination] || message.bytes > 0;
    }
    for (std::size_t i = 0; i < workload.messages.size(); ++i) {
        const Message& message = workload.messages[i];
        const std::uint64_t room = kDestinationBase - std::min(buffers[i].source, kDestinationBase);
        const auto receiver = receives.find(message.source);
        if (message.bytes > room && receiver != receives.end() && receiver->second) {
            return message.source;
        }
    }
    return std::nullopt;
}

void fill_payload(const Message& message, const Buffers& buffers, const MemoryWriter& write)
{
    Chunk chunk{};
    for_each_chunk(message.bytes, [&](std::uint64_t offset, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            chunk[i] = source_byte(message.id, offset + i);
        }
        write(buffers.source + offset, chunk.data(), size);
        return true;
    });
}

std::optional<std::uint64_t> first_wrong_byte(const Message& message, const Buffers& buffers, const MemoryReader& read)
{
    Chunk chunk{};
    std::optional<std::uint64_t> wrong;
    for_each_chunk(message.bytes, [&](std::uint64_t offset, std::size_t size) {
        read(buffers.destination + offset, chunk.data(), size);
        for (std::size_t i = 0; i < size && !wrong; ++i) {
            if (chunk[i] != source_byte(message.id, offset + i)) {
                wrong = offset + i;
            }
        }
        return !wrong;
    });
    return wrong;
}

}  // namespace mrcnic::workload
