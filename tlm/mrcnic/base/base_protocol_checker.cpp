#include "mrcnic/base/base_protocol_checker.h"

#include <algorithm>
#include <array>

namespace mrcnic {

using Rule = BaseProtocolRule;

namespace {

constexpr std::array<ProtocolRule, static_cast<std::size_t>(BaseProtocolRule::count)> kRules{{
    {"BP-1", "a phase belongs to a transaction that is open: begun by BEGIN_REQ and not over"},
    {"BP-2",
     "BEGIN_REQ and END_RESP go forward, END_REQ and BEGIN_RESP backward, each once and in this order; BEGIN_RESP "
     "implies END_REQ"},
    {"BP-3", "BEGIN_REQ comes when no other request waits for its end"},
    {"BP-4", "BEGIN_RESP comes when no other response waits for its end"},
    {"BP-5",
     "BEGIN_REQ is answered with ACCEPTED, UPDATED to END_REQ or BEGIN_RESP, or COMPLETED; END_REQ with ACCEPTED; "
     "BEGIN_RESP with ACCEPTED, UPDATED to END_RESP, or COMPLETED; END_RESP with ACCEPTED or COMPLETED"},
    {"BP-6",
     "the command is read, write or ignore; a read or write has a data pointer, a length and a streaming width above "
     "0"},
    {"BP-7", "byte enables, if given, have a length above 0"},
    {"BP-8", "a transaction starts with status INCOMPLETE"},
    {"BP-9", "a transaction starts with its DMI hint false"},
    {"BP-10",
     "command, data pointer, length, streaming width and byte enables stay as they are while a transaction is in "
     "flight"},
    {"BP-11", "a response has a status: OK or an error"},
    {"BP-12", "on the non-blocking path a payload has a memory manager and somebody holds a reference"},
    {"BP-13", "delays are not negative, and successive calls of a transaction do not go back in time"},
    {"BP-14", "a payload is in one transaction at a time, and on one transport"},
    {"BP-15", "the callee of a non-blocking call does not wait"},
    {"BP-16",
     "a DMI answer holds the address asked for, its end is inclusive, and a grant has a pointer and an access"},
    {"BP-17",
     "invalidate_direct_mem_ptr names a range, and neither it nor get_direct_mem_ptr is called from within the other"},
    {"BP-18", "the debug transport reports no more bytes than it was asked for"},
    {"BP-19", "every transaction has come to its end when the run ends"},
}};

/// Phases that the base protocol does not know pass: whoever does not know them ignores them.
bool is_extended(const tlm::tlm_phase& phase)
{
    return phase > tlm::END_RESP;
}

bool is_legal_return(const tlm::tlm_phase& called, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase)
{
    switch (status) {
        case tlm::TLM_ACCEPTED:
            return true;
        case tlm::TLM_COMPLETED:
            return called == tlm::BEGIN_REQ || called == tlm::BEGIN_RESP || called == tlm::END_RESP;
        case tlm::TLM_UPDATED:
            return is_extended(phase) ||
                   (called == tlm::BEGIN_REQ && (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)) ||
                   (called == tlm::BEGIN_RESP && phase == tlm::END_RESP);
    }
    return false;
}

const char* name_of(tlm::tlm_sync_enum status)
{
    switch (status) {
        case tlm::TLM_ACCEPTED:
            return "TLM_ACCEPTED";
        case tlm::TLM_UPDATED:
            return "TLM_UPDATED";
        case tlm::TLM_COMPLETED:
            return "TLM_COMPLETED";
    }
    return "no tlm_sync_enum";
}

/// Counts a call for as long as it lasts, however it ends.
class Depth {
public:
    explicit Depth(unsigned& depth) : depth_{depth} { ++depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --depth_; }

private:
    unsigned& depth_;
};

}  // namespace

const ProtocolRule& rule_of(BaseProtocolRule rule) noexcept
{
    return kRules[static_cast<std::size_t>(rule)];
}

/// Keeps a payload in the list of blocking calls, for as long as the call lasts, however it ends.
class BaseProtocolChecker::BlockingCall {
public:
    BlockingCall(std::vector<const Payload*>& list, const Payload& payload) : list_{list}, payload_{&payload}
    {
        list_.push_back(payload_);
    }
    BlockingCall(const BlockingCall&) = delete;
    BlockingCall& operator=(const BlockingCall&) = delete;
    ~BlockingCall() { list_.erase(std::find(list_.begin(), list_.end(), payload_)); }

private:
    std::vector<const Payload*>& list_;
    const Payload* payload_;
};

BaseProtocolChecker::Attributes::Attributes(const Payload& payload)
    : command{payload.get_command()},
      data{payload.get_data_ptr()},
      length{payload.get_data_length()},
      streaming_width{payload.get_streaming_width()},
      byte_enables{payload.get_byte_enable_ptr()},
      byte_enable_length{payload.get_byte_enable_length()}
{
}

bool BaseProtocolChecker::Attributes::operator==(const Attributes& other) const noexcept
{
    return command == other.command && data == other.data && length == other.length &&
           streaming_width == other.streaming_width && byte_enables == other.byte_enables &&
           byte_enable_length == other.byte_enable_length;
}

BaseProtocolChecker::BaseProtocolChecker(const sc_core::sc_module_name& name) : sc_module{name}
{
    in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void BaseProtocolChecker::finish()
{
    if (finished_) {
        return;
    }
    finished_ = true;
    if (open() > 0) {
        broken(Rule::ends, std::to_string(open()) + " of " + std::to_string(transactions_) +
                               " transactions are open at the end: their response, or its end, never came");
    }
}

void BaseProtocolChecker::b_transport(Payload& payload, sc_core::sc_time& delay)
{
    ++transactions_;
    check_not_live(payload);
    check_start(payload);
    const Attributes attributes{payload};
    const sc_core::sc_time earliest = check_time(delay, sc_core::SC_ZERO_TIME);
    {
        const BlockingCall call{blocking_, payload};
        out->b_transport(payload, delay);
    }
    check_time(delay, earliest);
    check_attributes(payload, attributes);
    check_answered(payload);
}

tlm::tlm_sync_enum BaseProtocolChecker::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay)
{
    return watch(Path::forward, payload, phase, delay, [&] { return out->nb_transport_fw(payload, phase, delay); });
}

tlm::tlm_sync_enum BaseProtocolChecker::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay)
{
    return watch(Path::backward, payload, phase, delay, [&] { return in->nb_transport_bw(payload, phase, delay); });
}

