#include "mrcnic/packet/frame.h"

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/packet/frame_fields.h"

namespace mrcnic::packet {
namespace {

// A frame from the pool is as new, whatever it was before, and keeps the room of its payload.
TEST(Frame, ComesFromThePoolAsNew)
{
    const DscpRoles roles{DscpCodepoints{}};
    testing::RandomFrames random{testbench::seed(), roles};
    FramePool pool;
    const FrameRef fresh = pool.make();
    for (const FrameKind kind : {FrameKind::data, FrameKind::sack, FrameKind::nack, FrameKind::ack, FrameKind::probe}) {
        const FrameRef used = random.make(kind, 0, true);
        used->payload.resize(4096);
        used->service_time = 1;
        used->uid = used->message_id = used->local_address = 2;
        used->sender_qp = used->charged_bytes = used->transmission = 3;
        used->joined_queue_at = 4;
        used->ingress_port = 5;
        used->reset();
        EXPECT_GE(used->payload.capacity(), 4096u);
        EXPECT_TRUE(used->payload.empty());
        EXPECT_EQ(used->service_time + used->joined_queue_at, 0);
        EXPECT_EQ(used->uid + used->message_id + used->local_address, 0u);
        EXPECT_EQ(used->sender_qp + used->charged_bytes + used->transmission + used->ingress_port, 0u);
        EXPECT_EQ(testing::fields_of(*used), testing::fields_of(*fresh));
        used->kind = fresh->kind = kind;
        EXPECT_EQ(testing::fields_of(*used), testing::fields_of(*fresh));
        fresh->kind = FrameKind::data;
    }
}

// [TR-32] A new frame is ECT(1), for port 4791, with the NACK cc_type of the sheet.
TEST(Frame, StartsWithTheDefaultsOfTheSheet)
{
    FramePool pool;
    const FrameRef frame = pool.make();
    EXPECT_EQ(frame->network.ecn, Ecn::ect1);
    EXPECT_EQ(static_cast<int>(frame->network.ecn), 1);
    EXPECT_EQ(frame->network.udp_destination, 4791);
    EXPECT_EQ(frame->neth.cc_type, 2);
}

}  // namespace
}  // namespace mrcnic::packet
