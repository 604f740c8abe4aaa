#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <systemc>

// What every test program is linked with: `sc_main` that runs GoogleTest, one test per process, since a SystemC kernel
// runs once. A report of the kernel or the model with severity warning or worse fails the test, unless it is expected.

namespace mrcnic::testbench {

/// While it lives, SystemC reports with this id are right, and at least one must come.
///
/// Errors are thrown as always, as `sc_core::sc_report`: `run_to_end` swallows an expected one, elsewhere the test
/// catches it.
class ExpectReport {
public:
    /// @param id    the report's message type, such as "/mrcnic/time"
    /// @param text  part of the message that must occur in it
    explicit ExpectReport(std::string id, std::string text = "");
    ExpectReport(const ExpectReport&) = delete;
    ExpectReport& operator=(const ExpectReport&) = delete;
    /// Fails the test if none came.
    ~ExpectReport();

    /// Reports that came so far.
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    /// Message of the last one; empty if none came.
    [[nodiscard]] const std::string& last() const noexcept { return last_; }

    /// Takes the report if it is one of these.
    bool take(const sc_core::sc_report& report);

private:
    std::string id_;
    std::string text_;
    std::size_t count_{0};
    std::string last_;
};

/// Runs the simulation until nothing is left to do, and fails the test unless `finished()` holds then.
/// @param limit  also ends the run, for models with a clock; zero means no limit
void run_to_end(const std::function<bool()>& finished, const sc_core::sc_time& limit = sc_core::SC_ZERO_TIME);

/// Seed of a random test: that of the environment variable MRCNIC_TEST_SEED, else `otherwise`. Printed, so that a
/// failure can be repeated.
[[nodiscard]] std::uint64_t seed(std::uint64_t otherwise = 1);

/// Folder of the real workload files, by the environment variable MRCNIC_WORKLOADS or beside the checkout. Only for
/// the tests in `testbench/real_workloads`, which do not run where it is absent.
[[nodiscard]] std::filesystem::path workloads_folder();

/// A new empty folder for the files of one test; removed when the object goes.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// A namespace-scope object of this type says that no test of its program uses the kernel: all may run in one process.
/// A test that does use it fails.
struct KernelFreeProgram {
    KernelFreeProgram() noexcept;
};

}  // namespace mrcnic::testbench
