#include "mrcnic/workload/director.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"

namespace mrcnic::workload {

namespace {

/// `delay` after `time`, at the latest at the end of the model's time.
Picoseconds later(Picoseconds time, Picoseconds delay)
{
    return delay < kNever - time ? time + delay : kNever - 1;
}

}  // namespace

/// One NIC as the director sees it: takes its completions and holds the messages that it has to post.
class Director::Endpoint final : public transport::CompletionSink {
public:
    Endpoint(Director& director, std::uint32_t nic) : director_{director}, nic_{nic} {}

    void send_complete(std::uint64_t message_id) override { director_.send_complete(nic_, message_id); }
    void wqe_complete(std::uint64_t message_id) override { director_.wqe_complete(nic_, message_id); }
    void recv_complete(std::uint64_t message_id) override { director_.recv_complete(nic_, message_id); }
    void message_failed(std::uint64_t message_id) override { director_.message_failed(nic_, message_id); }

    /// Has `message` posted at `when`.
    void post_at(Picoseconds when, std::size_t message);
    /// Deletes a QP end in this instant, but not inside the call in which it completes a message.
    void close_soon(packet::QpNumber qp);

private:
    struct Waiting {
        Picoseconds when;
        std::size_t message;

        // For the heap of the standard library, whose front is the greatest. The index is the order of the file [WL-4].
        bool operator<(const Waiting& other) const noexcept
        {
            return when != other.when ? when > other.when : message > other.message;
        }
    };

    void arm();
    void post_due();
    void close_due();

    Director& director_;
    std::uint32_t nic_;
    std::vector<Waiting> waiting_;
    std::vector<Picoseconds> armed_;  // instants of the entries in the agenda, the next one last
    std::vector<packet::QpNumber> closing_;
};

void Director::Endpoint::post_at(Picoseconds when, std::size_t message)
{
    waiting_.push_back({when, message});
    std::push_heap(waiting_.begin(), waiting_.end());
    arm();
}

void Director::Endpoint::arm()
{
    if (waiting_.empty() || (!armed_.empty() && armed_.back() <= waiting_.front().when)) {
        return;
    }
    armed_.push_back(waiting_.front().when);
    director_.agenda_.at<&Endpoint::post_due>(armed_.back(), EventClass::posting,
                                              Place{static_cast<std::uint16_t>(nic_), 0}, *this);
}

void Director::Endpoint::post_due()
{
    armed_.pop_back();
    while (!waiting_.empty() && waiting_.front().when <= director_.agenda_.now()) {
        std::pop_heap(waiting_.begin(), waiting_.end());
        const std::size_t message = waiting_.back().message;
        waiting_.pop_back();
        director_.post(message);
    }
    arm();
}

void Director::Endpoint::close_soon(packet::QpNumber qp)
{
    closing_.push_back(qp);
    director_.agenda_.at<&Endpoint::close_due>(director_.agenda_.now(), EventClass::posting,
                                               Place{static_cast<std::uint16_t>(nic_), 0}, *this);
}

void Director::Endpoint::close_due()
{
    for (const packet::QpNumber qp : std::exchange(closing_, {})) {
        director_.verbs[nic_]->close(qp);
    }
}

Director::Director(const sc_core::sc_module_name& name, Agenda& agenda, Workload workload, std::uint32_t nic_count,
                   const DirectorConfig& config)
    : sc_module{name},
      agenda_{agenda},
      workload_{std::move(workload)},
      config_{config},
      index_{workload_.messages},
      buffers_{lay_out_buffers(workload_)},
      triggers_{workload_},
      dependencies_{workload_},
      runner_{agenda, workload_.trace, dependencies_, [this](Point point) { happen(point); }},
      records_(workload_.messages.size()),
      connection_qps_(workload_.connections),
      message_qps_(config.qp_per_message ? workload_.messages.size() : 0)
{
    verbs.init(nic_count);
    completions.init(nic_count);
    for (std::uint32_t nic = 0; nic < nic_count; ++nic) {
        endpoints_.push_back(std::make_unique<Endpoint>(*this, nic));
        completions[nic].bind(*endpoints_.back());
    }
    number_pairs();
}

Director::~Director() = default;

void Director::number_pairs()
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers;
    pair_of_.reserve(workload_.messages.size());
    for (const Message& message : workload_.messages) {
        pair_of_.push_back(
            numbers.emplace(std::pair{message.source, message.destination}, numbers.size()).first->second);
    }
    pairs_.resize(numbers.size());
}

void Director::start_of_simulation()
{
    for (std::size_t i = 0; i < workload_.messages.size(); ++i) {
        const Message& message = workload_.messages[i];
        if (message.start_kind == StartKind::at_time) {
            endpoints_[message.source]->post_at(later(config_.start_time, message.start), i);
        }
    }
    runner_.begin(config_.start_time);
    tell_if_all_complete();
}

// Points that happen in the call for another one wait for their turn, so that a chain of them is a loop, not a
// recursion.
void Director::happen(Point point)
{
    happened_.push_back(point);
    if (happened_.size() > 1) {
        return;
    }
    for (std::size_t i = 0; i < happened_.size(); ++i) {
        const Point next = happened_[i];
        act_on(next);
        dependencies_.pass(next, happened_);
    }
    happened_.clear();
}

void Director::act_on(Point point)
{
    if (point.kind == PointKind::message_due) {
        const Message& message = workload_.messages[point.index];
        endpoints_[message.source]->post_at(later(agenda_.now(), message.start), point.index);
        return;
    }
    runner_.happened(point);
    if (point.kind == PointKind::node_ended) {
        tell_if_all_complete();
    }
}

