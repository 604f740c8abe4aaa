#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/net/buffer_accounts.h"
#include "mrcnic/net/ecn_marker.h"
#include "mrcnic/net/queue_limits.h"
#include "mrcnic/net/switch_classes.h"
#include "mrcnic/net/trimmer.h"
#include "mrcnic/nic/network_port.h"
#include "mrcnic/nic/transmit_scheduler.h"
#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/queue_disc/start_policy.h"

namespace mrcnic::net {

/// What the ports of one switch share: its classes, its packet buffer and what is done where room lacks.
struct SharedPolicies {
    SwitchClasses classes;
    Trimmer trimmer;
    QueueLimits limits;
    BufferAccounts ingress;
    BufferAccounts egress;
};

/// A port of a switch: ingress account of what arrives on it, queues of what it sends [SW-13 .. SW-16, SW-23].
class SwitchPort : public sc_core::sc_module, private queue_disc::StartPolicy {
public:
    struct Parameters {
        BitsPerSecond rate{400'000'000'000};
        Place place;
        bool faces_nic{true};  ///< frames trimmed here are on their last hop [SW-32]
        EcnMarker::Parameters ecn;
        bool protocol_checkers{false};
    };

    packet::FrameInitiatorSocket<SwitchPort> to_scheduler{"to_scheduler", *this, &SwitchPort::sent};
    nic::TransmitScheduler scheduler;
    nic::NetworkPort port;

    /// `shared` must outlive the module.
    SwitchPort(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing, SharedPolicies& shared,
               const Parameters& parameters);

    /// Charges a frame that has arrived on this port. @return false if its pool has no room: it is dropped [SW-15]
    [[nodiscard]] bool admit(const packet::Frame& frame);
    /// Takes a frame into a queue, trims it or drops it; then its ingress charge is released [SW-16, SW-30].
    void offer(packet::Frame& frame);

    [[nodiscard]] pcie::CheckedWiring& wiring() noexcept { return wiring_; }
    [[nodiscard]] bool faces_nic() const noexcept { return parameters_.faces_nic; }
    /// Frames that found no room in a queue or in a pool's egress total, and were not trimmed [RC-40.21].
    [[nodiscard]] std::uint64_t tx_drops() const noexcept;
    /// Frames that arrived here and found no room in their pool's ingress total [RC-40.22].
    [[nodiscard]] std::uint64_t rx_drops() const noexcept;

    // By traffic class, below `classes()`; counters since the start [RC-70].
    [[nodiscard]] std::size_t classes() const noexcept { return shared_.classes.count(); }
    /// Bytes charged now, the frame on the wire included.
    [[nodiscard]] std::uint64_t queued_bytes(std::size_t traffic_class) const noexcept
    {
        return shared_.egress.of_port(parameters_.place.port, traffic_class);
    }
    /// Bytes charged now to what arrived here.
    [[nodiscard]] std::uint64_t ingress_bytes(std::size_t traffic_class) const noexcept
    {
        return shared_.ingress.of_port(parameters_.place.port, traffic_class);
    }
    /// Most bytes queued since the last call, its instant included, or since the start; begins a new interval.
    std::uint64_t take_interval_max(std::size_t traffic_class);
    /// The marker's average, bytes [SW-40].
    [[nodiscard]] double mean_queue(std::size_t traffic_class) const noexcept { return marker_.mean(traffic_class); }
    [[nodiscard]] std::uint64_t ecn_marked(std::size_t traffic_class) const noexcept
    {
        return counters_[traffic_class].ecn_marked;
    }
    /// Frames of the class that were refused, trimmed and then queued, by the role that they got [SW-36].
    [[nodiscard]] std::uint64_t trimmed(std::size_t traffic_class) const noexcept
    {
        return parameters_.faces_nic ? 0 : counters_[traffic_class].trims;
    }
    [[nodiscard]] std::uint64_t trimmed_lasthop(std::size_t traffic_class) const noexcept
    {
        return parameters_.faces_nic ? counters_[traffic_class].trims : 0;
    }
    /// A trimmed frame that found no room either counts for the class of trimmed frames.
    [[nodiscard]] std::uint64_t egress_drops(std::size_t traffic_class) const noexcept
    {
        return counters_[traffic_class].egress_drops;
    }
    [[nodiscard]] std::uint64_t ingress_drops(std::size_t traffic_class) const noexcept
    {
        return counters_[traffic_class].ingress_drops;
    }

private:
    struct ClassCounters {
        std::uint64_t interval_max{0};
        std::uint64_t ecn_marked{0};
        std::uint64_t trims{0};
        std::uint64_t egress_drops{0};
        std::uint64_t ingress_drops{0};
    };
    enum class Admission { taken, over_limit, over_pool };

    void starts(packet::Frame& frame) override;
    tlm::tlm_sync_enum sent(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    [[nodiscard]] Admission queue(packet::Frame& frame);
    [[nodiscard]] bool queue_trimmed(packet::Frame& frame);

    SharedPolicies& shared_;
    Parameters parameters_;
    EcnMarker marker_;
    std::vector<ClassCounters> counters_;
    pcie::CheckedWiring wiring_;
};

}  // namespace mrcnic::net
