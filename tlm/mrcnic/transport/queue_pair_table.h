#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/send_queue_pair.h"
#include "mrcnic/transport/transport_context.h"

namespace mrcnic::transport {

/// The sending ends of a NIC by their numbers, and the destinations that they belong to [TR-2, TR-45].
class QueuePairTable {
public:
    explicit QueuePairTable(const TransportContext& context) noexcept : context_{context} {}

    /// Creates a queue pair; it joins the destination of its address, or is one by itself
    /// (`DestinationGroupsEnabled`).
    void open(packet::QpNumber number, packet::Address address);
    /// Deletes a queue pair that has left its destination; one that was a destination by itself takes it along.
    void erase(packet::QpNumber number);
    /// Quick Adapt firings of all destinations that there are and were [RC-60.51].
    [[nodiscard]] std::uint64_t quick_adapts() const noexcept;
    /// Null if there is none.
    [[nodiscard]] SendQueuePair* find(packet::QpNumber number) const noexcept
    {
        return number < queue_pairs_.size() ? queue_pairs_[number].get() : nullptr;
    }

private:
    [[nodiscard]] bool groups() const noexcept { return context_.config.transport.destination_groups_enabled; }
    [[nodiscard]] Destination& destination_for(packet::Address address);

    const TransportContext& context_;
    std::vector<std::unique_ptr<SendQueuePair>> queue_pairs_;  // by number
    std::vector<std::unique_ptr<Destination>> destinations_;
    std::uint32_t destinations_made_{0};
    std::uint64_t quick_adapts_gone_{0};  // of destinations that were erased
};

}  // namespace mrcnic::transport
