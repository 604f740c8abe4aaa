#include "mrcnic/base/pool.h"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic {
namespace {

class Parcel : public Pooled {
public:
    int content{0};
    void reset() noexcept { content = 0; }
};

using ParcelRef = Ref<Parcel>;

// Counts of what is out and of the most that was; a payload that comes home is reset and used again.
TEST(Pool, CountsAndReuses)
{
    Pool<Parcel> pool;
    EXPECT_EQ(pool.live(), 0U);
    EXPECT_EQ(pool.peak(), 0U);
    ParcelRef first = pool.make();
    ParcelRef second = pool.make();
    first->content = 7;
    const Parcel* address = first.get();
    EXPECT_EQ(pool.live(), 2U);
    first.reset();
    EXPECT_EQ(pool.live(), 1U);
    EXPECT_FALSE(first);
    const ParcelRef third = pool.make();
    EXPECT_EQ(third.get(), address);
    EXPECT_EQ(third->content, 0);
    EXPECT_EQ(pool.live(), 2U);
    EXPECT_EQ(pool.peak(), 2U);
}

// Copies share, moves do not: the last holder sends it home.
TEST(Pool, ReferencesAreShared)
{
    Pool<Parcel> pool;
    ParcelRef first = pool.make();
    EXPECT_EQ(first->references(), 1U);
    ParcelRef copy = first;
    EXPECT_EQ(first->references(), 2U);
    ParcelRef moved = std::move(copy);
    EXPECT_EQ(first->references(), 2U);
    moved = first;
    EXPECT_EQ(first->references(), 2U);
    const ParcelRef& same = moved;
    moved = same;  // to itself
    EXPECT_EQ(first->references(), 2U);
    first.reset();
    EXPECT_EQ(pool.live(), 1U);
    moved = ParcelRef{};
    EXPECT_EQ(pool.live(), 0U);
}

// A reference that travels as a plain pointer neither leaks nor counts twice.
TEST(Pool, DetachAndAdopt)
{
    Pool<Parcel> pool;
    Parcel* raw = pool.make().detach();
    EXPECT_EQ(raw->references(), 1U);
    EXPECT_EQ(pool.live(), 1U);
    ParcelRef taken = ParcelRef::adopt(raw);
    EXPECT_EQ(taken->references(), 1U);
    taken.reset();
    EXPECT_EQ(pool.live(), 0U);
}

// Payloads that are still out when the pool goes stay good, and the last one takes the store down (ASan sees a leak).
TEST(Pool, OrphansOutliveThePool)
{
    auto pool = std::make_unique<Pool<Parcel>>();
    std::vector<ParcelRef> orphans;
    for (int i = 0; i < 10; ++i) {
        orphans.push_back(pool->make());
        orphans.back()->content = i;
    }
    orphans.erase(orphans.begin());
    pool.reset();
    for (int i = 1; i < 10; ++i) {
        EXPECT_EQ(orphans.front()->content, i);
        orphans.erase(orphans.begin());
    }
}

}  // namespace
}  // namespace mrcnic
