#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

#include "mrcnic/base/pool.h"

namespace mrcnic::host {

using PayloadRef = Ref<tlm::tlm_generic_payload>;

/// A generic payload with its data buffer and itself as memory manager. Only PayloadPool makes them.
class PayloadSlot : public Pooled, private tlm::tlm_mm_interface {
public:
    /// The payload, to be handed out; its own references count from here on.
    [[nodiscard]] tlm::tlm_generic_payload& payload() noexcept { return payload_; }
    [[nodiscard]] unsigned char* buffer(std::uint32_t bytes)
    {
        if (buffer_.size() < bytes) {
            buffer_.resize(bytes);
        }
        return buffer_.data();
    }

    /// Every attribute back to its default, extensions of the transaction freed; sticky ones belong to who set them.
    void reset()
    {
        payload_.reset();
        payload_.set_command(tlm::TLM_IGNORE_COMMAND);
        payload_.set_address(0);
        payload_.set_data_ptr(nullptr);
        payload_.set_data_length(0);
        payload_.set_streaming_width(0);
        payload_.set_byte_enable_ptr(nullptr);
        payload_.set_byte_enable_length(0);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload_.set_dmi_allowed(false);
        payload_.set_gp_option(tlm::TLM_MIN_PAYLOAD);
    }

private:
    // The last holder of the payload has gone: so does the reference that the slot kept for it.
    void free(tlm::tlm_generic_payload* /*payload*/) override { release(); }

    tlm::tlm_generic_payload payload_{this};
    std::vector<unsigned char> buffer_;
};

/// Generic payloads for an initiator: counted, reused with their buffers, reset when the last holder lets go. Nothing
/// is allocated once as many payloads, of their sizes, have been out at a time. Payloads may outlive the pool.
class PayloadPool {
public:
    /// A payload with a buffer of `bytes` (contents undefined): length and streaming width are set, status is
    /// INCOMPLETE, DMI hint false, no byte enables. The caller sets command and address.
    [[nodiscard]] PayloadRef make(std::uint32_t bytes)
    {
        PayloadSlot* slot = slots_.make().detach();
        tlm::tlm_generic_payload& payload = slot->payload();
        payload.set_data_ptr(slot->buffer(bytes));
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        return PayloadRef{payload};
    }

    /// A payload without data: command IGNORE, its length says what would have moved (`PayloadMode = sizes`).
    [[nodiscard]] PayloadRef make_without_data(std::uint32_t bytes)
    {
        PayloadRef payload = make(0);
        payload->set_data_ptr(nullptr);
        payload->set_data_length(bytes);
        payload->set_streaming_width(bytes);
        return payload;
    }

    /// Payloads out of the pool; 0 at the end of every test.
    [[nodiscard]] std::size_t live() const noexcept { return slots_.live(); }
    /// How many were out at once, at most.
    [[nodiscard]] std::size_t peak() const noexcept { return slots_.peak(); }

private:
    Pool<PayloadSlot> slots_;
};

}  // namespace mrcnic::host
