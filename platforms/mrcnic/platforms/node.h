#pragma once

#include <cstdint>
#include <memory>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/base_protocol_checker.h"
#include "mrcnic/config/config.h"
#include "mrcnic/host/host_memory.h"
#include "mrcnic/host/root_port.h"
#include "mrcnic/nic/nic.h"

namespace mrcnic::platforms {

/// A host with its NIC: root port, memory and NIC, wired.
class Node : public sc_core::sc_module {
public:
    enum class Memory {
        own,      ///< a HostMemory of the model
        external  ///< the platform's user binds `memory()`
    };

    nic::Nic nic;
    host::RootPort root_port;

    Node(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
         const nic::NicParameters& parameters, Memory memory);

    /// Where an external memory is bound.
    [[nodiscard]] tlm::tlm_initiator_socket<32>& memory();
    /// Writes to and reads from the host's memory without time (debug transport). @return bytes done
    std::size_t debug_write(std::uint64_t address, const std::uint8_t* data, std::size_t size);
    std::size_t debug_read(std::uint64_t address, std::uint8_t* data, std::size_t size);

    /// The run is over: open transactions are faults, unless it was cut short.
    void finish_checkers(bool cut_short);

private:
    std::size_t debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t size);

    std::unique_ptr<host::HostMemory> own_memory_;
    std::unique_ptr<BaseProtocolChecker> memory_checker_;
};

}  // namespace mrcnic::platforms
