#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "mrcnic/platforms/platform.h"

namespace mrcnic::cli {

enum class ProgressMode {
    automatic,  ///< on if a person watches: standard output and standard error are terminals
    on,
    off
};

/// How far a run is, on standard error: on a terminal one line that is rewritten, elsewhere a line now and then.
class Progress {
public:
    Progress(ProgressMode mode, const platforms::Platform& platform);

    /// To be called often from inside the run; prints if it is time.
    void update()
    {
        if (on_) {
            print_if_due();
        }
    }
    /// The run is over: clears the line.
    void finish();

private:
    using Clock = std::chrono::steady_clock;

    void print_if_due();
    [[nodiscard]] std::string line(Clock::time_point now);

    const platforms::Platform& platform_;
    bool on_;
    bool terminal_;
    bool shown_{false};
    Clock::time_point started_{Clock::now()};
    Clock::time_point last_time_{started_};
    std::uint64_t last_frames_{0};
    std::uint64_t total_bytes_{0};  // of all messages; 0 = the platform has none
};

}  // namespace mrcnic::cli
