#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/assembly.h"

namespace mrcnic::testbench {

/// What must hold in every run, whatever its attributes, traffic and losses.
class RunInvariants {
public:
    explicit RunInvariants(Assembly& assembly);

    /// Between two instants of a run.
    void check_now();
    /// After a run that has ended well.
    void check_end();
    /// A line for each invariant that did not hold.
    [[nodiscard]] const std::vector<std::string>& broken() const noexcept { return broken_; }

private:
    struct Traffic {
        std::uint64_t packets{0};
        std::uint64_t payload{0};
        std::uint64_t wire{0};
    };
    struct Hop {
        const net::NetworkLink* link;
        const nic::NetworkPort* from;
        const nic::NetworkPort* to;
    };

    void find_hops();
    void expect(bool holds, std::string_view what, std::size_t where);
    void check_messages();
    void note_due_times();
    void check_message(std::size_t index);
    void check_rates();
    [[nodiscard]] bool has_copies(const nic::NetworkPort& receiver) const;
    void check_pools(std::size_t node);
    void check_pcie(std::size_t node);
    void check_pcie_direction(const pcie::TransactionLayer& from, const pcie::TransactionLayer& to,
                              const config::PcieSide& receiving, std::size_t node);
    void check_transport(std::size_t node);
    void check_host(std::size_t node);
    void check_links();
    void check_switch_now(const net::Switch& network_switch);
    void check_switch_end(const net::Switch& network_switch);
    [[nodiscard]] const nic::NetworkPort& port_of(const platforms::LinkEnd& end) const;
    [[nodiscard]] Traffic traffic_of(const workload::Message& message) const;
    [[nodiscard]] Traffic total(std::uint32_t workload::Message::*end, std::size_t node) const;

    Assembly& assembly_;
    const std::vector<platforms::Node*> nodes_;
    const std::vector<net::NetworkLink*> links_;
    const std::vector<const net::Switch*> switches_;
    std::vector<Hop> hops_;
    Picoseconds last_instant_{0};
    std::vector<Picoseconds> due_;  // of each message
    std::vector<std::string> broken_;
};

/// All that a run shows: its end, the times of every message, every statistic, one a line.
[[nodiscard]] std::string fingerprint(Assembly& assembly);

/// The first lines that differ; empty if none does.
[[nodiscard]] std::string difference(std::string_view one, std::string_view other);

}  // namespace mrcnic::testbench
