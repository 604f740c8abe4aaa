#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/quantities.h"

namespace mrcnic::cli {
namespace {

using namespace std::chrono_literals;

// A terminal is rewritten as often as a person can read; a file that collects the lines should stay short.
constexpr auto kTerminalInterval = 200ms;
constexpr auto kFileInterval = 1s;

bool is_on(ProgressMode mode)
{
    return mode == ProgressMode::on ||
           (mode == ProgressMode::automatic && isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1);
}

std::uint64_t message_bytes(const platforms::Platform& platform)
{
    std::uint64_t bytes = 0;
    if (platform.director() != nullptr) {
        for (const workload::Message& message : platform.director()->workload().messages) {
            bytes += message.bytes;
        }
    }
    return bytes;
}

std::uint64_t frames_received(const platforms::Platform& platform)
{
    std::uint64_t frames = 0;
    for (std::size_t i = 0; i < platform.node_count(); ++i) {
        frames += platform.node(i).nic.network_port().counters().rx_frames;
    }
    return frames;
}

std::uint64_t payload_received(const platforms::Platform& platform)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < platform.node_count(); ++i) {
        bytes += platform.node(i).nic.transport().receiver().counters().payload_received;
    }
    return bytes;
}

double ratio(double part, double whole)
{
    return whole > 0 ? std::min(part / whole, 1.0) : 0.0;
}

/// Share of the run that is done, 0..1: of the stop time, or of the traffic if that is further on.
double share_done(const platforms::Platform& platform, std::uint64_t total_bytes)
{
    const config::Config& config = platform.config();
    const double time =
        ratio(static_cast<double>(platform.agenda().now()), static_cast<double>(config.simulation.stop_time));
    const double traffic =
        platform.director() != nullptr
            ? ratio(static_cast<double>(payload_received(platform)), static_cast<double>(total_bytes))
            : ratio(static_cast<double>(frames_received(platform)), static_cast<double>(config.workload.frame_count));
    return std::max(time, traffic);
}

double seconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double>{duration}.count();
}

}  // namespace

Progress::Progress(ProgressMode mode, const platforms::Platform& platform)
    : platform_{platform},
      on_{is_on(mode)},
      terminal_{isatty(STDERR_FILENO) == 1},
      total_bytes_{message_bytes(platform)}
{
}

void Progress::print_if_due()
{
    const Clock::time_point now = Clock::now();
    if (now - last_time_ < (terminal_ ? Clock::duration{kTerminalInterval} : Clock::duration{kFileInterval})) {
        return;
    }
    // "\x1b[K" clears what a longer line has left behind.
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", line(now), terminal_ ? "\x1b[K" : "\n");
    std::fflush(stderr);
    shown_ = true;
}

std::string Progress::line(Clock::time_point now)
{
    const double share = share_done(platform_, total_bytes_);
    const std::uint64_t frames = frames_received(platform_);
    const double rate = static_cast<double>(frames - last_frames_) / seconds(now - last_time_);
    last_frames_ = frames;
    last_time_ = now;
    std::string text = fmt::format("{:5.1f} %  simulated {}  {} packets/s", 100 * share,
                                   format_time(platform_.agenda().now()), format_count(rate));
    if (share > 0) {
        text += fmt::format("  {} left", format_duration(seconds(now - started_) * (1 - share) / share));
    }
    return text;
}

void Progress::finish()
{
    if (shown_ && terminal_) {
        fmt::print(stderr, "\r\x1b[K");
        std::fflush(stderr);
    }
}

}  // namespace mrcnic::cli
