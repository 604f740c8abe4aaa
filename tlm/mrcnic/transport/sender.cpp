#include "mrcnic/transport/sender.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"
#include "mrcnic/packet/timestamp.h"

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::Psn;
using packet::psn_add;
using packet::psn_distance;
using packet::QpNumber;

namespace {
/// From a posting that finds the transmit process idle to its pass [TR-5, TR-52].
constexpr Picoseconds kPassDelay = 15'000;
constexpr std::uint32_t kMprUnit = 128;  // PSNs [TR-16]
constexpr std::uint32_t kBitmapBits = 64;
}  // namespace

Sender::Sender(TransportContext& context, CompletionSink*& completions)
    : context_{context},
      completions_{completions},
      dscp_{context.config.transport.dscp},
      queue_pairs_{context},
      timers_{context.config.transport}
{
}

// ---------------------------------------------------------------------------------------- queue pairs and postings

void Sender::open(QpNumber number, packet::Address address)
{
    queue_pairs_.open(number, address);
}

void Sender::connect(QpNumber number, QpNumber peer)
{
    if (SendQueuePair* queue_pair = queue_pairs_.find(number)) {
        queue_pair->connect(peer);
    }
}

void Sender::close(QpNumber number)
{
    SendQueuePair* queue_pair = queue_pairs_.find(number);
    if (queue_pair == nullptr) {
        return;
    }
    if (is_asked_for(*queue_pair)) {
        closes_after_answer_ = true;
        return;
    }
    Destination& destination = queue_pair->destination();
    destination.remove(*queue_pair);
    if (!destination.has_work()) {
        ready_.remove(destination);
    }
    queue_pairs_.erase(number);
}

const SendQueuePair* Sender::queue_pair(QpNumber number) const noexcept
{
    return queue_pairs_.find(number);
}

// [TR-5]
void Sender::post(const WorkRequest& request)
{
    SendQueuePair* queue_pair = queue_pairs_.find(request.qp);
    invariant(queue_pair != nullptr, "[TR-3] a message was posted to a queue pair that is not open");
    ++counters_.messages_posted;
    if (queue_pair->has_failed()) {
        ++counters_.messages_failed;
        completions_->message_failed(request.message_id);  // [TR-87]
        return;
    }
    queue_pair->post(request);
    ready_.put_at_tail(queue_pair->destination());
    if (!start_pending_ && !stopped_) {
        start_pending_ = true;
        context_.agenda.at<&Sender::delayed_pass>(context_.agenda.now() + kPassDelay, EventClass::delayed_pass,
                                                  context_.place, *this);
    }
}

// ---------------------------------------------------------------------------------------------- passes and turns

void Sender::delayed_pass()
{
    start_pending_ = false;
    run_pass();
}

void Sender::next_turn()
{
    turn_pending_ = false;
    run_pass();
}

void Sender::on_wake()
{
    refusal_stands_ = false;
    if (stopped_) {
        run_pass();
    }
}

// [TR-50, TR-52] An acknowledgement or a timer puts its destination at the head and starts a pass at once.
void Sender::start_again(Destination* destination)
{
    if (destination != nullptr && destination->has_work()) {
        ready_.put_at_head(*destination);
    }
    if (refusal_stands_) {
        refusal_stands_ = false;
        context_.outlet.kick(*request_);
    }
    run_pass();
}

// [TR-46, TR-47, TR-49, TR-51, TR-53] Turns until the pool, the windows or the work end.
void Sender::run_pass()
{
    if (asked_ || turn_pending_) {
        return;  // a pass is under way and will see what changed
    }
    while (Destination* destination = ready_.head()) {
        const std::optional<Destination::Choice> choice = destination->choose();
        if (!choice) {
            ready_.remove(*destination);
            continue;
        }
        if (!ask_for_room(*choice)) {
            return;
        }
        take_turn(*choice);
        if (turn_pending_) {
            return;
        }
    }
    stopped_ = false;
    request_.reset();
}

