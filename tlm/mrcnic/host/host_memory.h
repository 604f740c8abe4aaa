#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include "mrcnic/base/kernel_time.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/base/time.h"
#include "mrcnic/host/sparse_memory.h"

namespace mrcnic::host {

struct HostMemoryConfig {
    std::uint64_t base{0};   ///< first address
    std::uint64_t size{0};   ///< bytes; 0 = up to the end of the 64-bit address space
    Picoseconds latency{0};  ///< of every access, refused ones too; >= 0 [PC-4]
    bool dmi_allowed{true};  ///< false: every access is seen as a transaction
};

/// The host's memory: a target of the TLM-2.0 base protocol in whose place any other compliant memory can be bound.
///
/// Models: what bytes were written, the whole 64-bit address space, errors as response statuses (memory then is as it
/// was), one latency for all accesses [PC-4]. Does not model: bandwidth, banks, caches, ordering between accesses (each
/// acts when it is called; only its answer is later), an access from two sides: the socket takes one initiator, an
/// interconnect before it may serve more.
///
/// - Both transports share one function. `b_transport` adds the latency to the delay and does not wait.
///   `nb_transport_fw` answers BEGIN_REQ with TLM_COMPLETED and the latency added to the delay, so any number of
///   accesses may be under way and no backward call is ever made. Phases outside the base protocol are ignored.
/// - Commands: read, write, IGNORE (moves nothing, counts as neither; range, statuses and latency as usual).
/// - Byte enables: 0x00 and 0xff, the pattern repeats. Other values, or an empty pattern: BYTE_ENABLE_ERROR.
/// - Streaming width: smaller than the length, the addresses wrap. 0: BURST_ERROR.
/// - Length 0: BURST_ERROR, but legal with IGNORE. A read or write without data pointer: GENERIC_ERROR.
/// - An access that is not wholly inside: ADDRESS_ERROR.
/// - Debug: no time, no status, no statistics; bytes up to the end of the memory.
/// - DMI: the page that holds the address, read and write, if allowed and the latency is 0 (a descriptor tells latency
///   per byte, this memory has it per access). Never invalidated: pages do not move, and neither their permission nor
///   their timing changes. Accesses by DMI are not in the statistics.
class HostMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<32> socket{"socket"};

    /// Reports `/mrcnic/host` as an error if the memory would pass 2^64 or the latency is negative.
    explicit HostMemory(const sc_core::sc_module_name& name, const HostMemoryConfig& config = {});

    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }
    /// Pages of 4 KiB that exist.
    [[nodiscard]] std::uint64_t pages() const noexcept { return memory_.pages(); }

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    [[nodiscard]] tlm::tlm_response_status check(const tlm::tlm_generic_payload& payload) const;
    void move(const tlm::tlm_generic_payload& payload);
    void move_run(const tlm::tlm_generic_payload& payload, std::uint64_t first, std::uint64_t length);
    void declare_statistics();

    [[nodiscard]] bool holds(std::uint64_t address) const noexcept { return address >= first_ && address <= last_; }
    [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t length) const noexcept;
    [[nodiscard]] bool grants_dmi() const noexcept { return dmi_allowed_ && latency_ == sc_core::SC_ZERO_TIME; }

    std::uint64_t first_;
    std::uint64_t last_;  // inclusive: 2^64 is no 64-bit number
    sc_core::sc_time latency_;
    bool dmi_allowed_;
    SparseMemory memory_;

    std::uint64_t reads_{0};
    std::uint64_t writes_{0};
    std::uint64_t ignored_{0};
    std::uint64_t bytes_read_{0};
    std::uint64_t bytes_written_{0};
    std::uint64_t errors_{0};
    StatisticGroup statistics_;
};

}  // namespace mrcnic::host
