#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/time.h"
#include "mrcnic/packet/headers.h"
#include "mrcnic/transport/verbs.h"
#include "mrcnic/workload/buffers.h"
#include "mrcnic/workload/dependencies.h"
#include "mrcnic/workload/message.h"
#include "mrcnic/workload/message_index.h"
#include "mrcnic/workload/point.h"
#include "mrcnic/workload/trace_runner.h"
#include "mrcnic/workload/trigger_board.h"

namespace mrcnic::workload {

/// IPv4 address of NIC `nic` [SW-56].
[[nodiscard]] constexpr packet::Address nic_address(std::uint32_t nic) noexcept
{
    return 0x0A00'0001U + nic;
}

/// How messages come onto queue pairs, and from when on.
struct DirectorConfig {
    Picoseconds start_time{0};             ///< start times count from here [WL-2]
    std::uint32_t qps_per_destination{1};  ///< QPs of a pair that messages take in turn [TR-3]
    bool qp_per_message{false};            ///< a QP for each message, whatever the workload says of QPs [TR-3]
};

/// What became of a message; times are instants of the simulation, kNever = not yet.
struct MessageRecord {
    Picoseconds posted{kNever};
    Picoseconds send_complete{kNever};
    Picoseconds wqe_complete{kNever};
    Picoseconds recv_complete{kNever};
    bool failed{false};  ///< its QP went into error [TR-87]

    [[nodiscard]] bool is_complete() const noexcept { return wqe_complete != kNever && recv_complete != kNever; }
    /// The later of the two completions; kNever if one is missing.
    [[nodiscard]] Picoseconds finish() const noexcept { return std::max(wqe_complete, recv_complete); }
};

/// Runs a workload: posts its messages when they are due and notes their completions; runs the nodes of its trace.
///
/// A message is due at its time, when a trigger fires (TriggerBoard), or when all that it waits for has happened
/// (Dependencies); nodes of a trace are carried out by TraceRunner.
/// Postings are events of class `posting` at the source NIC, at equal times in file order [WL-4, OE-1]; those that a
/// completion causes come in the same instant, or later with their delay [OE-5]. QPs are created by the first message
/// that needs them [TR-3]. Bind `verbs[i]` to NIC i and its completion port to `completions[i]`.
class Director : public sc_core::sc_module {
public:
    sc_core::sc_vector<sc_core::sc_port<transport::Verbs>> verbs{"verbs"};
    sc_core::sc_vector<sc_core::sc_export<transport::CompletionSink>> completions{"completions"};

    /// @param workload  NICs in it are below `nic_count`, as every reader makes sure
    Director(const sc_core::sc_module_name& name, Agenda& agenda, Workload workload, std::uint32_t nic_count,
             const DirectorConfig& config);
    ~Director() override;

    /// `hook` runs just before each posting, to fill the source buffer.
    void before_posting(std::function<void(const Message&, const Buffers&)> hook) { before_posting_ = std::move(hook); }
    /// `hook` runs inside the event that completes a message, with its index.
    void on_complete(std::function<void(std::size_t)> hook) { on_complete_ = std::move(hook); }
    /// `hook` runs inside the event that completes the last message or ends the last node of the trace, whichever is
    /// later [WL-5]; at the start if there is neither.
    void on_all_complete(std::function<void()> hook) { on_all_complete_ = std::move(hook); }

    [[nodiscard]] const Workload& workload() const noexcept { return workload_; }
    /// One for each message, in their order.
    [[nodiscard]] const std::vector<MessageRecord>& records() const noexcept { return records_; }
    [[nodiscard]] const std::vector<Buffers>& buffers() const noexcept { return buffers_; }
    /// One for each node of the workload's trace, in their order.
    [[nodiscard]] const std::vector<NodeRecord>& node_records() const noexcept { return runner_.records(); }
    /// Messages by id, for records that are ordered so.
    [[nodiscard]] const MessageIndex& index() const noexcept { return index_; }

    [[nodiscard]] std::size_t posted() const noexcept { return posted_; }
    [[nodiscard]] std::size_t completed() const noexcept { return completed_; }
    [[nodiscard]] std::size_t failed() const noexcept { return failed_; }
    [[nodiscard]] std::uint64_t completed_bytes() const noexcept { return completed_bytes_; }
    /// Every message is complete and every node of the trace has ended.
    [[nodiscard]] bool all_complete() const noexcept { return completed_ == records_.size() && runner_.all_ended(); }
    /// Indices of the messages that are not complete, ordered by id.
    [[nodiscard]] std::vector<std::size_t> unfinished() const;
    /// Nodes of the trace that have ended.
    [[nodiscard]] std::size_t ended_nodes() const noexcept { return runner_.ended(); }
    /// Instant of the first posting; kNever before it.
    [[nodiscard]] Picoseconds first_posted() const noexcept { return first_posted_; }
    /// Instant of the last completion of a message so far; kNever before the first.
    [[nodiscard]] Picoseconds last_finish() const noexcept { return last_finish_; }
    /// What went wrong in the run: triggers that fired more often than they may [WL-20].
    [[nodiscard]] const std::vector<std::string>& run_errors() const noexcept { return run_errors_; }

private:
    class Endpoint;
    struct QueuePair {
        packet::QpNumber sender{0};  // 0: not created yet, they count from 1
        packet::QpNumber receiver{0};
    };
    /// The long-lived QPs from one NIC to another, by their index [TR-3, WL-32].
    struct Pair {
        std::map<std::uint32_t, QueuePair> qps{};
        std::uint32_t next_turn{0};
    };

    void start_of_simulation() override;
    void number_pairs();
    void post(std::size_t message);
    [[nodiscard]] QueuePair& queue_pair_for(std::size_t message);
    void open(QueuePair& queue_pair, const Message& message);

    void send_complete(std::uint32_t nic, std::uint64_t id);
    void wqe_complete(std::uint32_t nic, std::uint64_t id);
    void recv_complete(std::uint32_t nic, std::uint64_t id);
    void message_failed(std::uint32_t nic, std::uint64_t id);
    void complete(std::size_t message, std::optional<std::size_t> fires);
    [[nodiscard]] bool fire(std::size_t trigger);
    void finish(std::size_t message);
    void happen(Point point);
    void act_on(Point point);
    void tell_if_all_complete();
    void report_surplus_firing(const Trigger& trigger, std::uint64_t message_id);

    Agenda& agenda_;
    const Workload workload_;
    const DirectorConfig config_;
    const MessageIndex index_;
    const std::vector<Buffers> buffers_;
    TriggerBoard triggers_;
    Dependencies dependencies_;
    TraceRunner runner_;
    std::vector<MessageRecord> records_;
    std::vector<std::unique_ptr<Endpoint>> endpoints_;

    std::vector<std::size_t> pair_of_;  // of each message
    std::vector<Pair> pairs_;
    std::vector<QueuePair> connection_qps_;
    std::vector<QueuePair> message_qps_;  // with qp_per_message only

    std::vector<std::size_t> started_;  // by the firing at work
    std::vector<Point> happened_;       // to be worked off, the one at work included
    std::function<void(const Message&, const Buffers&)> before_posting_;
    std::function<void(std::size_t)> on_complete_;
    std::function<void()> on_all_complete_;
    std::size_t posted_{0};
    std::size_t completed_{0};
    std::size_t failed_{0};
    std::uint64_t completed_bytes_{0};
    Picoseconds first_posted_{kNever};
    Picoseconds last_finish_{kNever};
    std::vector<std::string> run_errors_;
};

}  // namespace mrcnic::workload
