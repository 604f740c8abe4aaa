#include "mrcnic/base/uniform.h"

#include <gtest/gtest.h>

namespace mrcnic {
namespace {

// [WL-6] (x >> 11) x 2^-53. The standard gives the 10,000th number of the default seed: 9981545732273789042. Its upper
// 53 bits are 4873801627086811.
TEST(Uniform, IsTheUpper53Bits)
{
    std::mt19937_64 generator;
    generator.discard(9'999);
    EXPECT_EQ(uniform(generator), 4'873'801'627'086'811.0 / 9'007'199'254'740'992.0);
}

// One draw each, and never 1.
TEST(Uniform, DrawsOnce)
{
    std::mt19937_64 generator{7};
    std::mt19937_64 other{7};
    for (int i = 0; i < 1'000; ++i) {
        const double drawn = uniform(generator);
        EXPECT_GE(drawn, 0.0);
        EXPECT_LT(drawn, 1.0);
        other.discard(1);
    }
    EXPECT_EQ(generator, other);
}

}  // namespace
}  // namespace mrcnic
