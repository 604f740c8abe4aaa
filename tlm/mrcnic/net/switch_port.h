#pragma once

#include <array>
#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/net/switch_classes.h"
#include "mrcnic/nic/network_port.h"
#include "mrcnic/nic/transmit_scheduler.h"
#include "mrcnic/pcie/checked_wiring.h"

namespace mrcnic::net {

/// A port of a switch with the queues of what it sends, limited in bytes per class [SW-13, SW-14, SW-23].
class SwitchPort : public sc_core::sc_module {
public:
    struct Parameters {
        BitsPerSecond rate{400'000'000'000};
        std::uint64_t queue_limit{1'500'000};  ///< bytes charged per class, the frame on the wire included
        Place place;
        bool protocol_checkers{false};
    };

    packet::FrameInitiatorSocket<SwitchPort> to_scheduler{"to_scheduler", *this, &SwitchPort::sent};
    nic::TransmitScheduler scheduler;
    nic::NetworkPort port;

    SwitchPort(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing, const SwitchBands& bands,
               const Parameters& parameters);

    /// Takes a frame into its class's queue. @return false if the queue limit forbids it: the frame is dropped
    bool offer(packet::Frame& frame);

    [[nodiscard]] pcie::CheckedWiring& wiring() noexcept { return wiring_; }
    [[nodiscard]] std::uint64_t tx_drops() const noexcept { return tx_drops_; }
    /// Bytes charged to a class, the frame on the wire included.
    [[nodiscard]] std::uint64_t queued_bytes(std::size_t traffic_class) const noexcept
    {
        return queued_[traffic_class];
    }

private:
    tlm::tlm_sync_enum sent(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);

    const SwitchBands& bands_;
    Parameters parameters_;
    std::array<std::uint64_t, kSwitchClasses> queued_{};
    std::uint64_t tx_drops_{0};
    pcie::CheckedWiring wiring_;
};

}  // namespace mrcnic::net
