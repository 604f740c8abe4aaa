#include "mrcnic/workload/trigger_board.h"

namespace mrcnic::workload {

TriggerBoard::TriggerBoard(const Workload& workload)
{
    states_.reserve(workload.triggers.size());
    for (const Trigger& trigger : workload.triggers) {
        states_.push_back({trigger.kind, trigger.kind == TriggerKind::barrier ? trigger.count : 1});
    }
    for (std::size_t i = 0; i < workload.messages.size(); ++i) {
        if (workload.messages[i].start_kind == StartKind::trigger) {
            states_[workload.messages[i].trigger].messages.push_back(i);
        }
    }
}

bool TriggerBoard::fire(std::size_t trigger, std::vector<std::size_t>& started)
{
    State& state = states_[trigger];
    const std::uint64_t firing = state.firings++;
    if (state.kind == TriggerKind::multishot) {
        if (firing < state.messages.size()) {
            started.push_back(state.messages[firing]);
        }
        return true;
    }
    if (firing + 1 == state.count) {
        started.insert(started.end(), state.messages.begin(), state.messages.end());
    }
    return firing < state.count;
}

}  // namespace mrcnic::workload
