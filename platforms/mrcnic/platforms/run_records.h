#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/config/settings.h"
#include "mrcnic/platforms/platform.h"
#include "mrcnic/record/messages_csv.h"
#include "mrcnic/record/output_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/trace_nodes_csv.h"

namespace mrcnic::platforms {

/// How a run ended, in one word, as summary.json has it.
[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;

/// The records and the summary of one run of a platform.
///
/// Make it after the platform and before the kernel starts; it must outlive the kernel's run. It opens all files at
/// once, so that what cannot be written shows before the run.
class RunRecords {
public:
    /// @param platform   must outlive the object
    /// @param folder     made if it is not there
    /// @param effective  what the digest is taken of
    /// @throws record::OutputError if the folder or a file cannot be made
    RunRecords(Platform& platform, const std::filesystem::path& folder,
               const std::vector<config::EffectiveValue>& effective);
    RunRecords(const RunRecords&) = delete;
    RunRecords& operator=(const RunRecords&) = delete;
    ~RunRecords() = default;

    /// Writes what is left and ends all files; call it once, when the kernel rests. Whatever the outcome, they are
    /// valid. @throws record::OutputError
    void finish(double wall_seconds, double cpu_seconds);

private:
    [[nodiscard]] std::filesystem::path file_of(std::string_view record) const;
    void add_periodic_records();
    void schedule();
    void write_due();
    [[nodiscard]] std::string summary(Picoseconds end, double wall_seconds, double cpu_seconds) const;

    Platform& platform_;
    const std::filesystem::path folder_;
    const std::string digest_;
    std::vector<std::unique_ptr<record::PeriodicRecord>> periodic_;
    record::MessagesCsv messages_;
    std::unique_ptr<record::TraceNodesCsv> trace_nodes_;  // only if a trace is run
    record::OutputFile summary_;
};

}  // namespace mrcnic::platforms
