#include "testbench/support/harness.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::testbench {
namespace {

constexpr int kRefused = 2;

bool kernel_free = false;

// Newest last. One thread runs the kernel and the tests.
std::vector<ExpectReport*>& expectations()
{
    static std::vector<ExpectReport*> all;
    return all;
}

bool is_expected(const sc_core::sc_report& report)
{
    const auto takes = [&report](ExpectReport* expectation) { return expectation->take(report); };
    return std::any_of(expectations().rbegin(), expectations().rend(), takes);
}

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions)
{
    sc_core::sc_actions rest = actions;
    if (report.get_severity() >= sc_core::SC_WARNING) {
        rest &= ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY);
        if (!is_expected(report)) {
            ADD_FAILURE() << "report that no test expects: " << report.get_msg_type() << ": " << report.get_msg();
        }
    }
    sc_core::sc_report_handler::default_handler(report, rest);
}

bool kernel_was_used()
{
    return sc_core::sc_get_status() != sc_core::SC_ELABORATION || !sc_core::sc_get_top_level_objects().empty();
}

class KernelRules : public testing::EmptyTestEventListener {
    void OnTestIterationStart(const testing::UnitTest& unit_test, int) override
    {
        if (unit_test.test_to_run_count() > 1 && !kernel_free) {
            std::cerr << "error: " << unit_test.test_to_run_count()
                      << " tests are selected, and a SystemC kernel runs once per process: "
                         "use ctest, or select one by --gtest_filter=SUITE.NAME\n";
            std::_Exit(kRefused);
        }
    }
    void OnTestEnd(const testing::TestInfo&) override
    {
        if (kernel_free && kernel_was_used()) {
            ADD_FAILURE() << "a test of a program that is declared free of the kernel uses it";
        }
    }
};

}  // namespace

ExpectReport::ExpectReport(std::string id, std::string text) : id_{std::move(id)}, text_{std::move(text)}
{
    expectations().push_back(this);
}

ExpectReport::~ExpectReport()
{
    auto& all = expectations();
    all.erase(std::find(all.begin(), all.end(), this));
    if (count_ == 0) {
        ADD_FAILURE() << "expected a report with id " << id_
                      << (text_.empty() ? std::string{} : " and text '" + text_ + "'") << ", none came";
    }
}

bool ExpectReport::take(const sc_core::sc_report& report)
{
    if (id_ != report.get_msg_type() || std::strstr(report.get_msg(), text_.c_str()) == nullptr) {
        return false;
    }
    ++count_;
    last_ = report.get_msg();
    return true;
}

void run_to_end(const std::function<bool()>& finished, const sc_core::sc_time& limit)
{
    try {
        if (limit == sc_core::SC_ZERO_TIME) {
            sc_core::sc_start();
        } else {
            sc_core::sc_start(limit);
        }
    } catch (const sc_core::sc_report& report) {
        // The handler has seen it already, and failed the test if nobody expects it.
        std::cout << "the simulation ended with the report " << report.get_msg_type() << ": " << report.get_msg()
                  << '\n';
    }
    EXPECT_TRUE(finished()) << "the simulation ended at " << sc_core::sc_time_stamp() << " without having finished";
}

std::uint64_t seed(std::uint64_t otherwise)
{
    std::uint64_t value = otherwise;
    if (const char* text = std::getenv("MRCNIC_TEST_SEED"); text != nullptr) {
        const char* end = text + std::strlen(text);
        const auto [stop, error] = std::from_chars(text, end, value);
        if (error != std::errc{} || stop != end) {
            throw std::invalid_argument{"MRCNIC_TEST_SEED is '" + std::string{text} +
                                        "'; allowed are whole numbers from 0 to 2^64 - 1"};
        }
    }
    std::cout << "MRCNIC_TEST_SEED=" << value << '\n';
    return value;
}

std::filesystem::path workloads_folder()
{
    const char* folder = std::getenv("MRCNIC_WORKLOADS");
    return folder != nullptr && *folder != '\0' ? folder : MRCNIC_DEFAULT_WORKLOADS;
}

TemporaryFolder::TemporaryFolder()
{
    std::string name = std::filesystem::temp_directory_path() / "mrcnic_test_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error{errno, std::generic_category(), "cannot make a folder " + name};
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

KernelFreeProgram::KernelFreeProgram() noexcept
{
    kernel_free = true;
}

}  // namespace mrcnic::testbench

// SystemC owns main().
int sc_main(int argc, char** argv)
{
    using mrcnic::testbench::kRefused;
    testing::InitGoogleTest(&argc, argv);
    if (argc > 1) {
        std::cerr << "error: unknown argument " << argv[1] << "; allowed are those of GoogleTest (--help)\n";
        return kRefused;
    }
    sc_core::sc_report_handler::set_handler(mrcnic::testbench::on_report);
    auto& unit_test = *testing::UnitTest::GetInstance();
    unit_test.listeners().Append(new mrcnic::testbench::KernelRules);
    const int failed = RUN_ALL_TESTS();
    const bool listed = testing::GTEST_FLAG(list_tests);
    if (unit_test.total_test_count() == 0 || (!listed && unit_test.test_to_run_count() == 0)) {
        std::cerr << "error: no test was run\n";
        return kRefused;
    }
    return failed;
}
