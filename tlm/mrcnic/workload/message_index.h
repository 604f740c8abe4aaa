#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mrcnic/base/report.h"
#include "mrcnic/workload/message.h"

namespace mrcnic::workload {

/// Finds messages by the id that completions name. Ids are any positive numbers; nothing is hashed or allocated.
class MessageIndex {
public:
    explicit MessageIndex(const std::vector<Message>& messages)
    {
        entries_.reserve(messages.size());
        for (std::size_t i = 0; i < messages.size(); ++i) {
            entries_.emplace_back(messages[i].id, i);
        }
        std::sort(entries_.begin(), entries_.end());
    }

    /// Index of the message with this id, which must exist.
    [[nodiscard]] std::size_t at(std::uint64_t id) const
    {
        // Readers mostly number from 1: then the id tells the place.
        if (id - 1 < entries_.size() && entries_[id - 1].first == id) {
            return entries_[id - 1].second;
        }
        const auto found = std::lower_bound(entries_.begin(), entries_.end(), std::pair{id, std::size_t{0}});
        invariant(found != entries_.end() && found->first == id, "[WL-16] a completion names an unknown message");
        return found->second;
    }
    /// Indices of all messages in the order of their ids.
    [[nodiscard]] const std::vector<std::pair<std::uint64_t, std::size_t>>& by_id() const noexcept { return entries_; }

private:
    std::vector<std::pair<std::uint64_t, std::size_t>> entries_;
};

}  // namespace mrcnic::workload
