#include "mrcnic/platforms/platform.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"
#include "mrcnic/workload/buffers.h"
#include "mrcnic/workload/load.h"

namespace mrcnic::platforms {

Platform::Platform(const sc_core::sc_module_name& name, config::Config config)
    : sc_module{name}, config_{std::move(config)}, wiring_{config_.simulation.protocol_checkers}
{
}

nic::NicParameters Platform::node_parameters(std::uint32_t nic, BitsPerSecond far_rate) const
{
    nic::NicParameters parameters;
    parameters.node = static_cast<std::uint16_t>(nic);
    parameters.address = workload::nic_address(nic);
    parameters.link_rate = far_rate;
    parameters.payload_mode = config_.simulation.payload_mode;
    parameters.protocol_checkers = config_.simulation.protocol_checkers;
    return parameters;
}

Node& Platform::add_node(const nic::NicParameters& parameters, Node::Memory memory)
{
    const std::string name = fmt::format("node_{}", nodes_.size());
    nodes_.push_back(std::make_unique<Node>(name.c_str(), agenda_, config_.nics[nodes_.size()], parameters, memory));
    return *nodes_.back();
}

net::NetworkLink& Platform::add_link(packet::FrameInitiatorPort& from, packet::FrameTargetPort& to, Picoseconds delay)
{
    const std::string name = fmt::format("link_{}", links_.size());
    links_.push_back(std::make_unique<net::NetworkLink>(name.c_str(), delay));
    wiring_.connect(from, links_.back()->from.as_port(), packet::Hop::wire);
    wiring_.connect(links_.back()->to, to, packet::Hop::wire);
    return *links_.back();
}

void Platform::add_director()
{
    workload::Workload load = workload::load_workload(config_);
    workload::require_no_failures(load);
    const workload::DirectorConfig director_config{
        config_.workload.start_time, config_.nic.transport.qps_per_destination, config_.nic.transport.qp_per_message};
    director_ = std::make_unique<workload::Director>("director", agenda_, std::move(load), config_.nic_count(),
                                                     director_config);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        director_->verbs[i].bind(nodes_[i]->nic.verbs);
        nodes_[i]->nic.completions.bind(director_->completions[i]);
    }
    if (config_.simulation.payload_mode == config::PayloadMode::bytes) {
        director_->before_posting([this](const workload::Message& message, const workload::Buffers& buffers) {
            fill_payload(message, buffers);
        });
    }
    director_->on_all_complete([this] { ending_ = true; });
    agenda_.on_quiet([this] { all_drained(); });
}

void Platform::fill_payload(const workload::Message& message, const workload::Buffers& buffers)
{
    Node& source = *nodes_[message.source];
    workload::fill_payload(message, buffers,
                           [&source](std::uint64_t address, const std::uint8_t* data, std::size_t size) {
                               source.debug_write(address, data, size);
                           });
}

void Platform::start_of_simulation()
{
    if (config_.simulation.stop_time > 0) {
        agenda_.at<&Platform::stop_time_reached>(config_.simulation.stop_time, EventClass::record, {0xFFFF, 0xFFFF},
                                                 *this);
    }
}

void Platform::stop_time_reached()
{
    end(director_ && !director_->all_complete() ? Outcome::stopped : Outcome::completed);
}

// [WL-5] Messages are complete and no frame is queued or under way.
void Platform::all_drained()
{
    if (ending_ && live_frames() == 0) {
        end(Outcome::completed);
    }
}

void Platform::kernel_has_ended()
{
    if (outcome_ == Outcome::running) {
        end(Outcome::stuck);
    }
}

void Platform::end(Outcome outcome)
{
    if (outcome_ != Outcome::running) {
        return;
    }
    outcome_ = outcome;
    end_time_ = agenda_.now();
    agenda_.run_ahead(false);  // what is left happens only if the kernel goes on
    finish_checkers(!agenda_.is_quiet());
    if (on_end_) {
        on_end_();
    }
}

void Platform::finish_checkers(bool cut_short)
{
    for (const auto& node : nodes_) {
        node->finish_checkers(cut_short);
    }
    cut_short ? wiring_.cut_short() : wiring_.finish();
}

std::vector<record::PortSource> Platform::ports() const
{
    std::vector<record::PortSource> ports;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const nic::Nic& nic = nodes_[i]->nic;
        record::PortSource source;
        source.component_name = fmt::format("MrcNic-{}", i);
        source.nd_name = "mrc::NicPort";
        source.component_type = "NIC";
        source.node_id = nic.parameters().node;
        source.link_rate = nic.network_port().rate();
        source.counters = &nic.network_port().counters();
        source.tx_drops = [] { return std::uint64_t{0}; };  // [EG-3] egress never drops
        source.rx_drops = [&nic] { return nic.ingress_buffer().drops(); };
        ports.push_back(std::move(source));
    }
    return ports;
}

std::vector<net::NetworkLink*> Platform::links() const
{
    std::vector<net::NetworkLink*> links;
    for (const auto& link : links_) {
        links.push_back(link.get());
    }
    return links;
}

std::vector<std::string> Platform::compare_payloads()
{
    std::vector<std::string> differences;
    if (!director_ || config_.simulation.payload_mode != config::PayloadMode::bytes) {
        return differences;
    }
    const std::vector<workload::Message>& messages = director_->workload().messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!director_->records()[i].is_complete()) {
            continue;
        }
        Node& destination = *nodes_[messages[i].destination];
        const auto wrong =
            workload::first_wrong_byte(messages[i], director_->buffers()[i],
                                       [&destination](std::uint64_t address, std::uint8_t* data, std::size_t size) {
                                           destination.debug_read(address, data, size);
                                       });
        if (wrong) {
            differences.push_back(fmt::format("message {}: byte {} differs", messages[i].id, *wrong));
        }
    }
    return differences;
}

std::size_t Platform::live_frames() const
{
    std::size_t live = 0;
    for (const auto& node : nodes_) {
        live += node->nic.transport().live_frames();
    }
    return live;
}

}  // namespace mrcnic::platforms
