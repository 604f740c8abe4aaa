#pragma once

#include <array>
#include <string_view>

namespace mrcnic::config {

struct PlatformInfo {
    std::string_view name;
    std::string_view summary;
};

/// The built-in platforms, `platform = "..."`.
inline constexpr std::array<PlatformInfo, 4> kPlatforms{{
    {"pair", "two NICs back to back"},
    {"star", "fabric.Nics NICs on one store-and-forward switch"},
    {"leaf_spine", "fabric.Leaves leaf switches of fabric.NicsPerLeaf NICs each, below fabric.Spines spines"},
    {"line_rate_receive", "a wire-rate frame source into one NIC, no window"},
}};

}  // namespace mrcnic::config
