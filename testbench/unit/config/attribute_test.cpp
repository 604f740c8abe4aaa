#include "mrcnic/config/attribute.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/config/binding.h"

namespace mrcnic::config {
namespace {

const Type kFlag{Kind::boolean, false};
const Type kLanes{Kind::integer, std::int64_t{16}, std::int64_t{1}, std::int64_t{16}};
const Type kRange{Kind::integer, std::int64_t{128}, std::int64_t{128}, std::int64_t{32'640}, 128};
const Type kSize{Kind::bytes, std::int64_t{64}, std::int64_t{1}, std::int64_t{16'000}};
const Type kShare{Kind::real, 0.5, 0.0, 100.0};
const Type kWord{Kind::choice, std::string{"exact"}, {}, {}, 1, {"exact", "clocked"}};
const Type kText{Kind::text, std::string{}};

std::string file_error(const Type& type, const Scalar& scalar)
{
    return value_of(type, scalar).error;
}

std::string text_error(const Type& type, std::string_view text)
{
    return value_of_text(type, text).error;
}

TEST(AttributeType, TakesWhatAFileGives)
{
    EXPECT_EQ(value_of(kFlag, true).value, Value{true});
    EXPECT_EQ(value_of(kLanes, std::int64_t{16}).value, Value{std::int64_t{16}});
    EXPECT_EQ(value_of(kSize, std::int64_t{4096}).value, Value{std::int64_t{4096}});
    EXPECT_EQ(value_of(kSize, std::string{"4KiB"}).value, Value{std::int64_t{4096}});
    EXPECT_EQ(value_of(kShare, 12.5).value, Value{12.5});
    EXPECT_EQ(value_of(kShare, std::int64_t{12}).value, Value{12.0});
    EXPECT_EQ(value_of(kWord, std::string{"clocked"}).value, Value{std::string{"clocked"}});
    EXPECT_EQ(value_of(kText, std::string{"x"}).value, Value{std::string{"x"}});
}

TEST(AttributeType, TakesWhatACommandLineGives)
{
    EXPECT_EQ(value_of_text(kFlag, "false").value, Value{false});
    EXPECT_EQ(value_of_text(kRange, "4096").value, Value{std::int64_t{4096}});
    EXPECT_EQ(value_of_text(kSize, "16KB").value, Value{std::int64_t{16'000}});
    EXPECT_EQ(value_of_text(kShare, "0.1").value, Value{0.1});
    EXPECT_EQ(value_of_text(kWord, "exact").value, Value{std::string{"exact"}});
    EXPECT_EQ(value_of_text(kText, "").value, Value{std::string{}});
}

TEST(AttributeType, RefusesTheWrongType)
{
    const std::string sizes = "; allowed: 1B to 16KB (B KB KiB MB MiB GB GiB)";
    EXPECT_EQ(file_error(kFlag, std::int64_t{1}), "1 is an integer; allowed: true or false");
    EXPECT_EQ(file_error(kLanes, std::string{"16"}), "\"16\" is a string; allowed: an integer from 1 to 16");
    EXPECT_EQ(file_error(kLanes, 1.5), "1.5 is a floating-point number; allowed: an integer from 1 to 16");
    EXPECT_EQ(file_error(kSize, 1.5), "1.5 is a floating-point number" + sizes);
    EXPECT_EQ(file_error(kSize, true), "true is a boolean" + sizes);
    EXPECT_EQ(file_error(kShare, std::string{"a"}), "\"a\" is a string; allowed: 0 to 100");
    EXPECT_EQ(file_error(kWord, false), "false is a boolean; allowed: exact, clocked");
    EXPECT_EQ(file_error(kText, std::int64_t{3}), "3 is an integer; allowed: any string");
    EXPECT_EQ(text_error(kFlag, "yes"), "\"yes\" is no boolean; allowed: true or false");
    EXPECT_EQ(text_error(kLanes, "1.0"), "\"1.0\" is no integer; allowed: an integer from 1 to 16");
    EXPECT_EQ(text_error(kLanes, ""), "\"\" is no integer; allowed: an integer from 1 to 16");
    EXPECT_EQ(text_error(kShare, "half"), "\"half\" is no number; allowed: 0 to 100");
}

TEST(AttributeType, RefusesWhatIsOutOfRange)
{
    EXPECT_EQ(file_error(kLanes, std::int64_t{0}), "0 is out of range; allowed: an integer from 1 to 16");
    EXPECT_EQ(file_error(kLanes, std::int64_t{17}), "17 is out of range; allowed: an integer from 1 to 16");
    EXPECT_EQ(text_error(kLanes, "-1"), "-1 is out of range; allowed: an integer from 1 to 16");
    EXPECT_EQ(file_error(kSize, std::int64_t{-1}), "-1 is out of range; allowed: 1B to 16KB (B KB KiB MB MiB GB GiB)");
    EXPECT_EQ(file_error(kSize, std::string{"20KB"}),
              "20KB is out of range; allowed: 1B to 16KB (B KB KiB MB MiB GB GiB)");
    EXPECT_EQ(file_error(kRange, std::int64_t{200}),
              "200 is no multiple of 128; allowed: a multiple of 128 from 128 to 32640");
    EXPECT_EQ(file_error(kShare, 100.5), "100.5 is out of range; allowed: 0 to 100");
    EXPECT_EQ(file_error(kShare, std::numeric_limits<double>::quiet_NaN()),
              "nan is no finite number; allowed: 0 to 100");
    EXPECT_EQ(text_error(kWord, "Exact"), "\"Exact\" is unknown; allowed: exact, clocked");
}

enum class Colour { red, green };

TEST(Binding, ReachesMembersOfEveryType)
{
    const std::vector<std::string> words{"red", "green"};
    EXPECT_EQ(value_of_member(Colour::green, words), Value{std::string{"green"}});
    EXPECT_EQ(member_of_value<Colour>(std::string{"green"}, words), Colour::green);
    EXPECT_EQ(value_of_member(static_cast<Colour>(7), words), Value{std::string{"7"}});
    EXPECT_EQ(value_of_member(std::uint8_t{63}, {}), Value{std::int64_t{63}});
    EXPECT_EQ(member_of_value<std::uint8_t>(std::int64_t{63}, {}), 63);
    EXPECT_EQ(value_of_member(std::numeric_limits<std::uint64_t>::max(), {}), Value{std::int64_t{INT64_MAX}});
    EXPECT_EQ(value_of_member(0.25, {}), Value{0.25});
}

}  // namespace
}  // namespace mrcnic::config
