#pragma once

#include <memory>

#include "mrcnic/platforms/platform.h"
#include "mrcnic/workload/line_rate_source.h"

namespace mrcnic::platforms {

/// One NIC under a wire-rate frame source [PC-7]: what its host link and ingress buffer can take.
///
/// No window and no retransmission: the receiver takes every frame that its buffer admits as the next expected one.
class LineRateReceive : public Platform, private transport::CompletionSink {
public:
    LineRateReceive(const sc_core::sc_module_name& name, const config::Config& config,
                    Node::Memory memory = Node::Memory::own);

    [[nodiscard]] const workload::LineRateSource& source() const noexcept { return *source_; }

private:
    // No message ever completes here.
    void send_complete(std::uint64_t) override {}
    void wqe_complete(std::uint64_t) override {}
    void recv_complete(std::uint64_t) override {}
    void message_failed(std::uint64_t) override {}

    sc_core::sc_export<transport::CompletionSink> completions_{"completions"};
    std::unique_ptr<workload::LineRateSource> source_;
};

}  // namespace mrcnic::platforms
