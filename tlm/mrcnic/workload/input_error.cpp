#include "mrcnic/workload/input_error.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace mrcnic::workload {

namespace {

std::string describe(const std::string& file, const std::vector<InputProblem>& problems)
{
    std::string text;
    for (const InputProblem& problem : problems) {
        text += text.empty() ? "" : "\n";
        const std::string& name = problem.file.empty() ? file : problem.file;
        text += problem.line == 0
                    ? fmt::format("error: {}: {}", name, problem.reason)
                    : fmt::format("error: {}:{}:{}: {}", name, problem.line, problem.column, problem.reason);
    }
    return text;
}

}  // namespace

InputError::InputError(std::string file, std::vector<InputProblem> problems)
    : std::runtime_error{describe(file, problems)}, file_{std::move(file)}, problems_{std::move(problems)}
{
}

void ProblemList::throw_if_any()
{
    if (problems_.empty()) {
        return;
    }
    std::stable_sort(problems_.begin(), problems_.end(), [](const InputProblem& a, const InputProblem& b) {
        return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    });
    throw InputError{file_, problems_};
}

}  // namespace mrcnic::workload
