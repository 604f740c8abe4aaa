#pragma once

#include <array>
#include <cstdint>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/block_timing.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/nic/byte_pool.h"
#include "mrcnic/packet/frame_protocol.h"

namespace mrcnic::nic {

/// Room for what the NIC sends: a data and a control pool, with the half-drain retry [PL-1, EG-1 .. EG-6].
///
/// A frame reserves its size on the wire before it is fetched or built and holds it until its serialization has ended.
/// Nothing is dropped here: a refusal stops the requester, and WAKE tells it when to try again.
class EgressBuffer : public sc_core::sc_module {
public:
    /// From the half-drain crossing to the retry [EG-4].
    static constexpr Picoseconds kRetryDelay = 15'000;

    struct Parameters {
        std::uint64_t total_size{256'000};  ///< bytes; split 90 : 10 [PL-1]
        Picoseconds retry_delay{kRetryDelay};
        Place place;
    };

    packet::FrameTargetSocket<EgressBuffer> from_transport{"from_transport", *this, &EgressBuffer::forward};
    packet::FrameInitiatorSocket<EgressBuffer> to_scheduler{"to_scheduler", *this, &EgressBuffer::sent};

    EgressBuffer(const sc_core::sc_module_name& name, Agenda& agenda, const BlockTiming& timing,
                 const Parameters& parameters);

    [[nodiscard]] const BytePool& pool(packet::TrafficClass traffic_class) const noexcept
    {
        return classes_[index(traffic_class)].pool;
    }
    /// The pool's `interval_peak` counts from now.
    void start_interval(packet::TrafficClass traffic_class) noexcept
    {
        classes_[index(traffic_class)].pool.start_interval();
    }
    /// Half-drain retries that were carried out.
    [[nodiscard]] std::uint64_t retries_after_drain() const noexcept { return retries_after_drain_; }
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }

private:
    struct Class {
        explicit Class(std::uint64_t size) : pool{size} {}
        BytePool pool;
        packet::FrameRef refused;  ///< the frame last refused: what WAKE carries
        bool stopped{false};       ///< its refusal stands
    };

    [[nodiscard]] static std::size_t index(packet::TrafficClass traffic_class) noexcept
    {
        return static_cast<std::size_t>(traffic_class);
    }
    [[nodiscard]] Class& class_of(const packet::Frame& frame) noexcept { return classes_[index(frame.traffic_class)]; }

    tlm::tlm_sync_enum forward(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum sent(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum reserve(packet::Frame& frame, tlm::tlm_phase& phase);
    [[nodiscard]] tlm::tlm_phase decide(packet::Frame& frame);
    void answer_later(packet::FrameRef frame);
    void retry_after_drain();
    static void start(Class& traffic_class);
    void wake(Class& traffic_class);
    void describe_statistics();

    Agenda& agenda_;
    const BlockTiming& timing_;
    Parameters parameters_;
    std::array<Class, 2> classes_;
    std::uint64_t retries_after_drain_{0};
    StatisticGroup statistics_{"egress"};
};

}  // namespace mrcnic::nic
