#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mrcnic/net/switch.h"
#include "mrcnic/platforms/platform.h"
#include "mrcnic/platforms/topology.h"

namespace mrcnic::platforms {

/// What a switch of a plan is built from.
/// @param id  its place in the plan, the switch id of SW-51
[[nodiscard]] net::Switch::Parameters switch_parameters(const config::Config& config, const Topology& topology,
                                                        std::size_t id);
/// Enters the plan's routes into a switch [SW-51, SW-56].
void add_routes(net::Switch& network_switch, const SwitchPlan& plan);

/// NICs, switches and links as a topology has them, with a workload's director.
class Fabric : public Platform {
public:
    [[nodiscard]] const Topology& topology() const noexcept { return topology_; }
    /// Switches by their ids, leaves before spines [SW-51].
    [[nodiscard]] std::size_t switch_count() const noexcept { return switches_.size(); }
    [[nodiscard]] const net::Switch& network_switch(std::size_t id = 0) const noexcept { return *switches_[id]; }
    /// From `when` on (now, if that has passed) all is lost that the switch would send by this port, silently; what
    /// ends in that picosecond still gets through. [SW-57]
    void fail_path(std::size_t switch_id, std::uint16_t port, Picoseconds when = 0);

    [[nodiscard]] std::vector<record::PortSource> ports() const override;
    [[nodiscard]] std::vector<record::SwitchSource> switch_queues() override;

protected:
    Fabric(const sc_core::sc_module_name& name, const config::Config& config, Topology topology, Node::Memory memory);

private:
    void make_parts(Node::Memory memory);
    void connect();
    [[nodiscard]] packet::FrameInitiatorPort& exit_of(const LinkEnd& end);
    [[nodiscard]] packet::FrameTargetPort& entry_of(const LinkEnd& end);
    void fail_paths(const workload::Workload& load);
    void finish_checkers(bool cut_short) override;

    const Topology topology_;
    std::vector<std::unique_ptr<net::Switch>> switches_;
};

}  // namespace mrcnic::platforms