template <typename Call>
tlm::tlm_sync_enum BaseProtocolChecker::watch(Path path, Payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay, Call call)
{
    const tlm::tlm_phase called = phase;
    const std::uint64_t id = before_call(path, payload, called, delay);
    const sc_dt::uint64 delta = sc_core::sc_delta_count();
    const tlm::tlm_sync_enum status = call();
    if (sc_core::sc_delta_count() != delta) {
        broken(Rule::no_wait, std::string{called.get_name()} + ": the callee of a non-blocking call has waited");
    }
    if (!is_extended(called)) {
        after_call(path, id, payload, called, status, phase, delay);
    }
    return status;
}

/// @return id of the transaction, 0 if the call belongs to none that is known
std::uint64_t BaseProtocolChecker::before_call(Path path, Payload& payload, const tlm::tlm_phase& phase,
                                               const sc_core::sc_time& delay)
{
    if (is_extended(phase)) {
        return 0;
    }
    auto found = open_.find(&payload);
    if (path == Path::forward && phase == tlm::BEGIN_REQ) {
        if (found != open_.end()) {
            broken(Rule::order, "BEGIN_REQ with the payload of a transaction that is in flight");
            return 0;
        }
        const std::uint64_t id = begin(payload);
        open_.at(&payload).latest = check_time(delay, sc_core::SC_ZERO_TIME);
        return id;
    }
    if (found == open_.end()) {
        broken(Rule::open, std::string{phase.get_name()} + " of a transaction that is not open: never begun, or over");
        return 0;
    }
    const std::uint64_t id = found->second.id;
    found->second.latest = check_time(delay, found->second.latest);
    advance(path, payload, found->second, phase);
    return id;
}

