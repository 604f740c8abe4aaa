#pragma once

#include <memory>
#include <optional>

#include "cli/commands.h"
#include "mrcnic/config/reader.h"
#include "mrcnic/platforms/platform.h"

namespace mrcnic::cli {

/// Reads a configuration; if anything is wrong with it, prints all of that and returns nothing.
[[nodiscard]] std::optional<config::LoadResult> load(const ConfigSource& source);

/// Builds the platform of a configuration without errors, workload included; if there is anything wrong with that,
/// prints it and returns null.
[[nodiscard]] std::unique_ptr<platforms::Platform> build(const config::Config& config);

}  // namespace mrcnic::cli
