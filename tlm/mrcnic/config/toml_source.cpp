#include "mrcnic/config/toml_source.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "mrcnic/config/attributes.h"

namespace mrcnic::config {
namespace {

/// Walks a parsed file and enters what it finds.
class TomlWalk {
public:
    TomlWalk(const std::string& name, Gathered& gathered) : name_{name}, gathered_{gathered} {}

    void read_root(const toml::table& root)
    {
        for (const auto& [key, node] : root) {
            if (key.str() == "nics") {
                read_nics(node);
            } else {
                read_node(key, node, std::string{key.str()}, {}, std::nullopt);
            }
        }
    }

private:
    [[nodiscard]] Origin origin(const toml::source_region& region) const
    {
        return {Origin::Kind::file, name_, region.begin.line, region.begin.column};
    }

    void add_error(const toml::source_region& region, std::string path, std::string reason)
    {
        gathered_.errors.push_back({origin(region), std::move(path), std::move(reason)});
    }

    /// `table_path` is the path as the attribute table has it, `shown` (if not empty) as the user knows it.
    void read_node(const toml::key& key, const toml::node& node, const std::string& path, const std::string& shown,
                   const std::optional<std::uint32_t>& nic)
    {
        const std::string& name = nic ? shown : path;
        if (key.str().find('.') != std::string_view::npos) {
            add_error(key.source(), name, "a quoted name with dots is one name; allowed: a path without quotes");
            return;
        }
        if (const Attribute* attribute = find_attribute(path); attribute != nullptr && (!nic || attribute->of_nic())) {
            read_value(node, {attribute, nic});
        } else if (!is_table(path)) {
            add_error(key.source(), name, node.is_table() ? unknown_table(name) : unknown_attribute(name));
        } else if (const toml::table* table = node.as_table()) {
            read_table(*table, path, shown, nic);
        } else {
            add_error(node.source(), name, fmt::format("{}; allowed: a table", describe(node)));
        }
    }

    void read_table(const toml::table& table, const std::string& path, const std::string& shown,
                    const std::optional<std::uint32_t>& nic)
    {
        for (const auto& [key, node] : table) {
            read_node(key, node, fmt::format("{}.{}", path, key.str()), fmt::format("{}.{}", shown, key.str()), nic);
        }
    }

    void read_value(const toml::node& node, const Target& target)
    {
        const auto scalar = scalar_of(node);
        const Type& type = target.attribute->type;
        auto value = scalar
                         ? value_of(type, *scalar)
                         : Parsed<Value>::failed(fmt::format("{}; allowed: {}", describe(node), allowed_values(type)));
        if (value) {
            gathered_.settings.set(target, {std::move(*value.value), origin(node.source())});
        } else {
            add_error(node.source(), target.path(), std::move(value.error));
            gathered_.failed.insert(target.path());
        }
    }

    void read_nics(const toml::node& node)
    {
        const toml::array* entries = node.as_array();
        const bool tables = entries != nullptr && std::all_of(entries->begin(), entries->end(),
                                                              [](const toml::node& e) { return e.is_table(); });
        if (!tables) {
            add_error(node.source(), "nics", fmt::format("{}; allowed: [[nics]] tables", describe(node)));
            return;
        }
        for (const toml::node& entry : *entries) {
            read_nic(*entry.as_table());
        }
    }

    void read_nic(const toml::table& entry)
    {
        const auto index = read_index(entry);
        if (!index) {
            return;
        }
        for (const auto& [key, node] : entry) {
            if (key.str() != "index") {
                const std::string shown = fmt::format("{}.{}", nic_name(*index), key.str());
                read_node(key, node, fmt::format("nic.{}", key.str()), shown, *index);
            }
        }
    }

    /// The NIC that an entry is about, entered into the list.
    std::optional<std::uint32_t> read_index(const toml::table& entry)
    {
        const toml::node* node = entry.get("index");
        if (node == nullptr) {
            add_error(entry.source(), "nics", "has no index; allowed: index = N, the number of a NIC from 0");
            return std::nullopt;
        }
        const auto number = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
        if (!number || *number < 0 || *number > std::numeric_limits<std::uint32_t>::max()) {
            add_error(node->source(), "nics.index",
                      fmt::format("{}; allowed: the number of a NIC from 0",
                                  number ? fmt::format("{} is out of range", *number) : describe(*node)));
            return std::nullopt;
        }
        const auto index = static_cast<std::uint32_t>(*number);
        for (const NicEntry& earlier : gathered_.nics) {
            if (earlier.index == index) {
                add_error(
                    node->source(), "nics.index",
                    fmt::format("{} was given in line {} already; allowed: each NIC once", index, earlier.origin.line));
                return std::nullopt;
            }
        }
        gathered_.nics.push_back({index, origin(node->source())});
        return index;
    }

    static std::optional<Value> scalar_of(const toml::node& node)
    {
        switch (node.type()) {
            case toml::node_type::boolean:
                return *node.value<bool>();
            case toml::node_type::integer:
                return *node.value<std::int64_t>();
            case toml::node_type::floating_point:
                return *node.value<double>();
            case toml::node_type::string:
                return *node.value<std::string>();
            default:
                return std::nullopt;
        }
    }

    static std::string describe(const toml::node& node)
    {
        if (const auto scalar = scalar_of(node)) {
            return describe_scalar(*scalar);
        }
        return node.is_table() ? "is a table" : node.is_array() ? "is an array" : "is a date or time";
    }

    const std::string& name_;
    Gathered& gathered_;
};

}  // namespace

void read_toml(std::string_view text, const std::string& name, Gathered& gathered)
{
    try {
        const toml::table root = toml::parse(text, std::string_view{name});
        TomlWalk{name, gathered}.read_root(root);
    } catch (const toml::parse_error& error) {
        const auto& begin = error.source().begin;
        gathered.errors.push_back({{Origin::Kind::file, name, begin.line, begin.column},
                                   {},
                                   fmt::format("no valid TOML: {}", error.description())});
        gathered.readable = false;
    }
}

}  // namespace mrcnic::config
