#include "mrcnic/transport/prober.h"

#include <utility>

#include "mrcnic/packet/wire_size.h"

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;

namespace {
constexpr std::uint32_t kIdMask = 0xFFFF;
/// Probes that may still be answered: half of what ids can tell apart.
constexpr std::size_t kRemembered = 0x8000;
}  // namespace

void Prober::on_timeout(Destination& destination, std::uint16_t entropy)
{
    if (destination.paths().on_timeout(entropy)) {
        schedule({&destination, entropy, true, destination.paths().times_bad(entropy)});
    }
}

void Prober::on_bad(Destination& destination, std::uint32_t entropy)
{
    if (destination.paths().assume_bad(entropy)) {
        schedule({&destination, static_cast<std::uint16_t>(entropy), true, destination.paths().times_bad(entropy)});
    }
}

void Prober::on_posting(Destination& destination)
{
    if (context_.config.paths.base_rtt_probe_enable) {
        probe({&destination, 0, false, 0});
    }
}

// [MP-22] One interval from now.
void Prober::schedule(const Target& target)
{
    if (stopped_) {
        return;
    }
    due_.push_back({context_.agenda.now() + context_.config.paths.ev_probe_interval, target});
    arm();
}

void Prober::stop()
{
    stopped_ = true;
    due_.clear();
}

void Prober::arm()
{
    if (!due_.empty() && armed_for_ == kNever) {
        armed_for_ = due_.front().when;
        context_.agenda.at<&Prober::probes_due>(armed_for_, EventClass::probe, context_.place, *this);
    }
}

void Prober::probes_due()
{
    while (!due_.empty() && due_.front().when <= context_.agenda.now()) {
        const Target target = due_.pop_front().target;
        if (is_wanted(target)) {
            probe(target);
        }
    }
    armed_for_ = kNever;
    arm();
}

bool Prober::is_wanted(const Target& target)
{
    if (target.destination == nullptr) {
        return false;
    }
    const PathSelector& paths = target.destination->paths();
    return !target.tests_path || (paths.is_bad(target.entropy) && paths.times_bad(target.entropy) == target.times_bad);
}

// [MP-23] A value that stays bad is probed again after another interval, whatever becomes of this probe [MP-22].
void Prober::probe(Target target)
{
    if (target.tests_path) {
        schedule(target);
    }
    if (process_.is_asking() || asked_ || target.destination->first_queue_pair() == nullptr) {
        conclude(target, false);
        return;
    }
    request_ = context_.frames.make();
    build(*request_, target);
    const FrameOutlet::Answer answer = context_.outlet.reserve(*request_);
    if (answer == FrameOutlet::Answer::later) {
        asked_ = target;
        process_.hold(true);
    } else {
        conclude(target, answer == FrameOutlet::Answer::granted);
    }
}

void Prober::build(Frame& frame, Target& target)
{
    Destination& destination = *target.destination;
    const SendQueuePair& queue_pair = *destination.first_queue_pair();
    if (!target.tests_path) {
        target.entropy = destination.paths().next();
    }
    frame.kind = FrameKind::probe;
    frame.traffic_class = packet::TrafficClass::data;
    frame.wire_bytes = packet::kProbeWireBytes;
    frame.sender_qp = queue_pair.number();
    frame.network.source = context_.address;
    frame.network.destination = destination.address();
    frame.network.dscp = context_.config.transport.dscp.no_trim;  // [TR-35]
    frame.network.udp_source = target.entropy;
    frame.network.udp_destination = context_.config.transport.udp_destination_port;
    frame.bth.opcode = packet::Opcode::probe;
    frame.bth.destination_qp = queue_pair.peer_number();
}

// The room is there, or the probe is not built: one for a path has its next turn already.
void Prober::conclude(const Target& target, bool granted)
{
    const packet::FrameRef frame = std::move(request_);
    if (!granted) {
        if (!target.tests_path) {
            schedule(target);
        }
        return;
    }
    const auto id = static_cast<std::uint16_t>(next_id_++ & kIdMask);
    frame->uid = context_.make_uid();
    frame->bth.psn = id;  // [TR-34]
    frame->peth.probe_id = id;
    sent_.push_back({target, -1, false});
    if (sent_.size() > kRemembered) {
        sent_.pop_front();
        ++first_id_;
    }
    ++state_.counters.probes_sent;
    context_.outlet.submit(*frame);
}

void Prober::on_answer(bool granted)
{
    if (!asked_) {
        return;
    }
    conclude(*std::exchange(asked_, std::nullopt), granted);
    process_.hold(false);
    process_.run_pass();
}

Prober::Sent* Prober::find(std::uint32_t probe_id)
{
    const std::uint32_t place = (probe_id - first_id_) & kIdMask;
    return place < sent_.size() ? &sent_[place] : nullptr;
}

void Prober::on_sent(const Frame& frame)
{
    if (Sent* probe = find(frame.peth.probe_id)) {
        probe->sent_at = context_.agenda.now();
    }
}

std::optional<Picoseconds> Prober::on_probe_answer(const Frame& frame)
{
    ++state_.counters.probe_acks_received;
    Sent* probe = find(static_cast<std::uint16_t>(frame.seth.ack_psn_offset));
    if (probe == nullptr || probe->answered || probe->sent_at < 0) {
        return std::nullopt;
    }
    probe->answered = true;
    const Picoseconds rtt = context_.agenda.now() - probe->sent_at - frame.service_time;
    if (probe->target.tests_path && is_wanted(probe->target) && frame.seth.mark < 2) {
        probe->target.destination->paths().on_probe_answer(probe->target.entropy, frame.seth.mark == 1);
    }
    while (!sent_.empty() && sent_.front().answered) {
        sent_.pop_front();
        ++first_id_;
    }
    return rtt;
}

void Prober::forget(const Destination& destination)
{
    const auto clear = [&destination](Target& target) {
        if (target.destination == &destination) {
            target.destination = nullptr;
        }
    };
    for (std::size_t i = 0; i < due_.size(); ++i) {
        clear(due_[i].target);
    }
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        clear(sent_[i].target);
    }
    if (asked_) {
        clear(*asked_);
    }
}

}  // namespace mrcnic::transport
