#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace mrcnic {

/// First-in first-out queue in a ring that grows by doubling and never shrinks: no allocation in the steady state.
template <typename T>
class RingQueue {
public:
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] T& front() noexcept { return slots_[head_]; }
    [[nodiscard]] const T& front() const noexcept { return slots_[head_]; }
    [[nodiscard]] T& back() noexcept { return slots_[(head_ + size_ - 1) & mask()]; }
    /// The i-th from the front.
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return slots_[(head_ + i) & mask()]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return slots_[(head_ + i) & mask()]; }

    void push_back(T value)
    {
        if (size_ == slots_.size()) {
            grow();
        }
        slots_[(head_ + size_) & mask()] = std::move(value);
        ++size_;
    }
    void push_front(T value)
    {
        if (size_ == slots_.size()) {
            grow();
        }
        head_ = (head_ + mask()) & mask();
        slots_[head_] = std::move(value);
        ++size_;
    }
    T pop_front()
    {
        T value = std::move(slots_[head_]);
        slots_[head_] = T{};
        --size_;
        // One that is mostly empty stays in its first slots, in few cache lines.
        head_ = size_ == 0 ? 0 : (head_ + 1) & mask();
        return value;
    }
    void clear()
    {
        while (!empty()) {
            pop_front();
        }
    }

private:
    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    void grow()
    {
        std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
        for (std::size_t i = 0; i < size_; ++i) {
            larger[i] = std::move((*this)[i]);
        }
        slots_ = std::move(larger);
        head_ = 0;
    }

    std::vector<T> slots_;
    std::size_t head_{0};
    std::size_t size_{0};
};

}  // namespace mrcnic
