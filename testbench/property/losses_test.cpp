// Losses of every kind between two NICs: every message completes once, its bytes are right, and in time.

#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using net::LinkFault;
using testbench::configuration;
using testbench::PlatformRun;
using testbench::run_to_completion;
using testbench::Settings;

constexpr Picoseconds kInTime = 100'000'000'000;  // 100 ms

/// Both NICs send; messages of one packet, of some, of many, and of none.
std::string messages(const testbench::TemporaryFolder& folder)
{
    return testbench::write_workload(folder, "losses.csv",
                                     "id,src,dst,bytes,start_ps,after,qp\n"
                                     "1,0,1,2000000,0,,\n"
                                     "2,1,0,300000,0,,\n"
                                     "3,0,1,0,0,,\n"
                                     "4,0,1,4096,1000000,,\n"
                                     "5,1,0,4097,0,2,\n"
                                     "6,0,1,65536,0,1,\n");
}

constexpr std::size_t kMessages = 6;

void expect_sound(PlatformRun& run)
{
    run_to_completion({&run});
    EXPECT_EQ(run.platform().director()->completed(), kMessages);
    EXPECT_EQ(run.platform().compare_payloads(), std::vector<std::string>{});
    EXPECT_LT(run.platform().end_time(), kInTime);
}

enum class Direction { there, back, both };

class EveryKthFrame : public testing::TestWithParam<std::tuple<std::uint64_t, Direction>> {};

// [SW-4, TR-73, TR-75, TR-85, TR-91, TR-92]
TEST_P(EveryKthFrame, IsMadeUpFor)
{
    const auto [k, direction] = GetParam();
    const testbench::TemporaryFolder folder;
    PlatformRun run{"run",
                    configuration("pair", {{"workload.File", messages(folder)}, {"simulation.PayloadMode", "bytes"}})};
    const auto links = run.platform().links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (direction == Direction::both || (direction == Direction::there) == (i == 0)) {
            links[i]->inject({LinkFault::Action::drop, 0, k});
        }
    }
    expect_sound(run);
    EXPECT_GT(links[0]->dropped() + links[1]->dropped(), 0U);
}

INSTANTIATE_TEST_SUITE_P(OneWay, EveryKthFrame,
                         testing::Combine(testing::Values(2U, 3U, 7U, 100U),
                                          testing::Values(Direction::there, Direction::back)));

// Not every second frame: nothing in the transport is random, so a NIC that repeats one packet and probes its path, an
// even number of frames in all, meets the fault at the same place for ever.
INSTANTIATE_TEST_SUITE_P(BothWays, EveryKthFrame,
                         testing::Combine(testing::Values(3U, 7U, 100U), testing::Values(Direction::both)));

}  // namespace
}  // namespace mrcnic::platforms
