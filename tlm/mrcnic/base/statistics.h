#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mrcnic {

using StatisticValue = std::variant<std::uint64_t, double>;

/// A named value of a block with its unit and meaning. Blocks keep plain counters; this only tells how to read them.
struct Statistic {
    std::string name;
    std::string unit;
    std::string description;
    std::function<StatisticValue()> read;
};

/// The statistics of one block. Printing them is somebody else's job (`record/`).
class StatisticGroup {
public:
    explicit StatisticGroup(std::string name) : name_{std::move(name)} {}

    void add(std::string name, std::string unit, std::string description, std::function<StatisticValue()> read)
    {
        statistics_.push_back({std::move(name), std::move(unit), std::move(description), std::move(read)});
    }
    /// Adds a counter that the block keeps; it must outlive the group.
    void add(std::string name, std::string unit, std::string description, const std::uint64_t& counter)
    {
        add(std::move(name), std::move(unit), std::move(description), [&counter] { return StatisticValue{counter}; });
    }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<Statistic>& statistics() const noexcept { return statistics_; }

private:
    std::string name_;
    std::vector<Statistic> statistics_;
};

}  // namespace mrcnic
