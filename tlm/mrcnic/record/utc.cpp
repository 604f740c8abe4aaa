#include "mrcnic/record/utc.h"

#include <iterator>

#include <fmt/chrono.h>

namespace mrcnic::record {

const std::string& Utc::now()
{
    const std::time_t time = wall_clock_ ? std::time(nullptr) : 0;
    if (time == time_ && !text_.empty()) {
        return text_;
    }
    time_ = time;
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
    return text_;
}

}  // namespace mrcnic::record
