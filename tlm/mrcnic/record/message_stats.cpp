#include "mrcnic/record/message_stats.h"

#include <algorithm>
#include <utility>

#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

const std::vector<std::string_view> kColumns{"message_id",
                                             "src",
                                             "dst",
                                             "qp",
                                             "bytes",
                                             "posted_ns",
                                             "send_complete_ns",
                                             "wqe_complete_ns",
                                             "recv_complete_ns",
                                             "packets",
                                             "retransmissions",
                                             "goodput_Gbps"};

void add_instant(CsvFile& file, Picoseconds instant)
{
    instant == kNever ? file.empty_cell() : file.cell(nanoseconds(instant));
}

/// Packets that a message is cut into; one without payload still takes one [TR-10].
std::uint64_t packets_of(std::uint64_t bytes, std::uint32_t mss)
{
    return std::max<std::uint64_t>(1, (bytes + mss - 1) / mss);
}

}  // namespace

MessageStats::MessageStats(std::filesystem::path path, const std::vector<workload::Message>& messages,
                           const std::vector<workload::MessageRecord>& records, std::vector<std::uint32_t> mss)
    : file_{std::move(path), kColumns},
      messages_{messages},
      records_{records},
      mss_{std::move(mss)},
      index_{messages},
      transfers_(messages.size())
{
}

void MessageStats::wqe_created(const transport::ConnectionEnd& end, const transport::ObservedMessage& message)
{
    transfers_[index_.at(message.id)].qp = end.local_qp;
}

void MessageStats::packet_repeated(const transport::ConnectionEnd&, std::uint64_t message_id)
{
    ++transfers_[index_.at(message_id)].repetitions;
}

// [RC-72]
void MessageStats::finish()
{
    for (const auto& [id, index] : index_.by_id()) {
        if (!records_[index].is_complete()) {
            write(index);
        }
    }
    file_.close();
}

void MessageStats::write(std::size_t index)
{
    const workload::Message& message = messages_[index];
    const workload::MessageRecord& record = records_[index];
    const Transfer& transfer = transfers_[index];
    file_.cell(message.id).cell(message.source).cell(message.destination);
    transfer.qp == 0 ? file_.empty_cell() : file_.cell(transfer.qp);
    file_.cell(message.bytes);
    add_instant(file_, record.posted);
    add_instant(file_, record.send_complete);
    add_instant(file_, record.wqe_complete);
    add_instant(file_, record.recv_complete);
    file_.cell(packets_of(message.bytes, mss_[message.source])).cell(transfer.repetitions);
    if (record.recv_complete == kNever) {
        file_.empty_cell();
    } else {
        file_.cell(gbps(message.bytes, record.recv_complete - record.posted));  // [RC-71]
    }
    file_.end_row();
}

}  // namespace mrcnic::record
