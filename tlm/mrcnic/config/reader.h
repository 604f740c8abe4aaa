#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/config/config.h"
#include "mrcnic/config/origin.h"
#include "mrcnic/config/settings.h"

namespace mrcnic::config {

/// What reading a configuration gives.
struct LoadResult {
    Config config;                          ///< to be used only if there are no errors
    std::vector<EffectiveValue> effective;  ///< every attribute with its value and origin
    std::vector<Error> errors;              ///< all of them: by place in the file, then in the order of `--set`

    [[nodiscard]] bool ok() const noexcept { return errors.empty(); }
};

/// Reads a TOML file. @param overrides  `PATH=VALUE` each, the last of a path wins
[[nodiscard]] LoadResult load_file(const std::string& file, const std::vector<std::string>& overrides = {});

/// Reads TOML text. @param name  stands for the file in errors, and its folder for relative paths
[[nodiscard]] LoadResult load_text(std::string_view text, const std::string& name,
                                   const std::vector<std::string>& overrides = {});

}  // namespace mrcnic::config
