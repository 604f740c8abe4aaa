#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "mrcnic/packet/codec.h"

namespace mrcnic::packet::testing {

inline constexpr std::array<Opcode, 6> kWrites{Opcode::write_first, Opcode::write_middle,
                                               Opcode::write_last,  Opcode::write_last_immediate,
                                               Opcode::write_only,  Opcode::write_only_immediate};

/// Calls `visit(field, bits)` for every field that a frame of this kind has on the wire, kind and sizes apart.
template <typename FrameT, typename Visit>
void for_each_field(FrameT& f, Visit visit)
{
    if (f.kind == FrameKind::foreign) {
        return;
    }
    visit(f.network.source, 32);
    visit(f.network.destination, 32);
    visit(f.network.dscp, 6);
    visit(f.network.ecn, 2);
    visit(f.network.udp_source, 16);
    visit(f.network.udp_destination, 16);
    visit(f.bth.destination_qp, 24);
    visit(f.bth.ack_request, 1);
    visit(f.bth.retransmission, 1);
    visit(f.bth.timestamp, 1);
    visit(f.bth.psn, 24);
    if (f.kind == FrameKind::data || f.kind == FrameKind::trimmed) {
        visit(f.meth.receive_queue_msn, 16);
        visit(f.meth.msn, 16);
    }
    if (f.kind == FrameKind::data) {
        if (f.bth.timestamp) {
            visit(f.tseth.timestamp, 16);
        }
        visit(f.reth.virtual_address, 64);
        visit(f.reth.r_key, 32);
        visit(f.reth.dma_length, 32);
        if (has_immediate(f.bth.opcode)) {
            visit(f.immediate.data, 32);
        }
    } else if (f.kind == FrameKind::ack) {
        visit(f.aeth.syndrome, 8);
        visit(f.aeth.msn, 24);
    } else if (f.kind == FrameKind::sack) {
        visit(f.seth.mark, 2);
        visit(f.seth.probe_response, 1);
        visit(f.seth.retransmission_echo, 1);
        visit(f.seth.ack_psn_offset, 16);
        visit(f.seth.entropy, 32);
        visit(f.seth.cack_psn, 24);
        visit(f.seth.cc_type, 4);
        visit(f.seth.cc_flags, 4);
        visit(f.seth.mpr, 8);
        visit(f.seth.sack_offset, 16);
        visit(f.seth.bitmap, 64);
        visit(f.cc_state.reflected_timestamp, 16);
        visit(f.cc_state.out_of_order_count, 15);
        visit(f.cc_state.restore_window, 1);
        visit(f.cc_state.receiver_penalty, 7);
        visit(f.cc_state.received_bytes, 24);
    } else if (f.kind == FrameKind::nack) {
        visit(f.neth.retransmission_echo, 1);
        visit(f.neth.reason, 8);
        visit(f.neth.vendor, 8);
        visit(f.neth.entropy, 32);
        visit(f.neth.nack_psn, 24);
        visit(f.neth.cc_type, 4);
        visit(f.neth.cc_flags, 4);
        visit(f.neth.reflected_timestamp, 16);
    } else if (f.kind == FrameKind::probe) {
        visit(f.peth.probe_id, 16);
        visit(f.peth.timestamp, 16);
    }
}

/// All that the wire carries of a frame, to be compared.
inline std::vector<std::uint64_t> fields_of(const Frame& frame)
{
    std::vector<std::uint64_t> values{static_cast<std::uint64_t>(frame.kind),
                                      static_cast<std::uint64_t>(frame.traffic_class), frame.wire_bytes,
                                      frame.payload_bytes, static_cast<std::uint64_t>(frame.bth.opcode)};
    for_each_field(frame, [&values](auto field, unsigned) { values.push_back(static_cast<std::uint64_t>(field)); });
    return values;
}

/// Makes frames with random fields of the whole range of their bits.
class RandomFrames {
public:
    RandomFrames(std::uint64_t seed, const DscpRoles& roles) : random_{seed}, roles_{roles} {}

    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    [[nodiscard]] FrameRef make(FrameKind kind, std::uint32_t icrc_bytes, bool with_bytes)
    {
        FrameRef frame = pool_.make();
        frame->kind = kind;
        frame->bth.opcode = opcode_of(kind);
        frame->bth.timestamp = below(2) == 1;  // before the fields that depend on it
        const bool timestamp = frame->bth.timestamp;
        for_each_field(*frame, [this](auto& field, unsigned bits) { fill(field, bits); });
        frame->bth.timestamp = timestamp;
        if (kind != FrameKind::foreign) {
            frame->network.dscp = dscp_of(kind, frame->network.dscp);
            frame->traffic_class = roles_.class_of(frame->network.dscp);
        }
        if (kind == FrameKind::data) {
            frame->payload_bytes = static_cast<std::uint32_t>(below(10) == 0 ? 0 : below(5000));
            if (with_bytes) {
                frame->payload.resize(frame->payload_bytes);
                for (std::uint8_t& byte : frame->payload) {
                    byte = static_cast<std::uint8_t>(random_());
                }
            }
        }
        frame->wire_bytes = kind == FrameKind::foreign ? static_cast<std::uint32_t>(18 + below(1500))
                                                       : wire_bytes_of(*frame, icrc_bytes);
        return frame;
    }

private:
    template <typename T>
    void fill(T& field, unsigned bits)
    {
        std::uint64_t value = random_() >> (64U - bits);
        switch (below(4)) {
            case 0:
                value = 0;
                break;
            case 1:
                value = ~std::uint64_t{0} >> (64U - bits);
                break;
            default:
                break;
        }
        field = static_cast<T>(value);
    }

    Opcode opcode_of(FrameKind kind)
    {
        switch (kind) {
            case FrameKind::ack:
                return Opcode::ack;
            case FrameKind::sack:
                return Opcode::sack;
            case FrameKind::nack:
                return Opcode::nack;
            case FrameKind::probe:
                return Opcode::probe;
            case FrameKind::foreign:
                return Opcode::write_only;
            default:
                return kWrites[below(6)];
        }
    }

    // The codepoint tells trimmed from whole data frames [TR-80].
    std::uint8_t dscp_of(FrameKind kind, std::uint8_t any)
    {
        if (kind == FrameKind::trimmed) {
            return below(2) == 0 ? 12 : 16;
        }
        return kind == FrameKind::data && (any == 12 || any == 16) ? 4 : any;
    }

    std::mt19937_64 random_;
    const DscpRoles& roles_;
    FramePool pool_;
};

}  // namespace mrcnic::packet::testing