std::uint64_t BaseProtocolChecker::begin(Payload& payload)
{
    ++transactions_;
    check_not_live(payload);
    check_start(payload);
    if (in_request_ != 0) {
        broken(Rule::one_request, "BEGIN_REQ while another request waits for its END_REQ");
    }
    const std::uint64_t id = next_id_++;
    const Transaction transaction{id, Stage::request, sc_core::SC_ZERO_TIME, Attributes{payload}};
    check_held(payload, transaction);
    open_.emplace(&payload, transaction);
    in_request_ = id;
    return id;
}

void BaseProtocolChecker::after_call(Path path, std::uint64_t id, Payload& payload, const tlm::tlm_phase& called,
                                     tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                                     const sc_core::sc_time& delay)
{
    if (!is_legal_return(called, status, phase)) {
        broken(Rule::answer,
               std::string{called.get_name()} + " answered with " + name_of(status) + " and phase " + phase.get_name());
        return;
    }
    if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && is_extended(phase)) || id == 0 ||
        (path == Path::forward && called == tlm::END_RESP)) {
        return;
    }
    const auto found = open_.find(&payload);
    if (found == open_.end() || found->second.id != id) {
        broken(Rule::open, std::string{name_of(status)} + " for " + called.get_name() +
                               " of a transaction that ended during the call");
        return;
    }
    Transaction& transaction = found->second;
    transaction.latest = check_time(delay, transaction.latest);
    if (path == Path::backward) {
        close(payload);  // unseen: the initiator may have let go of the payload already
    } else if (status == tlm::TLM_UPDATED) {
        advance(Path::backward, payload, transaction, phase);
    } else {
        complete(payload, transaction);
    }
}

/// TLM_COMPLETED for BEGIN_REQ.
void BaseProtocolChecker::complete(const Payload& payload, const Transaction& transaction)
{
    if (transaction.stage == Stage::response) {
        broken(Rule::order, "TLM_COMPLETED after BEGIN_RESP: the response has come twice");
    }
    check_held(payload, transaction);
    check_answered(payload);
    close(payload);
}

void BaseProtocolChecker::advance(Path path, Payload& payload, Transaction& transaction, const tlm::tlm_phase& phase)
{
    const bool backward = path == Path::backward;
    const bool in_order = (backward && phase == tlm::END_REQ && transaction.stage == Stage::request) ||
                          (backward && phase == tlm::BEGIN_RESP && transaction.stage != Stage::response) ||
                          (!backward && phase == tlm::END_RESP && transaction.stage == Stage::response);
    if (!in_order) {
        broken(Rule::order, std::string{phase.get_name()} + " on the " + (backward ? "backward" : "forward") +
                                " path is out of order");
        return;
    }
    check_held(payload, transaction);
    if (phase == tlm::END_RESP) {
        close(payload);
        return;
    }
    if (in_request_ == transaction.id) {
        in_request_ = 0;
    }
    if (phase == tlm::END_REQ) {
        transaction.stage = Stage::waiting;
    } else {
        begin_response(payload, transaction);
    }
}

void BaseProtocolChecker::begin_response(const Payload& payload, Transaction& transaction)
{
    if (in_response_ != 0) {
        broken(Rule::one_response, "BEGIN_RESP while another response waits for its END_RESP");
    }
    check_answered(payload);
    in_response_ = transaction.id;
    transaction.stage = Stage::response;
}

void BaseProtocolChecker::close(const Payload& payload)
{
    const auto found = open_.find(&payload);
    if (in_request_ == found->second.id) {
        in_request_ = 0;
    }
    if (in_response_ == found->second.id) {
        in_response_ = 0;
    }
    open_.erase(found);
}

