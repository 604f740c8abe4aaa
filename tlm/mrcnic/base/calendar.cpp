#include "mrcnic/base/calendar.h"

#include <algorithm>

#include "mrcnic/base/report.h"

namespace mrcnic {

namespace {
constexpr std::size_t kArity = 4;  // a flat heap: the children of a key are in one or two cache lines
}

Calendar::~Calendar()
{
    while (!empty()) {
        if (Pooled* payload = pop().payload) {
            payload->release();
        }
    }
}

void Calendar::push(Picoseconds time, EventClass event_class, Place place, Action action, void* owner, Pooled* payload)
{
    Key key;
    key.time = time;
    key.order_ = (static_cast<std::uint64_t>(event_class) << kPlaceBits | std::uint64_t{place.node} << 16U | place.port)
                     << kSlotBits |
                 take_slot({{action, owner, payload}, next_sequence_++});
    if (is_work(event_class)) {
        ++work_;
    }
    if (near_size_ == kNear) {
        if (!before(key, near_[0])) {
            push_far(key);
            return;
        }
        push_far(near_[0]);
        std::copy(near_.begin() + 1, near_.end(), near_.begin());
        --near_size_;
    } else if (!far_.empty() && !before(key, far_.front())) {
        push_far(key);
        return;
    }
    insert_near(key);
}

Calendar::Entry Calendar::pop()
{
    const Key key = top();
    --near_size_;
    if (is_work(key.event_class())) {
        --work_;
    }
    if (near_size_ == 0 && !far_.empty()) {
        near_[near_size_++] = pop_far();
    }
    const std::uint64_t slot = key.order_ & kSlotMask;
    free_slots_.push_back(slot);
    return slots_[slot].entry;
}

std::uint64_t Calendar::take_slot(const Slot& slot)
{
    if (free_slots_.empty()) {
        invariant(slots_.size() < kSlotMask, "[OE-1] the calendar holds too many entries");
        slots_.push_back(slot);
        free_slots_.reserve(slots_.capacity());
        return slots_.size() - 1;
    }
    const std::uint64_t taken = free_slots_.back();
    free_slots_.pop_back();
    slots_[taken] = slot;
    return taken;
}

void Calendar::insert_near(const Key& key)
{
    std::size_t hole = near_size_++;
    while (hole > 0 && before(near_[hole - 1], key)) {
        near_[hole] = near_[hole - 1];
        --hole;
    }
    near_[hole] = key;
}

void Calendar::push_far(const Key& key)
{
    far_.push_back(key);
    rise(far_.size() - 1, key);
}

void Calendar::rise(std::size_t hole, const Key& key)
{
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / kArity;
        if (!before(key, far_[parent])) {
            break;
        }
        far_[hole] = far_[parent];
        hole = parent;
    }
    far_[hole] = key;
}

// The hole goes down to a leaf along the first of each four, then up to where the last key belongs: that is near the
// leaves, so comparing with it on the way down would be in vain.
Calendar::Key Calendar::pop_far()
{
    const Key top = far_.front();
    const Key last = far_.back();
    far_.pop_back();
    if (!far_.empty()) {
        std::size_t hole = 0;
        for (std::size_t child = 1; child < far_.size(); child = hole * kArity + 1) {
            const std::size_t first = first_of(child, std::min(child + kArity, far_.size()));
            far_[hole] = far_[first];
            hole = first;
        }
        rise(hole, last);
    }
    return top;
}

std::size_t Calendar::first_of(std::size_t begin, std::size_t end) const
{
    if (end - begin == kArity) {
        const std::size_t left = before(far_[begin + 1], far_[begin]) ? begin + 1 : begin;
        const std::size_t right = before(far_[begin + 3], far_[begin + 2]) ? begin + 3 : begin + 2;
        return before(far_[right], far_[left]) ? right : left;
    }
    std::size_t first = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
        if (before(far_[i], far_[first])) {
            first = i;
        }
    }
    return first;
}

}  // namespace mrcnic
