#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/config/settings.h"
#include "mrcnic/platforms/platform.h"
#include "mrcnic/record/message_stats.h"
#include "mrcnic/record/messages_csv.h"
#include "mrcnic/record/mrc_events.h"
#include "mrcnic/record/mrc_monitor.h"
#include "mrcnic/record/output_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/queue_pair_observers.h"
#include "mrcnic/record/trace_nodes_csv.h"
#include "mrcnic/record/utc.h"
#include "mrcnic/record/wire_capture.h"
#include "mrcnic/transport/samples.h"

namespace mrcnic::platforms {

/// How a run ended, in one word, as summary.json has it.
[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;

/// What is recorded beside the records that attributes turn on.
struct Traces {
    bool pcap{false};                    ///< `wire.pcapng`
    record::WireCapture::Window window;  ///< of all traces
};

/// The records and the summary of one run of a platform.
///
/// Make it after the platform and before the kernel starts; it must outlive the kernel's run. It opens all files at
/// once, so that what cannot be written shows before the run. A record that is off has no file, no event and nobody who
/// hears of anything [RC-27]; one that an earlier run left in the folder under the same name is removed, so that all
/// records there are of one run.
class RunRecords {
public:
    /// @param platform   must outlive the object
    /// @param folder     made if it is not there
    /// @param effective  what the digest is taken of
    /// @param traces     change nothing in the records
    /// @throws record::OutputError if the folder or a file cannot be made
    RunRecords(Platform& platform, const std::filesystem::path& folder,
               const std::vector<config::EffectiveValue>& effective, const Traces& traces = {});
    RunRecords(const RunRecords&) = delete;
    RunRecords& operator=(const RunRecords&) = delete;
    ~RunRecords() = default;

    /// Writes what is left and ends all files; call it once, when the kernel rests. Whatever the outcome, they are
    /// valid. @throws record::OutputError
    void finish(double wall_seconds, double cpu_seconds);

private:
    [[nodiscard]] std::filesystem::path path_of(std::string_view record) const;
    [[nodiscard]] std::filesystem::path file_of(std::string_view record);
    void add_port_stats();
    void add_transport_stats();
    void add_buffer_stats();
    void add_switch_stats();
    void add_events();
    void add_monitor();
    void add_message_stats();
    void observe_queue_pairs();
    void add_trace_nodes();
    void remove_old_records() const;
    void add_capture(const Traces& traces);
    void schedule();
    void write_due();
    void stop_observing();
    [[nodiscard]] std::string summary(Picoseconds end, double wall_seconds, double cpu_seconds) const;

    Platform& platform_;
    const std::filesystem::path folder_;
    const std::string digest_;
    const record::Utc utc_;
    const Picoseconds start_;             // intervals count from here [RC-15]
    std::set<std::string_view> written_;  // records of this run
    std::vector<std::unique_ptr<record::PeriodicRecord>> periodic_;
    std::deque<transport::TransportSamples> samples_;  // of NICs with transport statistics
    std::unique_ptr<record::MrcEvents> events_;
    std::unique_ptr<record::MrcMonitor> monitor_;
    std::unique_ptr<record::MessageStats> message_stats_;
    std::vector<record::QueuePairObservers> queue_pair_observers_;  // of each NIC
    record::MessagesCsv messages_;
    std::unique_ptr<record::TraceNodesCsv> trace_nodes_;  // only if a trace is run
    record::OutputFile summary_;
    std::unique_ptr<record::WireCapture> wire_;
};

}  // namespace mrcnic::platforms
