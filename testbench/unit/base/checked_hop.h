#pragma once

#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include "mrcnic/base/protocol_sockets.h"

namespace mrcnic::testbench {

/// Both ends of one hop with a checker between; the tests say who calls what and how it is answered.
///
/// `Number` is the member of the payload that tells one from another in `calls`.
template <typename Payload, typename Checker, auto Number>
class CheckedHop : public sc_core::sc_module {
public:
    InitiatorSocket<Payload, CheckedHop> requester{"requester", *this, &CheckedHop::take_backward};
    TargetSocket<Payload, CheckedHop> responder{"responder", *this, &CheckedHop::take_forward};
    Checker checker;

    tlm::tlm_sync_enum status{tlm::TLM_ACCEPTED};  ///< of the next answers
    tlm::tlm_phase answer_phase{tlm::UNINITIALIZED_PHASE};
    std::vector<std::string> calls;  ///< that came through

    template <typename Hop>
    CheckedHop(const sc_core::sc_module_name& name, Hop hop) : sc_module{name}, checker{"checker", hop}
    {
        requester.bind(checker.in);
        checker.out.bind(responder);
    }

    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase phase, tlm::tlm_sync_enum answer,
                               const sc_core::sc_time& delay)
    {
        status = answer;
        sc_core::sc_time offset = delay;
        return requester->nb_transport_fw(payload, phase, offset);
    }
    tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase phase, tlm::tlm_sync_enum answer,
                                const sc_core::sc_time& delay)
    {
        status = answer;
        sc_core::sc_time offset = delay;
        return responder->nb_transport_bw(payload, phase, offset);
    }

private:
    tlm::tlm_sync_enum take(const char* direction, const Payload& payload, tlm::tlm_phase& phase,
                            const sc_core::sc_time& delay)
    {
        calls.push_back(direction + std::string{phase.get_name()} + ' ' + std::to_string(payload.*Number) + ' ' +
                        delay.to_string());
        if (status == tlm::TLM_UPDATED) {
            phase = answer_phase;
        }
        return status;
    }
    tlm::tlm_sync_enum take_forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        return take("forward ", payload, phase, delay);
    }
    tlm::tlm_sync_enum take_backward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        return take("backward ", payload, phase, delay);
    }
};

}  // namespace mrcnic::testbench
