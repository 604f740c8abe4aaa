#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/pair.h"
#include "testbench/support/harness.h"

// Two NICs back to back, checkers on, to the picosecond; the numbers are those of the sheet.

namespace mrcnic::transport {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct PairBench {
    platforms::Pair pair;

    explicit PairBench(const Settings& settings) : pair{"pair", configuration(settings)}
    {
        pair.on_end([] { sc_core::sc_stop(); });
    }
    [[nodiscard]] static config::Config configuration(const Settings& settings)
    {
        config::Config config = config::default_config("pair");
        config::set(config, "simulation.ProtocolCheckers", "true");
        for (const auto& [path, value] : settings) {
            config::set(config, path, value);
        }
        return config;
    }
    void run_to(Picoseconds when)
    {
        sc_core::sc_start(pair.agenda().kernel_time().to_kernel(when) - sc_core::sc_time_stamp());
        while (sc_core::sc_pending_activity_at_current_time()) {
            sc_core::sc_start(sc_core::SC_ZERO_TIME);
        }
    }
    void run_to_end()
    {
        testbench::run_to_end([this] { return pair.outcome() == platforms::Outcome::completed; });
        EXPECT_EQ(pair.live_frames(), 0U);
        EXPECT_EQ(pair.node(0).nic.egress_buffer().pool(packet::TrafficClass::data).occupancy(), 0U);
    }
    [[nodiscard]] const nic::Nic& nic(std::size_t i) const { return pair.node(i).nic; }
    [[nodiscard]] const Sender& sender() const { return nic(0).transport().sender(); }
    [[nodiscard]] const Receiver& receiver() const { return nic(1).transport().receiver(); }
    [[nodiscard]] std::uint64_t egress_occupancy() const
    {
        return nic(0).egress_buffer().pool(packet::TrafficClass::data).occupancy();
    }
    [[nodiscard]] const workload::MessageRecord& message() const { return pair.director()->records().at(0); }
};

// [TR-W3] [TR-5] [TR-90] [TR-91] [TR-92] [CC-13] One 4,096-byte message, posted at 0.
TEST(Timeline, OnePacket)
{
    PairBench bench{{{"workload.MessageBytes", "4096B"}}};
    bench.run_to(14'999);
    EXPECT_EQ(bench.egress_occupancy(), 0U);
    bench.run_to(15'000);  // the pass
    EXPECT_EQ(bench.egress_occupancy(), 4174U);
    bench.run_to(85'843);
    EXPECT_EQ(bench.sender().counters().data_sent, 0U);
    bench.run_to(85'844);  // the hand-off
    EXPECT_EQ(bench.sender().counters().data_sent, 1U);
    bench.run_to(169'323);
    EXPECT_EQ(bench.egress_occupancy(), 4174U);
    bench.run_to(169'324);  // serialized
    EXPECT_EQ(bench.egress_occupancy(), 0U);
    bench.run_to(269'323);
    EXPECT_EQ(bench.receiver().counters().data_received, 0U);
    bench.run_to(269'324);  // arrives
    EXPECT_EQ(bench.receiver().counters().data_received, 1U);
    bench.run_to(371'203);
    EXPECT_EQ(bench.sender().counters().sacks_received, 0U);
    bench.run_to(371'204);  // SACK back
    EXPECT_EQ(bench.sender().counters().sacks_received, 1U);
    bench.run_to(372'443);
    EXPECT_EQ(bench.sender().counters().acks_received, 0U);
    bench.run_to(372'444);  // ACK back
    EXPECT_EQ(bench.sender().counters().acks_received, 1U);

    EXPECT_EQ(bench.message().posted, 0);
    EXPECT_EQ(bench.message().send_complete, 15'000);
    EXPECT_EQ(bench.message().recv_complete, 269'324);
    EXPECT_EQ(bench.message().wqe_complete, 371'204);
    EXPECT_EQ(bench.sender().rtt().count, 1U);
    EXPECT_EQ(bench.sender().rtt().last, 201'880);
    EXPECT_EQ(bench.pair.outcome(), platforms::Outcome::completed);
}

// [TR-W1] 489 packets, 2,038,142 bytes on the wire in 40.76284 us without a pause. The last bit leaves at 85.844 ns +
// that; 100 ns later the message is complete, 101.88 ns after that its SACK is back.
TEST(Timeline, TwoMegabytes)
{
    PairBench bench{{{"workload.MessageBytes", "2000000B"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.sender().counters().data_sent, 489U);
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_frames, 489U);
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_bytes, 2'038'142U);
    EXPECT_EQ(bench.nic(0).network_port().busy(), 40'762'840);
    EXPECT_EQ(bench.message().recv_complete, 85'844 + 40'762'840 + 100'000);
    EXPECT_EQ(bench.message().wqe_complete, 85'844 + 40'762'840 + 100'000 + 101'880);
    EXPECT_EQ(bench.receiver().counters().payload_received, 2'000'000U);
    EXPECT_EQ(bench.sender().counters().retransmissions, 0U);
}

// [TR-W2] 1 MiB: 256 packets, 1,068,544 bytes, 21.37088 us; 256 SACKs and one ACK, 24,126 bytes in reverse.
TEST(Timeline, OneMebibyte)
{
    PairBench bench{{{"workload.MessageBytes", "1048576B"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_frames, 256U);
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_bytes, 1'068'544U);
    EXPECT_EQ(bench.nic(0).network_port().busy(), 21'370'880);
    EXPECT_EQ(bench.receiver().counters().sacks_sent, 256U);
    EXPECT_EQ(bench.receiver().counters().acks_sent, 1U);
    EXPECT_EQ(bench.nic(1).network_port().counters().tx_bytes, 24'126U);
    EXPECT_EQ(bench.message().recv_complete, 85'844 + 21'370'880 + 100'000);
}

// [TR-W4] [EG-5] 55 reservations at 15 ns; no acknowledgement comes over a long link; the 28th serialization ends at
// 85.844 + 28 x 83.48 = 2,423.284 ns and crosses the half mark; 15 ns later 28 more.
TEST(Timeline, FirstPassOfALongMessage)
{
    PairBench bench{{{"workload.MessageBytes", "4000000B"},
                     {"nic.TransmissionMedium.Delay", "50us"},
                     {"nic.CongestionControl.NSCCEnable", "false"}}};
    bench.run_to(14'999);
    EXPECT_EQ(bench.egress_occupancy(), 0U);
    bench.run_to(15'000);
    EXPECT_EQ(bench.egress_occupancy(), 229'570U);
    EXPECT_EQ(bench.sender().counters().stalls, 1U);
    bench.run_to(2'423'283);
    EXPECT_EQ(bench.egress_occupancy(), 116'872U);
    bench.run_to(2'423'284);
    EXPECT_EQ(bench.egress_occupancy(), 112'698U);
    bench.run_to(2'438'283);
    EXPECT_EQ(bench.egress_occupancy(), 112'698U);
    bench.run_to(2'438'284);
    EXPECT_EQ(bench.egress_occupancy(), 112'698U + 28 * 4'174);
    EXPECT_EQ(bench.nic(0).egress_buffer().retries_after_drain(), 1U);
    // [CC-20] [CC-1] The window has room for 108 - 83 = 25 more, which the next crossing brings.
    bench.run_to(10'000'000);
    EXPECT_EQ(bench.egress_occupancy(), 0U);
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_frames, 108U);
}

// [TR-3] QpPerMessage: a QP for each message, both ends gone when it is complete.
TEST(Timeline, QueuePairPerMessage)
{
    const testbench::TemporaryFolder folder;
    const std::string file = folder.path() / "list.csv";
    {
        std::FILE* out = std::fopen(file.c_str(), "w");
        ASSERT_NE(out, nullptr);
        std::fputs(
            "id,src,dst,bytes,start_ps,after,qp\n1,0,1,10000,0,,\n2,0,1,0,0,,\n3,1,0,5000,0,,\n4,0,1,9000,0,1,\n", out);
        std::fclose(out);
    }
    PairBench bench{{{"workload.File", file}, {"nic.Transport.QpPerMessage", "true"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.pair.director()->completed(), 4U);
    for (std::size_t i = 0; i < 2; ++i) {
        for (packet::QpNumber number = 1; number <= 4; ++number) {
            EXPECT_EQ(bench.nic(i).transport().sender().queue_pair(number), nullptr);
            EXPECT_EQ(bench.nic(i).transport().receiver().queue_pair(number), nullptr);
        }
    }
}

// [TR-62] RecvCompleteAfterWrite: the 8 transfers of the write are all accepted at once, so nothing changes by default.
TEST(Timeline, RecvCompleteAfterWriteWithRoom)
{
    PairBench bench{{{"workload.MessageBytes", "4096B"}, {"nic.Transport.RecvCompleteAfterWrite", "true"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.message().recv_complete, 269'324);
}

// [TR-62] [PC-9] With a transmit buffer of one transfer: the first goes on the link as it comes, the second waits in
// the buffer, the third for it; the eighth is accepted when the seventh starts, after six of 546 bytes at 504.32 Gbps.
TEST(Timeline, RecvCompleteAfterWriteWithoutRoom)
{
    PairBench bench{{{"workload.MessageBytes", "4096B"},
                     {"nic.Transport.RecvCompleteAfterWrite", "true"},
                     {"nics[1].HostInterface.NICSide.TXHeaderBufferSize", "34B"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.message().recv_complete, 269'324 + 51'967);
    EXPECT_EQ(bench.message().wqe_complete, 371'204);  // [IN-3]
}

// [CC-14] WireTimestamp: the sample has the packet's own serialization, from the tick of its start: stamped at 85.844
// ns (tick 0), back at 269.324 + 0.080 + 101.88 ns.
TEST(Timeline, WireTimestampSample)
{
    PairBench bench{{{"workload.MessageBytes", "4096B"}, {"nic.CongestionControl.RTTTimestampMode", "WireTimestamp"}}};
    bench.run_to_end();
    EXPECT_EQ(bench.sender().rtt().count, 1U);
    EXPECT_EQ(bench.sender().rtt().last, 371'284);
    EXPECT_EQ(bench.nic(0).network_port().counters().tx_bytes, 4178U);
}

// [TR-85] [TR-87] [TR-89] The first frame of a message is lost on the link: repeated 150 us after its serialization.
TEST(Timeline, LostPacketIsRepeated)
{
    PairBench bench{{{"workload.MessageBytes", "4096B"}}};
    bench.pair.links().at(0)->inject({net::LinkFault::Action::drop, 1, 0});
    bench.run_to_end();
    EXPECT_EQ(bench.sender().counters().rto_fired, 1U);
    EXPECT_EQ(bench.sender().counters().retransmissions, 1U);
    // Expiry at 169.324 ns + 150 us; it leaves at once.
    EXPECT_EQ(bench.message().recv_complete, 169'324 + 150'000'000 + 83'480 + 100'000);
    EXPECT_EQ(bench.sender().rtt().count, 1U);  // [CC-13] sent twice, echo 1
    EXPECT_EQ(bench.sender().rtt().last, 201'880);
}

}  // namespace
}  // namespace mrcnic::transport
