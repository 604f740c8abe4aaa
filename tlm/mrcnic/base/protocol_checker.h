#pragma once

#include <cstdint>
#include <string>

#include <systemc>
#include <tlm>

#include "mrcnic/base/protocol_sockets.h"

namespace mrcnic {

/// A numbered rule of a protocol, as `docs/protocols.md` has it.
struct ProtocolRule {
    const char* id;
    const char* text;
};

/// Reports a broken rule as an error with id `/mrcnic/protocol`. The message starts with the rule's id.
/// @param where  full name of the checker
/// @param call   the call that broke it, and its payload
void report_broken_rule(const ProtocolRule& rule, const char* where, const std::string& call);

/// Pass-through module that watches one hop of a protocol: hands on every call as it came and reports broken rules.
///
/// A protocol's checker derives from it and keeps the state of the hop. It sees each call before it is handed on, so
/// that calls made from inside find that state, and each answer. After a call has been handed on the payload may be
/// gone: the `returned` functions may use it only to tell it from others, unless they know that it is still held.
template <typename Payload>
class ProtocolChecker : public sc_core::sc_module {
public:
    TargetSocket<Payload, ProtocolChecker> in{"in", *this, &ProtocolChecker::pass_forward};
    InitiatorSocket<Payload, ProtocolChecker> out{"out", *this, &ProtocolChecker::pass_backward};

    /// Reports transactions that are still open; called by `end_of_simulation` too, which only `sc_stop` brings.
    void finish()
    {
        if (!finished_) {
            finished_ = true;
            check_finished();
        }
    }
    /// The run is cut short, by a time limit for example: what is open now is no fault.
    void cut_short() noexcept { finished_ = true; }

    /// Transactions begun on the hop.
    [[nodiscard]] std::uint64_t transactions() const noexcept { return transactions_; }
    /// Rules broken so far; counts on where the error report does not end the run.
    [[nodiscard]] std::uint64_t broken_rules() const noexcept { return broken_rules_; }

protected:
    using Status = tlm::tlm_sync_enum;

    explicit ProtocolChecker(const sc_core::sc_module_name& name) : sc_module{name} {}

    virtual void forward_called(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) = 0;
    virtual void forward_returned(Payload& payload, const tlm::tlm_phase& called, Status status,
                                  const tlm::tlm_phase& returned) = 0;
    virtual void backward_called(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) = 0;
    virtual void backward_returned(Payload& payload, const tlm::tlm_phase& called, Status status,
                                   const tlm::tlm_phase& returned) = 0;
    virtual void check_finished() = 0;

    void count_transaction() noexcept { ++transactions_; }
    void broken(const ProtocolRule& rule, const std::string& call)
    {
        ++broken_rules_;
        report_broken_rule(rule, name(), call);
    }

private:
    void end_of_simulation() override { finish(); }

    Status pass_forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        const tlm::tlm_phase called = phase;
        forward_called(payload, called, delay);
        const Status status = out->nb_transport_fw(payload, phase, delay);
        forward_returned(payload, called, status, phase);
        return status;
    }
    Status pass_backward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        const tlm::tlm_phase called = phase;
        backward_called(payload, called, delay);
        const Status status = in->nb_transport_bw(payload, phase, delay);
        backward_returned(payload, called, status, phase);
        return status;
    }

    std::uint64_t transactions_{0};
    std::uint64_t broken_rules_{0};
    bool finished_{false};
};

}  // namespace mrcnic
