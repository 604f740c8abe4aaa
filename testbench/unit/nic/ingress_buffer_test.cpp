#include "mrcnic/nic/ingress_buffer.h"

#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::nic {
namespace {

using packet::FrameKind;
using packet::FrameRef;
using packet::TrafficClass;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

/// The buffer between a scripted port, transport and DMA. The transport wants data with a payload written; the DMA
/// accepts when told to, or at once.
struct Bench {
    explicit Bench(std::uint64_t total_size = 4'000'000, bool reports_writes = false)
        : buffer{"ingress_buffer", {total_size, packet::DscpCodepoints{}, reports_writes}}
    {
        wiring.connect(port.socket, buffer.from_port, packet::Hop::wire);
        wiring.connect(buffer.to_transport, transport.socket, packet::Hop::delivery);
        wiring.connect(buffer.to_dma, dma.socket, packet::Hop::host);
        transport.on_forward = [this](packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&) {
            order += 'T';
            if (phase == tlm::BEGIN_REQ && frame.kind == FrameKind::data && frame.payload_bytes > 0 && !discards) {
                phase = packet::phase::WRITE;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_COMPLETED;
        };
        dma.on_forward = [this](packet::Frame&, tlm::tlm_phase& phase, sc_core::sc_time&) {
            order += 'D';
            if (accepts_at_once) {
                phase = packet::phase::ACCEPTED;
                return tlm::TLM_UPDATED;
            }
            return tlm::TLM_ACCEPTED;
        };
    }
    void arrive(const FrameRef& frame) { port.send(frame); }
    void accept(std::size_t i) { dma.back(FrameRef{dma.frames[i]}, packet::phase::ACCEPTED); }
    void run()
    {
        testbench::run_to_end([] { return true; });
        wiring.finish();
    }
    [[nodiscard]] std::uint64_t data() const { return buffer.pool(TrafficClass::data).occupancy(); }
    [[nodiscard]] std::uint64_t control() const { return buffer.pool(TrafficClass::control).occupancy(); }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    FrameInitiator port{"port", agenda};
    FrameTarget transport{"transport", agenda, tlm::TLM_COMPLETED};
    FrameTarget dma{"dma", agenda, tlm::TLM_ACCEPTED};
    IngressBuffer buffer;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
    std::string order;
    bool accepts_at_once{false};
    bool discards{false};
};

// [PL-1, PL-2] The default split; [IN-2, IN-3] data stays charged until its write is accepted, and the transport, with
// its acknowledgements, comes before the write.
TEST(IngressBuffer, HoldsDataUntilItsWriteIsAccepted)
{
    Bench bench;
    EXPECT_EQ(bench.buffer.pool(TrafficClass::data).size(), 3'600'000U);
    EXPECT_EQ(bench.buffer.pool(TrafficClass::control).size(), 400'000U);
    bench.script.at(0, [&] {
        bench.arrive(bench.frames.data());
        EXPECT_EQ(bench.data(), 4'174U);
        EXPECT_EQ(bench.order, "TD");
        bench.arrive(bench.frames.data(100));
        EXPECT_EQ(bench.data(), 4'174U + 178U);
    });
    bench.script.at(1'000, [&] {
        bench.accept(0);
        EXPECT_EQ(bench.data(), 178U);
        bench.accept(1);
        EXPECT_EQ(bench.data(), 0U);
    });
    bench.run();
    EXPECT_EQ(bench.dma.seen, (Notes{"WRITE 1@0", "WRITE 2@0"}));  // [IN-3] in arrival order
    EXPECT_EQ(bench.order, "TDTD");
}

// [IN-2, IN-4] Accepted inside the call: the pool holds one packet at a time.
TEST(IngressBuffer, AcceptedAtOnce)
{
    Bench bench;
    bench.accepts_at_once = true;
    bench.script.at(0, [&] {
        for (int i = 0; i < 10; ++i) {
            bench.arrive(bench.frames.data());
            EXPECT_EQ(bench.data(), 0U);
        }
    });
    bench.run();
    EXPECT_EQ(bench.buffer.pool(TrafficClass::data).peak(), 4'174U);
}

// [FR-2, IN-1] Under 64 bytes is charged 64: the ACK and the trimmed frame; everything else its size on the wire.
TEST(IngressBuffer, Charges)
{
    Bench bench;
    bench.accepts_at_once = true;
    bench.script.at(0, [&] {
        const auto charged = [&bench](const FrameRef& frame) {
            bench.arrive(frame);
            return frame->charged_bytes;
        };
        EXPECT_EQ(charged(bench.frames.control(FrameKind::ack)), 64U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::trimmed, 62, 12)), 64U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::trimmed, 62, 16)), 64U);
        EXPECT_EQ(charged(bench.frames.sack()), 94U);
        EXPECT_EQ(charged(bench.frames.control(FrameKind::nack)), 78U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::probe, 74, 0)), 74U);
        EXPECT_EQ(charged(bench.frames.data(0)), 78U);
        EXPECT_EQ(charged(bench.frames.data()), 4'174U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::foreign, 64, 1)), 64U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::foreign, 63, 1)), 64U);
        EXPECT_EQ(charged(bench.frames.make(FrameKind::foreign, 65, 1)), 65U);
    });
    bench.run();
    EXPECT_EQ(bench.buffer.pool(TrafficClass::control).bytes_in(), 64U + 64U + 64U + 94U + 78U);
    EXPECT_EQ(bench.buffer.pool(TrafficClass::data).bytes_in(), 74U + 78U + 4'174U + 64U + 64U + 65U);
    EXPECT_EQ(bench.control() + bench.data(), 0U);  // [IN-2] all processed
}

// [FR-3] The class is that of the codepoint's role, whatever the sender made of the frame: a switch may have trimmed
// it.
TEST(IngressBuffer, ClassByCodepoint)
{
    Bench bench;
    bench.script.at(0, [&] {
        for (std::uint8_t dscp = 0; dscp < 64; ++dscp) {
            const FrameRef frame = bench.frames.make(FrameKind::trimmed, 62, dscp);
            frame->traffic_class = TrafficClass::data;
            bench.arrive(frame);
            const bool control = dscp == 12 || dscp == 16 || dscp == 46;
            EXPECT_EQ(frame->traffic_class, control ? TrafficClass::control : TrafficClass::data) << int{dscp};
        }
    });
    bench.run();
    EXPECT_EQ(bench.buffer.pool(TrafficClass::control).reserved(), 3U);
    EXPECT_EQ(bench.buffer.pool(TrafficClass::data).reserved(), 61U);
}

// [IN-1] What does not fit is dropped, counted, and never reaches the transport; an exact fit is taken, and a smaller
// frame may still fit after a drop. [PL-1] The control pool goes on by itself.
TEST(IngressBuffer, DropsWhatDoesNotFit)
{
    Bench bench{10'000};  // 9,000 and 1,000
    bench.script.at(0, [&] {
        bench.arrive(bench.frames.data());     // 4,174
        bench.arrive(bench.frames.data());     // 8,348
        bench.arrive(bench.frames.data());     // dropped
        bench.arrive(bench.frames.data(575));  // 653: one too much
        bench.arrive(bench.frames.data(574));  // 652: full
        EXPECT_EQ(bench.data(), 9'000U);
        bench.arrive(bench.frames.make(FrameKind::probe, 74, 0));  // data class
        bench.arrive(bench.frames.sack());
    });
    bench.script.at(1, [&] {
        for (std::size_t i = 0; i < 3; ++i) {
            bench.accept(i);
        }
        bench.arrive(bench.frames.make(FrameKind::probe, 74, 0));
    });
    bench.run();
    EXPECT_EQ(bench.buffer.drops(), 3U);
    EXPECT_EQ(bench.transport.seen,
              (Notes{"BEGIN_REQ 1@0", "BEGIN_REQ 2@0", "BEGIN_REQ 5@0", "BEGIN_REQ 7@0", "BEGIN_REQ 8@1"}));
}

// [IN-1] A dropped frame is let go: nobody holds it.
TEST(IngressBuffer, DroppedFramesGoHome)
{
    Bench bench{5'000};
    bench.transport.holds_frames = false;
    bench.dma.holds_frames = false;
    bench.accepts_at_once = true;
    bench.script.at(0, [&] {
        bench.arrive(bench.frames.data(4'600));
        bench.arrive(bench.frames.data());
    });
    bench.run();
    EXPECT_EQ(bench.buffer.drops(), 1U);
    EXPECT_EQ(bench.frames.live(), 0U);
}

// [IN-2] Discarded after admission, or without payload: released at once, no write.
TEST(IngressBuffer, NothingToWrite)
{
    Bench bench;
    bench.script.at(0, [&] {
        bench.arrive(bench.frames.data(0));
        bench.discards = true;
        bench.arrive(bench.frames.data());
        EXPECT_EQ(bench.data(), 0U);
    });
    bench.run();
    EXPECT_TRUE(bench.dma.seen.empty());
}

// [TR-62] Asked to, it tells the transport of every accepted write, in the call or later, after the room is free.
TEST(IngressBuffer, ReportsAcceptedWrites)
{
    Bench bench{4'000'000, true};
    bench.script.at(0, [&] { bench.arrive(bench.frames.data()); });
    bench.script.at(500, [&] { bench.accept(0); });
    bench.script.at(600, [&] {
        bench.accepts_at_once = true;
        bench.arrive(bench.frames.data());
        bench.arrive(bench.frames.data(0));
    });
    bench.run();
    EXPECT_EQ(bench.transport.seen,
              (Notes{"BEGIN_REQ 1@0", "ACCEPTED 1@500", "BEGIN_REQ 2@600", "ACCEPTED 2@600", "BEGIN_REQ 3@600"}));
}

// [PL-3, IN-1] Random arrivals: arrived = delivered + dropped, reserved = released.
TEST(IngressBuffer, RandomTraffic)
{
    std::mt19937_64 random{testbench::seed()};
    Bench bench{12'000};
    std::size_t accepted = 0;
    for (int step = 0; step < 20'000; ++step) {
        bench.script.at(step, [&] {
            if (random() % 2 == 0) {
                bench.arrive(random() % 4 == 0 ? bench.frames.sack()
                                               : bench.frames.data(static_cast<std::uint32_t>(random() % 4'097)));
            } else if (accepted < bench.dma.frames.size()) {
                bench.accept(accepted++);
            }
        });
    }
    bench.script.at(20'000, [&] {
        while (accepted < bench.dma.frames.size()) {
            bench.accept(accepted++);
        }
    });
    bench.run();
    const BytePool& pool = bench.buffer.pool(TrafficClass::data);
    EXPECT_GT(bench.buffer.drops(), 0U);
    EXPECT_EQ(pool.bytes_in(), pool.bytes_out());
    EXPECT_EQ(pool.occupancy(), 0U);
    EXPECT_LE(pool.peak(), pool.size());
    const FrameRef last = bench.frames.data();
    EXPECT_EQ(last->uid - 1, bench.transport.frames.size() + bench.buffer.drops());
}

}  // namespace
}  // namespace mrcnic::nic
