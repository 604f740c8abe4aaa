#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/bench/measurement.h"

namespace mrcnic::bench {

/// The runs of one case, and what came out of them.
struct CaseResult {
    const Case* which{nullptr};
    Measurement run;                   ///< of the repetition with the median time
    double ns_per_packet{0};           ///< CPU time
    double allocations_per_packet{0};  ///< in the steady state: of the second half of a run twice as long
};
using CaseResults = std::map<std::string_view, CaseResult>;

/// A figure that the performance sheet sets a goal for; the smaller the better.
struct Figure {
    std::string name;
    double value{0};
    double must{0};
    double good{0};
    double aim{0};
    /// The same on every machine, so that a test can insist on it. Times are reported only.
    bool is_exact{false};

    [[nodiscard]] bool meets_must() const noexcept { return value <= must; }
    /// "aim", "good", "must" or "missed"
    [[nodiscard]] std::string_view reached() const noexcept;
};

/// Every figure whose cases were run.
[[nodiscard]] std::vector<Figure> figures_of(const CaseResults& results);

/// @param runs    of the same case with as many packets, at least one
/// @param longer  one with twice the packets
[[nodiscard]] CaseResult summarize(const Case& which, std::vector<Measurement> runs, const Measurement& longer);

}  // namespace mrcnic::bench
