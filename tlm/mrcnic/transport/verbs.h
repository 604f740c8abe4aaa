#pragma once

#include <cstdint>

#include <systemc>

#include "mrcnic/packet/headers.h"

namespace mrcnic::transport {

/// A one-way write of `bytes` to the peer of a queue pair [TR-1].
struct WorkRequest {
    std::uint64_t message_id{0};      ///< as in records [WL-16]
    packet::QpNumber qp{0};           ///< sending end, from `open_sender`
    std::uint64_t bytes{0};           ///< 0 makes one packet without payload [TR-10]
    std::uint64_t local_address{0};   ///< of the payload in the sender's host memory
    std::uint64_t remote_address{0};  ///< in the receiver's
};

/// What a host asks of its NIC's transport; exported by every NIC.
///
/// Queue pairs are created in pairs by whoever posts (a connection manager): a sending end here, a receiving end there
/// [TR-2, TR-3, RC-33].
class Verbs : public virtual sc_core::sc_interface {
public:
    /// Creates a sending end towards `destination`. @return its QP number, counted from 1 on this NIC
    virtual packet::QpNumber open_sender(packet::Address destination) = 0;
    /// Creates the receiving end for `sender_qp` of `source`. @return its QP number
    virtual packet::QpNumber open_receiver(packet::Address source, packet::QpNumber sender_qp) = 0;
    /// Tells a sending end the number of its peer; before the first posting.
    virtual void connect(packet::QpNumber sender_qp, packet::QpNumber receiver_qp) = 0;
    /// Deletes an end, `QpPerMessage`: frames for it are discarded from then on.
    virtual void close(packet::QpNumber qp) = 0;
    /// Posts a message; to be called as an event of class `posting` [OE-1].
    virtual void post(const WorkRequest& request) = 0;
};

/// Where a transport reports completions; bound by every user of a NIC [TR-90 .. TR-92]. Called inside the event that
/// completes; postings that follow from it are events of their own [OE-5].
class CompletionSink : public virtual sc_core::sc_interface {
public:
    virtual void send_complete(std::uint64_t message_id) = 0;
    virtual void wqe_complete(std::uint64_t message_id) = 0;
    virtual void recv_complete(std::uint64_t message_id) = 0;
    /// The QP went into error after `MaxRetries` [TR-87]: the message will not complete.
    virtual void message_failed(std::uint64_t message_id) = 0;
};

}  // namespace mrcnic::transport
