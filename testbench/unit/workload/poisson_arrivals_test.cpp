#include "mrcnic/workload/poisson_arrivals.h"

#include <cmath>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/base/uniform.h"
#include "mrcnic/workload/exponential.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/text_input.h"
#include "testbench/support/harness.h"

namespace mrcnic::workload {
namespace {

constexpr BitsPerSecond kRate = 400'000'000'000;

SizeDistribution hadoop()
{
    const std::string path = MRCNIC_SOURCE_DIR "/platforms/examples/fbhdp.cdf";
    return read_size_distribution(read_text_file(path), path);
}

ArrivalParameters of(std::vector<std::uint32_t> sources, std::size_t nics)
{
    ArrivalParameters parameters;
    parameters.sources = std::move(sources);
    parameters.link_rates.assign(nics, kRate);
    return parameters;
}

// [WL-6] ln 1 = 0, ln 2, and the largest draw, 53 ln 2.
TEST(Exponential, IsTheLogarithm)
{
    EXPECT_EQ(minus_log(std::uint64_t{1} << 53U), 0.0);
    EXPECT_DOUBLE_EQ(minus_log(std::uint64_t{1} << 52U), 0.69314718055994530942);
    EXPECT_DOUBLE_EQ(minus_log(1), 53 * 0.69314718055994530942);
    std::mt19937_64 random{testbench::seed(5)};
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t n = (random() >> (11U + static_cast<unsigned>(i) % 50U)) + 1;
        EXPECT_NEAR(minus_log(n), -std::log(std::ldexp(static_cast<double>(n), -53)), 1e-14) << n;
    }
}

// [WL-6] One number of the generator a draw.
TEST(Exponential, DrawsOnce)
{
    std::mt19937_64 random{9};
    std::mt19937_64 counted{9};
    const double drawn = exponential(random);
    const double u = uniform(counted);
    EXPECT_NEAR(drawn, -std::log(1.0 - u), 1e-14);
    EXPECT_EQ(random, counted);
}

// [WL-42, WL-43] The order of draws that the header states, drawn again here.
TEST(PoissonArrivals, DrawInTheStatedOrder)
{
    const SizeDistribution sizes = hadoop();
    ArrivalParameters parameters = of({1, 3}, 4);
    parameters.load = 0.8;
    parameters.link_rates[3] = kRate / 2;
    parameters.message_count = 200;
    parameters.seed = testbench::seed(77);
    const Workload workload = make_poisson_arrivals(sizes, parameters, "w.cdf");
    ASSERT_EQ(workload.messages.size(), 200u);

    std::mt19937_64 random{parameters.seed};
    const std::map<std::uint32_t, double> gaps{{1, 120'420.75 * 8 / (0.8 * 0.4)}, {3, 120'420.75 * 8 / (0.8 * 0.2)}};
    const auto gap = [&](std::uint32_t source) {
        return static_cast<Picoseconds>(std::llround(-std::log(1.0 - uniform(random)) * gaps.at(source)));
    };
    std::map<std::uint32_t, Picoseconds> next;
    next[1] = gap(1);
    next[3] = gap(3);
    for (std::size_t i = 0; i < workload.messages.size(); ++i) {
        const Message& message = workload.messages[i];
        const std::uint32_t source = next[1] <= next[3] ? 1 : 3;
        EXPECT_EQ(message.id, i + 1);
        EXPECT_EQ(message.source, source);
        EXPECT_EQ(message.start_kind, StartKind::at_time);
        EXPECT_NEAR(static_cast<double>(message.start), static_cast<double>(next[source]),
                    2.0 + static_cast<double>(i));
        const double size = sizes.at(100 * uniform(random));
        EXPECT_EQ(message.bytes, static_cast<std::uint64_t>(std::llround(size)));
        const double other = uniform(random) * 3;
        EXPECT_EQ(message.destination,
                  other < source ? static_cast<std::uint32_t>(other) : static_cast<std::uint32_t>(other) + 1);
        next[source] = message.start + gap(source);
    }
}

// [WL-42] On average the load is what was asked for, and every other NIC gets its part. 66,000 flows.
TEST(PoissonArrivals, FillTheLinksAndReachAllOthers)
{
    ArrivalParameters parameters = of({0, 1, 2, 3}, 4);
    parameters.load = 0.5;
    parameters.run_time = 80'000'000'000;
    parameters.seed = testbench::seed(3);
    const Workload workload = make_poisson_arrivals(hadoop(), parameters, "w.cdf");
    double bytes = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    for (const Message& message : workload.messages) {
        bytes += static_cast<double>(message.bytes);
        ASSERT_LE(message.start, parameters.run_time);
        ASSERT_NE(message.source, message.destination);
        ++pairs[{message.source, message.destination}];
    }
    EXPECT_NEAR(bytes / (4 * 0.08 * kRate / 8.0), 0.5, 0.05);
    EXPECT_EQ(pairs.size(), 12u);
    const double each = static_cast<double>(workload.messages.size()) / 12;
    for (const auto& [pair, count] : pairs) {
        EXPECT_NEAR(count, each, each * 0.08) << pair.first << " to " << pair.second;
    }
}

// [WL-43] The same seed, the same flows; another seed, others.
TEST(PoissonArrivals, DependOnTheSeedOnly)
{
    const auto starts = [](std::uint64_t seed) {
        ArrivalParameters parameters = of({0, 1}, 2);
        parameters.seed = seed;
        std::vector<Picoseconds> result;
        for (const Message& message : make_poisson_arrivals(hadoop(), parameters, "w.cdf").messages) {
            result.push_back(message.start);
        }
        return result;
    };
    EXPECT_EQ(starts(1), starts(1));
    EXPECT_NE(starts(1), starts(2));
}

// [WL-43] Without a run time the count limits; without a count the run time.
TEST(PoissonArrivals, EndByRunTimeOrCount)
{
    ArrivalParameters parameters = of({0}, 2);
    parameters.run_time = 0;
    parameters.message_count = 1'000;
    EXPECT_EQ(make_poisson_arrivals(hadoop(), parameters, "w.cdf").messages.size(), 1'000u);
    parameters.run_time = 1;
    EXPECT_TRUE(make_poisson_arrivals(hadoop(), parameters, "w.cdf").messages.empty());
}

}  // namespace
}  // namespace mrcnic::workload
