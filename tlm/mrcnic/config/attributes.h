#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/config/attribute.h"

namespace mrcnic::config {

/// Every attribute, in the order in which they are documented. Adding an attribute is one entry in `attributes.cpp` and
/// one member in `config.h`.
[[nodiscard]] const std::vector<Attribute>& attributes();

/// The attribute with exactly this path; null if there is none.
[[nodiscard]] const Attribute* find_attribute(std::string_view path);

/// True if `path` is a table: attributes stand below it.
[[nodiscard]] bool is_table(std::string_view path);

/// What a dotted path names: an attribute, of every NIC or (`nics[3].SemanticLayer.MSS`) of one.
struct Target {
    const Attribute* attribute{nullptr};
    std::optional<std::uint32_t> nic;

    [[nodiscard]] std::string path() const;
};

/// Looks a dotted path up. The error names the nearest known attribute.
[[nodiscard]] Parsed<Target> find_target(std::string_view path);

/// "unknown attribute; did you mean ...?" for a path that is none.
[[nodiscard]] std::string unknown_attribute(std::string_view path);

/// The same for a table of a file.
[[nodiscard]] std::string unknown_table(std::string_view path);

/// `nics[3]`.
[[nodiscard]] std::string nic_name(std::uint32_t index);

}  // namespace mrcnic::config
