#include "mrcnic/workload/line_settings.h"

#include <limits>

#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

namespace {

/// The htsim words for a switch's place [WL-18].
SwitchKind parse_switch_type(const Token& token)
{
    if (token.text == "TOR") {
        return SwitchKind::leaf;
    }
    if (token.text == "CORE") {
        return SwitchKind::spine;
    }
    throw LineProblem{token.column,
                      fmt::format("switch_type {} is not in this model; allowed are TOR (leaf) and CORE (spine)",
                                  in_quotes(token.text))};
}

std::uint64_t parse_value(const Token& token, std::string_view keyword, ValueKind kind, std::uint64_t lowest)
{
    switch (kind) {
        case ValueKind::picoseconds:
            return static_cast<std::uint64_t>(parse_picoseconds(token, keyword));
        case ValueKind::switch_type:
            return static_cast<std::uint64_t>(parse_switch_type(token));
        default:
            return parse_number(token, keyword, lowest, std::numeric_limits<std::uint64_t>::max());
    }
}

[[nodiscard]] bool starts_with_digit(std::string_view text)
{
    return !text.empty() && is_digit(text.front());
}

}  // namespace

Words::Words(std::string_view line)
{
    std::size_t end = 0;  // behind the last token
    for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        const std::string_view rest = line.substr(at);
        std::size_t length = kArrow.size();
        if (rest.substr(0, length) != kArrow) {
            const auto stop = std::find_if(rest.begin(), rest.end(), is_blank);
            length = std::min(static_cast<std::size_t>(stop - rest.begin()), rest.find(kArrow));
        }
        tokens_.push_back({rest.substr(0, length), at + 1});
        at += length;
        end = at;
    }
    end_.column = end + 1;
}

const Token& Words::take(std::string_view expected)
{
    if (done()) {
        throw LineProblem{end_.column, fmt::format("the line ends here; expected {}", expected)};
    }
    return tokens_[next_++];
}

void read_setting(Words& words, const Token& keyword, ValueKind kind, std::uint64_t lowest, Setting& setting)
{
    if (setting.given) {
        throw LineProblem{keyword.column, fmt::format("\"{}\" stands twice on this line", keyword.text)};
    }
    setting.given = true;
    setting.column = keyword.column;
    if (kind == ValueKind::none || (kind == ValueKind::maybe_number && !starts_with_digit(words.peek().text))) {
        return;
    }
    const Token& value = words.take(fmt::format("the value of \"{}\"", keyword.text));
    setting.value_column = value.column;
    setting.value = parse_value(value, keyword.text, kind, lowest);
}

}  // namespace mrcnic::workload
