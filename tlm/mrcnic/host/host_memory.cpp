#include "mrcnic/host/host_memory.h"

#include <algorithm>
#include <limits>
#include <string>

#include "mrcnic/base/report.h"

namespace mrcnic::host {

namespace {

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

bool has_legal_byte_enables(const tlm::tlm_generic_payload& payload)
{
    const unsigned char* enables = payload.get_byte_enable_ptr();
    if (enables == nullptr) {
        return true;
    }
    const unsigned int used = std::min(payload.get_byte_enable_length(), payload.get_data_length());
    return payload.get_byte_enable_length() > 0 && std::all_of(enables, enables + used, [](unsigned char enable) {
               return enable == TLM_BYTE_ENABLED || enable == TLM_BYTE_DISABLED;
           });
}

bool is_enabled(const tlm::tlm_generic_payload& payload, std::uint64_t byte)
{
    return payload.get_byte_enable_ptr()[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

}  // namespace

HostMemory::HostMemory(const sc_core::sc_module_name& name, const HostMemoryConfig& config)
    : sc_module{name},
      first_{config.base},
      last_{config.size == 0 ? kLastAddress : config.base + (config.size - 1)},
      latency_{KernelTime{}.to_kernel(std::max<Picoseconds>(config.latency, 0))},
      dmi_allowed_{config.dmi_allowed},
      statistics_{this->name()}
{
    if (last_ < first_) {
        const std::string text = std::string{this->name()} + ": size " + std::to_string(config.size) + " from base " +
                                 std::to_string(config.base) + " on passes 2^64; at most " +
                                 std::to_string(kLastAddress - config.base) + " more bytes than 1 fit";
        SC_REPORT_ERROR(report_id::kHost, text.c_str());
    }
    if (config.latency < 0) {
        const std::string text = std::string{this->name()} + ": latency " + std::to_string(config.latency) +
                                 " ps is negative; 0 or more is allowed";
        SC_REPORT_ERROR(report_id::kHost, text.c_str());
    }
    declare_statistics();
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

void HostMemory::declare_statistics()
{
    statistics_.add("reads", "accesses", "reads answered OK", reads_);
    statistics_.add("writes", "accesses", "writes answered OK", writes_);
    statistics_.add("ignored", "accesses", "IGNORE commands answered OK: they move no data", ignored_);
    statistics_.add("bytes_read", "bytes", "enabled bytes of the reads", bytes_read_);
    statistics_.add("bytes_written", "bytes", "enabled bytes of the writes", bytes_written_);
    statistics_.add("errors", "accesses", "accesses answered with an error status", errors_);
}

void HostMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    access(payload, delay);
}

tlm::tlm_sync_enum HostMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ) {
        access(payload, delay);
        return tlm::TLM_COMPLETED;
    }
    if (phase <= tlm::END_RESP) {
        const std::string text = std::string{name()} + ": phase " + phase.get_name() +
                                 " on the forward path; this memory completes with BEGIN_REQ, the only one allowed";
        SC_REPORT_ERROR(report_id::kHost, text.c_str());
    }
    return tlm::TLM_ACCEPTED;
}

void HostMemory::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const tlm::tlm_response_status status = check(payload);
    payload.set_response_status(status);
    delay += latency_;
    if (status != tlm::TLM_OK_RESPONSE) {
        ++errors_;
        return;
    }
    if (grants_dmi()) {
        payload.set_dmi_allowed(true);
    }
    switch (payload.get_command()) {
        case tlm::TLM_READ_COMMAND:
            ++reads_;
            move(payload);
            break;
        case tlm::TLM_WRITE_COMMAND:
            ++writes_;
            move(payload);
            break;
        default:
            ++ignored_;
            break;
    }
}

tlm::tlm_response_status HostMemory::check(const tlm::tlm_generic_payload& payload) const
{
    const tlm::tlm_command command = payload.get_command();
    const bool ignore = command == tlm::TLM_IGNORE_COMMAND;
    const unsigned int length = payload.get_data_length();
    const unsigned int width = payload.get_streaming_width();
    if (!ignore && command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if (!ignore && (length == 0 || width == 0)) {
        return tlm::TLM_BURST_ERROR_RESPONSE;
    }
    if (!ignore && payload.get_data_ptr() == nullptr) {
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    if (!ignore && !has_legal_byte_enables(payload)) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    const unsigned int span = width == 0 ? length : std::min(length, width);
    return holds(payload.get_address(), span) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

bool HostMemory::holds(std::uint64_t address, std::uint64_t length) const noexcept
{
    return holds(address) && (length == 0 || length - 1 <= last_ - address);
}

void HostMemory::move(const tlm::tlm_generic_payload& payload)
{
    const std::uint64_t length = payload.get_data_length();
    if (payload.get_byte_enable_ptr() == nullptr) {
        move_run(payload, 0, length);
        return;
    }
    for (std::uint64_t first = 0; first < length;) {
        std::uint64_t end = first;
        while (end < length && is_enabled(payload, end)) {
            ++end;
        }
        move_run(payload, first, end - first);
        first = end;
        while (first < length && !is_enabled(payload, first)) {
            ++first;
        }
    }
}

void HostMemory::move_run(const tlm::tlm_generic_payload& payload, std::uint64_t first, std::uint64_t length)
{
    const std::uint64_t width = payload.get_streaming_width();
    std::uint64_t& bytes = payload.is_read() ? bytes_read_ : bytes_written_;
    bytes += length;
    while (length > 0) {
        const std::uint64_t in_stream = first % width;
        const std::uint64_t part = std::min(length, width - in_stream);
        if (payload.is_read()) {
            memory_.read(payload.get_address() + in_stream, payload.get_data_ptr() + first, part);
        } else {
            memory_.write(payload.get_address() + in_stream, payload.get_data_ptr() + first, part);
        }
        first += part;
        length -= part;
    }
}

bool HostMemory::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    const std::uint64_t address = payload.get_address();
    dmi.allow_none();
    dmi.set_start_address(0);
    dmi.set_end_address(kLastAddress);
    if (!grants_dmi()) {
        return false;
    }
    if (!holds(address)) {
        dmi.set_start_address(address < first_ ? 0 : last_ + 1);
        dmi.set_end_address(address < first_ ? first_ - 1 : kLastAddress);
        return false;
    }
    const std::uint64_t page_first = address / SparseMemory::kPageBytes * SparseMemory::kPageBytes;
    const std::uint64_t start = std::max(page_first, first_);
    dmi.set_dmi_ptr(memory_.page(address).data() + (start - page_first));
    dmi.set_start_address(start);
    dmi.set_end_address(std::min(page_first + (SparseMemory::kPageBytes - 1), last_));
    dmi.allow_read_write();
    return true;
}

unsigned int HostMemory::transport_dbg(tlm::tlm_generic_payload& payload)
{
    const std::uint64_t address = payload.get_address();
    unsigned int length = payload.get_data_length();
    if (length == 0 || payload.get_data_ptr() == nullptr || !holds(address)) {
        return 0;
    }
    if (length - 1 > last_ - address) {
        length = static_cast<unsigned int>(last_ - address) + 1;
    }
    if (payload.is_read()) {
        memory_.read(address, payload.get_data_ptr(), length);
    } else if (payload.is_write()) {
        memory_.write(address, payload.get_data_ptr(), length);
    } else {
        length = 0;
    }
    return length;
}

}  // namespace mrcnic::host
