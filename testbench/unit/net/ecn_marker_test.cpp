#include "mrcnic/net/ecn_marker.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace mrcnic::net {
namespace {

constexpr std::uint64_t kPacket = 4'156;

EcnMarker::Parameters with_trimming()
{
    EcnMarker::Parameters parameters;
    parameters.min_bytes = 60'000;
    parameters.max_bytes = 240'000;
    return parameters;
}

/// The average of class 0 is `mean` from here on: one admission with weight 1.
EcnMarker marker_at(double mean, EcnMarker::Parameters parameters = with_trimming())
{
    parameters.weight = 1;
    EcnMarker marker{parameters, 3};
    marker.admitted(0, static_cast<std::uint64_t>(mean));
    return marker;
}

// [SW-40, SW-W4] One full packet more at each admission, from empty.
TEST(EcnMarker, AverageOfAGrowingQueue)
{
    EcnMarker marker{with_trimming(), 3};
    const std::array<double, 5> first{415.6, 1'205.24, 2'331.52, 3'760.76, 5'462.69};
    std::array<std::uint64_t, 4> reached{};
    const std::array<double, 4> thresholds{60'000, 240'000, 300'000, 1'200'000};
    for (std::uint64_t n = 1; n <= 400; ++n) {
        marker.admitted(0, n * kPacket);
        if (n <= first.size()) {
            EXPECT_NEAR(marker.mean(0), first[n - 1], 0.005);
        }
        for (std::size_t i = 0; i < thresholds.size(); ++i) {
            if (reached[i] == 0 && marker.mean(0) >= thresholds[i]) {
                reached[i] = n;
            }
        }
    }
    EXPECT_EQ(reached, (std::array<std::uint64_t, 4>{23, 67, 82, 298}));
    EXPECT_EQ(23 * kPacket, 95'588U);
    EXPECT_EQ(marker.mean(1), 0.0);  // classes have an average each
}

// [SW-42, SW-W5]
TEST(EcnMarker, Probability)
{
    EXPECT_DOUBLE_EQ(marker_at(150'000).probability(0), 0.5);
    EXPECT_EQ(marker_at(59'999).probability(0), 0.0);
    EXPECT_EQ(marker_at(60'000).probability(0), 0.0);
    EXPECT_DOUBLE_EQ(marker_at(105'000).probability(0), 0.25);
    EXPECT_EQ(marker_at(240'000).probability(0), 1.0);
    EcnMarker::Parameters third = with_trimming();
    third.max_probability = 0.3;
    EXPECT_DOUBLE_EQ(marker_at(150'000, third).probability(0), 0.15);
    EXPECT_EQ(marker_at(240'000, third).probability(0), 1.0);
    EcnMarker::Parameters off = with_trimming();
    off.enabled = false;
    EXPECT_EQ(marker_at(1'000'000, off).probability(0), 0.0);
    EXPECT_FALSE(marker_at(1'000'000, off).marks(0));
}

// [SW-44] The seed: (Seed x 2^32) xor (switch id x 2^16) xor port.
TEST(EcnMarker, Seed)
{
    EXPECT_EQ(EcnMarker::seed_of(1, 0, 0), 0x1'0000'0000U);
    EXPECT_EQ(EcnMarker::seed_of(1, 3, 2), 0x1'0003'0002U);
    EXPECT_EQ(EcnMarker::seed_of(0x1'0000'0001, 1, 0), 0x1'0001'0000U);  // modulo 2^64
}

// [SW-42, SW-44] One draw for each frame in the band, none elsewhere: the n-th frame in the band takes the n-th draw.
TEST(EcnMarker, DrawsInTheBandOnly)
{
    EcnMarker::Parameters parameters = with_trimming();
    parameters.weight = 1;
    parameters.seed = EcnMarker::seed_of(1, 3, 2);
    EcnMarker marker{parameters, 3};
    std::mt19937_64 draws{0x1'0003'0002};
    int marked = 0;
    for (int i = 0; i < 1'000; ++i) {
        marker.admitted(0, 59'999);
        EXPECT_FALSE(marker.marks(0));
        marker.admitted(0, 240'000);
        EXPECT_TRUE(marker.marks(0));
        marker.admitted(0, 150'000);
        const bool expected = static_cast<double>(draws() >> 11U) / 9'007'199'254'740'992.0 < 0.5;
        EXPECT_EQ(marker.marks(0), expected);
        marked += expected ? 1 : 0;
    }
    EXPECT_GT(marked, 400);
    EXPECT_LT(marked, 600);
}

// Equal thresholds leave no band.
TEST(EcnMarker, EqualThresholds)
{
    EcnMarker::Parameters parameters = with_trimming();
    parameters.max_bytes = parameters.min_bytes;
    EXPECT_FALSE(marker_at(59'999, parameters).marks(0));
    EXPECT_TRUE(marker_at(60'000, parameters).marks(0));
}

}  // namespace
}  // namespace mrcnic::net
