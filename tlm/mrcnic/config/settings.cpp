#include "mrcnic/config/settings.h"

#include <algorithm>
#include <filesystem>

namespace mrcnic::config {
namespace {

std::size_t position(const Attribute& attribute)
{
    return static_cast<std::size_t>(&attribute - attributes().data());
}

/// The value that the run uses: a relative path in a file is relative to that file's folder.
Value resolved(const Attribute& attribute, const Setting& setting)
{
    if (attribute.type.kind != Kind::path || setting.origin.kind != Origin::Kind::file) {
        return setting.value;
    }
    const auto& written = std::get<std::string>(setting.value);
    if (written.empty()) {
        return written;
    }
    const std::filesystem::path folder = std::filesystem::path{setting.origin.text}.parent_path();
    return (folder / written).lexically_normal().string();
}

EffectiveValue effective_value(const Target& target, const Setting& setting)
{
    return {target, resolved(*target.attribute, setting), setting.value, setting.origin};
}

}  // namespace

Settings::Settings()
{
    for (const Attribute& attribute : attributes()) {
        common_.push_back({attribute.type.default_value, {}});
    }
}

void Settings::set(const Target& target, Setting setting)
{
    const std::size_t row = position(*target.attribute);
    if (target.nic) {
        own_[{*target.nic, row}] = std::move(setting);
    } else {
        common_[row] = std::move(setting);
    }
}

Config Settings::to_config() const
{
    Config config;
    const auto& table = attributes();
    for (std::size_t row = 0; row < table.size(); ++row) {
        table[row].write(config, resolved(table[row], common_[row]));
    }
    config.nics.assign(std::min(config.nic_count(), kMaxNics), config.nic);  // more are a fault found later
    for (const auto& [key, setting] : own_) {
        if (key.first < config.nics.size()) {
            table[key.second].write(config.nics[key.first], resolved(table[key.second], setting));
        }
    }
    return config;
}

std::vector<EffectiveValue> Settings::effective() const
{
    std::vector<EffectiveValue> values;
    const auto& table = attributes();
    for (std::size_t row = 0; row < table.size(); ++row) {
        values.push_back(effective_value({&table[row], std::nullopt}, common_[row]));
    }
    for (const auto& [key, setting] : own_) {
        values.push_back(effective_value({&table[key.second], key.first}, setting));
    }
    return values;
}

const Setting* Settings::own_setting(const Target& target) const
{
    const auto found = target.nic ? own_.find({*target.nic, position(*target.attribute)}) : own_.end();
    return found == own_.end() ? nullptr : &found->second;
}

Origin Settings::origin_of(const std::vector<std::string>& paths) const
{
    Origin common;
    for (const std::string& path : paths) {
        const auto target = find_target(path);
        if (!target) {
            continue;
        }
        if (const Setting* own = own_setting(*target.value)) {
            return own->origin;
        }
        const Origin& origin = common_[position(*target.value->attribute)].origin;
        if (common.kind == Origin::Kind::default_value) {
            common = origin;
        }
    }
    return common;
}

std::vector<std::pair<Target, Origin>> Settings::nic_settings() const
{
    std::vector<std::pair<Target, Origin>> settings;
    for (const auto& [key, setting] : own_) {
        settings.emplace_back(Target{&attributes()[key.second], key.first}, setting.origin);
    }
    return settings;
}

}  // namespace mrcnic::config
