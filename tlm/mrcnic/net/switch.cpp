#include "mrcnic/net/switch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"
#include "mrcnic/base/shared_buffer_split.h"

namespace mrcnic::net {

using packet::Frame;
using packet::FrameRef;

namespace {

// [SW-21, SW-22, SW-25]
std::vector<std::uint64_t> pool_sizes(const Switch::Parameters& parameters)
{
    const config::SwitchConfig& policy = parameters.policy;
    const SharedBufferSplit split{policy.total_shared_buffer_size, policy.head_room_per_port_limit,
                                  parameters.ports.size()};
    if (!policy.uet_policy_enabled) {
        return {split.sizing_total};
    }
    const auto pools = split.pools();
    return {pools.begin(), pools.end()};
}

}  // namespace

Switch::Switch(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters)
    : sc_module{name},
      agenda_{agenda},
      parameters_{parameters},
      shared_{{parameters.dscp, parameters.policy.uet_policy_enabled},
              {parameters.policy.trimming_enabled, parameters.dscp},
              QueueLimits{parameters.policy},
              {shared_.classes, pool_sizes(parameters), parameters.ports.size()},
              {shared_.classes, pool_sizes(parameters), parameters.ports.size()}},
      hash_{parameters.policy.ecmp_hash_method, parameters.id}
{
    ports_.init(parameters.ports.size(), [this](const char* port_name, std::size_t i) {
        return new SwitchPort{port_name, agenda_, timing_, shared_, port_parameters(i)};
    });
    from_ports_.init(ports_.size(), [this](const char* socket_name, std::size_t) {
        return new packet::FrameTargetSocket<Switch>{socket_name, *this, &Switch::arrive};
    });
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        ports_[i].wiring().connect(ports_[i].port.to_receiver, from_ports_[i], packet::Hop::wire);
    }
}

SwitchPort::Parameters Switch::port_parameters(std::size_t port) const
{
    const config::SwitchConfig& policy = parameters_.policy;
    const auto limit = static_cast<double>(policy.queue_limit());
    SwitchPort::Parameters result;
    result.rate = parameters_.ports[port].rate;
    result.place = {parameters_.node, static_cast<std::uint16_t>(port)};
    result.faces_nic = parameters_.ports[port].faces_nic;
    // [SW-25, SW-41] Thresholds are shares of a queue's limit, which only the UET policy has.
    result.ecn.enabled = policy.enable_ecn && policy.uet_policy_enabled;
    result.ecn.weight = policy.ewma_weight;
    result.ecn.min_bytes = policy.min_threshold * limit;
    result.ecn.max_bytes = policy.max_threshold * limit;
    result.ecn.max_probability = policy.max_mark_probability;
    result.ecn.seed = EcnMarker::seed_of(parameters_.seed, parameters_.id, port);
    result.protocol_checkers = parameters_.protocol_checkers;
    return result;
}

void Switch::finish_checkers(bool cut_short)
{
    for (SwitchPort& port : ports_) {
        cut_short ? port.wiring().cut_short() : port.wiring().finish();
    }
}

tlm::tlm_sync_enum Switch::arrive(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    arrived_.emplace_back(frame);
    // Ends of serialization come before arrivals, also with links of delay 0: nothing later adds to these [OE-1].
    if (!agenda_.next_is(EventClass::arrival, parameters_.node)) {
        arrivals_complete();
    }
    return tlm::TLM_COMPLETED;
}

// [OE-4] The port that was first among several is the last to be first again.
void Switch::arrivals_complete()
{
    if (arrived_.size() > 1) {
        const auto first = std::find_if(arrived_.begin(), arrived_.end(), [this](const FrameRef& frame) {
            return frame->ingress_port >= next_first_port_;
        });
        if (first != arrived_.end()) {
            std::rotate(arrived_.begin(), first, arrived_.end());
        }
        next_first_port_ = static_cast<std::uint16_t>(arrived_.front()->ingress_port + 1);
    }
    const Picoseconds latency = parameters_.policy.forwarding_latency;
    for (FrameRef& frame : arrived_) {
        if (!ports_[frame->ingress_port].admit(*frame)) {
            continue;
        }
        if (latency == 0) {
            forward(std::move(frame));
        } else {
            agenda_.at<&Switch::forward>(agenda_.now() + latency, EventClass::arrivals_complete, {parameters_.node, 1},
                                         *this, std::move(frame));
        }
    }
    arrived_.clear();
}

void Switch::forward(FrameRef frame)
{
    const Route route = routes_.find(frame->network.destination);
    if (route.members == 0) {
        drop_unroutable(*frame);
        return;
    }
    const std::size_t member = route.members == 1 ? 0 : hash_.member_of(*frame, route.members);
    ports_[route.first + member].offer(*frame);
}

void Switch::drop_unroutable(const Frame& frame)
{
    ++unroutable_;
    shared_.ingress.release(frame.ingress_port, shared_.classes.class_of(frame), switch_charge(frame.wire_bytes));
    const packet::Address address = frame.network.destination;
    const std::string text = fmt::format("{}: no route to {}.{}.{}.{}, frame dropped", name(), address >> 24U,
                                         address >> 16U & 255U, address >> 8U & 255U, address & 255U);
    SC_REPORT_WARNING(report_id::kSwitch, text.c_str());
}

}  // namespace mrcnic::net
