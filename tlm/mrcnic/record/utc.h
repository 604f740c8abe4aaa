#pragma once

#include <string>

namespace mrcnic::record {

/// What the column time_utc reads [RC-13]: the wall clock, or by default one fixed instant, so that runs compare.
class Utc {
public:
    explicit Utc(bool wall_clock) noexcept : wall_clock_{wall_clock} {}

    /// Now in ISO 8601 with seconds and `Z`.
    [[nodiscard]] std::string now() const;

private:
    bool wall_clock_;
};

}  // namespace mrcnic::record
