#include "mrcnic/config/quantity.h"

#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::config {
namespace {

const testbench::KernelFreeProgram kKernelFree;  // for all tests of this folder

std::int64_t parsed(std::string_view text, Dimension dimension)
{
    const auto result = parse_quantity(text, dimension);
    EXPECT_TRUE(result) << text << ": " << result.error;
    return result.value.value_or(-1);
}

std::string error(std::string_view text, Dimension dimension)
{
    return parse_quantity(text, dimension).error;
}

// Units of the interface sheet: KB = 1,000, KiB = 1,024.
TEST(Quantity, KnowsEveryUnit)
{
    EXPECT_EQ(parsed("7B", Dimension::bytes), 7);
    EXPECT_EQ(parsed("256KB", Dimension::bytes), 256'000);
    EXPECT_EQ(parsed("1KiB", Dimension::bytes), 1'024);
    EXPECT_EQ(parsed("4MB", Dimension::bytes), 4'000'000);
    EXPECT_EQ(parsed("1MiB", Dimension::bytes), 1'048'576);
    EXPECT_EQ(parsed("2GB", Dimension::bytes), 2'000'000'000);
    EXPECT_EQ(parsed("1GiB", Dimension::bytes), 1'073'741'824);
    EXPECT_EQ(parsed("9bps", Dimension::rate), 9);
    EXPECT_EQ(parsed("9Kbps", Dimension::rate), 9'000);
    EXPECT_EQ(parsed("9Mbps", Dimension::rate), 9'000'000);
    EXPECT_EQ(parsed("400Gbps", Dimension::rate), 400'000'000'000);
    EXPECT_EQ(parsed("1.6Tbps", Dimension::rate), 1'600'000'000'000);
    EXPECT_EQ(parsed("3ps", Dimension::time), 3);
    EXPECT_EQ(parsed("15ns", Dimension::time), 15'000);
    EXPECT_EQ(parsed("6us", Dimension::time), 6'000'000);
    EXPECT_EQ(parsed("1ms", Dimension::time), 1'000'000'000);
    EXPECT_EQ(parsed("2s", Dimension::time), 2'000'000'000'000);
    EXPECT_EQ(parsed("5Hz", Dimension::frequency), 5);
    EXPECT_EQ(parsed("5kHz", Dimension::frequency), 5'000);
    EXPECT_EQ(parsed("5MHz", Dimension::frequency), 5'000'000);
    EXPECT_EQ(parsed("1GHz", Dimension::frequency), 1'000'000'000);
}

TEST(Quantity, FractionsAreExact)
{
    EXPECT_EQ(parsed("31.52Gbps", Dimension::rate), 31'520'000'000);
    EXPECT_EQ(parsed("83.48ns", Dimension::time), 83'480);
    EXPECT_EQ(parsed("0.5KiB", Dimension::bytes), 512);
    EXPECT_EQ(parsed("0.0009765625KiB", Dimension::bytes), 1);  // 1 / 1,024
    EXPECT_EQ(parsed("1.50000000000000000000000000000ns", Dimension::time), 1'500);
    EXPECT_EQ(parsed("0.000000000001s", Dimension::time), 1);
    EXPECT_EQ(parsed("123456.789012us", Dimension::time), 123'456'789'012);
}

TEST(Quantity, PlainNumbersCountInTheBaseUnit)
{
    EXPECT_EQ(parsed("0", Dimension::time), 0);
    EXPECT_EQ(parsed("256000", Dimension::bytes), 256'000);
    EXPECT_EQ(parsed("256 KB", Dimension::bytes), 256'000);
    EXPECT_EQ(parsed("9223372036854775807", Dimension::bytes), INT64_MAX);
}

TEST(Quantity, SaysWhatIsWrong)
{
    EXPECT_EQ(error("0.1ps", Dimension::time), "\"0.1ps\" is not a whole number of ps");
    EXPECT_EQ(error("0.3KiB", Dimension::bytes), "\"0.3KiB\" is not a whole number of B");
    EXPECT_EQ(error("-5ns", Dimension::time), "\"-5ns\" is negative");
    EXPECT_EQ(error("256kB", Dimension::bytes), "\"256kB\" has the unknown unit kB");
    EXPECT_EQ(error("15ns", Dimension::bytes), "\"15ns\" has the unknown unit ns");
    EXPECT_EQ(error("1e3ns", Dimension::time), "\"1e3ns\" has the unknown unit e3ns");
    EXPECT_EQ(error("1.5.2ns", Dimension::time), "\"1.5.2ns\" has the unknown unit .2ns");
    EXPECT_EQ(error("ns", Dimension::time), "\"ns\" does not start with a number");
    EXPECT_EQ(error("", Dimension::time), "\"\" does not start with a number");
    EXPECT_EQ(error(".5ns", Dimension::time), "\".5ns\" does not start with a number");
    EXPECT_EQ(error("5.ns", Dimension::time), "\"5.ns\" does not start with a number");
    EXPECT_EQ(error("9223372036854775808", Dimension::bytes), "\"9223372036854775808\" is too large");
    EXPECT_EQ(error("9223372037GB", Dimension::bytes), "\"9223372037GB\" is too large");
    EXPECT_EQ(error("99999999999999999999GB", Dimension::bytes), "\"99999999999999999999GB\" has too many digits");
    EXPECT_EQ(error("0.00000000000000000000001s", Dimension::time),
              "\"0.00000000000000000000001s\" has too many digits");
}

TEST(Quantity, WritesWhatAPersonWouldWrite)
{
    EXPECT_EQ(format_quantity(31'520'000'000, Dimension::rate), "31.52Gbps");
    EXPECT_EQ(format_quantity(1'600'000'000'000, Dimension::rate), "1.6Tbps");
    EXPECT_EQ(format_quantity(83'480, Dimension::time), "83.48ns");
    EXPECT_EQ(format_quantity(0, Dimension::time), "0ps");
    EXPECT_EQ(format_quantity(256'000, Dimension::bytes), "256KB");
    EXPECT_EQ(format_quantity(4'096, Dimension::bytes), "4096B");
    EXPECT_EQ(format_quantity(16'384, Dimension::bytes), "16KiB");
    EXPECT_EQ(format_quantity(1'048'576, Dimension::bytes), "1MiB");
    EXPECT_EQ(format_quantity(1'000'001, Dimension::bytes), "1.000001MB");
    EXPECT_EQ(unit_names(Dimension::time), "ps ns us ms s");
}

// What is written reads back, for values of every magnitude.
TEST(Quantity, WrittenAndReadIsTheIdentity)
{
    std::mt19937_64 random{mrcnic::testbench::seed()};
    for (int i = 0; i < 20'000; ++i) {
        const auto value = static_cast<std::int64_t>((random() >> 1) >> (random() % 63));
        for (const Dimension dimension : {Dimension::bytes, Dimension::rate, Dimension::time, Dimension::frequency}) {
            const std::string text = format_quantity(value, dimension);
            ASSERT_EQ(parsed(text, dimension), value) << text;
        }
    }
}

}  // namespace
}  // namespace mrcnic::config
