#include "mrcnic/record/pcapng_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/support/tshark.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::TemporaryFolder;
using testbench::text_of;

/// Bytes as two hexadecimal digits each, blanks between them.
std::string hex_of(const std::string& bytes)
{
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string text;
    for (const char character : bytes) {
        const auto byte = static_cast<std::uint8_t>(character);
        text += text.empty() ? "" : " ";
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::string error_of(const std::function<void()>& deed)
{
    try {
        deed();
    } catch (const OutputError& error) {
        return error.what();
    }
    return "no error";
}

// Every byte, by the format's definition. Section: magic, version 1.0, length unknown, comment (option 1), application
// (4). Interface: Ethernet, no limit, name (2), 400 * 10^9 = 5D21DBA000 bit/s (8), ticks of 10^-9 s (9). Packet:
// 4,294,967,298,999 ps are 2^32 + 2 ns and 999 ps; 5 of 9 bytes; identification (5). All lengths are multiples of 4,
// and stand at both ends.
TEST(PcapngFile, Bytes)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.pcapng";
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
    PcapngFile file{path, "note", {{"MrcNic-0:0", 400'000'000'000}}};
    file.write({0, 4'294'967'298'999, bytes.data(), bytes.size(), 9, 0x0001'0000'0000'0002});
    file.close();
    EXPECT_EQ(hex_of(text_of(path)),
              "0A 0D 0D 0A 34 00 00 00 4D 3C 2B 1A 01 00 00 00 FF FF FF FF FF FF FF FF "
              "01 00 04 00 6E 6F 74 65 04 00 06 00 6D 72 63 6E 69 63 00 00 00 00 00 00 34 00 00 00 "
              "01 00 00 00 3C 00 00 00 01 00 00 00 00 00 00 00 "
              "02 00 0A 00 4D 72 63 4E 69 63 2D 30 3A 30 00 00 "
              "08 00 08 00 00 A0 DB 21 5D 00 00 00 "
              "09 00 01 00 09 00 00 00 00 00 00 00 3C 00 00 00 "
              "06 00 00 00 38 00 00 00 00 00 00 00 01 00 00 00 02 00 00 00 05 00 00 00 09 00 00 00 "
              "01 02 03 04 05 00 00 00 "
              "05 00 08 00 02 00 00 00 00 00 01 00 00 00 00 00 38 00 00 00");
}

// Times as users see them. With picoseconds in the file tshark is wrong from 18.4 ms on.
TEST(PcapngFile, TimesAreRightInTheTool)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.pcapng";
    const std::vector<std::uint8_t> bytes(60);
    PcapngFile file{path, "", {{"left", 1}, {"right", 2}}};
    for (const Picoseconds time : {0LL, 999LL, 1'000LL, 18'500'000'123LL, 999'999'999'999LL, 7'200'000'000'004'999LL}) {
        file.write({1, time, bytes.data(), bytes.size(), 60, 0});
    }
    file.close();
    EXPECT_EQ(testbench::tshark(path, "frame.interface_name frame.time_epoch frame.packet_id"),
              (std::vector<std::string>{"right\t0.000000000\t", "right\t0.000000000\t", "right\t0.000000001\t",
                                        "right\t0.018500000\t", "right\t0.999999999\t", "right\t7200.000000004\t"}));
}

// More than any buffer holds: all of it is there after the end.
TEST(PcapngFile, NothingIsLostAtTheEnd)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.pcapng";
    const std::vector<std::uint8_t> bytes(65'535);
    PcapngFile file{path, "", {{"port", 1}}};
    const std::size_t before = 48 + 12 + 8 + 8 + 12 + 8 + 4;  // section; interface with name, speed, ticks, end
    for (int i = 0; i < 100; ++i) {
        file.write({0, i, bytes.data(), bytes.size() - static_cast<std::size_t>(i), 65'535, 0});
    }
    file.close();
    file.close();
    std::size_t packets = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        packets += 32 + (65'535 - i + 3) / 4 * 4;
    }
    EXPECT_EQ(std::filesystem::file_size(path), before + packets);
    EXPECT_EQ(testbench::tshark(path, "frame.cap_len").size(), 100U);
}

TEST(PcapngFile, FileThatCannotBeOpened)
{
    const TemporaryFolder folder;
    EXPECT_EQ(error_of([&] {
                  PcapngFile{folder.path(), "", {}};
              }),
              folder.path().string() + ": cannot be opened for writing: Is a directory");
}

// A device that takes nothing: told when the buffer is full, or at the end; once.
TEST(PcapngFile, DiskThatIsFull)
{
    const std::string full = "/dev/full: cannot be written: No space left on device";
    const std::vector<std::uint8_t> bytes(60'000);
    PcapngFile small{"/dev/full", "", {{"port", 1}}};
    small.write({0, 0, bytes.data(), bytes.size(), 60'000, 0});
    EXPECT_EQ(error_of([&] { small.close(); }), full);
    PcapngFile large{"/dev/full", "", {{"port", 1}}};
    EXPECT_EQ(error_of([&] {
                  for (int i = 0; i < 30; ++i) {
                      large.write({0, i, bytes.data(), bytes.size(), 60'000, 0});
                  }
              }),
              full);
    EXPECT_EQ(error_of([&] { large.close(); }), "no error");
}

}  // namespace
}  // namespace mrcnic::record
