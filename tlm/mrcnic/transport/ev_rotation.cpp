#include "mrcnic/transport/ev_rotation.h"

#include <optional>

namespace mrcnic::transport {

EvRotation::EvRotation(std::uint32_t size, std::uint32_t timeouts_to_bad)
    : size_{size}, timeouts_to_bad_{timeouts_to_bad}
{
    for (std::uint32_t value = 0; value < size; ++value) {
        good_.insert(value);
    }
}

// [MP-11] From the cursor around: a skip that comes before the first good one is restored, the others are passed.
std::uint32_t EvRotation::walk() noexcept
{
    const std::optional<std::uint32_t> good = good_.next(cursor_);
    const std::optional<std::uint32_t> skip = skip_.next(cursor_);
    const bool restores = skip && (!good || distance(*skip) < distance(*good));
    if (restores) {
        skip_.erase(*skip);
        good_.insert(*skip);
        --not_good_;
    }
    const std::uint32_t value = good ? *good : restores ? *skip : cursor_;
    move_behind(value);
    return value;
}

EvRotation::State EvRotation::state(std::uint32_t value) const noexcept
{
    if (good_.contains(value)) {
        return State::good;
    }
    if (skip_.contains(value)) {
        return State::skip;
    }
    return bad_.contains(value) ? State::assumed_bad : State::denied;
}

void EvRotation::set(std::uint32_t value, State state)
{
    if (!good_.contains(value)) {
        --not_good_;
    }
    good_.erase(value);
    skip_.erase(value);
    bad_.erase(value);
    if (state != State::good) {
        ++not_good_;
    }
    switch (state) {
        case State::good:
            good_.insert(value);
            break;
        case State::skip:
            skip_.insert(value);
            break;
        case State::assumed_bad:
            bad_.insert(value);
            break;
        case State::denied:
            break;
    }
}

void EvRotation::on_congestion(std::uint32_t value)
{
    if (good_.contains(value)) {
        set(value, State::skip);
    }
}

bool EvRotation::on_timeout(std::uint32_t value)
{
    if (timeouts_to_bad_ > 1) {
        timeouts_.resize(size_);
        if (++timeouts_[value] < timeouts_to_bad_) {
            return false;
        }
        timeouts_[value] = 0;
    }
    return assume_bad(value);
}

bool EvRotation::assume_bad(std::uint32_t value)
{
    const State before = state(value);
    if (before == State::assumed_bad || before == State::denied) {
        return false;
    }
    set(value, State::assumed_bad);
    times_bad_.resize(size_);
    ++times_bad_[value];
    return true;
}

void EvRotation::on_probe_answer(std::uint32_t value, bool marked)
{
    if (bad_.contains(value)) {
        set(value, marked ? State::skip : State::good);
    }
}

}  // namespace mrcnic::transport
