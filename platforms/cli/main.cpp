#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <variant>

#include <systemc>

#include "cli/arguments.h"
#include "cli/kernel_reports.h"
#include "cli/output.h"

namespace {

using mrcnic::cli::ExitCode;

int execute(const std::function<ExitCode()>& work)
{
    mrcnic::cli::tame_kernel_reports();
    try {
        const ExitCode code = work();
        return mrcnic::cli::flush_output() || code != mrcnic::cli::kDone ? code : mrcnic::cli::kRunFailed;
    } catch (const sc_core::sc_report& report) {
        mrcnic::cli::print_error(report.get_msg());
    } catch (const std::bad_alloc&) {
        mrcnic::cli::print_error("out of memory");
    } catch (const std::exception& error) {
        mrcnic::cli::print_error(error.what());
    }
    return mrcnic::cli::kRunFailed;
}

}  // namespace

int sc_main(int argc, char** argv)
{
    const mrcnic::cli::Request request = mrcnic::cli::parse_arguments(argc, argv);
    if (const auto* code = std::get_if<ExitCode>(&request)) {
        return *code;
    }
    return execute(std::get<std::function<ExitCode()>>(request));
}

// Instead of the SystemC library's own, which prints a banner before anybody can say that it should not.
int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
