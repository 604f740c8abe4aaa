#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/queue_disc/start_policy.h"
#include "mrcnic/queue_disc/strict_priority.h"

namespace mrcnic::nic {

/// The queues in front of one network port and the choice of what it sends next [TX-1, TX-2, OE-3].
///
/// Used by NICs (two classes) and switches (their classes): the band map makes the difference. Chooses when all other
/// events of the instant are done, so a control frame that joins in the instant in which the port becomes free goes
/// first. In a NIC it stamps a SACK with its service time as it joins.
class TransmitScheduler : public sc_core::sc_module {
public:
    struct Parameters {
        BitsPerSecond rate{400'000'000'000};  ///< of the port, for service times
        std::uint32_t frame_gap_bytes{0};     ///< link time after each frame, in bytes [FR-4]
        Picoseconds service_time_step{0};     ///< service times are rounded down to it; 0 = exact [TR-71]
        bool stamps_service_time{false};      ///< a NIC does, a switch does not [TX-2]
        Place place;
        queue_disc::StartPolicy* start_policy{nullptr};  ///< must outlive the module; none = nothing is done
    };

    packet::FrameTargetSocket<TransmitScheduler> from_buffer{"from_buffer", *this, &TransmitScheduler::join};
    packet::FrameInitiatorSocket<TransmitScheduler> to_port{"to_port", *this, &TransmitScheduler::sent};

    /// `bands` must outlive the module.
    TransmitScheduler(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                      const queue_disc::BandMap& bands, const Parameters& parameters);

    [[nodiscard]] const queue_disc::StrictPriority& queue() const noexcept { return queue_; }
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }

private:
    tlm::tlm_sync_enum join(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum sent(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    [[nodiscard]] Picoseconds service_time() const noexcept;
    void ask_for_choice();
    void choose();

    Agenda& agenda_;
    const BlockTiming& timing_;
    const queue_disc::BandMap& bands_;
    Parameters parameters_;
    queue_disc::StrictPriority queue_;
    bool port_free_{true};
    bool choice_pending_{false};
    std::uint64_t control_started_{0};
    std::uint64_t control_wait_total_{0};
    std::uint64_t control_wait_max_{0};
    StatisticGroup statistics_{"scheduler"};
};

}  // namespace mrcnic::nic