void BaseProtocolChecker::check_start(const Payload& payload)
{
    const tlm::tlm_command command = payload.get_command();
    const bool moves = command == tlm::TLM_READ_COMMAND || command == tlm::TLM_WRITE_COMMAND;
    if (!moves && command != tlm::TLM_IGNORE_COMMAND) {
        broken(Rule::data_given, "command " + std::to_string(command) + " is neither read, write nor ignore");
    }
    if (moves && payload.get_data_ptr() == nullptr) {
        broken(Rule::data_given, "a read or write has no data pointer");
    }
    if (moves && payload.get_data_length() == 0) {
        broken(Rule::data_given, "a read or write has length 0");
    }
    if (moves && payload.get_streaming_width() == 0) {
        broken(Rule::data_given, "a read or write has streaming width 0");
    }
    if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
        broken(Rule::byte_enables_given, "byte enables are given, but their length is 0");
    }
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
        broken(Rule::status_incomplete, "a transaction starts with status " + payload.get_response_string() +
                                            "; TLM_INCOMPLETE_RESPONSE is due");
    }
    if (payload.is_dmi_allowed()) {
        broken(Rule::hint_false, "a transaction starts with its DMI hint set");
    }
}

void BaseProtocolChecker::check_held(const Payload& payload, const Transaction& transaction)
{
    if (!payload.has_mm()) {
        broken(Rule::held, "a payload on the non-blocking path has no memory manager");
    } else if (payload.get_ref_count() < 1) {
        broken(Rule::held, "a payload in flight has reference count 0");
    }
    check_attributes(payload, transaction.attributes);
}

void BaseProtocolChecker::check_attributes(const Payload& payload, const Attributes& attributes)
{
    if (!(Attributes{payload} == attributes)) {
        broken(Rule::unchanged, "command, data pointer, length, streaming width or byte enables changed in flight");
    }
}

void BaseProtocolChecker::check_answered(const Payload& payload)
{
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
        broken(Rule::status_set, "a response has come with status TLM_INCOMPLETE_RESPONSE");
    }
}

void BaseProtocolChecker::check_not_live(const Payload& payload)
{
    const bool blocking = std::find(blocking_.begin(), blocking_.end(), &payload) != blocking_.end();
    if (blocking || open_.find(&payload) != open_.end()) {
        broken(Rule::one_transport, std::string{"a transaction starts with a payload that is live on the "} +
                                        (blocking ? "blocking" : "non-blocking") + " path");
    }
}

sc_core::sc_time BaseProtocolChecker::check_time(const sc_core::sc_time& delay, const sc_core::sc_time& earliest)
{
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time point = now + delay;
    if (point < now) {
        broken(Rule::time, "a delay is negative: " + delay.to_string() + " wraps the time");
        return earliest;
    }
    if (point < earliest) {
        broken(Rule::time, "a call speaks of " + point.to_string() + ", the call before it of " + earliest.to_string());
        return earliest;
    }
    return point;
}

bool BaseProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi)
{
    if (invalidations_ > 0) {
        broken(Rule::invalidation, "get_direct_mem_ptr from within invalidate_direct_mem_ptr");
    }
    const sc_dt::uint64 address = payload.get_address();
    bool granted = false;
    {
        const Depth depth{dmi_requests_};
        granted = out->get_direct_mem_ptr(payload, dmi);
    }
    if (address < dmi.get_start_address() || address > dmi.get_end_address()) {
        broken(Rule::dmi_range, "the DMI range does not hold the address asked for (its end is inclusive)");
    }
    if (granted && (dmi.get_dmi_ptr() == nullptr || dmi.is_none_allowed())) {
        broken(Rule::dmi_range, "DMI is granted without a pointer, or for no access");
    }
    return granted;
}

void BaseProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end)
{
    if (dmi_requests_ > 0) {
        broken(Rule::invalidation, "invalidate_direct_mem_ptr from within get_direct_mem_ptr");
    }
    if (start > end) {
        broken(Rule::invalidation, "the range of invalidate_direct_mem_ptr ends before its start");
    }
    const Depth depth{invalidations_};
    in->invalidate_direct_mem_ptr(start, end);
}

unsigned int BaseProtocolChecker::transport_dbg(Payload& payload)
{
    const unsigned int length = payload.get_data_length();
    const unsigned int done = out->transport_dbg(payload);
    if (done > length) {
        broken(Rule::debug_count,
               "the debug transport reports " + std::to_string(done) + " bytes of " + std::to_string(length));
    }
    return done;
}

void BaseProtocolChecker::broken(BaseProtocolRule rule, const std::string& call)
{
    ++broken_rules_;
    report_broken_rule(rule_of(rule), name(), call);
}

}  // namespace mrcnic
