#include "mrcnic/net/buffer_accounts.h"

#include <gtest/gtest.h>

#include "mrcnic/net/queue_limits.h"

namespace mrcnic::net {
namespace {

const SwitchClasses kUet{packet::DscpCodepoints{}, true};
const SwitchClasses kPlain{packet::DscpCodepoints{}, false};

// [SW-13, SW-20] Each pool by itself, to the byte; ports share it.
TEST(BufferAccounts, PoolsAreShared)
{
    BufferAccounts accounts{kUet, {100, 50, 60}, 2};
    accounts.charge(0, 0, 60);
    EXPECT_TRUE(accounts.fits(0, 40));
    EXPECT_FALSE(accounts.fits(0, 41));
    EXPECT_TRUE(accounts.fits(1, 50));
    accounts.charge(1, 0, 40);
    accounts.charge(1, 2, 7);
    EXPECT_EQ(accounts.of_port(0, 0), 60U);
    EXPECT_EQ(accounts.of_port(1, 0), 40U);
    EXPECT_EQ(accounts.total(0), 100U);
    EXPECT_EQ(accounts.total(2), 7U);
    accounts.release(0, 0, 60);
    EXPECT_EQ(accounts.of_port(0, 0), 0U);
    EXPECT_EQ(accounts.total(0), 40U);
}

// [SW-25] Eight classes, one pool.
TEST(BufferAccounts, OnePoolWithoutThePolicy)
{
    BufferAccounts accounts{kPlain, {100}, 1};
    accounts.charge(0, 7, 60);
    EXPECT_FALSE(accounts.fits(0, 41));
    EXPECT_EQ(accounts.of_port(0, 7), 60U);
    EXPECT_EQ(accounts.of_port(0, 0), 0U);
}

// [SW-13]
TEST(BufferAccounts, ReleasesWhatWasCharged)
{
    BufferAccounts accounts{kUet, {100, 50, 60}, 2};
    accounts.charge(0, 0, 60);
    EXPECT_THROW(accounts.release(0, 0, 61), InvariantError);
    EXPECT_THROW(accounts.release(1, 0, 1), InvariantError);
}

// [SW-23, SW-24, SW-W3] Full packets in one queue: 72 and 360, repeats 108 and 541.
TEST(QueueLimits, PacketsInAQueue)
{
    config::SwitchConfig trimming;
    trimming.trimming_enabled = true;
    const auto most = [](const config::SwitchConfig& config, packet::DscpRole role) {
        std::uint64_t packets = 0;
        while (QueueLimits{config}.fits(role, packets * 4'156, 4'156)) {
            ++packets;
        }
        return packets;
    };
    EXPECT_EQ(most(trimming, packet::DscpRole::trimmable), 72U);
    EXPECT_EQ(most(trimming, packet::DscpRole::no_trim), 72U);
    EXPECT_EQ(most(trimming, packet::DscpRole::trimmable_rtx), 108U);
    EXPECT_EQ(most({}, packet::DscpRole::no_trim), 360U);
    EXPECT_EQ(most({}, packet::DscpRole::trimmable_rtx), 541U);
    EXPECT_EQ(72U * 4'156U, 299'232U);
    EXPECT_EQ(108U * 4'156U, 448'848U);
}

// [SW-24] floor(1.5 x limit); [SW-25] no limit without the policy.
TEST(QueueLimits, Edges)
{
    config::SwitchConfig odd;
    odd.trimming_enabled = true;
    odd.plane_bdp = 101;
    EXPECT_TRUE(QueueLimits{odd}.fits(packet::DscpRole::trimmable_rtx, 100, 51));
    EXPECT_FALSE(QueueLimits{odd}.fits(packet::DscpRole::trimmable_rtx, 100, 52));
    odd.uet_policy_enabled = false;
    EXPECT_TRUE(QueueLimits{odd}.fits(packet::DscpRole::trimmable, 1'000'000'000'000, 4'156));
}

}  // namespace
}  // namespace mrcnic::net
