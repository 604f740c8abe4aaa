#include "cli/quantities.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace mrcnic::cli {
namespace {

/// Scales by thousands until the value is below 1,000 as four digits show it, then appends the prefix.
template <std::size_t N>
std::string scaled(double value, const std::array<const char*, N>& prefixes)
{
    std::size_t i = 0;
    while (value >= 999.95 && i + 1 < N) {
        value /= 1000;
        ++i;
    }
    const int decimals = value >= 99.995 ? 1 : value >= 9.9995 ? 2 : 3;
    return fmt::format("{:.{}f} {}", value, decimals, prefixes[i]);
}

}  // namespace

std::string format_time(Picoseconds time)
{
    static constexpr std::array units{"ps", "ns", "us", "ms", "s"};
    return time < 1000 ? fmt::format("{} ps", time) : scaled(static_cast<double>(time), units);
}

std::string format_scaled(double value)
{
    static constexpr std::array prefixes{"", "k", "M", "G", "T"};
    return scaled(value, prefixes);
}

std::string format_duration(double seconds)
{
    if (seconds < 59.5) {
        return fmt::format(seconds < 10 ? "{:.2f} s" : "{:.0f} s", seconds);
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    return whole < 3600 ? fmt::format("{} min {:02} s", whole / 60, whole % 60)
                        : fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace mrcnic::cli
