#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mrcnic::workload {

/// A value of a JSON text, with its place.
class JsonValue {
public:
    enum class Kind { null, boolean, integer, real, text, array, object };

    Kind kind{Kind::null};
    std::size_t offset{0};           ///< of its first character in the text
    bool boolean{false};             ///< kind boolean
    bool negative{false};            ///< kind integer: `magnitude` is that of a negative number
    std::uint64_t magnitude{0};      ///< kind integer
    double real{0};                  ///< kind real
    std::string text;                ///< kind text
    std::vector<std::string> names;  ///< kind object: of its members, different ones
    std::vector<JsonValue> items;    ///< kinds array and object, in the order of the text

    /// The member of an object with this name; null if there is none or this is no object.
    [[nodiscard]] const JsonValue* find(std::string_view name) const noexcept;
};

/// What is wrong at an offset of a text.
struct JsonProblem {
    std::size_t offset;
    std::string reason;
};

/// Deeper nesting is refused.
inline constexpr std::size_t kDeepestJson = 64;

/// Reads a text of JSON values that follow each other, mostly one.
/// @throws JsonProblem where it is no JSON, has a name twice in an object, nests too deeply or holds no value
[[nodiscard]] std::vector<JsonValue> parse_json(std::string_view text);

/// Finds line and column, from 1, of an offset in a text.
class TextPlaces {
public:
    explicit TextPlaces(std::string_view text);

    struct Place {
        std::size_t line;
        std::size_t column;
    };
    [[nodiscard]] Place at(std::size_t offset) const noexcept;

private:
    std::vector<std::size_t> line_starts_;
};

}  // namespace mrcnic::workload
