#include "mrcnic/record/wire_capture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mrcnic/packet/codec.h"
#include "testbench/support/harness.h"
#include "testbench/support/tshark.h"
#include "testbench/unit/nic/frame_script.h"
#include "testbench/unit/packet/frame_fields.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using packet::Frame;
using packet::FrameKind;
using packet::FrameRef;
using testbench::TemporaryFolder;
using testbench::tshark;
using Lines = std::vector<std::string>;

constexpr std::array<FrameKind, 7> kAllKinds{FrameKind::data,  FrameKind::ack,     FrameKind::sack,   FrameKind::nack,
                                             FrameKind::probe, FrameKind::trimmed, FrameKind::foreign};

/// A port that sends when a test says so.
class Transmitter : public packet::WireTransmitter {
public:
    Transmitter(Place place, BitsPerSecond rate) : place_{place}, rate_{rate} {}
    void send(const FrameRef& frame) const { tell_observer(*frame); }
    [[nodiscard]] BitsPerSecond rate() const noexcept override { return rate_; }
    [[nodiscard]] Place place() const noexcept override { return place_; }

private:
    Place place_;
    BitsPerSecond rate_;
};

/// Two ports under a capture.
struct Bench {
    Bench(config::PayloadMode mode, WireCapture::Window window)
        : capture{path, {{"MrcNic-0:0", &left}, {"Switch-0:3", &right}}, agenda, mode, window}
    {
    }
    Lines lines(const std::string& fields) const { return tshark(path, fields); }

    TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "wire.pcapng"};
    Agenda agenda{"agenda"};
    testbench::Script script{agenda};
    testbench::FrameMaker frames;
    Transmitter left{{0, 0}, 400'000'000'000};
    Transmitter right{{2, 3}, 100'000'000'000};
    WireCapture capture;
};

// Interfaces have the names of the sources; a frame has the same identification wherever it is seen; its size is that
// of the wire less the FCS; without payload it is cut after the last header: 78 - 4 bytes of a data frame of 4,174
// bytes, 90 of a SACK of 94.
TEST(WireCapture, FramesOfTwoPorts)
{
    Bench bench{config::PayloadMode::sizes, {}};
    bench.script.at(83'480, [&] { bench.left.send(bench.frames.data(4'096)); });
    bench.script.at(200'999, [&] {
        const FrameRef frame = bench.frames.sack();
        bench.right.send(frame);
        bench.left.send(frame);
    });
    testbench::run_to_end([] { return true; });
    bench.capture.close();
    const std::uint32_t icrc = packet::kIcrcBytes;
    EXPECT_EQ(bench.lines("frame.interface_name frame.time_epoch frame.packet_id frame.cap_len frame.len"),
              (Lines{fmt::format("MrcNic-0:0\t0.000000083\t1\t74\t{}", 4'170 + icrc),
                     fmt::format("Switch-0:3\t0.000000200\t2\t90\t{}", 90 + icrc),
                     fmt::format("MrcNic-0:0\t0.000000200\t2\t90\t{}", 90 + icrc)}));
}

// The first instant counts, the last one does not: windows side by side hold every frame once.
TEST(WireCapture, Window)
{
    Bench bench{config::PayloadMode::sizes, {1'000, 3'000}};
    for (const Picoseconds time : {999, 1'000, 2'999, 3'000}) {
        bench.script.at(time, [&] { bench.left.send(bench.frames.sack()); });
    }
    testbench::run_to_end([] { return true; });
    bench.capture.close();
    EXPECT_EQ(bench.lines("frame.packet_id"), (Lines{"2", "3"}));
}

// With payload a capture holds the bytes of the wire.
TEST(WireCapture, WholeFrames)
{
    Bench bench{config::PayloadMode::bytes, {}};
    const FrameRef frame = bench.frames.data(5);
    frame->payload = {0xDE, 0xAD, 0xBE, 0xEF, 0x42};
    bench.script.at(0, [&] { bench.left.send(frame); });
    testbench::run_to_end([] { return true; });
    bench.capture.close();
    const std::uint32_t size = 74 + 5 + packet::kIcrcBytes;
    EXPECT_EQ(bench.lines("frame.cap_len frame.len"), (Lines{fmt::format("{}\t{}", size, size)}));
    EXPECT_NE(testbench::text_of(bench.path).find("\xDE\xAD\xBE\xEF\x42"), std::string::npos);
}

// Whoever is not recorded any more is not watched any more.
TEST(WireCapture, EndsWithTheObject)
{
    const TemporaryFolder folder;
    Agenda agenda{"agenda"};
    testbench::FrameMaker frames;
    const std::filesystem::path path = folder.path() / "a.pcapng";
    Transmitter port{{0, 0}, 1};
    {
        WireCapture capture{path, {{"port", &port}}, agenda, config::PayloadMode::sizes, {}};
        port.send(frames.sack());
        capture.close();
    }
    port.send(frames.sack());
    EXPECT_EQ(tshark(path, "frame.number").size(), 1U);
}

/// Frames of all kinds in a file of their own, and what the tool should say of them.
struct AllKinds {
    AllKinds(std::uint32_t icrc_bytes, bool whole)
    {
        PcapngFile file{path, "", {{"port", 1}}};
        std::vector<std::uint8_t> bytes;
        for (int i = 0; i < 700; ++i) {
            const FrameRef frame =
                random.make(kAllKinds[static_cast<std::size_t>(i) % kAllKinds.size()], icrc_bytes, whole);
            if (frame->kind == FrameKind::foreign) {
                frame->wire_bytes = std::max(frame->wire_bytes, 64U);  // a pause frame, as SW-17 has it
            }
            frame->network.udp_source = static_cast<std::uint16_t>(256 + random.below(128));  // [MP-3]
            frame->network.udp_destination = 4791;
            whole ? packet::encode(*frame, bytes, {icrc_bytes, false})
                  : packet::encode_headers(*frame, bytes, icrc_bytes);
            file.write({0, i, bytes.data(), bytes.size(), frame->wire_bytes - 4, 0});
            expected.push_back(frame->kind == FrameKind::foreign
                                   ? "\t\t\t"
                                   : fmt::format("{}\t{}\t0x{:06x}\t{}", static_cast<unsigned>(frame->bth.opcode),
                                                 frame->bth.psn, frame->bth.destination_qp,
                                                 static_cast<unsigned>(frame->network.dscp)));
        }
        file.close();
    }

    TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "all.pcapng"};
    packet::DscpRoles roles{packet::DscpCodepoints{}};
    packet::testing::RandomFrames random{testbench::seed(), roles};
    Lines expected;
};

// [TR-28] [TR-33] [TR-27] The tool reads frames of every kind, whole and cut, with and without invariant CRC, finds
// none malformed, and shows their opcodes, PSNs, queue pairs and codepoints.
TEST(WireCapture, ToolReadsFramesOfAllKinds)
{
    for (const std::uint32_t icrc_bytes : {0U, 4U}) {
        for (const bool whole : {false, true}) {
            const AllKinds all{icrc_bytes, whole};
            EXPECT_EQ(
                tshark(all.path, "infiniband.bth.opcode infiniband.bth.psn infiniband.bth.destqp ip.dsfield.dscp"),
                all.expected);
        }
    }
}

}  // namespace
}  // namespace mrcnic::record
