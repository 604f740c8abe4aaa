#include "mrcnic/config/attributes.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/config/settings.h"

namespace mrcnic::config {
namespace {

// Typed from the interface sheet and, where that only refers to it, from the transport sheet.
const std::map<std::string, Value>& sheet()
{
    using I = std::int64_t;
    using S = std::string;
    static const std::map<std::string, Value> values{
        {"platform", S{"pair"}},
        {"simulation.StopTime", I{0}},
        {"simulation.Seed", I{1}},
        {"simulation.Timing", S{"exact"}},
        {"simulation.PayloadMode", S{"sizes"}},
        {"simulation.ClientStartOffset", I{0}},
        {"simulation.EnableNetDeviceStatLogging", true},
        {"simulation.NDStatsReportInterval", I{1'000'000'000}},
        {"simulation.EnableNetworkBufferStatsReporting", false},               // [RC-22]
        {"simulation.NetworkBufferStatsReportingInterval", I{1'000'000'000}},  // [RC-22]
        {"simulation.EnableMessageStats", false},                              // [RC-26]
        {"simulation.RecordPrefix", S{}},
        {"simulation.WallClockUtc", false},
        {"simulation.ProtocolCheckers", false},
        {"nic.UplinkNetworkInterface.DataRate", I{400'000'000'000}},
        {"nic.UplinkNetworkInterface.FrameGapBytes", I{0}},
        {"nic.TransmissionMedium.Delay", I{100'000}},
        {"nic.EgressBufferManager.TotalBufferSize", I{256'000}},       // [PL-2]
        {"nic.IngressBufferManager.TotalBufferSize", I{4'000'000}},    // [PL-2]
        {"nic.SemanticLayer.MSS", I{4096}},                            // [TR-10]
        {"nic.EnableTransportStats", true},                            // [RC-21]
        {"nic.TransportStatsReportInterval", I{1'000'000'000}},        // [RC-21]
        {"nic.EnableBufferStats", true},                               // [RC-22]
        {"nic.EnableEventLogging", false},                             // [RC-23]
        {"nic.Monitor.EnableMRCMonitor", false},                       // [RC-24]
        {"nic.Monitor.FilterOnNodeId", S{"All"}},                      // [RC-67]
        {"nic.Monitor.FilterOnLocalIp", S{"All"}},                     // [RC-67]
        {"nic.Monitor.FilterOnRemoteIp", S{"All"}},                    // [RC-67]
        {"nic.Monitor.FilterOnQp", S{"All"}},                          // [RC-67]
        {"nic.Monitor.TriggerLoggingOnRttEnable", false},              // [RC-68]
        {"nic.Monitor.TriggerLoggingOnRttThreshold", I{100'000'000}},  // [RC-68]
        {"nic.Monitor.TriggerLoggingOnCWindPen", false},               // [RC-68]
        {"nic.Monitor.TriggerLoggingOnCWindPenThreshold", I{127}},     // [RC-68]
        {"nic.Monitor.TriggeredLoggingQPLimit", I{1}},                 // [RC-68]
        {"nic.HostInterface.ReadRequestSize", I{64}},                  // [PC-3]
        {"nic.HostInterface.TransferTrains", true},
        {"nic.HostInterface.NICSide.LaneCount", I{16}},               // [PC-1]
        {"nic.HostInterface.NICSide.LaneBps", I{31'520'000'000}},     // [PC-1]
        {"nic.HostInterface.NICSide.TXHeaderBufferSize", I{16'000}},  // [PC-8]
        {"nic.HostInterface.NICSide.RXHeaderBufferSize", I{16'000}},
        {"nic.HostInterface.NICSide.TXDataBufferSize", I{256'000}},
        {"nic.HostInterface.NICSide.RXDataBufferSize", I{256'000}},
        {"nic.HostInterface.HostSide.LaneCount", I{16}},
        {"nic.HostInterface.HostSide.LaneBps", I{31'520'000'000}},
        {"nic.HostInterface.HostSide.TXHeaderBufferSize", I{16'000}},
        {"nic.HostInterface.HostSide.RXHeaderBufferSize", I{16'000}},
        {"nic.HostInterface.HostSide.TXDataBufferSize", I{256'000}},
        {"nic.HostInterface.HostSide.RXDataBufferSize", I{256'000}},
        {"nic.HostInterface.HostSide.MemoryLatency", I{0}},
        {"nic.Transport.DestinationGroupsEnabled", true},                         // [TR-45]
        {"nic.Transport.QpsPerDestination", I{1}},                                // [TR-3]
        {"nic.Transport.QpPerMessage", false},                                    // [TR-3]
        {"nic.Transport.MaxPsnRange", I{4096}},                                   // [TR-17]
        {"nic.Transport.UdpDestinationPort", I{4791}},                            // [TR-28]
        {"nic.Transport.TrimmingEnabled", false},                                 // [TR-35]
        {"nic.Transport.UseDistinctDSCPForRetransmit", true},                     // [TR-37]
        {"nic.Transport.DscpNoTrim", I{0}},                                       // [TR-35]
        {"nic.Transport.DscpTrimmable", I{4}},                                    // [TR-36]
        {"nic.Transport.DscpTrimmableRtx", I{8}},                                 // [TR-37]
        {"nic.Transport.DscpTrimmed", I{12}},                                     // [TR-38]
        {"nic.Transport.DscpTrimmedLastHop", I{16}},                              // [TR-39]
        {"nic.Transport.DscpControl", I{46}},                                     // [TR-40]
        {"nic.Transport.TurnTime", I{0}},                                         // [TR-53]
        {"nic.Transport.AckRequestFirstPacket", true},                            // [TR-66]
        {"nic.Transport.AckRequestLastPacket", true},                             // [TR-66]
        {"nic.Transport.AckRequestEveryNthPacket", I{1}},                         // [TR-66]
        {"nic.Transport.SackTriggerBytes", I{0}},                                 // [TR-67]
        {"nic.Transport.ServiceTimeStep", I{0}},                                  // [TR-71]
        {"nic.Transport.RecvCompleteAfterWrite", false},                          // [TR-62]
        {"nic.Transport.InitialRetransmitTimeout", I{150'000'000}},               // [TR-85]
        {"nic.Transport.MaxExponentialRTOBackoffCount", I{5}},                    // [TR-85]
        {"nic.Transport.RtoBackoffCounts", S{"Expiries"}},                        // [TR-85]
        {"nic.Transport.FixedRexmitTimeEnable", false},                           // [TR-86]
        {"nic.Transport.FixedRexmitTimeout", I{150'000'000}},                     // [TR-86]
        {"nic.Transport.MaxRetries", I{0}},                                       // [TR-87]
        {"nic.Transport.SackGapMode", S{"Auto"}},                                 // [TR-77]
        {"nic.Transport.SackGapThreshold", I{3}},                                 // [TR-76]
        {"nic.CongestionControl.NSCCEnable", true},                               // [CC-1]
        {"nic.CongestionControl.PassThrough", false},                             // [CC-2]
        {"nic.CongestionControl.ReferenceNetworkRTT", I{6'000'000}},              // [CC-4]
        {"nic.CongestionControl.ReferenceNetworkLinkSpeed", I{400'000'000'000}},  // [CC-4]
        {"nic.CongestionControl.OverrideSpecTargetQueueDelay", false},            // [CC-5]
        {"nic.CongestionControl.TargetQueueDelay", I{4'500'000}},                 // [CC-5]
        {"nic.CongestionControl.TargetQueueDelayMargin", I{1'000'000}},           // [CC-6]
        {"nic.CongestionControl.DisableQuickAdapt", false},                       // [CC-7]
        {"nic.CongestionControl.QuickAdaptGate", I{3}},                           // [CC-7]
        {"nic.CongestionControl.QuickAdaptThreshold", I{24'000'000}},             // [CC-7]
        {"nic.CongestionControl.AlphaMultiplier", 4.0},                           // [CC-9]
        {"nic.CongestionControl.FairIncreaseMultiplier", 5.0},                    // [CC-9]
        {"nic.CongestionControl.FastIncreaseMultiplier", 1.0},                    // [CC-9]
        {"nic.CongestionControl.EtaMultiplier", 0.15},                            // [CC-9]
        {"nic.CongestionControl.Gamma", 0.8},                                     // [CC-10]
        {"nic.CongestionControl.MaxMultiplicativeDecreaseJump", 0.5},             // [CC-10]
        {"nic.CongestionControl.DelayAlpha", 0.25},                               // [CC-10]
        {"nic.CongestionControl.ReceiverPenaltyEnabled", false},                  // [CC-11]
        {"nic.CongestionControl.ReceiverCongestionLowThreshold", 25.0},           // [CC-11]
        {"nic.CongestionControl.ReceiverCongestionHighThreshold", 75.0},          // [CC-11]
        {"nic.CongestionControl.RestoreCWindEnable", false},                      // [CC-11]
        {"nic.CongestionControl.InitialBaseRTT", I{6'000'000}},                   // [CC-3]
        {"nic.CongestionControl.OverrideMaxCongestionWindow", false},             // [CC-8]
        {"nic.CongestionControl.MaxCongestionWindow", I{108}},                    // [CC-8]
        {"nic.CongestionControl.NominalHeaderBytes", I{60}},                      // [CC-12]
        {"nic.CongestionControl.RTTTimestampMode", S{"SenderRecord"}},            // [CC-14]
        {"nic.Paths.PacketSprayingType", S{"EvRotation"}},                        // [MP-3]
        {"nic.Paths.StartingPortOffset", I{256}},                                 // [MP-3]
        {"nic.Paths.EntropyMaskBits", I{7}},                                      // [MP-3]
        {"nic.Paths.EvTimeoutsToBad", I{1}},                                      // [MP-21]
        {"nic.Paths.EvProbeInterval", I{100'000'000}},                            // [MP-22]
        {"nic.Paths.BaseRttProbeEnable", false},                                  // [MP-24]
        {"switch.DataRate", I{400'000'000'000}},
        {"switch.UplinkDelay", I{500'000}},                // [SW-3]
        {"switch.UETPolicyEnabled", true},                 // [SW-20]
        {"switch.EnablePFC", false},                       // [SW-17]
        {"switch.TrimmingEnabled", false},                 // [SW-30]
        {"switch.TotalSharedBufferSize", I{256'000'000}},  // [SW-21]
        {"switch.HeadRoomPerPortLimit", I{256'000}},       // [SW-21]
        {"switch.EnableEcn", true},                        // [SW-43]
        {"switch.EwmaWeight", 0.10},                       // [SW-40]
        {"switch.MinThreshold", 0.2},                      // [SW-41]
        {"switch.MaxThreshold", 0.8},                      // [SW-41]
        {"switch.MaxMarkProbability", 1.0},                // [SW-42]
        {"switch.EcmpHashMethod", S{"crc32WithSalt"}},     // [SW-52]
        {"switch.EnableSwitchStats", false},               // [RC-25]
        {"switch.ForwardingLatency", I{0}},                // [SW-11]
        {"switch.PlaneBDP", I{300'000}},                   // [SW-23]
        {"switch.QueueDropThreshold", I{5}},               // [SW-23]
        {"fabric.Nics", I{16}},
        {"fabric.Leaves", I{8}},         // [SW-50]
        {"fabric.NicsPerLeaf", I{16}},   // [SW-50]
        {"fabric.Spines", I{16}},        // [SW-50]
        {"fabric.ParallelLinks", I{1}},  // [SW-50]
        {"workload.File", S{}},
        {"workload.StartTime", I{0}},  // [WL-2]
        {"workload.Generator", S{"Single"}},
        {"workload.MessageBytes", I{1'048'576}},
        {"workload.Source", I{0}},
        {"workload.Destination", I{1}},
        {"workload.FramePayload", I{4096}},
        {"workload.FrameCount", I{0}},
    };
    return values;
}

TEST(Attributes, DefaultsAreThoseOfTheSheet)
{
    EXPECT_EQ(attributes().size(), sheet().size());
    for (const auto& [path, value] : sheet()) {
        const Attribute* attribute = find_attribute(path);
        ASSERT_NE(attribute, nullptr) << path;
        EXPECT_EQ(attribute->type.default_value, value) << path;
    }
}

// Blocks are also built from the plain structs, without the table.
TEST(Attributes, InitialisersOfTheStructsAreTheDefaults)
{
    const Config config;
    for (const Attribute& attribute : attributes()) {
        EXPECT_EQ(attribute.read(config), attribute.type.default_value) << attribute.path;
    }
}

Value another_value(const Type& type)
{
    switch (type.kind) {
        case Kind::boolean:
            return !std::get<bool>(type.default_value);
        case Kind::choice:
            return type.words.front() == std::get<std::string>(type.default_value) ? type.words.back()
                                                                                   : type.words.front();
        case Kind::text:
        case Kind::path:
            return std::string{"other"};
        default:
            return type.default_value == type.high ? type.low : type.high;
    }
}

// Each row is bound to a member of its own: setting it changes that attribute and no other.
TEST(Attributes, EachIsBoundToItsOwnMember)
{
    for (const Attribute& attribute : attributes()) {
        Config config;
        const Value value = another_value(attribute.type);
        attribute.write(config, value);
        for (const Attribute& other : attributes()) {
            const Value expected = &other == &attribute ? value : other.type.default_value;
            EXPECT_EQ(other.read(config), expected) << attribute.path << " and " << other.path;
        }
    }
}

// A spot check that rows and members are not swapped in pairs.
TEST(Attributes, NamesReachTheMembersTheyMean)
{
    Config config;
    find_attribute("nic.HostInterface.NICSide.TXDataBufferSize")->write(config, std::int64_t{1'111});
    find_attribute("nic.HostInterface.HostSide.RXHeaderBufferSize")->write(config, std::int64_t{2'222});
    find_attribute("nic.EgressBufferManager.TotalBufferSize")->write(config, std::int64_t{3'333});
    find_attribute("nic.Transport.DscpTrimmedLastHop")->write(config, std::int64_t{33});
    find_attribute("nic.Transport.RtoBackoffCounts")->write(config, std::string{"Retransmissions"});
    find_attribute("nic.CongestionControl.RTTTimestampMode")->write(config, std::string{"WireTimestamp"});
    find_attribute("nic.Paths.PacketSprayingType")->write(config, std::string{"RoundRobin"});
    find_attribute("simulation.PayloadMode")->write(config, std::string{"bytes"});
    find_attribute("workload.Source")->write(config, std::int64_t{5});
    EXPECT_EQ(config.nic.host_interface.nic_side.tx_data_buffer, 1'111U);
    EXPECT_EQ(config.nic.host_interface.host_side.rx_header_buffer, 2'222U);
    EXPECT_EQ(config.nic.egress_buffer_size, 3'333U);
    EXPECT_EQ(config.nic.transport.dscp.trimmed_lasthop, 33U);
    EXPECT_EQ(config.nic.transport.rto_backoff_counts, RtoBackoffCounts::retransmissions);
    EXPECT_EQ(config.nic.transport.rtt_timestamp_mode, RttTimestampMode::wire_timestamp);
    EXPECT_EQ(config.nic.paths.packet_spraying_type, PacketSpraying::round_robin);
    EXPECT_EQ(config.simulation.payload_mode, PayloadMode::bytes);
    EXPECT_EQ(config.workload.source, 5U);
}

TEST(Attributes, RowsAreSound)
{
    std::set<std::string> paths;
    for (const Attribute& attribute : attributes()) {
        EXPECT_TRUE(paths.insert(attribute.path).second) << attribute.path;
        EXPECT_EQ(range_error(attribute.type, attribute.type.default_value), "") << attribute.path;
        EXPECT_FALSE(attribute.doc.empty()) << attribute.path;
        EXPECT_EQ(attribute.of_nic(), attribute.path.compare(0, 4, "nic.") == 0) << attribute.path;
    }
}

void expect_range(const std::string& path, std::int64_t low, std::int64_t high, std::int64_t multiple = 1)
{
    const Attribute* attribute = find_attribute(path);
    ASSERT_NE(attribute, nullptr) << path;
    EXPECT_EQ(attribute->type.low, Value{low}) << path;
    EXPECT_EQ(attribute->type.high, Value{high}) << path;
    EXPECT_EQ(attribute->type.multiple, multiple) << path;
}

TEST(Attributes, RangesAreThoseOfTheSheets)
{
    expect_range("nic.SemanticLayer.MSS", 1, 16'000);
    expect_range("nic.HostInterface.NICSide.LaneCount", 1, 16);
    expect_range("nic.HostInterface.HostSide.LaneCount", 1, 16);
    expect_range("nic.Transport.MaxPsnRange", 128, 32'640, 128);         // [TR-17]
    expect_range("nic.Transport.AckRequestEveryNthPacket", 1, 1'024);    // [TR-66]
    expect_range("nic.Transport.MaxExponentialRTOBackoffCount", 0, 15);  // [TR-85]
    expect_range("nic.Transport.DscpControl", 0, 63);                    // [TR-41]
    expect_range("nic.Paths.EntropyMaskBits", 0, 8);                     // [MP-3]
    expect_range("fabric.Nics", 2, 999);                                 // [SW-21]
    expect_range("workload.Source", 0, 16'383);
    expect_range("workload.Destination", 0, 16'383);
    expect_range("nic.HostInterface.NICSide.TXHeaderBufferSize", 34, 1'000'000'000'000);  // [PC-12]
}

TEST(Attributes, FindsPathsAndTheNearestOnes)
{
    EXPECT_EQ(find_target("nic.SemanticLayer.MSS").value->path(), "nic.SemanticLayer.MSS");
    EXPECT_EQ(find_target("nics[3].SemanticLayer.MSS").value->path(), "nics[3].SemanticLayer.MSS");
    EXPECT_EQ(find_target("nics[3].SemanticLayer.MSS").value->nic, 3U);
    EXPECT_EQ(find_target("nic.SemanticLayer.Mss").error, "unknown attribute; did you mean nic.SemanticLayer.MSS?");
    EXPECT_EQ(find_target("nic.MSS").error, "unknown attribute; did you mean nic.SemanticLayer.MSS?");
    EXPECT_EQ(find_target("simulation.Source").error, "unknown attribute; did you mean workload.Source?");
    EXPECT_EQ(find_target("simulation.StopTim").error, "unknown attribute; did you mean simulation.StopTime?");
    EXPECT_EQ(find_target("switch.PlaneBDO").error, "unknown attribute; did you mean switch.PlaneBDP?");
    EXPECT_EQ(find_target("nic.HostInterface.LaneCount").error,
              "unknown attribute; did you mean nic.HostInterface.NICSide.LaneCount?");
    EXPECT_EQ(find_target("nics[2].SemanticLayer.MS").error,
              "unknown attribute; did you mean nics[2].SemanticLayer.MSS?");
    EXPECT_FALSE(find_target("nics[-1].SemanticLayer.MSS"));
    EXPECT_FALSE(find_target("nics[1]SemanticLayer.MSS"));
    EXPECT_FALSE(find_target("nics[1].Seed"));
    EXPECT_FALSE(find_target("nic.SemanticLayer"));
    EXPECT_FALSE(find_target(""));
    EXPECT_TRUE(is_table("nic.HostInterface.NICSide"));
    EXPECT_FALSE(is_table("nic.HostInterface.NICSid"));
    EXPECT_FALSE(is_table("nic.SemanticLayer.MSS"));
}

}  // namespace
}  // namespace mrcnic::config
