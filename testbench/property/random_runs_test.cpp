// Random traffic with random attributes over whole platforms. MRCNIC_TEST_SEED=N starts with case N; a failure prints
// the seed and a command that repeats the run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/support/random_run.h"

namespace mrcnic::testbench {
namespace {

const CaseShape kPair{"pair", false};
const CaseShape kLossyPair{"pair", true};
const CaseShape kStar{"star", false};
const CaseShape kLossyStar{"star", true};
const CaseShape kLeafSpine{"leaf_spine", false};
const CaseShape kLossyLeafSpine{"leaf_spine", true};
constexpr std::uint64_t kRuns = 300;
constexpr std::uint64_t kComparisons = 150;

const RunVariant kOtherPayload{"with the other payload mode", [](config::Config& config) {
                                   auto& mode = config.simulation.payload_mode;
                                   mode = mode == config::PayloadMode::bytes ? config::PayloadMode::sizes
                                                                             : config::PayloadMode::bytes;
                               }};
const RunVariant kAgain{"once more", {}};

/// Whether a statistic of any NIC is above 0.
bool is_positive(const std::string& shown, const std::string& statistic)
{
    const std::string start = " " + statistic + " ";
    for (std::size_t at = shown.find(start); at != std::string::npos; at = shown.find(start, at + 1)) {
        if (shown[at + start.size()] != '0') {
            return true;
        }
    }
    return false;
}

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

// [SW-30, SW-51, SW-52] Several switches and several ways between two NICs; trimming and ECN in both kinds of fabric.
TEST(RandomRuns, LeafSpineKeepsItsInvariants)
{
    check_random_runs(kLeafSpine, kRuns);
}

TEST(RandomRuns, LossyLeafSpineKeepsItsInvariants)
{
    check_random_runs(kLossyLeafSpine, kRuns);
}

// One event for transfers that nothing can interrupt changes no result.
TEST(RandomRuns, TransferTrainsChangeNothing)
{
    compare_random_runs(kLossyPair, kComparisons, without_transfer_trains());
}

TEST(RandomRuns, TransferTrainsChangeNothingInStar)
{
    compare_random_runs(kStar, kComparisons, without_transfer_trains());
}

TEST(RandomRuns, CheckersChangeNothing)
{
    compare_random_runs(kLossyStar, kComparisons, with_checkers());
}

TEST(RandomRuns, PayloadBytesChangeNothing)
{
    compare_random_runs(kLossyPair, kComparisons, kOtherPayload);
}

TEST(RandomRuns, RunningAheadChangesNothing)
{
    compare_random_runs(kLossyPair, kComparisons, ahead_of_kernel());
}

TEST(RandomRuns, RunningAheadChangesNothingInStar)
{
    compare_random_runs(kLossyStar, kComparisons, ahead_of_kernel());
}

TEST(RandomRuns, RunningAheadChangesNothingInLeafSpine)
{
    compare_random_runs(kLossyLeafSpine, kComparisons, ahead_of_kernel());
}

TEST(RandomRuns, SameSeedIsSameRun)
{
    compare_random_runs(kLossyLeafSpine, kComparisons, kAgain);
}

// [OE-1] Modules, processes and bindings in another order.
TEST(RandomRuns, ElaborationOrderChangesNothingInPair)
{
    compare_random_runs(kLossyPair, kComparisons, in_other_order());
}

TEST(RandomRuns, ElaborationOrderChangesNothingInStar)
{
    compare_random_runs(kLossyStar, kComparisons, in_other_order());
}

TEST(RandomRuns, ElaborationOrderChangesNothingInLeafSpine)
{
    compare_random_runs(kLossyLeafSpine, kComparisons, in_other_order());
}

// Invariants that no case puts to the test would hold for nothing: each of these comes in some of the cases.
TEST(RandomRuns, CasesReachWhatCanGoWrong)
{
    std::map<std::string, std::size_t> cases{{"egress.data_refused", 0},
                                             {"egress.control_refused", 0},
                                             {"egress.retries_after_drain", 0},
                                             {"ingress.drops_data", 0},
                                             {"pcie.nic_to_host.tx_header_wait_ps", 0},
                                             {"pcie.nic_to_host.tx_data_wait_ps", 0},
                                             {"pcie.host_to_nic.tx_header_wait_ps", 0},
                                             {"transport.duplicates", 0},
                                             {"transport.out_of_order", 0},
                                             {"transport.retransmissions", 0},
                                             {"transport.window_discards", 0},
                                             {"transport.nacks_received", 0}};
    const std::uint64_t first = seed();
    for (std::uint64_t i = 0; i < kRuns; ++i) {
        const std::string shown = run_case(random_case(first + i, kLossyPair));
        for (auto& [name, count] : cases) {
            count += is_positive(shown, name) ? 1U : 0U;
        }
    }
    for (const auto& [name, count] : cases) {
        EXPECT_GT(count, 0U) << name;
    }
}

/// Whether a number above 0 stands before `word` anywhere.
bool shows_some(const std::string& shown, const std::string& word)
{
    for (std::size_t at = shown.find(word); at != std::string::npos; at = shown.find(word, at + 1)) {
        const std::size_t start = shown.rfind(' ', at - 1) + 1;
        if (shown.compare(start, at - start, "0") != 0) {
            return true;
        }
    }
    return false;
}

// The same for what switches and the links' test hook do.
TEST(RandomRuns, CasesReachWhatSwitchesDo)
{
    std::map<std::string, std::size_t> cases{
        {" marked, ", 0},           {" trimmed, ", 0}, {" at the last hop, ", 0}, {" dropped on egress", 0},
        {" dropped on ingress", 0}, {" copies", 0},    {" dropped, ", 0}};
    const std::uint64_t first = seed();
    const auto all_reached = [&cases] {
        return std::all_of(cases.begin(), cases.end(), [](const auto& one) { return one.second > 0; });
    };
    for (std::uint64_t i = 0; i < 4 * kRuns && !all_reached(); ++i) {
        const std::string shown = run_case(random_case(first + i, kLossyLeafSpine));
        for (auto& [word, count] : cases) {
            count += shows_some(shown, word) ? 1U : 0U;
        }
    }
    for (const auto& [word, count] : cases) {
        EXPECT_GT(count, 0U) << word;
    }
}

}  // namespace
}  // namespace mrcnic::testbench
