#include "testbench/support/assembly.h"

#include <algorithm>
#include <string>

#include "mrcnic/pcie/checked_wiring.h"
#include "mrcnic/platforms/registry.h"
#include "mrcnic/platforms/star.h"
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
    [[nodiscard]] const net::Switch* network_switch() const override
    {
        const auto* star = dynamic_cast<const platforms::Star*>(platform_.get());
        return star != nullptr ? &star->network_switch() : nullptr;
    }
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
    std::unique_ptr<platforms::Platform> platform_;
};

/// Without payloads and checkers, whatever the configuration says: they change nothing (other tests see to that).
class Reversed final : public sc_core::sc_module, public Assembly {
public:
    Reversed(const sc_core::sc_module_name& name, const config::Config& config)
        : sc_module{name}, config_{config}, star_{config.platform == "star"}, nodes_(config.nic_count())
    {
        make_director();
        make_links();
        for (std::uint32_t nic = config_.nic_count(); nic > 0; --nic) {
            make_node(nic - 1);
        }
        if (star_) {
            make_switch();
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
    [[nodiscard]] const net::Switch* network_switch() const override { return switch_.get(); }
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

    // [SW-50] pair: link i leaves NIC i; star: link 2 i leaves NIC i, 2 i + 1 leads to it
    [[nodiscard]] std::uint32_t nic_of(std::size_t link) const
    {
        return static_cast<std::uint32_t>(star_ ? link / 2 : link);
    }

    void make_links()
    {
        links_.resize(star_ ? 2 * nodes_.size() : 2);
        for (std::size_t i = links_.size(); i > 0; --i) {
            const Picoseconds delay = config_.nics[nic_of(i - 1)].link_delay;
            links_[i - 1] = std::make_unique<net::NetworkLink>(("link_" + std::to_string(i - 1)).c_str(), delay);
        }
    }

    void make_node(std::uint32_t nic)
    {
        nic::NicParameters parameters;
        parameters.node = static_cast<std::uint16_t>(nic);
        parameters.address = workload::nic_address(nic);
        parameters.link_rate = star_ ? config_.network_switch.data_rate : config_.nics[1 - nic].data_rate;
        nodes_[nic] = std::make_unique<platforms::Node>(("node_" + std::to_string(nic)).c_str(), agenda_,
                                                        config_.nics[nic], parameters, platforms::Node::Memory::own);
        nodes_[nic]->nic.completions.bind(director_->completions[nic]);
        director_->verbs[nic].bind(nodes_[nic]->nic.verbs);
    }

    void make_switch()
    {
        net::Switch::Parameters parameters;
        parameters.node = static_cast<std::uint16_t>(nodes_.size());
        parameters.forwarding_latency = config_.network_switch.forwarding_latency;
        parameters.queue_limit = config_.network_switch.queue_drop_threshold * config_.network_switch.plane_bdp;
        parameters.dscp = config_.nic.transport.dscp;
        for (const config::NicConfig& nic : config_.nics) {
            parameters.port_rates.push_back(std::min(nic.data_rate, config_.network_switch.data_rate));
        }
        switch_ = std::make_unique<net::Switch>("switch", agenda_, parameters);
        for (std::size_t nic = nodes_.size(); nic > 0; --nic) {
            switch_->add_route(nodes_[nic - 1]->nic.parameters().address, static_cast<std::uint16_t>(nic - 1));
        }
    }

    void wire(std::size_t link)
    {
        nic::Nic& nic = nodes_[nic_of(link)]->nic;
        if (!star_) {
            wiring_.connect(links_[link]->to, nodes_[1 - link]->nic.wire_in, packet::Hop::wire);
            wiring_.connect(nic.wire_out, links_[link]->from.as_port(), packet::Hop::wire);
            return;
        }
        nic::NetworkPort& port = switch_->port(nic_of(link)).port;
        const bool up = link % 2 == 0;
        wiring_.connect(links_[link]->to, up ? port.from_wire.as_port() : nic.wire_in, packet::Hop::wire);
        if (up) {
            wiring_.connect(nic.wire_out, links_[link]->from.as_port(), packet::Hop::wire);
        } else {
            wiring_.connect(port.to_wire, links_[link]->from.as_port(), packet::Hop::wire);
        }
    }

    const config::Config config_;
    bool star_;
    Agenda agenda_{"agenda"};
    pcie::CheckedWiring wiring_{false};
    std::unique_ptr<workload::Director> director_;
    std::vector<std::unique_ptr<net::NetworkLink>> links_;
    std::vector<std::unique_ptr<platforms::Node>> nodes_;
    std::unique_ptr<net::Switch> switch_;
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
