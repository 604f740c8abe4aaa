#pragma once

#include <ctime>
#include <string>

namespace mrcnic::record {

/// What the column time_utc reads [RC-13]: the wall clock, or by default one fixed instant, so that runs compare.
class Utc {
public:
    explicit Utc(bool wall_clock) noexcept : wall_clock_{wall_clock} {}

    /// Now in ISO 8601 with seconds and `Z`; holds until the next call.
    [[nodiscard]] const std::string& now();

private:
    bool wall_clock_;
    std::time_t time_{0};  // that text_ tells
    std::string text_;     // keeps its memory: a row allocates nothing
};

}  // namespace mrcnic::record
