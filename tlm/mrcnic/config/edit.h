#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "mrcnic/config/config.h"

namespace mrcnic::config {

/// A call from C++ that names no attribute, or gives it a value that is not allowed.
class ConfigError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Every attribute at its default. @throws ConfigError if there is no such platform
[[nodiscard]] Config default_config(std::string_view platform = "pair");

/// Sets one attribute as `--set PATH=VALUE` does: `nic.X` for every NIC, `nics[3].X` for one. A change of the number of
/// NICs keeps those that stay; new ones are as `nic` says. Relations between attributes are `validate`'s task.
/// @throws ConfigError "PATH: what is wrong; allowed: ..."
void set(Config& config, std::string_view path, std::string_view value);

}  // namespace mrcnic::config
