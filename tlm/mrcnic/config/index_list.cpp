#include "mrcnic/config/index_list.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace mrcnic::config {
namespace {

using Indices = std::vector<std::uint32_t>;

std::string_view without_blanks(std::string_view text)
{
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

std::optional<std::uint32_t> parse_index(std::string_view text, std::uint32_t count)
{
    text = without_blanks(text);
    std::uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end && value < count ? std::optional{value} : std::nullopt;
}

/// First and last number of a part of the list.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_part(std::string_view part, std::uint32_t count)
{
    const std::size_t dash = part.find('-');
    const auto first = parse_index(part.substr(0, dash), count);
    const auto last = dash == std::string_view::npos ? first : parse_index(part.substr(dash + 1), count);
    if (!first || !last || *last < *first) {
        return std::nullopt;
    }
    return std::pair{*first, *last};
}

}  // namespace

Parsed<std::vector<std::uint32_t>> parse_index_list(std::string_view text, std::uint32_t count)
{
    Indices indices;
    if (without_blanks(text) == "all") {
        indices.resize(count);
        std::iota(indices.begin(), indices.end(), 0U);
        return Parsed<Indices>::of(std::move(indices));
    }
    std::vector<bool> taken(count);
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const auto range = parse_part(part, count);
        if (!range) {
            return Parsed<Indices>::failed(
                fmt::format("\"{}\" is no NIC and no range of NICs; allowed: all, or a list such as 0,3,5-9 of numbers "
                            "up to {}",
                            without_blanks(part), count - 1));
        }
        for (std::uint32_t index = range->first; index <= range->second; ++index) {
            if (taken[index]) {
                return Parsed<Indices>::failed(fmt::format("{} stands twice; allowed: each NIC once", index));
            }
            taken[index] = true;
            indices.push_back(index);
        }
        if (comma == std::string_view::npos) {
            return Parsed<Indices>::of(std::move(indices));
        }
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace mrcnic::config
