#include "mrcnic/host/memory_initiator.h"

#include <algorithm>
#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::host {

MemoryInitiator::MemoryInitiator(const sc_core::sc_module_name& name, Agenda& agenda, Place place, Client& client)
    : sc_module{name}, agenda_{agenda}, place_{place}, client_{client}
{
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void MemoryInitiator::access(MemoryRequestRef request)
{
    if (issuing_ || request_phase_) {
        waiting_.push_back(std::move(request));
        return;
    }
    issuing_ = true;
    issue(std::move(request));
    issuing_ = false;
    issue_waiting();
}

// A loop, not a recursion: a memory that held one request may have let hundreds wait, and answers each in its call.
void MemoryInitiator::issue_waiting()
{
    if (issuing_) {
        return;
    }
    issuing_ = true;
    while (!request_phase_ && !waiting_.empty()) {
        issue(waiting_.pop_front());
    }
    issuing_ = false;
}

void MemoryInitiator::issue(MemoryRequestRef request)
{
    tlm::tlm_generic_payload& payload = *request->payload;
    request_phase_ = true;
    requesting_ = &payload;
    issued_ = std::move(request);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = agenda_.ahead_of_kernel();
    const tlm::tlm_sync_enum answer = socket->nb_transport_fw(payload, phase, delay);
    const Picoseconds at = time_after(delay);
    if (answer == tlm::TLM_COMPLETED) {
        finish_at(at, std::move(issued_));
        end_request(payload, agenda_.now());
        return;
    }
    if (!issued_) {
        return;  // the response came backward inside the call
    }
    agenda_.begin_outside_work();
    outstanding_.push_back(std::move(issued_));
    if (answer == tlm::TLM_UPDATED) {
        on_phase(outstanding_.back(), phase, at);
    }
}

tlm::tlm_sync_enum MemoryInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay)
{
    const Picoseconds at = time_after(delay);
    if (phase == tlm::END_REQ) {
        end_request(payload, at);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;  // extended phases may be ignored
    }
    const MemoryRequestRef request = take_outstanding(payload);
    if (!request) {
        SC_REPORT_ERROR(report_id::kHost, "a memory answered a request that is not outstanding");
        return tlm::TLM_COMPLETED;
    }
    finish_at(at, request);
    end_request(payload, agenda_.now());  // a response implies it
    return tlm::TLM_COMPLETED;
}

void MemoryInitiator::on_phase(MemoryRequestRef request, const tlm::tlm_phase& phase, Picoseconds at)
{
    if (phase == tlm::END_REQ) {
        end_request(*request->payload, at);
    } else if (phase == tlm::BEGIN_RESP) {
        end_request(*request->payload, agenda_.now());
        request = take_outstanding(*request->payload);
        if (at == agenda_.now()) {
            end_response(std::move(request));
        } else {
            agenda_.at<&MemoryInitiator::end_response>(at, EventClass::pcie_to_host, place_, *this, std::move(request));
        }
    }
}

// Responses to earlier requests come while another one is in its request phase: they do not end it. Nor does a response
// hasten an end that the memory has told.
void MemoryInitiator::end_request(const tlm::tlm_generic_payload& payload, Picoseconds at)
{
    if (requesting_ != &payload) {
        return;
    }
    requesting_ = nullptr;
    if (at > agenda_.now()) {
        agenda_.at<&MemoryInitiator::request_accepted>(at, EventClass::pcie_to_host, place_, *this);
    } else {
        request_accepted();
    }
}

void MemoryInitiator::request_accepted()
{
    request_phase_ = false;
    issue_waiting();
}

void MemoryInitiator::end_response(MemoryRequestRef request)
{
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = agenda_.ahead_of_kernel();
    socket->nb_transport_fw(*request->payload, phase, delay);
    finish(std::move(request));
}

void MemoryInitiator::finish_at(Picoseconds at, MemoryRequestRef request)
{
    if (at > agenda_.now()) {
        agenda_.at<&MemoryInitiator::finish>(at, EventClass::pcie_to_host, place_, *this, std::move(request));
    } else {
        finish(std::move(request));
    }
}

void MemoryInitiator::finish(MemoryRequestRef request)
{
    client_.finished(std::move(request));
}

MemoryRequestRef MemoryInitiator::take_outstanding(const tlm::tlm_generic_payload& payload)
{
    if (issued_ && issued_->payload.get() == &payload) {
        return std::move(issued_);
    }
    const auto found =
        std::find_if(outstanding_.begin(), outstanding_.end(),
                     [&payload](const MemoryRequestRef& request) { return request->payload.get() == &payload; });
    if (found == outstanding_.end()) {
        return {};
    }
    MemoryRequestRef request = std::move(*found);
    outstanding_.erase(found);
    agenda_.end_outside_work();
    return request;
}

Picoseconds MemoryInitiator::time_after(const sc_core::sc_time& delay) const
{
    return agenda_.kernel_time().to_picoseconds(sc_core::sc_time_stamp() + delay);
}

// No DMI here: the model's own accesses take the memory's time.
void MemoryInitiator::invalidate_direct_mem_ptr(sc_dt::uint64 /*first*/, sc_dt::uint64 /*last*/) {}

}  // namespace mrcnic::host
