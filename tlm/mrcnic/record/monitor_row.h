#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/packet/frame.h"
#include "mrcnic/packet/roles.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/transport/observer.h"

namespace mrcnic::record {

/// A packet that mrc-monitor logs, with what its row tells beside the packet.
struct MonitoredPacket {
    Picoseconds time{0};
    const std::string& component_name;  ///< the NIC that logs it
    std::uint16_t node_id{0};
    const packet::DscpRoles& roles;  ///< of that NIC
    const packet::Frame& frame;
    transport::ConnectionEnd end;
    bool sent{false};                           ///< else received
    std::uint64_t egress_data_occupancy{0};     ///< of the NIC's data pool, bytes
    const transport::FlowState* flow{nullptr};  ///< null: not known
    std::optional<Picoseconds> rtt{};           ///< the sample that a received SACK or trim NACK gave
};

/// The 27 columns of mrc-monitor [RC-65].
[[nodiscard]] const std::vector<std::string_view>& monitor_columns();

/// Writes the row of a packet; what does not apply to its kind and direction is empty [RC-64].
void write_monitor_row(CsvFile& file, const MonitoredPacket& packet);

}  // namespace mrcnic::record
