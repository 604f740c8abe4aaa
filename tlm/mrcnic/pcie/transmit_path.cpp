#include "mrcnic/pcie/transmit_path.h"

#include <utility>

namespace mrcnic::pcie {

TransmitPath::TransmitPath(const Parameters& parameters) : parameters_{parameters}, clock_{parameters.rate} {}

CreditUnits TransmitPath::units(const Tlp& tlp, std::uint32_t first, std::uint32_t last) const noexcept
{
    return {std::uint64_t{last - first} * parameters_.cut.overhead,
            parameters_.cut.bytes_between(tlp.payload_bytes, first, last)};
}

void TransmitPath::submit(Picoseconds now, TlpRef tlp)
{
    advance(now);
    tlp->transfers = parameters_.cut.count(tlp->payload_bytes);
    (tlp->kind == TlpKind::memory_read ? waiting_reads_ : waiting_others_).push_back(std::move(tlp));
    admit(now);
    if (!on_wire_) {
        start_next(now);
    }
}

void TransmitPath::init_credits(Picoseconds now, CreditUnits limit)
{
    advance(now);
    ledger_.init(limit);
    if (!on_wire_) {
        start_next(now);
    }
}

void TransmitPath::update_credits(Picoseconds now, CreditUnits limit)
{
    advance(now);
    ledger_.update(limit);
    if (!on_wire_) {
        start_next(now);
    }
}

void TransmitPath::advance(Picoseconds now)
{
    while (on_wire_ && clock_.busy_until() <= now) {
        const Picoseconds end = clock_.busy_until();
        end_transfer();
        start_next(end);
        busy_.set(on_wire_, end);
    }
}

void TransmitPath::end_transfer()
{
    on_wire_ = false;
    if (!arrivals_.empty() && arrivals_.back().tlp.get() == wire_tlp_.get()) {
        ++arrivals_.back().transfers;
    } else {
        arrivals_.push_back({wire_tlp_, 1});
    }
    wire_tlp_.reset();
}

// [PC-9] What is on the link waits no longer: its room is free at the start, before waiting transfers are admitted.
void TransmitPath::start_next(Picoseconds now)
{
    if (buffer_.empty()) {
        return;
    }
    Tlp& tlp = *buffer_.front().tlp;
    const CreditUnits need = units(tlp, tlp.started, tlp.started + 1);
    header_credit_stall_.set(!ledger_.allows({need.header, 0}), now);
    data_credit_stall_.set(!ledger_.allows({0, need.data}), now);
    if (!ledger_.allows(need)) {
        return;
    }
    ledger_.consume(need);
    header_used_ -= need.header;
    data_used_ -= need.data;
    ++tlp.started;
    wire_tlp_ = buffer_.front().tlp;
    if (--buffer_.front().transfers == 0) {
        buffer_.pop_front();
    }
    clock_.start(now, need.header + need.data);
    on_wire_ = true;
    busy_.set(true, now);
    ++counters_.transfers;
    counters_.bytes += need.header + need.data;
    admit(now);
}

void TransmitPath::admit(Picoseconds now)
{
    while (has_waiting()) {
        RingQueue<TlpRef>& queue = waiting_reads_.empty() ? waiting_others_ : waiting_reads_;
        Tlp& tlp = *queue.front();
        if (!admit_one(tlp, now)) {
            return;
        }
        if (buffer_.empty() || buffer_.back().tlp.get() != &tlp) {
            buffer_.push_back({queue.front(), 0});
        }
        ++buffer_.back().transfers;
        if (tlp.admitted == tlp.transfers) {
            TlpRef done = queue.pop_front();
            if (done->reports_acceptance) {
                accepted_.push_back(std::move(done));
            }
        }
    }
}

bool TransmitPath::admit_one(Tlp& tlp, Picoseconds now)
{
    const CreditUnits room = units(tlp, tlp.admitted, tlp.admitted + 1);
    const bool header_fits = room.header <= parameters_.header_buffer - header_used_;
    const bool data_fits = room.data <= parameters_.data_buffer - data_used_;
    header_wait_.set(!header_fits, now);
    data_wait_.set(!data_fits, now);
    if (!header_fits || !data_fits) {
        return false;
    }
    header_used_ += room.header;
    data_used_ += room.data;
    ++tlp.admitted;
    return true;
}

// A train is right only where nobody waits to hear of an admission inside it and no credit can run out in it.
bool TransmitPath::must_step() const
{
    if (!parameters_.trains || (!waiting_others_.empty() && waiting_others_.front()->reports_acceptance)) {
        return true;
    }
    const Tlp& tlp = *wire_tlp_;
    return tlp.admitted != tlp.transfers || !ledger_.allows(units(tlp, tlp.started, tlp.transfers));
}

Picoseconds TransmitPath::next_event() const
{
    if (!on_wire_) {
        return kNever;
    }
    if (must_step()) {
        return clock_.busy_until();
    }
    // Read requests may stand between the transfers of a write [PC-9]; then the TLP's own end is not the next thing.
    const Tlp& tlp = *wire_tlp_;
    const bool whole = tlp.started == tlp.transfers ||
                       (buffer_.front().tlp.get() == &tlp && buffer_.front().transfers == tlp.transfers - tlp.started);
    if (!whole) {
        return clock_.busy_until();
    }
    const CreditUnits rest = units(tlp, tlp.started, tlp.transfers);
    return clock_.end_after(rest.header + rest.data);
}

}  // namespace mrcnic::pcie
