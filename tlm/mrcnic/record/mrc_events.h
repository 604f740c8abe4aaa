#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/utc.h"
#include "mrcnic/transport/observer.h"

namespace mrcnic::record {

/// A NIC as mrc-events sees it.
struct EventSource {
    std::string component_name;  ///< RC-31
    std::uint16_t node_id{0};    ///< RC-30
};

/// The record mrc-events: a row for each event of a queue pair or work request, as it happens [RC-23, RC-80 .. RC-87].
class MrcEvents {
public:
    /// @param sources  the NICs that log, ordered by node
    /// @param now      the simulation's time
    /// @throws OutputError
    MrcEvents(std::filesystem::path path, std::vector<EventSource> sources, Utc utc, std::function<Picoseconds()> now);
    MrcEvents(const MrcEvents&) = delete;
    MrcEvents& operator=(const MrcEvents&) = delete;
    ~MrcEvents();

    /// Whom the transport of NIC `i` of the sources tells of its queue pairs; lives as long as the record.
    [[nodiscard]] transport::QueuePairObserver& observer(std::size_t i);
    /// The run has ended: so do the queue pairs that are open still, by node and number [RC-86]; ends the file.
    /// @throws OutputError
    void finish(Picoseconds end);

private:
    class Observer;

    void write(const EventSource& source, Picoseconds time, const transport::ConnectionEnd& end,
               const transport::ObservedMessage* message, std::string_view event);

    CsvFile file_;
    Utc utc_;
    std::function<Picoseconds()> now_;
    std::vector<EventSource> sources_;
    std::vector<std::unique_ptr<Observer>> observers_;
};

}  // namespace mrcnic::record
