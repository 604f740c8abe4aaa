#pragma once

#include <string>
#include <vector>

#include "mrcnic/config/settings.h"

namespace mrcnic::config {

/// SHA-256 in lower-case hex of the effective configuration as compact JSON with sorted keys [DS-2]: every attribute by
/// its path in its base unit, paths as written, attributes that change only how results are written left out. A NIC's
/// own value counts only where it differs from that of all NICs.
[[nodiscard]] std::string config_digest(const std::vector<EffectiveValue>& values);

/// The text that the digest is taken of.
[[nodiscard]] std::string digest_text(const std::vector<EffectiveValue>& values);

/// The effective values of a configuration built in C++, for its digest and for printing; their origin is "program".
[[nodiscard]] std::vector<EffectiveValue> effective_values(const Config& config);

}  // namespace mrcnic::config
