// Records of random runs agree with each other, whatever is lost, trimmed, repeated or out of room.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/net/network_link.h"
#include "testbench/support/harness.h"
#include "testbench/support/random_draws.h"
#include "testbench/unit/record/books.h"
#include "testbench/unit/record/recorded_run.h"

namespace mrcnic::record {
namespace {

using testbench::RandomDraws;
using testbench::RecordedRun;

constexpr std::uint64_t kNics = 4;  // of star and leaf_spine; a pair has 2

std::string random_messages(RandomDraws& draws, std::uint64_t nics, const std::filesystem::path& file)
{
    const std::uint64_t count = draws.between(1, 6);
    std::ofstream text{file};
    text << "Nodes " << nics << "\nConnections " << count << "\n";
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t source = draws.between(0, nics - 1);
        const std::uint64_t steps = draws.between(1, nics - 1);
        text << source << "->" << (source + steps) % nics << " start " << draws.between(0, 30'000'000) << " size "
             << draws.magnitude_between(1, 300'000) << "\n";
    }
    return file.string();
}

RecordedRun::Settings random_settings(RandomDraws& draws)
{
    const std::string trimming = draws.chance(0.5) ? "true" : "false";
    return {{"nic.SemanticLayer.MSS", draws.one_of<std::string>({"512", "1000", "4096"})},
            {"nic.EgressBufferManager.TotalBufferSize", draws.one_of<std::string>({"5KB", "12KB", "256KB"})},
            {"nic.IngressBufferManager.TotalBufferSize", draws.one_of<std::string>({"10KB", "40KB", "4MB"})},
            {"nic.HostInterface.NICSide.LaneCount", draws.one_of<std::string>({"4", "12", "16"})},
            {"nic.Transport.AckRequestEveryNthPacket", draws.one_of<std::string>({"1", "2", "7"})},
            {"nic.Transport.MaxPsnRange", draws.one_of<std::string>({"128", "4096"})},
            {"nic.Transport.QpsPerDestination", draws.one_of<std::string>({"1", "3"})},
            {"nic.Transport.TrimmingEnabled", trimming},
            {"nic.CongestionControl.ReceiverPenaltyEnabled", draws.one_of<std::string>({"true", "false"})},
            {"switch.TrimmingEnabled", trimming},
            {"switch.PlaneBDP", draws.one_of<std::string>({"10KB", "60KB", "300KB"})},
            {"switch.QueueDropThreshold", "1"}};
}

void lose_frames(RandomDraws& draws, platforms::Platform& platform)
{
    for (net::NetworkLink* link : platform.links()) {
        net::LinkFault fault;
        fault.action = draws.one_of<net::LinkFault::Action>(
            {net::LinkFault::Action::drop, net::LinkFault::Action::duplicate, net::LinkFault::Action::mark});
        fault.every = draws.one_of<std::uint64_t>({0, 0, 5, 23, 97});
        link->inject(fault);
    }
}

class RandomRecords : public testing::TestWithParam<std::uint64_t> {};

// [RC-19] [RC-52] [RC-53] [RC-63] [RC-66] [RC-70] [RC-72]
TEST_P(RandomRecords, Agree)
{
    RandomDraws draws{testbench::seed(GetParam())};
    const testbench::TemporaryFolder folder;
    const std::string platform = draws.one_of<std::string>({"pair", "star", "leaf_spine"});
    RecordedRun::Settings settings = random_settings(draws);
    settings.emplace_back("workload.File",
                          random_messages(draws, platform == "pair" ? 2 : kNics, folder.path() / "random.cm"));
    settings.emplace_back("fabric.Nics", std::to_string(kNics));
    settings.emplace_back("fabric.Leaves", "2");
    settings.emplace_back("fabric.NicsPerLeaf", std::to_string(kNics / 2));
    settings.emplace_back("fabric.Spines", "2");
    const std::string interval = std::to_string(draws.between(1, 200)) + "us";
    RecordedRun run{platform.c_str(), testbench::all_on(interval, settings)};
    lose_frames(draws, *run.platform);
    run.to_end();
    ASSERT_EQ(run.platform->outcome(), platforms::Outcome::completed);
    testbench::Books{run}.check();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRecords, testing::Range<std::uint64_t>(1, 25));

}  // namespace
}  // namespace mrcnic::record
