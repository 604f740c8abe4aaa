#include "mrcnic/packet/psn.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::packet {
namespace {

constexpr Psn kLast = 0xFF'FFFF;
constexpr Psn kHalf = 0x80'0000;  // 2^23

// [TR-15] The first PSN is 0, and 24 bits wrap.
TEST(Psn, AdditionWrapsAtTwentyFourBits)
{
    EXPECT_EQ(kFirstPsn, 0u);
    EXPECT_EQ(psn_add(0, 1), 1u);
    EXPECT_EQ(psn_add(kLast, 1), 0u);
    EXPECT_EQ(psn_add(kLast, 3), 2u);
    EXPECT_EQ(psn_add(0, -1), kLast);
    EXPECT_EQ(psn_add(5, -7), 0xFF'FFFEu);
    EXPECT_EQ(psn_add(7, 16'777'216), 7u);
    EXPECT_EQ(psn_add(7, -16'777'216), 7u);
    EXPECT_EQ(psn_add(1, 5'000'000'000), 0x05'F201u);  // 5 x 10^9 = 0x12A05F200
}

// [TR-15] a is before b when 0 < ((b - a) mod 2^24) < 2^23.
TEST(Psn, OrderIsSerial)
{
    EXPECT_FALSE(psn_before(5, 5));
    EXPECT_TRUE(psn_before(5, 6));
    EXPECT_FALSE(psn_before(6, 5));
    EXPECT_TRUE(psn_before(kLast, 0));
    EXPECT_FALSE(psn_before(0, kLast));
    EXPECT_TRUE(psn_before(0, kHalf - 1));
    EXPECT_FALSE(psn_before(0, kHalf)) << "exactly 2^23 apart: no order";
    EXPECT_FALSE(psn_before(kHalf, 0)) << "exactly 2^23 apart: no order";
    EXPECT_TRUE(psn_before(kHalf + 1, 0));
}

// [TR-15] The signed distance goes the shorter way.
TEST(Psn, DistanceIsSigned)
{
    EXPECT_EQ(psn_distance(5, 5), 0);
    EXPECT_EQ(psn_distance(5, 9), 4);
    EXPECT_EQ(psn_distance(9, 5), -4);
    EXPECT_EQ(psn_distance(0xFF'FFFE, 3), 5);
    EXPECT_EQ(psn_distance(3, 0xFF'FFFE), -5);
    EXPECT_EQ(psn_distance(0, kHalf - 1), 8'388'607);
    EXPECT_EQ(psn_distance(0, kHalf), -8'388'608);
}

// [TR-15] Every distance from PSNs around the wrap and the half, by the sheet's own words.
TEST(Psn, EveryDistanceAgreesWithTheDefinition)
{
    for (const Psn a : {Psn{0}, Psn{1}, kHalf - 1, kHalf, kHalf + 1, kLast}) {
        std::uint32_t wrong = 0;
        for (std::uint32_t step = 0; step <= kLast; ++step) {
            const Psn b = (a + step) % 16'777'216U;
            const bool before = step > 0 && step < 8'388'608U;
            const bool right = psn_add(a, step) == b && psn_before(a, b) == before &&
                               psn_add(a, psn_distance(a, b)) == b && psn_add(b, -psn_distance(a, b)) == a;
            wrong += right ? 0U : 1U;
        }
        EXPECT_EQ(wrong, 0u) << "from " << a;
    }
}

// [TR-15] Order is antisymmetric, and does not change when both move.
TEST(Psn, OrderSurvivesShifts)
{
    std::mt19937_64 random{testbench::seed()};
    for (int i = 0; i < 100'000; ++i) {
        const auto a = static_cast<Psn>(random() & kLast);
        const auto b = static_cast<Psn>(random() & kLast);
        const auto shift = static_cast<std::int64_t>(random() % 100'000'000) - 50'000'000;
        ASSERT_FALSE(psn_before(a, b) && psn_before(b, a)) << a << ' ' << b;
        ASSERT_EQ(psn_before(a, b), psn_before(psn_add(a, shift), psn_add(b, shift))) << a << ' ' << b << ' ' << shift;
    }
}

}  // namespace
}  // namespace mrcnic::packet
