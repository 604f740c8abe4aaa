#include "mrcnic/workload/json_document.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrcnic::workload {
namespace {

/// "LINE:COL reason" of what is wrong with a text.
std::string problem_of(const std::string& text)
{
    try {
        (void)parse_json(text);
    } catch (const JsonProblem& problem) {
        const TextPlaces::Place place = TextPlaces{text}.at(problem.offset);
        return fmt::format("{}:{} {}", place.line, place.column, problem.reason);
    }
    return {};
}

// [WL-58] Every value knows where it stands.
TEST(JsonDocument, KnowsThePlaceOfEveryValue)
{
    const std::string text =
        "{ \"a\" : [ -1.5e3, \"x\\\"]\\\\\",true ,null],\n\"b\":{\"c\":-7}, \"d\" :18446744073709551615 }";
    const std::vector<JsonValue> values = parse_json(text);
    ASSERT_EQ(values.size(), 1u);
    const JsonValue& a = *values[0].find("a");
    ASSERT_EQ(a.items.size(), 4u);
    EXPECT_EQ(text.substr(a.offset, 1), "[");
    EXPECT_EQ(text.substr(a.items[0].offset, 4), "-1.5");
    EXPECT_EQ(a.items[0].real, -1500.0);
    EXPECT_EQ(text.substr(a.items[1].offset, 3), "\"x\\");
    EXPECT_EQ(a.items[1].text, "x\"]\\");
    EXPECT_EQ(text.substr(a.items[2].offset, 4), "true");
    EXPECT_TRUE(a.items[2].boolean);
    EXPECT_EQ(text.substr(a.items[3].offset, 4), "null");
    const JsonValue& c = *values[0].find("b")->find("c");
    EXPECT_EQ(text.substr(c.offset, 3), "-7}");
    EXPECT_TRUE(c.negative);
    EXPECT_EQ(c.magnitude, 7u);
    const JsonValue& d = *values[0].find("d");
    EXPECT_EQ(text.substr(d.offset, 4), "1844");
    EXPECT_EQ(d.magnitude, 18'446'744'073'709'551'615u);
    EXPECT_EQ(values[0].find("e"), nullptr);
    EXPECT_EQ(TextPlaces{text}.at(c.offset).line, 2u);
    EXPECT_EQ(TextPlaces{text}.at(c.offset).column, 10u);
}

// Values one after another, as a tool writes them that turns a trace into JSON message by message.
TEST(JsonDocument, ReadsValuesThatFollowEachOther)
{
    const std::string text = "{\"version\": \"0.0.4\"}{\n  \"id\": \"1\"\n} { }\n";
    const std::vector<JsonValue> values = parse_json(text);
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(values[1].find("id")->text, "1");
    EXPECT_EQ(TextPlaces{text}.at(values[1].find("id")->offset).line, 2u);
    EXPECT_EQ(TextPlaces{text}.at(values[2].offset).column, 3u);
}

TEST(JsonDocument, NamesThePlaceOfWhatIsWrong)
{
    EXPECT_EQ(problem_of("{\n \"a\": 1,\n \"a\": 2}"), "3:2 \"a\" stands twice in this object");
    EXPECT_EQ(problem_of(std::string(65, '[')), "1:65 nested too deeply; allowed: 64 levels");
    EXPECT_EQ(problem_of("{\"a\": nul}").substr(0, 31), "1:10 this is no JSON: value - i");
    EXPECT_EQ(problem_of("{}\n{\"a\"\n  1}").substr(0, 24), "3:3 this is no JSON: obj");
    EXPECT_EQ(problem_of("").substr(0, 23), "1:1 this is no JSON: va");
}

}  // namespace
}  // namespace mrcnic::workload
