#include "mrcnic/config/reader.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::config {
namespace {

using Lines = std::vector<std::string>;

Lines errors(std::string_view text, const std::vector<std::string>& overrides = {})
{
    Lines lines;
    for (const Error& error : load_text(text, "f.toml", overrides).errors) {
        lines.push_back(error.text());
    }
    return lines;
}

std::string origin(const LoadResult& result, const std::string& path)
{
    for (const EffectiveValue& value : result.effective) {
        if (value.target.path() == path) {
            return value.origin.describe();
        }
    }
    return "not there";
}

TEST(Reader, AnEmptyFileIsThePairAtItsDefaults)
{
    const LoadResult result = load_text("", "f.toml");
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.config.platform, "pair");
    EXPECT_EQ(result.config.nics.size(), 2U);
    EXPECT_EQ(result.config.nics[1].mss, 4096U);
}

TEST(Reader, ReadsEveryKindOfValue)
{
    const LoadResult result = load_text(R"(
platform = "star"
[simulation]
StopTime = "1.5ms"
PayloadMode = "bytes"
RecordPrefix = "x"
[nic]
UplinkNetworkInterface.DataRate = "200Gbps"
Transport.TrimmingEnabled = true
[nic.HostInterface.NICSide]
LaneCount = 8
LaneBps = 31_520_000_000
[switch]
PlaneBDP = 250000
[fabric]
Nics = 4
)",
                                        "f.toml");
    ASSERT_TRUE(result.ok()) << result.errors.front().text();
    EXPECT_EQ(result.config.simulation.stop_time, 1'500'000'000);
    EXPECT_EQ(result.config.simulation.payload_mode, PayloadMode::bytes);
    EXPECT_EQ(result.config.simulation.record_prefix, "x");
    EXPECT_EQ(result.config.nic.data_rate, 200'000'000'000U);
    EXPECT_EQ(result.config.nics.size(), 4U);
    EXPECT_TRUE(result.config.nics[3].transport.trimming_enabled);
    EXPECT_EQ(result.config.nics[3].host_interface.nic_side.rate(), 252'160'000'000U);
    EXPECT_EQ(result.config.network_switch.plane_bdp, 250'000U);
}

TEST(Reader, UnknownNamesHaveAPlaceAndTheNearestName)
{
    EXPECT_EQ(errors("[nic.SemanticLayer]\nMss = 5\n"),
              (Lines{"error: f.toml:2:1: nic.SemanticLayer.Mss: unknown attribute; did you mean "
                     "nic.SemanticLayer.MSS?"}));
    EXPECT_EQ(errors("[simulatoin]\nSeed = 5\n"),
              (Lines{"error: f.toml:1:2: simulatoin: unknown table; did you mean simulation?"}));
    EXPECT_EQ(
        errors("[nic.HostInterface.NicSied]\nLaneCount = 5\n"),
        (Lines{
            "error: f.toml:1:20: nic.HostInterface.NicSied: unknown table; did you mean nic.HostInterface.NICSide?"}));
    EXPECT_EQ(errors("[[nics]]\nindex = 0\n[nics.HostInterfaces]\n"),
              (Lines{"error: f.toml:3:7: nics[0].HostInterfaces: unknown table; did you mean nics[0].HostInterface?"}));
    EXPECT_EQ(errors("[nic]\n\"SemanticLayer.MSS\" = 5\n"),
              (Lines{"error: f.toml:2:1: nic.SemanticLayer.MSS: a quoted name with dots is one name; allowed: a "
                     "path without quotes"}));
}

TEST(Reader, WrongTypesHaveAPlace)
{
    EXPECT_EQ(errors("[simulation]\n  Seed = \"5\"\n"),
              (Lines{"error: f.toml:2:10: simulation.Seed: \"5\" is a string; allowed: an integer from 0 to "
                     "9223372036854775807"}));
    EXPECT_EQ(errors("simulation = 3\n"), (Lines{"error: f.toml:1:14: simulation: 3 is an integer; allowed: a table"}));
    EXPECT_EQ(errors("[workload]\nFile = [\"a\"]\n"),
              (Lines{"error: f.toml:2:8: workload.File: is an array; allowed: a file name"}));
    EXPECT_EQ(errors("[workload]\nFile = 2020-01-01\n"),
              (Lines{"error: f.toml:2:8: workload.File: is a date or time; allowed: a file name"}));
    EXPECT_EQ(errors("[workload.File]\n"),
              (Lines{"error: f.toml:1:1: workload.File: is a table; allowed: a file name"}));
    EXPECT_EQ(errors("platform = \"ring\"\n"),
              (Lines{"error: f.toml:1:12: platform: \"ring\" is unknown; allowed: pair, star, "
                     "leaf_spine, line_rate_receive"}));
}

// [TR-17]
TEST(Reader, RangesAndFractionsHaveAPlace)
{
    EXPECT_EQ(errors("[nic.Transport]\nMaxPsnRange = 130\n"),
              (Lines{"error: f.toml:2:15: nic.Transport.MaxPsnRange: 130 is no multiple of 128; allowed: a "
                     "multiple of 128 from 128 to 32640"}));
    EXPECT_EQ(errors("[nic.TransmissionMedium]\nDelay = \"0.1ps\"\n"),
              (Lines{"error: f.toml:2:9: nic.TransmissionMedium.Delay: \"0.1ps\" is not a whole number of ps; "
                     "allowed: 0ps to 1000s (ps ns us ms s)"}));
    EXPECT_EQ(errors("[nic.UplinkNetworkInterface]\nDataRate = 0\n"),
              (Lines{"error: f.toml:2:12: nic.UplinkNetworkInterface.DataRate: 0bps is out of range; allowed: "
                     "1Mbps to 100Tbps (bps Kbps Mbps Gbps Tbps)"}));
}

TEST(Reader, ASyntaxErrorIsOneError)
{
    const auto lines = errors("[nic\nMSS = 3\n[[[\n");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].rfind("error: f.toml:1:5: no valid TOML: ", 0), 0U) << lines[0];
}

TEST(Reader, AllErrorsComeInOneGoInTheFilesOrder)
{
    const auto lines = errors("[workload]\nSource = -1\n[simulation]\nSeeed = 1\nTiming = \"clocked\"\n",
                              {"nic.SemanticLayer.MS=1", "simulation.WallClockUtc=yes", "workload.FrameCount"});
    EXPECT_EQ(lines,
              (Lines{"error: f.toml:2:10: workload.Source: -1 is out of range; allowed: an integer from 0 to 16383",
                     "error: f.toml:4:1: simulation.Seeed: unknown attribute; did you mean simulation.Seed?",
                     "error: f.toml:5:10: simulation.Timing: clocked is not available in this version; allowed: "
                     "exact",
                     "error: --set nic.SemanticLayer.MS=1: unknown attribute; did you mean nic.SemanticLayer.MSS?",
                     "error: --set simulation.WallClockUtc=yes: \"yes\" is no boolean; allowed: true or false",
                     "error: --set workload.FrameCount: has no value; allowed: PATH=VALUE"}));
}

TEST(Reader, AnErrorIsOneLine)
{
    EXPECT_EQ(errors("platform = \"a\\nb\"\n"),
              (Lines{"error: f.toml:1:12: platform: \"a b\" is unknown; allowed: pair, star, "
                     "leaf_spine, line_rate_receive"}));
}

TEST(Reader, TheCommandLineWins)
{
    const LoadResult result = load_text("[nic.SemanticLayer]\nMSS = 1024\n", "f.toml",
                                        {"nic.SemanticLayer.MSS=2KiB", "nic.SemanticLayer.MSS=2000",
                                         "nics[1].TransmissionMedium.Delay=1us", "workload.File=a=b.cm"});
    ASSERT_TRUE(result.ok()) << result.errors.front().text();
    EXPECT_EQ(result.config.nics[0].mss, 2000U);
    EXPECT_EQ(result.config.nics[0].link_delay, 100'000);
    EXPECT_EQ(result.config.nics[1].link_delay, 1'000'000);
    EXPECT_EQ(result.config.workload.file, "a=b.cm");
}

TEST(Reader, OneNicCanBeOverridden)
{
    const LoadResult result = load_text(R"([nic.SemanticLayer]
MSS = 1024
[[nics]]
index = 1
SemanticLayer.MSS = 512
[nics.HostInterface.NICSide]
LaneCount = 4
)",
                                        "f.toml", {"nic.SemanticLayer.MSS=2048"});
    ASSERT_TRUE(result.ok()) << result.errors.front().text();
    EXPECT_EQ(result.config.nic.mss, 2048U);
    EXPECT_EQ(result.config.nics[0].mss, 2048U);
    EXPECT_EQ(result.config.nics[1].mss, 512U);
    EXPECT_EQ(result.config.nics[0].host_interface.nic_side.lane_count, 16U);
    EXPECT_EQ(result.config.nics[1].host_interface.nic_side.lane_count, 4U);
    EXPECT_EQ(origin(result, "nic.SemanticLayer.MSS"), "command line");
    EXPECT_EQ(origin(result, "nics[1].SemanticLayer.MSS"), "f.toml:5");
    EXPECT_EQ(origin(result, "nic.TransmissionMedium.Delay"), "default");
}

TEST(Reader, OverriddenNicsMustBeThere)
{
    EXPECT_EQ(errors("[[nics]]\nindex = 2\nSemanticLayer.MSS = 512\n", {"nics[7].SemanticLayer.MSS=3"}),
              (Lines{"error: f.toml:2:9: nics.index: 2 is no NIC of this platform; allowed: 0 to 1",
                     "error: --set nics[7].SemanticLayer.MSS=3: 7 is no NIC of this platform; allowed: 0 to 1"}));
    EXPECT_EQ(errors("[[nics]]\nindex = 1\n[[nics]]\nindex = 1\n"),
              (Lines{"error: f.toml:4:9: nics.index: 1 was given in line 2 already; allowed: each NIC once"}));
    EXPECT_EQ(errors("[[nics]]\nSemanticLayer.MSS = 3\n"),
              (Lines{"error: f.toml:1:1: nics: has no index; allowed: index = N, the number of a NIC from 0"}));
    EXPECT_EQ(errors("[[nics]]\nindex = -1\n"),
              (Lines{"error: f.toml:2:9: nics.index: -1 is out of range; allowed: the number of a NIC from 0"}));
    EXPECT_EQ(errors("[[nics]]\nindex = \"1\"\n"),
              (Lines{"error: f.toml:2:9: nics.index: \"1\" is a string; allowed: the number of a NIC from 0"}));
    EXPECT_EQ(errors("nics = 3\n"), (Lines{"error: f.toml:1:8: nics: 3 is an integer; allowed: [[nics]] tables"}));
    EXPECT_EQ(errors("[[nics]]\nindex = 0\nSemanticLayer.Mss = 3\nSemanticLayer.MSS = 0\n"),
              (Lines{"error: f.toml:3:15: nics[0].SemanticLayer.Mss: unknown attribute; did you mean "
                     "nics[0].SemanticLayer.MSS?",
                     "error: f.toml:4:21: nics[0].SemanticLayer.MSS: 0B is out of range; allowed: 1B to 16KB (B "
                     "KB KiB MB MiB GB GiB)"}));
}

// A relation is blamed on what was set, and not checked on values that were refused.
TEST(Reader, RelationsPointAtWhatWasSet)
{
    EXPECT_EQ(errors("[nic]\nEgressBufferManager.TotalBufferSize = \"10KB\"\n", {"nic.SemanticLayer.MSS=9000"}),
              (Lines{"error: f.toml:2:39: nic.EgressBufferManager.TotalBufferSize: 10KB leaves 9000B for the data "
                     "pool, less than its largest frame, 9078B; allowed: at least 10.087KB"}));
    EXPECT_EQ(errors("", {"nic.EgressBufferManager.TotalBufferSize=1KB"}),
              (Lines{"error: --set nic.EgressBufferManager.TotalBufferSize=1KB: 1000B leaves 900B for the data "
                     "pool, less than its largest frame, 4174B; allowed: at least 4638B"}));
    EXPECT_EQ(errors("", {"platform=line_rate_receive"}),
              (Lines{"error: --set platform=line_rate_receive: workload.FrameCount: line_rate_receive would never "
                     "end; allowed: at least 1 (or simulation.StopTime at least 1ps)"}));
    EXPECT_EQ(errors("[nic]\nEgressBufferManager.TotalBufferSize = \"1KB\"\n", {"nic.SemanticLayer.MSS=0"}),
              (Lines{"error: --set nic.SemanticLayer.MSS=0: 0B is out of range; allowed: 1B to 16KB (B KB KiB MB "
                     "MiB GB GiB)"}));
    EXPECT_EQ(errors("platform = \"ring\"\n[workload]\nDestination = 9\n[[nics]]\nindex = 9\n"),
              (Lines{"error: f.toml:1:12: platform: \"ring\" is unknown; allowed: pair, star, "
                     "leaf_spine, line_rate_receive"}));
}

TEST(Reader, PathsAreRelativeToWhereTheyWereWritten)
{
    const std::string text = "[workload]\nFile = \"../data/a.cm\"\n";
    EXPECT_EQ(load_text(text, "examples/star.toml").config.workload.file, "data/a.cm");
    EXPECT_EQ(load_text(text, "star.toml").config.workload.file, "../data/a.cm");
    EXPECT_EQ(load_text("[workload]\nFile = \"/a.cm\"\n", "examples/star.toml").config.workload.file, "/a.cm");
    EXPECT_EQ(load_text("[workload]\nFile = \"\"\n", "examples/star.toml").config.workload.file, "");
    EXPECT_EQ(load_text(text, "examples/star.toml", {"workload.File=b/c.cm"}).config.workload.file, "b/c.cm");
}

TEST(Reader, ReadsFilesAndSaysWhenItCannot)
{
    const testbench::TemporaryFolder folder;
    const auto file = folder.path() / "f.toml";
    std::ofstream{file} << "[fabric]\nNics = 3\n";
    const LoadResult result = load_file(file.string(), {"platform=star"});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.config.nics.size(), 3U);

    const LoadResult missing = load_file("no/such.toml");
    ASSERT_EQ(missing.errors.size(), 1U);
    EXPECT_EQ(missing.errors[0].text(),
              "error: no/such.toml: cannot be read: No such file or directory; allowed: a TOML file");
    const LoadResult directory = load_file(".");
    ASSERT_EQ(directory.errors.size(), 1U);
    EXPECT_EQ(directory.errors[0].text(), "error: .: cannot be read: is a folder; allowed: a TOML file");
}

}  // namespace
}  // namespace mrcnic::config
