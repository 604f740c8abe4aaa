#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/config/config.h"
#include "mrcnic/host/memory_initiator.h"
#include "mrcnic/pcie/tlp.h"

namespace mrcnic::host {

/// Answers a NIC's reads from host memory and carries its writes there [PC-3, PC-4, PC-10].
///
/// Takes as long as the memory does; with the default memory it answers at once. Completions leave in request order,
/// whatever the order of the memory's answers. A memory's error becomes a completion with status Unsupported Request;
/// of a write, which has no completion, it is reported and counted.
class RootComplex : public sc_core::sc_module, private MemoryInitiator::Client {
public:
    pcie::TlpTargetSocket<RootComplex> from_pcie{"from_pcie", *this, &RootComplex::request};
    pcie::TlpInitiatorSocket<RootComplex> to_pcie{"to_pcie", *this};
    /// Base protocol; bind the host's memory here.
    MemoryInitiator memory;

    RootComplex(const sc_core::sc_module_name& name, Agenda& agenda, Place place, config::PayloadMode payload_mode);

    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }
    [[nodiscard]] std::uint64_t errors() const noexcept { return errors_; }

private:
    tlm::tlm_sync_enum request(pcie::Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void finished(MemoryRequestRef request) override;
    void read(const MemoryRequestRef& request);
    void write(const MemoryRequestRef& request);
    void finish_write(const MemoryRequest& request, bool ok);
    void complete_reads();

    config::PayloadMode payload_mode_;
    pcie::TlpPool& completions_;
    PayloadPool& payloads_;
    Pool<MemoryRequest>& requests_;
    RingQueue<MemoryRequestRef> reads_;  // in request order
    std::uint64_t bytes_read_{0};
    std::uint64_t bytes_written_{0};
    std::uint64_t errors_{0};
    StatisticGroup statistics_{"host"};
};

}  // namespace mrcnic::host
