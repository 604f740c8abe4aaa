#include "testbench/support/assembly.h"

#include <algorithm>
#include <string>

#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/platforms/fabric.h"
#include "mrcnic/platforms/registry.h"
#include "mrcnic/workload/load.h"

namespace mrcnic::testbench {
namespace {

class AsBuilt final : public Assembly {
public:
    explicit AsBuilt(const config::Config& config) : platform_{platforms::make_platform(config)} {}

    [[nodiscard]] const config::Config& config() const override { return platform_->config(); }
    [[nodiscard]] Agenda& agenda() override { return platform_->agenda(); }
    [[nodiscard]] const workload::Director& director() const override { return *platform_->director(); }
    [[nodiscard]] std::vector<platforms::Node*> nodes() override
    {
        std::vector<platforms::Node*> nodes;
        for (std::size_t i = 0; i < platform_->node_count(); ++i) {
            nodes.push_back(&platform_->node(i));
        }
        return nodes;
    }
    [[nodiscard]] std::vector<net::NetworkLink*> links() override { return platform_->links(); }
    [[nodiscard]] std::vector<const net::Switch*> switches() const override
    {
        std::vector<const net::Switch*> switches;
        for (std::size_t id = 0; id < fabric().switch_count(); ++id) {
            switches.push_back(&fabric().network_switch(id));
        }
        return switches;
    }
    [[nodiscard]] const platforms::Topology& topology() const override { return fabric().topology(); }
    [[nodiscard]] bool run() override
    {
        platform_->on_end([] { sc_core::sc_stop(); });
        sc_core::sc_start();
        platform_->kernel_has_ended();
        return platform_->outcome() == platforms::Outcome::completed;
    }
    [[nodiscard]] Picoseconds end_time() const override { return platform_->end_time(); }
    [[nodiscard]] std::vector<std::string> compare_payloads() override { return platform_->compare_payloads(); }

private:
    [[nodiscard]] const platforms::Fabric& fabric() const { return dynamic_cast<const platforms::Fabric&>(*platform_); }

    std::unique_ptr<platforms::Platform> platform_;
};

platforms::Topology topology_of(const config::Config& config)
{
    return config.platform == "pair"   ? platforms::pair_topology(config)
           : config.platform == "star" ? platforms::star_topology(config)
                                       : platforms::leaf_spine_topology(config);
}

/// Without payloads and checkers, whatever the configuration says: they change nothing (other tests see to that).
class Reversed final : public sc_core::sc_module, public Assembly {
public:
    Reversed(const sc_core::sc_module_name& name, const config::Config& config)
        : sc_module{name},
          config_{config},
          topology_{topology_of(config)},
          nodes_(config.nic_count()),
          switches_(topology_.switches.size())
    {
        make_director();
        make_links();
        for (std::uint32_t nic = config_.nic_count(); nic > 0; --nic) {
            make_node(nic - 1);
        }
        for (std::size_t id = switches_.size(); id > 0; --id) {
            make_switch(id - 1);
        }
        for (std::size_t link = links_.size(); link > 0; --link) {
            wire(link - 1);
        }
        agenda_.on_quiet([this] {
            if (director_->all_complete() && !drained_) {
                drained_ = true;
                end_time_ = agenda_.now();
                sc_core::sc_stop();
            }
        });
    }

