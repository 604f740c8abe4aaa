#include "cli/quantities.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace mrcnic::cli {
namespace {

using Units = std::array<std::string_view, 5>;

/// Four digits in the largest unit, each a thousand of the one before, that leaves 1 or more; whole ones in the first.
std::string scaled(double value, const Units& units)
{
    std::size_t i = 0;
    while (value >= 999.95 && i + 1 < units.size()) {
        value /= 1000;
        ++i;
    }
    const int decimals = i == 0 ? 0 : value >= 99.995 ? 1 : value >= 9.9995 ? 2 : 3;
    return fmt::format("{:.{}f}{}{}", value, decimals, units[i].empty() ? "" : " ", units[i]);
}

}  // namespace

std::string format_time(Picoseconds time)
{
    return scaled(static_cast<double>(time), {"ps", "ns", "us", "ms", "s"});
}

std::string format_bytes(double bytes)
{
    return scaled(bytes, {"B", "KB", "MB", "GB", "TB"});
}

std::string format_rate(double bits_per_second)
{
    return scaled(bits_per_second, {"bps", "Kbps", "Mbps", "Gbps", "Tbps"});
}

std::string format_count(double count)
{
    return scaled(count, {"", "k", "M", "G", "T"});
}

std::string format_duration(double seconds)
{
    if (seconds < 0.9995) {
        return fmt::format("{:.3g} ms", seconds * 1000);
    }
    if (seconds < 59.5) {
        return fmt::format(seconds < 10 ? "{:.2f} s" : "{:.0f} s", seconds);
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    return whole < 3600 ? fmt::format("{} min {:02} s", whole / 60, whole % 60)
                        : fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_whole(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t end = text.size(); end > 3; end -= 3) {
        text.insert(end - 3, 1, ',');
    }
    return text;
}

std::string format_percent(double part, double whole)
{
    return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0.0);
}

}  // namespace mrcnic::cli
