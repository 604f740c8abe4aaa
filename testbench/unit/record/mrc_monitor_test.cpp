#include "mrcnic/record/mrc_monitor.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/packet/frame.h"
#include "mrcnic/record/monitor_row.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using packet::Frame;
using packet::FrameKind;
using testbench::Row;
using testbench::rows_of;
using testbench::split;
using testbench::text_of;
using transport::ConnectionEnd;
using transport::FlowState;

constexpr packet::Address kFirst = 0x0A00'0001U;
constexpr ConnectionEnd kSender{kFirst, 17, kFirst + 1, 4};
constexpr ConnectionEnd kReceiver{kFirst + 1, 4, kFirst, 17};
constexpr FlowState kFlow{12'468, 8'312, 450'000.5};

/// Two NICs that log, the first with 1,234 bytes in its egress data pool.
class MonitorFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "mrc-monitor.csv"};
    MonitorRules rules;
    Picoseconds now{169'324};
    packet::FramePool pool;
    packet::FrameRef made{pool.make()};
    Frame& frame{*made};

    MonitorFile() { rules.filters = true; }
    [[nodiscard]] MonitorSource source(std::uint16_t node) const
    {
        return {"MrcNic-" + std::to_string(node), node, kFirst + node, {}, rules, [] { return std::uint64_t{1'234}; }};
    }
    [[nodiscard]] MrcMonitor make() const
    {
        return MrcMonitor{path, {source(0), source(1)}, [this] { return now; }};
    }
    [[nodiscard]] std::string logged_sent(const ConnectionEnd& end, const FlowState* flow)
    {
        MrcMonitor monitor = make();
        monitor.observer(end.local_address - kFirst).frame_sent(frame, end, flow);
        monitor.finish();
        return last_line();
    }
    [[nodiscard]] std::string logged_received(const ConnectionEnd& end, const FlowState* flow,
                                              std::optional<Picoseconds> rtt)
    {
        MrcMonitor monitor = make();
        monitor.observer(end.local_address - kFirst).frame_received(frame, end, flow, rtt);
        monitor.finish();
        return last_line();
    }
    [[nodiscard]] std::string last_line() const
    {
        const std::vector<std::string> lines = split(text_of(path), '\n');
        return lines[lines.size() - 2];
    }

    void make_data()
    {
        frame.kind = FrameKind::data;
        frame.uid = 5;
        frame.message_id = 9;
        frame.wire_bytes = 4'174;
        frame.network.udp_source = 256;
        frame.network.dscp = 4;
        frame.bth.psn = 7;
        frame.bth.ack_request = true;
    }
    void make_sack()
    {
        frame.kind = FrameKind::sack;
        frame.uid = 6;
        frame.message_id = 9;
        frame.wire_bytes = 94;
        frame.network.udp_source = 256;
        frame.network.dscp = 46;
        frame.bth.psn = 11;
        frame.service_time = 18'800;  // [TR-W8]
        // [TR-W6]
        frame.seth.cack_psn = 4;
        frame.seth.ack_psn_offset = 7;
        frame.seth.sack_offset = 1;
        frame.seth.bitmap = 0x76;
        frame.seth.entropy = 258;
        frame.seth.mark = 1;
        frame.cc_state.receiver_penalty = 63;
    }
    void make_nack()
    {
        frame.kind = FrameKind::nack;
        frame.uid = 8;
        frame.message_id = 9;
        frame.wire_bytes = 66;
        frame.network.dscp = 46;
        frame.bth.psn = 21;
        frame.neth.nack_psn = 21;
        frame.neth.entropy = 259;
        frame.neth.reason = packet::NackReason::trimmed;
    }
};

// [RC-65] The 27 columns in their order.
TEST_F(MonitorFile, Columns)
{
    make().finish();
    EXPECT_EQ(
        text_of(path),
        "sim_time_ns,component_name,node_id,job_ID,packet_UID,packet_size,local_QP,remote_QP,entropy_value,RTT_ns,"
        "direction,packet_type,nack_code,AR_bit,ECN_marked,M_Flag,service_time_ns,egress_data_occupancy_B,"
        "bytes_fetched,bytes_in_flight,congestion_window,receiver_congestion_window_penalty,DSCP_type,PSN,CACK_PSN,"
        "SACK_base_PSN,ACK_bitmap_PSNs\n");
    EXPECT_EQ(monitor_columns().size(), 27U);
}

// [RC-14] [RC-32] [RC-64] [RC-65] Data sent: message, EV, AR, occupancy, flow, PSN; all else is empty.
TEST_F(MonitorFile, DataSent)
{
    make_data();
    EXPECT_EQ(
        logged_sent(kSender, &kFlow),
        "169.324,MrcNic-0,0,9,5,4174,10.0.0.1:17,10.0.0.2:4,256,,Tx,WRITE,,1,,,,1234,12468,8312,450000.5,,TRIMMABLE,"
        "7,,,[]");
}

// [RC-65.11] [RC-65.23] A repetition has another direction and codepoint.
TEST_F(MonitorFile, DataRepeated)
{
    make_data();
    frame.bth.retransmission = true;
    frame.bth.ack_request = false;
    frame.network.dscp = 8;
    EXPECT_EQ(logged_sent(kSender, &kFlow),
              "169.324,MrcNic-0,0,9,5,4174,10.0.0.1:17,10.0.0.2:4,256,,ReTx,WRITE,,0,,,,1234,12468,8312,450000.5,,"
              "TRIMMABLE_RTX,7,,,[]");
}

// Its queue pair is gone: the flow is not known.
TEST_F(MonitorFile, DataSentWithoutFlow)
{
    make_data();
    frame.network.dscp = 0;
    EXPECT_EQ(logged_sent(kSender, nullptr),
              "169.324,MrcNic-0,0,9,5,4174,10.0.0.1:17,10.0.0.2:4,256,,Tx,WRITE,,1,,,,1234,,,,,NO_TRIM,7,,,[]");
}

// [RC-64] [RC-65.15] Data received: EV, AR, ECN, PSN; the job reads 0.
TEST_F(MonitorFile, DataReceived)
{
    make_data();
    frame.network.ecn = packet::Ecn::ce;
    now = 269'324;
    EXPECT_EQ(logged_received(kReceiver, nullptr, std::nullopt),
              "269.324,MrcNic-1,1,0,5,4174,10.0.0.2:4,10.0.0.1:17,256,,Rx,WRITE,,1,1,,,,,,,,TRIMMABLE,7,,,[]");
}

// [RC-65.12] What a switch left of a repetition is a received WRITE of 62 bytes.
TEST_F(MonitorFile, TrimmedReceived)
{
    make_data();
    frame.kind = FrameKind::trimmed;
    frame.bth.retransmission = true;
    frame.bth.ack_request = false;
    frame.wire_bytes = 62;
    frame.network.dscp = 12;
    EXPECT_EQ(logged_received(kReceiver, nullptr, std::nullopt),
              "169.324,MrcNic-1,1,0,5,62,10.0.0.2:4,10.0.0.1:17,256,,Rx,WRITE,,0,0,,,,,,,,TRIMMED,7,,,[]");
    frame.network.dscp = 16;
    EXPECT_NE(logged_received(kReceiver, nullptr, std::nullopt).find(",TRIMMED_LASTHOP,"), std::string::npos);
    frame.network.dscp = 33;
    EXPECT_NE(logged_received(kReceiver, nullptr, std::nullopt).find(",UNRECOGNIZED,"), std::string::npos);
}

// [RC-65.9] [RC-65.17] [RC-65.24 .. RC-65.27] The SACK that packet 11 draws in TR-W5: base 5, bits 1, 2, 4, 5, 6.
TEST_F(MonitorFile, SackSent)
{
    make_sack();
    EXPECT_EQ(logged_sent(kReceiver, nullptr),
              "169.324,MrcNic-1,1,0,6,94,10.0.0.2:4,10.0.0.1:17,258,,Tx,SACK,,,,1,18.8,,,,,63,CONTROL,11,4,5,"
              "[6:7:9:10:11]");
}

// [RC-65.10] A SACK received that gave a sample: also message, RTT, ECN and flow.
TEST_F(MonitorFile, SackReceived)
{
    make_sack();
    now = 371'204;
    EXPECT_EQ(logged_received(kSender, &kFlow, 201'880),
              "371.204,MrcNic-0,0,9,6,94,10.0.0.1:17,10.0.0.2:4,258,201.88,Rx,SACK,,,0,1,18.8,,12468,8312,450000.5,63,"
              "CONTROL,11,4,5,[6:7:9:10:11]");
    EXPECT_EQ(logged_received(kSender, &kFlow, std::nullopt),
              "371.204,MrcNic-0,0,9,6,94,10.0.0.1:17,10.0.0.2:4,258,,Rx,SACK,,,0,1,18.8,,12468,8312,450000.5,63,"
              "CONTROL,11,4,5,[6:7:9:10:11]");
}

// [RC-65.27] PSNs wrap around 2^24; all 64 bits of the bitmap count.
TEST_F(MonitorFile, BitmapAroundTheWrap)
{
    make_sack();
    frame.seth.cack_psn = 16'777'214;
    frame.seth.bitmap = 0x8000'0000'0000'0003U;
    const std::string line = logged_sent(kReceiver, nullptr);
    EXPECT_EQ(line.substr(line.find("CONTROL")), "CONTROL,11,16777214,16777215,[16777215:0:62]");
}

// [RC-65.24] [RC-65.25] ACK: both are its cumulative PSN. Its EV is its own port, which reflects [MP-2].
TEST_F(MonitorFile, Acks)
{
    frame.kind = FrameKind::ack;
    frame.uid = 7;
    frame.message_id = 9;
    frame.wire_bytes = 62;
    frame.network.udp_source = 300;
    frame.network.dscp = 46;
    frame.bth.psn = 99;
    EXPECT_EQ(logged_sent(kReceiver, nullptr),
              "169.324,MrcNic-1,1,0,7,62,10.0.0.2:4,10.0.0.1:17,300,,Tx,ACK,,,,,,,,,,,CONTROL,99,99,,[]");
    EXPECT_EQ(logged_received(kSender, &kFlow, std::nullopt),
              "169.324,MrcNic-0,0,9,7,62,10.0.0.1:17,10.0.0.2:4,300,,Rx,ACK,,,0,,,,,,,,CONTROL,99,99,,[]");
}

// [RC-65.13] NACKs: code, EV reflected, PSN reported; received also sample, ECN, bytes in flight and window.
TEST_F(MonitorFile, Nacks)
{
    make_nack();
    EXPECT_EQ(logged_sent(kReceiver, nullptr),
              "169.324,MrcNic-1,1,0,8,66,10.0.0.2:4,10.0.0.1:17,259,,Tx,NACK,MRC_TRIMMED,,,,,,,,,,CONTROL,21,,,[]");
    EXPECT_EQ(logged_received(kSender, &kFlow, 201'880),
              "169.324,MrcNic-0,0,0,8,66,10.0.0.1:17,10.0.0.2:4,259,201.88,Rx,NACK,MRC_TRIMMED,,0,,,,,8312,450000.5,,"
              "CONTROL,21,,,[]");
    frame.neth.reason = packet::NackReason::trimmed_lasthop;
    EXPECT_NE(logged_sent(kReceiver, nullptr).find(",MRC_TRIMMED_LASTHOP,"), std::string::npos);
    frame.neth.reason = packet::NackReason::psn_oor_window;
    EXPECT_NE(logged_sent(kReceiver, nullptr).find(",MRC_PSN_OOR_WINDOW,"), std::string::npos);
}

// [RC-65.24] A probe: its id stands for the PSN [TR-34].
TEST_F(MonitorFile, Probes)
{
    frame.kind = FrameKind::probe;
    frame.uid = 3;
    frame.wire_bytes = 74;
    frame.network.udp_source = 280;
    frame.bth.psn = 12;
    frame.peth.probe_id = 12;
    EXPECT_EQ(logged_sent(kSender, nullptr),
              "169.324,MrcNic-0,0,0,3,74,10.0.0.1:17,10.0.0.2:4,280,,Tx,PROBE,,,,,,,,,,,NO_TRIM,12,,,[]");
    EXPECT_EQ(logged_received(kReceiver, nullptr, std::nullopt),
              "169.324,MrcNic-1,1,0,3,74,10.0.0.2:4,10.0.0.1:17,280,,Rx,PROBE,,,0,,,,,,,,NO_TRIM,12,,,[]");
}

// [RC-68] [RC-69] The SACK whose sample fires the trigger is logged, what came before is not, what follows is, at both
// ends; a NACK's sample fires nothing.
TEST_F(MonitorFile, ATriggerFires)
{
    rules.filters = false;
    rules.rtt = 100'000'000;
    MrcMonitor monitor = make();
    make_data();
    monitor.observer(0).frame_sent(frame, kSender, &kFlow);
    make_nack();
    monitor.observer(0).frame_received(frame, kSender, &kFlow, 100'000'000);
    make_sack();
    monitor.observer(0).frame_received(frame, kSender, &kFlow, 99'999'999);
    monitor.observer(0).frame_received(frame, kSender, &kFlow, 100'000'000);
    make_data();
    monitor.observer(1).frame_received(frame, kReceiver, nullptr, std::nullopt);
    monitor.finish();
    const std::vector<Row> rows = rows_of(path);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("packet_type") + rows[0].at("RTT_ns"), "SACK100000");
    EXPECT_EQ(rows[1].at("component_name"), "MrcNic-1");
}

// [RC-68] The penalty that a SACK carries.
TEST_F(MonitorFile, ATriggerOnPenaltyFires)
{
    rules.filters = false;
    rules.penalty = 63;
    make_sack();
    EXPECT_EQ(logged_received(kSender, &kFlow, std::nullopt).substr(0, 17), "169.324,MrcNic-0,");
    rules.penalty = 64;
    EXPECT_EQ(logged_received(kSender, &kFlow, std::nullopt).substr(0, 11), "sim_time_ns");
}

}  // namespace
}  // namespace mrcnic::record
