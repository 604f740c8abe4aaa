#pragma once

#include <memory>

#include "mrcnic/config/config.h"
#include "mrcnic/platforms/platform.h"

namespace mrcnic::platforms {

/// Builds the platform that the configuration names; its module is called like it.
/// @throws workload::InputError if the workload is faulty
/// @throws std::invalid_argument if there is no such platform (a configuration that was read has been checked)
[[nodiscard]] std::unique_ptr<Platform> make_platform(const config::Config& config);

}  // namespace mrcnic::platforms
