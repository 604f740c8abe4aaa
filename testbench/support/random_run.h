#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mrcnic/config/config.h"
#include "testbench/support/random_case.h"

namespace mrcnic::testbench {

/// How one case is carried out; what a variant changes must change no result.
struct RunVariant {
    std::string name{"as drawn"};
    std::function<void(config::Config&)> change{};  ///< of the drawn configuration; none = nothing
    bool reversed{false};                           ///< put together in the other order
    bool ahead{false};                              ///< the agenda runs ahead of the kernel
};

[[nodiscard]] RunVariant with_checkers();
/// Every transfer on the host links is an event of its own.
[[nodiscard]] RunVariant without_transfer_trains();
/// The agenda runs ahead of the kernel.
[[nodiscard]] RunVariant ahead_of_kernel();
/// Modules, processes and bindings come in another order.
[[nodiscard]] RunVariant in_other_order();

/// Runs the case in a child process with all invariants checked, and fails the test with the case's text if one does
/// not hold, a report comes or the run does not end.
/// @return the run's fingerprint; empty after a failure
[[nodiscard]] std::string run_case(const RandomCase& random_case, const RunVariant& variant = {});

/// Runs `count` cases from the test's seed on, with the protocol checkers.
void check_random_runs(const CaseShape& shape, std::uint64_t count);

/// Runs `count` cases twice, as drawn and as `variant` says, and fails the test where the fingerprints differ.
void compare_random_runs(const CaseShape& shape, std::uint64_t count, const RunVariant& variant);

}  // namespace mrcnic::testbench
