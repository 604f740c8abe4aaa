// The random runs of testbench/property, more and larger ones. MRCNIC_TEST_SEED=N starts with case N.

#include <cstdint>

#include <gtest/gtest.h>

#include "testbench/support/random_run.h"

namespace mrcnic::testbench {
namespace {

constexpr std::uint64_t kRuns = 5'000;
constexpr std::uint64_t kComparisons = 2'000;
constexpr std::uint64_t kPackets = 10'000;

const CaseShape kLossyPair{"pair", true, kPackets};
const CaseShape kLossyStar{"star", true, kPackets};

// The facts of testbench/property/random_runs_test.cpp.
TEST(ManyRandomRuns, PairKeepsItsInvariants)
{
    check_random_runs(kLossyPair, kRuns);
}

TEST(ManyRandomRuns, StarKeepsItsInvariants)
{
    check_random_runs(kLossyStar, kRuns);
}

TEST(ManyRandomRuns, TransferTrainsChangeNothing)
{
    compare_random_runs(kLossyStar, kComparisons, without_transfer_trains());
}

TEST(ManyRandomRuns, ElaborationOrderChangesNothing)
{
    compare_random_runs(kLossyStar, kComparisons, in_other_order());
}

}  // namespace
}  // namespace mrcnic::testbench
