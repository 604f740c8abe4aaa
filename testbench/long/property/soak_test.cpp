#include "testbench/property/soak.h"

#include "testbench/support/harness.h"

namespace mrcnic::testbench {
namespace {

// [SW-4, TR-85] A million packets at 1 % loss: no lost message, no leak.
TEST(Soak, AMillionPackets)
{
    const SoakResult result = soak(1'000'000, seed());
    EXPECT_GT(result.retransmissions, 9'500U);  // 1 % of a million, less five standard deviations
    EXPECT_LT(result.frames_made, 2'000U);      // as many as for 50,000
}

}  // namespace
}  // namespace mrcnic::testbench
