#pragma once

#include <filesystem>
#include <vector>

#include "mrcnic/record/csv_file.h"
#include "mrcnic/workload/director.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::record {

/// The file messages.csv: what became of every message, ordered by id [RC-92].
///
/// Begun before the run, so that a folder that cannot be written is no surprise after it.
class MessagesCsv {
public:
    /// @throws OutputError
    explicit MessagesCsv(std::filesystem::path path);

    /// Writes a row for each message; instants that have not come are empty. @param records  one for each message
    /// @throws OutputError
    void finish(const std::vector<workload::Message>& messages, const std::vector<workload::MessageRecord>& records);
    /// The end for a platform without messages. @throws OutputError
    void finish() { file_.close(); }

private:
    CsvFile file_;
};

}  // namespace mrcnic::record
