#include "mrcnic/record/messages_csv.h"

#include <utility>

#include "mrcnic/workload/message_index.h"

namespace mrcnic::record {

MessagesCsv::MessagesCsv(std::filesystem::path path)
    : file_{std::move(path),
            {"id", "src", "dst", "bytes", "start_ps", "wqe_complete_ps", "recv_complete_ps", "finish_ps"}}
{
}

void MessagesCsv::finish(const std::vector<workload::Message>& messages,
                         const std::vector<workload::MessageRecord>& records)
{
    const workload::MessageIndex index{messages};
    for (const auto& [id, i] : index.by_id()) {
        file_.cell(id).cell(messages[i].source).cell(messages[i].destination).cell(messages[i].bytes);
        file_.instant_cell(records[i].posted);
        file_.instant_cell(records[i].wqe_complete);
        file_.instant_cell(records[i].recv_complete);
        file_.instant_cell(records[i].finish());
        file_.end_row();
    }
    file_.close();
}

}  // namespace mrcnic::record
