#include "mrcnic/base/kernel_time.h"

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"

namespace mrcnic {
namespace {

// At 1 ps, the kernel's default, both count alike, to the end of the model's time.
TEST(KernelTime, OnePicosecond)
{
    const KernelTime kernel_time;
    EXPECT_EQ(kernel_time.to_kernel(83'480), (sc_core::sc_time{83.48, sc_core::SC_NS}));
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time{100, sc_core::SC_NS}), 100'000);
    EXPECT_EQ(kernel_time.to_picoseconds(kernel_time.to_kernel(kNever)), kNever);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::SC_ZERO_TIME), 0);
}

// At 1 fs a picosecond has a thousand units; what is not whole is rounded up, never to before an event.
TEST(KernelTime, OneFemtosecond)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    const KernelTime kernel_time;
    EXPECT_EQ(kernel_time.to_kernel(83'480).value(), 83'480'000U);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time::from_value(83'480'000)), 83'480);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time::from_value(83'480'001)), 83'481);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time::from_value(83'480'999)), 83'481);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time::from_value(1)), 1);
}

TEST(KernelTime, HundredFemtoseconds)
{
    sc_core::sc_set_time_resolution(100, sc_core::SC_FS);
    const KernelTime kernel_time;
    EXPECT_EQ(kernel_time.to_kernel(7).value(), 70U);
    EXPECT_EQ(kernel_time.to_picoseconds(sc_core::sc_time::from_value(61)), 7);
}

void expect_refused(double resolution, sc_core::sc_time_unit unit, const char* in_words)
{
    sc_core::sc_set_time_resolution(resolution, unit);
    const testbench::ExpectReport report{report_id::kTime, in_words};
    EXPECT_THROW(KernelTime{}, sc_core::sc_report);
}

// Coarser than the model's unit: said in words.
TEST(KernelTime, TenPicosecondsAreRefused)
{
    expect_refused(10, sc_core::SC_PS, "the time resolution is 10 ps; the model needs 1 ps or a finer one");
}

TEST(KernelTime, OneNanosecondIsRefused)
{
    expect_refused(1, sc_core::SC_NS, "the time resolution is 1 ns");
}

}  // namespace
}  // namespace mrcnic
