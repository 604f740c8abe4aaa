#include "cli/kernel_reports.h"

#include <string>

#include <systemc>

#include "cli/output.h"
#include "mrcnic/base/report.h"

namespace mrcnic::cli {
namespace {

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions)
{
    sc_core::sc_actions rest = actions;
    if (report.get_severity() >= sc_core::SC_WARNING) {
        rest &= ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY);
    }
    if (report.get_severity() == sc_core::SC_WARNING) {
        print_warning(std::string{report.get_msg_type()} + ": " + report.get_msg());
    }
    sc_core::sc_report_handler::default_handler(report, rest);
}

}  // namespace

void tame_kernel_reports()
{
    using Handler = sc_core::sc_report_handler;
    Handler::set_handler(on_report);
    Handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    Handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    Handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);  // not abort(): records are to be closed
    // [WL-20] The director keeps these lines; the run goes on, so that its records are whole.
    Handler::set_actions(report_id::kWorkload, sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
}

}  // namespace mrcnic::cli