void Director::tell_if_all_complete()
{
    if (all_complete() && on_all_complete_) {
        on_all_complete_();
    }
}

void Director::post(std::size_t message)
{
    const Message& request = workload_.messages[message];
    const Buffers& buffers = buffers_[message];
    const QueuePair& queue_pair = queue_pair_for(message);
    if (before_posting_) {
        before_posting_(request, buffers);
    }
    records_[message].posted = agenda_.now();
    first_posted_ = std::min(first_posted_, agenda_.now());
    ++posted_;
    verbs[request.source]->post({request.id, queue_pair.sender, request.bytes, buffers.source, buffers.destination});
}

Director::QueuePair& Director::queue_pair_for(std::size_t message)
{
    const Message& request = workload_.messages[message];
    QueuePair* chosen = nullptr;
    if (config_.qp_per_message) {
        chosen = &message_qps_[message];
    } else if (request.connection) {
        chosen = &connection_qps_[*request.connection];
    } else {
        Pair& pair = pairs_[pair_of_[message]];
        const std::uint32_t turn = pair.next_turn;
        if (!request.qp) {
            pair.next_turn = (turn + 1) % config_.qps_per_destination;
        }
        chosen = &pair.qps[request.qp.value_or(turn)];
    }
    if (chosen->sender == 0) {
        open(*chosen, request);
    }
    return *chosen;
}

void Director::open(QueuePair& queue_pair, const Message& message)
{
    queue_pair.sender = verbs[message.source]->open_sender(nic_address(message.destination));
    queue_pair.receiver = verbs[message.destination]->open_receiver(nic_address(message.source), queue_pair.sender);
    verbs[message.source]->connect(queue_pair.sender, queue_pair.receiver);
}

void Director::send_complete(std::uint32_t nic, std::uint64_t id)
{
    const std::size_t message = index_.at(id);
    invariant(workload_.messages[message].source == nic, "[TR-90] SEND_COMPLETE comes from the source");
    invariant(records_[message].posted != kNever && records_[message].send_complete == kNever,
              "[TR-90] SEND_COMPLETE comes once, after the posting");
    records_[message].send_complete = agenda_.now();
    happen({PointKind::message_sent, message});
}

void Director::wqe_complete(std::uint32_t nic, std::uint64_t id)
{
    const std::size_t message = index_.at(id);
    MessageRecord& record = records_[message];
    invariant(workload_.messages[message].source == nic, "[TR-91] WQE_COMPLETE comes from the source");
    invariant(record.posted != kNever && record.wqe_complete == kNever,
              "[TR-91] WQE_COMPLETE comes once, after the posting");
    record.wqe_complete = agenda_.now();
    if (config_.qp_per_message) {
        endpoints_[nic]->close_soon(message_qps_[message].sender);
    }
    happen({PointKind::message_acknowledged, message});
    complete(message, workload_.messages[message].fires_at_send_done);
}

void Director::recv_complete(std::uint32_t nic, std::uint64_t id)
{
    const std::size_t message = index_.at(id);
    MessageRecord& record = records_[message];
    invariant(workload_.messages[message].destination == nic, "[TR-92] RECV_COMPLETE comes from the destination");
    invariant(record.posted != kNever && record.recv_complete == kNever,
              "[TR-92] RECV_COMPLETE comes once, after the posting");
    record.recv_complete = agenda_.now();
    happen({PointKind::message_received, message});
    complete(message, workload_.messages[message].fires_at_recv_done);
}

void Director::complete(std::size_t message, std::optional<std::size_t> fires)
{
    const bool fired = !fires || fire(*fires);
    if (records_[message].is_complete()) {
        finish(message);
    }
    if (!fired) {  // last, as the report may be thrown
        report_surplus_firing(workload_.triggers[*fires], workload_.messages[message].id);
    }
}

bool Director::fire(std::size_t trigger)
{
    started_.clear();
    const bool may_fire = triggers_.fire(trigger, started_);
    for (const std::size_t message : started_) {
        endpoints_[workload_.messages[message].source]->post_at(agenda_.now(), message);
    }
    return may_fire;
}

void Director::finish(std::size_t message)
{
    const Message& request = workload_.messages[message];
    ++completed_;
    completed_bytes_ += request.bytes;
    last_finish_ = agenda_.now();
    if (on_complete_) {
        on_complete_(message);
    }
    if (config_.qp_per_message) {
        // RECV_COMPLETE may be the later one: its end lives as long as the message.
        endpoints_[request.destination]->close_soon(message_qps_[message].receiver);
    }
    tell_if_all_complete();
}

void Director::message_failed(std::uint32_t nic, std::uint64_t id)
{
    const std::size_t message = index_.at(id);
    invariant(workload_.messages[message].source == nic, "[TR-87] a message fails at its source");
    invariant(!records_[message].failed, "[TR-87] a message fails once");
    records_[message].failed = true;
    ++failed_;
}

void Director::report_surplus_firing(const Trigger& trigger, std::uint64_t message_id)
{
    const std::string kind =
        trigger.kind == TriggerKind::barrier ? fmt::format("barrier of {}", trigger.count) : "oneshot";
    run_errors_.push_back(fmt::format("{}: trigger {} ({}) has fired already; message {} fires it once more",
                                      workload_.file, trigger.id, kind, message_id));
    SC_REPORT_ERROR(report_id::kWorkload, run_errors_.back().c_str());
}

std::vector<std::size_t> Director::unfinished() const
{
    std::vector<std::size_t> indices;
    for (const auto& [id, message] : index_.by_id()) {
        if (!records_[message].is_complete()) {
            indices.push_back(message);
        }
    }
    return indices;
}

}  // namespace mrcnic::workload
