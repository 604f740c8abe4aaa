#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "mrcnic/config/config.h"
#include "mrcnic/net/network_link.h"
#include "mrcnic/net/switch.h"
#include "mrcnic/platforms/node.h"
#include "mrcnic/platforms/topology.h"
#include "mrcnic/workload/director.h"

namespace mrcnic::testbench {

/// The parts of a platform, whoever put them together; hosts in the order of their NICs, links as the platform has
/// them.
class Assembly {
public:
    virtual ~Assembly() = default;

    [[nodiscard]] virtual const config::Config& config() const = 0;
    [[nodiscard]] virtual Agenda& agenda() = 0;
    [[nodiscard]] virtual const workload::Director& director() const = 0;
    [[nodiscard]] virtual std::vector<platforms::Node*> nodes() = 0;
    [[nodiscard]] virtual std::vector<net::NetworkLink*> links() = 0;
    /// By switch id; none where there are none.
    [[nodiscard]] virtual std::vector<const net::Switch*> switches() const = 0;
    /// What is wired to what; links stand in its order.
    [[nodiscard]] virtual const platforms::Topology& topology() const = 0;

    /// Runs the kernel to the end of the run. @return whether every message has finished and all is drained [WL-5]
    [[nodiscard]] virtual bool run() = 0;
    /// Instant at which it ended.
    [[nodiscard]] virtual Picoseconds end_time() const = 0;
    /// A line for each complete message whose bytes arrived wrong; none where payloads are sizes only.
    [[nodiscard]] virtual std::vector<std::string> compare_payloads() = 0;
};

/// `Pair`, `Star` or `LeafSpine`, as the configuration says.
[[nodiscard]] std::unique_ptr<Assembly> make_assembly(const config::Config& config);

/// The same parts and wires put together the other way round: director, links, hosts and switches, each from the last
/// to the first. Modules, processes and bindings come in another order; nothing that a run shows may.
[[nodiscard]] std::unique_ptr<Assembly> make_reversed_assembly(const config::Config& config);

}  // namespace mrcnic::testbench
