#include "mrcnic/packet/frame_checker.h"

#include <algorithm>

#include <fmt/format.h>

namespace mrcnic::packet {
namespace {

constexpr std::size_t kUsualTransactions = 512;

constexpr std::array<ProtocolRule, static_cast<std::size_t>(FrameRule::count)> kRules{{
    {"FP-1", "a frame in a call is referenced"},
    {"FP-2", "a frame has wire_bytes above 0"},
    {"FP-3", "a frame keeps wire_bytes, kind and class while a transaction on it is open"},
    {"FP-4", "a call has a phase that its hop has in its direction"},
    {"FP-5", "a call is answered in one of the ways that its phase has on the hop"},
    {"FP-6", "only the wire annotates a delay"},
    {"FP-7", "BEGIN_REQ, FETCHED and WRITE carry the whole payload or none of it"},
    {"FP-8", "a frame has one transaction at a time on a hop"},
    {"FP-9", "every transaction ends"},
    {"FP-10", "one request of a class is open at a time"},
    {"FP-11", "GRANT and REFUSE answer an open request, once"},
    {"FP-12", "WAKE carries the frame of its class that was refused last"},
    {"FP-13", "KICK comes after a REFUSE of its class"},
    {"FP-14", "a frame is handed over after its grant, once"},
    {"FP-15", "SENT ends a BEGIN_REQ, once"},
    {"FP-16", "a port has one frame at a time"},
    {"FP-17", "last bits arrive in the order of the calls"},
    {"FP-18", "FETCHED ends a FETCH, once, in their order"},
    {"FP-19", "ACCEPTED ends a WRITE, once, in their order"},
}};

// In the order of FrameChecker::Step.
constexpr std::array<const char*, 12> kStepNames{"BEGIN_REQ", "RESERVE", "GRANT",    "REFUSE",
                                                 "WAKE",      "KICK",    "SENT",     "FETCH",
                                                 "FETCHED",   "WRITE",   "ACCEPTED", "another phase"};

constexpr std::size_t index_of(TrafficClass traffic_class) noexcept
{
    return static_cast<std::size_t>(traffic_class);
}

}  // namespace

const ProtocolRule& rule_of(FrameRule rule) noexcept
{
    return kRules[static_cast<std::size_t>(rule)];
}

FrameChecker::FrameChecker(const sc_core::sc_module_name& name, Hop hop) : ProtocolChecker<Frame>{name}, hop_{hop}
{
    open_.reserve(kUsualTransactions);
}

FrameChecker::Step FrameChecker::step_of(const tlm::tlm_phase& phase)
{
    struct Entry {
        unsigned phase;
        Step step;
    };
    static const std::array<Entry, 11> kSteps{{{tlm::BEGIN_REQ, Step::begin},
                                               {phase::RESERVE, Step::reserve},
                                               {phase::GRANT, Step::grant},
                                               {phase::REFUSE, Step::refuse},
                                               {phase::WAKE, Step::wake},
                                               {phase::KICK, Step::kick},
                                               {phase::SENT, Step::sent},
                                               {phase::FETCH, Step::fetch},
                                               {phase::FETCHED, Step::fetched},
                                               {phase::WRITE, Step::write},
                                               {phase::ACCEPTED, Step::accepted}}};
    const unsigned number = phase;
    const auto* entry =
        std::find_if(kSteps.begin(), kSteps.end(), [number](const Entry& e) { return e.phase == number; });
    return entry == kSteps.end() ? Step::other : entry->step;
}

const char* FrameChecker::name_of(Step step) noexcept
{
    return kStepNames[static_cast<std::size_t>(step)];
}

void FrameChecker::forward_called(Frame& frame, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
{
    const Step step = step_of(phase);
    check_frame(frame, step, delay);
    if (step == Step::begin && hop_ != Hop::host) {
        begin(frame, delay);
    } else if (step == Step::reserve && hop_ == Hop::reservation) {
        reserve(frame);
    } else if (step == Step::kick && hop_ == Hop::reservation) {
        kick(frame);
    } else if (step == Step::fetch && hop_ == Hop::host) {
        open(frame, State::fetching, step);
    } else if (step == Step::write && hop_ == Hop::host) {
        open(frame, State::writing, step);
    } else if (step != Step::accepted || hop_ != Hop::delivery) {
        broken(FrameRule::phase, step, frame);
    }
}

void FrameChecker::backward_called(Frame& frame, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
{
    const Step step = step_of(phase);
    check_frame(frame, step, delay);
    const bool transmits = hop_ == Hop::reservation || hop_ == Hop::queue || hop_ == Hop::port;
    if (step == Step::sent && transmits) {
        sent(frame);
    } else if ((step == Step::grant || step == Step::refuse) && hop_ == Hop::reservation) {
        answer_request(frame, step);
    } else if (step == Step::wake && hop_ == Hop::reservation) {
        wake(frame);
    } else if (step == Step::fetched && hop_ == Hop::host) {
        end_oldest(frame, State::fetching, FrameRule::fetch_order, step);
    } else if (step == Step::accepted && hop_ == Hop::host) {
        end_oldest(frame, State::writing, FrameRule::write_order, step);
    } else {
        broken(FrameRule::phase, step, frame);
    }
}

void FrameChecker::forward_returned(Frame& frame, const tlm::tlm_phase& called, Status status,
                                    const tlm::tlm_phase& returned)
{
    const Step step = step_of(called);
    const Step answer = step_of(returned);
    if (!is_answer(step, status, answer)) {
        broken(FrameRule::answer, step, frame);
    } else if (status == tlm::TLM_UPDATED && step == Step::reserve) {
        answer_request(frame, answer);
    } else if (status == tlm::TLM_UPDATED && step == Step::write) {
        end_oldest(frame, State::writing, FrameRule::write_order, answer);
    }
}

void FrameChecker::backward_returned(Frame& frame, const tlm::tlm_phase& called, Status status, const tlm::tlm_phase&)
{
    if (status == tlm::TLM_UPDATED) {
        broken(FrameRule::answer, step_of(called), frame);
    }
}

bool FrameChecker::is_answer(Step called, Status status, Step returned) const noexcept
{
    const bool updated = status == tlm::TLM_UPDATED;
    switch (called) {
        case Step::begin:
            if (is_wire() || hop_ == Hop::delivery) {
                return status == tlm::TLM_COMPLETED || (hop_ == Hop::delivery && updated && returned == Step::write);
            }
            return status == tlm::TLM_ACCEPTED;
        case Step::reserve:
            return status == tlm::TLM_ACCEPTED || (updated && (returned == Step::grant || returned == Step::refuse));
        case Step::fetch:
            return status == tlm::TLM_ACCEPTED;
        case Step::write:
            return status == tlm::TLM_ACCEPTED || (updated && returned == Step::accepted);
        default:
            return !updated;
    }
}

void FrameChecker::check_frame(const Frame& frame, Step step, const sc_core::sc_time& delay)
{
    if (frame.references() == 0) {
        broken(FrameRule::referenced, step, frame);
    }
    if (frame.wire_bytes == 0) {
        broken(FrameRule::sized, step, frame);
    }
    if (delay != sc_core::SC_ZERO_TIME && !is_wire()) {
        broken(FrameRule::delay, step, frame);
    }
    const bool carries_payload = step == Step::begin || step == Step::fetched || step == Step::write;
    if (carries_payload && !frame.payload.empty() && frame.payload.size() != frame.payload_bytes) {
        broken(FrameRule::payload, step, frame);
    }
    check_unchanged(frame, step);
}

void FrameChecker::check_unchanged(const Frame& frame, Step step)
{
    const auto transaction = find(frame);
    if (transaction == open_.end()) {
        return;
    }
    // A reservation needs a size and a class only; what the frame becomes is settled at its hand-over.
    const bool reserving = transaction->state == State::requested || transaction->state == State::granted;
    if (transaction->wire_bytes != frame.wire_bytes || transaction->traffic_class != frame.traffic_class ||
        (!reserving && transaction->kind != frame.kind)) {
        broken(FrameRule::unchanged, step, frame);
    }
}

void FrameChecker::begin(const Frame& frame, const sc_core::sc_time& delay)
{
    switch (hop_) {
        case Hop::reservation:
            hand_over(frame);
            break;
        case Hop::wire:
        case Hop::link_end:
            arrive(frame, delay);
            break;
        case Hop::delivery:
            count_transaction();
            break;
        default:
            if (hop_ == Hop::port && !open_.empty()) {
                broken(FrameRule::port_holds_one, Step::begin, frame);
            }
            open(frame, State::sending, Step::begin);
    }
}

void FrameChecker::hand_over(const Frame& frame)
{
    const auto transaction = find(frame);
    if (transaction == open_.end() || transaction->state != State::granted) {
        broken(FrameRule::granted_first, Step::begin, frame);
        return;
    }
    transaction->state = State::sending;
    transaction->kind = frame.kind;
}

void FrameChecker::arrive(const Frame& frame, const sc_core::sc_time& delay)
{
    count_transaction();
    const sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    if (arrival < last_arrival_ && hop_ == Hop::wire) {
        broken(FrameRule::arrival_order, Step::begin, frame);
    }
    last_arrival_ = arrival;
}

void FrameChecker::reserve(const Frame& frame)
{
    bool& request_open = request_open_[index_of(frame.traffic_class)];
    if (request_open) {
        broken(FrameRule::one_request, Step::reserve, frame);
    }
    request_open = true;
    open(frame, State::requested, Step::reserve);
}

void FrameChecker::kick(const Frame& frame)
{
    if (last_refused_[index_of(frame.traffic_class)] == nullptr) {
        broken(FrameRule::kick_after_refuse, Step::kick, frame);
    }
}

void FrameChecker::wake(const Frame& frame)
{
    if (last_refused_[index_of(frame.traffic_class)] != &frame) {
        broken(FrameRule::wake_after_refuse, Step::wake, frame);
    }
}

void FrameChecker::answer_request(const Frame& frame, Step answer)
{
    const auto transaction = find(frame);
    if (transaction == open_.end() || transaction->state != State::requested) {
        broken(FrameRule::request_answered, answer, frame);
        return;
    }
    const std::size_t traffic_class = index_of(transaction->traffic_class);
    request_open_[traffic_class] = false;
    if (answer == Step::grant) {
        transaction->state = State::granted;
    } else {
        if (frame.kind != FrameKind::probe) {
            last_refused_[traffic_class] = &frame;  // a probe is not waited for [MP-23]
        }
        open_.erase(transaction);
    }
}

void FrameChecker::sent(const Frame& frame)
{
    const auto transaction = find(frame);
    if (transaction == open_.end() || transaction->state != State::sending) {
        broken(FrameRule::sent_once, Step::sent, frame);
        return;
    }
    open_.erase(transaction);
}

void FrameChecker::end_oldest(const Frame& frame, State state, FrameRule rule, Step step)
{
    const auto in_state = [state](const Transaction& transaction) { return transaction.state == state; };
    const auto oldest = std::find_if(open_.begin(), open_.end(), in_state);
    if (oldest == open_.end() || oldest->frame != &frame) {
        broken(rule, step, frame);
    }
    const auto transaction = find(frame);
    if (transaction != open_.end() && transaction->state == state) {
        open_.erase(transaction);
    }
}

void FrameChecker::open(const Frame& frame, State state, Step step)
{
    if (find(frame) != open_.end()) {
        broken(FrameRule::one_transaction, step, frame);
        return;
    }
    count_transaction();
    open_.push_back({&frame, frame.wire_bytes, frame.kind, frame.traffic_class, state});
}

FrameChecker::Transactions::iterator FrameChecker::find(const Frame& frame) noexcept
{
    const auto is_it = [&frame](const Transaction& transaction) { return transaction.frame == &frame; };
    return std::find_if(open_.begin(), open_.end(), is_it);
}

void FrameChecker::broken(FrameRule rule, Step step, const Frame& frame)
{
    ProtocolChecker<Frame>::broken(
        rule_of(rule), fmt::format("{} of frame {} of {} bytes", name_of(step), frame.uid, frame.wire_bytes));
}

void FrameChecker::check_finished()
{
    if (!open_.empty()) {
        const Transaction& oldest = open_.front();
        ProtocolChecker<Frame>::broken(
            rule_of(FrameRule::ends),
            fmt::format("{} open at the end, the oldest with a frame of {} bytes", open_.size(), oldest.wire_bytes));
    }
}

}  // namespace mrcnic::packet
