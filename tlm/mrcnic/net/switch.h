#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/config/config.h"
#include "mrcnic/net/switch_port.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::net {

/// A store-and-forward switch with any number of ports, output queued [SW-10 .. SW-14].
///
/// Classes by DSCP role and strict priority among them (SW-20), one byte limit per port and class (SW-23). Not modelled
/// in this version: pools of the whole switch, trimming, ECN, pause frames.
class Switch : public sc_core::sc_module {
public:
    struct Parameters {
        std::uint16_t node{0};                 ///< node id [RC-30]
        Picoseconds forwarding_latency{0};     ///< from arrival to the offer to the egress queue [SW-11]
        std::uint64_t queue_limit{1'500'000};  ///< bytes, of one egress port and class [SW-23]
        packet::DscpCodepoints dscp;
        std::vector<BitsPerSecond> port_rates;  ///< of each port's link, the lower one of its ends [SW-1]
        bool protocol_checkers{false};
    };

    Switch(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters);

    /// Frames to `address` leave by `port` [SW-51].
    void add_route(packet::Address address, std::uint16_t port);

    [[nodiscard]] std::size_t port_count() const noexcept { return ports_.size(); }
    [[nodiscard]] SwitchPort& port(std::size_t i) noexcept { return ports_[i]; }
    [[nodiscard]] const SwitchPort& port(std::size_t i) const noexcept { return ports_[i]; }
    [[nodiscard]] std::uint16_t node() const noexcept { return parameters_.node; }
    /// The run is over: open transactions are faults, unless it was cut short.
    void finish_checkers(bool cut_short);
    /// Frames dropped because nobody has their destination address [SW-18].
    [[nodiscard]] std::uint64_t unroutable() const noexcept { return unroutable_; }

private:
    tlm::tlm_sync_enum arrive(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void arrivals_complete();
    void forward(packet::FrameRef frame);
    void report_unroutable(packet::Address address);

    Agenda& agenda_;
    Parameters parameters_;
    ExactTiming timing_;
    SwitchBands bands_;
    sc_core::sc_vector<SwitchPort> ports_{"ports"};
    sc_core::sc_vector<packet::FrameTargetSocket<Switch>> from_ports_{"from_ports"};
    std::vector<std::uint16_t> routes_;  // port + 1 by address - first_address_; 0 = none
    packet::Address first_address_{0};
    std::vector<packet::FrameRef> arrived_;  // in this instant, by port
    std::uint16_t next_first_port_{0};       // where the next instant with more than one arrival starts [OE-4]
    std::uint64_t unroutable_{0};
};

}  // namespace mrcnic::net
