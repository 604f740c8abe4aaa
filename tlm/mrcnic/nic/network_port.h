#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/serialization_clock.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/packet/wire_transmitter.h"

namespace mrcnic::nic {

/// Counters of a port, both directions [RC-40.11 .. RC-40.16].
struct PortCounters {
    std::uint64_t tx_frames{0};  ///< serialized completely
    std::uint64_t tx_bytes{0};   ///< of them, sizes on the wire
    std::uint64_t rx_frames{0};  ///< arrived, dropped ones included
    std::uint64_t rx_bytes{0};
};

/// A network port: serializes one frame at a time and takes in what arrives [SW-1, SW-2, XT-1].
///
/// Of a NIC or of a switch. A frame goes to the link when its last bit is out, and up when its last bit has arrived.
class NetworkPort : public sc_core::sc_module, public packet::WireTransmitter {
public:
    struct Parameters {
        BitsPerSecond rate{400'000'000'000};  ///< the lower rate of the link's two ends [SW-1]
        std::uint32_t frame_gap_bytes{0};     ///< link time taken by each frame beside its own [FR-4]
        Place place;
    };

    packet::FrameTargetSocket<NetworkPort> from_scheduler{"from_scheduler", *this, &NetworkPort::start};
    packet::FrameInitiatorSocket<NetworkPort> to_wire{"to_wire", *this};
    packet::FrameTargetSocket<NetworkPort> from_wire{"from_wire", *this, &NetworkPort::expect};
    packet::FrameInitiatorSocket<NetworkPort> to_receiver{"to_receiver", *this};

    NetworkPort(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters);

    [[nodiscard]] const PortCounters& counters() const noexcept { return counters_; }
    [[nodiscard]] BitsPerSecond rate() const noexcept override { return parameters_.rate; }
    [[nodiscard]] Place place() const noexcept override { return parameters_.place; }
    /// Time up to now with a frame on the link.
    [[nodiscard]] Picoseconds busy() const;
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }

private:
    tlm::tlm_sync_enum start(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum expect(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void end(packet::FrameRef frame);
    void arrive(packet::FrameRef frame);

    Agenda& agenda_;
    Parameters parameters_;
    SerializationClock clock_;
    PortCounters counters_;
    Picoseconds busy_total_{0};
    Picoseconds started_at_{0};
    bool sending_{false};
    StatisticGroup statistics_{"port"};
};

}  // namespace mrcnic::nic
