#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mrcnic/base/time.h"

namespace mrcnic::workload {

// What the readers of text files share: lines, places and numbers. Knows no grammar.

/// Latest start that a file may name: half of the model's time, so that sums with the start time stay in range.
inline constexpr Picoseconds kLatestStart = kNever / 2;

/// Something wrong in the line being read: thrown by parsers, caught and given its line by the reader.
struct LineProblem {
    std::size_t column;
    std::string reason;
};

/// A piece of a line, with the column of its first character, from 1.
struct Token {
    std::string_view text;
    std::size_t column{1};
};

/// Blanks between tokens; the CR of a CR LF is one of them [WL-10].
[[nodiscard]] constexpr bool is_blank(char c) noexcept
{
    return c == ' ' || c == '\t' || c == '\r';
}
[[nodiscard]] constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// Walks over the lines of a text that outlives it.
class LineCursor {
public:
    explicit LineCursor(std::string_view text) noexcept : rest_{text} {}

    /// The next line without its LF, or nothing after the last one.
    [[nodiscard]] std::optional<std::string_view> next();
    /// Number of the line that `next` returned last, from 1.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

private:
    std::string_view rest_;
    std::size_t number_{0};
};

/// The whole of a file. @throws InputError naming the file and the system's reason
[[nodiscard]] std::string read_text_file(const std::string& path);

/// `text` in quotes for a message: cut when long, unprintable bytes as \xNN.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A whole number in decimal digits. `name` says what it is for.
/// @throws LineProblem if it is none, or outside `lowest`..`highest`
[[nodiscard]] std::uint64_t parse_number(const Token& token, std::string_view name, std::uint64_t lowest,
                                         std::uint64_t highest);

/// The number of a NIC of the fabric [WL-3]. @throws LineProblem if it is none
[[nodiscard]] std::uint32_t parse_nic(const Token& token, std::string_view name, std::uint64_t nic_count);
/// What is wrong with a NIC that is not in the fabric.
[[nodiscard]] std::string outside_fabric(std::uint64_t nic, std::uint64_t nic_count);

/// Picoseconds, maybe with decimals: read exactly, rounded to the nearest, halves up [WL-13]. 0..kLatestStart.
/// @throws LineProblem if it is anything else
[[nodiscard]] Picoseconds parse_picoseconds(const Token& token, std::string_view name);

}  // namespace mrcnic::workload
