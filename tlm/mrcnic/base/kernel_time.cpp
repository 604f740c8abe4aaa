#include "mrcnic/base/kernel_time.h"

#include <cmath>
#include <string>

#include "mrcnic/base/report.h"

namespace mrcnic {

KernelTime::KernelTime() : units_{1}
{
    const double unit_seconds = sc_core::sc_get_time_resolution().to_seconds();
    const double units = std::round(1e-12 / unit_seconds);
    if (units < 1.0 || std::abs(units * unit_seconds - 1e-12) > 1e-18) {
        const std::string text = "the time resolution is " + sc_core::sc_get_time_resolution().to_string() +
                                 "; the model needs 1 ps or a finer one that divides it";
        SC_REPORT_ERROR(report_id::kTime, text.c_str());
        return;
    }
    units_ = static_cast<sc_dt::uint64>(units);
}

}  // namespace mrcnic
