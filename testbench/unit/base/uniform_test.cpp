#include "mrcnic/base/uniform.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace mrcnic {
namespace {

// [WL-6] The standard gives 9981545732273789042 as the 10,000th number of a 64-bit Mersenne twister with its default
// seed: every platform draws the same from it. 9981545732273789042 / 2^11 = 4873801627086811 and a rest.
TEST(Uniform, IsTheUpper53BitsOfTheGenerator)
{
    std::mt19937_64 generator;
    generator.discard(9'999);
    EXPECT_EQ(uniform(generator), 4'873'801'627'086'811.0 / 9'007'199'254'740'992.0);
}

// [WL-6] One number of the generator for each draw, never 1.
TEST(Uniform, TakesOneNumberAndStaysBelowOne)
{
    std::mt19937_64 generator{7};
    std::mt19937_64 counted{7};
    for (int i = 0; i < 1000; ++i) {
        const double draw = uniform(generator);
        EXPECT_GE(draw, 0.0);
        EXPECT_LT(draw, 1.0);
    }
    counted.discard(1000);
    EXPECT_EQ(generator, counted);
}

}  // namespace
}  // namespace mrcnic
