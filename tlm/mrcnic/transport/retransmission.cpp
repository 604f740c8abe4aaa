#include "mrcnic/transport/retransmission.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <systemc>

#include "mrcnic/base/report.h"

namespace mrcnic::transport {

using packet::Psn;
using packet::psn_add;

namespace {
/// A packet that was lost with more values in a row than this is not lost for the sake of its path: they are not blamed
/// any more. Without a limit a link that loses every second frame can lose a repetition and let its probe pass for ever
/// [MP-21].
constexpr std::uint32_t kExpiriesOfAPath = 6;
}  // namespace

Retransmission::Retransmission(SenderState& state, TransmitProcess& process, Prober& prober)
    : state_{state},
      context_{state.context},
      process_{process},
      prober_{prober},
      timers_{state.context.config.transport}
{
}

void Retransmission::on_sent(const packet::Frame& frame)
{
    SendQueuePair* queue_pair = state_.queue_pairs.find(frame.sender_qp);
    OutstandingPacket* packet = queue_pair != nullptr ? queue_pair->find(frame.bth.psn) : nullptr;
    if (packet == nullptr || packet->transmission != frame.transmission) {
        return;
    }
    packet->sent_at = context_.agenda.now();
    packet->serialized = true;
    if (packet->in_flight) {
        start_timer(*queue_pair, frame.bth.psn, *packet);
    }
}

bool Retransmission::is_stale(const RetransmitTimers::Timer& timer) const noexcept
{
    const SendQueuePair* queue_pair = state_.queue_pairs.find(timer.qp);
    const OutstandingPacket* packet = queue_pair != nullptr ? queue_pair->find(timer.psn) : nullptr;
    return packet == nullptr || !packet->in_flight || packet->transmission != timer.transmission;
}

void Retransmission::start_timer(const SendQueuePair& queue_pair, Psn psn, const OutstandingPacket& packet)
{
    const bool by_expiries = context_.config.transport.rto_backoff_counts == config::RtoBackoffCounts::expiries;
    const std::uint32_t count = by_expiries ? packet.expiries : packet.transmissions - 1;
    const Picoseconds now = context_.agenda.now();
    timers_.start(now, count, {0, queue_pair.number(), psn, packet.transmission},
                  [this](const RetransmitTimers::Timer& timer) { return is_stale(timer); });
    if (now + timers_.timeout(count) < armed_for_) {
        arm();
    }
}

// One entry for all timers: it finds out by itself which of them still matter.
void Retransmission::arm()
{
    const Picoseconds next =
        timers_.next_deadline([this](const RetransmitTimers::Timer& timer) { return is_stale(timer); });
    if (next != kNever && next != armed_for_) {
        armed_for_ = next;
        context_.agenda.at<&Retransmission::timers_due>(next, EventClass::timer, context_.place, *this);
    }
}

void Retransmission::timers_due()
{
    const Picoseconds now = context_.agenda.now();
    if (now != armed_for_) {
        return;
    }
    armed_for_ = kNever;
    RetransmitTimers::Timer timer;
    while (timers_.take_expired(now, timer, [this](const RetransmitTimers::Timer& t) { return is_stale(t); })) {
        expire(*state_.queue_pairs.find(timer.qp), timer.psn);
    }
    arm();
}

// [TR-87]
void Retransmission::expire(SendQueuePair& queue_pair, Psn psn)
{
    Destination& destination = queue_pair.destination();
    OutstandingPacket& packet = *queue_pair.find(psn);
    ++state_.counters.rto_fired;
    ++packet.expiries;
    destination.leave_flight(packet);
    destination.window().control().on_timeout(destination.nominal(packet.payload_bytes));  // [CC-41]
    if (packet.expiries <= kExpiriesOfAPath) {
        prober_.on_timeout(destination, packet.entropy);  // [MP-21]
    }
    queue_pair.queue_repetition(psn, packet);
    const std::uint32_t limit = context_.config.transport.max_retries;
    if (limit > 0 && packet.expiries > limit) {
        fail(queue_pair);
    }
    process_.put_at_head(destination);
    process_.start_now();
}

void Retransmission::on_answered(SendQueuePair& queue_pair)
{
    if (std::exchange(fails_after_answer_, false)) {
        fail(queue_pair);
    }
}

void Retransmission::fail(SendQueuePair& queue_pair)
{
    if (process_.is_asking_for(queue_pair)) {
        fails_after_answer_ = true;
        return;
    }
    for (Psn psn = queue_pair.oldest(); psn != queue_pair.next_psn(); psn = psn_add(psn, 1)) {
        if (const OutstandingPacket* packet = queue_pair.find(psn)) {
            queue_pair.destination().leave_flight(*packet);
        }
    }
    const std::string text = fmt::format("queue pair {} went into error after {} retries of one packet",
                                         queue_pair.number(), context_.config.transport.max_retries);
    SC_REPORT_WARNING(report_id::kTransport, text.c_str());
    for (const std::uint64_t id : queue_pair.fail()) {
        ++state_.counters.messages_failed;
        state_.completions->message_failed(id);
    }
}

}  // namespace mrcnic::transport
