#include "mrcnic/config/checks.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/pool_split.h"
#include "mrcnic/config/edit.h"

namespace mrcnic::config {
namespace {

using Lines = std::vector<std::string>;
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What `validate` says of a platform with these attributes.
Lines faults(const std::string& platform, const Settings& settings)
{
    Config config = default_config(platform);
    for (const auto& [path, value] : settings) {
        set(config, path, value);
    }
    Lines lines;
    for (const Error& error : validate(config)) {
        lines.push_back(error.text());
    }
    return lines;
}

TEST(Checks, DefaultsAreLegal)
{
    EXPECT_EQ(faults("pair", {}), Lines{});
    EXPECT_EQ(faults("star", {}), Lines{});
    EXPECT_EQ(faults("leaf_spine", {}), Lines{});
    EXPECT_EQ(faults("line_rate_receive", {{"workload.FrameCount", "1"}}), Lines{});
    EXPECT_EQ(faults("line_rate_receive", {{"simulation.StopTime", "1ps"}}), Lines{});
}

// [PL-1] 90 % rounded down, and the smallest buffer whose pools hold given bytes.
TEST(Checks, SmallestBufferIsTheSmallest)
{
    for (const auto& [data, control] : {std::pair{4174, 94}, std::pair{79, 94}, std::pair{1, 1}, std::pair{9000, 0}}) {
        const auto d = static_cast<std::uint64_t>(data);
        const auto c = static_cast<std::uint64_t>(control);
        const std::uint64_t smallest = PoolSplit::smallest_total(d, c);
        EXPECT_GE(PoolSplit{smallest}.data, d);
        EXPECT_GE(PoolSplit{smallest}.control, c);
        EXPECT_TRUE(PoolSplit{smallest - 1}.data < d || PoolSplit{smallest - 1}.control < c) << data << ' ' << control;
    }
}

// [PL-4] floor(0.9 x 4,638) = 4,174, one full frame; with a stamp 4,178 needs 4,643.
TEST(Checks, ADataPoolHoldsTheLargestFrame)
{
    EXPECT_EQ(faults("pair", {{"nic.EgressBufferManager.TotalBufferSize", "4638"}}), Lines{});
    EXPECT_EQ(faults("pair", {{"nic.EgressBufferManager.TotalBufferSize", "4637"}}),
              (Lines{"error: nic.EgressBufferManager.TotalBufferSize: 4637B leaves 4173B for the data pool, less "
                     "than its largest frame, 4174B; allowed: at least 4638B"}));
    EXPECT_EQ(faults("pair", {{"nic.IngressBufferManager.TotalBufferSize", "4638"},
                              {"nic.CongestionControl.RTTTimestampMode", "WireTimestamp"}}),
              (Lines{"error: nic.IngressBufferManager.TotalBufferSize: 4638B leaves 4174B for the data pool, less "
                     "than its largest frame, 4178B; allowed: at least 4643B"}));
    EXPECT_EQ(faults("pair", {{"nic.IngressBufferManager.TotalBufferSize", "0"}}),
              (Lines{"error: nic.IngressBufferManager.TotalBufferSize: 0B leaves 0B for the data pool, less than "
                     "its largest frame, 4174B; allowed: at least 4638B"}));
}

// [PL-4, PC-12] What arrives is as large as the sender's MSS makes it: 16,078 bytes, transfers of 512.
TEST(Checks, AReceiverTakesItsPeersPackets)
{
    const Settings peers{{"nics[0].SemanticLayer.MSS", "16000"}, {"nics[1].SemanticLayer.MSS", "1"}};
    const auto with = [&peers](const std::string& path, const std::string& value) {
        Settings settings = peers;
        settings.emplace_back(path, value);
        return settings;
    };
    EXPECT_EQ(faults("pair", with("nics[1].IngressBufferManager.TotalBufferSize", "17865")), Lines{});
    EXPECT_EQ(
        faults("pair", with("nics[1].IngressBufferManager.TotalBufferSize", "17864")),
        (Lines{"error: nics[1].IngressBufferManager.TotalBufferSize: 17.864KB leaves 16.077KB for the data pool, less "
               "than its largest frame, 16.078KB; allowed: at least 17.865KB"}));
    EXPECT_EQ(faults("pair", with("nics[1].EgressBufferManager.TotalBufferSize", "1000B")), Lines{});
    EXPECT_EQ(
        faults("pair", with("nics[1].HostInterface.NICSide.TXDataBufferSize", "511B")),
        (Lines{"error: nics[1].HostInterface.NICSide.TXDataBufferSize: 511B is smaller than the largest transfer; "
               "allowed: at least 512B"}));
}

// [PL-4] A SACK has 94 bytes: 931 - floor(837.9) = 94.
TEST(Checks, AControlPoolHoldsASack)
{
    EXPECT_EQ(faults("pair", {{"nic.SemanticLayer.MSS", "1"}, {"nic.EgressBufferManager.TotalBufferSize", "931"}}),
              Lines{});
    EXPECT_EQ(faults("pair", {{"nic.SemanticLayer.MSS", "1"}, {"nic.EgressBufferManager.TotalBufferSize", "930"}}),
              (Lines{"error: nic.EgressBufferManager.TotalBufferSize: 930B leaves 93B for the control pool, less "
                     "than its largest frame, 94B; allowed: at least 931B"}));
}

// [PL-4] The frames of a source that knows no MSS.
TEST(Checks, TheReceiversPoolHoldsTheSourcesFrames)
{
    EXPECT_EQ(faults("line_rate_receive", {{"workload.FrameCount", "1"},
                                           {"workload.FramePayload", "9000"},
                                           {"nic.IngressBufferManager.TotalBufferSize", "10KB"}}),
              (Lines{"error: nic.IngressBufferManager.TotalBufferSize: 10KB leaves 9000B for the data pool, less "
                     "than its largest frame, 9078B; allowed: at least 10.087KB"}));
}

// [PC-12] max(min(512, MSS), min(512, ReadRequestSize)).
TEST(Checks, DataBuffersHoldTheLargestTransfer)
{
    EXPECT_EQ(faults("pair", {{"nic.HostInterface.NICSide.TXDataBufferSize", "512"}}), Lines{});
    EXPECT_EQ(faults("pair", {{"nic.HostInterface.NICSide.TXDataBufferSize", "511"}}),
              (Lines{"error: nic.HostInterface.NICSide.TXDataBufferSize: 511B is smaller than the largest "
                     "transfer; allowed: at least 512B"}));
    EXPECT_EQ(faults("pair", {{"nic.HostInterface.HostSide.RXDataBufferSize", "63"}, {"nic.SemanticLayer.MSS", "50"}}),
              (Lines{"error: nic.HostInterface.HostSide.RXDataBufferSize: 63B is smaller than the largest "
                     "transfer; allowed: at least 64B"}));
    EXPECT_EQ(faults("pair", {{"nic.HostInterface.HostSide.TXDataBufferSize", "99"}, {"nic.SemanticLayer.MSS", "100"}}),
              (Lines{"error: nic.HostInterface.HostSide.TXDataBufferSize: 99B is smaller than the largest "
                     "transfer; allowed: at least 100B"}));
    EXPECT_EQ(faults("pair", {{"nic.HostInterface.NICSide.RXDataBufferSize", "0"},
                              {"nic.SemanticLayer.MSS", "1"},
                              {"nic.HostInterface.ReadRequestSize", "1MB"}}),
              (Lines{"error: nic.HostInterface.NICSide.RXDataBufferSize: 0B is smaller than the largest transfer; "
                     "allowed: at least 512B"}));
}

// [PC-12] Zero lanes, no read request and header buffers below one transfer, each with the smallest legal value.
TEST(Checks, RangesNameTheSmallestLegalValue)
{
    Config config = default_config();
    config.nic.host_interface.nic_side.lane_count = 0;
    config.nic.host_interface.read_request_size = 0;
    config.nic.host_interface.host_side.tx_header_buffer = 33;
    config.nics.assign(2, config.nic);
    Lines lines;
    for (const Error& error : validate(config)) {
        lines.push_back(error.text());
    }
    EXPECT_EQ(
        lines,
        (Lines{"error: nic.HostInterface.ReadRequestSize: 0B is out of range; allowed: 1B to 1MB (B KB KiB MB MiB GB "
               "GiB)",
               "error: nic.HostInterface.NICSide.LaneCount: 0 is out of range; allowed: an integer from 1 to 16",
               "error: nic.HostInterface.HostSide.TXHeaderBufferSize: 33B is out of range; allowed: 34B to 1000GB "
               "(B KB KiB MB MiB GB GiB)"}));
}

// [TR-41]
TEST(Checks, CodepointsDiffer)
{
    EXPECT_EQ(faults("pair", {{"nic.Transport.DscpControl", "12"}, {"nic.Transport.DscpTrimmable", "0"}}),
              (Lines{"error: nic.Transport.DscpTrimmable: 0 is also nic.Transport.DscpNoTrim; allowed: six "
                     "different codepoints in 0 to 63",
                     "error: nic.Transport.DscpControl: 12 is also nic.Transport.DscpTrimmed; allowed: six "
                     "different codepoints in 0 to 63"}));
}

// [CC-43]
TEST(Checks, TheReceiversLowThresholdIsBelowTheHighOne)
{
    const std::string low = "nic.CongestionControl.ReceiverCongestionLowThreshold";
    const std::string high = "nic.CongestionControl.ReceiverCongestionHighThreshold";
    EXPECT_EQ(faults("pair", {{low, "74.9"}}), Lines{});
    EXPECT_EQ(faults("pair", {{low, "75"}}), (Lines{"error: " + low + ": 75 % is not below " + high +
                                                    ", 75 %; allowed: a low threshold below the high one"}));
    EXPECT_EQ(faults("pair", {{high, "12.5"}}), (Lines{"error: " + low + ": 25 % is not below " + high +
                                                       ", 12.5 %; allowed: a low threshold below the high one"}));
}

TEST(Checks, OneNicsFaultIsItsOwn)
{
    EXPECT_EQ(faults("star", {{"nics[3].Transport.DscpControl", "12"}}),
              (Lines{"error: nics[3].Transport.DscpControl: 12 is also nics[3].Transport.DscpTrimmed; allowed: six "
                     "different codepoints in 0 to 63"}));
    EXPECT_EQ(
        faults("star", {{"nics[15].SemanticLayer.MSS", "9000"}, {"nic.EgressBufferManager.TotalBufferSize", "5000"}}),
        (Lines{"error: nics[15].EgressBufferManager.TotalBufferSize: 5000B leaves 4500B for the data pool, "
               "less than its largest frame, 9078B; allowed: at least 10.087KB"}));
}

// [SW-12] [SW-23] A full packet is charged 4,156 bytes; 3 x 1,386 = 4,158 is the first product to hold it.
TEST(Checks, ASwitchQueueHoldsAFullPacket)
{
    EXPECT_EQ(faults("star", {{"switch.PlaneBDP", "4156"}, {"switch.QueueDropThreshold", "1"}}), Lines{});
    EXPECT_EQ(faults("star", {{"switch.PlaneBDP", "4155"}, {"switch.QueueDropThreshold", "1"}}),
              (Lines{"error: switch.PlaneBDP: 1 times 4155B holds no full packet, 4156B; allowed: at least 4156B"}));
    EXPECT_EQ(faults("star", {{"switch.PlaneBDP", "1386"}, {"switch.QueueDropThreshold", "3"}}), Lines{});
    EXPECT_EQ(faults("star", {{"switch.PlaneBDP", "1385"}, {"switch.QueueDropThreshold", "3"}}),
              (Lines{"error: switch.PlaneBDP: 3 times 1385B holds no full packet, 4156B; allowed: at least 1386B"}));
    EXPECT_EQ(faults("pair", {{"switch.PlaneBDP", "1"}}), Lines{});
}

// [SW-23, SW-30] With trimming the limit is PlaneBDP alone: 3 x 1,386 would do, 1,386 does not. [SW-25] No limit.
TEST(Checks, WithTrimmingTheLimitIsOnePlaneBdp)
{
    for (const char* platform : {"star", "leaf_spine"}) {
        EXPECT_EQ(faults(platform, {{"switch.PlaneBDP", "4156"}, {"switch.TrimmingEnabled", "true"}}), Lines{});
        EXPECT_EQ(
            faults(platform, {{"switch.PlaneBDP", "4155"}, {"switch.TrimmingEnabled", "true"}}),
            (Lines{"error: switch.PlaneBDP: 1 times 4155B holds no full packet, 4156B; allowed: at least 4156B"}));
        EXPECT_EQ(faults(platform, {{"switch.PlaneBDP", "1"}, {"switch.UETPolicyEnabled", "false"}}), Lines{});
    }
}

// [SW-17]
TEST(Checks, NoPauseFrames)
{
    EXPECT_EQ(faults("pair", {{"switch.EnablePFC", "true"}}),
              (Lines{"error: switch.EnablePFC: true, but NICs obey no pause frames (SW-17); allowed: false"}));
}

// [SW-41]
TEST(Checks, ThresholdsRise)
{
    EXPECT_EQ(faults("star", {{"switch.MinThreshold", "0.8"}}), Lines{});
    EXPECT_EQ(faults("star", {{"switch.MinThreshold", "0.81"}}),
              (Lines{"error: switch.MinThreshold: 0.81 is above switch.MaxThreshold; allowed: at most 0.8"}));
}

// [SW-21] One full frame for each pool, 3 x 4,156 = 12,468 bytes, beyond the headroom of all ports. At the defaults 999
// ports are fine and 1,000 are not.
TEST(Checks, TheSharedBufferHoldsAFrameForEachPool)
{
    EXPECT_EQ(faults("star", {{"fabric.Nics", "999"}}), Lines{});
    EXPECT_EQ(faults("star", {{"fabric.Nics", "2"}, {"switch.TotalSharedBufferSize", "524468"}}), Lines{});
    EXPECT_EQ(faults("star", {{"fabric.Nics", "2"}, {"switch.TotalSharedBufferSize", "524467"}}),
              (Lines{"error: switch.TotalSharedBufferSize: 524.467KB less 256KB for each of 2 ports leaves 12.467KB; "
                     "allowed: at least 524.468KB"}));
    // a leaf of 999 NICs and one uplink
    EXPECT_EQ(
        faults("leaf_spine", {{"fabric.NicsPerLeaf", "999"}, {"fabric.Spines", "1"}}),
        (Lines{"error: switch.TotalSharedBufferSize: 256MB less 256KB for each of 1000 ports leaves 0B; allowed: at "
               "least 256.012468MB"}));
    // a spine with two links to each of 500 leaves
    EXPECT_EQ(
        faults("leaf_spine", {{"fabric.Leaves", "500"},
                              {"fabric.NicsPerLeaf", "1"},
                              {"fabric.Spines", "1"},
                              {"fabric.ParallelLinks", "2"}}),
        (Lines{"error: switch.TotalSharedBufferSize: 256MB less 256KB for each of 1000 ports leaves 0B; allowed: at "
               "least 256.012468MB"}));
    // [SW-22] the third pool holds a SACK, 76 bytes [SW-12]: of 261 it gets 261 - 111 - 74, of 260 one byte less
    const std::vector<std::pair<std::string, std::string>> small{
        {"fabric.Nics", "2"}, {"switch.HeadRoomPerPortLimit", "0"}, {"nic.SemanticLayer.MSS", "1"}};
    const auto with_total = [&small](const std::string& total) {
        auto settings = small;
        settings.emplace_back("switch.TotalSharedBufferSize", total);
        return settings;
    };
    EXPECT_EQ(faults("star", with_total("261")), Lines{});
    EXPECT_EQ(faults("star", with_total("260")),
              (Lines{"error: switch.TotalSharedBufferSize: 260B less 0B for each of 2 ports leaves 260B; allowed: at "
                     "least 261B"}));
    // [SW-25] one pool
    EXPECT_EQ(faults("star", {{"fabric.Nics", "2"},
                              {"switch.TotalSharedBufferSize", "516156"},
                              {"switch.UETPolicyEnabled", "false"}}),
              Lines{});
    EXPECT_EQ(faults("pair", {{"switch.TotalSharedBufferSize", "0"}}), Lines{});
}

// [RC-30, SW-50] Node ids have 16 bits. Nothing else is said of a fabric that cannot be.
TEST(Checks, AFabricHasSoManyNics)
{
    EXPECT_EQ(
        faults("leaf_spine",
               {{"fabric.Leaves", "1024"}, {"fabric.NicsPerLeaf", "16"}, {"switch.TotalSharedBufferSize", "1GB"}}),
        Lines{});
    EXPECT_EQ(
        faults("leaf_spine", {{"fabric.Leaves", "1024"}, {"fabric.NicsPerLeaf", "999"}}),
        (Lines{"error: fabric.NicsPerLeaf: 1024 leaves of 999 NICs are 1022976 NICs; allowed: 2 to 16384 in all"}));
    EXPECT_EQ(faults("leaf_spine", {{"fabric.Leaves", "1"}, {"fabric.NicsPerLeaf", "1"}}),
              (Lines{"error: fabric.NicsPerLeaf: 1 leaves of 1 NICs are 1 NICs; allowed: 2 to 16384 in all"}));
    EXPECT_EQ(faults("leaf_spine", {{"fabric.Spines", "1024"}, {"fabric.ParallelLinks", "64"}}),
              (Lines{"error: fabric.ParallelLinks: 64 gives a switch 65552 ports; allowed: at most 65535"}));
}

// [WL-3]
TEST(Checks, TheSingleMessageStaysInTheFabric)
{
    EXPECT_EQ(faults("pair", {{"workload.Source", "1"}}),
              (Lines{"error: workload.Destination: 1 is also workload.Source; allowed: another NIC"}));
    EXPECT_EQ(faults("pair", {{"workload.Destination", "2"}}),
              (Lines{"error: workload.Destination: 2 is no NIC of this platform; allowed: 0 to 1"}));
    EXPECT_EQ(faults("star", {{"fabric.Nics", "4"}, {"workload.Source", "4"}}),
              (Lines{"error: workload.Source: 4 is no NIC of this platform; allowed: 0 to 3"}));
    EXPECT_EQ(faults("pair", {{"workload.Source", "1"}, {"workload.File", "a.cm"}}), Lines{});
    EXPECT_EQ(faults("leaf_spine", {{"workload.Destination", "127"}}), Lines{});
    EXPECT_EQ(faults("leaf_spine", {{"workload.Destination", "128"}}),
              (Lines{"error: workload.Destination: 128 is no NIC of this platform; allowed: 0 to 127"}));
}

// [WL-43] Flows need a distribution, sources and an end.
TEST(Checks, FlowsHaveADistributionSourcesAndAnEnd)
{
    const Settings flows{{"workload.File", "a.cdf"}, {"workload.Generator", "Cdf"}, {"workload.Source", "1"}};
    const auto with = [&flows](const Settings& more) {
        Settings settings = flows;
        settings.insert(settings.end(), more.begin(), more.end());
        return faults("pair", settings);
    };
    EXPECT_EQ(with({}), Lines{});
    EXPECT_EQ(with({{"workload.RunTime", "0"}, {"workload.MessageCount", "1"}}), Lines{});
    EXPECT_EQ(
        with({{"workload.RunTime", "0"}}),
        (Lines{"error: workload.RunTime: 0 and workload.MessageCount 0 would never end; allowed: at least 1 of one "
               "of them"}));
    EXPECT_EQ(with({{"workload.Sources", "0,2"}}),
              (Lines{"error: workload.Sources: \"2\" is no NIC and no range of NICs; allowed: all, or a list such as "
                     "0,3,5-9 of numbers up to 1"}));
    EXPECT_EQ(
        with({{"workload.File", "a.cm"}}),
        (Lines{"error: workload.Generator: Cdf needs a distribution; allowed: a workload.File with suffix .cdf"}));
}

// [WL-55] A collective has at least two ranks, its root among them, and no file.
TEST(Checks, CollectivesHaveRanksAndNoFile)
{
    const auto with = [](const std::string& generator, const std::string& ranks, const std::string& file = "") {
        return faults("star", {{"fabric.Nics", "4"},
                               {"workload.Generator", generator},
                               {"workload.Ranks", ranks},
                               {"workload.File", file}});
    };
    EXPECT_EQ(with("AllReduce", "all"), Lines{});
    EXPECT_EQ(with("AllReduce", "3,1"), Lines{});
    EXPECT_EQ(with("AllReduce", "3"),
              (Lines{"error: workload.Ranks: a collective of one NIC sends nothing; allowed: at least two NICs"}));
    EXPECT_EQ(with("Broadcast", "3,1"),
              (Lines{"error: workload.Source: 0 is the root of the broadcast; allowed: one of workload.Ranks"}));
    EXPECT_EQ(
        with("Barrier", "all", "a.cm"),
        (Lines{"error: workload.Generator: a collective reads no file; allowed with workload.File: Single, or Cdf "
               "with a .cdf file"}));
}

TEST(Checks, WhatThisVersionLacksIsRefused)
{
    EXPECT_EQ(faults("pair", {{"simulation.Timing", "clocked"}}),
              (Lines{"error: simulation.Timing: clocked is not available in this version; allowed: exact"}));
}

TEST(Checks, AReceiveRunEnds)
{
    EXPECT_EQ(faults("line_rate_receive", {}),
              (Lines{"error: workload.FrameCount: line_rate_receive would never end; allowed: at least 1 (or "
                     "simulation.StopTime at least 1ps)"}));
}

TEST(Checks, AConfigurationFromCppIsCheckedAsAWhole)
{
    Config config = default_config("star");
    config.nics.pop_back();
    config.simulation.seed = ~std::uint64_t{0} >> 1;
    ASSERT_EQ(validate(config).size(), 1U);
    EXPECT_EQ(validate(config)[0].text(), "error: nics: has 15 entries; allowed: one for each NIC, 16");

    config = default_config();
    config.nics[1].mss = 16'001;
    ASSERT_EQ(validate(config).size(), 1U);
    EXPECT_EQ(
        validate(config)[0].text(),
        "error: nics[1].SemanticLayer.MSS: 16.001KB is out of range; allowed: 1B to 16KB (B KB KiB MB MiB GB GiB)");
}

// [RC-67] A filter is All, or what its name says.
TEST(Checks, MonitorFilters)
{
    EXPECT_EQ(faults("pair", {{"nic.Monitor.FilterOnNodeId", "1"},
                              {"nic.Monitor.FilterOnLocalIp", "10.0.0.1"},
                              {"nic.Monitor.FilterOnRemoteIp", "10.0.0.2"},
                              {"nic.Monitor.FilterOnQp", "10.0.0.1:17"}}),
              Lines{});
    EXPECT_EQ(
        faults("pair", {{"nic.Monitor.FilterOnNodeId", "2"},
                        {"nic.Monitor.FilterOnLocalIp", "10.0.0"},
                        {"nic.Monitor.FilterOnRemoteIp", "all"},
                        {"nic.Monitor.FilterOnQp", "10.0.0.1"}}),
        (Lines{"error: nic.Monitor.FilterOnNodeId: \"2\" is no such filter; allowed: All or a NIC of this "
               "platform, 0 to 1",
               "error: nic.Monitor.FilterOnLocalIp: \"10.0.0\" is no such filter; allowed: All or an IPv4 address "
               "such as 10.0.0.1",
               "error: nic.Monitor.FilterOnRemoteIp: \"all\" is no such filter; allowed: All or an IPv4 address "
               "such as 10.0.0.1",
               "error: nic.Monitor.FilterOnQp: \"10.0.0.1\" is no such filter; allowed: All or ADDRESS:NUMBER "
               "such as 10.0.0.1:17"}));
    EXPECT_EQ(faults("star", {{"fabric.Nics", "3"}, {"nics[2].Monitor.FilterOnNodeId", "x"}}),
              (Lines{"error: nics[2].Monitor.FilterOnNodeId: \"x\" is no such filter; allowed: All or a NIC of this "
                     "platform, 0 to 2"}));
}

}  // namespace
}  // namespace mrcnic::config
