#include "mrcnic/host/root_complex.h"

#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"

namespace mrcnic::host {

using pcie::Tlp;
using pcie::TlpKind;

RootComplex::RootComplex(const sc_core::sc_module_name& name, Agenda& agenda, Place place,
                         config::PayloadMode payload_mode)
    : sc_module{name},
      memory{"memory", agenda, place, *this},
      payload_mode_{payload_mode},
      completions_{agenda.shared<pcie::TlpPool>()},
      payloads_{agenda.shared<PayloadPool>()},
      requests_{agenda.shared<Pool<MemoryRequest>>()}
{
    statistics_.add("bytes_read", "B", "payload read from host memory for the NIC", bytes_read_);
    statistics_.add("bytes_written", "B", "payload of the NIC written to host memory", bytes_written_);
    statistics_.add("errors", "accesses", "accesses that the memory answered with an error", errors_);
}

tlm::tlm_sync_enum RootComplex::request(Tlp& tlp, tlm::tlm_phase&, sc_core::sc_time&)
{
    MemoryRequestRef request = requests_.make();
    request->tlp = pcie::TlpRef{tlp};
    request->payload = payloads_.make_without_data(tlp.length);
    request->payload->set_address(tlp.address);
    if (tlp.kind == TlpKind::memory_read) {
        read(request);
    } else {
        write(request);
    }
    return tlm::TLM_COMPLETED;
}

void RootComplex::read(const MemoryRequestRef& request)
{
    request->completion = completions_.make();
    Tlp& completion = *request->completion;
    completion.kind = TlpKind::completion;
    completion.tag = request->tlp->tag;
    completion.length = request->tlp->length;
    completion.payload_bytes = completion.length;
    reads_.push_back(request);
    if (completion.length == 0) {  // [PC-11] nothing to read, still an answer; the base protocol has no empty access
        finished(request);
        return;
    }
    if (payload_mode_ == config::PayloadMode::bytes) {
        completion.data.resize(completion.length);
        request->payload->set_command(tlm::TLM_READ_COMMAND);
        request->payload->set_data_ptr(completion.data.data());
    }
    memory.access(request);
}

void RootComplex::write(const MemoryRequestRef& request)
{
    if (payload_mode_ == config::PayloadMode::bytes) {
        request->payload->set_command(tlm::TLM_WRITE_COMMAND);
        request->payload->set_data_ptr(request->tlp->data.data());
    }
    memory.access(request);
}

void RootComplex::finished(MemoryRequestRef request)
{
    const bool ok = request->tlp->length == 0 || request->payload->is_response_ok();
    if (!ok) {
        ++errors_;
    }
    if (request->tlp->kind != TlpKind::memory_read) {
        finish_write(*request, ok);
        return;
    }
    if (!ok) {
        request->completion->status = pcie::CompletionStatus::unsupported_request;
        request->completion->payload_bytes = 0;
        request->completion->data.clear();
    } else {
        bytes_read_ += request->tlp->length;
    }
    request->done = true;
    complete_reads();
}

void RootComplex::finish_write(const MemoryRequest& request, bool ok)
{
    if (ok) {
        bytes_written_ += request.tlp->length;
        return;
    }
    const std::string text = fmt::format("a write of {} bytes to host address {:#x} failed: {}", request.tlp->length,
                                         request.tlp->address, request.payload->get_response_string());
    SC_REPORT_WARNING(report_id::kHost, text.c_str());
}

void RootComplex::complete_reads()
{
    while (!reads_.empty() && reads_.front()->done) {
        const MemoryRequestRef request = reads_.pop_front();
        to_pcie.forward(*request->completion, tlm::BEGIN_REQ);
    }
}

}  // namespace mrcnic::host
