#pragma once

#include <cstdint>

#include "mrcnic/packet/codec.h"

/// The layouts of the wire [TR-28], each written down once for both directions.
///
/// `Io` writes the fields of const headers, or reads them into headers to fill. It has `field(bits, value)`,
/// `ignored(bits, value)` for what a reader passes over, and `fixed(bits, value, reason)` for what it insists on.
namespace mrcnic::packet::layout {

using Reason = DecodeError::Reason;

inline constexpr std::uint64_t kTimeToLive = 255;
inline constexpr std::uint64_t kProtocolUdp = 17;

/// What IPv4 and UDP say of their sizes, in bytes.
struct Lengths {
    std::uint32_t ip{0};
    std::uint32_t udp{0};
};

template <typename Io>
void ethernet_fields(Io& io, const NetworkHeader& network, std::uint16_t type)
{
    for (const Address address : {network.destination, network.source}) {
        io.ignored(16, 0x0200);
        io.ignored(32, address);
    }
    io.fixed(16, type, Reason::ether_type);
}

template <typename Io, typename Header, typename LengthsT>
void network_fields(Io& io, Header& network, LengthsT& lengths)
{
    io.fixed(8, 0x45, Reason::ip_version);
    io.field(6, network.dscp);
    io.field(2, network.ecn);
    io.field(16, lengths.ip);
    io.ignored(16, 0);  // id
    io.ignored(2, 0);   // reserved, do not fragment
    io.fixed(14, 0, Reason::fragment);
    io.ignored(8, kTimeToLive);
    io.fixed(8, kProtocolUdp, Reason::protocol);
    io.ignored(16, 0);  // checksum, over all of the header
    io.field(32, network.source);
    io.field(32, network.destination);
    io.field(16, network.udp_source);
    io.field(16, network.udp_destination);
    io.field(16, lengths.udp);
    io.ignored(16, 0);  // UDP checksum
}

template <typename Io, typename Header>
void bth_fields(Io& io, Header& bth)
{
    io.field(8, bth.opcode);
    io.ignored(4, 0);  // SE, M, pad
    io.fixed(4, 0, Reason::bth_version);
    io.ignored(16, 0xFFFF);  // P_Key
    io.ignored(8, 0);
    io.field(24, bth.destination_qp);
    io.field(1, bth.ack_request);
    io.ignored(1, 0);  // R
    io.field(1, bth.retransmission);
    io.field(1, bth.timestamp);
    io.ignored(4, 0);
    io.field(24, bth.psn);
}

template <typename Io, typename Header>
void meth_fields(Io& io, Header& meth)
{
    io.field(16, meth.receive_queue_msn);
    io.field(16, meth.msn);
}

/// What follows a timestamp: TSR, reserved bits and the format type.
template <typename Io>
void timestamp_format(Io& io)
{
    io.ignored(12, 0);
    io.fixed(4, 1, Reason::timestamp_format);
}

template <typename Io, typename FrameT>
void data_fields(Io& io, FrameT& frame)
{
    meth_fields(io, frame.meth);
    if (frame.bth.timestamp) {
        io.field(16, frame.tseth.timestamp);
        timestamp_format(io);
    }
    io.field(64, frame.reth.virtual_address);
    io.field(32, frame.reth.r_key);
    io.field(32, frame.reth.dma_length);
    if (has_immediate(frame.bth.opcode)) {
        io.field(32, frame.immediate.data);
    }
}

template <typename Io, typename Header>
void aeth_fields(Io& io, Header& aeth)
{
    io.field(8, aeth.syndrome);
    io.field(24, aeth.msn);
}

template <typename Io, typename Header>
void seth_fields(Io& io, Header& seth)
{
    io.fixed(4, 1, Reason::header_type);
    io.ignored(5, 0);  // next
    io.field(2, seth.mark);
    io.ignored(3, 0);
    io.field(1, seth.probe_response);
    io.field(1, seth.retransmission_echo);
    io.field(16, seth.ack_psn_offset);
    io.field(32, seth.entropy);
    io.ignored(32, 0);  // contexts
    io.ignored(8, 0);
    io.field(24, seth.cack_psn);
    io.field(4, seth.cc_type);
    io.field(4, seth.cc_flags);
    io.field(8, seth.mpr);
    io.field(16, seth.sack_offset);
    io.field(64, seth.bitmap);
}

template <typename Io, typename Header>
void cc_state_fields(Io& io, Header& cc_state)
{
    io.field(16, cc_state.reflected_timestamp);
    io.ignored(1, 0);
    io.field(15, cc_state.out_of_order_count);
    io.field(1, cc_state.restore_window);
    io.field(7, cc_state.receiver_penalty);
    io.field(24, cc_state.received_bytes);
}

template <typename Io, typename Header>
void neth_fields(Io& io, Header& neth)
{
    io.fixed(4, 2, Reason::header_type);
    io.ignored(5, 0);  // next
    io.ignored(6, 0);
    io.field(1, neth.retransmission_echo);
    io.field(8, neth.reason);
    io.field(8, neth.vendor);
    io.field(32, neth.entropy);
    io.ignored(32, 0);  // contexts
    io.ignored(8, 0);
    io.field(24, neth.nack_psn);
    io.field(4, neth.cc_type);
    io.field(4, neth.cc_flags);
    io.ignored(8, 0);
    io.field(16, neth.reflected_timestamp);
}

template <typename Io, typename Header>
void peth_fields(Io& io, Header& peth)
{
    io.fixed(4, 3, Reason::header_type);
    io.ignored(5, 0);  // next
    io.ignored(15, 0);
    io.ignored(8, 0);  // vendor
    io.field(16, peth.probe_id);
    io.ignored(16, 0);
    io.ignored(32, 0);  // contexts
    io.field(16, peth.timestamp);
    timestamp_format(io);
}

/// The headers between BTH and payload.
template <typename Io, typename FrameT>
void further_fields(Io& io, FrameT& frame)
{
    switch (frame.kind) {
        case FrameKind::data:
            return data_fields(io, frame);
        case FrameKind::ack:
            return aeth_fields(io, frame.aeth);
        case FrameKind::sack:
            seth_fields(io, frame.seth);
            return cc_state_fields(io, frame.cc_state);
        case FrameKind::nack:
            return neth_fields(io, frame.neth);
        case FrameKind::probe:
            return peth_fields(io, frame.peth);
        case FrameKind::trimmed:
            return meth_fields(io, frame.meth);
        case FrameKind::foreign:
            return;
    }
}

}  // namespace mrcnic::packet::layout
