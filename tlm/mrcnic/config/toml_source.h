#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/config/origin.h"
#include "mrcnic/config/settings.h"

namespace mrcnic::config {

/// A NIC that a file names.
struct NicEntry {
    std::uint32_t index{0};
    Origin origin;
};

/// What a file said, while it is gathered.
struct Gathered {
    Settings settings;
    std::vector<NicEntry> nics;    ///< the `[[nics]]` entries, each index once
    std::set<std::string> failed;  ///< paths whose value was refused: their relations are not checked
    std::vector<Error> errors;
    bool readable{true};  ///< false: no file, or no TOML
};

/// Reads TOML text into `gathered`; the only place that knows the TOML library.
void read_toml(std::string_view text, const std::string& name, Gathered& gathered);

}  // namespace mrcnic::config
