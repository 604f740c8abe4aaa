#pragma once

#include <memory>

#include "mrcnic/net/switch.h"
#include "mrcnic/platforms/platform.h"

namespace mrcnic::platforms {

/// N NICs on one switch [SW-50]. NIC i is on port i.
class Star : public Platform {
public:
    Star(const sc_core::sc_module_name& name, const config::Config& config, Node::Memory memory = Node::Memory::own);

    [[nodiscard]] const net::Switch& network_switch() const noexcept { return *switch_; }
    [[nodiscard]] std::vector<record::PortSource> ports() const override;

private:
    void finish_checkers(bool cut_short) override;

    std::unique_ptr<net::Switch> switch_;
};

}  // namespace mrcnic::platforms
