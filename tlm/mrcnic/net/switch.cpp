#include "mrcnic/net/switch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"

namespace mrcnic::net {

using packet::Frame;
using packet::FrameRef;

Switch::Switch(const sc_core::sc_module_name& name, Agenda& agenda, const Parameters& parameters)
    : sc_module{name}, agenda_{agenda}, parameters_{parameters}, bands_{parameters.dscp}
{
    ports_.init(parameters.port_rates.size(), [this](const char* port_name, std::size_t i) {
        const SwitchPort::Parameters port{parameters_.port_rates[i],
                                          parameters_.queue_limit,
                                          {parameters_.node, static_cast<std::uint16_t>(i)},
                                          parameters_.protocol_checkers};
        return new SwitchPort{port_name, agenda_, timing_, bands_, port};
    });
    from_ports_.init(ports_.size(), [this](const char* socket_name, std::size_t) {
        return new packet::FrameTargetSocket<Switch>{socket_name, *this, &Switch::arrive};
    });
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        ports_[i].wiring().connect(ports_[i].port.to_receiver, from_ports_[i], packet::Hop::wire);
    }
}

void Switch::finish_checkers(bool cut_short)
{
    for (SwitchPort& port : ports_) {
        cut_short ? port.wiring().cut_short() : port.wiring().finish();
    }
}

void Switch::add_route(packet::Address address, std::uint16_t port)
{
    if (routes_.empty()) {
        first_address_ = address;
    } else if (address < first_address_) {
        routes_.insert(routes_.begin(), first_address_ - address, std::uint16_t{0});
        first_address_ = address;
    }
    const std::size_t index = address - first_address_;
    if (routes_.size() <= index) {
        routes_.resize(index + 1);
    }
    routes_[index] = static_cast<std::uint16_t>(port + 1);
}

tlm::tlm_sync_enum Switch::arrive(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
{
    if (arrived_.empty()) {
        agenda_.at<&Switch::arrivals_complete>(agenda_.now(), EventClass::arrivals_complete, {parameters_.node, 0},
                                               *this);
    }
    arrived_.emplace_back(frame);
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
    for (FrameRef& frame : arrived_) {
        if (parameters_.forwarding_latency == 0) {
            forward(std::move(frame));
        } else {
            agenda_.at<&Switch::forward>(agenda_.now() + parameters_.forwarding_latency, EventClass::arrivals_complete,
                                         {parameters_.node, 1}, *this, std::move(frame));
        }
    }
    arrived_.clear();
}

void Switch::forward(FrameRef frame)
{
    const std::size_t index = frame->network.destination - first_address_;
    if (index >= routes_.size() || routes_[index] == 0) {
        report_unroutable(frame->network.destination);
        return;
    }
    ports_[routes_[index] - 1U].offer(*frame);
}

void Switch::report_unroutable(packet::Address address)
{
    ++unroutable_;
    const std::string text = fmt::format("{}: no route to {}.{}.{}.{}, frame dropped", name(), address >> 24U,
                                         address >> 16U & 255U, address >> 8U & 255U, address & 255U);
    SC_REPORT_WARNING(report_id::kSwitch, text.c_str());
}

}  // namespace mrcnic::net
