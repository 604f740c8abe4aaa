#include <cstdlib>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::testbench {
namespace {

const KernelFreeProgram kKernelFree;

// The tests of this program may share a process; ctest also runs it as a whole.
TEST(KernelFreeProgram, RunsOneTest)
{
    EXPECT_TRUE(sc_core::sc_get_top_level_objects().empty());
}

// Breaks its program's promise when a test of the harness asks for that.
TEST(KernelFreeProgram, RunsAnotherTest)
{
    if (std::getenv("MRCNIC_TEST_USE_KERNEL") != nullptr) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
}

}  // namespace
}  // namespace mrcnic::testbench
