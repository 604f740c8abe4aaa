#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mrcnic/config/config.h"
#include "mrcnic/config/parsed.h"

namespace mrcnic::config {

/// What an attribute's value is.
enum class Kind {
    boolean,
    integer,
    bytes,  ///< quantities: an integer in the base unit, or a text with a unit
    rate,
    time,
    real,  ///< percentages too: plain numbers 0..100
    text,
    path,   ///< in a file relative to that file's folder, elsewhere to the current one
    choice  ///< one of `words`
};

/// A value in its base unit. Which alternative is held follows from the kind: bool, int64 for integers and quantities,
/// double for reals, string for the rest.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// A value as a file gives it: quantities may still be texts.
using Scalar = Value;

/// Kind, default and what is allowed; `low`, `high` (inclusive) hold for integers, quantities and reals.
struct Type {
    Kind kind{Kind::text};
    Value default_value;
    Value low{};
    Value high{};
    std::int64_t multiple{1};
    std::vector<std::string> words{};
    std::string unit{};
};

/// How an attribute reaches its member in `Owner`, a `Config` or a `NicConfig`.
template <class Owner>
struct Binding {
    std::function<Value(const Owner&)> read;
    std::function<void(Owner&, const Value&)> write;
};

/// One row of the attribute table: everything anybody knows about an attribute.
struct Attribute {
    std::string path;
    Type type;
    std::string doc;
    std::variant<Binding<Config>, Binding<NicConfig>> binding;
    bool output_only{false};  ///< changes no result, only how it is written: not in the configuration's digest

    [[nodiscard]] bool of_nic() const noexcept { return std::holds_alternative<Binding<NicConfig>>(binding); }
    /// Path below `nic`, as used under `[[nics]]`; for attributes of a NIC.
    [[nodiscard]] std::string_view path_in_nic() const { return std::string_view{path}.substr(4); }

    /// Reads the member; an attribute of a NIC is that of `config.nic`.
    [[nodiscard]] Value read(const Config& config) const;
    void write(Config& config, const Value& value) const;
    /// For attributes of a NIC only.
    [[nodiscard]] Value read(const NicConfig& nic) const { return std::get<Binding<NicConfig>>(binding).read(nic); }
    void write(NicConfig& nic, const Value& value) const { std::get<Binding<NicConfig>>(binding).write(nic, value); }
};

/// "15 is an integer", for an error about a type.
[[nodiscard]] std::string describe_scalar(const Scalar& scalar);

/// Checks and converts what a file gives. @return the value in the base unit, or "what is wrong; allowed: ..."
[[nodiscard]] Parsed<Value> value_of(const Type& type, const Scalar& scalar);

/// Checks and converts what a command line gives, `true`, `16`, `256KB` or a word.
[[nodiscard]] Parsed<Value> value_of_text(const Type& type, std::string_view text);

/// Checks a value of the right alternative against range and words. @return empty, or "what is wrong; allowed: ..."
[[nodiscard]] std::string range_error(const Type& type, const Value& value);

/// The value as a person reads and writes it: with a unit, texts in quotes.
[[nodiscard]] std::string format_value(const Type& type, const Value& value);

[[nodiscard]] std::string_view kind_name(Kind kind);

/// What is allowed, in words.
[[nodiscard]] std::string allowed_values(const Type& type);

}  // namespace mrcnic::config
