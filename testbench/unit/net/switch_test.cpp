#include "mrcnic/net/switch.h"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::net {
namespace {

using packet::DscpRole;
using packet::FrameKind;
using packet::FrameRef;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

constexpr BitsPerSecond kRate = 400'000'000'000;
constexpr Picoseconds kFrameTime = 83'480;
constexpr packet::Address kFirst = 0x0A00'0001;

/// A switch with a scripted sender and receiver at each port; address kFirst + i is at port i.
struct Bench {
    explicit Bench(std::size_t ports, std::uint64_t queue_limit = 1'500'000, Picoseconds latency = 0)
        : Bench{std::vector<BitsPerSecond>(ports, kRate), queue_limit, latency}
    {
    }
    Bench(const std::vector<BitsPerSecond>& rates, std::uint64_t queue_limit, Picoseconds latency)
        : Bench{parameters_of(rates, queue_limit, latency)}
    {
    }
    explicit Bench(const Switch::Parameters& parameters) : device{"switch", agenda, parameters}
    {
        for (std::size_t i = 0; i < parameters.ports.size(); ++i) {
            const std::string number = std::to_string(i);
            senders.push_back(std::make_unique<FrameInitiator>(("sender_" + number).c_str(), agenda));
            receivers.push_back(
                std::make_unique<FrameTarget>(("receiver_" + number).c_str(), agenda, tlm::TLM_COMPLETED));
            wiring.connect(senders[i]->socket, device.port(i).port.from_wire.as_port(), packet::Hop::wire);
            wiring.connect(device.port(i).port.to_wire, receivers[i]->socket, packet::Hop::wire);
            device.add_route(kFirst + static_cast<packet::Address>(i), static_cast<std::uint16_t>(i));
        }
    }
    static Switch::Parameters parameters_of(const std::vector<BitsPerSecond>& rates, std::uint64_t queue_limit,
                                            Picoseconds latency)
    {
        Switch::Parameters parameters;
        parameters.node = 16;
        parameters.policy.forwarding_latency = latency;
        parameters.policy.plane_bdp = queue_limit;
        parameters.policy.queue_drop_threshold = 1;
        for (const BitsPerSecond rate : rates) {
            parameters.ports.push_back({rate, true});
        }
        return parameters;
    }
    /// `frame` arrives whole at port `from` now, for the NIC at port `to`.
    void arrive(std::size_t from, std::size_t to, const FrameRef& frame)
    {
        frame->network.destination = kFirst + static_cast<packet::Address>(to);
        senders[from]->send(frame);
    }
    void run()
    {
        testbench::run_to_end([] { return true; });
        wiring.finish();
    }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    Switch device;
    std::vector<std::unique_ptr<FrameInitiator>> senders;
    std::vector<std::unique_ptr<FrameTarget>> receivers;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
};

// [SW-12] Wire - 18, at least 46: full data 4,156; with a timestamp 4,160; ACK 46; SACK 76; NACK 60; probe 56;
// trimmed 46.
TEST(SwitchClasses, Charges)
{
    EXPECT_EQ(switch_charge(packet::data_wire_bytes(4'096, false)), 4'156U);
    EXPECT_EQ(switch_charge(packet::data_wire_bytes(4'096, true)), 4'160U);
    EXPECT_EQ(switch_charge(packet::kAckWireBytes), 46U);
    EXPECT_EQ(switch_charge(packet::kSackWireBytes), 76U);
    EXPECT_EQ(switch_charge(packet::kNackWireBytes), 60U);
    EXPECT_EQ(switch_charge(packet::kProbeWireBytes), 56U);
    EXPECT_EQ(switch_charge(packet::kTrimmedWireBytes), 46U);
    EXPECT_EQ(switch_charge(18), 46U);
    EXPECT_EQ(switch_charge(1), 46U);
}

// [SW-25] Without the UET policy DSCP / 8: NO_TRIM and TRIMMABLE TC0, TRIMMABLE_RTX and TRIMMED TC1, TRIMMED_LASTHOP
// TC2, CONTROL TC5.
TEST(SwitchClasses, ByCodepointWithoutThePolicy)
{
    FrameMaker frames;
    const SwitchClasses classes{packet::DscpCodepoints{}, false};
    EXPECT_EQ(classes.count(), 8U);
    for (const auto& [codepoint, expected] : {std::pair{0, 0}, std::pair{4, 0}, std::pair{8, 1}, std::pair{12, 1},
                                              std::pair{16, 2}, std::pair{46, 5}, std::pair{63, 7}}) {
        const FrameRef frame = frames.make(FrameKind::data, 100, static_cast<std::uint8_t>(codepoint));
        EXPECT_EQ(classes.class_of(*frame), static_cast<std::size_t>(expected)) << codepoint;
        EXPECT_EQ(classes.pool_of(classes.class_of(*frame)), 0U);
        EXPECT_EQ(classes.band_of(*frame), 7U - static_cast<std::size_t>(expected));
    }
}

// [SW-20] CONTROL TC2; TRIMMED and TRIMMED_LASTHOP TC1; everything else TC0.
TEST(SwitchClasses, ByRole)
{
    EXPECT_EQ(switch_class_of(DscpRole::control), 2U);
    EXPECT_EQ(switch_class_of(DscpRole::trimmed), 1U);
    EXPECT_EQ(switch_class_of(DscpRole::trimmed_lasthop), 1U);
    for (const DscpRole role :
         {DscpRole::no_trim, DscpRole::trimmable, DscpRole::trimmable_rtx, DscpRole::unrecognized}) {
        EXPECT_EQ(switch_class_of(role), 0U);
    }
}

// [SW-10, SW-11, SW-2] Store and forward: a frame whose last bit arrives at 1,000 starts then and is out a frame time
// later, at the port of its destination and nowhere else.
TEST(Switch, StoresAndForwards)
{
    Bench bench{4};
    bench.script.at(1'000, [&] { bench.arrive(0, 2, bench.frames.data()); });
    bench.run();
    EXPECT_EQ(bench.receivers[2]->times, (std::vector<Picoseconds>{1'000 + kFrameTime}));
    EXPECT_TRUE(bench.receivers[0]->frames.empty() && bench.receivers[1]->frames.empty() &&
                bench.receivers[3]->frames.empty());
    EXPECT_EQ(bench.device.unroutable(), 0U);
}

// [SW-11] `ForwardingLatency` comes between the arrival and the egress queue; order is kept.
TEST(Switch, ForwardingLatency)
{
    Bench bench{3, 1'500'000, 50'000};
    bench.script.at(1'000, [&] {
        bench.arrive(0, 2, bench.frames.data());
        bench.arrive(1, 2, bench.frames.data());
    });
    bench.script.look_at(50'999, [&] { EXPECT_EQ(bench.device.port(2).queued_bytes(0), 0U); });
    bench.script.look_at(51'000, [&] { EXPECT_EQ(bench.device.port(2).queued_bytes(0), 2U * 4'156U); });
    bench.run();
    EXPECT_EQ(bench.receivers[2]->seen, (Notes{"BEGIN_REQ 1@134480", "BEGIN_REQ 2@217960"}));
}

// [SW-1] Each port runs at its own link's rate.
TEST(Switch, PortRates)
{
    Bench bench{{kRate, 100'000'000'000}, 1'500'000, 0};
    bench.script.at(0, [&] { bench.arrive(0, 1, bench.frames.data()); });
    bench.run();
    EXPECT_EQ(bench.receivers[1]->times, (std::vector<Picoseconds>{333'920}));
}

// [SW-14] Strict priority, the highest class first, first in, first out inside a class, never interrupting a frame.
TEST(Switch, StrictPriority)
{
    Bench bench{2};
    bench.script.at(0, [&] { bench.arrive(0, 1, bench.frames.data()); });                             // 1 on the wire
    bench.script.at(10, [&] { bench.arrive(0, 1, bench.frames.data()); });                            // 2
    bench.script.at(20, [&] { bench.arrive(0, 1, bench.frames.make(FrameKind::trimmed, 62, 12)); });  // 3
    bench.script.at(30, [&] { bench.arrive(0, 1, bench.frames.make(FrameKind::data, 4'174, 8)); });   // 4
    bench.script.at(40, [&] { bench.arrive(0, 1, bench.frames.sack()); });                            // 5
    bench.script.at(50, [&] { bench.arrive(0, 1, bench.frames.make(FrameKind::trimmed, 62, 16)); });  // 6
    bench.run();
    std::vector<std::uint64_t> order;
    for (const FrameRef& frame : bench.receivers[1]->frames) {
        order.push_back(frame->uid);
    }
    EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 5, 3, 6, 2, 4}));
    EXPECT_EQ(bench.receivers[1]->times[1], kFrameTime + 1'880);
}

// [SW-13, SW-23] Charged on arrival, released when the serialization on the egress port ends: the frame on the wire
// still counts. A class's limit is its own.
TEST(Switch, TheFrameOnTheWireCounts)
{
    Bench bench{2, 2 * 4'156};
    bench.script.at(0, [&] {
        bench.arrive(0, 1, bench.frames.data());  // 1
        bench.arrive(0, 1, bench.frames.data());  // 2
    });
    bench.script.at(1, [&] {
        EXPECT_EQ(bench.device.port(1).queued_bytes(0), 8'312U);
        bench.arrive(0, 1, bench.frames.data());  // 3: refused, with one frame on the wire and one waiting
        bench.arrive(0, 1, bench.frames.sack());  // 4: class 2
    });
    bench.script.look_at(1, [&] {
        EXPECT_EQ(bench.device.port(1).queued_bytes(2), 76U);
        EXPECT_EQ(bench.device.port(1).tx_drops(), 1U);
    });
    // [SW-5] The release of this instant comes before its arrival.
    bench.script.at(kFrameTime, EventClass::arrival, [&] { bench.arrive(0, 1, bench.frames.data()); });  // 5
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames.size(), 4U);
    EXPECT_EQ(bench.device.port(1).tx_drops(), 1U);
    EXPECT_EQ(bench.device.port(1).queued_bytes(0), 0U);
    EXPECT_EQ(bench.device.port(1).queued_bytes(2), 0U);
}

// [SW-23] Exactly the limit fits, one byte less does not.
TEST(Switch, LimitToTheByte)
{
    Bench bench{3, 4'156};
    Bench* const b = &bench;
    bench.script.at(0, [b] { b->arrive(0, 1, b->frames.data()); });
    bench.script.at(0, [b] { b->arrive(0, 2, b->frames.data(4'097)); });  // 4,157
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames.size(), 1U);
    EXPECT_EQ(bench.receivers[2]->frames.size(), 0U);
    EXPECT_EQ(bench.device.port(2).tx_drops(), 1U);
    EXPECT_EQ(bench.device.port(1).tx_drops(), 0U);
}

/// How many full packets one queue takes in one instant.
std::size_t packets_in_a_queue(std::uint64_t limit)
{
    Bench bench{2, limit};
    bench.script.at(0, [&] {
        for (int i = 0; i < 400; ++i) {
            bench.arrive(0, 1, bench.frames.data());
        }
    });
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames.size() + bench.device.port(1).tx_drops(), 400U);
    return bench.receivers[1]->frames.size();
}

// [SW-W3] Full packets in one queue: 72 of 300,000 (299,232), 360 of 1,500,000.
TEST(Switch, PacketsInAQueueOf300000)
{
    EXPECT_EQ(packets_in_a_queue(300'000), 72U);
}
TEST(Switch, PacketsInAQueueOf1500000)
{
    EXPECT_EQ(packets_in_a_queue(1'500'000), 360U);
}

/// k senders on ports 0..k-1 in lock step into port k: when and where is the first refusal?
struct FirstRefusal {
    std::size_t instant{0};   ///< counted from 1
    std::size_t position{0};  ///< in that instant's order, from 1
    std::size_t sender{0};    ///< from 1
};

FirstRefusal lock_step(std::size_t k, std::uint64_t limit, std::size_t instants)
{
    Bench bench{k + 1, limit};
    FirstRefusal first;
    std::vector<std::uint64_t> offered;  // senders of an instant, that were taken
    for (std::size_t i = 1; i <= instants; ++i) {
        const auto when = static_cast<Picoseconds>(i) * kFrameTime;
        bench.script.at(when, [&bench, k] {
            for (std::size_t port = 0; port < k; ++port) {
                const FrameRef frame = bench.frames.data();
                frame->message_id = port + 1;
                bench.arrive(port, k, frame);
            }
        });
        bench.script.look_at(when, [&, i] {
            if (bench.device.port(k).tx_drops() > 0 && first.instant == 0) {
                first.instant = i;
            }
        });
    }
    bench.run();
    // What came through tells who was refused: frames of an instant stand together, in its order.
    std::vector<std::vector<std::uint64_t>> taken(instants + 1);
    for (const FrameRef& frame : bench.receivers[k]->frames) {
        taken[(frame->uid - 1) / k + 1].push_back(frame->message_id);
    }
    const std::vector<std::uint64_t>& last_whole = taken[first.instant];
    first.position = last_whole.size() + 1;
    // [OE-4] In instant i the order starts at sender ((i - 1) mod k) + 1.
    first.sender = (first.instant - 1 + first.position - 1) % k + 1;
    for (std::size_t n = 0; n < last_whole.size(); ++n) {
        EXPECT_EQ(last_whole[n], (first.instant - 1 + n) % k + 1);
    }
    EXPECT_EQ(std::count(last_whole.begin(), last_whole.end(), first.sender), 0);
    return first;
}

void expect_first_refusal(std::size_t k, std::uint64_t limit, const FirstRefusal& expected)
{
    const FirstRefusal first = lock_step(k, limit, expected.instant);
    EXPECT_EQ(first.instant, expected.instant);
    EXPECT_EQ(first.position, expected.position);
    EXPECT_EQ(first.sender, expected.sender);
}

// [SW-W6, OE-4, SW-5] k senders in lock step into one port: first refusal, and under OE-4 its sender.
TEST(Switch, LockStepOf2)
{
    expect_first_refusal(2, 1'500'000, {360, 2, 1});
}
TEST(Switch, LockStepOf4)
{
    expect_first_refusal(4, 1'500'000, {120, 4, 3});
}
TEST(Switch, LockStepOf15)
{
    expect_first_refusal(15, 1'500'000, {26, 11, 6});
}
TEST(Switch, LockStepOf2With300000)
{
    expect_first_refusal(2, 300'000, {72, 2, 1});
}
TEST(Switch, LockStepOf4With300000)
{
    expect_first_refusal(4, 300'000, {24, 4, 3});
}
TEST(Switch, LockStepOf15With300000)
{
    expect_first_refusal(15, 300'000, {6, 3, 8});
}

/// Ports in the order in which the frames of one instant leave towards port 4.
std::vector<std::uint16_t> departures(const Bench& bench)
{
    std::vector<std::uint16_t> ports;
    for (const FrameRef& frame : bench.receivers[4]->frames) {
        ports.push_back(frame->ingress_port);
    }
    return ports;
}

// [OE-4] The port after the one that was first starts; an instant with a single arrival does not count; at port 0
// before there was one.
TEST(Switch, ArrivalsRotate)
{
    Bench bench{5};
    const auto arrive_at = [&bench](Picoseconds when, const std::vector<std::size_t>& ports) {
        bench.script.at(when, [&bench, ports] {
            for (const std::size_t port : ports) {
                bench.arrive(port, 4, bench.frames.data());
            }
        });
    };
    arrive_at(1'000, {2});           // single
    arrive_at(2'000, {3, 1, 0});     // from port 0: 0 1 3
    arrive_at(3'000, {3});           // single
    arrive_at(4'000, {0, 2, 3});     // from port 1: 2 3 0
    arrive_at(5'000, {0, 1});        // from port 3: wraps to 0 1
    arrive_at(6'000, {0, 1, 2, 3});  // from port 1: 1 2 3 0
    bench.run();
    EXPECT_EQ(departures(bench), (std::vector<std::uint16_t>{2, 0, 1, 3, 3, 2, 3, 0, 0, 1, 1, 2, 3, 0}));
}

// [OE-4, SW-11] With a forwarding latency the order of the instant of arrival stays.
TEST(Switch, ArrivalsRotateWithLatency)
{
    Bench bench{5, 1'500'000, 777};
    for (const Picoseconds when : {1'000, 2'000}) {
        bench.script.at(when, [&bench] {
            for (std::size_t port = 0; port < 3; ++port) {
                bench.arrive(port, 4, bench.frames.data());
            }
        });
    }
    bench.run();
    EXPECT_EQ(departures(bench), (std::vector<std::uint16_t>{0, 1, 2, 1, 2, 0}));
}

// [SW-18] No route: dropped, counted, and reported in words. Addresses below and above all routes, and in a gap.
TEST(Switch, Unroutable)
{
    Bench bench{2};
    bench.device.add_route(0x0A00'0100, 1);
    const testbench::ExpectReport report{report_id::kSwitch, "no route to 10.0.0."};
    for (const packet::Address address : {0x0A00'0000U, 0x0A00'0003U, 0x0A00'00FFU}) {
        bench.script.at(0, [&bench, address] {
            const FrameRef frame = bench.frames.data();
            frame->network.destination = address;
            bench.senders[0]->send(frame);
        });
    }
    bench.script.at(0, [&bench] {
        const FrameRef frame = bench.frames.data();
        frame->network.destination = 0x0A00'0100;
        bench.senders[0]->send(frame);
    });
    bench.run();
    EXPECT_EQ(bench.device.unroutable(), 3U);
    EXPECT_EQ(report.count(), 3U);
    EXPECT_EQ(bench.receivers[1]->frames.size(), 1U);
}

// [SW-18] Routes may come in any order of addresses.
TEST(Switch, RoutesInAnyOrder)
{
    Bench bench{3};
    bench.device.add_route(0x0900'0000, 2);
    bench.script.at(0, [&bench] {
        const FrameRef low = bench.frames.data();
        low->network.destination = 0x0900'0000;
        bench.senders[0]->send(low);
        bench.arrive(0, 1, bench.frames.data());
    });
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames.size(), 1U);
    EXPECT_EQ(bench.receivers[2]->frames.size(), 1U);
}

constexpr std::uint8_t kTrimmable = 4;
constexpr std::uint8_t kTrimmableRtx = 8;
constexpr std::uint8_t kTrimmed = 12;
constexpr std::uint8_t kLastHop = 16;

FrameRef full_packet(Bench& bench, std::uint8_t dscp)
{
    const FrameRef frame = bench.frames.data();
    frame->network.dscp = dscp;
    return frame;
}

/// Trimming on, `limit` bytes a queue.
Switch::Parameters trimming(std::size_t ports, std::uint64_t limit)
{
    Switch::Parameters parameters = Bench::parameters_of(std::vector<BitsPerSecond>(ports, kRate), limit, 0);
    parameters.policy.trimming_enabled = true;
    return parameters;
}

// [SW-30, SW-31, SW-32, SW-33, SW-36] Room for two packets, four come: two are trimmed, overtake the second and are
// no drops.
TEST(SwitchTrimming, TrimsWhatTheQueueRefuses)
{
    Bench bench{trimming(2, 2 * 4'156)};
    bench.script.at(0, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.arrive(0, 1, full_packet(bench, kTrimmable));
        }
    });
    bench.script.look_at(0, [&] {
        EXPECT_EQ(bench.device.port(1).queued_bytes(0), 8'312U);
        // [SW-34] 46 bytes each on pool 1's accounts, the full size off those of pool 0
        EXPECT_EQ(bench.device.port(1).queued_bytes(1), 92U);
        EXPECT_EQ(bench.device.port(0).ingress_bytes(0), 8'312U);
        EXPECT_EQ(bench.device.port(0).ingress_bytes(1), 92U);
        EXPECT_EQ(bench.device.ingress().total(0), 8'312U);
        EXPECT_EQ(bench.device.ingress().total(1), 92U);
        EXPECT_EQ(bench.device.egress().total(1), 92U);
    });
    bench.run();
    // [SW-14] TC1 before TC0, and at the end of the instant all four are in: the trimmed ones go first
    const auto& out = bench.receivers[1]->frames;
    ASSERT_EQ(out.size(), 4U);
    for (const std::size_t trimmed : {0U, 1U}) {
        EXPECT_EQ(out[trimmed]->kind, FrameKind::trimmed);
        EXPECT_EQ(out[trimmed]->wire_bytes, 62U);
        EXPECT_EQ(out[trimmed]->network.dscp, kLastHop);
        EXPECT_EQ(out[trimmed + 2]->kind, FrameKind::data);
    }
    EXPECT_EQ(bench.device.port(1).trimmed_lasthop(0), 2U);
    EXPECT_EQ(bench.device.port(1).trimmed(0), 0U);
    EXPECT_EQ(bench.device.port(1).tx_drops(), 0U);
    for (std::size_t pool = 0; pool < 3; ++pool) {
        EXPECT_EQ(bench.device.ingress().total(pool), 0U);
        EXPECT_EQ(bench.device.egress().total(pool), 0U);
    }
}

// [SW-32, SW-35] A port that faces a switch re-marks TRIMMED; a frame that is trimmed already stays as it is, also on
// its last hop, and is dropped where its queue is full.
TEST(SwitchTrimming, TrimsOnce)
{
    Switch::Parameters parameters = trimming(3, 4'156);
    parameters.ports[1].faces_nic = false;
    Bench bench{parameters};
    bench.script.at(0, [&] {
        bench.arrive(0, 1, full_packet(bench, kTrimmable));
        bench.arrive(0, 1, full_packet(bench, kTrimmable));
        for (int i = 0; i < 91; ++i) {
            bench.arrive(0, 2, bench.frames.make(FrameKind::trimmed, 62, kTrimmed));
        }
    });
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames[0]->network.dscp, kTrimmed);
    EXPECT_EQ(bench.device.port(1).trimmed(0), 1U);
    EXPECT_EQ(bench.device.port(1).trimmed_lasthop(0), 0U);
    // 90 x 46 = 4,140 fit the limit of 4,156
    EXPECT_EQ(bench.receivers[2]->frames.size(), 90U);
    EXPECT_EQ(bench.receivers[2]->frames[0]->network.dscp, kTrimmed);
    EXPECT_EQ(bench.device.port(2).egress_drops(1), 1U);
    EXPECT_EQ(bench.device.port(2).trimmed_lasthop(1), 0U);
}

// [SW-33] A frame that finds no room trimmed either is dropped: it counts as a drop of TC1, not as a trim.
TEST(SwitchTrimming, DropsWhatFindsNoRoomTrimmed)
{
    Bench bench{trimming(2, 4'156)};
    bench.script.at(0, [&] {
        for (int i = 0; i < 92; ++i) {
            bench.arrive(0, 1, full_packet(bench, kTrimmable));
        }
    });
    bench.run();
    EXPECT_EQ(bench.device.port(1).trimmed_lasthop(0), 90U);
    EXPECT_EQ(bench.device.port(1).egress_drops(0), 0U);
    EXPECT_EQ(bench.device.port(1).egress_drops(1), 1U);
    EXPECT_EQ(bench.device.port(1).tx_drops(), 1U);
    EXPECT_EQ(bench.device.ingress().total(0) + bench.device.ingress().total(1), 0U);
}

// [SW-24, SW-W3] Repeats fit up to 1.5 times the limit, on the same queue: 72 of 300,000, then 36 more that are
// repeats.
TEST(SwitchTrimming, RepeatsHaveMoreRoom)
{
    Bench bench{trimming(2, 300'000)};
    bench.script.at(0, [&] {
        for (int i = 0; i < 73; ++i) {
            bench.arrive(0, 1, full_packet(bench, kTrimmable));
        }
        for (int i = 0; i < 37; ++i) {
            bench.arrive(0, 1, full_packet(bench, kTrimmableRtx));
        }
    });
    bench.script.look_at(0, [&] { EXPECT_EQ(bench.device.port(1).queued_bytes(0), 448'848U); });
    bench.run();
    EXPECT_EQ(bench.device.port(1).trimmed_lasthop(0), 2U);
    EXPECT_EQ(bench.receivers[1]->frames.size(), 110U);
}

// [SW-30] NO_TRIM is dropped, probes and control with it; and all is, where trimming is off.
TEST(SwitchTrimming, OtherRolesAreDropped)
{
    Bench bench{trimming(2, 4'156)};
    bench.script.at(0, [&] {
        bench.arrive(0, 1, full_packet(bench, 0));
        bench.arrive(0, 1, full_packet(bench, 0));
        bench.arrive(0, 1, bench.frames.make(FrameKind::probe, packet::kProbeWireBytes, 0));
    });
    bench.run();
    EXPECT_EQ(bench.device.port(1).egress_drops(0), 2U);
    EXPECT_EQ(bench.device.port(1).trimmed_lasthop(0), 0U);
}

TEST(SwitchTrimming, OffByDefault)
{
    Bench bench{2, 4'156};
    bench.script.at(0, [&] {
        bench.arrive(0, 1, full_packet(bench, kTrimmable));
        bench.arrive(0, 1, full_packet(bench, kTrimmable));
    });
    bench.run();
    EXPECT_EQ(bench.device.port(1).egress_drops(0), 1U);
    EXPECT_EQ(bench.receivers[1]->frames.size(), 1U);
}

/// Pools of 42,000, 28,000 and 28,000 bytes: 10 full packets in pool 0.
Switch::Parameters small_pools(std::size_t ports)
{
    Switch::Parameters parameters = trimming(ports, 300'000);
    parameters.policy.head_room_per_port_limit = 1'000;
    parameters.policy.total_shared_buffer_size = 98'000 + 1'000 * ports;
    return parameters;
}

// [SW-15, SW-21, SW-22] The pool's ingress total decides, over all ports: the eleventh packet is dropped, counts for
// the port that it came in by, and leaves no charge. A full pool trims nothing. Another pool has room.
TEST(SwitchPools, IngressTotal)
{
    Bench bench{small_pools(4)};
    EXPECT_EQ(bench.device.ingress().size(0), 42'000U);
    EXPECT_EQ(bench.device.egress().size(2), 28'000U);
    bench.script.at(0, [&] {
        for (int i = 0; i < 6; ++i) {
            bench.arrive(0, 2, full_packet(bench, kTrimmable));
        }
        for (int i = 0; i < 5; ++i) {
            bench.arrive(1, 3, full_packet(bench, kTrimmable));
        }
        bench.arrive(1, 3, bench.frames.sack());
    });
    bench.script.look_at(0, [&] { EXPECT_EQ(bench.device.ingress().total(0), 41'560U); });
    bench.run();
    EXPECT_EQ(bench.device.port(0).rx_drops(), 0U);
    EXPECT_EQ(bench.device.port(1).rx_drops(), 1U);
    EXPECT_EQ(bench.device.port(1).ingress_drops(0), 1U);
    EXPECT_EQ(bench.device.port(3).tx_drops(), 0U);
    EXPECT_EQ(bench.receivers[3]->frames.size(), 5U);
    EXPECT_EQ(bench.device.ingress().total(0), 0U);
}

// [SW-11, SW-15, SW-16] With a forwarding latency frames are charged on ingress while no egress account has them. What
// was admitted before fits the egress total by itself: it is never above the ingress total.
TEST(SwitchPools, ChargedFromTheArrival)
{
    Switch::Parameters parameters = small_pools(2);
    parameters.policy.forwarding_latency = 50'000;
    Bench bench{parameters};
    bench.script.at(0, [&] {
        for (int i = 0; i < 11; ++i) {
            bench.arrive(0, 1, full_packet(bench, 0));
        }
    });
    bench.script.look_at(0, [&] {
        EXPECT_EQ(bench.device.port(0).rx_drops(), 1U);
        EXPECT_EQ(bench.device.ingress().total(0), 41'560U);
        EXPECT_EQ(bench.device.egress().total(0), 0U);
    });
    bench.script.look_at(50'000, [&] { EXPECT_EQ(bench.device.egress().total(0), 41'560U); });
    bench.run();
    EXPECT_EQ(bench.receivers[1]->frames.size(), 10U);
}

// [SW-18, SW-13] A frame without a route gives its charge back.
TEST(SwitchPools, UnroutableFramesLeaveNoCharge)
{
    Bench bench{2};
    const testbench::ExpectReport report{report_id::kSwitch, "no route"};
    bench.script.at(0, [&] { bench.arrive(0, 7, bench.frames.data()); });
    bench.run();
    EXPECT_EQ(bench.device.ingress().total(0), 0U);
}

// [SW-25] One pool of the whole sizing total, no queue limit, no trimming, no mark: 23 packets of 98,000 bytes.
TEST(SwitchPools, WithoutThePolicy)
{
    Switch::Parameters parameters = small_pools(2);
    parameters.policy.plane_bdp = 1;
    parameters.policy.uet_policy_enabled = false;
    Bench bench{parameters};
    bench.script.at(0, [&] {
        for (int i = 0; i < 30; ++i) {
            bench.arrive(0, 1, full_packet(bench, kTrimmable));
        }
    });
    bench.run();
    EXPECT_EQ(bench.device.ingress().size(0), 98'000U);
    EXPECT_EQ(bench.receivers[1]->frames.size(), 23U);
    EXPECT_EQ(bench.device.port(0).rx_drops(), 7U);
    EXPECT_EQ(bench.device.port(1).ecn_marked(0), 0U);
}

/// `count` packets in one instant to a port whose limit is 300,000 bytes; which of them leave marked?
std::vector<std::uint64_t> marked_frames(Bench& bench, int count)
{
    bench.script.at(0, [&bench, count] {
        for (int i = 0; i < count; ++i) {
            bench.arrive(0, 1, full_packet(bench, 0));
        }
    });
    bench.run();
    std::vector<std::uint64_t> marked;
    for (const FrameRef& frame : bench.receivers[1]->frames) {
        if (frame->network.ecn == packet::Ecn::ce) {
            marked.push_back(frame->uid);
        }
    }
    return marked;
}

// [SW-42, SW-W4] The average changes by admissions alone: after 22 of one instant it is below 60,000 and nobody is
// marked, not even much later.
TEST(SwitchEcn, BelowTheBandNobodyIsMarked)
{
    Bench bench{trimming(2, 300'000)};
    EXPECT_TRUE(marked_frames(bench, 22).empty());
    EXPECT_LT(bench.device.port(1).mean_queue(0), 60'000.0);
}

// [SW-40, SW-42] After 67 it is above 240,000: all are marked, the first too, as its test comes after the arrivals of
// the instant in which it starts; and the average stays while the port drains.
TEST(SwitchEcn, AboveTheBandAllAreMarked)
{
    Bench bench{trimming(2, 300'000)};
    EXPECT_EQ(marked_frames(bench, 67).size(), 67U);
    EXPECT_EQ(bench.device.port(1).ecn_marked(0), 67U);
    EXPECT_GE(bench.device.port(1).mean_queue(0), 240'000.0);
}

// [SW-44, SW-42] In between by the port's own draws: switch 3, port 1, Seed 1. The average after 40 admissions stays.
TEST(SwitchEcn, InTheBandByDraws)
{
    Switch::Parameters parameters = trimming(2, 300'000);
    parameters.id = 3;
    Bench bench{parameters};
    const std::vector<std::uint64_t> marked = marked_frames(bench, 40);
    double mean = 0;
    for (int n = 1; n <= 40; ++n) {
        mean = 0.9 * mean + 0.1 * 4'156 * n;
    }
    std::mt19937_64 draws{0x1'0003'0001};
    std::vector<std::uint64_t> expected;
    for (std::uint64_t uid = 1; uid <= 40; ++uid) {
        const double drawn = static_cast<double>(draws() >> 11U) / 9'007'199'254'740'992.0;
        if (drawn < (mean - 60'000) / 180'000) {
            expected.push_back(uid);
        }
    }
    EXPECT_EQ(marked, expected);
    EXPECT_GT(expected.size(), 5U);
    EXPECT_LT(expected.size(), 35U);
}

// [SW-42, SW-43] Every class is tested, control frames too; what is not ECN-capable, or CE already, is not.
TEST(SwitchEcn, OnlyCapableFramesOfEveryClass)
{
    Switch::Parameters parameters = trimming(2, 300'000);
    parameters.policy.min_threshold = 0;
    parameters.policy.max_threshold = 0;
    Bench bench{parameters};
    bench.script.at(0, [&] {
        for (const packet::Ecn ecn : {packet::Ecn::not_ect, packet::Ecn::ect0, packet::Ecn::ect1, packet::Ecn::ce}) {
            const FrameRef frame = bench.frames.sack();
            frame->network.ecn = ecn;
            bench.arrive(0, 1, frame);
        }
    });
    bench.run();
    EXPECT_EQ(bench.device.port(1).ecn_marked(2), 2U);
    EXPECT_EQ(bench.receivers[1]->frames[0]->network.ecn, packet::Ecn::not_ect);
    EXPECT_EQ(bench.receivers[1]->frames[1]->network.ecn, packet::Ecn::ce);
}

// [SW-43] `EnableEcn` false; the average is kept for the record.
TEST(SwitchEcn, Off)
{
    Switch::Parameters parameters = trimming(2, 300'000);
    parameters.policy.enable_ecn = false;
    Bench bench{parameters};
    EXPECT_TRUE(marked_frames(bench, 67).empty());
    EXPECT_GE(bench.device.port(1).mean_queue(0), 240'000.0);
}

// [RC-70] The most bytes of an interval; one that begins with a filled queue has that much at least.
TEST(SwitchStats, IntervalMaximum)
{
    Bench bench{2};
    bench.script.at(0, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.arrive(0, 1, bench.frames.data());
        }
    });
    SwitchPort& port = bench.device.port(1);
    bench.script.look_at(1, [&port] {
        EXPECT_EQ(port.take_interval_max(0), 3U * 4'156U);
        EXPECT_EQ(port.take_interval_max(0), 3U * 4'156U);
    });
    bench.script.look_at(kFrameTime, [&port] { EXPECT_EQ(port.take_interval_max(0), 3U * 4'156U); });
    bench.script.look_at(kFrameTime + 1, [&port] { EXPECT_EQ(port.take_interval_max(0), 2U * 4'156U); });
    bench.run();
    EXPECT_EQ(port.take_interval_max(0), 2U * 4'156U);
    EXPECT_EQ(port.take_interval_max(0), 0U);
}

// [SW-51, SW-52] One of several members by the frame's hash, over 128 source ports as the sheet counts them for switch
// 0.
TEST(Switch, EqualCostPaths)
{
    Bench bench{5};
    bench.device.add_route(0x0A00'0101, 1, 4);
    bench.script.at(0, [&] {
        for (std::uint16_t entropy = 256; entropy < 384; ++entropy) {
            const FrameRef frame = bench.frames.data();
            frame->network.source = 0x0A00'0001;
            frame->network.destination = 0x0A00'0101;
            frame->network.udp_source = entropy;
            bench.senders[0]->send(frame);
        }
    });
    bench.run();
    std::vector<std::size_t> counts;
    for (std::size_t port = 1; port < 5; ++port) {
        counts.push_back(bench.receivers[port]->frames.size());
    }
    EXPECT_EQ(counts, (std::vector<std::size_t>{42, 33, 32, 21}));
}

// [SW-W7, SW-2] The reverse link of a full-rate receiver: 94 bytes of SACK for each 4,174 of data, 2.252 %.
TEST(Switch, ShareOfSacks)
{
    const double sack = static_cast<double>(serialization_time(packet::kSackWireBytes, kRate));
    const double data = static_cast<double>(serialization_time(packet::data_wire_bytes(4'096, false), kRate));
    EXPECT_EQ(sack, 1'880.0);
    EXPECT_EQ(data, 83'480.0);
    EXPECT_NEAR(100 * sack / data, 2.252, 0.0005);
}

}  // namespace
}  // namespace mrcnic::net
