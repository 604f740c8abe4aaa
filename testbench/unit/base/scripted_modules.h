#pragma once

#include <functional>
#include <utility>

#include <systemc>
#include <tlm>

// Modules that do what a test tells them, right or wrong: an initiator and a target of the base protocol, a process.

namespace mrcnic::testbench {

using Payload = tlm::tlm_generic_payload;
using NonBlocking = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

inline tlm::tlm_sync_enum accept(Payload& /*payload*/, tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*delay*/)
{
    return tlm::TLM_ACCEPTED;
}

class ScriptedInitiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<32> socket{"socket"};
    NonBlocking on_backward{accept};
    std::function<void(sc_dt::uint64, sc_dt::uint64)> on_invalidate{[](sc_dt::uint64, sc_dt::uint64) {}};

    explicit ScriptedInitiator(const sc_core::sc_module_name& name) : sc_module{name}
    {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }

    /// One forward call with an annotated delay, whose outputs the test does not look at.
    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME)
    {
        return socket->nb_transport_fw(payload, phase, delay);
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override
    {
        return on_backward(payload, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override { on_invalidate(start, end); }
};

class ScriptedTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<32> socket{"socket"};
    NonBlocking on_forward{accept};
    std::function<void(Payload&, sc_core::sc_time&)> on_blocking{
        [](Payload& payload, sc_core::sc_time&) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }};
    std::function<bool(Payload&, tlm::tlm_dmi&)> on_dmi{[](Payload&, tlm::tlm_dmi&) { return false; }};
    std::function<unsigned int(Payload&)> on_debug{[](Payload& payload) { return payload.get_data_length(); }};

    explicit ScriptedTarget(const sc_core::sc_module_name& name) : sc_module{name}
    {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }

    /// One backward call with an annotated delay, whose outputs the test does not look at.
    tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME)
    {
        return socket->nb_transport_bw(payload, phase, delay);
    }

private:
    void b_transport(Payload& payload, sc_core::sc_time& delay) override { on_blocking(payload, delay); }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override
    {
        return on_forward(payload, phase, delay);
    }
    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override { return on_dmi(payload, dmi); }
    unsigned int transport_dbg(Payload& payload) override { return on_debug(payload); }
};

/// A process that does one thing from time 0 on.
class Thread : public sc_core::sc_module {
public:
    Thread(const sc_core::sc_module_name& name, std::function<void()> body) : sc_module{name}, body_{std::move(body)}
    {
        SC_HAS_PROCESS(Thread);
        SC_THREAD(run);
    }

private:
    void run() { body_(); }

    std::function<void()> body_;
};

}  // namespace mrcnic::testbench
