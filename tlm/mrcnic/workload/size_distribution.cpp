#include "mrcnic/workload/size_distribution.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/line_settings.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

constexpr std::uint64_t kLargestFlow = 1'000'000'000'000;  // bytes

double parse_percent(const Token& token)
{
    double value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value, std::chars_format::fixed);
    if (error != std::errc{} || stop != end || !(value >= 0.0 && value <= 100.0)) {
        throw LineProblem{token.column, fmt::format("percent {} is not a number in its range; 0..100 is allowed",
                                                    in_quotes(token.text))};
    }
    return value;
}

class DistributionReader {
public:
    DistributionReader(std::string_view text, const std::string& file) : lines_{text}, problems_{file} {}

    SizeDistribution read();

private:
    void read_line(Words& words);
    void check_ends();

    LineCursor lines_;
    ProblemList problems_;
    std::vector<SizeDistribution::Point> points_;
    Token first_percent_;
    Token last_percent_;
    std::size_t first_line_{0};
    std::size_t last_line_{0};
};

SizeDistribution DistributionReader::read()
{
    read_lines(lines_, problems_, [this](Words& words) { read_line(words); });
    if (problems_.empty()) {  // else a line that is missing may be the one that is wrong
        check_ends();
    }
    problems_.throw_if_any();
    return SizeDistribution{std::move(points_)};
}

void DistributionReader::read_line(Words& words)
{
    const Token bytes = words.take("a size in bytes");
    const auto size = static_cast<double>(parse_number(bytes, "size", 0, kLargestFlow));
    const Token percent = words.take("a cumulative percent");
    const double share = parse_percent(percent);
    if (!words.done()) {
        throw LineProblem{words.peek().column, fmt::format("unexpected {}; a line has two numbers, bytes and percent",
                                                           in_quotes(words.peek().text))};
    }
    if (!points_.empty() && size < points_.back().bytes) {
        throw LineProblem{bytes.column, fmt::format("size {} is below the one before; sizes do not decrease, so at "
                                                    "least {} is allowed",
                                                    bytes.text, points_.back().bytes)};
    }
    if (!points_.empty() && share < points_.back().percent) {
        throw LineProblem{percent.column, fmt::format("percent {} is below the one before; it does not decrease, so {} "
                                                      "to 100 is allowed",
                                                      percent.text, points_.back().percent)};
    }
    if (points_.empty()) {
        first_percent_ = percent;
        first_line_ = lines_.number();
    }
    last_percent_ = percent;
    last_line_ = lines_.number();
    points_.push_back({size, share});
}

void DistributionReader::check_ends()
{
    if (points_.size() < 2) {
        problems_.add(
            std::max<std::size_t>(lines_.number(), 1), 1,
            fmt::format("the file has {} of the at least two points that a distribution needs", points_.size()));
        return;
    }
    if (points_.front().percent != 0.0) {
        problems_.add(first_line_, first_percent_.column,
                      fmt::format("the first percent is {}; 0 is allowed", first_percent_.text));
    }
    if (points_.back().percent != 100.0) {
        problems_.add(last_line_, last_percent_.column,
                      fmt::format("the last percent is {}; 100 is allowed", last_percent_.text));
    }
    if (problems_.empty() && SizeDistribution{points_}.mean() <= 0.0) {
        problems_.add(last_line_, 1, "the mean size is 0; flows of at least some bytes are allowed");
    }
}

}  // namespace

SizeDistribution::SizeDistribution(std::vector<Point> points) : points_{std::move(points)}
{
    for (std::size_t i = 1; i < points_.size(); ++i) {
        const Point& low = points_[i - 1];
        const Point& high = points_[i];
        mean_ += (low.bytes + high.bytes) / 2.0 * (high.percent - low.percent) / 100.0;
    }
}

double SizeDistribution::at(double percent) const
{
    const auto high = std::upper_bound(points_.begin(), points_.end(), percent,
                                       [](double wanted, const Point& point) { return wanted < point.percent; });
    const auto low = std::prev(high);
    return low->bytes + (high->bytes - low->bytes) * (percent - low->percent) / (high->percent - low->percent);
}

std::uint64_t SizeDistribution::bytes_at(double percent) const
{
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(at(percent))), 1);
}

SizeDistribution read_size_distribution(std::string_view text, const std::string& file)
{
    return DistributionReader{text, file}.read();
}

}  // namespace mrcnic::workload
