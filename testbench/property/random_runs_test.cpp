// Random traffic with random attributes over whole platforms. MRCNIC_TEST_SEED=N starts with case N; a failure prints
// the seed and a command that repeats the run.

#include <gtest/gtest.h>

#include "testbench/support/random_run.h"

namespace mrcnic::testbench {
namespace {

const CaseShape kPair{"pair", false};
const CaseShape kLossyPair{"pair", true};
const CaseShape kStar{"star", false};
const CaseShape kLossyStar{"star", true};
constexpr std::uint64_t kRuns = 100;
constexpr std::uint64_t kComparisons = 50;

const RunVariant kOneByOne{"without transfer trains", [](config::Config& config) {
                               for (config::NicConfig& nic : config.nics) {
                                   nic.host_interface.transfer_trains = false;
                               }
                           }};
const RunVariant kChecked{"with checkers", [](config::Config& config) { config.simulation.protocol_checkers = true; }};
const RunVariant kOtherPayload{"with the other payload mode", [](config::Config& config) {
                                   auto& mode = config.simulation.payload_mode;
                                   mode = mode == config::PayloadMode::bytes ? config::PayloadMode::sizes
                                                                             : config::PayloadMode::bytes;
                               }};
const RunVariant kAgain{"once more", {}};
const RunVariant kReversed{"put together in the other order", {}, true};

// [PL-3, EG-3, IN-1, PC-9, WL-5, TR-61, TR-90, TR-91, TR-92, D5, E12] The invariants of `RunInvariants`.
TEST(RandomRuns, PairKeepsItsInvariants)
{
    check_random_runs(kPair, kRuns);
}

// [SW-4, TR-85, TR-87] Every message is delivered exactly once in spite of losses.
TEST(RandomRuns, LossyPairKeepsItsInvariants)
{
    check_random_runs(kLossyPair, kRuns);
}

// [SW-10, SW-13, SW-23]
TEST(RandomRuns, StarKeepsItsInvariants)
{
    check_random_runs(kStar, kRuns);
}

TEST(RandomRuns, LossyStarKeepsItsInvariants)
{
    check_random_runs(kLossyStar, kRuns);
}

// One event for transfers that nothing can interrupt changes no result.
TEST(RandomRuns, TransferTrainsChangeNothing)
{
    compare_random_runs(kLossyPair, kComparisons, kOneByOne);
}

TEST(RandomRuns, TransferTrainsChangeNothingInStar)
{
    compare_random_runs(kStar, kComparisons, kOneByOne);
}

TEST(RandomRuns, CheckersChangeNothing)
{
    compare_random_runs(kLossyStar, kComparisons, kChecked);
}

TEST(RandomRuns, PayloadBytesChangeNothing)
{
    compare_random_runs(kLossyPair, kComparisons, kOtherPayload);
}

TEST(RandomRuns, SameSeedIsSameRun)
{
    compare_random_runs(kLossyStar, kComparisons, kAgain);
}

// [OE-1] Modules, processes and bindings in another order.
TEST(RandomRuns, ElaborationOrderChangesNothingInPair)
{
    compare_random_runs(kLossyPair, kComparisons, kReversed);
}

TEST(RandomRuns, ElaborationOrderChangesNothingInStar)
{
    compare_random_runs(kLossyStar, kComparisons, kReversed);
}

}  // namespace
}  // namespace mrcnic::testbench
