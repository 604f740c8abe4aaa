#pragma once

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

template <typename Payload>
struct ForwardInterface : virtual tlm::tlm_fw_nonblocking_transport_if<Payload> {
    using protocol_types = ProtocolTypes<Payload>;
};

template <typename Payload>
struct BackwardInterface : virtual tlm::tlm_bw_nonblocking_transport_if<Payload> {
    using protocol_types = ProtocolTypes<Payload>;
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
        return (*this)->nb_transport_bw(payload, call_phase, offset);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) override
    {
        return (module_.*handler_)(payload, phase, offset);
    }

    Module& module_;
    Handler handler_;
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
        return (*this)->nb_transport_fw(payload, phase, offset);
    }
    tlm::tlm_sync_enum forward(Payload& payload, const tlm::tlm_phase& phase)
    {
        tlm::tlm_phase call_phase = phase;
        return forward(payload, call_phase);
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& offset) override
    {
        if (handler_ == nullptr) {
            SC_REPORT_ERROR(report_id::kProtocol, "backward call on a socket whose protocol has none");
            return tlm::TLM_COMPLETED;
        }
        return (module_.*handler_)(payload, phase, offset);
    }

    Module& module_;
    Handler handler_;
};

}  // namespace mrcnic
