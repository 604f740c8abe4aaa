#include "mrcnic/config/print.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mrcnic/config/reader.h"

namespace mrcnic::config {
namespace {

// The page is written from the table: `mrcnic attributes --format markdown > docs/attributes.md`.
TEST(Print, TheDocumentationPageIsUpToDate)
{
    std::ifstream page{MRCNIC_SOURCE_DIR "/docs/attributes.md", std::ios::binary};
    ASSERT_TRUE(page) << "docs/attributes.md is missing";
    const std::string text{std::istreambuf_iterator<char>{page}, {}};
    EXPECT_EQ(text, attributes_markdown());
}

TEST(Print, MarkdownHasARowOfSixCellsForEveryAttribute)
{
    const std::string page = attributes_markdown();
    EXPECT_NE(page.find("\n## nic.Transport\n"), std::string::npos);
    EXPECT_NE(page.find("| `nic.SemanticLayer.MSS` | bytes | B | 4096B | 1B..16KB | "), std::string::npos);
    EXPECT_NE(page.find("| `nic.Transport.MaxPsnRange` | integer | PSN | 4096 | 128..32640, multiple of 128 | "),
              std::string::npos);
    for (const Attribute& attribute : attributes()) {
        const std::size_t row = page.find("| `" + attribute.path + "` |");
        ASSERT_NE(row, std::string::npos) << attribute.path;
        const std::string line = page.substr(row, page.find('\n', row) - row);
        EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 7) << line;
    }
}

TEST(Print, JsonHasBaseUnits)
{
    const auto rows = nlohmann::json::parse(attributes_json());
    ASSERT_EQ(rows.size(), attributes().size());
    for (const auto& row : rows) {
        if (row.at("path") == "nic.HostInterface.NICSide.LaneBps") {
            EXPECT_EQ(row.at("type"), "rate");
            EXPECT_EQ(row.at("unit"), "bps");
            EXPECT_EQ(row.at("default"), 31'520'000'000);
            EXPECT_EQ(row.at("low"), 1'000'000);
            EXPECT_EQ(row.at("high"), 100'000'000'000'000);
        }
        if (row.at("path") == "simulation.Timing") {
            EXPECT_EQ(row.at("words"), (nlohmann::json{"exact", "clocked"}));
            EXPECT_FALSE(row.contains("low"));
        }
    }
}

TEST(Print, TheTableHasALineForEachAttribute)
{
    const std::string table = attributes_table();
    EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), attributes().size() + 1);
    EXPECT_EQ(table.rfind("PATH ", 0), 0U);
}

TEST(Print, TheEffectiveConfigurationHasValuesAndOrigins)
{
    const LoadResult result =
        load_text("[nic.SemanticLayer]\nMSS = 2048\n[[nics]]\nindex = 1\nSemanticLayer.MSS = 1024\n", "f.toml",
                  {"simulation.Seed=3"});
    const std::string table = effective_table(result.effective);
    EXPECT_TRUE(std::regex_search(table, std::regex{"\nnic.SemanticLayer.MSS +2048B +f.toml:2\n"}));
    EXPECT_TRUE(std::regex_search(table, std::regex{"\nsimulation.Seed +3 +command line\n"}));
    EXPECT_TRUE(std::regex_search(table, std::regex{"\nnic.HostInterface.NICSide.LaneBps +31.52Gbps +default\n"}));
    EXPECT_TRUE(std::regex_search(table, std::regex{"\nnics.1..SemanticLayer.MSS +1024B +f.toml:5\n"}));
}

}  // namespace
}  // namespace mrcnic::config
