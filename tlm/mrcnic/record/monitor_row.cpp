#include "mrcnic/record/monitor_row.h"

#include "mrcnic/packet/psn.h"
#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

using packet::DscpRole;
using packet::Frame;
using packet::FrameKind;
using packet::NackReason;

std::string_view type_of(FrameKind kind)
{
    switch (kind) {
        case FrameKind::data:
        case FrameKind::trimmed:
            return "WRITE";
        case FrameKind::sack:
            return "SACK";
        case FrameKind::ack:
            return "ACK";
        case FrameKind::nack:
            return "NACK";
        case FrameKind::probe:
            return "PROBE";
        case FrameKind::foreign:
            break;
    }
    return "";
}

std::string_view name_of(NackReason reason)
{
    switch (reason) {
        case NackReason::trimmed:
            return "MRC_TRIMMED";
        case NackReason::trimmed_lasthop:
            return "MRC_TRIMMED_LASTHOP";
        case NackReason::psn_oor_window:
            return "MRC_PSN_OOR_WINDOW";
        default:
            return "";  // this NIC sends no other [TR-31]
    }
}

std::string_view name_of(DscpRole role)
{
    switch (role) {
        case DscpRole::no_trim:
            return "NO_TRIM";
        case DscpRole::trimmable:
            return "TRIMMABLE";
        case DscpRole::trimmable_rtx:
            return "TRIMMABLE_RTX";
        case DscpRole::trimmed:
            return "TRIMMED";
        case DscpRole::trimmed_lasthop:
            return "TRIMMED_LASTHOP";
        case DscpRole::control:
            return "CONTROL";
        case DscpRole::unrecognized:
            break;
    }
    return "UNRECOGNIZED";
}

std::uint32_t entropy_of(const Frame& frame)
{
    switch (frame.kind) {
        case FrameKind::sack:
            return frame.seth.entropy;
        case FrameKind::nack:
            return frame.neth.entropy;
        default:
            return frame.network.udp_source;  // an ACK has no other place for what it reflects [MP-2]
    }
}

/// Writes the cells of one row, group by group in the order of the columns.
class Row {
public:
    Row(CsvFile& file, const MonitoredPacket& packet)
        : file_{file},
          packet_{packet},
          frame_{packet.frame},
          data_{frame_.kind == FrameKind::data || frame_.kind == FrameKind::trimmed},
          sack_{frame_.kind == FrameKind::sack},
          ack_{frame_.kind == FrameKind::ack},
          nack_{frame_.kind == FrameKind::nack}
    {
    }

    void write()
    {
        write_identity();
        write_kind();
        write_marks();
        write_flow();
        write_sequence();
        file_.end_row();
    }

private:
    template <typename Value>
    void cell_if(bool applies, Value value)
    {
        applies ? file_.cell(value) : file_.empty_cell();
    }

    void write_identity()
    {
        const transport::ConnectionEnd& end = packet_.end;
        const bool has_message = packet_.sent ? data_ : sack_ || ack_;
        file_.nanoseconds_cell(packet_.time).cell(packet_.component_name).cell(packet_.node_id);
        file_.cell(has_message ? frame_.message_id : 0).cell(frame_.uid).cell(frame_.wire_bytes);
        file_.cell(packet::QpEnd{end.local_address, end.local_qp});
        file_.cell(packet::QpEnd{end.remote_address, end.remote_qp});
        file_.cell(entropy_of(frame_));
    }

    void write_kind()
    {
        const bool has_sample = !packet_.sent && packet_.rtt.has_value();
        cell_if(has_sample, nanoseconds(packet_.rtt.value_or(0)));
        file_.cell(!packet_.sent ? "Rx" : data_ && frame_.bth.retransmission ? "ReTx" : "Tx");
        file_.cell(type_of(frame_.kind));
        cell_if(nack_, name_of(frame_.neth.reason));
    }

    void write_marks()
    {
        cell_if(data_, int{frame_.bth.ack_request});
        cell_if(!packet_.sent, int{frame_.network.ecn == packet::Ecn::ce});
        cell_if(sack_, frame_.seth.mark);
        cell_if(sack_, nanoseconds(frame_.service_time));
    }

    void write_flow()
    {
        const bool sends_data = packet_.sent && data_;
        const bool hears_sack = !packet_.sent && sack_;
        const bool hears_nack = !packet_.sent && nack_;
        const bool known = packet_.flow != nullptr;
        const transport::FlowState flow = known ? *packet_.flow : transport::FlowState{};
        cell_if(sends_data, packet_.egress_data_occupancy);
        cell_if(known && (sends_data || hears_sack), flow.bytes_fetched);
        cell_if(known && (sends_data || hears_sack || hears_nack), flow.bytes_in_flight);
        cell_if(known && (sends_data || hears_sack || hears_nack), flow.congestion_window);
        cell_if(sack_, frame_.cc_state.receiver_penalty);
    }

    void write_sequence()
    {
        const packet::Seth& sack = frame_.seth;
        file_.cell(name_of(packet_.roles.role_of(frame_.network.dscp)));
        file_.cell(frame_.bth.psn);  // [TR-34] of control frames and probes as well
        cell_if(sack_ || ack_, sack_ ? sack.cack_psn : frame_.bth.psn);
        cell_if(sack_, packet::psn_add(sack.cack_psn, sack.sack_offset));
        write_bitmap();
    }

    void write_bitmap()
    {
        std::string& list = file_.begin_text();
        list += '[';
        const char* separator = "";
        const std::uint64_t bitmap = sack_ ? frame_.seth.bitmap : 0;
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            if ((bitmap >> bit & 1U) != 0) {
                const packet::Psn psn =
                    packet::psn_add(frame_.seth.cack_psn, std::int64_t{frame_.seth.sack_offset} + bit);
                fmt::format_to(std::back_inserter(list), "{}{}", separator, psn);
                separator = ":";
            }
        }
        list += ']';
    }

    CsvFile& file_;
    const MonitoredPacket& packet_;
    const Frame& frame_;
    bool data_;
    bool sack_;
    bool ack_;
    bool nack_;
};

}  // namespace

const std::vector<std::string_view>& monitor_columns()
{
    static const std::vector<std::string_view> columns{"sim_time_ns",       "component_name",
                                                       "node_id",           "job_ID",
                                                       "packet_UID",        "packet_size",
                                                       "local_QP",          "remote_QP",
                                                       "entropy_value",     "RTT_ns",
                                                       "direction",         "packet_type",
                                                       "nack_code",         "AR_bit",
                                                       "ECN_marked",        "M_Flag",
                                                       "service_time_ns",   "egress_data_occupancy_B",
                                                       "bytes_fetched",     "bytes_in_flight",
                                                       "congestion_window", "receiver_congestion_window_penalty",
                                                       "DSCP_type",         "PSN",
                                                       "CACK_PSN",          "SACK_base_PSN",
                                                       "ACK_bitmap_PSNs"};
    return columns;
}

void write_monitor_row(CsvFile& file, const MonitoredPacket& packet)
{
    Row{file, packet}.write();
}

}  // namespace mrcnic::record
