#include "mrcnic/config/reader.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "mrcnic/config/checks.h"
#include "mrcnic/config/toml_source.h"

namespace mrcnic::config {
namespace {

void read_override(const std::string& text, Gathered& gathered)
{
    const Origin origin{Origin::Kind::command_line, text};
    const std::size_t equals = text.find('=');
    const std::string path = text.substr(0, equals);
    if (equals == std::string::npos) {
        gathered.errors.push_back({origin, path, "has no value; allowed: PATH=VALUE"});
        return;
    }
    const auto target = find_target(path);
    if (!target) {
        gathered.errors.push_back({origin, path, target.error});
        return;
    }
    auto value = value_of_text(target.value->attribute->type, std::string_view{text}.substr(equals + 1));
    if (!value) {
        gathered.errors.push_back({origin, path, std::move(value.error)});
        gathered.failed.insert(path);
        return;
    }
    gathered.settings.set(*target.value, {std::move(*value.value), origin});
}

/// The NICs that a file or the command line names must be there.
void check_nic_indices(const Config& config, Gathered& gathered)
{
    const std::uint32_t count = config.nic_count();
    const auto reason = [count](std::uint32_t index) {
        return fmt::format("{} is no NIC of this platform; allowed: 0 to {}", index, count - 1);
    };
    for (const NicEntry& entry : gathered.nics) {
        if (entry.index >= count) {
            gathered.errors.push_back({entry.origin, "nics.index", reason(entry.index)});
        }
    }
    for (const auto& [target, origin] : gathered.settings.nic_settings()) {
        if (*target.nic >= count && origin.kind == Origin::Kind::command_line) {
            gathered.errors.push_back({origin, target.path(), reason(*target.nic)});
        }
    }
}

/// True if one of the values that a finding is about was refused: what stands in its place is only the default.
bool rests_on_failure(const Finding& finding, const std::set<std::string>& failed)
{
    const auto has_failed = [&failed](const std::string& path) {
        const auto target = find_target(path);
        return failed.count(path) != 0 || (target && failed.count(target.value->attribute->path) != 0);
    };
    return has_failed(finding.path) || std::any_of(finding.involved.begin(), finding.involved.end(), has_failed);
}

void check(const Config& config, Gathered& gathered)
{
    if (gathered.failed.count("platform") == 0 && gathered.failed.count("fabric.Nics") == 0) {
        check_nic_indices(config, gathered);
    }
    for (Finding& finding : check_relations(config)) {
        if (!rests_on_failure(finding, gathered.failed)) {
            std::vector<std::string> paths{finding.path};
            paths.insert(paths.end(), finding.involved.begin(), finding.involved.end());
            gathered.errors.push_back(
                {gathered.settings.origin_of(paths), std::move(finding.path), std::move(finding.reason)});
        }
    }
}

LoadResult finish(Gathered gathered, const std::vector<std::string>& overrides)
{
    for (const std::string& text : overrides) {
        read_override(text, gathered);
    }
    LoadResult result{gathered.settings.to_config(), gathered.settings.effective(), {}};
    if (gathered.readable) {
        check(result.config, gathered);
    }
    const auto place = [](const Error& error) {
        const bool in_file = error.origin.kind == Origin::Kind::file;
        return std::tuple{!in_file, error.origin.line, error.origin.column};
    };
    std::stable_sort(gathered.errors.begin(), gathered.errors.end(),
                     [&place](const Error& a, const Error& b) { return place(a) < place(b); });
    result.errors = std::move(gathered.errors);
    return result;
}

}  // namespace

LoadResult load_file(const std::string& file, const std::vector<std::string>& overrides)
{
    std::ifstream stream{file, std::ios::binary};
    const int error = errno;
    if (!stream || std::filesystem::is_directory(file)) {
        Gathered gathered;
        const std::string why = stream ? "is a folder" : std::generic_category().message(error);
        gathered.errors.push_back(
            {{Origin::Kind::file, file}, {}, "cannot be read: " + why + "; allowed: a TOML file"});
        gathered.readable = false;
        return finish(std::move(gathered), overrides);
    }
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    return load_text(text, file, overrides);
}

LoadResult load_text(std::string_view text, const std::string& name, const std::vector<std::string>& overrides)
{
    Gathered gathered;
    read_toml(text, name, gathered);
    return finish(std::move(gathered), overrides);
}

}  // namespace mrcnic::config
