#include "mrcnic/packet/wire_size.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "mrcnic/base/serialization_clock.h"
#include "mrcnic/packet/codec.h"

namespace mrcnic::packet {
namespace {

constexpr BitsPerSecond k400Gbps = 400'000'000'000;

// [FR-1] [TR-20] [TR-21] Payload + 78, or + 82 with a timestamp; 4,174 at the default MSS.
TEST(WireSize, OfDataFrames)
{
    static_assert(data_wire_bytes(0, false, 0) == 78);
    static_assert(data_wire_bytes(0, true, 0) == 82);
    static_assert(data_wire_bytes(4096, false, 0) == 4174);
    static_assert(data_wire_bytes(4096, true, 0) == 4178);
    EXPECT_EQ(data_wire_bytes(1152, false, 0), 1230u);  // the last packet of TR-W1
}

// [TR-11] An immediate makes a data frame 4 bytes longer.
TEST(WireSize, OfDataFramesWithImmediate)
{
    EXPECT_EQ(data_wire_bytes(100, false, 0, Opcode::write_last_immediate), 182u);
    EXPECT_EQ(data_wire_bytes(100, true, 0, Opcode::write_only_immediate), 186u);
    EXPECT_EQ(data_wire_bytes(100, false, 0, Opcode::write_last), 178u);
}

// [FR-2] [TR-22 .. TR-26] The frames without payload.
TEST(WireSize, OfFramesWithoutPayload)
{
    static_assert(control_wire_bytes(FrameKind::ack, 0) == 62);
    static_assert(control_wire_bytes(FrameKind::sack, 0) == 94);
    static_assert(control_wire_bytes(FrameKind::nack, 0) == 78);
    static_assert(control_wire_bytes(FrameKind::probe, 0) == 74);
    static_assert(control_wire_bytes(FrameKind::trimmed, 0) == 62);
    EXPECT_EQ(kMinimumChargeBytes, 64u);
}

// [TR-27] The invariant CRC adds 4 bytes to every frame of ours.
TEST(WireSize, WithInvariantCrc)
{
    static_assert(data_wire_bytes(4096, false, 4) == 4178);
    static_assert(data_wire_bytes(4096, true, 4) == 4182);
    static_assert(control_wire_bytes(FrameKind::ack, 4) == 66);
    static_assert(control_wire_bytes(FrameKind::sack, 4) == 98);
    static_assert(control_wire_bytes(FrameKind::nack, 4) == 82);
    static_assert(control_wire_bytes(FrameKind::probe, 4) == 78);
    static_assert(control_wire_bytes(FrameKind::trimmed, 4) == 66);
}

// [TR-27] The sizes that the model runs with are those of the build option.
TEST(WireSize, OfThisBuild)
{
    EXPECT_TRUE(kIcrcBytes == 0 || kIcrcBytes == 4);
    EXPECT_EQ(data_wire_bytes(4096, false), 4174u + kIcrcBytes);
    EXPECT_EQ(kAckWireBytes, 62u + kIcrcBytes);
    EXPECT_EQ(kSackWireBytes, 94u + kIcrcBytes);
    EXPECT_EQ(kNackWireBytes, 78u + kIcrcBytes);
    EXPECT_EQ(kProbeWireBytes, 74u + kIcrcBytes);
    EXPECT_EQ(kTrimmedWireBytes, 62u + kIcrcBytes);
}

// [FR-4] [TR-20 .. TR-26] Nothing but the frame takes time on the link: the sheet's times at 400 Gbps.
TEST(WireSize, TimesAtFourHundredGigabit)
{
    EXPECT_EQ(serialization_time(data_wire_bytes(4096, false, 0), k400Gbps), 83'480);
    EXPECT_EQ(serialization_time(data_wire_bytes(4096, true, 0), k400Gbps), 83'560);
    EXPECT_EQ(serialization_time(control_wire_bytes(FrameKind::ack, 0), k400Gbps), 1'240);
    EXPECT_EQ(serialization_time(control_wire_bytes(FrameKind::sack, 0), k400Gbps), 1'880);
    EXPECT_EQ(serialization_time(control_wire_bytes(FrameKind::nack, 0), k400Gbps), 1'560);
    EXPECT_EQ(serialization_time(control_wire_bytes(FrameKind::probe, 0), k400Gbps), 1'480);
    EXPECT_EQ(serialization_time(control_wire_bytes(FrameKind::trimmed, 0), k400Gbps), 1'240);
}

// [SW-31] A trimmed frame keeps its BTH, ts and opcode included, but neither TSETH, RETH, immediate nor payload.
TEST(WireSize, OfATrimmedFrameDependsOnNothing)
{
    FramePool pool;
    const FrameRef frame = pool.make();
    frame->bth.opcode = Opcode::write_only_immediate;
    frame->bth.timestamp = true;
    frame->payload_bytes = 4096;
    EXPECT_EQ(wire_bytes_of(*frame, 0), 4182u);
    frame->kind = FrameKind::trimmed;
    EXPECT_EQ(wire_bytes_of(*frame, 0), 62u);
}

}  // namespace
}  // namespace mrcnic::packet
