#include "mrcnic/nic/transmit_scheduler.h"

#include <gtest/gtest.h>

#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::nic {
namespace {

using packet::FrameKind;
using packet::FrameRef;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

const ExactTiming kExact;

TransmitScheduler::Parameters nic_parameters()
{
    TransmitScheduler::Parameters parameters;
    parameters.stamps_service_time = true;
    return parameters;
}

/// The scheduler between a scripted buffer and a scripted port, which is told when a serialization ends.
struct Bench {
    explicit Bench(const TransmitScheduler::Parameters& parameters = nic_parameters())
        : scheduler{"scheduler", agenda, kExact, bands, parameters}
    {
        wiring.connect(buffer.socket, scheduler.from_buffer, packet::Hop::queue);
        wiring.connect(scheduler.to_port, port.socket, packet::Hop::port);
    }
    void join(const FrameRef& frame) { buffer.send(frame); }
    /// The frame that the port got last has left it.
    void sent_at(Picoseconds when)
    {
        script.at(when, EventClass::serialization_end,
                  [this] { port.back(FrameRef{port.frames.back()}, packet::phase::SENT); });
    }
    void run()
    {
        testbench::run_to_end([] { return true; });
        wiring.finish();
    }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    queue_disc::ControlBeforeData bands;
    FrameInitiator buffer{"buffer", agenda};
    FrameTarget port{"port", agenda, tlm::TLM_ACCEPTED};
    TransmitScheduler scheduler;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
};

// [TX-1] Control before data, first in, first out inside a class; one frame at a time, never interrupted.
TEST(TransmitScheduler, ControlFirstThenInOrder)
{
    Bench bench;
    bench.script.at(0, [&] { bench.join(bench.frames.data()); });  // 1, on the link alone
    bench.script.at(10, [&] {
        bench.join(bench.frames.data());                   // 2
        bench.join(bench.frames.data());                   // 3
        bench.join(bench.frames.sack());                   // 4
        bench.join(bench.frames.control(FrameKind::ack));  // 5
    });
    for (const Picoseconds end : {100, 200, 300, 400, 500}) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(bench.port.seen,
              (Notes{"BEGIN_REQ 1@0", "BEGIN_REQ 4@100", "BEGIN_REQ 5@200", "BEGIN_REQ 2@300", "BEGIN_REQ 3@400"}));
    EXPECT_EQ(bench.buffer.seen, (Notes{"SENT 1@100", "SENT 4@200", "SENT 5@300", "SENT 2@400", "SENT 3@500"}));
    EXPECT_TRUE(bench.scheduler.queue().empty());
}

// [TX-1] Retransmissions and probes are data: behind what is queued. NACKs are control.
TEST(TransmitScheduler, ProbeQueuesBehindData)
{
    Bench bench;
    bench.script.at(0, [&] {
        bench.join(bench.frames.data());
        bench.join(bench.frames.make(FrameKind::probe, packet::kProbeWireBytes, 0));
        bench.join(bench.frames.control(FrameKind::nack));
    });
    for (const Picoseconds end : {100, 200, 300}) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(bench.port.seen, (Notes{"BEGIN_REQ 3@0", "BEGIN_REQ 1@100", "BEGIN_REQ 2@200"}));
}

// [OE-3] The port chooses last: a SACK that joins in the instant in which it becomes free, after that event and with an
// arrival, goes before data that has waited; so does one that joins an idle port in the instant in which data did.
TEST(TransmitScheduler, ChoosesWhenTheInstantIsOver)
{
    Bench bench;
    bench.script.at(0, EventClass::pcie_to_nic, [&] { bench.join(bench.frames.data()); });
    bench.script.at(0, EventClass::arrival, [&] { bench.join(bench.frames.sack()); });
    bench.sent_at(100);
    bench.script.at(100, EventClass::posting, [&] { bench.join(bench.frames.sack()); });
    bench.sent_at(200);
    bench.sent_at(300);
    bench.run();
    EXPECT_EQ(bench.port.seen, (Notes{"BEGIN_REQ 2@0", "BEGIN_REQ 3@100", "BEGIN_REQ 1@200"}));
}

// [TX-2, TR-71, TR-W8] A SACK behind 3 SACKs and 2 ACKs. The frame on the link does not count, data does not count.
TEST(TransmitScheduler, ServiceTimes)
{
    Bench bench;
    FrameRef behind_five;
    bench.script.at(0, [&] { bench.join(bench.frames.data()); });  // on the link
    bench.script.at(10, [&] {
        bench.join(bench.frames.data());
        for (int i = 0; i < 3; ++i) {
            bench.join(bench.frames.sack());
        }
        for (int i = 0; i < 2; ++i) {
            bench.join(bench.frames.control(FrameKind::ack));
        }
        behind_five = bench.frames.sack();
        bench.join(behind_five);
    });
    for (Picoseconds end = 100; end <= 800; end += 100) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(behind_five->service_time, 8'120);  // 3 x 1,880 + 2 x 1,240
}

// [TX-2, TR-W8] Behind 10 SACKs; behind 271, with itself the 272 that fit the pool.
TEST(TransmitScheduler, ServiceTimesBehindManySacks)
{
    Bench bench;
    std::vector<FrameRef> sacks;
    bench.script.at(0, [&] { bench.join(bench.frames.data()); });
    bench.script.at(10, [&] {
        for (int i = 0; i < 272; ++i) {
            sacks.push_back(bench.frames.sack());
            bench.join(sacks.back());
        }
    });
    for (Picoseconds end = 100; end <= 27'300; end += 100) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(sacks[0]->service_time, 0);
    EXPECT_EQ(sacks[10]->service_time, 18'800);
    EXPECT_EQ(sacks[271]->service_time, 509'480);
}

// [OE-3, TR-71] A frame that will start in this instant is still ahead; one that has started is not.
TEST(TransmitScheduler, WhatStartsInThisInstantIsStillAhead)
{
    Bench bench;
    const FrameRef first = bench.frames.sack();
    const FrameRef second = bench.frames.sack();
    const FrameRef third = bench.frames.sack();
    bench.script.at(5, [&] {
        bench.join(first);
        bench.join(second);
    });
    bench.script.at(6, [&] { bench.join(third); });
    for (const Picoseconds end : {1'885, 3'765, 5'645}) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(first->service_time, 0);
    EXPECT_EQ(second->service_time, 1'880);
    EXPECT_EQ(third->service_time, 1'880);
}

// [TR-71] `ServiceTimeStep` rounds down; [FR-4] the gap counts as link time; only SACKs are stamped.
TEST(TransmitScheduler, ServiceTimeStepAndGap)
{
    TransmitScheduler::Parameters parameters = nic_parameters();
    parameters.service_time_step = 1'000;
    parameters.frame_gap_bytes = 20;
    Bench bench{parameters};
    const FrameRef ack = bench.frames.control(FrameKind::ack);
    const FrameRef sack = bench.frames.sack();
    bench.script.at(0, [&] { bench.join(bench.frames.data()); });
    bench.script.at(10, [&] {
        bench.join(bench.frames.sack());
        bench.join(ack);
        bench.join(sack);
    });
    for (const Picoseconds end : {100, 200, 300, 400}) {
        bench.sent_at(end);
    }
    bench.run();
    EXPECT_EQ(ack->service_time, 0);
    EXPECT_EQ(sack->service_time, 3'000);  // (94 + 20 + 62 + 20) x 20 ps = 3,920
}

// [TX-2] A switch does not stamp: what the sender wrote stays.
TEST(TransmitScheduler, ASwitchLeavesTheServiceTimeAlone)
{
    Bench bench{TransmitScheduler::Parameters{}};
    const FrameRef sack = bench.frames.sack();
    sack->service_time = 18'800;
    bench.script.at(0, [&] {
        bench.join(bench.frames.sack());
        bench.join(sack);
    });
    bench.sent_at(100);
    bench.sent_at(200);
    bench.run();
    EXPECT_EQ(sack->service_time, 18'800);
}

/// Counts the frames that start, and marks them.
struct Marks final : queue_disc::StartPolicy {
    std::vector<std::uint64_t> started;
    void starts(packet::Frame& frame) override
    {
        started.push_back(frame.uid);
        frame.network.ecn = packet::Ecn::ce;
    }
};

// [SW-42] The start policy sees each frame once, when it is chosen, before the port does.
TEST(TransmitScheduler, StartPolicy)
{
    Marks marks;
    TransmitScheduler::Parameters parameters = nic_parameters();
    parameters.start_policy = &marks;
    Bench bench{parameters};
    bench.script.at(0, [&] {
        bench.join(bench.frames.data());
        bench.join(bench.frames.data());
    });
    bench.script.look_at(0, [&] {
        EXPECT_EQ(marks.started, (std::vector<std::uint64_t>{1}));
        EXPECT_EQ(bench.port.frames.back()->network.ecn, packet::Ecn::ce);
    });
    bench.sent_at(100);
    bench.sent_at(200);
    bench.run();
    EXPECT_EQ(marks.started, (std::vector<std::uint64_t>{1, 2}));
}

}  // namespace
}  // namespace mrcnic::nic
