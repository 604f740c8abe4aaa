#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/config/config.h"
#include "mrcnic/net/network_link.h"
#include "mrcnic/platforms/node.h"
#include "mrcnic/record/port_source.h"
#include "mrcnic/record/switch_stats.h"
#include "mrcnic/workload/director.h"

namespace mrcnic::platforms {

/// How a run ended.
enum class Outcome {
    running,
    completed,    ///< every message has finished and all is drained [WL-5]; or the platform has no messages
    stopped,      ///< the stop time came before every message had finished
    interrupted,  ///< somebody asked for the end
    stuck         ///< nothing is left to happen, yet a message is unfinished
};

/// Name of NIC `index` in records [RC-31].
[[nodiscard]] std::string component_name(std::size_t index);

/// What all assemblies have in common: an agenda, nodes, the end of the run [WL-5].
///
/// A platform is a module like any other: construct it, run the kernel, look at it. `on_end` says when the run is over;
/// whoever owns the kernel stops it then.
class Platform : public sc_core::sc_module {
public:
    ~Platform() override = default;

    [[nodiscard]] const config::Config& config() const noexcept { return config_; }
    [[nodiscard]] Agenda& agenda() noexcept { return agenda_; }
    [[nodiscard]] const Agenda& agenda() const noexcept { return agenda_; }
    [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
    [[nodiscard]] Node& node(std::size_t i) noexcept { return *nodes_[i]; }
    [[nodiscard]] const Node& node(std::size_t i) const noexcept { return *nodes_[i]; }
    /// The workload's director; null where a platform has no messages.
    [[nodiscard]] const workload::Director* director() const noexcept { return director_.get(); }
    [[nodiscard]] workload::Director* director() noexcept { return director_.get(); }
    /// All network ports, ordered as records want them [RC-18].
    [[nodiscard]] virtual std::vector<record::PortSource> ports() const;
    /// Classes of all switch ports; none where a platform has no switch.
    [[nodiscard]] virtual std::vector<record::SwitchSource> switch_queues() { return {}; }
    /// Links, one a direction, for test hooks.
    [[nodiscard]] std::vector<net::NetworkLink*> links() const;

    [[nodiscard]] Outcome outcome() const noexcept { return outcome_; }
    /// Instant at which the run ended: end of draining, or the stop time.
    [[nodiscard]] Picoseconds end_time() const noexcept { return end_time_; }
    /// `callback` runs once, inside the last event.
    void on_end(std::function<void()> callback) { on_end_ = std::move(callback); }
    /// Ends the run here and now.
    void interrupt() { end(Outcome::interrupted); }
    /// To be told that the kernel has come to rest by itself: without an outcome the run is stuck.
    void kernel_has_ended();

    /// With `PayloadMode = "bytes"`: compares the destination of every complete message with what was sent.
    /// @return a line for each message that differs
    [[nodiscard]] std::vector<std::string> compare_payloads();
    /// Frames that are still out of their pools; 0 after a run that drained.
    [[nodiscard]] std::size_t live_frames() const;

protected:
    Platform(const sc_core::sc_module_name& name, config::Config config);

    Node& add_node(const nic::NicParameters& parameters, Node::Memory memory);
    [[nodiscard]] nic::NicParameters node_parameters(std::uint32_t nic, BitsPerSecond far_rate) const;
    /// One direction of a link from `from` to `to`, with checkers if the configuration asks for them.
    net::NetworkLink& add_link(packet::FrameInitiatorPort& from, packet::FrameTargetPort& to, Picoseconds delay);
    [[nodiscard]] net::NetworkLink& link(std::size_t i) noexcept { return *links_[i]; }
    /// Binds a director to all nodes.
    void add_director(workload::Workload load);
    void end(Outcome outcome);
    /// The run is over: open transactions are faults, unless it was cut short.
    virtual void finish_checkers(bool cut_short);

private:
    void start_of_simulation() override;
    void stop_time_reached();
    void drain();
    void all_drained();
    void fill_payload(const workload::Message& message, const workload::Buffers& buffers);

    const config::Config config_;
    Agenda agenda_{"agenda"};
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::unique_ptr<net::NetworkLink>> links_;
    pcie::CheckedWiring wiring_;
    std::unique_ptr<workload::Director> director_;
    Outcome outcome_{Outcome::running};
    Picoseconds end_time_{0};
    bool ending_{false};
    std::function<void()> on_end_;
};

}  // namespace mrcnic::platforms