bool Sender::ask_for_room(const Destination::Choice& choice)
{
    if (!request_) {
        request_ = context_.frames.make();
    } else if (request_->bth.retransmission) {
        request_->reset();  // it was refused, and another packet may ask now
    }
    Frame& frame = *request_;
    frame.kind = FrameKind::data;
    frame.traffic_class = packet::TrafficClass::data;
    frame.payload_bytes = choice.item.payload_bytes;
    frame.wire_bytes = packet::data_wire_bytes(choice.item.payload_bytes, context_.stamps_frames());
    if (choice.item.retransmission) {
        // Now, as an acknowledgement may come before the answer: a repetition with room is sent all the same [TR-56].
        fill_repetition(frame, *choice.queue_pair, choice.item.psn);
    }
    switch (context_.outlet.reserve(frame)) {
        case FrameOutlet::Answer::granted:
            return true;
        case FrameOutlet::Answer::refused:
            refused();
            return false;
        case FrameOutlet::Answer::later:
            asked_ = choice;
            return false;
    }
    return false;
}

// [TR-51] The destination stays at the head; nothing smaller is tried.
void Sender::refused()
{
    if (!stopped_) {
        ++counters_.stalls;
    }
    stopped_ = true;
    refusal_stands_ = true;
}

void Sender::on_answer(bool granted)
{
    if (!asked_) {
        return;
    }
    const Destination::Choice choice = *std::exchange(asked_, std::nullopt);
    granted ? take_turn(choice) : refused();
    end_after_answer(*choice.queue_pair);
    if (granted) {
        run_pass();
    }
}

bool Sender::is_asked_for(const SendQueuePair& queue_pair) const noexcept
{
    return asked_ && asked_->queue_pair == &queue_pair;
}

// A grant must be used: the queue pair it was asked for lives until it comes.
void Sender::end_after_answer(SendQueuePair& queue_pair)
{
    if (std::exchange(fails_after_answer_, false)) {
        fail(queue_pair);
    }
    if (std::exchange(closes_after_answer_, false)) {
        close(queue_pair.number());
    }
}

void Sender::take_turn(const Destination::Choice& choice)
{
    SendQueuePair& queue_pair = *choice.queue_pair;
    Destination& destination = queue_pair.destination();
    refusal_stands_ = false;
    destination.has_sent(queue_pair);
    if (choice.item.retransmission) {
        repeat(queue_pair, choice.item.psn);
    } else {
        send_segment(queue_pair);
    }
    ready_.remove(destination);
    if (destination.has_work()) {
        ready_.put_at_tail(destination);
    }
    const Picoseconds turn_time = context_.config.transport.turn_time;
    if (turn_time > 0) {
        turn_pending_ = true;
        context_.agenda.at<&Sender::next_turn>(context_.agenda.now() + turn_time, EventClass::delayed_pass,
                                               context_.place, *this);
    }
}

// [TR-55, TR-90]
void Sender::send_segment(SendQueuePair& queue_pair)
{
    const Psn psn = queue_pair.next_psn();
    const bool last = queue_pair.take_segment();
    const packet::FrameRef frame = std::move(request_);
    Destination& destination = queue_pair.destination();
    destination.window().add_in_flight(destination.nominal(frame->payload_bytes));
    fill_frame(*frame, queue_pair, psn);
    context_.outlet.fetch(*frame);
    if (last) {
        completions_->send_complete(frame->message_id);
    }
}

// [TR-56] The NIC rebuilds a repetition itself: nothing is fetched.
void Sender::repeat(SendQueuePair& queue_pair, Psn psn)
{
    const packet::FrameRef frame = std::move(request_);
    if (queue_pair.find(psn) != nullptr) {
        queue_pair.take_repetition(psn);
        Destination& destination = queue_pair.destination();
        destination.window().add_in_flight(destination.nominal(frame->payload_bytes));
    }
    ++counters_.retransmissions;
    hand_off(*frame);
}

