#include "mrcnic/workload/buffers.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::workload {
namespace {

Message message(std::uint64_t id, std::uint32_t source, std::uint32_t destination, std::uint64_t bytes)
{
    Message result;
    result.id = id;
    result.source = source;
    result.destination = destination;
    result.bytes = bytes;
    return result;
}

/// A host memory of bytes.
struct Memory {
    std::map<std::uint64_t, std::uint8_t> bytes;
    MemoryWriter writer = [this](std::uint64_t address, const std::uint8_t* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            bytes[address + i] = data[i];
        }
    };
    MemoryReader reader = [this](std::uint64_t address, std::uint8_t* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            data[i] = bytes.count(address + i) != 0 ? bytes[address + i] : std::uint8_t{0};
        }
    };
};

// [TR-6] In the order of ids, not of the file; source and destination, and each host, by themselves; 4,096-aligned.
TEST(Buffers, LieInIdOrderOnEachHost)
{
    Workload workload;
    workload.messages = {message(9, 0, 1, 10), message(3, 0, 1, 4097), message(5, 1, 0, 4096), message(7, 0, 2, 0),
                         message(8, 0, 2, 1)};
    const std::vector<Buffers> buffers = lay_out_buffers(workload);
    ASSERT_EQ(buffers.size(), 5u);
    EXPECT_EQ(buffers[1].source, 0x1'0000'0000u);  // id 3: two pages
    EXPECT_EQ(buffers[1].destination, 0x2'0000'0000u);
    EXPECT_EQ(buffers[3].source, 0x1'0000'2000u);  // id 7: nothing
    EXPECT_EQ(buffers[3].destination, 0x2'0000'0000u);
    EXPECT_EQ(buffers[4].source, 0x1'0000'2000u);  // id 8
    EXPECT_EQ(buffers[4].destination, 0x2'0000'0000u);
    EXPECT_EQ(buffers[0].source, 0x1'0000'3000u);  // id 9
    EXPECT_EQ(buffers[0].destination, 0x2'0000'2000u);
    EXPECT_EQ(buffers[2].source, 0x1'0000'0000u);  // id 5, on host 1
    EXPECT_EQ(buffers[2].destination, 0x2'0000'0000u);
}

// [TR-6] From 0x1_0000_0000 to 0x2_0000_0000 are 4 GiB.
TEST(Buffers, OverlapBeyondFourGiBOfSources)
{
    const auto overlap = [](std::uint64_t bytes, bool answers) {
        Workload workload;
        workload.messages = {message(1, 0, 1, 4096), message(2, 0, 1, bytes)};
        if (answers) {
            workload.messages.push_back(message(3, 1, 0, 1));
        }
        return buffers_overlap(workload, lay_out_buffers(workload));
    };
    EXPECT_EQ(overlap(0xFFFF'F000, true), std::nullopt);  // 4 GiB - 4,096: fits exactly
    EXPECT_EQ(overlap(0xFFFF'F001, true), 0u);
    EXPECT_EQ(overlap(0xFFFF'F001, false), std::nullopt);  // host 0 receives nothing
}

// [TR-6] Low 8 bits of 31 m + k + k / 256.
TEST(SourceByte, FollowsThePattern)
{
    EXPECT_EQ(source_byte(1, 0), 31);
    EXPECT_EQ(source_byte(1, 1), 32);
    EXPECT_EQ(source_byte(1, 224), 255);
    EXPECT_EQ(source_byte(1, 225), 0);
    EXPECT_EQ(source_byte(1, 256), 32);  // 31 + 256 + 1 = 288
    EXPECT_EQ(source_byte(9, 1000), 2);  // 279 + 1000 + 3 = 1282 = 5 x 256 + 2
    EXPECT_EQ(source_byte(100, 0), 28);  // 3100 = 12 x 256 + 28
}

// [TR-6] What was filled at the source and copied is right at the destination, and one wrong byte is found.
TEST(Payload, IsFilledAndVerified)
{
    Memory memory;
    const Message sent = message(9, 0, 1, 10'001);
    const Buffers buffers{0x1'0000'0000, 0x2'0000'0000};
    fill_payload(sent, buffers, memory.writer);
    EXPECT_EQ(memory.bytes.size(), 10'001u);
    EXPECT_EQ(memory.bytes[0x1'0000'0000 + 1000], 2);  // as above
    EXPECT_EQ(first_wrong_byte(sent, buffers, memory.reader), 0u);

    for (std::uint64_t k = 0; k < sent.bytes; ++k) {
        memory.bytes[buffers.destination + k] = memory.bytes[buffers.source + k];
    }
    EXPECT_EQ(first_wrong_byte(sent, buffers, memory.reader), std::nullopt);
    memory.bytes[buffers.destination + 10'000] ^= 1U;
    EXPECT_EQ(first_wrong_byte(sent, buffers, memory.reader), 10'000u);
    memory.bytes[buffers.destination + 4'096] ^= 1U;
    EXPECT_EQ(first_wrong_byte(sent, buffers, memory.reader), 4'096u);
}

// [WL-32] A message of no bytes touches no memory.
TEST(Payload, OfNoBytesIsNothing)
{
    Memory memory;
    const Message sent = message(9, 0, 1, 0);
    fill_payload(sent, {}, memory.writer);
    EXPECT_TRUE(memory.bytes.empty());
    EXPECT_EQ(first_wrong_byte(sent, {}, memory.reader), std::nullopt);
}

}  // namespace
}  // namespace mrcnic::workload
