#pragma once

#include <string>
#include <vector>

#include "mrcnic/config/config.h"
#include "mrcnic/config/origin.h"

namespace mrcnic::config {

/// A fault that only several attributes together, or the present version, make.
struct Finding {
    std::string path;                     ///< the attribute to blame, `nics[N].` before it for one NIC's
    std::string reason;                   ///< "what is wrong; allowed: ..." with the smallest legal value
    std::vector<std::string> involved{};  ///< other attributes that it depends on
};

/// Checks everything beyond single ranges: pools [PL-4], host link [PC-12], codepoints [TR-41], receiver thresholds
/// [CC-43], queue limit, workload, what a platform needs and what this version lacks.
[[nodiscard]] std::vector<Finding> check_relations(const Config& config);

/// Checks a configuration built in C++ like one from a file, single ranges too.
[[nodiscard]] std::vector<Error> validate(const Config& config);

}  // namespace mrcnic::config
