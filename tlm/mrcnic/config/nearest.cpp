#include "mrcnic/config/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

namespace mrcnic::config {
namespace {

std::string lower(std::string_view text)
{
    std::string result{text};
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

std::string_view first_name(std::string_view path)
{
    return path.substr(0, path.find('.'));
}

std::string_view last_name(std::string_view path)
{
    return path.substr(path.rfind('.') + 1);
}

/// Levenshtein distance, one row at a time.
std::size_t edits(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0U : 1U);
            diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, replaced}));
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearest_path(std::string_view path, const std::vector<std::string_view>& known)
{
    const std::string wanted = lower(path);
    const auto distance = [&wanted](std::string_view candidate) {
        const std::string other = lower(candidate);
        return std::tuple{last_name(other) != last_name(wanted), first_name(other) != first_name(wanted),
                          edits(wanted, other)};
    };
    return *std::min_element(known.begin(), known.end(),
                             [&distance](std::string_view a, std::string_view b) { return distance(a) < distance(b); });
}

}  // namespace mrcnic::config
