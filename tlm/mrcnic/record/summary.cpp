#include "mrcnic/record/summary.h"

#include <algorithm>
#include <variant>

#include <nlohmann/json.hpp>

#include "mrcnic/base/report.h"
#include "mrcnic/record/rates.h"

namespace mrcnic::record {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json messages_json(const MessageTotals& totals)
{
    return {{"posted", totals.posted},
            {"completed", totals.completed},
            {"bytes", totals.bytes},
            {"first_start_ps", or_null(totals.first_start)},
            {"last_finish_ps", or_null(totals.last_finish)},
            {"goodput_bps", or_null(totals.goodput_bps)}};
}

Json& section_of(Json& object, std::string section)
{
    std::replace(section.begin(), section.end(), '.', '/');
    return object[Json::json_pointer{"/" + section}];
}

Json nic_json(const NicSource& nic)
{
    Json object{{"name", nic.name}};
    for (const StatisticSource& source : nic.statistics) {
        Json& section = section_of(object, source.section);
        for (const Statistic* statistic : statistics_of(source)) {
            section[statistic->name] = std::visit([](auto value) { return Json(value); }, statistic->read());
        }
    }
    return object;
}

Json ranks_json(const std::vector<RankSource>& ranks)
{
    Json list = Json::array();
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        list.push_back({{"rank", rank},
                        {"nic", ranks[rank].nic},
                        {"end_ps", ranks[rank].end == kNever ? Json(nullptr) : Json(ranks[rank].end)}});
    }
    return list;
}

}  // namespace

MessageTotals message_totals(const std::vector<workload::Message>& messages,
                             const std::vector<workload::MessageRecord>& records)
{
    MessageTotals totals;
    std::uint64_t received_bytes = 0;
    Picoseconds last_received = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const workload::MessageRecord& record = records[i];
        if (record.posted == kNever) {
            continue;
        }
        ++totals.posted;
        totals.first_start = std::min(totals.first_start.value_or(kNever), record.posted);
        if (record.recv_complete != kNever) {
            received_bytes += messages[i].bytes;
            last_received = std::max(last_received, record.recv_complete);
        }
        if (record.is_complete()) {
            ++totals.completed;
            totals.bytes += messages[i].bytes;
            totals.last_finish = std::max(totals.last_finish.value_or(0), record.finish());
        }
    }
    if (received_bytes > 0 && last_received > *totals.first_start) {
        totals.goodput_bps = bits_per_second(received_bytes, last_received - *totals.first_start);
    }
    return totals;
}

std::vector<const Statistic*> statistics_of(const StatisticSource& source)
{
    std::vector<const Statistic*> statistics;
    for (const Statistic& statistic : source.group->statistics()) {
        if (source.only.empty() || statistic.name == source.only) {
            statistics.push_back(&statistic);
        }
    }
    invariant(!statistics.empty(), "a statistic of the summary does not exist");
    return statistics;
}

std::string summary_json(const Summary& summary)
{
    Json nics = Json::array();
    for (const NicSource& nic : summary.nics) {
        nics.push_back(nic_json(nic));
    }
    Json object{{"version", summary.version},
                {"platform", summary.platform},
                {"seed", summary.seed},
                {"config_digest", summary.config_digest},
                {"outcome", summary.outcome},
                {"sim_time_ps", summary.sim_time},
                {"wall_s", summary.wall_s},
                {"cpu_s", summary.cpu_s},
                {"kernel_events", summary.kernel_events},
                {"data_packets", summary.data_packets},
                {"messages", messages_json(summary.messages)}};
    if (!summary.ranks.empty()) {
        object["ranks"] = ranks_json(summary.ranks);
    }
    object["nics"] = std::move(nics);
    return object.dump(2) + "\n";
}

}  // namespace mrcnic::record
