#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/transport/verbs.h"
#include "mrcnic/workload/connection_matrix.h"
#include "mrcnic/workload/director.h"
#include "mrcnic/workload/message_list.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

/// What the NICs of a bench were asked, as text with the instant: one log for all, so that it shows the order.
using Log = std::vector<std::string>;

/// A NIC without a wire. A message of N bytes posted at t has SEND_COMPLETE at t + 1, RECV_COMPLETE at t + N at its
/// destination and WQE_COMPLETE at t + N + `wqe_delay`.
class FakeNic : public sc_core::sc_module, public transport::Verbs {
public:
    sc_core::sc_port<transport::CompletionSink> completion{"completion"};

    Picoseconds wqe_delay{50};
    bool qps_fail{false};

    FakeNic(const sc_core::sc_module_name& name, Agenda& agenda, std::uint16_t node, Log& log)
        : sc_module{name}, agenda_{agenda}, node_{node}, log_{log}
    {
    }

    void set_peers(const std::vector<std::unique_ptr<FakeNic>>& all) { all_ = &all; }

    packet::QpNumber open_sender(packet::Address destination) override
    {
        peers_.push_back(destination);
        note(fmt::format("sender {} to {:08X}", peers_.size(), destination));
        return static_cast<packet::QpNumber>(peers_.size());
    }
    packet::QpNumber open_receiver(packet::Address source, packet::QpNumber sender_qp) override
    {
        peers_.push_back(source);
        note(fmt::format("receiver {} of {:08X}:{}", peers_.size(), source, sender_qp));
        return static_cast<packet::QpNumber>(peers_.size());
    }
    void connect(packet::QpNumber sender_qp, packet::QpNumber receiver_qp) override
    {
        note(fmt::format("connect {} to {}", sender_qp, receiver_qp));
    }
    void close(packet::QpNumber qp) override { note(fmt::format("close {}", qp)); }

    void post(const transport::WorkRequest& request) override
    {
        note(fmt::format("post {} on {}", request.message_id, request.qp));
        posts.push_back(request);
        if (qps_fail) {
            completion->message_failed(request.message_id);
            return;
        }
        FakeNic& peer = *(*all_)[peers_[request.qp - 1] - nic_address(0)];
        const auto done = agenda_.now() + static_cast<Picoseconds>(request.bytes);
        schedule(agenda_.now() + 1, &transport::CompletionSink::send_complete, request.message_id);
        peer.schedule(done, &transport::CompletionSink::recv_complete, request.message_id);
        schedule(done + wqe_delay, &transport::CompletionSink::wqe_complete, request.message_id);
    }

    std::vector<transport::WorkRequest> posts;

private:
    using Call = void (transport::CompletionSink::*)(std::uint64_t);
    struct Due {
        Picoseconds when;
        Call call;
        std::uint64_t id;
    };

    void note(const std::string& what) { log_.push_back(fmt::format("{}: nic {} {}", agenda_.now(), node_, what)); }
    void schedule(Picoseconds when, Call call, std::uint64_t id)
    {
        due_.push_back({when, call, id});
        agenda_.at<&FakeNic::complete_due>(when, EventClass::arrival, Place{node_, 0}, *this);
    }
    void complete_due()
    {
        const auto due = std::find_if(due_.begin(), due_.end(),
                                      [this](const Due& candidate) { return candidate.when == agenda_.now(); });
        const Due taken = *due;
        due_.erase(due);
        (completion.operator->()->*taken.call)(taken.id);
    }

    Agenda& agenda_;
    std::uint16_t node_;
    Log& log_;
    const std::vector<std::unique_ptr<FakeNic>>* all_{nullptr};
    std::vector<packet::Address> peers_;  // by QP number
    std::vector<Due> due_;
};

/// A director with its NICs.
struct DirectorBench {
    Agenda agenda{"agenda"};
    Log log;
    std::vector<std::unique_ptr<FakeNic>> nics;
    Director director;

    DirectorBench(Workload workload, std::uint16_t nic_count, const DirectorConfig& config = {})
        : director{"director", agenda, std::move(workload), nic_count, config}
    {
        for (std::uint16_t i = 0; i < nic_count; ++i) {
            nics.push_back(std::make_unique<FakeNic>(fmt::format("nic_{}", i).c_str(), agenda, i, log));
            director.verbs[i].bind(*nics.back());
            nics.back()->completion.bind(director.completions[i]);
        }
        for (const auto& nic : nics) {
            nic->set_peers(nics);
        }
    }

    /// The lines of the log that have `part` in them.
    [[nodiscard]] Log lines_with(const std::string& part) const
    {
        Log result;
        std::copy_if(log.begin(), log.end(), std::back_inserter(result),
                     [&part](const std::string& line) { return line.find(part) != std::string::npos; });
        return result;
    }
    /// Instants of posting, in the order of the messages.
    [[nodiscard]] std::vector<Picoseconds> posted() const
    {
        std::vector<Picoseconds> times;
        for (const MessageRecord& record : director.records()) {
            times.push_back(record.posted);
        }
        return times;
    }
};

inline Workload matrix(const std::string& text, std::uint32_t nics = 4)
{
    return read_connection_matrix(text, "w.cm", nics);
}
inline Workload list(const std::string& rows, std::uint32_t nics = 4)
{
    return read_message_list("id,src,dst,bytes,start_ps,after,qp\n" + rows, "w.csv", nics);
}

}  // namespace mrcnic::workload