void Sender::fill_frame(Frame& frame, SendQueuePair& queue_pair, Psn psn) const
{
    const SegmentDescription segment = queue_pair.describe(psn);
    frame.message_id = segment.message_id;
    frame.local_address = segment.local_address;
    frame.sender_qp = queue_pair.number();
    frame.network.source = context_.address;
    frame.network.destination = queue_pair.destination().address();
    frame.network.udp_destination = context_.config.transport.udp_destination_port;
    frame.bth.opcode = segment.opcode;
    frame.bth.destination_qp = queue_pair.peer_number();
    frame.bth.timestamp = context_.stamps_frames();
    frame.bth.psn = psn;
    frame.meth.msn = segment.msn;
    frame.reth.virtual_address = segment.remote_address;
    frame.reth.dma_length = frame.payload_bytes;
}

void Sender::fill_repetition(Frame& frame, SendQueuePair& queue_pair, Psn psn) const
{
    fill_frame(frame, queue_pair, psn);
    frame.bth.retransmission = true;
    const OutstandingPacket* packet = queue_pair.find(psn);
    frame.payload.assign(packet->payload.begin(), packet->payload.end());
}

// [TR-55, TR-57] Headers, entropy value and DSCP; then it joins the data queue, nothing is checked again.
void Sender::hand_off(Frame& frame)
{
    const config::TransportConfig& transport = context_.config.transport;
    const bool repeated = frame.bth.retransmission;
    frame.network.dscp = repeated && transport.use_distinct_dscp_for_retransmit ? dscp_.trimmable_rtx
                         : transport.trimming_enabled                           ? dscp_.trimmable
                                                                                : dscp_.no_trim;
    frame.uid = context_.make_uid();
    ++counters_.data_sent;
    if (SendQueuePair* queue_pair = queue_pairs_.find(frame.sender_qp)) {
        frame.transmission = queue_pair->hand_off(frame.bth.psn);
        frame.network.udp_source = queue_pair->destination().paths().next();
        const bool last =
            frame.bth.opcode == packet::Opcode::write_only || frame.bth.opcode == packet::Opcode::write_last;
        frame.bth.ack_request = queue_pair->ack_policy().request(last, repeated);
        if (!repeated && context_.payload_mode == config::PayloadMode::bytes) {
            keep_payload(frame, *queue_pair);
        }
    }
    context_.outlet.submit(frame);
}

void Sender::keep_payload(Frame& frame, SendQueuePair& queue_pair)
{
    frame.payload.resize(frame.payload_bytes);  // a fetch that failed brought nothing: zeros go in its place
    if (OutstandingPacket* packet = queue_pair.find(frame.bth.psn)) {
        packet->payload.assign(frame.payload.begin(), frame.payload.end());
    }
}

