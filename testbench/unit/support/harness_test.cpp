#include "testbench/support/harness.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace mrcnic::testbench {
namespace {

class Ticker : public sc_core::sc_module {
public:
    explicit Ticker(const sc_core::sc_module_name& name) : sc_module{name}
    {
        SC_HAS_PROCESS(Ticker);
        SC_THREAD(run);
    }
    bool report_error{false};
    bool done{false};

private:
    void run()
    {
        wait(5, sc_core::SC_NS);
        if (report_error) {
            SC_REPORT_ERROR("/mrcnic/time", "too coarse");
        }
        done = true;
    }
};

// A simulation that came to its end passes.
TEST(RunToEnd, PassesWhenFinished)
{
    const Ticker ticker{"ticker"};
    run_to_end([&] { return ticker.done; });
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(5, sc_core::SC_NS));
}

// Nothing left to do is not enough: the test's own condition counts.
TEST(RunToEnd, FailsWhenTheKernelRunsDry)
{
    static bool finished = false;
    EXPECT_NONFATAL_FAILURE(run_to_end([] { return finished; }), "without having finished");
}

// A model with a clock ends at the limit.
TEST(RunToEnd, FailsAtTheLimit)
{
    static const Ticker* seen = nullptr;
    const Ticker ticker{"ticker"};
    seen = &ticker;
    EXPECT_NONFATAL_FAILURE(run_to_end([] { return seen->done; }, sc_core::sc_time(1, sc_core::SC_NS)),
                            "without having finished");
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(1, sc_core::SC_NS));
}

// A warning that no test expects is a failure.
TEST(Reports, UnexpectedWarningFails)
{
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/mrcnic/time", "odd"), "/mrcnic/time: odd");
}

// A note is not.
TEST(Reports, InfoPasses)
{
    SC_REPORT_INFO("/mrcnic/time", "noted");
}

// An expected warning passes, is counted and can be looked at.
TEST(Reports, ExpectedWarningPasses)
{
    const ExpectReport expected{"/mrcnic/time", "od"};
    SC_REPORT_WARNING("/mrcnic/time", "odd");
    SC_REPORT_WARNING("/mrcnic/time", "mode");
    EXPECT_EQ(expected.count(), 2u);
    EXPECT_EQ(expected.last(), "mode");
}

// Another id or another text is not what was expected.
TEST(Reports, OtherIdOrTextFails)
{
    const ExpectReport expected{"/mrcnic/time", "odd"};
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/mrcnic/host", "odd"), "/mrcnic/host: odd");
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/mrcnic/time", "even"), "/mrcnic/time: even");
    SC_REPORT_WARNING("/mrcnic/time", "odd");
}

// A report that is expected must come.
TEST(Reports, ExpectedButAbsentFails)
{
    EXPECT_NONFATAL_FAILURE({ const ExpectReport expected{"/mrcnic/time"}; }, "none came");
}

// After the object's life the report is unexpected again.
TEST(Reports, ExpectationEndsWithItsScope)
{
    {
        const ExpectReport expected{"/mrcnic/time"};
        SC_REPORT_WARNING("/mrcnic/time", "odd");
    }
    EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/mrcnic/time", "odd"), "/mrcnic/time: odd");
}

// An error is still thrown at the model that reports it.
TEST(Reports, ErrorIsThrown)
{
    const ExpectReport expected{"/mrcnic/time"};
    EXPECT_THROW(SC_REPORT_ERROR("/mrcnic/time", "wrong"), sc_core::sc_report);
}

// An expected error in a process ends the run, which is then unfinished.
TEST(Reports, ErrorInAProcessEndsTheRun)
{
    const ExpectReport expected{"/mrcnic/time", "too coarse"};
    Ticker ticker{"ticker"};
    ticker.report_error = true;
    run_to_end([&] { return expected.count() == 1; });
    EXPECT_FALSE(ticker.done);
}

// A warning of the kernel itself fails too: the second object of one name gets another, with a warning.
TEST(Reports, WarningOfTheKernelFails)
{
    const Ticker first{"same"};
    EXPECT_NONFATAL_FAILURE({ const Ticker second{"same"}; }, "object already exists");
}

TEST(Seed, DefaultsToTheOneGiven)
{
    if (std::getenv("MRCNIC_TEST_SEED") == nullptr) {
        EXPECT_EQ(seed(7), 7u);
    } else {
        EXPECT_EQ(std::to_string(seed(7)), std::getenv("MRCNIC_TEST_SEED"));
    }
}

TEST(Seed, IsThatOfTheEnvironment)
{
    setenv("MRCNIC_TEST_SEED", "18446744073709551615", 1);
    EXPECT_EQ(seed(7), 18'446'744'073'709'551'615u);
}

TEST(TemporaryFolder, IsRemovedWithItsFiles)
{
    std::filesystem::path path;
    {
        const TemporaryFolder folder;
        path = folder.path();
        std::ofstream{path / "file"} << "text";
        EXPECT_TRUE(std::filesystem::exists(path / "file"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace mrcnic::testbench
