#include "mrcnic/net/network_link.h"

#include <random>

#include <gtest/gtest.h>

#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::net {
namespace {

using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Numbers = std::vector<std::uint64_t>;

struct Bench {
    explicit Bench(Picoseconds delay) : link{"link", delay}
    {
        wiring.connect(near.socket, link.from.as_port(), packet::Hop::wire);
        wiring.connect(link.to, far.socket, packet::Hop::link_end);
    }
    /// Sends `count` frames, one each ps, and tells which ones arrive.
    Numbers arrivals_of(int count)
    {
        for (int i = 0; i < count; ++i) {
            // [SW-4] control frames and probes are counted like data
            script.at(i, [this, i] {
                near.send(i % 3 == 0   ? frames.data()
                          : i % 3 == 1 ? frames.sack()
                                       : frames.make(packet::FrameKind::probe, packet::kProbeWireBytes, 0));
            });
        }
        testbench::run_to_end([] { return true; });
        Numbers uids;
        for (const packet::FrameRef& frame : far.frames) {
            uids.push_back(frame->uid);
        }
        return uids;
    }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    FrameInitiator near{"near", agenda};
    FrameTarget far{"far", agenda, tlm::TLM_COMPLETED};
    NetworkLink link;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
};

// [SW-2] A frame arrives `Delay` after its serialization ended; a delay annotated before is kept.
TEST(NetworkLink, AddsItsDelay)
{
    Bench bench{100'000};
    bench.script.at(83'480, [&] { bench.near.send(bench.frames.data()); });
    bench.script.at(90'000, [&] { bench.near.send(bench.frames.data(), 7); });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(bench.far.times, (std::vector<Picoseconds>{183'480, 190'007}));
}

TEST(NetworkLink, NoDelay)
{
    Bench bench{0};
    bench.script.at(83'480, [&] { bench.near.send(bench.frames.data()); });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(bench.far.times, (std::vector<Picoseconds>{83'480}));
}

// [SW-4] Without a fault nothing is lost, and the order is kept.
TEST(NetworkLink, LosesNothing)
{
    Bench bench{100'000};
    EXPECT_EQ(bench.arrivals_of(7), (Numbers{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(bench.link.frames(), 7U);
    EXPECT_EQ(bench.link.dropped(), 0U);
}

// [SW-4] The n-th frame, counted from 1, once.
TEST(NetworkLink, DropsTheNth)
{
    Bench bench{100'000};
    bench.link.inject({LinkFault::Action::drop, 3, 0});
    EXPECT_EQ(bench.arrivals_of(7), (Numbers{1, 2, 4, 5, 6, 7}));
    EXPECT_EQ(bench.link.frames(), 7U);
    EXPECT_EQ(bench.link.dropped(), 1U);
}

// [SW-4] Every k-th frame, those dropped counted too; faults add up.
TEST(NetworkLink, DropsEveryKth)
{
    Bench bench{100'000};
    bench.link.inject({LinkFault::Action::drop, 0, 3});
    bench.link.inject({LinkFault::Action::drop, 4, 0});
    EXPECT_EQ(bench.arrivals_of(10), (Numbers{1, 2, 5, 7, 8, 10}));
    EXPECT_EQ(bench.link.dropped(), 4U);
}

// [SW-4] A marked frame arrives, with CE.
TEST(NetworkLink, Marks)
{
    Bench bench{100'000};
    bench.link.inject({LinkFault::Action::mark, 0, 2});
    EXPECT_EQ(bench.arrivals_of(4), (Numbers{1, 2, 3, 4}));
    for (const packet::FrameRef& frame : bench.far.frames) {
        EXPECT_EQ(frame->network.ecn, frame->uid % 2 == 0 ? packet::Ecn::ce : packet::Ecn::ect1);
    }
    EXPECT_EQ(bench.link.marked(), 2U);
    EXPECT_EQ(bench.link.dropped(), 0U);
}

LinkFault fault_of(LinkFault::Action action)
{
    LinkFault fault;
    fault.action = action;
    return fault;
}

// A copy arrives right after its frame and at the same time, with all that the frame says.
TEST(NetworkLink, Duplicates)
{
    Bench bench{100'000};
    LinkFault fault = fault_of(LinkFault::Action::duplicate);
    fault.nth = 2;
    bench.link.inject(fault);
    EXPECT_EQ(bench.arrivals_of(3), (Numbers{1, 2, 2, 3}));
    EXPECT_EQ(bench.far.times, (std::vector<Picoseconds>{100'000, 100'001, 100'001, 100'002}));
    EXPECT_NE(bench.far.frames[1].get(), bench.far.frames[2].get());
    EXPECT_EQ(bench.far.frames[2]->kind, packet::FrameKind::sack);
    EXPECT_EQ(bench.far.frames[2]->wire_bytes, packet::kSackWireBytes);
    EXPECT_EQ(bench.link.copies(), 1U);
    EXPECT_EQ(bench.link.delivered(), 4U);
    EXPECT_EQ(bench.link.live_copies(), 1U);
    bench.far.frames.clear();
    EXPECT_EQ(bench.link.live_copies(), 0U);
}

// A delayed frame is overtaken by those behind it; the checker of the link's end allows that.
TEST(NetworkLink, DelaysSoThatOthersOvertake)
{
    Bench bench{100'000};
    LinkFault fault = fault_of(LinkFault::Action::delay);
    fault.every = 2;
    fault.extra_delay = 5;
    bench.link.inject(fault);
    static_cast<void>(bench.arrivals_of(4));
    EXPECT_EQ(bench.far.times, (std::vector<Picoseconds>{100'000, 100'006, 100'002, 100'008}));
    EXPECT_EQ(bench.link.delivered(), 4U);
}

// Each frame by a draw of its own; the draws are those of the seed.
TEST(NetworkLink, DropsAtRandom)
{
    Bench bench{100'000};
    LinkFault fault = fault_of(LinkFault::Action::drop);
    fault.probability = 0.25;
    fault.seed = 11;
    bench.link.inject(fault);
    const Numbers arrived = bench.arrivals_of(1'000);
    std::mt19937_64 draws{11};
    Numbers expected;
    for (std::uint64_t uid = 1; uid <= 1'000; ++uid) {
        if (static_cast<double>(draws() >> 11U) / 9'007'199'254'740'992.0 >= 0.25) {
            expected.push_back(uid);
        }
    }
    EXPECT_EQ(arrived, expected);
    EXPECT_EQ(bench.link.dropped(), 1'000 - expected.size());
    EXPECT_GT(bench.link.dropped(), 200U);
    EXPECT_LT(bench.link.dropped(), 300U);
}

// Frames of one kind only, counted by themselves: the second SACK is frame 5.
TEST(NetworkLink, OneKindOnly)
{
    Bench bench{100'000};
    LinkFault fault = fault_of(LinkFault::Action::drop);
    fault.nth = 2;
    fault.only = packet::FrameKind::sack;
    bench.link.inject(fault);
    EXPECT_EQ(bench.arrivals_of(9), (Numbers{1, 2, 3, 4, 6, 7, 8, 9}));
}

// A drop beats a copy and a mark of the same frame.
TEST(NetworkLink, DropBeatsTheOthers)
{
    Bench bench{100'000};
    for (const auto action : {LinkFault::Action::duplicate, LinkFault::Action::drop, LinkFault::Action::mark}) {
        LinkFault fault = fault_of(action);
        fault.nth = 1;
        bench.link.inject(fault);
    }
    EXPECT_EQ(bench.arrivals_of(2), (Numbers{2}));
    EXPECT_EQ(bench.link.copies() + bench.link.marked(), 0U);
}

// [SW-57] A cut loses all that comes after it; what is under way still arrives.
TEST(NetworkLink, CutLosesAllFromThenOn)
{
    Bench bench{100'000};
    bench.script.at(2, EventClass::timer, [&bench] { bench.link.cut(); });
    EXPECT_EQ(bench.arrivals_of(6), (Numbers{1, 2, 3}));
    EXPECT_EQ(bench.link.dropped(), 3U);
    EXPECT_EQ(bench.link.frames(), 6U);
}

// A dropped frame is let go.
TEST(NetworkLink, DroppedFramesGoHome)
{
    Bench bench{0};
    bench.link.inject({LinkFault::Action::drop, 0, 1});
    EXPECT_TRUE(bench.arrivals_of(5).empty());
    EXPECT_EQ(bench.frames.live(), 0U);
}

}  // namespace
}  // namespace mrcnic::net
