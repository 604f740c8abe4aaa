#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/pool.h"
#include "mrcnic/base/ring_queue.h"
#include "mrcnic/host/payload_pool.h"
#include "mrcnic/pcie/tlp.h"

namespace mrcnic::host {

/// A memory access on its way, with the TLP that asked for it and, for a read, the completion that will answer.
class MemoryRequest : public Pooled {
public:
    pcie::TlpRef tlp;
    pcie::TlpRef completion;  ///< reads only; its data is where the memory puts what was read
    PayloadRef payload;
    bool done{false};

    void reset() noexcept
    {
        tlp.reset();
        completion.reset();
        payload.reset();
        done = false;
    }
};
using MemoryRequestRef = Ref<MemoryRequest>;

/// Approximately timed initiator of the TLM-2.0 base protocol: takes every legal answer of any compliant memory.
///
/// One request is in its request phase at a time (exclusion rule), any number are outstanding, responses come in any
/// order.
class MemoryInitiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    /// Told of every finished access, once, at its time.
    class Client {
    public:
        virtual ~Client() = default;
        virtual void finished(MemoryRequestRef request) = 0;
    };

    tlm::tlm_initiator_socket<32> socket{"socket"};

    MemoryInitiator(const sc_core::sc_module_name& name, Agenda& agenda, Place place, Client& client);

    /// Issues the access of `request->payload`, now or when the requests before it are accepted.
    void access(MemoryRequestRef request);

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    void issue_waiting();
    void issue(MemoryRequestRef request);
    void on_phase(MemoryRequestRef request, const tlm::tlm_phase& phase, Picoseconds at);
    void request_accepted();
    void end_request(const tlm::tlm_generic_payload& payload, Picoseconds at);
    void end_response(MemoryRequestRef request);
    void finish_at(Picoseconds at, MemoryRequestRef request);
    void finish(MemoryRequestRef request);
    [[nodiscard]] MemoryRequestRef take_outstanding(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] Picoseconds time_after(const sc_core::sc_time& delay) const;

    Agenda& agenda_;
    Place place_;
    Client& client_;
    RingQueue<MemoryRequestRef> waiting_;
    MemoryRequestRef issued_;                    // in its call; most memories answer in it
    std::vector<MemoryRequestRef> outstanding_;  // the memory will answer them by itself
    bool request_phase_{false};
    const tlm::tlm_generic_payload* requesting_{nullptr};  // in its request phase, whose end is not told yet
    bool issuing_{false};
};

}  // namespace mrcnic::host
