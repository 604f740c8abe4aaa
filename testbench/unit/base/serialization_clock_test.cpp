#include "mrcnic/base/serialization_clock.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr BitsPerSecond kHighestRate = BitsPerSecond{1} << 62U;
constexpr std::uint64_t kLargestTransfer = 2'305'843;

/// [XT-1] bits x 10^12 / rate, to nearest, halves up, in numbers wide enough for anything.
Picoseconds closed_form(std::uint64_t bytes, BitsPerSecond rate)
{
    const Wide picobits = static_cast<Wide>(bytes) * 8U * 1'000'000'000'000U;
    return static_cast<Picoseconds>((2 * picobits + rate) / (2 * static_cast<Wide>(rate)));
}

/// Bytes that take less than 2^62 ps: the model's time reaches no further.
bool fits(std::uint64_t bytes, BitsPerSecond rate)
{
    return static_cast<Wide>(bytes) * 8U * 1'000'000'000'000U / rate < kHighestRate;
}

const std::vector<BitsPerSecond> kRates{1,
                                        2,
                                        3,
                                        7,
                                        9'600,
                                        1'000'003,          // a prime
                                        999'999'999'989,    // a prime just below 10^12
                                        1'000'000'000'039,  // a prime just above
                                        31'520'000'000,     // one lane [PC-8]
                                        400'000'000'000,
                                        504'320'000'000,            // sixteen lanes
                                        2'305'843'009'213'693'951,  // 2^61 - 1, a prime
                                        kHighestRate - 57,
                                        kHighestRate - 1,
                                        kHighestRate};

class SerializationClockRates : public testing::TestWithParam<BitsPerSecond> {};

INSTANTIATE_TEST_SUITE_P(Rates, SerializationClockRates, testing::ValuesIn(kRates),
                         [](const auto& rate) { return std::to_string(rate.param); });

// [XT-1] A million back-to-back frames of mixed sizes: every end is the closed form's, to the picosecond.
TEST_P(SerializationClockRates, MillionFramesDoNotDrift)
{
    std::mt19937_64 random{testbench::seed()};
    const std::array<std::uint64_t, 8> sizes{4174, 62, 94, 64, 1, 4368, 9000, kLargestTransfer};
    SerializationClock clock{GetParam()};
    constexpr Picoseconds kStart = 12'345;
    Picoseconds now = kStart;
    std::uint64_t bytes = 0;
    std::uint64_t frames = 0;
    for (; frames < 1'000'000; ++frames) {
        const std::uint64_t size = sizes[random() % sizes.size()];
        if (!fits(bytes + size, GetParam())) {
            break;
        }
        bytes += size;
        now = clock.start(now, size);
        ASSERT_EQ(now, kStart + closed_form(bytes, GetParam())) << "frame " << frames;
        ASSERT_EQ(clock.busy_until(), now);
    }
    EXPECT_TRUE(frames == 1'000'000 || GetParam() <= 1'000'003) << frames;
}

// [XT-1] Each frame alone, with a picosecond's pause, is rounded for itself.
TEST_P(SerializationClockRates, PausesBeginNewPeriods)
{
    SerializationClock clock{GetParam()};
    Picoseconds now = 0;
    for (std::uint64_t size = 1; size < 2000 && fits(2000 * size, GetParam()); ++size) {
        const Picoseconds end = clock.start(now, size);
        ASSERT_EQ(end, now + closed_form(size, GetParam())) << "size " << size;
        ASSERT_EQ(end - now, serialization_time(size, GetParam()));
        now = end + 1;
    }
}

// [XT-1] The same at rates drawn from the whole range, evenly over its orders of magnitude.
TEST(SerializationClock, RandomRates)
{
    std::mt19937_64 random{testbench::seed()};
    for (int round = 0; round < 2000; ++round) {
        const BitsPerSecond rate = 1 + (random() >> (2 + random() % 62));
        SerializationClock clock{rate};
        Picoseconds start = static_cast<Picoseconds>(random() % 1'000'000);
        Picoseconds now = start;
        std::uint64_t bytes = 0;
        for (int frame = 0; frame < 200; ++frame) {
            const std::uint64_t size = 1 + random() % 10'000;
            if (!fits(bytes + size, rate)) {
                break;
            }
            if (random() % 50 == 0) {  // a pause
                now += 1 + static_cast<Picoseconds>(random() % 1000);
                start = now;
                bytes = 0;
            }
            bytes += size;
            now = clock.start(now, size);
            ASSERT_EQ(now, start + closed_form(bytes, rate)) << "rate " << rate << ", frame " << frame;
        }
    }
}

// [FR-1] [XT-1] A full frame of 4,174 bytes takes 83.48 ns at 400 Gbps, a million of them 83.48 ms.
TEST(SerializationClock, FullFramesAt400G)
{
    SerializationClock clock{400'000'000'000};
    Picoseconds now = 0;
    for (int frame = 0; frame < 1'000'000; ++frame) {
        now = clock.start(now, 4174);
    }
    EXPECT_EQ(now, 83'480'000'000);
}

// [D2] [XT-1] 4,368 bytes at 504.32 Gbps take 69.289 ns, two back to back 138.579 (not 138.578).
TEST(SerializationClock, D2RoundsTheSumNotTheTerms)
{
    SerializationClock clock{504'320'000'000};
    EXPECT_EQ(clock.start(0, 4368), 69'289);
    EXPECT_EQ(clock.start(69'289, 4368), 138'579);
    EXPECT_EQ(clock.start(138'580, 4368), 138'580 + 69'289);  // a picosecond late: a new period
}

// [XT-1] Halves go up: one byte at 16 Tbps takes 0.5 ps.
TEST(SerializationClock, HalvesGoUp)
{
    SerializationClock clock{16'000'000'000'000};
    EXPECT_EQ(clock.start(10, 1), 11);
    EXPECT_EQ(clock.start(11, 1), 11);
    EXPECT_EQ(clock.start(11, 1), 12);
}

// [XT-1] Before the first transfer the line is free at time 0, and that transfer begins a period.
TEST(SerializationClock, IsFreeAtFirst)
{
    SerializationClock clock{8};
    EXPECT_LT(clock.busy_until(), 0);
    EXPECT_EQ(clock.rate(), 8U);
    EXPECT_EQ(clock.start(0, 1), kPicosecondsPerSecond);
}

}  // namespace
}  // namespace mrcnic
