#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include <systemc>
#include <tlm>

#include "mrcnic/base/report.h"

namespace mrcnic {

// Sockets for protocols with a payload of their own (frames, TLPs). The convenience sockets of tlm_utils
// cannot carry them: they instantiate code for the generic payload.

/// Protocol traits of a payload type: sockets of different protocols do not bind.
template <typename Payload>
struct ProtocolTypes {
    using tlm_payload_type = Payload;
    using tlm_phase_type = tlm::tlm_phase;
};

/// A transport call to whoever is bound, held by the caller: nothing of the sockets on the way is looked at, so with
/// many devices, which find their data out of the cache, a call costs no memory but the callee's own.
template <typename Payload>
class BoundCall {
public:
    template <typename Module>
    using Handler = tlm::tlm_sync_enum (Module::*)(Payload&, tlm::tlm_phase&, sc_core::sc_time&);

    /// Calls `(module.*handler)(...)`.
    template <typename Module>
    BoundCall(Module& module, Handler<Module> handler) noexcept : callee_{&module}, call_{&call_handler<Module>}
    {
        static_assert(sizeof handler <= sizeof handler_);
        std::memcpy(handler_.data(), &handler, sizeof handler);
    }
    /// Calls `call(callee, ...)`.
    template <typename Callee>
    BoundCall(Callee* callee,
              tlm::tlm_sync_enum (*call)(const BoundCall&, Payload&, tlm::tlm_phase&, sc_core::sc_time&)) noexcept
        : callee_{callee}, call_{call}
    {
    }

    tlm::tlm_sync_enum operator()(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) const
    {
        return call_(*this, payload, phase, offset);
    }
    template <typename Callee>
    [[nodiscard]] Callee& callee() const noexcept
    {
        return *static_cast<Callee*>(callee_);
    }

private:
    template <typename Module>
    static tlm::tlm_sync_enum call_handler(const BoundCall& bound, Payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& offset)
    {
        Handler<Module> handler;
        std::memcpy(&handler, bound.handler_.data(), sizeof handler);
        return (bound.callee<Module>().*handler)(payload, phase, offset);
    }

    void* callee_;
    tlm::tlm_sync_enum (*call_)(const BoundCall&, Payload&, tlm::tlm_phase&, sc_core::sc_time&);
    alignas(void*) std::array<std::byte, 2 * sizeof(void*)> handler_{};
};

template <typename Payload>
struct ForwardInterface : virtual tlm::tlm_fw_nonblocking_transport_if<Payload> {
    using protocol_types = ProtocolTypes<Payload>;
    /// The shortest way to what `nb_transport_fw` does.
    [[nodiscard]] virtual BoundCall<Payload> forward_call()
    {
        return {this,
                [](const BoundCall<Payload>& bound, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) {
                    return bound.template callee<ForwardInterface>().nb_transport_fw(payload, phase, offset);
                }};
    }
};

template <typename Payload>
struct BackwardInterface : virtual tlm::tlm_bw_nonblocking_transport_if<Payload> {
    using protocol_types = ProtocolTypes<Payload>;
    /// The shortest way to what `nb_transport_bw` does.
    [[nodiscard]] virtual BoundCall<Payload> backward_call()
    {
        return {this,
                [](const BoundCall<Payload>& bound, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) {
                    return bound.template callee<BackwardInterface>().nb_transport_bw(payload, phase, offset);
                }};
    }
};

/// Any initiator or target of a payload's protocol: what a checker or a foreign block binds to.
template <typename Payload>
using InitiatorPort = tlm::tlm_base_initiator_socket<32, ForwardInterface<Payload>, BackwardInterface<Payload>>;
template <typename Payload>
using TargetPort = tlm::tlm_base_target_socket<32, ForwardInterface<Payload>, BackwardInterface<Payload>>;

/// Target socket whose forward calls go to a member function of its module.
template <typename Payload, typename Module>
class TargetSocket : public TargetPort<Payload>, private ForwardInterface<Payload> {
public:
    using Handler = tlm::tlm_sync_enum (Module::*)(Payload&, tlm::tlm_phase&, sc_core::sc_time&);

    TargetSocket(const char* name, Module& module, Handler handler)
        : TargetPort<Payload>{name}, module_{module}, handler_{handler}
    {
        TargetPort<Payload>::bind(static_cast<ForwardInterface<Payload>&>(*this));
    }

    /// For a parent's socket to bind to: as itself it is an interface too, and the compiler cannot choose.
    [[nodiscard]] TargetPort<Payload>& as_port() noexcept { return *this; }

    /// Calls backward with an annotated delay of 0.
    tlm::tlm_sync_enum backward(Payload& payload, const tlm::tlm_phase& phase)
    {
        tlm::tlm_phase call_phase = phase;
        sc_core::sc_time offset = sc_core::SC_ZERO_TIME;
        return call_(payload, call_phase, offset);
    }

private:
    void end_of_elaboration() override { call_ = (*this)->backward_call(); }
    [[nodiscard]] BoundCall<Payload> forward_call() override { return {module_, handler_}; }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) override
    {
        return (module_.*handler_)(payload, phase, offset);
    }

    static tlm::tlm_sync_enum call_port(const BoundCall<Payload>& bound, Payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& offset)
    {
        return bound.template callee<TargetSocket>()->nb_transport_bw(payload, phase, offset);
    }

    Module& module_;
    Handler handler_;
    BoundCall<Payload> call_{this, &TargetSocket::call_port};  // through the port until all is bound
};

/// Initiator socket whose backward calls, if the protocol has any, go to a member function of its module.
template <typename Payload, typename Module>
class InitiatorSocket : public InitiatorPort<Payload>, private BackwardInterface<Payload> {
public:
    using Handler = tlm::tlm_sync_enum (Module::*)(Payload&, tlm::tlm_phase&, sc_core::sc_time&);

    InitiatorSocket(const char* name, Module& module, Handler handler = nullptr)
        : InitiatorPort<Payload>{name}, module_{module}, handler_{handler}
    {
        InitiatorPort<Payload>::bind(static_cast<BackwardInterface<Payload>&>(*this));
    }

    /// Calls forward with an annotated delay of 0; `phase` comes back as the callee left it.
    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase)
    {
        sc_core::sc_time offset = sc_core::SC_ZERO_TIME;
        return call_(payload, phase, offset);
    }
    /// The same with an annotated delay.
    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset)
    {
        return call_(payload, phase, offset);
    }
    tlm::tlm_sync_enum forward(Payload& payload, const tlm::tlm_phase& phase)
    {
        tlm::tlm_phase call_phase = phase;
        return forward(payload, call_phase);
    }

private:
    void end_of_elaboration() override { call_ = (*this)->forward_call(); }
    [[nodiscard]] BoundCall<Payload> backward_call() override
    {
        return handler_ == nullptr ? BackwardInterface<Payload>::backward_call()
                                   : BoundCall<Payload>{module_, handler_};
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) override
    {
        if (handler_ == nullptr) {
            SC_REPORT_ERROR(report_id::kProtocol, "backward call on a socket whose protocol has none");
            return tlm::TLM_COMPLETED;
        }
        return (module_.*handler_)(payload, phase, offset);
    }

    static tlm::tlm_sync_enum call_port(const BoundCall<Payload>& bound, Payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& offset)
    {
        return bound.template callee<InitiatorSocket>()->nb_transport_fw(payload, phase, offset);
    }

    Module& module_;
    Handler handler_;
    BoundCall<Payload> call_{this, &InitiatorSocket::call_port};  // through the port until all is bound
};

}  // namespace mrcnic
