#include "mrcnic/transport/queue_pair_table.h"

#include <algorithm>
#include <numeric>

#include "mrcnic/packet/wire_size.h"

namespace mrcnic::transport {

void QueuePairTable::open(packet::QpNumber number, packet::Address address)
{
    const config::TransportConfig& transport = context_.config.transport;
    Destination& destination = destination_for(address);
    if (queue_pairs_.size() <= number) {
        queue_pairs_.resize(number + 1);
    }
    const SendQueuePair::Parameters parameters{number, context_.config.mss, transport.max_psn_range,
                                               transport.sack_gap_threshold > 0};
    queue_pairs_[number] = std::make_unique<SendQueuePair>(parameters, AckPolicy{transport}, destination);
    destination.add(*queue_pairs_[number]);
}

Destination& QueuePairTable::destination_for(packet::Address address)
{
    const auto known = std::find_if(
        destinations_.begin(), destinations_.end(),
        [address](const std::unique_ptr<Destination>& destination) { return destination->address() == address; });
    if (known != destinations_.end() && groups()) {
        return **known;
    }
    const config::CongestionControlConfig& congestion = context_.config.congestion_control;
    const std::uint32_t nominal_header =
        congestion.nominal_header_bytes + (context_.stamps_frames() ? packet::kTsethBytes : 0U);
    const Nscc control{congestion,
                       context_.destination_rate,
                       context_.config.mss,
                       context_.config.mss + nominal_header,
                       context_.config.transport.trimming_enabled,
                       context_.agenda.now()};
    const CongestionWindow window{control, congestion.pass_through};
    const PathSelector paths{context_.config.paths, destinations_made_++};
    destinations_.push_back(std::make_unique<Destination>(address, nominal_header, window, paths));
    return *destinations_.back();
}

void QueuePairTable::erase(packet::QpNumber number)
{
    const Destination& destination = queue_pairs_[number]->destination();
    queue_pairs_[number].reset();
    if (groups() || !destination.is_empty()) {
        return;
    }
    const auto place =
        std::find_if(destinations_.begin(), destinations_.end(),
                     [&destination](const std::unique_ptr<Destination>& one) { return one.get() == &destination; });
    quick_adapts_gone_ += destination.window().control().quick_adapts();
    destinations_.erase(place);
}

std::uint64_t QueuePairTable::quick_adapts() const noexcept
{
    return std::accumulate(destinations_.begin(), destinations_.end(), quick_adapts_gone_,
                           [](std::uint64_t sum, const std::unique_ptr<Destination>& destination) {
                               return sum + destination->window().control().quick_adapts();
                           });
}

}  // namespace mrcnic::transport
