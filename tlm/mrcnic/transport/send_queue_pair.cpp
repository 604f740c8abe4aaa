#include "mrcnic/transport/send_queue_pair.h"

#include <algorithm>
#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::transport {

using packet::Opcode;
using packet::Psn;
using packet::psn_add;
using packet::psn_before;
using packet::psn_distance;

SendQueuePair::SendQueuePair(const Parameters& parameters, const AckPolicy& ack_policy, Destination& destination)
    : parameters_{parameters},
      ack_policy_{ack_policy},
      destination_{destination},
      window_{parameters.max_psn_range},
      gaps_{parameters.detects_gaps}
{
}

void SendQueuePair::post(const WorkRequest& request)
{
    messages_.push_back({request, 0, 0});
}

SendItem SendQueuePair::next_item() const
{
    if (repetitions_ > 0) {
        Psn psn = lowest_repetition_;
        const OutstandingPacket* packet = find(psn);
        while (packet == nullptr || !packet->awaits_retransmission) {
            psn = psn_add(psn, 1);
            packet = find(psn);
        }
        return {psn, packet->payload_bytes, true};
    }
    const SendMessage& current = messages_[segmenting_];
    const std::uint64_t left = current.request.bytes - current.segmented;
    return {next_psn_, static_cast<std::uint32_t>(std::min<std::uint64_t>(left, parameters_.mss)), false};
}

bool SendQueuePair::window_allows(Psn psn) const noexcept
{
    return psn_distance(psn_add(cumulative_, 1), psn) < static_cast<std::int32_t>(window_);
}

bool SendQueuePair::take_segment()
{
    make_room();
    SendMessage& current = messages_[segmenting_];
    const std::uint64_t left = current.request.bytes - current.segmented;
    const auto payload = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, parameters_.mss));
    OutstandingPacket& packet = slot(next_psn_);
    packet.reset();
    packet.payload_bytes = payload;
    packet.offset = current.segmented;
    packet.message = first_message_ + static_cast<std::uint32_t>(segmenting_);
    packet.outstanding = true;
    packet.in_flight = true;
    current.segmented += payload;
    const bool last = current.segmented == current.request.bytes;
    if (last) {
        current.last_psn = next_psn_;
        ++segmenting_;
    }
    next_psn_ = psn_add(next_psn_, 1);
    return last;
}

void SendQueuePair::make_room()
{
    const auto used = static_cast<std::size_t>(psn_distance(oldest_, next_psn_));
    if (used < packets_.size()) {
        return;
    }
    std::vector<OutstandingPacket> larger(packets_.empty() ? 16 : 2 * packets_.size());
    for (std::size_t i = 0; i < used; ++i) {
        const Psn psn = psn_add(oldest_, static_cast<std::int64_t>(i));
        larger[psn & (larger.size() - 1)] = std::move(slot(psn));
    }
    packets_ = std::move(larger);
}

void SendQueuePair::take_repetition(Psn psn)
{
    OutstandingPacket& packet = slot(psn);
    packet.awaits_retransmission = false;
    packet.in_flight = true;
    --repetitions_;
    lowest_repetition_ = psn;
}

std::uint32_t SendQueuePair::hand_off(Psn psn, std::uint16_t entropy)
{
    const std::uint32_t transmission = gaps_.add(psn);
    if (OutstandingPacket* packet = find(psn)) {
        packet->transmission_before = packet->transmission;
        packet->transmission = transmission;
        ++packet->transmissions;
        packet->entropy = entropy;
        packet->handed_down = packet->in_flight;
        packet->serialized = false;
    }
    return transmission;
}

void SendQueuePair::hear_received(const OutstandingPacket& packet, std::optional<bool> echo) noexcept
{
    if (packet.transmissions == 1) {
        gaps_.heard(packet.transmission);
    } else if (packet.transmissions == 2 && echo) {
        gaps_.heard(*echo ? packet.transmission : packet.transmission_before);
    }
}

