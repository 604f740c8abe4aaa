#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Counts the firings of a workload's triggers and tells which messages they start [WL-20].
class TriggerBoard {
public:
    explicit TriggerBoard(const Workload& workload);

    /// Fires a trigger once; puts the messages that start now behind `started`, in file order.
    /// @return false if it may not fire again: a oneshot a second time, a barrier after it has started its messages
    [[nodiscard]] bool fire(std::size_t trigger, std::vector<std::size_t>& started);

private:
    struct State {
        TriggerKind kind;
        std::uint64_t count;
        std::uint64_t firings{0};
        std::vector<std::size_t> messages{};
    };

    std::vector<State> states_;
};

}  // namespace mrcnic::workload
