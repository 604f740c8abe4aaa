#include "mrcnic/record/utc.h"

#include <ctime>

#include <fmt/chrono.h>

namespace mrcnic::record {

std::string Utc::now() const
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(wall_clock_ ? std::time(nullptr) : std::time_t{0}));
}

}  // namespace mrcnic::record
