#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/nic/byte_pool.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/utc.h"

namespace mrcnic::record {

/// One of a NIC's four pools as net-buff-stats sees it [RC-50].
struct BufferSource {
    std::string component_name;  ///< RC-31
    std::uint16_t node_id{0};    ///< RC-30
    std::string buffer_id;       ///< `RX_TC0_BUFFER` and so on
    int traffic_class{0};        ///< 0 data, 1 control
    const nic::BytePool* pool{nullptr};
    std::function<void()> start_interval;  ///< the pool's interval maximum counts from now
};

/// The record net-buff-stats: occupancy and traffic of the pools of NICs [RC-22, RC-50 .. RC-53].
class NetBuffStats : public PeriodicRecord {
public:
    /// @param job_id   the first column
    /// @param sources  rows of one instant are ordered by node; those of one node stay in the order given [RC-18]
    /// @param start    the first rows are one interval later [RC-15]
    /// @throws OutputError
    NetBuffStats(std::filesystem::path path, std::string job_id, const std::vector<BufferSource>& sources, Utc utc,
                 Picoseconds start, Picoseconds interval);

private:
    struct Traffic {
        std::uint64_t admissions{0};
        std::uint64_t releases{0};
        std::uint64_t bytes_in{0};
        std::uint64_t bytes_out{0};
    };
    struct Pool {
        BufferSource source;
        Traffic before;  // at the row before
    };

    void write_rows(std::size_t group, Picoseconds now, Picoseconds length) override;
    void write_pool(Pool& pool, Picoseconds length);
    void close() override { file_.close(); }

    CsvFile file_;
    std::string job_id_;
    Utc utc_;
    std::vector<Pool> pools_;
};

}  // namespace mrcnic::record
