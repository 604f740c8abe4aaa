#pragma once

#include <cstdint>
#include <vector>

#include "mrcnic/base/pool.h"
#include "mrcnic/base/time.h"
#include "mrcnic/packet/headers.h"
#include "mrcnic/packet/roles.h"

namespace mrcnic::packet {

/// What a frame is; decides which headers of Frame count.
enum class FrameKind : std::uint8_t {
    data,     ///< BTH, METH, TSETH if bth.timestamp, RETH, immediate if the opcode says so, payload
    ack,      ///< BTH, AETH: cumulative acknowledgement
    sack,     ///< BTH, SETH, CC_STATE
    nack,     ///< BTH, NETH
    probe,    ///< BTH, PETH
    trimmed,  ///< BTH, METH: what a switch left of a data frame
    foreign   ///< anything else, a pause frame for example: no header of ours
};

/// What a frame says beside its payload: its headers, decoded, and what blocks note on it.
struct FrameFields {
    // What every block looks at, then what a data frame has, then what an acknowledgement has: a frame is mostly out of
    // the cache when it comes to a block, and each of them is a cache line.
    FrameKind kind{FrameKind::data};
    TrafficClass traffic_class{TrafficClass::data};  ///< of its DSCP role [FR-3]
    std::uint16_t ingress_port{0};                   ///< beside the frame: port of the device that it arrived on
    std::uint32_t wire_bytes{0};                     ///< size on the wire, Ethernet header and FCS included [FR-1]
    std::uint32_t payload_bytes{0};                  ///< data: bytes of the segment
    std::uint32_t charged_bytes{0};  ///< beside the frame: what a buffer on the receiving side holds for it
    NetworkHeader network;
    Bth bth;
    Picoseconds joined_queue_at{0};  ///< beside the frame: when it joined its transmit queue

    Meth meth;
    Tseth tseth;
    Immediate immediate;
    Reth reth;
    // Beside the frame, not on the wire.
    std::uint64_t message_id{0};     ///< data: the message it belongs to [WL-16]; acknowledgement: that of its cause
    std::uint64_t local_address{0};  ///< data: where the sender's host memory has the payload
    std::uint32_t sender_qp{0};      ///< the QP number of the end that sends it
    std::uint32_t transmission{0};   ///< data: number of this transmission on its QP [TR-75]
    std::uint64_t uid{0};            ///< unique number of the frame in the run [RC-65.5]

    Picoseconds service_time{0};  ///< SACK, beside the frame: wait behind control frames in the sender's queue [TR-71]
    Seth seth;
    CcState cc_state;
    Neth neth;
    Aeth aeth;
    Peth peth;
};

/// A frame between two blocks; the payload of the frame protocol (`docs/protocols.md` has its rules, numbered).
///
/// Carries its headers decoded, its size always, real payload bytes only with `PayloadMode = "bytes"`. Pooled: lives as
/// long as a FrameRef points at it.
class Frame : public Pooled, public FrameFields {
public:
    std::vector<std::uint8_t> payload;  ///< `payload_bytes` bytes with `PayloadMode = "bytes"`, else empty

    /// A frame as new; keeps the payload's capacity.
    void reset() noexcept
    {
        static_cast<FrameFields&>(*this) = FrameFields{};
        payload.clear();
    }
};

using FrameRef = Ref<Frame>;
using FramePool = Pool<Frame>;

}  // namespace mrcnic::packet