    [[nodiscard]] const config::Config& config() const override { return config_; }
    [[nodiscard]] Agenda& agenda() override { return agenda_; }
    [[nodiscard]] const workload::Director& director() const override { return *director_; }
    [[nodiscard]] std::vector<platforms::Node*> nodes() override { return pointers(nodes_); }
    [[nodiscard]] std::vector<net::NetworkLink*> links() override { return pointers(links_); }
    [[nodiscard]] std::vector<const net::Switch*> switches() const override
    {
        std::vector<const net::Switch*> switches;
        for (const auto& network_switch : switches_) {
            switches.push_back(network_switch.get());
        }
        return switches;
    }
    [[nodiscard]] const platforms::Topology& topology() const override { return topology_; }
    [[nodiscard]] bool run() override
    {
        sc_core::sc_start();
        return drained_;
    }
    [[nodiscard]] Picoseconds end_time() const override { return end_time_; }
    [[nodiscard]] std::vector<std::string> compare_payloads() override { return {}; }

private:
    template <typename Part>
    [[nodiscard]] static std::vector<Part*> pointers(const std::vector<std::unique_ptr<Part>>& parts)
    {
        std::vector<Part*> all;
        for (const auto& part : parts) {
            all.push_back(part.get());
        }
        return all;
    }

    void make_director()
    {
        director_ = std::make_unique<workload::Director>(
            "director", agenda_, workload::load_workload(config_), config_.nic_count(),
            workload::DirectorConfig{config_.workload.start_time, config_.nic.transport.qps_per_destination,
                                     config_.nic.transport.qp_per_message});
    }

    void make_links()
    {
        links_.resize(topology_.links.size());
        for (std::size_t i = links_.size(); i > 0; --i) {
            links_[i - 1] = std::make_unique<net::NetworkLink>(("link_" + std::to_string(i - 1)).c_str(),
                                                               topology_.links[i - 1].delay);
        }
    }

    void make_node(std::uint32_t nic)
    {
        nic::NicParameters parameters;
        parameters.node = static_cast<std::uint16_t>(nic);
        parameters.address = workload::nic_address(nic);
        parameters.link_rate = topology_.far_rates[nic];
        parameters.single_path = topology_.single_path;
        nodes_[nic] = std::make_unique<platforms::Node>(("node_" + std::to_string(nic)).c_str(), agenda_,
                                                        config_.nics[nic], parameters, platforms::Node::Memory::own);
        nodes_[nic]->nic.completions.bind(director_->completions[nic]);
        director_->verbs[nic].bind(nodes_[nic]->nic.verbs);
    }

    void make_switch(std::size_t id)
    {
        net::Switch::Parameters parameters = platforms::switch_parameters(config_, topology_, id);
        parameters.protocol_checkers = false;
        switches_[id] = std::make_unique<net::Switch>(topology_.switches[id].name.c_str(), agenda_, parameters);
        platforms::add_routes(*switches_[id], topology_.switches[id]);
    }

    void wire(std::size_t link)
    {
        const platforms::LinkEnd& from = topology_.links[link].from;
        const platforms::LinkEnd& to = topology_.links[link].to;
        wiring_.connect(
            links_[link]->to,
            to.is_nic ? nodes_[to.device]->nic.wire_in : switches_[to.device]->port(to.port).port.from_wire.as_port(),
            packet::Hop::link_end);
        if (from.is_nic) {
            wiring_.connect(nodes_[from.device]->nic.wire_out, links_[link]->from.as_port(), packet::Hop::wire);
        } else {
            wiring_.connect(switches_[from.device]->port(from.port).port.to_wire, links_[link]->from.as_port(),
                            packet::Hop::wire);
        }
    }

    const config::Config config_;
    const platforms::Topology topology_;
    Agenda agenda_{"agenda"};
    pcie::CheckedWiring wiring_{false};
    std::unique_ptr<workload::Director> director_;
    std::vector<std::unique_ptr<net::NetworkLink>> links_;
    std::vector<std::unique_ptr<platforms::Node>> nodes_;
    std::vector<std::unique_ptr<net::Switch>> switches_;
    bool drained_{false};
    Picoseconds end_time_{0};
};

}  // namespace

std::unique_ptr<Assembly> make_assembly(const config::Config& config)
{
    return std::make_unique<AsBuilt>(config);
}

std::unique_ptr<Assembly> make_reversed_assembly(const config::Config& config)
{
    return std::make_unique<Reversed>("reversed", config);
}

}  // namespace mrcnic::testbench
