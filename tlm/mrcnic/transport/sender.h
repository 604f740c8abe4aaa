#pragma once

#include <cstdint>

#include "mrcnic/transport/acknowledgement_handler.h"
#include "mrcnic/transport/data_frames.h"
#include "mrcnic/transport/prober.h"
#include "mrcnic/transport/retransmission.h"
#include "mrcnic/transport/sender_state.h"
#include "mrcnic/transport/transmit_process.h"
#include "mrcnic/transport/verbs.h"

namespace mrcnic::transport {

/// The sending half of a transport: its parts, and which of them hears of what
/// [TR-4 .. TR-18, TR-45 .. TR-57, TR-73 .. TR-91].
class Sender {
public:
    using Counters = SenderCounters;

    Sender(TransportContext& context, CompletionSink*& completions);

    void open(packet::QpNumber number, packet::Address destination);
    void connect(packet::QpNumber number, packet::QpNumber peer);
    void close(packet::QpNumber number);
    void post(const WorkRequest& request);

    void on_sack(const packet::Frame& frame) { acknowledgements_.on_sack(frame); }
    void on_ack(const packet::Frame& frame) { acknowledgements_.on_ack(frame); }
    void on_nack(const packet::Frame& frame) { acknowledgements_.on_nack(frame); }
    /// The payload of a fetched frame has arrived [TR-55].
    void hand_off(packet::Frame& frame) { frames_.hand_off(frame); }
    /// The serialization of a data frame or probe has ended [TR-57].
    void on_sent(const packet::Frame& frame);
    /// The egress buffer's answer to the reservation of `frame`, when it did not come in the call.
    void on_answer(const packet::Frame& frame, bool granted);
    /// Half-drain retry [EG-4].
    void on_wake() { process_.on_wake(); }
    /// All messages are complete: no new probe from now on [WL-5].
    void stop_probes() { prober_.stop(); }

    [[nodiscard]] const Counters& counters() const noexcept { return state_.counters; }
    [[nodiscard]] const RttSamples& rtt() const noexcept { return state_.rtt; }
    /// Quick Adapt firings of all destinations [CC-35].
    [[nodiscard]] std::uint64_t quick_adapts() const noexcept { return state_.queue_pairs.quick_adapts(); }
    /// Null if there is none.
    [[nodiscard]] const SendQueuePair* queue_pair(packet::QpNumber number) const noexcept
    {
        return state_.queue_pairs.find(number);
    }

private:
    void announce(SendQueuePair& queue_pair, const WorkRequest& request);
    void observe_sent(const packet::Frame& frame) const;

    SenderState state_;
    DataFrames frames_;
    TransmitProcess process_;
    Prober prober_;
    Retransmission retransmission_;
    AcknowledgementHandler acknowledgements_;
    bool closes_after_answer_{false};  // the queue pair that an answer is owed for
};

}  // namespace mrcnic::transport
