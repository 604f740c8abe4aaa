#include "mrcnic/config/attribute.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <algorithm>

#include "mrcnic/config/quantity.h"

namespace mrcnic::config {
namespace {

std::optional<Dimension> dimension_of(Kind kind)
{
    switch (kind) {
        case Kind::bytes:
            return Dimension::bytes;
        case Kind::rate:
            return Dimension::rate;
        case Kind::time:
            return Dimension::time;
        default:
            return std::nullopt;
    }
}

Parsed<Value> rejected(const Type& type, const std::string& what)
{
    return Parsed<Value>::failed(fmt::format("{}; allowed: {}", what, allowed_values(type)));
}

Parsed<Value> accepted_if_in_range(const Type& type, Value value)
{
    std::string error = range_error(type, value);
    return error.empty() ? Parsed<Value>::of(std::move(value)) : Parsed<Value>::failed(std::move(error));
}

/// Reads a whole text as a number; nothing if it is none.
template <class Number>
std::optional<Number> number_of(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

Parsed<Value> quantity_of(const Type& type, std::string_view text)
{
    const auto quantity = parse_quantity(text, *dimension_of(type.kind));
    return quantity ? accepted_if_in_range(type, *quantity.value) : rejected(type, quantity.error);
}

Parsed<Value> real_of(const Type& type, const Scalar& scalar)
{
    if (std::holds_alternative<double>(scalar)) {
        return accepted_if_in_range(type, scalar);
    }
    if (std::holds_alternative<std::int64_t>(scalar)) {
        return accepted_if_in_range(type, static_cast<double>(std::get<std::int64_t>(scalar)));
    }
    return rejected(type, describe_scalar(scalar));
}

/// The value as an error names it.
std::string plain(const Type& type, const Value& value)
{
    const bool number = type.kind != Kind::boolean && std::holds_alternative<std::int64_t>(value);
    if (number && std::get<std::int64_t>(value) < 0) {
        return std::to_string(std::get<std::int64_t>(value));
    }
    return format_value(type, value);
}

}  // namespace

std::string describe_scalar(const Scalar& scalar)
{
    if (std::holds_alternative<bool>(scalar)) {
        return std::get<bool>(scalar) ? "true is a boolean" : "false is a boolean";
    }
    if (std::holds_alternative<std::int64_t>(scalar)) {
        return fmt::format("{} is an integer", std::get<std::int64_t>(scalar));
    }
    if (std::holds_alternative<double>(scalar)) {
        return fmt::format("{} is a floating-point number", std::get<double>(scalar));
    }
    return fmt::format("\"{}\" is a string", std::get<std::string>(scalar));
}

Value Attribute::read(const Config& config) const
{
    return of_nic() ? read(config.nic) : std::get<Binding<Config>>(binding).read(config);
}

void Attribute::write(Config& config, const Value& value) const
{
    if (of_nic()) {
        write(config.nic, value);
    } else {
        std::get<Binding<Config>>(binding).write(config, value);
    }
}

Parsed<Value> value_of(const Type& type, const Scalar& scalar)
{
    switch (type.kind) {
        case Kind::boolean:
            return std::holds_alternative<bool>(scalar) ? Parsed<Value>::of(scalar)
                                                        : rejected(type, describe_scalar(scalar));
        case Kind::real:
            return real_of(type, scalar);
        case Kind::integer:
        case Kind::bytes:
        case Kind::rate:
        case Kind::time:
            if (std::holds_alternative<std::int64_t>(scalar)) {
                return accepted_if_in_range(type, scalar);
            }
            if (type.kind != Kind::integer && std::holds_alternative<std::string>(scalar)) {
                return quantity_of(type, std::get<std::string>(scalar));
            }
            return rejected(type, describe_scalar(scalar));
        default:
            return std::holds_alternative<std::string>(scalar) ? accepted_if_in_range(type, scalar)
                                                               : rejected(type, describe_scalar(scalar));
    }
}

Parsed<Value> value_of_text(const Type& type, std::string_view text)
{
    switch (type.kind) {
        case Kind::boolean:
            return text == "true" || text == "false" ? Parsed<Value>::of(text == "true")
                                                     : rejected(type, fmt::format("\"{}\" is no boolean", text));
        case Kind::integer: {
            const auto number = number_of<std::int64_t>(text);
            return number ? accepted_if_in_range(type, *number)
                          : rejected(type, fmt::format("\"{}\" is no integer", text));
        }
        case Kind::real: {
            const auto number = number_of<double>(text);
            return number ? accepted_if_in_range(type, *number)
                          : rejected(type, fmt::format("\"{}\" is no number", text));
        }
        case Kind::bytes:
        case Kind::rate:
        case Kind::time:
            return quantity_of(type, text);
        default:
            return accepted_if_in_range(type, std::string{text});
    }
}

std::string range_error(const Type& type, const Value& value)
{
    std::string what;
    if (type.kind == Kind::choice) {
        if (std::find(type.words.begin(), type.words.end(), std::get<std::string>(value)) == type.words.end()) {
            what = fmt::format("\"{}\" is unknown", std::get<std::string>(value));
        }
    } else if (std::holds_alternative<double>(value) && !std::isfinite(std::get<double>(value))) {
        what = fmt::format("{} is no finite number", std::get<double>(value));
    } else if (std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value)) {
        if (value < type.low || value > type.high) {
            what = plain(type, value) + " is out of range";
        } else if (type.multiple > 1 && std::get<std::int64_t>(value) % type.multiple != 0) {
            what = fmt::format("{} is no multiple of {}", plain(type, value), type.multiple);
        }
    }
    return what.empty() ? what : fmt::format("{}; allowed: {}", what, allowed_values(type));
}

std::string format_value(const Type& type, const Value& value)
{
    if (const auto dimension = dimension_of(type.kind)) {
        return format_quantity(std::get<std::int64_t>(value), *dimension);
    }
    switch (type.kind) {
        case Kind::boolean:
            return std::get<bool>(value) ? "true" : "false";
        case Kind::integer:
            return std::to_string(std::get<std::int64_t>(value));
        case Kind::real:
            return fmt::format("{}", std::get<double>(value));
        case Kind::choice:
            return std::get<std::string>(value);
        default:
            return fmt::format("\"{}\"", std::get<std::string>(value));
    }
}

std::string_view kind_name(Kind kind)
{
    switch (kind) {
        case Kind::boolean:
            return "boolean";
        case Kind::integer:
            return "integer";
        case Kind::bytes:
            return "bytes";
        case Kind::rate:
            return "rate";
        case Kind::time:
            return "time";
        case Kind::real:
            return "real";
        case Kind::text:
            return "string";
        case Kind::path:
            return "path";
        default:
            return "enum";
    }
}

std::string allowed_values(const Type& type)
{
    switch (type.kind) {
        case Kind::boolean:
            return "true or false";
        case Kind::text:
            return "any string";
        case Kind::path:
            return "a file name";
        case Kind::choice:
            return fmt::format("{}", fmt::join(type.words, ", "));
        default:
            break;
    }
    std::string text = fmt::format("{} to {}", format_value(type, type.low), format_value(type, type.high));
    if (type.kind == Kind::integer) {
        text = fmt::format("{} {} to {}",
                           type.multiple > 1 ? fmt::format("a multiple of {} from", type.multiple) : "an integer from",
                           format_value(type, type.low), format_value(type, type.high));
    }
    if (const auto dimension = dimension_of(type.kind)) {
        text += fmt::format(" ({})", unit_names(*dimension));
    }
    return text;
}

}  // namespace mrcnic::config
