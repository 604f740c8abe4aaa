#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "mrcnic/packet/headers.h"
#include "mrcnic/record/csv_file.h"
#include "mrcnic/transport/observer.h"
#include "mrcnic/workload/director.h"
#include "mrcnic/workload/message.h"
#include "mrcnic/workload/message_index.h"

namespace mrcnic::record {

/// The record message-stats: a row for each message when it is complete, and at the end for those that are not, by id
/// [RC-26, RC-70 .. RC-73]. Observes the sending ends of all NICs.
class MessageStats : public transport::QueuePairObserver {
public:
    /// @param messages  of the workload, with one of `records` each; both must outlive the object
    /// @param mss       of each NIC, bytes
    /// @throws OutputError
    MessageStats(std::filesystem::path path, const std::vector<workload::Message>& messages,
                 const std::vector<workload::MessageRecord>& records, std::vector<std::uint32_t> mss);

    /// Message `index` has both completions. @throws OutputError
    void completed(std::size_t index) { write(index); }
    /// Writes what is not complete and ends the file. @throws OutputError
    void finish();

    void qp_created(const transport::ConnectionEnd&) override {}
    void wqe_created(const transport::ConnectionEnd& end, const transport::ObservedMessage& message) override;
    void send_complete(const transport::ConnectionEnd&, const transport::ObservedMessage&) override {}
    void packet_repeated(const transport::ConnectionEnd& end, std::uint64_t message_id) override;
    void wqe_complete(const transport::ConnectionEnd&, const transport::ObservedMessage&) override {}
    void recv_complete(const transport::ConnectionEnd&) override {}
    void qp_terminated(const transport::ConnectionEnd&) override {}

private:
    /// What the transport tells of a message.
    struct Transfer {
        packet::QpNumber qp{0};  // 0: not posted yet, they count from 1
        std::uint64_t repetitions{0};
    };

    void write(std::size_t index);

    CsvFile file_;
    const std::vector<workload::Message>& messages_;
    const std::vector<workload::MessageRecord>& records_;
    std::vector<std::uint32_t> mss_;
    workload::MessageIndex index_;
    std::vector<Transfer> transfers_;
};

}  // namespace mrcnic::record
