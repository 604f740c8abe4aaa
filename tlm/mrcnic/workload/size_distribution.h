#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mrcnic::workload {

/// A distribution of flow sizes: straight lines between points [WL-40].
class SizeDistribution {
public:
    struct Point {
        double bytes;
        double percent;  ///< of the flows are at most so large
    };

    /// @param points  at least two; both numbers non-decreasing, the first percent 0, the last 100
    explicit SizeDistribution(std::vector<Point> points);

    /// The size at `percent`, in [0, 100), before rounding [WL-41].
    [[nodiscard]] double at(double percent) const;
    /// The size at `percent` as it is sent: rounded to the nearest byte, at least 1 [WL-41].
    [[nodiscard]] std::uint64_t bytes_at(double percent) const;
    /// Mean in bytes, before rounding [WL-42].
    [[nodiscard]] double mean() const noexcept { return mean_; }

private:
    std::vector<Point> points_;
    double mean_{0};
};

/// Reads the two-column form: bytes and cumulative percent, separated by blanks. Empty lines and lines that start with
/// `#` are skipped.
/// @param file  its name, for messages
/// @throws InputError with all lines that are wrong, one problem each
[[nodiscard]] SizeDistribution read_size_distribution(std::string_view text, const std::string& file);

}  // namespace mrcnic::workload
