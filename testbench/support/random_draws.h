#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace mrcnic::testbench {

/// Random numbers that are the same with every standard library, as its distributions are not.
class RandomDraws {
public:
    explicit RandomDraws(std::uint64_t seed) : generator_{seed} {}

    /// Both ends included.
    [[nodiscard]] std::uint64_t between(std::uint64_t low, std::uint64_t high)
    {
        return low + generator_() % (high - low + 1);
    }
    /// Every order of magnitude alike; `low` at least 1.
    [[nodiscard]] std::uint64_t magnitude_between(std::uint64_t low, std::uint64_t high)
    {
        std::uint64_t doublings = 0;
        while (low <= high >> (doublings + 1)) {
            ++doublings;
        }
        return between(low, std::min(high, low << between(1, doublings + 1)));
    }
    [[nodiscard]] bool chance(double probability)
    {
        return static_cast<double>(generator_() >> 11U) * 0x1.0p-53 < probability;
    }
    template <typename Value>
    [[nodiscard]] Value one_of(const std::vector<Value>& values)
    {
        return values[between(0, values.size() - 1)];
    }
    template <typename Value>
    void shuffle(std::vector<Value>& values)
    {
        for (std::size_t i = values.size(); i > 1; --i) {
            std::swap(values[i - 1], values[between(0, i - 1)]);
        }
    }

private:
    std::mt19937_64 generator_;
};

}  // namespace mrcnic::testbench
