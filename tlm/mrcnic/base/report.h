#pragma once

#include <stdexcept>
#include <string>

namespace mrcnic {

/// Ids of the model's messages to SystemC's report handler; a platform filters them as it filters its own.
namespace report_id {
inline constexpr const char* kTime = "/mrcnic/time";
inline constexpr const char* kProtocol = "/mrcnic/protocol";
inline constexpr const char* kTransport = "/mrcnic/transport";
inline constexpr const char* kPcie = "/mrcnic/pcie";
inline constexpr const char* kHost = "/mrcnic/host";
inline constexpr const char* kSwitch = "/mrcnic/switch";
inline constexpr const char* kWorkload = "/mrcnic/workload";
}  // namespace report_id

/// A broken invariant of the model itself, never of its input: names the fact. The program ends with exit code 3.
class InvariantError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// Throws InvariantError with `what` (start it with the fact's id) unless `holds`.
inline void invariant(bool holds, const char* what)
{
    if (!holds) {
        throw InvariantError{what};
    }
}

}  // namespace mrcnic
