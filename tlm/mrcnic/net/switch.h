#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/config/config.h"
#include "mrcnic/net/ecmp_hash.h"
#include "mrcnic/net/route_table.h"
#include "mrcnic/net/switch_port.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::net {

/// A store-and-forward switch with any number of ports and one packet buffer, output queued [SW-10].
///
/// Under the UET policy: classes by DSCP role, a limit for each queue, trimming, ECN [SW-20 .. SW-44]. Without it
/// classes by DSCP and one pool, nothing else [SW-25]. Sends no pause frames [SW-17].
class Switch : public sc_core::sc_module {
public:
    struct Port {
        BitsPerSecond rate{0};  ///< of its link, the lower one of its ends [SW-1]
        bool faces_nic{true};   ///< [SW-32]
    };
    struct Parameters {
        std::uint16_t node{0};        ///< node id [RC-30]
        std::uint32_t id{0};          ///< counts switches from 0, leaves before spines [SW-51]
        config::SwitchConfig policy;  ///< attributes `switch.*`
        packet::DscpCodepoints dscp;
        std::uint64_t seed{1};  ///< `simulation.Seed`, of the ECN draws [SW-44]
        std::vector<Port> ports;
        bool protocol_checkers{false};
    };

    Switch(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters);

    /// Frames to `address` leave by one of `members` ports from `first_port` on [SW-51, SW-52].
    void add_route(packet::Address address, std::uint16_t first_port, std::uint16_t members = 1)
    {
        routes_.add(address, {first_port, members});
    }

    [[nodiscard]] std::size_t port_count() const noexcept { return ports_.size(); }
    [[nodiscard]] SwitchPort& port(std::size_t i) noexcept { return ports_[i]; }
    [[nodiscard]] const SwitchPort& port(std::size_t i) const noexcept { return ports_[i]; }
    [[nodiscard]] std::uint16_t node() const noexcept { return parameters_.node; }
    [[nodiscard]] std::uint32_t id() const noexcept { return parameters_.id; }
    [[nodiscard]] const BufferAccounts& ingress() const noexcept { return shared_.ingress; }
    [[nodiscard]] const BufferAccounts& egress() const noexcept { return shared_.egress; }
    /// The run is over: open transactions are faults, unless it was cut short.
    void finish_checkers(bool cut_short);
    /// Frames dropped because nobody has their destination address [SW-18].
    [[nodiscard]] std::uint64_t unroutable() const noexcept { return unroutable_; }

private:
    tlm::tlm_sync_enum arrive(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void arrivals_complete();
    void forward(packet::FrameRef frame);
    void drop_unroutable(const packet::Frame& frame);
    [[nodiscard]] SwitchPort::Parameters port_parameters(std::size_t port) const;

    Agenda& agenda_;
    Parameters parameters_;
    ExactTiming timing_;
    SharedPolicies shared_;
    EcmpHash hash_;
    RouteTable routes_;
    sc_core::sc_vector<SwitchPort> ports_{"ports"};
    sc_core::sc_vector<packet::FrameTargetSocket<Switch>> from_ports_{"from_ports"};
    std::vector<packet::FrameRef> arrived_;  // in this instant, by port
    std::uint16_t next_first_port_{0};       // where the next instant with more than one arrival starts [OE-4]
    std::uint64_t unroutable_{0};
};

}  // namespace mrcnic::net
