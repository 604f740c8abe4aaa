#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "mrcnic/packet/frame_checker.h"
#include "mrcnic/packet/frame_protocol.h"
#include "mrcnic/pcie/tlp.h"
#include "mrcnic/pcie/tlp_checker.h"

namespace mrcnic::pcie {

/// Binds sockets of our protocols, with a checker between them if asked to.
class CheckedWiring {
public:
    /// @param checks  whether checkers stand between the sockets (`simulation.ProtocolCheckers`)
    explicit CheckedWiring(bool checks) noexcept : checks_{checks} {}

    void connect(packet::FrameInitiatorPort& from, packet::FrameTargetPort& to, packet::Hop hop);
    void connect(TlpInitiatorPort& from, TlpTargetPort& to, TlpHop hop);

    /// Open transactions are broken rules from here on: the run is over.
    void finish();
    /// The run was cut short: what is open is no fault.
    void cut_short();

private:
    bool checks_;
    std::vector<std::unique_ptr<packet::FrameChecker>> frame_checkers_;
    std::vector<std::unique_ptr<TlpChecker>> tlp_checkers_;
};

}  // namespace mrcnic::pcie
