#include "mrcnic/platforms/path_failures.h"

#include <fmt/format.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/load.h"

namespace mrcnic::platforms {

std::vector<PathFailure> path_failures(const workload::Workload& load, const Topology& topology)
{
    std::vector<PathFailure> failures;
    if (topology.leaves == 0) {
        workload::require_no_failures(load);
        return failures;
    }
    workload::ProblemList problems{load.file};
    for (const workload::Failure& failure : load.failures) {
        const bool is_leaf = failure.switch_kind == workload::SwitchKind::leaf;
        const std::size_t first = is_leaf ? 0 : topology.leaves;
        const std::size_t count = is_leaf ? topology.leaves : topology.switches.size() - topology.leaves;
        if (failure.switch_id >= count) {
            problems.add(failure.line, failure.column,
                         fmt::format("switch_id {} is no {} of this fabric; allowed: 0 to {}", failure.switch_id,
                                     is_leaf ? "leaf" : "spine", count - 1));
            continue;
        }
        const SwitchPlan& plan = topology.switches[first + failure.switch_id];
        if (failure.link_id >= plan.ports.size()) {
            problems.add(failure.line, failure.column,
                         fmt::format("link_id {} is no port of {}; allowed: 0 to {}", failure.link_id, plan.component,
                                     plan.ports.size() - 1));
            continue;
        }
        failures.push_back({first + failure.switch_id, static_cast<std::uint16_t>(failure.link_id)});
    }
    problems.throw_if_any();
    return failures;
}

}  // namespace mrcnic::platforms
