#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/base_protocol_checker.h"
#include "mrcnic/host/root_complex.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/pcie/transaction_layer.h"
#include "testbench/unit/pcie/path_runner.h"

namespace mrcnic::testbench {

/// In the place of a DMA engine or a root complex: offers TLPs at given times and writes down what it is told.
class Device : public sc_core::sc_module {
public:
    pcie::TlpInitiatorSocket<Device> to_pcie{"to_pcie", *this, &Device::accept};
    pcie::TlpTargetSocket<Device> from_pcie{"from_pcie", *this, &Device::deliver};

    Device(const sc_core::sc_module_name& name, Agenda& agenda) : sc_module{name}, agenda_{agenda} {}

    /// A TLP with the next tag (1, 2, ...), as a DMA engine fills it in.
    pcie::TlpRef make(pcie::TlpKind kind, std::uint32_t payload_bytes, std::uint32_t length, std::uint64_t address = 0)
    {
        pcie::TlpRef tlp = pool.make();
        tlp->tag = ++last_tag_;
        tlp->kind = kind;
        tlp->payload_bytes = payload_bytes;
        tlp->length = length;
        tlp->address = address;
        tlp->reports_acceptance = kind == pcie::TlpKind::memory_write;
        return tlp;
    }
    pcie::TlpRef read(std::uint32_t length, std::uint64_t address = 0, std::uint32_t request_bytes = 64)
    {
        return make(pcie::TlpKind::memory_read, request_bytes, length, address);
    }
    pcie::TlpRef write(std::uint32_t length, std::uint64_t address = 0)
    {
        return make(pcie::TlpKind::memory_write, length, length, address);
    }
    pcie::TlpRef write(const std::vector<std::uint8_t>& data, std::uint64_t address)
    {
        pcie::TlpRef tlp = write(static_cast<std::uint32_t>(data.size()), address);
        tlp->data = data;
        return tlp;
    }
    /// Offers it at `when`, now or later.
    void submit_at(Picoseconds when, pcie::TlpRef tlp)
    {
        agenda_.at<&Device::submit>(when, EventClass::posting, {}, *this, std::move(tlp));
    }

    pcie::TlpPool pool;
    std::vector<Told> accepted;
    std::vector<Told> delivered;
    std::vector<pcie::TlpRef> kept;  ///< what was delivered, if `keeps`
    bool keeps{false};
    tlm::tlm_sync_enum delivery_answer{tlm::TLM_COMPLETED};

private:
    void submit(pcie::TlpRef tlp)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        if (to_pcie.forward(*tlp, phase) == tlm::TLM_UPDATED) {
            accepted.push_back({tlp->tag, agenda_.now()});
        }
    }
    tlm::tlm_sync_enum accept(pcie::Tlp& tlp, tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*offset*/)
    {
        accepted.push_back({tlp.tag, agenda_.now()});
        return tlm::TLM_COMPLETED;
    }
    tlm::tlm_sync_enum deliver(pcie::Tlp& tlp, tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*offset*/)
    {
        delivered.push_back({tlp.tag, agenda_.now()});
        if (keeps) {
            kept.emplace_back(tlp);
        }
        return delivery_answer;
    }

    Agenda& agenda_;
    std::uint32_t last_tag_{0};
};

/// Attributes of both sides of a link.
struct LinkParameters {
    pcie::TransactionLayer::Parameters nic_side;
    pcie::TransactionLayer::Parameters host_side;
};

/// The defaults [PC-1, PC-8].
inline LinkParameters default_link()
{
    LinkParameters link;
    link.nic_side.transmit = default_path();
    link.nic_side.receive_buffer = {16'000, 256'000};
    link.nic_side.transfer_end = EventClass::pcie_to_host;
    link.host_side = link.nic_side;
    link.host_side.transfer_end = EventClass::pcie_to_nic;
    return link;
}

/// Both ends of a PCIe link, with a checker on every hop; the sides' devices are the test's.
class Link {
public:
    Link(const std::string& name, Agenda& agenda, const LinkParameters& parameters)
        : nic_end{(name + "_nic_end").c_str(), agenda, parameters.nic_side},
          host_end{(name + "_host_end").c_str(), agenda, parameters.host_side}
    {
        wiring.connect(nic_end.to_link, host_end.from_link, pcie::TlpHop::link);
        wiring.connect(host_end.to_link, nic_end.from_link, pcie::TlpHop::link);
    }
    template <typename NicDevice, typename HostDevice>
    void connect(NicDevice& nic, HostDevice& host)
    {
        wiring.connect(nic.to_pcie, nic_end.from_device, pcie::TlpHop::submission);
        wiring.connect(nic_end.to_device, nic.from_pcie, pcie::TlpHop::delivery);
        wiring.connect(host.to_pcie, host_end.from_device, pcie::TlpHop::submission);
        wiring.connect(host_end.to_device, host.from_pcie, pcie::TlpHop::delivery);
    }

    pcie::TransactionLayer nic_end;
    pcie::TransactionLayer host_end;
    pcie::CheckedWiring wiring{true};
};

/// A root complex with its memory, which is the test's, behind a checker.
template <typename Memory>
class Host {
public:
    template <typename... Arguments>
    Host(Agenda& agenda, config::PayloadMode mode, Arguments&&... arguments)
        : root_complex{"root_complex", agenda, {}, mode}, memory{"memory", std::forward<Arguments>(arguments)...}
    {
        root_complex.memory.socket.bind(checker.in);
        checker.out.bind(memory.socket);
    }

    host::RootComplex root_complex;
    BaseProtocolChecker checker{"checker"};
    Memory memory;
};

inline std::uint64_t value_of(const StatisticGroup& group, const std::string& name)
{
    for (const Statistic& statistic : group.statistics()) {
        if (statistic.name == name) {
            return std::get<std::uint64_t>(statistic.read());
        }
    }
    ADD_FAILURE() << "no statistic " << name;
    return 0;
}

}  // namespace mrcnic::testbench
