#include "mrcnic/platforms/pair.h"

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using packet::TrafficClass;
using testbench::configuration;
using testbench::expect_times;
using testbench::PlatformRun;
using testbench::run_all;
using testbench::run_to_completion;
using testbench::Settings;

/// One message between two NICs back to back.
struct OneMessage {
    explicit OneMessage(const std::string& bytes, Settings settings = {})
        : run{"run", configuration("pair", with_bytes(bytes, std::move(settings)))}
    {
        run_to_completion({&run});
    }
    static Settings with_bytes(const std::string& bytes, Settings settings)
    {
        settings.emplace_back("workload.MessageBytes", bytes);
        return settings;
    }
    PlatformRun run;
};

// [TR-W3, SW-50, SW-2, PC-3, PC-4, PC-6, IN-3, OE-2, OE-3, XT-1] The timeline of one packet, to the picosecond.
TEST(Pair, TimelineOfOnePacket)
{
    const OneMessage one{"4096B"};
    expect_times(one.run, 1, {15'000, 269'324, 371'204});
    EXPECT_EQ(one.run.number("end_time"), 372'444U);                          // the cumulative ACK is back
    EXPECT_EQ(one.run.results().at("node_0.rtt"), "1 201880 201880 201880");  // [SW-W1] back to back
    EXPECT_EQ(one.run.number("node_0.nic_to_host.busy_ps"), 1'555U);          // [PC-6] the request
    EXPECT_EQ(one.run.number("node_0.nic_to_host.bytes"), 98U);
    EXPECT_EQ(one.run.number("node_0.host_to_nic.busy_ps"), 69'289U);  // [PC-2, PC-6] 8 transfers
    EXPECT_EQ(one.run.number("node_0.host_to_nic.bytes"), 4'368U);
    EXPECT_EQ(one.run.number("node_0.host_to_nic.tlps"), 8U);
    EXPECT_EQ(one.run.number("node_1.nic_to_host.busy_ps"), 69'289U);  // the write
    EXPECT_EQ(one.run.number("node_1.nic_to_host.bytes"), 4'368U);
    EXPECT_EQ(one.run.number("node_1.host_to_nic.bytes"), 0U);
}

// [FR-1, FR-2, FR-3, IN-1] What each pool was charged: 4,174 of data; the SACK 94, the ACK its 62 where it is sent and
// 64 where it arrives.
TEST(Pair, ChargesOfOnePacket)
{
    OneMessage one{"4096B"};
    const auto bytes = [&one](std::size_t node, bool egress, TrafficClass traffic_class) {
        const nic::Nic& nic = one.run.node(node).nic;
        return egress ? nic.egress_buffer().pool(traffic_class).bytes_in()
                      : nic.ingress_buffer().pool(traffic_class).bytes_in();
    };
    EXPECT_EQ(bytes(0, true, TrafficClass::data), 4'174U);
    EXPECT_EQ(bytes(1, false, TrafficClass::data), 4'174U);
    EXPECT_EQ(bytes(1, true, TrafficClass::control), 94U + 62U);
    EXPECT_EQ(bytes(0, false, TrafficClass::control), 94U + 64U);
    EXPECT_EQ(bytes(0, true, TrafficClass::control), 0U);
    EXPECT_EQ(bytes(1, true, TrafficClass::data), 0U);
}

// [PL-2, PL-1] The defaults.
TEST(Pair, DefaultPools)
{
    const OneMessage one{"4096B"};
    EXPECT_EQ(one.run.number("node_0.egress.data_pool_bytes"), 230'400U);
    EXPECT_EQ(one.run.number("node_0.egress.control_pool_bytes"), 25'600U);
    EXPECT_EQ(one.run.number("node_1.ingress.data_pool_bytes"), 3'600'000U);
    EXPECT_EQ(one.run.number("node_1.ingress.control_pool_bytes"), 400'000U);
}

// [TR-W1, FR-1] 2,000,000 bytes: 489 packets, 2,038,142 bytes on the wire, sent without a gap in 40.76284 us. The
// sender alone peaks at 55 packets, 229,570 of 230,400 bytes, and drops nothing [EG-3, EG-5]; [IN-4] the receiver holds
// one.
TEST(Pair, TwoMillionBytes)
{
    const OneMessage one{"2000000B"};
    EXPECT_EQ(one.run.number("node_0.port.tx_frames"), 489U);
    EXPECT_EQ(one.run.number("node_0.port.tx_bytes"), 2'038'142U);
    EXPECT_EQ(one.run.number("node_0.port.tx_busy_ps"), 40'762'840U);
    EXPECT_EQ(one.run.number("message_1.recv"), 85'844U + 40'762'840U + 100'000U);
    EXPECT_EQ(one.run.number("message_1.wqe"), 85'844U + 40'762'840U + 100'000U + 1'880U + 100'000U);
    EXPECT_EQ(one.run.number("node_0.egress.data_peak_bytes"), 229'570U);
    EXPECT_EQ(one.run.number("node_0.transport.retransmissions"), 0U);
    EXPECT_EQ(one.run.number("MrcNic-0.0.tx_drops"), 0U);
    EXPECT_EQ(one.run.number("node_1.ingress.data_peak_bytes"), 4'174U);
    EXPECT_EQ(one.run.number("node_1.host.bytes_written"), 2'000'000U);
    EXPECT_EQ(one.run.number("node_0.host.bytes_read"), 2'000'000U);
}

// [TR-W2] 1 MiB: 256 packets, 1,068,544 bytes, 21.37088 us; 256 SACKs and one ACK, 24,126 bytes, in reverse.
TEST(Pair, OneMebibyte)
{
    const OneMessage one{"1MiB"};
    EXPECT_EQ(one.run.number("node_0.port.tx_frames"), 256U);
    EXPECT_EQ(one.run.number("node_0.port.tx_bytes"), 1'068'544U);
    EXPECT_EQ(one.run.number("node_0.port.tx_busy_ps"), 21'370'880U);
    EXPECT_EQ(one.run.number("node_1.transport.sacks_sent"), 256U);
    EXPECT_EQ(one.run.number("node_1.transport.acks_sent"), 1U);
    EXPECT_EQ(one.run.number("node_1.port.tx_bytes"), 24'126U);
    EXPECT_EQ(one.run.number("node_1.port.tx_busy_ps"), 482'520U);
}

// [FR-1] With `WireTimestamp` four bytes more a packet: 489 x 82 + 2,000,000.
TEST(Pair, WireTimestampBytes)
{
    const OneMessage one{"2000000B", {{"nic.CongestionControl.RTTTimestampMode", "WireTimestamp"}}};
    EXPECT_EQ(one.run.number("node_0.port.tx_bytes"), 2'040'098U);
    EXPECT_EQ(one.run.number("node_0.port.tx_busy_ps"), 40'801'960U);
}

// [FR-4] 20 bytes of preamble and gap: 4,194 bytes take 83.88 ns, the SACK's 114 take 2.28; sizes do not change.
TEST(Pair, FrameGap)
{
    const OneMessage one{"4096B", {{"nic.UplinkNetworkInterface.FrameGapBytes", "20"}}};
    expect_times(one.run, 1, {15'000, 269'724, 372'004});
    EXPECT_EQ(one.run.number("node_0.port.tx_bytes"), 4'174U);
}

// [SW-1] Both directions run at the lower rate of the two ends: 4,174 bytes at 100 Gbps 333.92 ns, 94 bytes 7.52.
TEST(Pair, LowerRateOfBothEnds)
{
    const OneMessage one{"4096B", {{"nics[1].UplinkNetworkInterface.DataRate", "100Gbps"}}};
    expect_times(one.run, 1, {15'000, 85'844 + 333'920 + 100'000, 85'844 + 333'920 + 100'000 + 7'520 + 100'000});
}

// [PC-1] Each direction runs at its sending side's lanes, whatever the other's: 8 of 16 lanes on the NIC's side make
// the request 3.109 ns, on the host's side the completion 138.579 ns.
TEST(Pair, LanesOfTheNicSide)
{
    const OneMessage one{"4096B", {{"nic.HostInterface.NICSide.LaneCount", "8"}}};
    expect_times(one.run, 1, {15'000, 15'000 + 3'109 + 69'289 + 183'480, 15'000 + 3'109 + 69'289 + 285'360});
    EXPECT_EQ(one.run.number("node_1.nic_to_host.busy_ps"), 138'579U);
}

TEST(Pair, LanesOfTheHostSide)
{
    const OneMessage one{"4096B", {{"nic.HostInterface.HostSide.LaneCount", "8"}}};
    expect_times(one.run, 1, {15'000, 15'000 + 1'555 + 138'579 + 183'480, 15'000 + 1'555 + 138'579 + 285'360});
    EXPECT_EQ(one.run.number("node_1.nic_to_host.busy_ps"), 69'289U);
}

// [PC-7] Fewer host-side lanes slow the fetch and so limit sending: at 8 lanes the completions, 488 x 4,368 + 1,254
// bytes, follow each other without a gap for 67.66618 us. The last full one is in after 67.626396 us; its packet takes
// 83.48 ns and holds the short last one, 24.6 ns, back.
TEST(Pair, HostLanesLimitSending)
{
    const OneMessage one{"2000000B", {{"nic.HostInterface.HostSide.LaneCount", "8"}}};
    EXPECT_EQ(one.run.number("node_0.host_to_nic.busy_ps"), 67'666'180U);
    EXPECT_EQ(one.run.number("message_1.recv"), 15'000U + 1'555U + 67'626'396U + 83'480U + 24'600U + 100'000U);
}

// [PC-3] A request of 1,000 bytes takes two transfers, 1,068 bytes, 16.942 ns, and is answered when the last has
// arrived.
TEST(Pair, LargeReadRequest)
{
    const OneMessage one{"4096B", {{"nic.HostInterface.ReadRequestSize", "1000B"}}};
    EXPECT_EQ(one.run.number("node_0.nic_to_host.tlps"), 2U);
    EXPECT_EQ(one.run.number("message_1.recv"), 15'000U + 16'942U + 69'289U + 183'480U);
}

// [PC-11, IN-2] No bytes: a read request, one transfer of 34 bytes back (0.539 ns), a frame of 78 bytes (1.56), no
// write.
TEST(Pair, MessageWithoutBytes)
{
    const OneMessage one{"0B"};
    expect_times(one.run, 1, {15'000, 118'654, 220'534});  // hand-off 17,094, serialized 18,654
    EXPECT_EQ(one.run.number("node_0.nic_to_host.bytes"), 98U);
    EXPECT_EQ(one.run.number("node_0.host_to_nic.bytes"), 34U);
    EXPECT_EQ(one.run.number("node_0.host_to_nic.tlps"), 1U);
    EXPECT_EQ(one.run.number("node_1.nic_to_host.tlps"), 0U);
    EXPECT_EQ(one.run.number("node_1.ingress.data_peak_bytes"), 78U);
}

// [PC-4] Host memory answers at once, unless `MemoryLatency` says otherwise: then the hand-off is so much later.
TEST(Pair, MemoryLatency)
{
    const OneMessage one{"4096B", {{"nic.HostInterface.HostSide.MemoryLatency", "50ns"}}};
    expect_times(one.run, 1, {15'000, 319'324, 421'204});
}

// [IN-2, PC-9, TR-62] A transmit buffer of one transfer: the write's last transfer is accepted when the one before it
// starts, after six transfers of 546 bytes, 51.967 ns. `RecvCompleteAfterWrite` shows the instant.
TEST(Pair, WriteIsAcceptedTransferByTransfer)
{
    const OneMessage one{
        "4096B",
        {{"nic.HostInterface.NICSide.TXHeaderBufferSize", "34B"}, {"nic.Transport.RecvCompleteAfterWrite", "true"}}};
    EXPECT_EQ(one.run.number("message_1.recv"), 269'324U + 51'967U);
    EXPECT_EQ(one.run.number("message_1.wqe"), 371'204U);  // [IN-3] acknowledged on arrival all the same
}

TEST(Pair, WriteIsAcceptedAtOnceWhereItFits)
{
    const OneMessage one{"4096B", {{"nic.Transport.RecvCompleteAfterWrite", "true"}}};
    EXPECT_EQ(one.run.number("message_1.recv"), 269'324U);
}

// [PC-5, PC-8] The receive buffers of both sides and the host's transmit buffers change no time, down to one transfer.
TEST(Pair, OtherBuffersChangeNoTime)
{
    const Settings common{{"workload.File", testbench::workload_file("list.csv")}};
    Settings smallest = common;
    for (const char* const side : {"NICSide", "HostSide"}) {
        const std::string prefix = std::string{"nic.HostInterface."} + side;
        smallest.emplace_back(prefix + ".RXHeaderBufferSize", "34B");
        smallest.emplace_back(prefix + ".RXDataBufferSize", "512B");
    }
    smallest.emplace_back("nic.HostInterface.HostSide.TXHeaderBufferSize", "34B");
    smallest.emplace_back("nic.HostInterface.HostSide.TXDataBufferSize", "512B");
    PlatformRun defaults{"defaults", configuration("pair", common)};
    PlatformRun small{"small", configuration("pair", smallest)};
    run_to_completion({&defaults, &small});
    for (const char* const id : {"100", "200", "50", "60"}) {
        for (const char* const what : {".send", ".recv", ".wqe"}) {
            const std::string place = std::string{"message_"} + id + what;
            EXPECT_EQ(small.number(place), defaults.number(place)) << place;
        }
    }
    EXPECT_EQ(small.number("end_time"), defaults.number("end_time"));
    EXPECT_EQ(small.results().at("node_0.rtt"), defaults.results().at("node_0.rtt"));
    EXPECT_EQ(small.number("node_0.nic_to_host.header_credit_stall_ps"), 0U);
}

// [TR-W4, EG-1, EG-4, EG-5] Without acknowledgements: 55 reservations and fetches at 15 ns; the 28th serialization ends
// at 85.844 + 28 x 83.48 = 2,423.284 ns and leaves 112,698 bytes; 15 ns later 28 more packets are reserved.
TEST(Pair, HalfDrainOfALongMessage)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "1MiB"},
                                                  {"nic.CongestionControl.NSCCEnable", "false"},
                                                  {"nic.TransmissionMedium.Delay", "100us"},
                                                  {"simulation.StopTime", "3us"}})};
    const nic::BytePool& pool = run.node(0).nic.egress_buffer().pool(TrafficClass::data);
    struct Moment {
        Picoseconds when;
        std::uint64_t reserved;
        std::uint64_t occupancy;
    };
    for (const Moment& moment :
         {Moment{14'999, 0, 0}, Moment{15'000, 55, 229'570}, Moment{169'323, 55, 229'570}, Moment{169'324, 55, 225'396},
          Moment{2'423'283, 55, 116'872}, Moment{2'423'284, 55, 112'698}, Moment{2'438'283, 55, 112'698},
          Moment{2'438'284, 83, 229'570}}) {
        run.script().look_at(moment.when, [&pool, moment] {
            EXPECT_EQ(pool.reserved(), moment.reserved) << moment.when;
            EXPECT_EQ(pool.occupancy(), moment.occupancy) << moment.when;
        });
    }
    run_all({&run});
    EXPECT_EQ(run.platform().outcome(), Outcome::stopped);
    EXPECT_EQ(run.number("node_0.egress.retries_after_drain"), 1U);
    EXPECT_EQ(run.number("node_0.nic_to_host.tlps"), 83U);  // a request each
}

// [EG-4] A pool of exactly one packet still makes progress: each packet is reserved 15 ns after the one before has
// left, and nothing is ever dropped.
TEST(Pair, PoolOfOnePacket)
{
    const OneMessage one{"200000B", {{"nic.EgressBufferManager.TotalBufferSize", "4638B"}}};
    EXPECT_EQ(one.run.number("node_0.egress.data_pool_bytes"), 4'174U);
    EXPECT_EQ(one.run.number("node_0.egress.data_peak_bytes"), 4'174U);
    EXPECT_EQ(one.run.number("node_0.transport.data_sent"), 49U);
    // Period: 15 ns, fetch 70.844, 83.48 on the link. A SACK comes 201.88 ns after the end of a serialization, when the
    // next packet holds the pool: it starts nothing.
    EXPECT_EQ(one.run.number("node_0.egress.retries_after_drain"), 48U);
    // The last packet is 200,000 - 48 x 4,096 = 3,392 bytes: 7 transfers, 3,630 bytes, 57.582 ns; 3,470 bytes, 69.4 ns.
    EXPECT_EQ(one.run.number("message_1.recv"), 48U * 169'324U + 15'000U + 1'555U + 57'582U + 69'400U + 100'000U);
}

// [EG-4] A pool of less than two frames refuses while at or below half: no crossing follows, and only the
// acknowledgement starts the NIC again. 3,422 bytes: 7 transfers of 3,660 bytes in all, 58.058 ns; 3,500 bytes on the
// wire, 70 ns.
TEST(Pair, OnlyAnAcknowledgementStartsTheNicAgain)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "two.csv",
                                                       "id,src,dst,bytes,start_ps,after,qp\n"
                                                       "1,0,1,3422,0,,\n"
                                                       "2,0,1,4096,0,,\n");
    PlatformRun run{
        "run", configuration("pair", {{"nic.EgressBufferManager.TotalBufferSize", "7778B"}, {"workload.File", file}})};
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_0.egress.data_pool_bytes"), 7'000U);
    // Serialized at 15,000 + 1,555 + 58,058 + 70,000 = 144,613; the SACK is back 201,880 later.
    expect_times(run, 1, {15'000, 244'613, 346'493});
    EXPECT_EQ(run.number("message_2.send"), 346'493U);
    EXPECT_EQ(run.number("node_0.egress.retries_after_drain"), 0U);
}

// [EG-6, PL-4] A control pool of exactly one SACK: acknowledgements wait, merge, and are sent when room returns;
// nothing is lost. 931 bytes leave 837 and 94; packets of 100 bytes come every 3.56 ns, while a SACK may wait for one
// of them.
TEST(Pair, ControlPoolOfOneSack)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "both.cm", "Nodes 2\nConnections 2\n0->1 start 0 size 100000\n1->0 start 0 size 100000\n");
    PlatformRun run{"run", configuration("pair", {{"nic.SemanticLayer.MSS", "100B"},
                                                  {"nic.EgressBufferManager.TotalBufferSize", "931B"},
                                                  {"workload.File", file}})};
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_0.egress.control_pool_bytes"), 94U);
    EXPECT_EQ(run.number("node_0.egress.control_peak_bytes"), 94U);
    EXPECT_GT(run.number("node_0.egress.control_refused"), 0U);
    EXPECT_EQ(run.number("node_0.transport.data_sent"), 1'000U);
    EXPECT_LE(run.number("node_0.transport.sacks_sent"), 1'000U);
    EXPECT_EQ(run.number("node_0.transport.retransmissions"), 0U);
    EXPECT_EQ(run.number("node_0.transport.acks_sent"), 1U);
    EXPECT_EQ(run.node(0).nic.transport().receiver().waiting(), 0U);
}

// [PC-7] Two NICs that send to each other keep up at 14 lanes: the link never rests. 14 lanes: request 1.777 ns.
TEST(Pair, BothWaysAtFourteenLanes)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "both.cm", "Nodes 2\nConnections 2\n0->1 start 0 size 2000000\n1->0 start 0 size 2000000\n");
    PlatformRun run{"run",
                    configuration("pair", {{"nic.HostInterface.NICSide.LaneCount", "14"}, {"workload.File", file}})};
    run_to_completion({&run});
    const std::uint64_t first_bit = 15'000 + 1'777 + 69'289;
    const std::uint64_t data = 40'762'840;
    const std::uint64_t sacks = 489 * 1'880;
    for (const char* const message : {"message_1.recv", "message_2.recv"}) {
        EXPECT_GE(run.number(message), first_bit + data + 100'000);
        EXPECT_LE(run.number(message), first_bit + data + sacks + 100'000);
    }
    EXPECT_EQ(run.number("node_0.ingress.drops_data") + run.number("node_1.ingress.drops_data"), 0U);
    EXPECT_LE(run.number("node_0.ingress.data_peak_bytes"), 2U * 4'174U);
    EXPECT_LE(run.number("node_1.ingress.data_peak_bytes"), 2U * 4'174U);
}

// [PC-7] Two NICs that send to each other never fill a pool, however few lanes: each sends only as fast as it writes.
TEST(Pair, BothWaysNeverFillAPool)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "both.cm", "Nodes 2\nConnections 2\n0->1 start 0 size 8000000\n1->0 start 0 size 8000000\n");
    PlatformRun four{"four",
                     configuration("pair", {{"nic.HostInterface.NICSide.LaneCount", "4"}, {"workload.File", file}})};
    PlatformRun one{"one",
                    configuration("pair", {{"nic.HostInterface.NICSide.LaneCount", "1"}, {"workload.File", file}})};
    run_to_completion({&four, &one});
    for (const PlatformRun* run : {&four, &one}) {
        EXPECT_EQ(run->number("node_0.ingress.drops_data") + run->number("node_1.ingress.drops_data"), 0U);
        EXPECT_LT(run->number("node_0.ingress.data_peak_bytes"), 3'600'000U);
        EXPECT_EQ(run->number("node_0.transport.retransmissions"), 0U);
    }
}

// [OE-1, SW-2] A link without delay: a frame arrives in the instant in which its serialization ends, after all ends of
// that instant. The timeline is that of TR-W3 without the delays; the write takes until 238.613.
TEST(Pair, NoLinkDelay)
{
    const OneMessage one{"4096B", {{"nic.TransmissionMedium.Delay", "0ns"}}};
    expect_times(one.run, 1, {15'000, 169'324, 171'204});
    EXPECT_EQ(one.run.number("end_time"), 238'613U);
    EXPECT_EQ(one.run.results().at("node_0.rtt"), "1 1880 1880 1880");
}

// [OE-1, OE-3] In lock step without delay every end of one NIC meets an arrival at it: both NICs see the same.
TEST(Pair, NoLinkDelayIsSymmetric)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "both.cm", "Nodes 2\nConnections 2\n0->1 start 0 size 2000000\n1->0 start 0 size 2000000\n");
    PlatformRun run{"run", configuration("pair", {{"nic.TransmissionMedium.Delay", "0ns"}, {"workload.File", file}})};
    run_to_completion({&run});
    std::size_t compared = 0;
    for (const auto& [place, value] : run.results()) {
        if (place.rfind("node_0.", 0) == 0) {
            EXPECT_EQ(run.results().at("node_1." + place.substr(7)), value) << place;
            ++compared;
        }
    }
    EXPECT_GT(compared, 40U);
    for (const char* const what : {".send", ".recv", ".wqe"}) {
        EXPECT_EQ(run.number(std::string{"message_1"} + what), run.number(std::string{"message_2"} + what));
    }
}

// [OE-5] A posting caused by a completion is an event of that instant, or so much later as its delay says. Its pass
// would come 15 ns after it; at node 0 the cumulative ACK, 1.24 ns after the SACK, starts one at once [EG-4].
TEST(Pair, PostingAfterACompletion)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "chain.csv",
                                                       "id,src,dst,bytes,start_ps,after,qp\n"
                                                       "1,0,1,4096,0,,\n"
                                                       "2,0,1,4096,0,1,\n"
                                                       "3,1,0,4096,7,1,\n");
    PlatformRun run{"run", configuration("pair", {{"workload.File", file}})};
    run_to_completion({&run});
    EXPECT_EQ(run.number("message_1.wqe"), 371'204U);
    EXPECT_EQ(run.number("message_2.posted"), 371'204U);
    EXPECT_EQ(run.number("message_2.send"), 372'444U);
    EXPECT_EQ(run.number("message_3.posted"), 371'211U);
    EXPECT_EQ(run.number("message_3.send"), 386'211U);
}

// [SW-56] 10.0.0.1, 10.0.0.2, ...
TEST(Pair, Addresses)
{
    OneMessage one{"0B"};
    EXPECT_EQ(one.run.node(0).nic.parameters().address, 0x0A00'0001U);
    EXPECT_EQ(one.run.node(1).nic.parameters().address, 0x0A00'0002U);
}

}  // namespace
}  // namespace mrcnic::platforms
