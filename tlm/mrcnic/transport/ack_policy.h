#pragma once

#include <cstdint>

#include "mrcnic/config/config.h"

namespace mrcnic::transport {

/// Decides which packets ask for an acknowledgement (BTH.A) [TR-66]; one per sending queue pair.
class AckPolicy {
public:
    explicit AckPolicy(const config::TransportConfig& config) noexcept
        : every_{config.ack_request_every_nth_packet},
          first_{config.ack_request_first_packet},
          last_{config.ack_request_last_packet}
    {
    }

    /// Counts one transmission. @return whether it asks
    [[nodiscard]] bool request(bool last_of_message, bool retransmission) noexcept
    {
        const bool counted = first_ ? position_ == 0 : position_ + 1 == every_;
        position_ = position_ + 1 == every_ ? 0 : position_ + 1;
        return counted || retransmission || (last_of_message && last_);
    }

private:
    std::uint32_t every_;
    std::uint32_t position_{0};
    bool first_;
    bool last_;
};

}  // namespace mrcnic::transport
