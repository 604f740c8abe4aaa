#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/serialization_clock.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/packet/wire_transmitter.h"

namespace mrcnic::workload {

/// A wire that never rests: sends data frames of one size back to back and heeds nothing that comes back [PC-7].
///
/// The last bit of frame n (n = 1, 2, ...) is out at n frame times, exactly.
class LineRateSource : public sc_core::sc_module, public packet::WireTransmitter {
public:
    struct Parameters {
        BitsPerSecond rate{400'000'000'000};
        std::uint32_t frame_gap_bytes{0};
        std::uint32_t frame_payload{4096};  ///< bytes
        std::uint64_t frame_count{0};       ///< 0 = until somebody ends the run
        packet::Address source{0};
        packet::Address destination{0};
        packet::QpNumber destination_qp{0};  ///< receiving end in the NIC
        std::uint8_t dscp{0};
        config::PayloadMode payload_mode{config::PayloadMode::sizes};
        Place place;
    };

    packet::FrameInitiatorSocket<LineRateSource> to_wire{"to_wire", *this};
    packet::FrameTargetSocket<LineRateSource> from_wire{"from_wire", *this, &LineRateSource::absorb};

    LineRateSource(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters);

    [[nodiscard]] BitsPerSecond rate() const noexcept override { return parameters_.rate; }
    [[nodiscard]] Place place() const noexcept override { return parameters_.place; }
    [[nodiscard]] std::uint64_t frames_sent() const noexcept { return frames_sent_; }
    [[nodiscard]] std::uint64_t frames_absorbed() const noexcept { return frames_absorbed_; }
    [[nodiscard]] bool finished() const noexcept
    {
        return parameters_.frame_count > 0 && frames_sent_ == parameters_.frame_count;
    }
    [[nodiscard]] std::size_t live_frames() const noexcept { return frames_.live(); }

private:
    void start_of_simulation() override { start_frame(); }
    void start_frame();
    void frame_sent();
    [[nodiscard]] packet::FrameRef make_frame();
    tlm::tlm_sync_enum absorb(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);

    Agenda& agenda_;
    Parameters parameters_;
    SerializationClock clock_;
    packet::FramePool frames_;
    std::uint64_t frames_sent_{0};
    std::uint64_t frames_absorbed_{0};
};

}  // namespace mrcnic::workload
