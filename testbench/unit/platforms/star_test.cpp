#include "mrcnic/platforms/star.h"

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::expect_times;
using testbench::PlatformRun;
using testbench::run_to_completion;
using testbench::Settings;

/// Messages of 2,000,000 bytes are 489 packets each.
void expect_all_packets_once(PlatformRun& run, std::size_t messages)
{
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    for (std::size_t i = 0; i < run.platform().node_count(); ++i) {
        const std::string place = "node_" + std::to_string(i);
        sent += run.number(place + ".transport.data_sent");
        received += run.number(place + ".transport.data_received");
        EXPECT_EQ(run.number(place + ".transport.retransmissions"), 0U);
        EXPECT_EQ(run.number(place + ".ingress.drops_data"), 0U);
        EXPECT_EQ(run.number("Switch-0." + std::to_string(i) + ".tx_drops"), 0U);
    }
    EXPECT_EQ(sent, messages * 489U);
    EXPECT_EQ(received, sent);
    EXPECT_EQ(run.platform().director()->completed(), messages);
    EXPECT_EQ(run.network_switch().unroutable(), 0U);
}

// [SW-50, SW-51] 16 NICs on one switch, a permutation: 16 of 16 messages, 489 packets each, none lost; [IN-4] and one
// packet at a time in every data pool.
TEST(Star, Permutation)
{
    PlatformRun run{"run", configuration("star", {{"workload.File", testbench::workload_file("permutation_16.cm")}})};
    run_to_completion({&run});
    expect_all_packets_once(run, 16);
    for (std::size_t i = 0; i < 16; ++i) {
        const std::string place = "node_" + std::to_string(i);
        EXPECT_EQ(run.number(place + ".transport.data_sent"), 489U);
        EXPECT_EQ(run.number(place + ".ingress.data_peak_bytes"), 4'174U);
    }
}

// One way and both ways through the switch; the last bit leaves the sender as in a pair, and takes the switch's delay,
// 183.48 ns with a link of 100 ns after it, for the short last packet 24.6 ns.
TEST(Star, OneWay)
{
    PlatformRun run{"run", configuration("star", {{"workload.File", testbench::workload_file("one_way.cm")}})};
    run_to_completion({&run});
    expect_all_packets_once(run, 1);
    // 85,844 + 40,762,840 sent; + 100,000; the switch has the packet before, 83.48 ns, to end: 58.88 ns more; + 24.6 +
    // 100
    EXPECT_EQ(run.number("message_1.recv"), 85'844U + 40'762'840U + 100'000U + 58'880U + 24'600U + 100'000U);
}

TEST(Star, BothWays)
{
    PlatformRun run{"run", configuration("star", {{"workload.File", testbench::workload_file("both_ways.cm")}})};
    run_to_completion({&run});
    expect_all_packets_once(run, 2);
}

// [SW-W1, SW-10, SW-3] One packet through one switch: 83.48 ns and 100 ns more each way, round trip 487.24 ns.
TEST(Star, TimelineOfOnePacket)
{
    PlatformRun run{"run", configuration("star", {{"fabric.Nics", "2"}, {"workload.MessageBytes", "4096B"}})};
    run_to_completion({&run});
    // serialized 169,324; switch 269,324; out 352,804; arrives 452,804; SACK out 454,684; switch 554,684; out 556,564
    expect_times(run, 1, {15'000, 452'804, 656'564});
    EXPECT_EQ(run.results().at("node_0.rtt"), "1 487240 487240 487240");
}

// [SW-11] `ForwardingLatency` once each way.
TEST(Star, ForwardingLatency)
{
    PlatformRun run{"run", configuration("star", {{"fabric.Nics", "2"},
                                                  {"workload.MessageBytes", "4096B"},
                                                  {"switch.ForwardingLatency", "50ns"}})};
    run_to_completion({&run});
    expect_times(run, 1, {15'000, 502'804, 756'564});
}

// [SW-3, SW-1] Both directions of a link have the delay of its NIC and the lower of the rates of its ends: NIC 1 at
// 300 ns, the switch at 200 Gbps (4,174 bytes 166.96 ns, 94 bytes 3.76 ns on every link).
TEST(Star, LinksTakeTheNicsDelayAndTheLowerRate)
{
    PlatformRun run{"run", configuration("star", {{"fabric.Nics", "2"},
                                                  {"workload.MessageBytes", "4096B"},
                                                  {"switch.DataRate", "200Gbps"},
                                                  {"nics[1].TransmissionMedium.Delay", "300ns"}})};
    run_to_completion({&run});
    const Picoseconds recv = 85'844 + 166'960 + 100'000 + 166'960 + 300'000;
    expect_times(run, 1, {15'000, recv, recv + 3'760 + 300'000 + 3'760 + 100'000});
}

// [SW-23] The limit of a port's queue is `QueueDropThreshold` times `PlaneBDP`: 5 x 300 KB hold 360 packets (SW-W3). An
// incast of 15 with windows of 108 packets each overflows it: what is lost comes again, and all that was sent was
// delivered or counted as dropped.
TEST(Star, IncastOverflowsAndRecovers)
{
    const testbench::TemporaryFolder folder;
    std::string text = "Nodes 16\nConnections 15\n";
    for (int i = 0; i < 15; ++i) {
        text += std::to_string(i) + "->15 start 0 size 1000000\n";
    }
    PlatformRun run{"run",
                    configuration("star", {{"workload.File", testbench::write_workload(folder, "incast.cm", text)}})};
    std::uint64_t drops_at_26 = 0;
    // [SW-W6, OE-4] Lock step: instant i at the switch is 269,324 + (i - 1) x 83,480; the first refusal is in the 26th.
    const auto& port = run.network_switch().port(15);
    run.script().look_at(269'324 + 24 * 83'480, [&] { EXPECT_EQ(port.tx_drops(), 0U); });
    run.script().look_at(269'324 + 25 * 83'480, [&] { drops_at_26 = port.tx_drops(); });
    run_to_completion({&run});
    EXPECT_EQ(drops_at_26, 5U);  // the eleventh to the fifteenth
    std::uint64_t sent = 0;
    std::uint64_t repeated = 0;
    for (int i = 0; i < 15; ++i) {
        sent += run.number("node_" + std::to_string(i) + ".transport.data_sent");
        repeated += run.number("node_" + std::to_string(i) + ".transport.retransmissions");
    }
    EXPECT_EQ(sent, run.number("node_15.transport.data_received") + run.number("Switch-0.15.tx_drops"));
    EXPECT_GT(repeated, 0U);
    EXPECT_EQ(run.number("node_15.ingress.drops_data"), 0U);
    EXPECT_EQ(run.number("node_15.ingress.data_peak_bytes"), 4'174U);  // [IN-4] also under incast
    EXPECT_EQ(run.platform().director()->completed(), 15U);
}

// [SW-30, SW-32, SW-W6] The same with trimming and a limit of 300,000: in the 6th instant of the lock step the third to
// the fifteenth packet are trimmed; nothing is dropped, and the receiver sees every trim.
TEST(Star, IncastIsTrimmed)
{
    const testbench::TemporaryFolder folder;
    std::string text = "Nodes 16\nConnections 15\n";
    for (int i = 0; i < 15; ++i) {
        text += std::to_string(i) + "->15 start 0 size 1000000\n";
    }
    PlatformRun run{"run",
                    configuration("star", {{"workload.File", testbench::write_workload(folder, "incast.cm", text)},
                                           {"switch.TrimmingEnabled", "true"},
                                           {"nic.Transport.TrimmingEnabled", "true"}})};
    const auto& port = run.network_switch().port(15);
    std::uint64_t trims_at_6 = 0;
    run.script().look_at(269'324 + 4 * 83'480, [&] { EXPECT_EQ(port.trimmed_lasthop(0), 0U); });
    run.script().look_at(269'324 + 5 * 83'480, [&] { trims_at_6 = port.trimmed_lasthop(0); });
    run_to_completion({&run});
    EXPECT_EQ(trims_at_6, 13U);
    EXPECT_EQ(run.number("node_15.transport.trims_seen"), port.trimmed_lasthop(0));
    for (int i = 0; i < 16; ++i) {
        EXPECT_EQ(run.number("Switch-0." + std::to_string(i) + ".tx_drops"), 0U);
        EXPECT_EQ(run.number("Switch-0." + std::to_string(i) + ".rx_drops"), 0U);
    }
    EXPECT_GT(port.ecn_marked(0), 0U);
    EXPECT_EQ(run.platform().director()->completed(), 15U);
}

// [WL-18] A single switch is neither leaf nor spine.
TEST(Star, RefusesFailureLines)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "f.cm",
                                                       "Nodes 16\nConnections 1\nFailures 1\n"
                                                       "0->3 start 0 size 1\n"
                                                       "failure switch_type TOR switch_id 0 link_id 1\n");
    EXPECT_THROW((PlatformRun{"run", configuration("star", {{"workload.File", file}})}), workload::InputError);
}

// [SW-56, SW-50] NIC i has 10.0.0.1 + i and stands at port i.
TEST(Star, AddressesAndPorts)
{
    PlatformRun run{
        "run",
        configuration("star", {{"fabric.Nics", "5"}, {"workload.MessageBytes", "0B"}, {"workload.Destination", "4"}})};
    run_to_completion({&run});
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(run.node(i).nic.parameters().address, 0x0A00'0001U + i);
    }
    EXPECT_EQ(run.network_switch().port_count(), 5U);
    EXPECT_EQ(run.network_switch().port(4).port.counters().tx_frames, 1U);
    EXPECT_EQ(run.network_switch().port(0).port.counters().tx_frames, 2U);
}

}  // namespace
}  // namespace mrcnic::platforms
