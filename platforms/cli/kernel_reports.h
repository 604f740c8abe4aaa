#pragma once

namespace mrcnic::cli {

/// Makes reports of the SystemC kernel and the model lines of the program: warnings go to standard error, errors are
/// thrown as `sc_core::sc_report` and printed by nobody else, the kernel's own information is left out.
void tame_kernel_reports();

}  // namespace mrcnic::cli
