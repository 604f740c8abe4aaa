#include "mrcnic/record/monitor_selection.h"

#include <string>
#include <utility>

namespace mrcnic::record {

namespace {

const std::string kAll = "All";

}  // namespace

MonitorRules monitor_rules(const config::MonitorConfig& config)
{
    MonitorRules rules;
    rules.filters = config.enable_mrc_monitor;
    if (config.filter_on_node_id != kAll) {
        rules.node = static_cast<std::uint16_t>(packet::parse_number(config.filter_on_node_id, 0x10000).value());
    }
    if (config.filter_on_local_ip != kAll) {
        rules.local = packet::parse_address(config.filter_on_local_ip).value();
    }
    if (config.filter_on_remote_ip != kAll) {
        rules.remote = packet::parse_address(config.filter_on_remote_ip).value();
    }
    if (config.filter_on_qp != kAll) {
        rules.end = packet::parse_qp_end(config.filter_on_qp).value();
    }
    if (config.trigger_logging_on_rtt_enable) {
        rules.rtt = config.trigger_logging_on_rtt_threshold;
    }
    if (config.trigger_logging_on_cwind_pen) {
        rules.penalty = config.trigger_logging_on_cwind_pen_threshold;
    }
    rules.triggered_connections = config.triggered_logging_qp_limit;
    return rules;
}

MonitorSelection::MonitorSelection(std::vector<Nic> nics) : nics_{std::move(nics)}, ends_(nics_.size())
{
    for (std::size_t i = 0; i < nics_.size(); ++i) {
        nic_of_.emplace(nics_[i].address, i);
    }
}

MonitorSelection::State& MonitorSelection::state(std::size_t nic, packet::QpNumber qp)
{
    std::vector<State>& ends = ends_[nic];
    if (qp >= ends.size()) {
        ends.resize(qp + 1, State::unknown);
    }
    return ends[qp];
}

void MonitorSelection::hear_sack(std::size_t nic, const transport::ConnectionEnd& end, std::optional<Picoseconds> rtt,
                                 std::uint32_t penalty)
{
    const MonitorRules& rules = nics_[nic].rules;
    const bool slow = rules.rtt && rtt && *rtt >= *rules.rtt;
    const bool penalised = rules.penalty && penalty >= *rules.penalty;
    if ((slow || penalised) && triggered_ < rules.triggered_connections && !selects(nic, end)) {
        ++triggered_;
        select(nic, end);
    }
}

bool MonitorSelection::selects(std::size_t nic, const transport::ConnectionEnd& end)
{
    const State known = state(nic, end.local_qp);
    if (known != State::unknown) {
        return known == State::selected;
    }
    if (nics_[nic].rules.filters && matches(nics_[nic], end)) {
        select(nic, end);
        return true;
    }
    state(nic, end.local_qp) = State::refused;  // filters look at what never changes
    return false;
}

bool MonitorSelection::matches(const Nic& nic, const transport::ConnectionEnd& end)
{
    const MonitorRules& rules = nic.rules;
    const packet::QpEnd local{end.local_address, end.local_qp};
    const packet::QpEnd remote{end.remote_address, end.remote_qp};
    return (!rules.node || *rules.node == nic.node_id) && (!rules.local || *rules.local == local.address) &&
           (!rules.remote || *rules.remote == remote.address) &&
           (!rules.end || *rules.end == local || *rules.end == remote);
}

void MonitorSelection::select(std::size_t nic, const transport::ConnectionEnd& end)
{
    state(nic, end.local_qp) = State::selected;
    if (const auto peer = nic_of_.find(end.remote_address); peer != nic_of_.end()) {
        state(peer->second, end.remote_qp) = State::selected;
    }
}

}  // namespace mrcnic::record
