#include "mrcnic/nic/network_port.h"

#include <gtest/gtest.h>

#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::nic {
namespace {

using packet::FrameRef;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

NetworkPort::Parameters at_rate(BitsPerSecond rate, std::uint32_t gap = 0)
{
    NetworkPort::Parameters parameters;
    parameters.rate = rate;
    parameters.frame_gap_bytes = gap;
    parameters.place = {3, 7};
    return parameters;
}

/// The port with a scripted scheduler, wire and receiver.
struct Bench {
    explicit Bench(const NetworkPort::Parameters& parameters) : port{"port", agenda, parameters}
    {
        wiring.connect(scheduler.socket, port.from_scheduler, packet::Hop::port);
        wiring.connect(port.to_wire, wire.socket, packet::Hop::wire);
        wiring.connect(far_end.socket, port.from_wire.as_port(), packet::Hop::wire);
        wiring.connect(port.to_receiver, receiver.socket, packet::Hop::wire);
    }
    void run()
    {
        testbench::run_to_end([] { return true; });
        wiring.finish();
    }
    /// Starts the next frame in the instant in which one ends, `count` in all.
    void send_back_to_back(std::uint32_t payload, int count)
    {
        scheduler.on_backward = [this, payload, count](packet::Frame&, tlm::tlm_phase&, sc_core::sc_time&) {
            ends.push_back(agenda.now());
            if (static_cast<int>(ends.size()) < count) {
                script.at(agenda.now(), EventClass::choice, [this, payload] { scheduler.send(frames.data(payload)); });
            }
            return tlm::TLM_ACCEPTED;
        };
        script.at(0, EventClass::choice, [this, payload] { scheduler.send(frames.data(payload)); });
        run();
    }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    FrameInitiator scheduler{"scheduler", agenda};
    FrameTarget wire{"wire", agenda, tlm::TLM_COMPLETED};
    FrameInitiator far_end{"far_end", agenda};
    FrameTarget receiver{"receiver", agenda, tlm::TLM_COMPLETED};
    NetworkPort port;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
    std::vector<Picoseconds> ends;
};

// [FR-1, FR-4] 4,174 bytes take 83.48 ns at 400 Gbps, without preamble and gap; the wire gets the frame when its last
// bit is out [SW-2], the scheduler hears of it then [EG-2].
TEST(NetworkPort, OneFrame)
{
    Bench bench{at_rate(400'000'000'000)};
    bench.script.at(1'000, [&] { bench.scheduler.send(bench.frames.data()); });
    bench.script.look_at(41'000, [&] { EXPECT_EQ(bench.port.busy(), 40'000); });
    bench.run();
    EXPECT_EQ(bench.wire.seen, (Notes{"BEGIN_REQ 1@84480"}));
    EXPECT_EQ(bench.scheduler.seen, (Notes{"SENT 1@84480"}));
    EXPECT_EQ(bench.port.counters().tx_frames, 1U);
    EXPECT_EQ(bench.port.counters().tx_bytes, 4'174U);
    EXPECT_EQ(bench.port.busy(), 83'480);
}

// [FR-4] The attribute adds 20 bytes of link time, not of size: 4,194 bytes take 83.88 ns.
TEST(NetworkPort, PreambleAndGap)
{
    Bench bench{at_rate(400'000'000'000, 20)};
    bench.send_back_to_back(4'096, 3);
    EXPECT_EQ(bench.ends, (std::vector<Picoseconds>{83'880, 167'760, 251'640}));
    EXPECT_EQ(bench.port.counters().tx_bytes, 3U * 4'174U);
}

// [XT-1] 79 bytes at 7 Gbps take 90,285.714... ps: the sum is rounded, not the terms (3 x 90,286 = 270,858).
TEST(NetworkPort, RoundsTheSum)
{
    Bench bench{at_rate(7'000'000'000)};
    bench.send_back_to_back(1, 7);
    // 90,285.71, 180,571.43, 270,857.14, 361,142.86, 451,428.57, 541,714.29, 632,000
    EXPECT_EQ(bench.ends, (std::vector<Picoseconds>{90'286, 180'571, 270'857, 361'143, 451'429, 541'714, 632'000}));
}

// [XT-1] Halves go up: 80 bytes at 1.28 Tbps take 500 ps, at 5.12 Tbps 125 ps, at 51.2 Tbps 12.5 ps.
TEST(NetworkPort, HalvesGoUp)
{
    Bench bench{at_rate(51'200'000'000'000)};
    bench.send_back_to_back(2, 4);
    EXPECT_EQ(bench.ends, (std::vector<Picoseconds>{13, 25, 38, 50}));
}

// [XT-1] A million back-to-back frames at an awkward rate: every end is the rounded closed form.
TEST(NetworkPort, AMillionFrames)
{
    constexpr BitsPerSecond rate = 399'999'999'937;
    Bench bench{at_rate(rate)};
    bench.wire.holds_frames = false;
    bench.send_back_to_back(4'096, 1'000'000);
    ASSERT_EQ(bench.ends.size(), 1'000'000U);
    std::size_t wrong = 0;
    for (std::uint64_t n = 1; n <= 1'000'000; ++n) {
        // n x 33,392 bits x 10^12 / rate, in two steps of 64 bits: 83,480 ps and what 63 bps less make of it, which is
        // n x 33,392 x 10^12 / rate - n x 83,480 = n x 83,480 x 63 / rate.
        const std::uint64_t excess = n * 83'480U * 63U;
        const std::uint64_t rounded = n * 83'480U + (2U * excess + rate) / (2U * rate);
        wrong += bench.ends[n - 1] == static_cast<Picoseconds>(rounded) ? 0U : 1U;
    }
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(bench.ends.back(), 83'480'000'013);  // + 13.15
    EXPECT_EQ(bench.port.busy(), 83'480'000'013);
    EXPECT_EQ(bench.port.counters().tx_frames, 1'000'000U);
}

// [XT-1] After a pause a new busy period begins and its first end is rounded by itself.
TEST(NetworkPort, APauseBeginsANewPeriod)
{
    Bench bench{at_rate(7'000'000'000)};
    bench.script.at(0, [&] { bench.scheduler.send(bench.frames.data(1)); });
    bench.script.at(90'287, [&] { bench.scheduler.send(bench.frames.data(1)); });
    bench.run();
    EXPECT_EQ(bench.wire.times, (std::vector<Picoseconds>{90'286, 180'573}));  // not 180,572.4
    EXPECT_EQ(bench.port.busy(), 180'572);
}

// [SW-2] A frame arrives whole, after the annotated delay, and nothing is seen before; OE-1 gives two that come in one
// instant the order of their calls. The port notes where it came in.
TEST(NetworkPort, Arrival)
{
    Bench bench{at_rate(400'000'000'000)};
    bench.script.at(1'000, [&] {
        bench.far_end.send(bench.frames.data(), 100'000);
        bench.far_end.send(bench.frames.sack(), 100'000);
    });
    bench.script.look_at(100'999, [&] { EXPECT_EQ(bench.port.counters().rx_frames, 0U); });
    bench.run();
    EXPECT_EQ(bench.receiver.seen, (Notes{"BEGIN_REQ 1@101000", "BEGIN_REQ 2@101000"}));
    EXPECT_EQ(bench.receiver.frames[0]->ingress_port, 7U);
    EXPECT_EQ(bench.port.counters().rx_frames, 2U);
    EXPECT_EQ(bench.port.counters().rx_bytes, 4'174U + 94U);
}

// [OE-1] In one picosecond: (1) ends of serializations, (2) ends of PCIe transfers, (3) arrivals, (4) timers, whatever
// was scheduled first.
TEST(NetworkPort, PlaceInTheInstant)
{
    Bench bench{at_rate(400'000'000'000)};
    std::string order;
    bench.scheduler.on_backward = [&order](packet::Frame&, tlm::tlm_phase&, sc_core::sc_time&) {
        order += "end ";
        return tlm::TLM_ACCEPTED;
    };
    bench.receiver.on_forward = [&order](packet::Frame&, tlm::tlm_phase&, sc_core::sc_time&) {
        order += "arrival ";
        return tlm::TLM_COMPLETED;
    };
    bench.script.at(83'480, EventClass::timer, [&order] { order += "timer"; });
    bench.script.at(83'480, EventClass::pcie_to_nic, [&order] { order += "to_nic "; });
    bench.script.at(83'480, EventClass::pcie_to_host, [&order] { order += "to_host "; });
    bench.script.at(0, [&] {
        bench.far_end.send(bench.frames.data(), 83'480);
        bench.scheduler.send(bench.frames.data());
    });
    bench.run();
    EXPECT_EQ(order, "end to_host to_nic arrival timer");
}

/// Notes what it is told, and what the wire has seen by then.
struct Listener : packet::WireObserver {
    explicit Listener(const Bench& on) : bench{on} {}
    void frame_sent(const packet::Frame& frame, std::uint32_t transmitter) override
    {
        notes.push_back(std::to_string(transmitter) + ": " + std::to_string(frame.uid) + '@' +
                        std::to_string(bench.agenda.now()) + " before " + std::to_string(bench.wire.seen.size()));
    }
    const Bench& bench;
    Notes notes;
};

// [SW-2] An observer hears of a frame when its last bit is out, before the link has it; of what arrives it hears
// nothing, and nothing more once it is off.
TEST(NetworkPort, TellsItsObserver)
{
    Bench bench{at_rate(400'000'000'000)};
    Listener listener{bench};
    bench.port.observe(&listener, 42);
    bench.script.at(0, [&] {
        bench.scheduler.send(bench.frames.data());
        bench.far_end.send(bench.frames.data(), 10'000);
    });
    bench.script.at(100'000, [&] { bench.scheduler.send(bench.frames.data()); });
    bench.script.at(190'000, [&] {
        bench.port.observe(nullptr, 0);
        bench.scheduler.send(bench.frames.data());
    });
    bench.run();
    EXPECT_EQ(listener.notes, (Notes{"42: 1@83480 before 0", "42: 3@183480 before 1"}));
    EXPECT_EQ(bench.wire.seen.size(), 3U);
    EXPECT_EQ(bench.port.place().node, 3U);
    EXPECT_EQ(bench.port.place().port, 7U);
}

// [SW-1] Both directions are independent: receiving takes no time of sending.
TEST(NetworkPort, DirectionsAreIndependent)
{
    Bench bench{at_rate(400'000'000'000)};
    bench.script.at(0, [&] {
        bench.scheduler.send(bench.frames.data());
        for (int i = 1; i <= 5; ++i) {
            bench.far_end.send(bench.frames.data(), i * 10'000);
        }
    });
    bench.run();
    EXPECT_EQ(bench.wire.times, (std::vector<Picoseconds>{83'480}));
    EXPECT_EQ(bench.receiver.frames.size(), 5U);
}

}  // namespace
}  // namespace mrcnic::nic
