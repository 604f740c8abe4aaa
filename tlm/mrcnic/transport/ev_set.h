#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace mrcnic::transport {

/// A set of entropy values by their place in the rotation, 0 .. 255, with a quick way to the next one [MP-11].
class EvSet {
public:
    void insert(std::uint32_t index) noexcept { words_[index / 64] |= bit(index); }
    void erase(std::uint32_t index) noexcept { words_[index / 64] &= ~bit(index); }
    [[nodiscard]] bool contains(std::uint32_t index) const noexcept { return (words_[index / 64] & bit(index)) != 0; }

    /// The first member at or after `cursor`, going around; none if the set is empty.
    [[nodiscard]] std::optional<std::uint32_t> next(std::uint32_t cursor) const noexcept
    {
        const std::uint32_t word = cursor / 64;
        const std::uint64_t ahead = words_[word] & ~(bit(cursor) - 1);
        if (ahead != 0) {
            return word * 64 + lowest(ahead);
        }
        for (std::uint32_t step = 1; step <= kWords; ++step) {
            const std::uint32_t index = (word + step) % kWords;
            if (words_[index] != 0) {
                return index * 64 + lowest(words_[index]);
            }
        }
        return std::nullopt;
    }

private:
    static constexpr std::uint32_t kWords = 4;

    [[nodiscard]] static constexpr std::uint64_t bit(std::uint32_t index) noexcept
    {
        return std::uint64_t{1} << (index % 64);
    }
    [[nodiscard]] static std::uint32_t lowest(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>(__builtin_ctzll(word));
    }

    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace mrcnic::transport
