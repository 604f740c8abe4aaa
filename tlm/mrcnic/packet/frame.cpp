#include "mrcnic/packet/frame.h"

namespace mrcnic::packet {

void Frame::reset() noexcept
{
    kind = FrameKind::data;
    traffic_class = TrafficClass::data;
    wire_bytes = 0;
    payload_bytes = 0;
    network = {};
    bth = {};
    meth = {};
    tseth = {};
    reth = {};
    immediate = {};
    aeth = {};
    seth = {};
    cc_state = {};
    neth = {};
    peth = {};
    service_time = 0;
    uid = 0;
    message_id = 0;
    local_address = 0;
    sender_qp = 0;
    transmission = 0;
    joined_queue_at = 0;
    charged_bytes = 0;
    ingress_port = 0;
    payload.clear();
}

}  // namespace mrcnic::packet
