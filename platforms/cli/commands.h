#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/progress.h"
#include "mrcnic/platforms/run_records.h"

namespace mrcnic::cli {

/// The configuration that a command works on.
struct ConfigSource {
    std::string file;
    std::vector<std::string> overrides;  ///< PATH=VALUE each, the last of a path wins
};

struct RunOptions {
    ConfigSource source;
    std::string out{"out"};
    std::string seed;  ///< empty = as the configuration says
    platforms::Traces traces;
    ProgressMode progress{ProgressMode::automatic};
    bool quiet{false};
};

/// Runs a platform, writes its records, prints a table about it.
[[nodiscard]] ExitCode run(const RunOptions& options);

/// Prints the effective configuration.
[[nodiscard]] ExitCode check(const ConfigSource& source);

enum class AttributeFormat { table, json, markdown };

/// Prints every attribute.
[[nodiscard]] ExitCode list_attributes(AttributeFormat format);

/// Prints the built-in platforms.
[[nodiscard]] ExitCode list_platforms();

}  // namespace mrcnic::cli
