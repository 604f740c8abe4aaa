#include "mrcnic/net/trimmer.h"

#include <gtest/gtest.h>

namespace mrcnic::net {
namespace {

using packet::DscpRole;
using packet::FrameKind;
using packet::FrameRef;

const packet::DscpCodepoints kCodepoints;

FrameRef full_packet(packet::FramePool& frames)
{
    FrameRef frame = frames.make();
    frame->wire_bytes = 4'178;
    frame->payload_bytes = 4'096;
    frame->payload.resize(4'096);
    frame->network.dscp = kCodepoints.trimmable;
    frame->network.udp_source = 300;
    frame->bth.psn = 77;
    frame->bth.destination_qp = 5;
    frame->bth.timestamp = true;
    frame->meth.msn = 9;
    frame->tseth.timestamp = 1'234;
    frame->reth.virtual_address = 0x2'0000'0000;
    frame->reth.dma_length = 4'096;
    return frame;
}

// [SW-30] TRIMMABLE and TRIMMABLE_RTX data, if trimming is on.
TEST(Trimmer, WhatIsTrimmed)
{
    packet::FramePool frames;
    const FrameRef frame = full_packet(frames);
    const Trimmer on{true, kCodepoints};
    EXPECT_TRUE(on.trims(*frame, DscpRole::trimmable));
    EXPECT_TRUE(on.trims(*frame, DscpRole::trimmable_rtx));
    for (const DscpRole role :
         {DscpRole::no_trim, DscpRole::trimmed, DscpRole::trimmed_lasthop, DscpRole::control, DscpRole::unrecognized}) {
        EXPECT_FALSE(on.trims(*frame, role));
    }
    EXPECT_FALSE((Trimmer{false, kCodepoints}.trims(*frame, DscpRole::trimmable)));
    frame->kind = FrameKind::probe;
    EXPECT_FALSE(on.trims(*frame, DscpRole::trimmable));
}

// [SW-31, SW-32, SW-12] 62 bytes on the wire, charged 46; PSN, QP and entropy survive, payload, RETH and TSETH do not;
// ECN stays.
TEST(Trimmer, WhatIsLeft)
{
    packet::FramePool frames;
    for (const bool last_hop : {false, true}) {
        const FrameRef frame = full_packet(frames);
        frame->network.ecn = packet::Ecn::ce;
        Trimmer{true, kCodepoints}.trim(*frame, last_hop);
        EXPECT_EQ(frame->kind, FrameKind::trimmed);
        EXPECT_EQ(frame->wire_bytes, 62U + packet::kIcrcBytes);
        EXPECT_EQ(frame->network.dscp, last_hop ? 16 : 12);
        EXPECT_EQ(frame->network.ecn, packet::Ecn::ce);
        EXPECT_EQ(frame->network.udp_source, 300);
        EXPECT_EQ(frame->bth.psn, 77U);
        EXPECT_EQ(frame->bth.destination_qp, 5U);
        EXPECT_EQ(frame->meth.msn, 9);
        EXPECT_EQ(frame->payload_bytes, 0U);
        EXPECT_TRUE(frame->payload.empty());
        EXPECT_EQ(frame->tseth.timestamp, 0);
        EXPECT_EQ(frame->reth.virtual_address, 0U);
        EXPECT_EQ(frame->reth.dma_length, 0U);
        EXPECT_EQ(frame->traffic_class, packet::TrafficClass::control);
    }
}

}  // namespace
}  // namespace mrcnic::net
