#include "mrcnic/base/calendar.h"

#include <algorithm>

namespace mrcnic {

namespace {
constexpr std::size_t kArity = 4;  // a flat heap: fewer cache lines on the way down than a binary one
}

Calendar::~Calendar()
{
    for (Entry& entry : heap_) {
        if (entry.payload != nullptr) {
            entry.payload->release();
        }
    }
}

void Calendar::push(Picoseconds time, EventClass event_class, Place place, Action action, void* owner, Pooled* payload)
{
    const std::uint64_t rank = static_cast<std::uint64_t>(event_class) << 32U |
                               static_cast<std::uint64_t>(place.node) << 16U | place.port;
    const Entry entry{time, rank, next_sequence_++, action, owner, payload};
    if (is_work(event_class)) {
        ++work_;
    }
    std::size_t hole = heap_.size();
    heap_.push_back(entry);
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / kArity;
        if (!before(entry, heap_[parent])) {
            break;
        }
        heap_[hole] = heap_[parent];
        hole = parent;
    }
    heap_[hole] = entry;
}

Calendar::Entry Calendar::pop()
{
    const Entry top = heap_.front();
    const Entry last = heap_.back();
    heap_.pop_back();
    if (is_work(top.event_class())) {
        --work_;
    }
    const std::size_t size = heap_.size();
    if (size == 0) {
        return top;
    }
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = hole * kArity + 1) {
        const std::size_t end = std::min(child + kArity, size);
        for (std::size_t sibling = child + 1; sibling < end; ++sibling) {
            if (before(heap_[sibling], heap_[child])) {
                child = sibling;
            }
        }
        if (!before(heap_[child], last)) {
            break;
        }
        heap_[hole] = heap_[child];
        hole = child;
    }
    heap_[hole] = last;
    return top;
}

}  // namespace mrcnic
