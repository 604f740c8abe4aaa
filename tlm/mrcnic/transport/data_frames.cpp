#include "mrcnic/transport/data_frames.h"

#include <algorithm>

namespace mrcnic::transport {

using packet::Frame;
using packet::FrameKind;
using packet::Psn;

DataFrames::DataFrames(SenderState& state)
    : state_{state}, context_{state.context}, dscp_{state.context.config.transport.dscp}
{
}

void DataFrames::prepare(Frame& frame, const Destination::Choice& choice) const
{
    frame.kind = FrameKind::data;
    frame.traffic_class = packet::TrafficClass::data;
    frame.payload_bytes = choice.item.payload_bytes;
    frame.wire_bytes = packet::data_wire_bytes(choice.item.payload_bytes, context_.stamps_frames());
    if (!choice.item.retransmission) {
        return;
    }
    // Now, as an acknowledgement may come before the answer: a repetition with room is sent all the same [TR-56].
    fill(frame, *choice.queue_pair, choice.item.psn);
    frame.bth.retransmission = true;
    const OutstandingPacket* packet = choice.queue_pair->find(choice.item.psn);
    frame.payload.assign(packet->payload.begin(), packet->payload.end());
}

void DataFrames::fill(Frame& frame, SendQueuePair& queue_pair, Psn psn) const
{
    const SegmentDescription segment = queue_pair.describe(psn);
    frame.message_id = segment.message_id;
    frame.local_address = segment.local_address;
    frame.sender_qp = queue_pair.number();
    frame.network.source = context_.address;
    frame.network.destination = queue_pair.destination().address();
    frame.network.udp_destination = context_.config.transport.udp_destination_port;
    frame.bth.opcode = segment.opcode;
    frame.bth.destination_qp = queue_pair.peer_number();
    frame.bth.timestamp = context_.stamps_frames();
    frame.bth.psn = psn;
    frame.meth.msn = segment.msn;
    frame.reth.virtual_address = segment.remote_address;
    frame.reth.dma_length = frame.payload_bytes;
}

// [TR-55, TR-90]
void DataFrames::send_segment(Frame& frame, SendQueuePair& queue_pair)
{
    const Psn psn = queue_pair.next_psn();
    const bool last = queue_pair.take_segment();
    queue_pair.destination().enter_flight(*queue_pair.find(psn));
    fill(frame, queue_pair, psn);
    context_.outlet.fetch(frame);
    if (!last) {
        return;
    }
    if (context_.queue_pair_observer != nullptr) {
        const SegmentDescription segment = queue_pair.describe(psn);
        context_.queue_pair_observer->send_complete(state_.end_of(queue_pair),
                                                    {segment.message_id, segment.message_bytes});
    }
    state_.completions->send_complete(frame.message_id);
}

// [TR-56] The NIC rebuilds a repetition itself: nothing is fetched.
void DataFrames::repeat(Frame& frame, SendQueuePair& queue_pair, Psn psn)
{
    if (const OutstandingPacket* packet = queue_pair.find(psn)) {
        queue_pair.take_repetition(psn);
        queue_pair.destination().enter_flight(*packet);
    }
    ++state_.counters.retransmissions;
    if (context_.queue_pair_observer != nullptr) {
        context_.queue_pair_observer->packet_repeated(state_.end_of(queue_pair), frame.message_id);
    }
    hand_off(frame);
}

// [TR-55, TR-57] Headers, entropy value and DSCP; then it joins the data queue, nothing is checked again.
void DataFrames::hand_off(Frame& frame)
{
    const config::TransportConfig& transport = context_.config.transport;
    frame.network.dscp = frame.bth.retransmission && transport.use_distinct_dscp_for_retransmit ? dscp_.trimmable_rtx
                         : transport.trimming_enabled                                           ? dscp_.trimmable
                                                                                                : dscp_.no_trim;
    frame.uid = context_.make_uid();
    ++state_.counters.data_sent;
    if (SendQueuePair* queue_pair = state_.queue_pairs.find(frame.sender_qp)) {
        give_number(frame, *queue_pair);
    }
    context_.outlet.submit(frame);
}

void DataFrames::give_number(Frame& frame, SendQueuePair& queue_pair)
{
    const bool repeated = frame.bth.retransmission;
    Destination& destination = queue_pair.destination();
    frame.network.udp_source = destination.paths().next();
    frame.transmission = queue_pair.hand_off(frame.bth.psn, frame.network.udp_source);
    const bool last = frame.bth.opcode == packet::Opcode::write_only || frame.bth.opcode == packet::Opcode::write_last;
    frame.bth.ack_request = queue_pair.ack_policy().request(last, repeated);
    OutstandingPacket* packet = queue_pair.find(frame.bth.psn);
    if (packet != nullptr) {
        state_.counters.max_tx_count = std::max<std::uint64_t>(state_.counters.max_tx_count, packet->transmissions);
        if (packet->handed_down) {
            destination.window().add_handed_down(destination.nominal(packet->payload_bytes));
        }
    }
    if (context_.samples != nullptr) {
        take_samples(destination, packet, repeated);
    }
    if (!repeated && context_.payload_mode == config::PayloadMode::bytes) {
        keep_payload(frame, packet);
    }
}

// [RC-60.61, RC-60.76]
void DataFrames::take_samples(const Destination& destination, const OutstandingPacket* packet, bool repeated)
{
    if (packet != nullptr) {
        context_.samples->transmissions.add(packet->transmissions);
    }
    if (!repeated) {
        context_.samples->congestion_window.add(destination.window().window());
        context_.samples->bytes_in_flight.add(static_cast<double>(destination.window().in_flight()));
    }
}

void DataFrames::keep_payload(Frame& frame, OutstandingPacket* packet)
{
    frame.payload.resize(frame.payload_bytes);  // a fetch that failed brought nothing: zeros go in its place
    if (packet != nullptr) {
        packet->payload.assign(frame.payload.begin(), frame.payload.end());
    }
}

}  // namespace mrcnic::transport
