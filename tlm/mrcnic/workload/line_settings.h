#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

// Lines of keywords with values, as a connection matrix has them: a table of rules per kind of line.

/// The tokens of a line, taken one after another. The arrow `->` is a token wherever it stands.
class Words {
public:
    static constexpr std::string_view kArrow = "->";

    explicit Words(std::string_view line);

    [[nodiscard]] bool done() const noexcept { return next_ == tokens_.size(); }
    /// A token that is still to come; an empty one at the end of the line.
    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const noexcept
    {
        return next_ + ahead < tokens_.size() ? tokens_[next_ + ahead] : end_;
    }
    /// @throws LineProblem at the end of the line: what was `expected`
    const Token& take(std::string_view expected);

private:
    std::vector<Token> tokens_;
    Token end_;
    std::size_t next_{0};
};

/// Gives all lines but empty ones and comments to `read_line(Words&)` and collects the LineProblems that it throws.
/// @throws InputError when there are too many
template <typename ReadLine>
void read_lines(LineCursor& lines, ProblemList& problems, ReadLine read_line)
{
    while (const std::optional<std::string_view> text = lines.next()) {
        Words words{*text};
        if (words.done() || words.peek().text.front() == '#') {
            continue;
        }
        try {
            read_line(words);
        } catch (LineProblem& problem) {
            problems.add(lines.number(), problem.column, std::move(problem.reason));
        }
        if (problems.full()) {
            problems.throw_if_any();
        }
    }
}

/// What follows a keyword.
enum class ValueKind { none, number, maybe_number, picoseconds, switch_type };

/// A keyword of a line and its value, once it has been read.
struct Setting {
    bool given{false};
    std::uint64_t value{0};
    std::size_t column{0};        ///< of the keyword
    std::size_t value_column{0};  ///< of the value
};

/// How a keyword is read, and where its setting is in a line of type `Line`.
template <typename Line>
struct SettingRule {
    std::string_view keyword;
    Setting Line::*setting;
    ValueKind kind;
    std::uint64_t lowest;  ///< of a number
};

/// Reads the value of `keyword`, if it has one, into `setting`. @throws LineProblem
void read_setting(Words& words, const Token& keyword, ValueKind kind, std::uint64_t lowest, Setting& setting);

/// Reads the keywords of the rest of a line, each at most once, in any order. @throws LineProblem
template <typename Line, std::size_t N>
[[nodiscard]] Line read_settings(Words& words, const std::array<SettingRule<Line>, N>& rules)
{
    Line line;
    while (!words.done()) {
        const Token keyword = words.take("a keyword");
        const auto rule = std::find_if(rules.begin(), rules.end(), [&keyword](const SettingRule<Line>& known) {
            return known.keyword == keyword.text;
        });
        if (rule == rules.end()) {
            std::string known;
            for (const SettingRule<Line>& each : rules) {
                known += (known.empty() ? "" : ", ") + std::string{each.keyword};
            }
            throw LineProblem{keyword.column,
                              fmt::format("unknown word {}; allowed are {}", in_quotes(keyword.text), known)};
        }
        read_setting(words, keyword, rule->kind, rule->lowest, line.*(rule->setting));
    }
    return line;
}

}  // namespace mrcnic::workload
