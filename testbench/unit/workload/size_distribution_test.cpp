#include "mrcnic/workload/size_distribution.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/poisson_arrivals.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {
namespace {

SizeDistribution shipped(const std::string& name)
{
    const std::string path = MRCNIC_SOURCE_DIR "/platforms/examples/" + name;
    return read_size_distribution(read_text_file(path), path);
}

std::string errors_of(const std::string& text)
{
    try {
        (void)read_size_distribution(text, "w.cdf");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

// [WL-W1] [WL-41]
TEST(SizeDistribution, InterpolatesTheWorkedNumbers)
{
    const SizeDistribution web = shipped("websearch.cdf");
    for (const auto& [percent, bytes] : std::vector<std::pair<double, double>>{
             {5, 3'333.33}, {15, 10'000}, {50, 73'076.92}, {90, 5'000'000}, {99, 23'333'333.33}}) {
        EXPECT_NEAR(web.at(percent), bytes, 0.005) << percent;
    }
    const SizeDistribution hadoop = shipped("fbhdp.cdf");
    for (const auto& [percent, bytes] :
         std::vector<std::pair<double, double>>{{5, 300}, {15, 350}, {50, 700}, {90, 120'000}, {99, 2'000'000}}) {
        EXPECT_NEAR(hadoop.at(percent), bytes, 0.005) << percent;
    }
}

// [WL-41] 3,333.33 and 73,076.92 to the nearest byte; 0 at the very beginning is sent as 1.
TEST(SizeDistribution, RoundsToTheNearestByteButAtLeastOne)
{
    const SizeDistribution web = shipped("websearch.cdf");
    EXPECT_EQ(web.bytes_at(5), 3'333u);
    EXPECT_EQ(web.bytes_at(50), 73'077u);
    EXPECT_EQ(web.bytes_at(0), 1u);
}

// [WL-42] The means of the sheet.
TEST(SizeDistribution, HasTheMeansOfTheSheet)
{
    EXPECT_DOUBLE_EQ(shipped("websearch.cdf").mean(), 1'711'250);
    EXPECT_NEAR(shipped("fbhdp.cdf").mean(), 120'420.75, 1e-6);
}

// [WL-W2] 68.45 us and 4.81683 us.
TEST(SizeDistribution, GivesTheMeanGapsOfTheSheet)
{
    EXPECT_NEAR(mean_gap(shipped("websearch.cdf"), 0.5, 400'000'000'000), 68'450'000, 1e-3);
    EXPECT_NEAR(mean_gap(shipped("fbhdp.cdf"), 0.5, 400'000'000'000), 4'816'830, 1e-3);
}

// [WL-40] A size that many flows have is a step: two points, one above the other. Or the other way round: no flow
// between.
TEST(SizeDistribution, TakesStepsInBothDirections)
{
    const SizeDistribution sizes = read_size_distribution("# fixed\r\n\n100 0\n100\t40\r\n 500  40 \n500 100", "w.cdf");
    EXPECT_EQ(sizes.bytes_at(0), 100u);
    EXPECT_EQ(sizes.bytes_at(39.9), 100u);
    EXPECT_EQ(sizes.bytes_at(40), 500u);
    EXPECT_EQ(sizes.bytes_at(99.9), 500u);
    EXPECT_DOUBLE_EQ(sizes.mean(), 340);
}

// [WL-40] Every mistake has its place.
TEST(SizeDistribution, NamesThePlaceOfEveryMistake)
{
    EXPECT_EQ(errors_of("0 0\n10\n20 x\n30 50 4\n-1 60\n40 101\n40 1e2\n"),
              "error: w.cdf:2:3: the line ends here; expected a cumulative percent\n"
              "error: w.cdf:3:4: percent \"x\" is not a number in its range; 0..100 is allowed\n"
              "error: w.cdf:4:7: unexpected \"4\"; a line has two numbers, bytes and percent\n"
              "error: w.cdf:5:1: size \"-1\" is not a whole number; 0..1000000000000 is allowed\n"
              "error: w.cdf:6:4: percent \"101\" is not a number in its range; 0..100 is allowed\n"
              "error: w.cdf:7:4: percent \"1e2\" is not a number in its range; 0..100 is allowed");
    EXPECT_EQ(errors_of("0 0\n10 50\n9 60\n20 40\n20 100\n"),
              "error: w.cdf:3:1: size 9 is below the one before; sizes do not decrease, so at least 10 is allowed\n"
              "error: w.cdf:4:4: percent 40 is below the one before; it does not decrease, so 50 to 100 is allowed");
    EXPECT_EQ(errors_of("0 1\n10 99.5\n"),
              "error: w.cdf:1:3: the first percent is 1; 0 is allowed\n"
              "error: w.cdf:2:4: the last percent is 99.5; 100 is allowed");
    EXPECT_EQ(errors_of("# nothing\n"),
              "error: w.cdf:1:1: the file has 0 of the at least two points that a distribution needs");
    EXPECT_EQ(errors_of("0 0\n0 100\n"),
              "error: w.cdf:2:1: the mean size is 0; flows of at least some bytes are allowed");
}

}  // namespace
}  // namespace mrcnic::workload
