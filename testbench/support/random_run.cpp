#include "testbench/support/random_run.h"

#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "testbench/support/assembly.h"
#include "testbench/support/harness.h"
#include "testbench/support/in_child.h"
#include "testbench/support/run_invariants.h"

namespace mrcnic::testbench {
namespace {

// Hundreds of times what a run takes, on a busy machine and under a sanitizer too.
constexpr std::chrono::seconds kTimeLimit{60};
constexpr std::uint64_t kMostFailures = 3;

// Failures of the current test so far: reports that nobody expected become such.
int failures_so_far()
{
    return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

/// In the child.
std::string carry_out(const RandomCase& drawn, const RunVariant& variant, const std::string& workload_file)
{
    const int failures_before = failures_so_far();
    config::Config config = drawn.configuration(workload_file);
    if (variant.change) {
        variant.change(config);
    }
    const std::unique_ptr<Assembly> assembly =
        variant.reversed ? make_reversed_assembly(config) : make_assembly(config);
    for (const PlacedFault& placed : drawn.faults) {
        assembly->links()[placed.link]->inject(placed.fault);
    }
    RunInvariants invariants{*assembly};
    assembly->agenda().run_ahead(variant.ahead);
    assembly->agenda().watch([&invariants] { invariants.check_now(); }, 1);
    if (!assembly->run()) {
        throw std::runtime_error{
            "[WL-5] the run did not complete: " + std::to_string(assembly->director().completed()) + " of " +
            std::to_string(assembly->director().records().size()) + " messages"};
    }
    invariants.check_end();
    std::string broken;
    for (const std::string& line : invariants.broken()) {
        broken += line + '\n';
    }
    for (const std::string& line : assembly->compare_payloads()) {
        broken += line + '\n';
    }
    if (!broken.empty() || failures_so_far() > failures_before) {
        throw std::runtime_error{broken};
    }
    return fingerprint(*assembly);
}

}  // namespace

RunVariant with_checkers()
{
    return {"with checkers", [](config::Config& config) { config.simulation.protocol_checkers = true; }};
}

RunVariant without_transfer_trains()
{
    return {"without transfer trains", [](config::Config& config) {
                for (config::NicConfig& nic : config.nics) {
                    nic.host_interface.transfer_trains = false;
                }
            }};
}

RunVariant ahead_of_kernel()
{
    RunVariant variant{"ahead of the kernel"};
    variant.ahead = true;
    return variant;
}

RunVariant in_other_order()
{
    return {"put together in the other order", {}, true};
}

std::string run_case(const RandomCase& random_case, const RunVariant& variant)
{
    const TemporaryFolder folder;
    const std::string workload_file = folder.path() / "workload.csv";
    std::ofstream{workload_file} << random_case.workload;
    const ChildResult result = in_child([&] { return carry_out(random_case, variant, workload_file); }, kTimeLimit);
    if (result.ended_well()) {
        return result.answer;
    }
    ADD_FAILURE() << variant.name << ": " << result.describe() << '\n' << result.text << random_case.text();
    return {};
}

void check_random_runs(const CaseShape& shape, std::uint64_t count)
{
    const std::uint64_t first = seed();
    for (std::uint64_t i = 0, failures = 0; i < count && failures < kMostFailures; ++i) {
        failures += run_case(random_case(first + i, shape), with_checkers()).empty() ? 1U : 0U;
    }
}

void compare_random_runs(const CaseShape& shape, std::uint64_t count, const RunVariant& variant)
{
    const std::uint64_t first = seed();
    for (std::uint64_t i = 0, failures = 0; i < count && failures < kMostFailures; ++i) {
        const RandomCase drawn = random_case(first + i, shape);
        const std::string as_drawn = run_case(drawn);
        const std::string varied = run_case(drawn, variant);
        const std::string differs = difference(as_drawn, varied);
        if (as_drawn.empty() || varied.empty()) {
            ++failures;
        } else if (!differs.empty()) {
            ++failures;
            ADD_FAILURE() << variant.name << ": " << differs << '\n' << drawn.text();
        }
    }
}

}  // namespace mrcnic::testbench