std::optional<Psn> SendQueuePair::take_gap_loss(std::uint32_t threshold)
{
    return gaps_.take_lost(threshold, [this](Psn psn, std::uint32_t transmission) {
        const OutstandingPacket* packet = find(psn);
        if (packet == nullptr || packet->transmission != transmission || !packet->handed_down) {
            return GapDetector::Fate::settled;
        }
        return packet->serialized ? GapDetector::Fate::missing : GapDetector::Fate::queued;
    });
}

SegmentDescription SendQueuePair::describe(Psn psn) const
{
    const OutstandingPacket* packet = find(psn);
    invariant(packet != nullptr, "[TR-55] a packet was described that is not outstanding");
    const SendMessage& of = message(packet->message);
    SegmentDescription description;
    description.message_id = of.request.message_id;
    description.message_bytes = of.request.bytes;
    description.local_address = of.request.local_address + packet->offset;
    description.remote_address = of.request.remote_address + packet->offset;
    description.msn = static_cast<std::uint16_t>(packet->message);
    description.last_of_message = packet->offset + packet->payload_bytes == of.request.bytes;
    const bool first = packet->offset == 0;
    if (description.last_of_message) {
        description.opcode = first ? Opcode::write_only : Opcode::write_last;
    } else {
        description.opcode = first ? Opcode::write_first : Opcode::write_middle;
    }
    return description;
}

const OutstandingPacket* SendQueuePair::find(Psn psn) const noexcept
{
    const std::int32_t place = psn_distance(oldest_, psn);
    if (place < 0 || place >= psn_distance(oldest_, next_psn_)) {
        return nullptr;
    }
    const OutstandingPacket& packet = packets_[psn & (packets_.size() - 1)];
    return packet.outstanding ? &packet : nullptr;
}

OutstandingPacket* SendQueuePair::find(Psn psn) noexcept
{
    return const_cast<OutstandingPacket*>(static_cast<const SendQueuePair&>(*this).find(psn));
}

void SendQueuePair::queue_repetition(Psn psn, OutstandingPacket& packet)
{
    packet.in_flight = false;
    packet.handed_down = false;
    if (packet.awaits_retransmission) {
        return;
    }
    packet.awaits_retransmission = true;
    if (repetitions_ == 0 || psn_before(psn, lowest_repetition_)) {
        lowest_repetition_ = psn;
    }
    ++repetitions_;
}

void SendQueuePair::retire(Psn psn, OutstandingPacket& packet)
{
    if (packet.awaits_retransmission) {
        packet.awaits_retransmission = false;
        --repetitions_;
    }
    packet.outstanding = false;
    packet.in_flight = false;
    packet.handed_down = false;
    if (psn != oldest_) {
        return;
    }
    do {
        oldest_ = psn_add(oldest_, 1);
    } while (oldest_ != next_psn_ && !slot(oldest_).outstanding);
}

std::optional<WorkRequest> SendQueuePair::take_completed()
{
    if (segmenting_ == 0) {
        return std::nullopt;  // the front message, if any, is not cut to its end
    }
    const SendMessage& front = messages_.front();
    if (!psn_before(front.last_psn, oldest_)) {
        return std::nullopt;
    }
    ++first_message_;
    --segmenting_;
    return messages_.pop_front().request;
}

bool SendQueuePair::hear_cumulative(Psn cumulative) noexcept
{
    if (!psn_before(cumulative, next_psn_)) {
        return false;
    }
    if (psn_before(cumulative_, cumulative)) {
        cumulative_ = cumulative;
    }
    return true;
}

std::vector<std::uint64_t> SendQueuePair::fail()
{
    failed_ = true;
    std::vector<std::uint64_t> lost;
    while (!messages_.empty()) {
        lost.push_back(messages_.pop_front().request.message_id);
        ++first_message_;
    }
    segmenting_ = 0;
    repetitions_ = 0;
    oldest_ = next_psn_;
    return lost;
}

}  // namespace mrcnic::transport
