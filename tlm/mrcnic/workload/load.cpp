#include "mrcnic/workload/load.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/config/index_list.h"
#include "mrcnic/workload/chakra_trace.h"
#include "mrcnic/workload/collective.h"
#include "mrcnic/workload/connection_matrix.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/message_list.h"
#include "mrcnic/workload/poisson_arrivals.h"
#include "mrcnic/workload/size_distribution.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

/// NICs of an attribute that lists them.
std::vector<std::uint32_t> nics_of(const std::string& path, const std::string& text, std::uint32_t nic_count)
{
    auto nics = config::parse_index_list(text, nic_count);
    if (!nics) {
        throw InputError{path, {{0, 0, nics.error}}};
    }
    return *std::move(nics.value);
}

Workload load_flows(const config::WorkloadConfig& config, std::uint32_t nic_count,
                    const std::vector<BitsPerSecond>& link_rates, std::uint64_t seed)
{
    const SizeDistribution sizes = read_size_distribution(read_text_file(config.file), config.file);
    ArrivalParameters parameters;
    parameters.load = config.load;
    parameters.sources = nics_of("workload.Sources", config.sources, nic_count);
    std::sort(parameters.sources.begin(), parameters.sources.end());
    parameters.link_rates = link_rates;
    parameters.link_rates.resize(nic_count, config::NicConfig{}.data_rate);
    parameters.run_time = config.run_time;
    parameters.message_count = config.message_count;
    parameters.seed = seed;
    return make_poisson_arrivals(sizes, parameters, config.file);
}

Workload load_trace(const config::WorkloadConfig& config, std::uint32_t nic_count)
{
    TraceOptions options;
    options.nics = nics_of("workload.Ranks", config.ranks, nic_count);
    options.all_used = config.ranks != "all";
    options.compute_shares = config.trace_family != config::TraceFamily::collected;
    options.serializes_groups = config.process_group_serialization;
    options.barrier_before_collectives = config.comm_collective_synchronization;
    options.all_to_all_in_turn = config.all_to_all_schedule == config::AllToAllSchedule::in_turn;
    return read_trace(read_trace_files(config.file), options);
}

CollectiveKind collective_of(config::Generator generator)
{
    switch (generator) {
        case config::Generator::all_gather:
            return CollectiveKind::all_gather;
        case config::Generator::reduce_scatter:
            return CollectiveKind::reduce_scatter;
        case config::Generator::all_to_all:
            return CollectiveKind::all_to_all;
        case config::Generator::broadcast:
            return CollectiveKind::broadcast;
        case config::Generator::barrier:
            return CollectiveKind::barrier;
        default:
            return CollectiveKind::all_reduce;
    }
}

}  // namespace

Workload load_workload(const config::WorkloadConfig& config, std::uint32_t nic_count,
                       const std::vector<BitsPerSecond>& link_rates, std::uint64_t seed)
{
    if (config.file.empty()) {
        return config.generator == config::Generator::single ? make_single(config, nic_count)
                                                             : make_collective(config, nic_count);
    }
    const std::string suffix = std::filesystem::path{config.file}.extension().string();
    if (suffix == ".cm") {
        return read_connection_matrix(read_text_file(config.file), config.file, nic_count);
    }
    if (suffix == ".csv") {
        return read_message_list(read_text_file(config.file), config.file, nic_count);
    }
    if (suffix == ".cdf") {
        return load_flows(config, nic_count, link_rates, seed);
    }
    if (suffix == ".json") {
        return load_trace(config, nic_count);
    }
    throw InputError{config.file,
                     {{0, 0,
                       fmt::format("the suffix {} names no kind of workload; allowed are .cm (connection matrix), .csv "
                                   "(message list), .cdf (flow sizes) and .json (execution trace)",
                                   in_quotes(suffix))}}};
}

Workload load_workload(const config::Config& config)
{
    std::vector<BitsPerSecond> link_rates;
    for (const config::NicConfig& nic : config.nics) {
        link_rates.push_back(nic.data_rate);
    }
    return load_workload(config.workload, config.nic_count(), link_rates, config.simulation.seed);
}

Workload make_collective(const config::WorkloadConfig& config, std::uint32_t nic_count)
{
    Collective collective;
    collective.kind = collective_of(config.generator);
    collective.bytes = config.message_bytes;
    collective.nics = nics_of("workload.Ranks", config.ranks, nic_count);
    collective.in_turn = config.all_to_all_schedule == config::AllToAllSchedule::in_turn;
    if (collective.kind == CollectiveKind::broadcast) {
        const auto root = std::find(collective.nics.begin(), collective.nics.end(), config.source);
        if (root == collective.nics.end()) {
            throw InputError{"workload.Source", {{0, 0, "the root of a broadcast is one of workload.Ranks"}}};
        }
        collective.root = static_cast<std::size_t>(root - collective.nics.begin());
    }
    Workload workload;
    expand(collective, {}, workload);
    return workload;
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
