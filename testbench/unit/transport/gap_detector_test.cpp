#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/gap_detector.h"

namespace mrcnic::transport {
namespace {

using Fate = GapDetector::Fate;
using Losses = std::vector<packet::Psn>;

/// Transmissions of PSNs 0, 1, 2, ... in order, serialized, each missing until it arrives.
struct Line {
    GapDetector detector;
    std::set<packet::Psn> received;
    std::uint32_t serialized{1'000'000};  // transmissions below this are

    explicit Line(std::uint32_t count, bool enabled = true) : detector{enabled}
    {
        for (packet::Psn psn = 0; psn < count; ++psn) {
            EXPECT_EQ(detector.add(psn), psn);
        }
    }
    void hear(std::uint32_t transmission)
    {
        received.insert(transmission);
        detector.heard(transmission);
    }
    Losses losses(std::uint32_t threshold)
    {
        Losses result;
        while (const std::optional<packet::Psn> psn =
                   detector.take_lost(threshold, [this](packet::Psn of, std::uint32_t number) {
                       if (number >= serialized) {
                           return Fate::queued;
                       }
                       return received.count(of) > 0 ? Fate::settled : Fate::missing;
                   })) {
            result.push_back(*psn);
        }
        return result;
    }
};

// [TR-W5] [TR-75] 0..11 sent once, 5 and 8 lost, threshold 3: 5 with the SACK of 9, 8 with that of 11.
TEST(GapDetector, WorkedExample)
{
    Line line{12};
    for (const std::uint32_t psn : {0U, 1U, 2U, 3U, 4U, 6U, 7U}) {
        line.hear(psn);
        EXPECT_EQ(line.losses(3), Losses{}) << psn;  // of 7: 7 - 5 = 2
    }
    line.hear(9);
    EXPECT_EQ(line.losses(3), Losses{5});
    line.hear(10);
    EXPECT_EQ(line.losses(3), Losses{});
    line.hear(11);
    EXPECT_EQ(line.losses(3), Losses{8});
}

// [TR-78] Each transmission once; several of one SACK in their order.
TEST(GapDetector, EachOnce)
{
    Line line{8};
    line.hear(7);
    EXPECT_EQ(line.losses(3), (Losses{0, 1, 2, 3, 4}));
    EXPECT_EQ(line.losses(3), Losses{});
    EXPECT_EQ(line.losses(1), (Losses{5, 6}));
}

// [TR-75] H is the highest: an older transmission does not move it back.
TEST(GapDetector, HighestCounts)
{
    Line line{8};
    line.hear(4);
    line.hear(1);
    EXPECT_EQ(line.losses(3), Losses{0});
}

// [TR-75] One that is not serialized yet is not lost; once it is, the same H counts.
TEST(GapDetector, QueuedOnesWait)
{
    Line line{8};
    line.serialized = 2;
    line.hear(6);
    EXPECT_EQ(line.losses(3), (Losses{0, 1}));
    line.serialized = 8;
    EXPECT_EQ(line.losses(3), (Losses{2, 3}));
}

// [TR-77] The threshold may differ from SACK to SACK.
TEST(GapDetector, ThresholdMoves)
{
    Line line{200};
    line.hear(150);
    EXPECT_EQ(line.losses(149), (Losses{0, 1}));
    EXPECT_EQ(line.losses(150), Losses{});
    EXPECT_EQ(line.losses(148), Losses{2});
}

// [TR-76] Off: numbers, and nothing is lost.
TEST(GapDetector, Off)
{
    Line line{8, false};
    line.hear(7);
    EXPECT_EQ(line.losses(3), Losses{});
    EXPECT_EQ(line.detector.add(3), 8U);
}

}  // namespace
}  // namespace mrcnic::transport
