#pragma once

#include <cstdint>
#include <utility>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/statistics.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/transport/receiver.h"
#include "mrcnic/transport/sender.h"
#include "mrcnic/transport/transport_context.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

/// The MRC transport of a NIC: gives sender and receiver their sockets and their place among the blocks.
class Transport : public sc_core::sc_module, private Verbs, private FrameOutlet {
public:
    struct Parameters {
        packet::Address address{0};
        BitsPerSecond link_rate{400'000'000'000};  ///< the lower rate of the NIC's link ends [CC-17]
        config::PayloadMode payload_mode{config::PayloadMode::sizes};
        Place place;
        bool takes_every_frame{false};  ///< [PC-7]
        bool single_path{true};         ///< the fabric has one path between any two NICs [TR-77]
    };

    sc_core::sc_export<Verbs> verbs{"verbs"};
    sc_core::sc_port<CompletionSink> completions{"completions"};
    packet::FrameInitiatorSocket<Transport> to_egress{"to_egress", *this, &Transport::from_egress};
    packet::FrameInitiatorSocket<Transport> to_dma{"to_dma", *this, &Transport::fetched};
    packet::FrameTargetSocket<Transport> from_ingress{"from_ingress", *this, &Transport::deliver};

    /// `config` must outlive the module.
    Transport(const sc_core::sc_module_name& name, Agenda& agenda, const config::NicConfig& config,
              const Parameters& parameters);

    // Set before the run; null, the default, costs nothing. What is set must outlive the module.
    void observe_queue_pairs(QueuePairObserver* observer) noexcept { context_.queue_pair_observer = observer; }
    void observe_frames(FrameObserver* observer) noexcept { context_.frame_observer = observer; }
    void collect(TransportSamples* samples) noexcept { context_.samples = samples; }

    /// Where the congestion of this NIC as a receiver shows [CC-43]; before the run.
    void watch_ingress(IngressPool pool) { receiver_.watch(std::move(pool)); }
    /// All messages are complete: no new probe from now on [WL-5].
    void stop_probes() { sender_.stop_probes(); }

    [[nodiscard]] const Sender& sender() const noexcept { return sender_; }
    [[nodiscard]] const Receiver& receiver() const noexcept { return receiver_; }
    [[nodiscard]] const StatisticGroup& statistics() const noexcept { return statistics_; }
    /// Frames of all transports on the agenda, made and not yet back; 0 at the end of every test.
    [[nodiscard]] std::size_t live_frames() const noexcept { return frames_.live(); }

private:
    void end_of_elaboration() override { completion_sink_ = completions.operator->(); }

    packet::QpNumber open_sender(packet::Address destination) override;
    packet::QpNumber open_receiver(packet::Address source, packet::QpNumber sender_qp) override;
    void connect(packet::QpNumber sender_qp, packet::QpNumber receiver_qp) override;
    void close(packet::QpNumber qp) override;
    void post(const WorkRequest& request) override;

    Answer reserve(packet::Frame& frame) override;
    void kick(packet::Frame& frame) override;
    void submit(packet::Frame& frame) override;
    void fetch(packet::Frame& frame) override;

    tlm::tlm_sync_enum from_egress(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum fetched(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    tlm::tlm_sync_enum deliver(packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time& offset);
    void describe_sender();
    void describe_receiver();

    packet::FramePool& frames_;
    TransportContext context_;
    CompletionSink* completion_sink_{nullptr};
    packet::QpNumber next_qp_{1};  // sending and receiving ends in one count [TR-2]
    Sender sender_;
    Receiver receiver_;
    StatisticGroup statistics_{"transport"};
};

}  // namespace mrcnic::transport
