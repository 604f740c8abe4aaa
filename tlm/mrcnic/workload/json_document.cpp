#include "mrcnic/workload/json_document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

using Json = nlohmann::json;

/// Blanks, and what only separates tokens; the three bytes of a byte order mark too.
bool separates(char c)
{
    return is_blank(c) || c == '\n' || c == ',' || c == ':' || c == '\xEF' || c == '\xBB' || c == '\xBF';
}

/// Follows the tokens of a text that a parser has found good, to know where each of them begins: the parser does not
/// say.
class TokenPlaces {
public:
    TokenPlaces(std::string_view text, std::size_t begin) : text_{text}, at_{begin} {}

    /// Begin of the next token; steps behind it.
    std::size_t take()
    {
        while (at_ < text_.size() && separates(text_[at_])) {
            ++at_;
        }
        const std::size_t begin = at_;
        if (at_ == text_.size()) {
            return begin;
        }
        const char first = text_[at_++];
        if (first == '"') {
            skip_string();
        } else if (std::string_view{"[]{}"}.find(first) == std::string_view::npos) {
            skip_word();
        }
        return begin;
    }
    [[nodiscard]] std::size_t behind() const noexcept { return at_; }

private:
    void skip_string()
    {
        while (at_ < text_.size() && text_[at_] != '"') {
            at_ += text_[at_] == '\\' ? 2U : 1U;
        }
        at_ = std::min(at_ + 1, text_.size());
    }
    void skip_word()  // a number, true, false, null
    {
        constexpr std::string_view kWord = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
        while (at_ < text_.size() && kWord.find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }

    std::string_view text_;
    std::size_t at_;
};

/// Builds values from what the parser calls out.
class Builder final : public nlohmann::json_sax<Json> {
public:
    Builder(std::string_view text, std::size_t begin) : begin_{begin}, tokens_{text, begin} {}

    [[nodiscard]] JsonValue& value() noexcept { return value_; }
    [[nodiscard]] std::size_t behind() const noexcept { return tokens_.behind(); }

    bool null() override { return add(JsonValue::Kind::null) != nullptr; }
    bool boolean(bool value) override
    {
        add(JsonValue::Kind::boolean)->boolean = value;
        return true;
    }
    bool number_integer(number_integer_t value) override
    {
        JsonValue* const number = add(JsonValue::Kind::integer);
        number->negative = value < 0;
        number->magnitude =
            number->negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        add(JsonValue::Kind::integer)->magnitude = value;
        return true;
    }
    bool number_float(number_float_t value, const string_t& /*digits*/) override
    {
        add(JsonValue::Kind::real)->real = value;
        return true;
    }
    bool string(string_t& value) override
    {
        add(JsonValue::Kind::text)->text = std::move(value);
        return true;
    }
    bool binary(binary_t& /*value*/) override { return false; }  // not in a text
    bool start_object(std::size_t /*size*/) override { return open(JsonValue::Kind::object); }
    bool key(string_t& name) override
    {
        const std::size_t offset = tokens_.take();
        std::vector<std::string>& names = open_.back()->names;
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw JsonProblem{offset, fmt::format("{} stands twice in this object", in_quotes(name))};
        }
        names.push_back(std::move(name));
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*size*/) override { return open(JsonValue::Kind::array); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override
    {
        throw JsonProblem{begin_ + (position > 0 ? position - 1 : 0), reason_of(error.what())};
    }

private:
    // What the parser says, without its own idea of the place.
    static std::string reason_of(const std::string& what)
    {
        constexpr std::string_view kBegin = "syntax error while parsing ";
        const std::size_t begin = what.find(kBegin);
        std::string reason = begin == std::string::npos ? what : what.substr(begin + kBegin.size());
        std::replace_if(
            reason.begin(), reason.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
        return "this is no JSON: " + reason;
    }

    JsonValue* add(JsonValue::Kind kind)
    {
        JsonValue* const place = open_.empty() ? &value_ : &open_.back()->items.emplace_back();
        place->kind = kind;
        place->offset = tokens_.take();
        return place;
    }
    bool open(JsonValue::Kind kind)
    {
        JsonValue* const value = add(kind);
        if (open_.size() == kDeepestJson) {
            throw JsonProblem{value->offset, fmt::format("nested too deeply; allowed: {} levels", kDeepestJson)};
        }
        open_.push_back(value);
        return true;
    }
    bool close()
    {
        (void)tokens_.take();
        open_.pop_back();
        return true;
    }

    std::size_t begin_;
    TokenPlaces tokens_;
    JsonValue value_;
    std::vector<JsonValue*> open_;  // of these only the last one gets items, so that the pointers stay good
};

bool only_blanks(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return is_blank(c) || c == '\n'; });
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const noexcept
{
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : &items[static_cast<std::size_t>(found - names.begin())];
}

std::vector<JsonValue> parse_json(std::string_view text)
{
    std::vector<JsonValue> values;
    std::size_t begin = 0;
    do {
        const std::string_view rest = text.substr(begin);
        Builder builder{text, begin};
        Json::sax_parse(rest.begin(), rest.end(), &builder, Json::input_format_t::json, false);
        values.push_back(std::move(builder.value()));
        begin = builder.behind();
    } while (!only_blanks(text.substr(begin)));
    return values;
}

TextPlaces::TextPlaces(std::string_view text) : line_starts_{0}
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') {
            line_starts_.push_back(i + 1);
        }
    }
}

TextPlaces::Place TextPlaces::at(std::size_t offset) const noexcept
{
    const auto line = std::prev(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset));
    return {static_cast<std::size_t>(line - line_starts_.begin()) + 1, offset - *line + 1};
}

}  // namespace mrcnic::workload
