#include "mrcnic/pcie/transmit_path.h"

#include <algorithm>
#include <utility>

namespace mrcnic::pcie {

namespace {
/// Keeps the bits of a train within the clock's range.
constexpr std::uint32_t kLongestTrain = 1024;
}  // namespace

TransmitPath::TransmitPath(const Parameters& parameters) : parameters_{parameters}, clock_{parameters.rate} {}

CreditUnits TransmitPath::units(const Tlp& tlp, std::uint32_t first, std::uint32_t last) const noexcept
{
    return {std::uint64_t{last - first} * parameters_.cut.overhead,
            parameters_.cut.bytes_between(tlp.payload_bytes, first, last)};
}

bool TransmitPath::fits(CreditUnits room) const noexcept
{
    return room.header <= parameters_.header_buffer - header_used_ && room.data <= parameters_.data_buffer - data_used_;
}

void TransmitPath::submit(Picoseconds now, TlpRef tlp)
{
    finish_trains(now);
    tlp->transfers = parameters_.cut.count(tlp->payload_bytes);
    const CreditUnits room = units(*tlp, 0, tlp->transfers);
    if (!has_waiting() && fits(room)) {
        enter_buffer(tlp, tlp->transfers, room);
    } else {
        step(now);
        waiting_reporters_ += tlp->reports_acceptance ? 1U : 0U;
        (tlp->kind == TlpKind::memory_read ? waiting_reads_ : waiting_others_).push_back(std::move(tlp));
        admit(now);
    }
    if (!on_wire_) {
        start_train(now);
    }
}

void TransmitPath::init_credits(Picoseconds now, CreditUnits limit)
{
    finish_trains(now);
    ledger_.init(limit);
    if (!on_wire_) {
        start_train(now);
    }
}

void TransmitPath::update_credits(Picoseconds now, CreditUnits limit)
{
    finish_trains(now);
    ledger_.update(limit);
    if (!on_wire_) {
        start_train(now);
    }
}

void TransmitPath::advance(Picoseconds now)
{
    finish_trains(now);
    step(now);
}

Picoseconds TransmitPath::next_event() const
{
    if (!on_wire_) {
        return kNever;
    }
    // Who waits for room wants to hear of it when it comes, at a start inside the train.
    return waiting_reporters_ > 0 && train_started_ < train_length_ ? next_inner_start() : clock_.busy_until();
}

void TransmitPath::finish_trains(Picoseconds now)
{
    while (on_wire_ && clock_.busy_until() <= now) {
        const Picoseconds end = clock_.busy_until();
        if (has_waiting()) {
            step(end);
        }
        end_train();
        start_train(end);
        busy_.set(on_wire_, end);
    }
}

// Only a train whose credits are there starts as a whole: no credit can run out in it.
void TransmitPath::start_train(Picoseconds now)
{
    if (buffer_.empty()) {
        return;
    }
    Run& run = buffer_.front();
    Tlp& tlp = *run.tlp;
    std::uint32_t length = parameters_.trains ? std::min(run.transfers, kLongestTrain) : 1;
    CreditUnits need = units(tlp, tlp.started, tlp.started + length);
    if (length > 1 && !ledger_.allows(need)) {
        length = 1;
        need = units(tlp, tlp.started, tlp.started + 1);
    }
    const bool allowed = ledger_.allows(need);
    if (!allowed || credit_stalled_) {
        header_credit_stall_.set(!ledger_.allows({need.header, 0}), now);
        data_credit_stall_.set(!ledger_.allows({0, need.data}), now);
        credit_stalled_ = !allowed;
    }
    if (!allowed) {
        return;
    }
    ledger_.consume(need);
    clock_.start(now, need.header + need.data);
    on_wire_ = true;
    busy_.set(true, now);
    wire_tlp_ = run.tlp;
    train_first_ = tlp.started;
    train_length_ = length;
    train_started_ = 0;
    tlp.started += length;
    run.transfers -= length;
    if (run.transfers == 0) {
        buffer_.pop_front();
    }
    // [PC-9] What is on the link waits no longer: its room is free at the start, before waiting transfers are admitted.
    // Where none waits, `step` works it out when somebody asks.
    if (has_waiting()) {
        leave_buffer(1);
        admit(now);
    }
}

void TransmitPath::end_train()
{
    leave_buffer(train_length_ - train_started_);
    on_wire_ = false;
    if (!arrivals_.empty() && arrivals_.back().tlp.get() == wire_tlp_.get()) {
        arrivals_.back().transfers += train_length_;
    } else {
        arrivals_.push_back({wire_tlp_, train_length_});
    }
    wire_tlp_.reset();
}

// Works out the starts inside the train up to `now`, and whom their room lets in.
void TransmitPath::step(Picoseconds now)
{
    while (on_wire_ && train_started_ < train_length_) {
        const Picoseconds start = next_inner_start();
        if (start > now) {
            return;
        }
        leave_buffer(1);
        admit(start);
    }
}

Picoseconds TransmitPath::next_inner_start() const
{
    const CreditUnits rest = units(*wire_tlp_, train_first_ + train_started_, train_first_ + train_length_);
    return clock_.end_before(rest.header + rest.data);
}

void TransmitPath::leave_buffer(std::uint32_t transfers)
{
    const std::uint32_t first = train_first_ + train_started_;
    const CreditUnits room = units(*wire_tlp_, first, first + transfers);
    header_used_ -= room.header;
    data_used_ -= room.data;
    counters_.transfers += transfers;
    counters_.bytes += room.header + room.data;
    train_started_ += transfers;
}

// [PC-9] While a read request waits, nothing else is admitted.
void TransmitPath::admit(Picoseconds now)
{
    while (has_waiting()) {
        RingQueue<TlpRef>& queue = waiting_reads_.empty() ? waiting_others_ : waiting_reads_;
        const TlpRef tlp = queue.front();
        const std::uint32_t count = admissible(*tlp, now);
        if (count == 0) {
            return;
        }
        if (count == tlp->transfers - tlp->admitted) {
            queue.pop_front();
            waiting_reporters_ -= tlp->reports_acceptance ? 1U : 0U;
        }
        enter_buffer(tlp, count, units(*tlp, tlp->admitted, tlp->admitted + count));
    }
}

// All that is left of the TLP if it fits, else as much as does, transfer by transfer.
std::uint32_t TransmitPath::admissible(const Tlp& tlp, Picoseconds now)
{
    std::uint32_t count = tlp.transfers - tlp.admitted;
    bool header_fits = true;
    bool data_fits = true;
    if (!fits(units(tlp, tlp.admitted, tlp.transfers))) {
        const CreditUnits one = units(tlp, tlp.admitted, tlp.admitted + 1);
        header_fits = fits({one.header, 0});
        data_fits = fits({0, one.data});
        count = header_fits && data_fits ? 1 : 0;
    }
    header_wait_.set(!header_fits, now);
    data_wait_.set(!data_fits, now);
    return count;
}

void TransmitPath::enter_buffer(const TlpRef& tlp, std::uint32_t transfers, CreditUnits room)
{
    header_used_ += room.header;
    data_used_ += room.data;
    tlp->admitted += transfers;
    if (buffer_.empty() || buffer_.back().tlp.get() != tlp.get()) {
        buffer_.push_back({tlp, 0});
    }
    buffer_.back().transfers += transfers;
    if (tlp->admitted == tlp->transfers && tlp->reports_acceptance) {
        accepted_.push_back(tlp);
    }
}

}  // namespace mrcnic::pcie
