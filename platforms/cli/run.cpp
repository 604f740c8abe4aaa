#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/interruption.h"
#include "cli/output.h"
#include "cli/summary_table.h"
#include "mrcnic/platforms/run_records.h"

namespace mrcnic::cli {
namespace {

using platforms::Outcome;
using platforms::Platform;

// Seldom enough to cost nothing, often enough to answer at once: some hundred microseconds.
constexpr std::uint64_t kWatchInterval = 1024;
constexpr std::size_t kMostErrors = 10;

/// Wall and processor time since it was made.
class Stopwatch {
public:
    [[nodiscard]] double wall_seconds() const
    {
        return std::chrono::duration<double>{std::chrono::steady_clock::now() - wall_}.count();
    }
    [[nodiscard]] double cpu_seconds() const
    {
        return static_cast<double>(std::clock() - cpu_) / static_cast<double>(CLOCKS_PER_SEC);
    }

private:
    std::chrono::steady_clock::time_point wall_{std::chrono::steady_clock::now()};
    std::clock_t cpu_{std::clock()};
};

/// @return false if something failed in the run; the error is printed
bool simulate(Platform& platform, Progress& progress)
{
    platform.on_end([] { sc_core::sc_stop(); });
    platform.agenda().watch(
        [&platform, &progress] {
            if (interruption_wanted()) {
                platform.interrupt();
            }
            progress.update();
        },
        kWatchInterval);
    platform.agenda().run_ahead(true);
    try {
        sc_core::sc_start();
        progress.finish();
        platform.kernel_has_ended();
        return true;
    } catch (const sc_core::sc_report& report) {
        progress.finish();
        print_error(report.get_msg());
    } catch (const std::exception& error) {
        progress.finish();
        print_error(error.what());
    }
    return false;
}

/// Prints the first of `lines`. @return true if there are any
bool print_errors(const std::vector<std::string>& lines)
{
    for (std::size_t i = 0; i < std::min(lines.size(), kMostErrors); ++i) {
        print_error(lines[i]);
    }
    if (lines.size() > kMostErrors) {
        print_error(fmt::format("and {} more", lines.size() - kMostErrors));
    }
    return !lines.empty();
}

ExitCode judge(Platform& platform, bool sound)
{
    print_error(unfinished_messages(platform));
    bool failed = !sound;
    if (platform.director() != nullptr) {
        failed = print_errors(platform.director()->run_errors()) || failed;
    }
    failed = print_errors(platform.compare_payloads()) || failed;
    if (failed || platform.outcome() == Outcome::stuck) {
        return kRunFailed;
    }
    switch (platform.outcome()) {
        case Outcome::stopped:
            return kUnfinished;
        case Outcome::interrupted:
            return kInterrupted;
        default:
            return kDone;
    }
}

std::unique_ptr<platforms::RunRecords> open_records(Platform& platform, const std::string& folder,
                                                    const std::vector<config::EffectiveValue>& effective,
                                                    const platforms::Traces& traces)
{
    try {
        return std::make_unique<platforms::RunRecords>(platform, folder, effective, traces);
    } catch (const record::OutputError& error) {
        print_error(fmt::format("--out {}: {}; allowed: a folder that can be written", folder, error.what()));
        return nullptr;
    }
}

}  // namespace

ExitCode run(const RunOptions& options)
{
    ConfigSource source = options.source;
    if (!options.seed.empty()) {
        source.overrides.push_back("simulation.Seed=" + options.seed);
    }
    const auto loaded = load(source);
    if (!loaded) {
        return kUsageError;
    }
    catch_interruption();
    const std::unique_ptr<Platform> platform = build(loaded->config);
    if (!platform) {
        return kUsageError;
    }
    const auto records = open_records(*platform, options.out, loaded->effective, options.traces);
    if (!records) {
        return kUsageError;
    }
    const bool unwanted = options.quiet && options.progress == ProgressMode::automatic;
    Progress progress{unwanted ? ProgressMode::off : options.progress, *platform};
    const Stopwatch stopwatch;
    const bool sound = simulate(*platform, progress);
    const double wall_seconds = stopwatch.wall_seconds();
    records->finish(wall_seconds, stopwatch.cpu_seconds());
    if (!options.quiet && sound) {
        print(summary_table(*platform, wall_seconds, options.out));
    }
    return judge(*platform, sound);
}

}  // namespace mrcnic::cli
