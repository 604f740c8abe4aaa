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
        Key& last = near(kNear - 1);
        if (!before(key, last)) {
            push_far(key);
            return;
        }
        push_far(last);
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
    near_head_ = (near_head_ + 1) % kNear;
    --near_size_;
    if (is_work(key.event_class())) {
        --work_;
    }
    if (near_size_ == 0 && !far_.empty()) {
        near_[near_head_] = pop_far();
        near_size_ = 1;
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

// From the back: most of what is scheduled comes after most of what is pending.
void Calendar::insert_near(const Key& key)
{
    std::size_t hole = near_size_++;
    while (hole > 0 && before(key, near(hole - 1))) {
        near(hole) = near(hole - 1);
        --hole;
    }
    near(hole) = key;
}

void Calendar::push_far(const Key& key)
{
    std::size_t hole = far_.size();
    far_.push_back(key);
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

Calendar::Key Calendar::pop_far()
{
    const Key top = far_.front();
    const Key last = far_.back();
    far_.pop_back();
    const std::size_t size = far_.size();
    if (size == 0) {
        return top;
    }
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = hole * kArity + 1) {
        const std::size_t end = std::min(child + kArity, size);
        for (std::size_t sibling = child + 1; sibling < end; ++sibling) {
            if (before(far_[sibling], far_[child])) {
                child = sibling;
            }
        }
        if (!before(far_[child], last)) {
            break;
        }
        far_[hole] = far_[child];
        hole = child;
    }
    far_[hole] = last;
    return top;
}

}  // namespace mrcnic
