#include "mrcnic/config/print.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mrcnic::config {
namespace {

using Row = std::vector<std::string>;

/// Text columns, two blanks apart, the last one as long as it likes.
std::string columns(const std::vector<Row>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            text += fmt::format("{:<{}}  ", row[i], widths[i]);
        }
        text += row.back() + '\n';
    }
    return text;
}

bool has_range(const Type& type)
{
    return type.low.index() == type.default_value.index() && type.kind != Kind::boolean;
}

/// What is allowed, without the list of units that errors add.
std::string range_of(const Type& type)
{
    if (!has_range(type)) {
        return type.kind == Kind::choice ? fmt::format("{}", fmt::join(type.words, " ")) : std::string{};
    }
    const std::string range = fmt::format("{}..{}", format_value(type, type.low), format_value(type, type.high));
    return type.multiple > 1 ? fmt::format("{}, multiple of {}", range, type.multiple) : range;
}

Row attribute_row(const Attribute& attribute)
{
    const Type& type = attribute.type;
    return {attribute.path, std::string{kind_name(type.kind)},
            type.unit,      format_value(type, type.default_value),
            range_of(type), attribute.doc};
}

nlohmann::ordered_json json_value(const Value& value)
{
    return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

nlohmann::ordered_json json_attribute(const Attribute& attribute)
{
    const Type& type = attribute.type;
    nlohmann::ordered_json object{{"path", attribute.path}, {"type", kind_name(type.kind)}};
    if (!type.unit.empty()) {
        object["unit"] = type.unit;
    }
    object["default"] = json_value(type.default_value);
    if (has_range(type)) {
        object["low"] = json_value(type.low);
        object["high"] = json_value(type.high);
    }
    if (type.multiple > 1) {
        object["multiple"] = type.multiple;
    }
    if (!type.words.empty()) {
        object["words"] = type.words;
    }
    object["doc"] = attribute.doc;
    object["output_only"] = attribute.output_only;
    return object;
}

/// The table that a path stands in, two levels deep: a heading of the page.
std::string_view section_of(std::string_view path)
{
    const std::size_t first = path.find('.');
    if (path.substr(0, first) != "nic") {
        return path.substr(0, first);
    }
    return path.substr(0, path.find('.', first + 1));
}

constexpr const char* kMarkdownHead =
    "# Attributes\n\n"
    "Written by `mrcnic attributes --format markdown`; do not edit by hand. Quantities are strings with a unit\n"
    "(`\"256KB\"`, `\"31.52Gbps\"`, `\"15ns\"`) or plain integers in the base unit, which the third column names; KB = "
    "1,000,\n"
    "KiB = 1,024. `nic.` attributes hold for every NIC; `[[nics]]` with `index = N`, or `nics[N].` with `--set`, sets\n"
    "those of one. Ids in brackets are facts of the specification.\n";

}  // namespace

std::string attributes_table()
{
    std::vector<Row> rows{{"PATH", "TYPE", "UNIT", "DEFAULT", "RANGE", "MEANING"}};
    for (const Attribute& attribute : attributes()) {
        rows.push_back(attribute_row(attribute));
    }
    return columns(rows);
}

std::string attributes_json()
{
    auto array = nlohmann::ordered_json::array();
    for (const Attribute& attribute : attributes()) {
        array.push_back(json_attribute(attribute));
    }
    return array.dump(2) + '\n';
}

std::string attributes_markdown()
{
    std::string text{kMarkdownHead};
    std::string_view section;
    for (const Attribute& attribute : attributes()) {
        if (section_of(attribute.path) != section) {
            section = section_of(attribute.path);
            text += fmt::format(
                "\n## {}\n\n| path | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n", section);
        }
        Row row = attribute_row(attribute);
        row.front() = fmt::format("`{}`", row.front());
        text += fmt::format("| {} |\n", fmt::join(row, " | "));
    }
    return text;
}

std::string effective_table(const std::vector<EffectiveValue>& values)
{
    std::vector<Row> rows{{"ATTRIBUTE", "VALUE", "ORIGIN"}};
    for (const EffectiveValue& value : values) {
        const Attribute& attribute = *value.target.attribute;
        rows.push_back({value.target.path(), format_value(attribute.type, value.value), value.origin.describe()});
    }
    return columns(rows);
}

}  // namespace mrcnic::config
