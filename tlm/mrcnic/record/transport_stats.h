#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/record/periodic_record.h"
#include "mrcnic/record/utc.h"
#include "mrcnic/transport/samples.h"

namespace mrcnic::record {

/// Counters of a NIC's transport since the start, named as their columns [RC-60.5 .. RC-60.55].
struct TransportFigures {
    std::uint64_t write_pkts_sent{0};  ///< data packets handed down, retransmissions included
    std::uint64_t write_pkts_rcvd{0};  ///< data packets received, trimmed ones and duplicates included
    std::uint64_t ack_pkts_sent{0};    ///< cumulative ones
    std::uint64_t ack_pkts_rcvd{0};
    std::uint64_t sack_pkts_sent{0};  ///< probe answers included
    std::uint64_t sack_pkts_rcvd{0};
    std::uint64_t nack_pkts_sent{0};  ///< trims and window
    std::uint64_t nack_pkts_rcvd{0};
    std::uint64_t wqes_created{0};                    ///< messages posted to this NIC
    std::uint64_t wqes_completed{0};                  ///< messages with WQE_COMPLETE
    std::uint64_t num_out_of_order_events_on_nic{0};  ///< data packets beyond the next expected PSN
    std::uint64_t num_dup_events_on_nic{0};           ///< data packets received before
    std::uint64_t probe_sent{0};
    std::uint64_t probe_ack_rcvd{0};           ///< SACKs that answer a probe
    std::uint64_t num_rto{0};                  ///< expiries for packets still outstanding
    std::uint64_t num_gap_loss{0};             ///< packets declared lost by a SACK gap
    std::uint64_t num_rtx{0};                  ///< data packets retransmitted, for whatever reason
    std::uint64_t m_marked_pkts_sent{0};       ///< SACKs sent with M not 0
    std::uint64_t m_marked_pkts_rcvd{0};       ///< SACKs received with M not 0 that gave an RTT sample
    std::uint64_t num_quick_adapt{0};          ///< Quick Adapt firings
    std::uint64_t num_egress_pool_stalls{0};   ///< changes from running to stopped for want of egress data room
    std::uint64_t num_psn_window_discards{0};  ///< data packets discarded beyond the PSN window

    [[nodiscard]] std::uint64_t total_pkts_sent() const noexcept
    {
        return write_pkts_sent + ack_pkts_sent + sack_pkts_sent + nack_pkts_sent;
    }
    [[nodiscard]] std::uint64_t total_pkts_rcvd() const noexcept
    {
        return write_pkts_rcvd + ack_pkts_rcvd + sack_pkts_rcvd + nack_pkts_rcvd;
    }
};

/// The transport of a NIC as mrc-transport-stats sees it.
struct TransportSource {
    std::string component_name;  ///< RC-31
    std::uint16_t node_id{0};    ///< RC-30
    Picoseconds interval{0};     ///< between two rows of this NIC [RC-21]
    std::function<TransportFigures()> figures;
    transport::TransportSamples* samples{nullptr};  ///< filled by the transport; the record starts their intervals
};

/// The record mrc-transport-stats: what the transport of each NIC counts and samples [RC-21, RC-60 .. RC-63].
class TransportStats : public PeriodicRecord {
public:
    /// @param sources  at least one; rows of one instant are ordered by node, whatever the order here [RC-18]
    /// @param start    the first row of a NIC is one of its intervals later [RC-15]
    /// @throws OutputError
    TransportStats(std::filesystem::path path, std::vector<TransportSource> sources, Utc utc, Picoseconds start);

private:
    struct Nic {
        TransportSource source;
        TransportFigures before;  // at the row before
    };

    void write_rows(std::size_t group, Picoseconds now, Picoseconds length) override;
    void write_counters(const Nic& nic, const TransportFigures& figures);
    void write_samples(const transport::TransportSamples& samples);
    void close() override { file_.close(); }

    CsvFile file_;
    Utc utc_;
    std::vector<Nic> nics_;
};

}  // namespace mrcnic::record
