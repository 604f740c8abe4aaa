#include "mrcnic/platforms/node.h"

#include <algorithm>

namespace mrcnic::platforms {

Node::Node(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
           const nic::NicParameters& parameters, Memory memory)
    : sc_module{name}, nic{"nic", agenda, config, parameters}, root_port{"root_port",
                                                                         agenda,
                                                                         config.host_interface,
                                                                         {parameters.node, 0},
                                                                         parameters.payload_mode,
                                                                         parameters.protocol_checkers}
{
    nic.wiring().connect(nic.pcie_out, root_port.pcie_in, pcie::TlpHop::link);
    nic.wiring().connect(root_port.pcie_out, nic.pcie_in, pcie::TlpHop::link);
    if (parameters.protocol_checkers) {
        memory_checker_ = std::make_unique<BaseProtocolChecker>("memory_checker");
        root_port.memory().bind(memory_checker_->in);
    }
    if (memory == Memory::own) {
        host::HostMemoryConfig memory_config;
        memory_config.latency = config.host_interface.host_side.memory_latency;
        own_memory_ = std::make_unique<host::HostMemory>("host_memory", memory_config);
        this->memory().bind(own_memory_->socket);
    }
}

tlm::tlm_initiator_socket<32>& Node::memory()
{
    return memory_checker_ ? memory_checker_->out : root_port.memory();
}

std::size_t Node::debug_write(std::uint64_t address, const std::uint8_t* data, std::size_t size)
{
    return debug(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(data), size);
}

std::size_t Node::debug_read(std::uint64_t address, std::uint8_t* data, std::size_t size)
{
    return debug(tlm::TLM_READ_COMMAND, address, data, size);
}

std::size_t Node::debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t most_at_once = 1U << 30U;  // a payload's length is 32 bits
    std::size_t done = 0;
    while (done < size) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address + done);
        payload.set_data_ptr(data + done);
        payload.set_data_length(static_cast<unsigned>(std::min(size - done, most_at_once)));
        const unsigned count = memory()->transport_dbg(payload);
        if (count == 0) {
            break;
        }
        done += count;
    }
    return done;
}

void Node::finish_checkers(bool cut_short)
{
    if (cut_short) {
        nic.wiring().cut_short();
        root_port.wiring().cut_short();
        if (memory_checker_) {
            memory_checker_->cut_short();
        }
        return;
    }
    nic.wiring().finish();
    root_port.wiring().finish();
    if (memory_checker_) {
        memory_checker_->finish();
    }
}

}  // namespace mrcnic::platforms
