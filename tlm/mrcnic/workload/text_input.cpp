#include "mrcnic/workload/text_input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/workload/input_error.h"

namespace mrcnic::workload {

namespace {

constexpr std::size_t kLongestQuote = 40;

/// Value of a text of digits; nothing if it is above `highest`.
std::optional<std::uint64_t> value_of_digits(std::string_view digits, std::uint64_t highest)
{
    std::uint64_t value = 0;
    for (const char c : digits) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (digit > highest || value > (highest - digit) / 10) {
            return std::nullopt;
        }
        value = value * 10 + digit;
    }
    return value;
}

[[nodiscard]] bool all_digits(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), is_digit);
}

[[noreturn]] void throw_unreadable(const std::string& path, const std::string& why)
{
    throw InputError{path, {{0, 0, "cannot be read: " + why}}};
}

}  // namespace

std::optional<std::string_view> LineCursor::next()
{
    if (rest_.empty()) {
        return std::nullopt;
    }
    ++number_;
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
}

std::string read_text_file(const std::string& path)
{
    std::error_code status_error;
    if (std::filesystem::is_directory(path, status_error)) {
        throw_unreadable(path, "it is a folder");
    }
    std::ifstream in{path, std::ios::binary};
    if (!in) {
        throw_unreadable(path, std::strerror(errno));
    }
    std::string text{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
    if (in.bad()) {
        throw_unreadable(path, "reading stopped before its end");
    }
    return text;
}

std::string in_quotes(std::string_view text)
{
    std::string result{'"'};
    for (const char c : text.substr(0, kLongestQuote)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7E) {
            result += fmt::format("\\x{:02X}", static_cast<unsigned>(byte));
        } else {
            result += c;
        }
    }
    return result + (text.size() > kLongestQuote ? "...\"" : "\"");
}

std::uint64_t parse_number(const Token& token, std::string_view name, std::uint64_t lowest, std::uint64_t highest)
{
    if (token.text.empty() || !all_digits(token.text)) {
        throw LineProblem{token.column, fmt::format("{} {} is not a whole number; {}..{} is allowed", name,
                                                    in_quotes(token.text), lowest, highest)};
    }
    const std::optional<std::uint64_t> value = value_of_digits(token.text, highest);
    if (!value || *value < lowest) {
        throw LineProblem{token.column, fmt::format("{} {} is out of range; {}..{} is allowed", name,
                                                    in_quotes(token.text), lowest, highest)};
    }
    return *value;
}

std::uint32_t parse_nic(const Token& token, std::string_view name, std::uint64_t nic_count)
{
    const std::uint64_t nic = parse_number(token, name, 0, std::numeric_limits<std::uint32_t>::max());
    if (nic >= nic_count) {
        throw LineProblem{token.column, outside_fabric(nic, nic_count)};
    }
    return static_cast<std::uint32_t>(nic);
}

std::string outside_fabric(std::uint64_t nic, std::uint64_t nic_count)
{
    return fmt::format("NIC {} is outside the fabric of {} NICs; they count from 0", nic, nic_count);
}

Picoseconds parse_picoseconds(const Token& token, std::string_view name)
{
    const std::size_t point = token.text.find('.');
    const std::string_view whole = token.text.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view{} : token.text.substr(point + 1);
    if ((whole.empty() && fraction.empty()) || !all_digits(whole) || !all_digits(fraction)) {
        throw LineProblem{token.column, fmt::format("{} {} is not a decimal number of picoseconds; 0..{} is allowed",
                                                    name, in_quotes(token.text), kLatestStart)};
    }
    // Whatever follows the first decimal cannot change which side of the half it is on.
    const std::uint64_t rounding = !fraction.empty() && fraction.front() >= '5' ? 1 : 0;
    const auto latest = static_cast<std::uint64_t>(kLatestStart);
    const std::optional<std::uint64_t> value = value_of_digits(whole, latest - rounding);
    if (!value) {
        throw LineProblem{token.column, fmt::format("{} {} is out of range; 0..{} is allowed", name,
                                                    in_quotes(token.text), kLatestStart)};
    }
    return static_cast<Picoseconds>(*value + rounding);
}

}  // namespace mrcnic::workload
