#include "mrcnic/config/digest.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mrcnic/config/edit.h"
#include "mrcnic/config/reader.h"

namespace mrcnic::config {
namespace {

std::string digest(const std::string& text, const std::vector<std::string>& overrides = {},
                   const std::string& name = "f.toml")
{
    return config_digest(load_text(text, name, overrides).effective);
}

TEST(Digest, IsSha256OfCompactJsonWithSortedKeys)
{
    EXPECT_EQ(config_digest({}), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");  // of "{}"
    const std::string text = digest_text(load_text("", "f.toml").effective);
    const auto object = nlohmann::ordered_json::parse(text);
    EXPECT_EQ(object.dump(), text);
    std::vector<std::string> keys;
    for (const auto& item : object.items()) {
        keys.push_back(item.key());
    }
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(object.at("nic.HostInterface.NICSide.LaneBps"), 31'520'000'000);
    EXPECT_FALSE(object.contains("simulation.RecordPrefix"));
    EXPECT_EQ(keys.size(), attributes().size() - 3);
}

TEST(Digest, SaysWhatIsRunNotHowItIsWritten)
{
    const std::string plain = digest("");
    EXPECT_EQ(plain.size(), 64U);
    EXPECT_EQ(digest("[nic.SemanticLayer]\nMSS = \"4096B\"\n"), plain);
    EXPECT_EQ(digest("[[nics]]\nindex = 1\nSemanticLayer.MSS = 4096\n"), plain);
    EXPECT_EQ(
        digest("", {"simulation.RecordPrefix=x", "simulation.WallClockUtc=true", "simulation.ProtocolCheckers=true"}),
        plain);
    EXPECT_EQ(digest("[workload]\nFile = \"a.cm\"\n", {}, "here/f.toml"),
              digest("[workload]\nFile = \"a.cm\"\n", {}, "there/f.toml"));
}

TEST(Digest, ChangesWithEveryAttributeThatChangesTheRun)
{
    const std::string plain = digest("");
    EXPECT_NE(digest("", {"nic.SemanticLayer.MSS=4095"}), plain);
    EXPECT_NE(digest("", {"simulation.Seed=2"}), plain);
    EXPECT_NE(digest("", {"workload.File=a.cm"}), plain);
    EXPECT_NE(digest("", {"nics[1].SemanticLayer.MSS=4095"}), plain);
    EXPECT_NE(digest("", {"nics[1].SemanticLayer.MSS=4095"}), digest("", {"nics[0].SemanticLayer.MSS=4095"}));
}

TEST(Digest, IsTheSameFromCpp)
{
    EXPECT_EQ(config_digest(effective_values(default_config())), digest(""));
    Config config = default_config("star");
    set(config, "nics[3].SemanticLayer.MSS", "1024");
    EXPECT_EQ(config_digest(effective_values(config)),
              digest("platform = \"star\"\n[[nics]]\nindex = 3\nSemanticLayer.MSS = 1024\n"));
}

}  // namespace
}  // namespace mrcnic::config
