#include "mrcnic/workload/load.h"

#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/workload/connection_matrix.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/message_list.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

using Reader = Workload (*)(std::string_view, const std::string&, std::uint32_t);

Reader reader_of(const std::string& file)
{
    const std::string suffix = std::filesystem::path{file}.extension().string();
    if (suffix == ".cm") {
        return read_connection_matrix;
    }
    if (suffix == ".csv") {
        return read_message_list;
    }
    throw InputError{file,
                     {{0, 0,
                       fmt::format("the suffix {} names no kind of workload; allowed are .cm (connection matrix) "
                                   "and .csv (message list)",
                                   in_quotes(suffix))}}};
}

}  // namespace

Workload load_workload(const config::WorkloadConfig& config, std::uint32_t nic_count)
{
    if (config.file.empty()) {
        return make_single(config, nic_count);
    }
    const Reader read = reader_of(config.file);
    return read(read_text_file(config.file), config.file, nic_count);
}

Workload make_single(const config::WorkloadConfig& config, std::uint32_t nic_count)
{
    for (const auto& [path, nic] :
         {std::pair{"workload.Source", config.source}, std::pair{"workload.Destination", config.destination}}) {
        if (nic >= nic_count) {
            throw InputError{path, {{0, 0, outside_fabric(nic, nic_count)}}};
        }
    }
    if (config.source == config.destination) {
        throw InputError{"workload.Destination",
                         {{0, 0, fmt::format("source and destination are both NIC {}", config.source)}}};
    }

    Message message;
    message.id = 1;
    message.source = config.source;
    message.destination = config.destination;
    message.bytes = config.message_bytes;
    Workload workload;
    workload.messages.push_back(message);
    return workload;
}

void require_no_failures(const Workload& workload)
{
    ProblemList problems{workload.file};
    for (const Failure& failure : workload.failures) {
        problems.add(failure.line, failure.column, "failure lines need a fabric with leaf and spine switches");
    }
    problems.throw_if_any();
}

}  // namespace mrcnic::workload
