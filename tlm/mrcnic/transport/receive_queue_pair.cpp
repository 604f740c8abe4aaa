#include "mrcnic/transport/receive_queue_pair.h"

#include <algorithm>

namespace mrcnic::transport {

using packet::Psn;
using packet::psn_add;
using packet::psn_before;
using packet::psn_distance;

namespace {
constexpr std::uint32_t kSackBlock = 64;              // PSNs a bitmap covers [TR-70]
constexpr std::uint64_t kMinimumTriggerBytes = 1024;  // each packet counts at least this [TR-67]
constexpr std::uint32_t kMprUnit = 128;               // PSNs [TR-16]

std::uint32_t ring_slots(std::uint32_t window)
{
    std::uint32_t slots = kSackBlock;
    while (slots < window) {
        slots *= 2;
    }
    return slots;
}
}  // namespace

ReceiveQueuePair::ReceiveQueuePair(const Parameters& parameters) : parameters_{parameters} {}

ReceiveQueuePair::Verdict ReceiveQueuePair::receive(Psn psn, std::uint32_t payload_bytes, bool last,
                                                    std::uint64_t message_id)
{
    if (parameters_.takes_every_frame) {
        expected_ = psn;
    }
    const std::int32_t ahead = psn_distance(expected_, psn);
    if (ahead < 0 || (ahead > 0 && recorded(psn))) {
        return Verdict::duplicate;
    }
    if (static_cast<std::uint32_t>(ahead) >= parameters_.window) {
        return Verdict::beyond_window;
    }
    received_bytes_ += payload_bytes;
    bytes_since_sack_ += std::max<std::uint64_t>(payload_bytes, kMinimumTriggerBytes);
    if (psn_before(highest_, psn)) {
        highest_ = psn;
    }
    if (last) {
        const auto place = std::find_if(pending_ends_.begin(), pending_ends_.end(),
                                        [psn](const PendingEnd& end) { return psn_before(psn, end.psn); });
        pending_ends_.insert(place, {psn, message_id});
    }
    if (ahead > 0) {
        record(psn);
        ++out_of_order_;
        return Verdict::out_of_order;
    }
    advance();
    complete_messages();
    return Verdict::in_order;
}

bool ReceiveQueuePair::recorded(Psn psn) const noexcept
{
    if (out_of_order_ == 0 || psn_before(highest_, psn)) {
        return false;
    }
    const std::size_t slot = psn & (bits_.size() * kSackBlock - 1);
    return (bits_[slot / kSackBlock] >> (slot % kSackBlock) & 1U) != 0;
}

void ReceiveQueuePair::record(Psn psn)
{
    if (bits_.empty()) {
        bits_.resize(ring_slots(parameters_.window) / kSackBlock);
    }
    const std::size_t slot = psn & (bits_.size() * kSackBlock - 1);
    bits_[slot / kSackBlock] |= std::uint64_t{1} << (slot % kSackBlock);
}

void ReceiveQueuePair::advance()
{
    expected_ = psn_add(expected_, 1);
    while (out_of_order_ > 0 && recorded(expected_)) {
        const std::size_t slot = expected_ & (bits_.size() * kSackBlock - 1);
        bits_[slot / kSackBlock] &= ~(std::uint64_t{1} << (slot % kSackBlock));
        --out_of_order_;
        expected_ = psn_add(expected_, 1);
    }
    if (psn_before(highest_, cumulative())) {
        highest_ = cumulative();
    }
}

void ReceiveQueuePair::complete_messages()
{
    std::size_t complete = 0;
    while (complete < pending_ends_.size() && psn_before(pending_ends_[complete].psn, expected_)) {
        completed_.push_back(pending_ends_[complete].message_id);
        ++messages_completed_;
        ++complete;
    }
    pending_ends_.erase(pending_ends_.begin(), pending_ends_.begin() + static_cast<std::ptrdiff_t>(complete));
}

std::optional<std::uint64_t> ReceiveQueuePair::take_completed()
{
    if (completed_taken_ == completed_.size()) {
        completed_.clear();
        completed_taken_ = 0;
        return std::nullopt;
    }
    return completed_[completed_taken_++];
}

bool ReceiveQueuePair::sack_triggered() const noexcept
{
    return parameters_.sack_trigger_bytes > 0 && bytes_since_sack_ >= parameters_.sack_trigger_bytes;
}

void ReceiveQueuePair::fill_sack(Psn psn, packet::Seth& seth, packet::CcState& cc_state)
{
    bytes_since_sack_ = 0;
    seth.cack_psn = cumulative();
    seth.ack_psn_offset = static_cast<std::int16_t>(std::max(psn_distance(seth.cack_psn, psn), -0x8000));
    seth.mpr = static_cast<std::uint8_t>(parameters_.window / kMprUnit);
    seth.bitmap = 0;
    cc_state.received_bytes = static_cast<std::uint32_t>(received_bytes_ / 256) & 0xFFFFFFU;
    cc_state.out_of_order_count = static_cast<std::uint16_t>(std::min(out_of_order_, 0x7FFFU));
    if (out_of_order_ == 0) {
        seth.sack_offset = 1;
        next_block_ = 0;
        return;
    }
    const auto last_block =
        static_cast<std::uint32_t>(psn_distance(expected_, highest_)) / kSackBlock;  // (highest - cack - 1) / 64
    const std::uint32_t block = next_block_ > last_block ? 0 : next_block_;
    next_block_ = block == last_block ? 0 : block + 1;
    seth.sack_offset = static_cast<std::int16_t>(1 + kSackBlock * block);
    seth.bitmap = block_from(psn_add(seth.cack_psn, seth.sack_offset));
}

// 64 bits of the ring. It holds whole blocks from E on, so the block does not go round into what is before E.
std::uint64_t ReceiveQueuePair::block_from(Psn base) const noexcept
{
    const std::size_t slot = base & (bits_.size() * kSackBlock - 1);
    const std::size_t word = slot / kSackBlock;
    const std::size_t shift = slot % kSackBlock;
    if (shift == 0) {
        return bits_[word];
    }
    const std::uint64_t above = bits_[(word + 1) & (bits_.size() - 1)];
    return bits_[word] >> shift | above << (kSackBlock - shift);
}

}  // namespace mrcnic::transport
