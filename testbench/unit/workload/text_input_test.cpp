#include "mrcnic/workload/text_input.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "testbench/support/harness.h"

namespace mrcnic::workload {
namespace {

std::string reason_of(const std::string& text)
{
    try {
        return "read as " + std::to_string(parse_picoseconds({text, 1}, "start"));
    } catch (const LineProblem& problem) {
        return problem.reason;
    }
}

// [WL-13] Exact, to the nearest picosecond, halves up. A 32-bit float would read 16777217 as 16777216, a 64-bit one
// 9007199254740993 as ...992, and 0.49999999999999999999 as 0.5.
TEST(ParsePicoseconds, ReadsDecimalsExactlyAndRoundsHalvesUp)
{
    const std::vector<std::pair<std::string, Picoseconds>> cases{
        {"0", 0},
        {"007", 7},
        {"16777217", 16'777'217},
        {"9007199254740993", 9'007'199'254'740'993},
        {"12.5", 13},
        {"12.4999999999999999999999999999999999", 12},
        {"0.49999999999999999999", 0},
        {"0.5", 1},
        {"0.05", 0},
        {".5", 1},
        {"3.", 3},
        {"4611686018427387903", 4'611'686'018'427'387'903},  // 2^62 - 1
        {"4611686018427387902.5", 4'611'686'018'427'387'903},
        {"4611686018427387903.4", 4'611'686'018'427'387'903},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(parse_picoseconds({text, 1}, "start"), expected) << text;
    }
}

// [WL-13]
TEST(ParsePicoseconds, RefusesWhatIsNoDecimalNumber)
{
    for (const std::string text : {"", ".", "-1", "+1", "1e6", "1.2.3", "0x10", "1,5", "12ps", "nan"}) {
        EXPECT_EQ(reason_of(text),
                  "start \"" + text + "\" is not a decimal number of picoseconds; 0..4611686018427387903 is allowed");
    }
}

// [WL-13] The range ends where a sum with the start time could leave the model's time.
TEST(ParsePicoseconds, RefusesWhatIsTooLate)
{
    for (const std::string text :
         {"4611686018427387904", "4611686018427387903.5", "18446744073709551616", "99999999999999999999999999999999"}) {
        EXPECT_EQ(reason_of(text), "start \"" + text + "\" is out of range; 0..4611686018427387903 is allowed");
    }
}

// [WL-17] Sizes have 64 bits.
TEST(ParseNumber, ReadsSixtyFourBits)
{
    const std::uint64_t highest = 18'446'744'073'709'551'615U;
    EXPECT_EQ(parse_number({"18446744073709551615", 1}, "size", 0, highest), highest);
    EXPECT_THROW((void)parse_number({"18446744073709551616", 1}, "size", 0, highest), LineProblem);
    EXPECT_THROW((void)parse_number({"18446744073709551620", 1}, "size", 0, highest), LineProblem);
    EXPECT_EQ(parse_number({"5", 1}, "size", 5, 7), 5u);
    EXPECT_EQ(parse_number({"7", 1}, "size", 5, 7), 7u);
    EXPECT_THROW((void)parse_number({"4", 1}, "size", 5, 7), LineProblem);
    EXPECT_THROW((void)parse_number({"8", 1}, "size", 5, 7), LineProblem);
}

TEST(InQuotes, CutsLongTextAndShowsUnprintableBytes)
{
    EXPECT_EQ(in_quotes("abc"), "\"abc\"");
    EXPECT_EQ(in_quotes(std::string_view{"a\0\xFF", 3}), "\"a\\x00\\xFF\"");
    EXPECT_EQ(in_quotes(std::string(41, 'x')), '"' + std::string(40, 'x') + "...\"");
}

TEST(LineCursor, CountsLinesWithAndWithoutLastLineEnd)
{
    LineCursor lines{"a\n\nb"};
    EXPECT_EQ(lines.next(), "a");
    EXPECT_EQ(lines.next(), "");
    EXPECT_EQ(lines.next(), "b");
    EXPECT_EQ(lines.number(), 3u);
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_EQ(lines.number(), 3u);
}

TEST(ReadTextFile, SaysWhyItCannot)
{
    const testbench::TemporaryFolder folder;
    const auto text_of = [](const std::string& path) {
        try {
            return read_text_file(path);
        } catch (const InputError& error) {
            return std::string{error.what()};
        }
    };
    const std::string missing = folder.path() / "missing.cm";
    EXPECT_EQ(text_of(missing), "error: " + missing + ": cannot be read: No such file or directory");
    EXPECT_EQ(text_of(folder.path()), "error: " + folder.path().string() + ": cannot be read: it is a folder");
    const std::string present = folder.path() / "present.cm";
    std::ofstream{present} << "Nodes 2\n";
    EXPECT_EQ(text_of(present), "Nodes 2\n");
}

TEST(ProblemList, ThrowsAllInTheOrderOfTheFile)
{
    ProblemList problems{"w.cm"};
    EXPECT_NO_THROW(problems.throw_if_any());
    problems.add(3, 9, "late");
    problems.add(3, 1, "early");
    problems.add(0, 0, "whole");
    try {
        problems.throw_if_any();
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "error: w.cm: whole\nerror: w.cm:3:1: early\nerror: w.cm:3:9: late");
        EXPECT_EQ(error.file(), "w.cm");
        ASSERT_EQ(error.problems().size(), 3u);
        EXPECT_EQ(error.problems()[2].column, 9u);
    }
}

}  // namespace
}  // namespace mrcnic::workload
