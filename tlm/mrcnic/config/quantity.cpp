#include "mrcnic/config/quantity.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace mrcnic::config {
namespace {

struct Unit {
    std::string_view name;
    std::uint64_t base_units;
    bool binary{false};
};

/// Smallest first: the first unit is the base unit.
const std::vector<Unit>& units_of(Dimension dimension)
{
    static const std::vector<Unit> bytes{{"B", 1},
                                         {"KB", 1'000},
                                         {"KiB", 1'024, true},
                                         {"MB", 1'000'000},
                                         {"MiB", 1'048'576, true},
                                         {"GB", 1'000'000'000},
                                         {"GiB", 1'073'741'824, true}};
    static const std::vector<Unit> rate{
        {"bps", 1}, {"Kbps", 1'000}, {"Mbps", 1'000'000}, {"Gbps", 1'000'000'000}, {"Tbps", 1'000'000'000'000}};
    static const std::vector<Unit> time{
        {"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    static const std::vector<Unit> frequency{{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
    switch (dimension) {
        case Dimension::bytes:
            return bytes;
        case Dimension::rate:
            return rate;
        case Dimension::time:
            return time;
        default:
            return frequency;
    }
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// A decimal number as digits / 10^decimals, and the text behind it.
struct Decimal {
    std::uint64_t digits{0};
    unsigned decimals{0};
    bool overflow{false};

    void append(char digit)
    {
        const auto value = static_cast<std::uint64_t>(digit - '0');
        overflow = overflow || __builtin_mul_overflow(digits, std::uint64_t{10}, &digits) ||
                   __builtin_add_overflow(digits, value, &digits);
    }
};

/// Takes the number off the front of `text`. Zeros that end the fraction carry nothing and are not counted, so that
/// they cannot overflow.
std::optional<Decimal> take_number(std::string_view& text)
{
    Decimal number;
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) {
        number.append(text[end++]);
    }
    if (end == 0) {
        return std::nullopt;
    }
    if (end < text.size() && text[end] == '.') {
        const std::size_t first = ++end;
        while (end < text.size() && is_digit(text[end])) {
            ++end;
        }
        if (end == first) {
            return std::nullopt;
        }
        std::string_view fraction = text.substr(first, end - first);
        fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
        for (const char digit : fraction) {
            number.append(digit);
        }
        number.decimals = static_cast<unsigned>(fraction.size());
    }
    text.remove_prefix(end);
    return number;
}

/// 10^exponent, or nothing beyond 64 bits.
std::optional<std::uint64_t> power_of_ten(unsigned exponent)
{
    std::uint64_t power = 1;
    for (unsigned i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(power, std::uint64_t{10}, &power)) {
            return std::nullopt;
        }
    }
    return power;
}

/// number x unit. With the fraction unit / 10^decimals in lowest terms, the product is whole exactly if the
/// denominator divides the digits.
Parsed<std::int64_t> multiply(std::string_view text, const Decimal& number, const Unit& unit, Dimension dimension)
{
    using Result = Parsed<std::int64_t>;
    const auto scale = power_of_ten(number.decimals);
    if (number.overflow || !scale) {
        return Result::failed(fmt::format("\"{}\" has too many digits", text));
    }
    const std::uint64_t common = std::gcd(unit.base_units, *scale);
    const std::uint64_t denominator = *scale / common;
    if (number.digits % denominator != 0) {
        return Result::failed(fmt::format("\"{}\" is not a whole number of {}", text, base_unit(dimension)));
    }
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(number.digits / denominator, unit.base_units / common, &product) ||
        product > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return Result::failed(fmt::format("\"{}\" is too large", text));
    }
    return Result::of(static_cast<std::int64_t>(product));
}

/// value / unit, written exactly.
std::string format_in(std::uint64_t value, const Unit& unit)
{
    std::string text = std::to_string(value / unit.base_units);
    std::uint64_t rest = value % unit.base_units;
    if (rest != 0) {
        text += '.';
    }
    for (std::uint64_t place = unit.base_units / 10; rest != 0; place /= 10) {
        text += static_cast<char>('0' + rest / place);
        rest %= place;
    }
    return text.append(unit.name);
}

constexpr std::uint64_t kPlainBytesBelow = 10'000;

}  // namespace

Parsed<std::int64_t> parse_quantity(std::string_view text, Dimension dimension)
{
    using Result = Parsed<std::int64_t>;
    if (!text.empty() && text.front() == '-') {
        return Result::failed(fmt::format("\"{}\" is negative", text));
    }
    std::string_view rest = text;
    const auto number = take_number(rest);
    if (!number) {
        return Result::failed(fmt::format("\"{}\" does not start with a number", text));
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const auto& units = units_of(dimension);
    if (rest.empty()) {
        return multiply(text, *number, units.front(), dimension);
    }
    for (const Unit& unit : units) {
        if (unit.name == rest) {
            return multiply(text, *number, unit, dimension);
        }
    }
    return Result::failed(fmt::format("\"{}\" has the unknown unit {}", text, rest));
}

std::string format_quantity(std::int64_t value, Dimension dimension)
{
    const auto amount = static_cast<std::uint64_t>(value);
    const auto& units = units_of(dimension);
    const Unit* decimal = &units.front();
    const Unit* binary = nullptr;
    for (const Unit& unit : units) {
        if (amount < unit.base_units || (dimension == Dimension::bytes && amount < kPlainBytesBelow)) {
            continue;
        }
        if (!unit.binary) {
            decimal = &unit;
        } else if (amount % unit.base_units == 0) {
            binary = &unit;
        }
    }
    const bool fraction = amount % decimal->base_units != 0;
    return format_in(amount, fraction && binary != nullptr ? *binary : *decimal);
}

std::string unit_names(Dimension dimension)
{
    std::string names;
    for (const Unit& unit : units_of(dimension)) {
        if (!names.empty()) {
            names += ' ';
        }
        names += unit.name;
    }
    return names;
}

std::string_view base_unit(Dimension dimension)
{
    return units_of(dimension).front().name;
}

}  // namespace mrcnic::config
