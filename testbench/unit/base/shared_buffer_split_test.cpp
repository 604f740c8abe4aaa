#include "mrcnic/base/shared_buffer_split.h"

#include <gtest/gtest.h>

namespace mrcnic {
namespace {

using Pools = std::array<std::uint64_t, 3>;

// [SW-21, SW-22] The sheet's three examples, 256 MB less 256 KB for each port.
TEST(SharedBufferSplit, PoolsOfTheSheet)
{
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 4}.pools()), (Pools{109'275'428, 72'850'285, 72'850'287}));
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 16}.pools()), (Pools{107'958'857, 71'972'571, 71'972'572}));
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 128}.pools()), (Pools{95'670'857, 63'780'571, 63'780'572}));
}

// [SW-21] 1,000 ports take all of the default buffer, more are no less than nothing.
TEST(SharedBufferSplit, HeadroomMayTakeAll)
{
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 999}.sizing_total), 256'000U);
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 1'000}.sizing_total), 0U);
    EXPECT_EQ((SharedBufferSplit{256'000'000, 256'000, 5'000}.sizing_total), 0U);
}

}  // namespace
}  // namespace mrcnic