void Sender::on_sent(const Frame& frame)
{
    SendQueuePair* queue_pair = queue_pairs_.find(frame.sender_qp);
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

// ------------------------------------------------------------------------------------------------ acknowledgements

// [TR-73] In this order.
void Sender::on_sack(const Frame& frame)
{
    ++counters_.sacks_received;
    const packet::Seth& sack = frame.seth;
    SendQueuePair* queue_pair = queue_pairs_.find(frame.bth.destination_qp);
    if (queue_pair == nullptr || !queue_pair->hear_cumulative(sack.cack_psn)) {
        ++counters_.invalid_received;
        start_again(nullptr);
        return;
    }
    const Psn psn = psn_add(sack.cack_psn, sack.ack_psn_offset);
    if (!sack.probe_response) {
        sample_sack(frame, queue_pair->find(psn));
    }
    if (sack.mpr > 0) {
        queue_pair->hear_window(sack.mpr * kMprUnit);
    }
    retire_through(*queue_pair, sack.cack_psn);
    if (!sack.probe_response) {
        retire(*queue_pair, psn);
    }
    for (std::uint32_t i = 0; sack.bitmap >> i != 0; ++i) {
        if ((sack.bitmap >> i & 1U) != 0) {
            retire(*queue_pair, psn_add(sack.cack_psn, std::int64_t{sack.sack_offset} + i));
        }
        if (i + 1 == kBitmapBits) {
            break;
        }
    }
    Destination& destination = queue_pair->destination();
    report_completions(*queue_pair);
    start_again(&destination);
}

void Sender::on_ack(const Frame& frame)
{
    ++counters_.acks_received;
    SendQueuePair* queue_pair = queue_pairs_.find(frame.bth.destination_qp);
    if (queue_pair == nullptr || !queue_pair->hear_cumulative(frame.bth.psn)) {
        ++counters_.invalid_received;
        start_again(nullptr);
        return;
    }
    retire_through(*queue_pair, frame.bth.psn);
    Destination& destination = queue_pair->destination();
    report_completions(*queue_pair);
    start_again(&destination);
}

// [TR-81, TR-82] Anything else than a live packet is ignored, but for the pass.
void Sender::on_nack(const Frame& frame)
{
    ++counters_.nacks_received;
    const packet::Neth& nack = frame.neth;
    SendQueuePair* queue_pair = queue_pairs_.find(frame.bth.destination_qp);
    OutstandingPacket* packet = queue_pair != nullptr ? queue_pair->find(nack.nack_psn) : nullptr;
    if (packet == nullptr || packet->transmissions == 0) {
        ++counters_.invalid_received;
        start_again(queue_pair != nullptr ? &queue_pair->destination() : nullptr);
        return;
    }
    const bool trimmed =
        nack.reason == packet::NackReason::trimmed || nack.reason == packet::NackReason::trimmed_lasthop;
    const bool latest = nack.retransmission_echo == (packet->transmissions > 1);
    if (trimmed) {
        sample_by_record(frame, packet, nack.retransmission_echo);
    }
    if (!packet->awaits_retransmission && ((trimmed && latest) || nack.reason == packet::NackReason::psn_oor_window)) {
        leave_flight(*queue_pair, *packet);
        queue_pair->queue_repetition(nack.nack_psn, *packet);
    }
    start_again(&queue_pair->destination());
}

// [CC-14]
void Sender::sample_sack(const Frame& frame, const OutstandingPacket* packet)
{
    if (context_.stamps_frames()) {
        const std::uint16_t stamp = frame.cc_state.reflected_timestamp;
        rtt_.add(packet::time_since_timestamp(stamp, context_.agenda.now()) - frame.service_time);
    } else {
        sample_by_record(frame, packet, frame.seth.retransmission_echo);
    }
}

// [CC-13] Only where it is sure which transmission was acknowledged. All that a trim has: its stamp was cut off
// [SW-31].
void Sender::sample_by_record(const Frame& frame, const OutstandingPacket* packet, bool repeated)
{
    if (packet != nullptr && packet->serialized && packet->transmissions == (repeated ? 2U : 1U)) {
        rtt_.add(context_.agenda.now() - packet->sent_at - frame.service_time);
    }
}

void Sender::retire_through(SendQueuePair& queue_pair, Psn cumulative)
{
    for (Psn psn = queue_pair.oldest(); psn != queue_pair.next_psn() && psn_distance(psn, cumulative) >= 0;
         psn = psn_add(psn, 1)) {
        retire(queue_pair, psn);
    }
}

void Sender::retire(SendQueuePair& queue_pair, Psn psn)
{
    if (OutstandingPacket* packet = queue_pair.find(psn)) {
        leave_flight(queue_pair, *packet);
        queue_pair.retire(psn, *packet);
    }
}

void Sender::leave_flight(SendQueuePair& queue_pair, const OutstandingPacket& packet)
{
    if (packet.in_flight) {
        Destination& destination = queue_pair.destination();
        destination.window().remove_in_flight(destination.nominal(packet.payload_bytes));
    }
}

void Sender::report_completions(SendQueuePair& queue_pair)
{
    const QpNumber number = queue_pair.number();
    // A completion may close the queue pair [TR-3].
    for (SendQueuePair* open = &queue_pair; open != nullptr; open = queue_pairs_.find(number)) {
        const std::optional<std::uint64_t> id = open->take_completed();
        if (!id) {
            return;
        }
        ++counters_.messages_completed;
        completions_->wqe_complete(*id);
    }
}

// ---------------------------------------------------------------------------------------------------------- timers

bool Sender::is_stale(const RetransmitTimers::Timer& timer) const noexcept
{
    const SendQueuePair* queue_pair = queue_pairs_.find(timer.qp);
    const OutstandingPacket* packet = queue_pair != nullptr ? queue_pair->find(timer.psn) : nullptr;
    return packet == nullptr || !packet->in_flight || packet->transmission != timer.transmission;
}

void Sender::start_timer(const SendQueuePair& queue_pair, Psn psn, const OutstandingPacket& packet)
{
    const bool by_expiries = context_.config.transport.rto_backoff_counts == config::RtoBackoffCounts::expiries;
    const std::uint32_t count = by_expiries ? packet.expiries : packet.transmissions - 1;
    const Picoseconds now = context_.agenda.now();
    timers_.start(now, count, {0, queue_pair.number(), psn, packet.transmission},
                  [this](const RetransmitTimers::Timer& timer) { return is_stale(timer); });
    if (now + timers_.timeout(count) < timers_armed_for_) {
        arm_timers();
    }
}

// One entry for all timers: it finds out by itself which of them still matter.
void Sender::arm_timers()
{
    const Picoseconds next =
        timers_.next_deadline([this](const RetransmitTimers::Timer& timer) { return is_stale(timer); });
    if (next != kNever && next != timers_armed_for_) {
        timers_armed_for_ = next;
        context_.agenda.at<&Sender::timers_due>(next, EventClass::timer, context_.place, *this);
    }
}

void Sender::timers_due()
{
    const Picoseconds now = context_.agenda.now();
    if (now != timers_armed_for_) {
        return;
    }
    timers_armed_for_ = kNever;
    RetransmitTimers::Timer timer;
    while (timers_.take_expired(now, timer, [this](const RetransmitTimers::Timer& t) { return is_stale(t); })) {
        expire(*queue_pairs_.find(timer.qp), timer.psn);
    }
    arm_timers();
}

// [TR-87]
void Sender::expire(SendQueuePair& queue_pair, Psn psn)
{
    Destination& destination = queue_pair.destination();
    OutstandingPacket& packet = *queue_pair.find(psn);
    ++counters_.rto_fired;
    ++packet.expiries;
    leave_flight(queue_pair, packet);
    queue_pair.queue_repetition(psn, packet);
    const std::uint32_t limit = context_.config.transport.max_retries;
    if (limit > 0 && packet.expiries > limit) {
        fail(queue_pair);
    }
    start_again(&destination);
}

void Sender::fail(SendQueuePair& queue_pair)
{
    if (is_asked_for(queue_pair)) {
        fails_after_answer_ = true;
        return;
    }
    for (Psn psn = queue_pair.oldest(); psn != queue_pair.next_psn(); psn = psn_add(psn, 1)) {
        if (const OutstandingPacket* packet = queue_pair.find(psn)) {
            leave_flight(queue_pair, *packet);
        }
    }
    const std::string text = fmt::format("queue pair {} went into error after {} retries of one packet",
                                         queue_pair.number(), context_.config.transport.max_retries);
    SC_REPORT_WARNING(report_id::kTransport, text.c_str());
    for (const std::uint64_t id : queue_pair.fail()) {
        ++counters_.messages_failed;
        completions_->message_failed(id);
    }
}

}  // namespace mrcnic::transport
