#include "mrcnic/nic/byte_pool.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::nic {
namespace {

// [PL-1, PL-2] 256KB and 4MB, and the half of an odd size: data = floor(0.9 size), control is the rest.
TEST(BytePool, SplitOfTheBuffers)
{
    EXPECT_EQ(PoolSplit{256'000}.data, 230'400U);
    EXPECT_EQ(PoolSplit{256'000}.control, 25'600U);
    EXPECT_EQ(PoolSplit{4'000'000}.data, 3'600'000U);
    EXPECT_EQ(PoolSplit{4'000'000}.control, 400'000U);
    EXPECT_EQ(PoolSplit{9'999}.data, 8'999U);  // 8,999.1
    EXPECT_EQ(PoolSplit{9'999}.control, 1'000U);
    EXPECT_EQ(PoolSplit{19}.data, 17U);  // 17.1
    EXPECT_EQ(PoolSplit{1}.data, 0U);
    EXPECT_EQ(PoolSplit{1}.control, 1U);
}

// [PL-1] The largest buffers do not overflow.
TEST(BytePool, SplitOfTheLargestBuffer)
{
    const std::uint64_t size = 18'446'744'073'709'551'615U;
    EXPECT_EQ(PoolSplit{size}.data, 16'602'069'666'338'596'453U);  // 16,602,069,666,338,596,453.5
    EXPECT_EQ(PoolSplit{size}.control, 1'844'674'407'370'955'162U);
}

// [PL-4] The smallest total that holds a full frame and a SACK, found by trying all.
TEST(BytePool, SmallestTotal)
{
    for (const std::uint64_t data : {1U, 9U, 4'174U, 4'178U, 16'082U}) {
        for (const std::uint64_t control : {0U, 1U, 94U, 900U}) {
            std::uint64_t total = 0;
            while (PoolSplit{total}.data < data || PoolSplit{total}.control < control) {
                ++total;
            }
            EXPECT_EQ(PoolSplit::smallest_total(data, control), total) << data << ' ' << control;
        }
    }
    EXPECT_EQ(PoolSplit::smallest_total(4'174, 94), 4'638U);  // 4,174.2
}

// [EG-5] 55 full packets fit the default data pool, 56 do not; an exact fit does.
TEST(BytePool, FiftyFivePackets)
{
    BytePool pool{230'400};
    for (int i = 0; i < 55; ++i) {
        EXPECT_TRUE(pool.reserve(4'174));
    }
    EXPECT_EQ(pool.occupancy(), 229'570U);
    EXPECT_FALSE(pool.reserve(4'174));
    EXPECT_EQ(pool.occupancy(), 229'570U);
    EXPECT_TRUE(pool.reserve(830));
    EXPECT_FALSE(pool.reserve(1));
    EXPECT_EQ(pool.refused(), 2U);
    EXPECT_EQ(pool.reserved(), 56U);
    EXPECT_EQ(pool.peak(), 230'400U);
}

// [EG-4, TR-W4] The crossing is told once, by the release that makes it: the 28th of 55, with 112,698 bytes left.
TEST(BytePool, CrossingOfTheHalf)
{
    BytePool pool{230'400};
    for (int i = 0; i < 55; ++i) {
        ASSERT_TRUE(pool.reserve(4'174));
    }
    for (int i = 1; i <= 55; ++i) {
        EXPECT_EQ(pool.release(4'174), i == 28) << i;
        if (i == 28) {
            EXPECT_EQ(pool.occupancy(), 112'698U);
        }
    }
}

// [PL-1] At or below half means 2 x occupancy <= pool: of 10 it is 5, of 9 it is 4.
TEST(BytePool, HalfOfEvenAndOdd)
{
    BytePool even{10};
    ASSERT_TRUE(even.reserve(6));
    EXPECT_TRUE(even.release(1));
    EXPECT_FALSE(even.release(1));
    BytePool odd{9};
    ASSERT_TRUE(odd.reserve(6));
    EXPECT_FALSE(odd.release(1));
    EXPECT_TRUE(odd.release(1));
    BytePool one_frame{4'174};
    ASSERT_TRUE(one_frame.reserve(4'174));
    EXPECT_TRUE(one_frame.release(4'174));
}

// [PL-3] More back than is held is a broken invariant, and changes nothing.
TEST(BytePool, NeverNegative)
{
    BytePool pool{100};
    ASSERT_TRUE(pool.reserve(40));
    EXPECT_THROW(pool.release(41), InvariantError);
    EXPECT_EQ(pool.occupancy(), 40U);
}

// [RC-50.9] [RC-50.17] The maximum of an interval includes its start; that of all time stays.
TEST(BytePool, MaximumOfAnInterval)
{
    BytePool pool{100};
    ASSERT_TRUE(pool.reserve(80));
    pool.release(30);
    EXPECT_EQ(pool.interval_peak(), 80U);
    pool.start_interval();
    EXPECT_EQ(pool.interval_peak(), 50U);
    EXPECT_EQ(pool.peak(), 80U);
    ASSERT_TRUE(pool.reserve(20));
    pool.release(70);
    EXPECT_EQ(pool.interval_peak(), 70U);
    pool.start_interval();
    EXPECT_EQ(pool.interval_peak(), 0U);
    ASSERT_TRUE(pool.reserve(90));
    EXPECT_EQ(pool.interval_peak(), 90U);
    EXPECT_EQ(pool.peak(), 90U);
}

// [PL-3] Random traffic: occupancy is what is held, never above the size; all that came in goes out.
TEST(BytePool, RandomTraffic)
{
    std::mt19937_64 random{testbench::seed()};
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t size = random() % 5'000;
        BytePool pool{size};
        std::vector<std::uint64_t> held;
        std::uint64_t sum = 0;
        std::uint64_t granted = 0;
        for (int step = 0; step < 500; ++step) {
            if (random() % 2 == 0) {
                const std::uint64_t bytes = random() % 1'500;
                const bool fits = sum + bytes <= size;
                ASSERT_EQ(pool.reserve(bytes), fits);
                if (fits) {
                    held.push_back(bytes);
                    sum += bytes;
                    granted += bytes;
                }
            } else if (!held.empty()) {
                const std::size_t i = random() % held.size();
                const bool above = 2 * sum > size;
                sum -= held[i];
                ASSERT_EQ(pool.release(held[i]), above && 2 * sum <= size);
                held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
            }
            ASSERT_EQ(pool.occupancy(), sum);
            ASSERT_GE(pool.peak(), sum);
            ASSERT_LE(pool.peak(), size);
        }
        for (const std::uint64_t bytes : held) {
            pool.release(bytes);
        }
        EXPECT_EQ(pool.occupancy(), 0U);
        EXPECT_EQ(pool.bytes_in(), granted);
        EXPECT_EQ(pool.bytes_out(), granted);
        EXPECT_EQ(pool.reserved(), pool.released());
    }
}

}  // namespace
}  // namespace mrcnic::nic
