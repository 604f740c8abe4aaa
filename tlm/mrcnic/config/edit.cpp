#include "mrcnic/config/edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "mrcnic/config/attributes.h"
#include "mrcnic/config/settings.h"

namespace mrcnic::config {
namespace {

void apply(Config& config, const Target& target, const Value& value)
{
    const Attribute& attribute = *target.attribute;
    if (target.nic) {
        attribute.write(config.nics[*target.nic], value);
        return;
    }
    attribute.write(config, value);
    if (attribute.of_nic()) {
        for (NicConfig& nic : config.nics) {
            attribute.write(nic, value);
        }
    }
    config.nics.resize(std::min(config.nic_count(), kMaxNics), config.nic);
}

}  // namespace

Config default_config(std::string_view platform)
{
    Config config = Settings{}.to_config();
    set(config, "platform", platform);
    return config;
}

void set(Config& config, std::string_view path, std::string_view value)
{
    const auto target = find_target(path);
    if (!target) {
        throw ConfigError{fmt::format("{}: {}", path, target.error)};
    }
    if (target.value->nic && *target.value->nic >= config.nics.size()) {
        throw ConfigError{fmt::format("{}: {} is no NIC of this platform; allowed: 0 to {}", path, *target.value->nic,
                                      config.nics.size() - 1)};
    }
    const auto parsed = value_of_text(target.value->attribute->type, value);
    if (!parsed) {
        throw ConfigError{fmt::format("{}: {}", path, parsed.error)};
    }
    apply(config, *target.value, *parsed.value);
}

}  // namespace mrcnic::config
