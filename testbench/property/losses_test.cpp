// Losses of every kind between two NICs: every message completes once, its bytes are right, and in time.

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/property/soak.h"
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
    for (std::size_t i = 0; i < 2; ++i) {  // what left a port arrived at the other or was taken on the way
        const net::NetworkLink& link = *run.platform().links()[i];
        EXPECT_EQ(link.frames(), run.node(i).nic.network_port().counters().tx_frames);
        EXPECT_EQ(link.delivered(), run.node(1 - i).nic.network_port().counters().rx_frames);
    }
}

/// Room for one packet of 768 bytes and its headers, and for one SACK: pools of 846 and 94 bytes.
const Settings kSmallestPools{{"nic.SemanticLayer.MSS", "768"}, {"nic.EgressBufferManager.TotalBufferSize", "940"}};

Settings settings(const testbench::TemporaryFolder& folder, bool smallest)
{
    Settings all{{"workload.File", messages(folder)}, {"simulation.PayloadMode", "bytes"}};
    if (smallest) {
        all.insert(all.end(), kSmallestPools.begin(), kSmallestPools.end());
    }
    return all;
}

enum class Direction { there, back, both };

class EveryKthFrame : public testing::TestWithParam<std::tuple<std::uint64_t, Direction, bool>> {};

// [SW-4, TR-73, TR-75, TR-85, TR-91, TR-92]
TEST_P(EveryKthFrame, IsMadeUpFor)
{
    const auto [k, direction, smallest] = GetParam();
    const testbench::TemporaryFolder folder;
    PlatformRun run{"run", configuration("pair", settings(folder, smallest))};
    const auto links = run.platform().links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (direction == Direction::both || (direction == Direction::there) == (i == 0)) {
            links[i]->inject({LinkFault::Action::drop, 0, k});
        }
    }
    expect_sound(run);
    EXPECT_GT(links[0]->dropped() + links[1]->dropped(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryKthFrame,
                         testing::Combine(testing::Values(2U, 3U, 7U, 100U),
                                          testing::Values(Direction::there, Direction::back, Direction::both),
                                          testing::Values(false)));

// Not every second frame: with room for one packet each loss costs a timer of 150 us at least, and a message of 2,605
// packets loses about as many: 0.4 s.
INSTANTIATE_TEST_SUITE_P(LossesInSmallestPools, EveryKthFrame,
                         testing::Combine(testing::Values(3U, 7U, 100U),
                                          testing::Values(Direction::there, Direction::back, Direction::both),
                                          testing::Values(true)));

/// What goes wrong on both links, each with draws of its own.
struct Trouble {
    const char* name;
    std::vector<LinkFault> faults;
};

LinkFault of_share(LinkFault::Action action, double probability, Picoseconds extra_delay = 0,
                   std::optional<packet::FrameKind> only = std::nullopt)
{
    LinkFault fault{action};
    fault.probability = probability;
    fault.extra_delay = extra_delay;
    fault.only = only;
    return fault;
}

const LinkFault kOnePercent = of_share(LinkFault::Action::drop, 0.01);
const LinkFault kTenPercent = of_share(LinkFault::Action::drop, 0.1);
// Paths of other lengths: by less than a frame's time, by several frames, by much.
const std::vector<LinkFault> kUnequalPaths{of_share(LinkFault::Action::delay, 0.3, 50'000),
                                           of_share(LinkFault::Action::delay, 0.2, 700'000),
                                           of_share(LinkFault::Action::delay, 0.05, 20'000'000)};
const LinkFault kDoubleSacks = of_share(LinkFault::Action::duplicate, 0.5, 0, packet::FrameKind::sack);

std::vector<LinkFault> all_of_them()
{
    std::vector<LinkFault> faults = kUnequalPaths;
    faults.insert(faults.end(), {kOnePercent, kDoubleSacks});
    return faults;
}

const std::vector<Trouble> kTroubles{{"one_percent", {kOnePercent}},
                                     {"ten_percent", {kTenPercent}},
                                     {"unequal_paths", kUnequalPaths},
                                     {"double_sacks", {kDoubleSacks}},
                                     {"all", all_of_them()}};

void inject(PlatformRun& run, const Trouble& trouble, std::uint64_t seed)
{
    for (net::NetworkLink* link : run.platform().links()) {
        for (LinkFault fault : trouble.faults) {
            fault.seed = ++seed;
            link->inject(fault);
        }
    }
}

class Troubles : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

// [SW-4, TR-61, TR-72, TR-75, TR-85, EG-6]
TEST_P(Troubles, AreMadeUpFor)
{
    const auto [index, smallest] = GetParam();
    const testbench::TemporaryFolder folder;
    PlatformRun run{"run", configuration("pair", settings(folder, smallest))};
    inject(run, kTroubles[index], 1000 * testbench::seed());
    expect_sound(run);
    if (smallest) {
        EXPECT_EQ(run.node(0).nic.egress_buffer().pool(packet::TrafficClass::data).size(), 846U);
        EXPECT_EQ(run.node(0).nic.egress_buffer().pool(packet::TrafficClass::control).size(), 94U);
    }
}

std::string trouble_name(const testing::TestParamInfo<std::tuple<std::size_t, bool>>& info)
{
    const auto [index, smallest] = info.param;
    return std::string{kTroubles[index].name} + (smallest ? "_in_smallest_pools" : "");
}

INSTANTIATE_TEST_SUITE_P(Losses, Troubles,
                         testing::Combine(testing::Range(std::size_t{0}, std::size_t{5}), testing::Bool()),
                         trouble_name);

// The short form of the soak in testbench/long: 50,000 packets at 1 % loss. Frames are recycled: many packets need no
// more of them than few.
TEST(Losses, FiftyThousandPackets)
{
    const testbench::SoakResult result = testbench::soak(50'000, testbench::seed());
    EXPECT_GT(result.retransmissions, 390U);  // 1 % of 50,000, less five standard deviations of 22
    EXPECT_LT(result.frames_made, 2'000U);
}

}  // namespace
}  // namespace mrcnic::platforms
