#include "mrcnic/config/edit.h"

#include <string>

#include <gtest/gtest.h>

namespace mrcnic::config {
namespace {

std::string refusal(Config& config, std::string_view path, std::string_view value)
{
    try {
        set(config, path, value);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Edit, StartsFromThePlatformsDefaults)
{
    EXPECT_EQ(default_config().nics.size(), 2U);
    EXPECT_EQ(default_config("star").nics.size(), 16U);
    EXPECT_EQ(default_config("line_rate_receive").nics.size(), 1U);
    EXPECT_THROW((void)default_config("ring"), ConfigError);
}

TEST(Edit, SetsEveryNicOrOne)
{
    Config config = default_config("star");
    set(config, "nic.SemanticLayer.MSS", "1KiB");
    set(config, "nics[2].SemanticLayer.MSS", "512");
    set(config, "simulation.Seed", "7");
    EXPECT_EQ(config.nic.mss, 1024U);
    EXPECT_EQ(config.nics[1].mss, 1024U);
    EXPECT_EQ(config.nics[2].mss, 512U);
    EXPECT_EQ(config.simulation.seed, 7U);
}

TEST(Edit, KeepsTheNicsThatStay)
{
    Config config = default_config("star");
    set(config, "nics[2].SemanticLayer.MSS", "512");
    set(config, "fabric.Nics", "3");
    EXPECT_EQ(config.nics.size(), 3U);
    set(config, "fabric.Nics", "5");
    EXPECT_EQ(config.nics.size(), 5U);
    EXPECT_EQ(config.nics[2].mss, 512U);
    EXPECT_EQ(config.nics[4].mss, 4096U);
}

TEST(Edit, SaysWhatItRefuses)
{
    Config config = default_config();
    EXPECT_EQ(refusal(config, "nic.MSS", "3"), "nic.MSS: unknown attribute; did you mean nic.SemanticLayer.MSS?");
    EXPECT_EQ(refusal(config, "nics[2].SemanticLayer.MSS", "3"),
              "nics[2].SemanticLayer.MSS: 2 is no NIC of this platform; allowed: 0 to 1");
    EXPECT_EQ(refusal(config, "nic.HostInterface.NICSide.LaneCount", "17"),
              "nic.HostInterface.NICSide.LaneCount: 17 is out of range; allowed: an integer from 1 to 16");
    EXPECT_EQ(config.nic.host_interface.nic_side.lane_count, 16U);
}

}  // namespace
}  // namespace mrcnic::config
