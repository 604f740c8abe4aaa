#include "mrcnic/base/calendar.h"

#include <algorithm>
#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic {

namespace {
constexpr std::size_t kFew = 8;    // entries of an instant, sorted without more ado
constexpr std::size_t kArity = 4;  // a flat heap: the children of a key are in one or two cache lines
}  // namespace

Calendar::~Calendar()
{
    while (!empty()) {
        if (Pooled* payload = pop().payload) {
            payload->release();
        }
    }
}

Calendar::Key Calendar::top()
{
    if (!is_at_work()) {
        open_next();
    }
    Key key;
    key.time = now_;
    key.event_class_ = class_of(next_is_late() ? next_late().order : items_[next_item_].order);
    return key;
}

void Calendar::push_now(EventClass event_class, const Item& item)
{
    invariant(next_index_ >> kIndexBits == 0, "[OE-1] an instant holds too many entries");
    Late& late = late_[static_cast<std::size_t>(event_class)];
    late_classes_ |= 1U << static_cast<unsigned>(event_class);
    if (late.next > 0) {  // being taken: keep it sorted
        const auto after = std::find_if(late.items.rbegin(), late.items.rend() - static_cast<std::ptrdiff_t>(late.next),
                                        [&item](const Item& other) { return other.order < item.order; });
        late.items.insert(after.base(), item);
        return;
    }
    late.is_sorted = late.is_sorted && (late.items.empty() || late.items.back().order < item.order);
    late.items.push_back(item);
}

void Calendar::push_later(Picoseconds time, const Item& item)
{
    if (time < now_) {
        close();
    }
    Recent& recent = recent_[place_in_recent(time)];
    if (recent.time != time) {
        recent = {time, take_block()};
        add({time, instants_made_++ << kBlockBits | recent.block});
    } else if (blocks_[recent.block].count == Block::kItems) {
        const std::uint32_t more = take_block();
        blocks_[recent.block].next = more;
        recent.block = more;
    }
    Block& block = blocks_[recent.block];
    block.items[block.count++] = item;
}

void Calendar::open_next()
{
    items_.clear();
    next_item_ = 0;
    next_index_ = 0;
    now_ = near_[near_size_ - 1].time;
    do {
        take_in(pop_near());
    } while (near_size_ > 0 && near_[near_size_ - 1].time == now_);
    if (Recent& recent = recent_[place_in_recent(now_)]; recent.time == now_) {
        recent.time = kNoTime;
    }
    const auto by_order = [](const Item& a, const Item& b) { return a.order < b.order; };
    if (items_.size() <= kFew) {
        for (std::size_t i = 1; i < items_.size(); ++i) {
            for (std::size_t j = i; j > 0 && by_order(items_[j], items_[j - 1]); --j) {
                std::swap(items_[j], items_[j - 1]);
            }
        }
    } else if (!std::is_sorted(items_.begin(), items_.end(), by_order)) {
        std::sort(items_.begin(), items_.end(), by_order);
    }
}

void Calendar::take_in(const Instant& instant)
{
    for (auto block = static_cast<std::uint32_t>(instant.rank & kBlockMask); block != 0;) {
        const Block& from = blocks_[block];
        for (std::uint32_t i = 0; i < from.count; ++i) {
            items_.push_back(from.items[i]);
            items_.back().order |= next_index_++;
        }
        free_blocks_.push_back(block);
        block = from.next;
    }
    invariant(next_index_ >> kIndexBits == 0, "[OE-1] an instant holds too many entries");
}

// Something earlier than the instant at work was scheduled: its rest waits again, in the order that it has.
void Calendar::close()
{
    std::vector<Item> rest;
    while (is_at_work()) {
        rest.push_back(take_next());
        rest.back().order = rest.back().order >> kIndexBits << kIndexBits;
    }
    const Picoseconds time = now_;
    now_ = kNoTime;
    for (const Item& item : rest) {
        push_later(time, item);
    }
}

bool Calendar::next_is_late()
{
    return late_classes_ != 0 && (next_item_ == items_.size() || next_late().order < items_[next_item_].order);
}

const Calendar::Item& Calendar::next_late()
{
    Late& late = late_[static_cast<std::size_t>(__builtin_ctz(late_classes_))];
    if (!late.is_sorted) {
        std::sort(late.items.begin(), late.items.end(), [](const Item& a, const Item& b) { return a.order < b.order; });
        late.is_sorted = true;
    }
    return late.items[late.next];
}

Calendar::Item Calendar::take_next()
{
    if (!next_is_late()) {
        approach(next_item_ + kAhead);
        return items_[next_item_++];
    }
    const Item item = next_late();
    Late& late = late_[static_cast<std::size_t>(__builtin_ctz(late_classes_))];
    ++late.next;
    if (late.next == late.items.size()) {
        late_classes_ &= late_classes_ - 1;
        late.next = 0;
        late.items.clear();
    }
    return item;
}

// With many devices in step each finds its data out of the cache: they are asked for while others are at work.
void Calendar::approach(std::size_t index) const noexcept
{
    if (index < items_.size()) {
        __builtin_prefetch(items_[index].owner);
        __builtin_prefetch(items_[index].payload);
    }
}

std::uint32_t Calendar::take_block()
{
    if (free_blocks_.empty()) {
        if (blocks_.empty()) {
            blocks_.emplace_back();  // block 0 stands for none
        }
        invariant(blocks_.size() < kBlockMask, "[OE-1] the calendar holds too many entries");
        blocks_.emplace_back();
        free_blocks_.reserve(blocks_.capacity());
        free_blocks_.push_back(static_cast<std::uint32_t>(blocks_.size() - 1));
    }
    const std::uint32_t taken = free_blocks_.back();
    free_blocks_.pop_back();
    blocks_[taken].count = 0;
    blocks_[taken].next = 0;
    return taken;
}

void Calendar::add(const Instant& instant)
{
    if (near_size_ == kNear) {
        if (!before(instant, near_[0])) {
            push_far(instant);
            return;
        }
        push_far(near_[0]);
        std::copy(near_.begin() + 1, near_.end(), near_.begin());
        --near_size_;
    } else if (!far_.empty() && !before(instant, far_.front())) {
        push_far(instant);
        return;
    }
    insert_near(instant);
}

Calendar::Instant Calendar::pop_near()
{
    const Instant first = near_[--near_size_];
    if (near_size_ == 0 && !far_.empty()) {
        near_[near_size_++] = pop_far();
    }
    return first;
}

void Calendar::insert_near(const Instant& instant)
{
    std::size_t hole = near_size_++;
    while (hole > 0 && before(near_[hole - 1], instant)) {
        near_[hole] = near_[hole - 1];
        --hole;
    }
    near_[hole] = instant;
}

void Calendar::push_far(const Instant& instant)
{
    far_.push_back(instant);
    rise(far_.size() - 1, instant);
}

void Calendar::rise(std::size_t hole, const Instant& instant)
{
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / kArity;
        if (!before(instant, far_[parent])) {
            break;
        }
        far_[hole] = far_[parent];
        hole = parent;
    }
    far_[hole] = instant;
}

// The hole goes down to a leaf along the first of each four, then up to where the last key belongs: that is near the
// leaves, so comparing with it on the way down would be in vain.
Calendar::Instant Calendar::pop_far()
{
    const Instant top = far_.front();
    const Instant last = far_.back();
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
