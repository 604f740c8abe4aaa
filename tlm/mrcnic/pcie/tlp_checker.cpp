#include "mrcnic/pcie/tlp_checker.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mrcnic::pcie {
namespace {

constexpr std::size_t kUsualTransactions = 512;

constexpr std::array<ProtocolRule, static_cast<std::size_t>(TlpRule::count)> kRules{{
    {"TP-1", "a TLP in a call is referenced"},
    {"TP-2", "a call has a phase that its hop has in its direction"},
    {"TP-3", "a call is answered in one of the ways that its phase has on the hop"},
    {"TP-4", "no call annotates a delay"},
    {"TP-5", "a TLP keeps its fields while a transaction on it is open"},
    {"TP-6", "a write and a successful completion carry all of their data or none, other TLPs none"},
    {"TP-7", "every transaction ends"},
    {"TP-8", "a TLP is submitted once: without progress on the link, and not while it is open"},
    {"TP-9", "ACCEPTED ends the submission of a TLP that reports it, once, in the order of its queue"},
    {"TP-10", "INIT_FC comes once, before anything else on the link"},
    {"TP-11", "a credit limit does not shrink"},
    {"TP-12", "a credit limit is at most the receive buffer and what has arrived"},
    {"TP-13", "what has arrived is within the last credit limits"},
    {"TP-14", "TRANSFER reports progress of a TLP, up to its number of transfers"},
    {"TP-15", "a TLP's transfers follow each other; only a read request stands between those of another TLP"},
    {"TP-16", "a TLP is delivered after its last transfer"},
}};

// In the order of TlpChecker::Step.
constexpr std::array<const char*, 6> kStepNames{"BEGIN_REQ", "ACCEPTED",  "TRANSFER",
                                                "INIT_FC",   "UPDATE_FC", "another phase"};

constexpr bool is_read(TlpKind kind) noexcept
{
    return kind == TlpKind::memory_read;
}

bool carries_data(const Tlp& tlp) noexcept
{
    return tlp.kind == TlpKind::memory_write ||
           (tlp.kind == TlpKind::completion && tlp.status == CompletionStatus::successful);
}

}  // namespace

const ProtocolRule& rule_of(TlpRule rule) noexcept
{
    return kRules[static_cast<std::size_t>(rule)];
}

TlpChecker::TlpChecker(const sc_core::sc_module_name& name, TlpHop hop, const TransferCut& cut)
    : ProtocolChecker<Tlp>{name}, hop_{hop}, cut_{cut}
{
    open_.reserve(kUsualTransactions);
}

TlpChecker::Step TlpChecker::step_of(const tlm::tlm_phase& phase)
{
    struct Entry {
        unsigned phase;
        Step step;
    };
    static const std::array<Entry, 5> kSteps{{{tlm::BEGIN_REQ, Step::begin},
                                              {phase::ACCEPTED, Step::accepted},
                                              {phase::TRANSFER, Step::transfer},
                                              {phase::INIT_FC, Step::init_fc},
                                              {phase::UPDATE_FC, Step::update_fc}}};
    const unsigned number = phase;
    const auto* entry =
        std::find_if(kSteps.begin(), kSteps.end(), [number](const Entry& e) { return e.phase == number; });
    return entry == kSteps.end() ? Step::other : entry->step;
}

const char* TlpChecker::name_of(Step step) noexcept
{
    return kStepNames[static_cast<std::size_t>(step)];
}

void TlpChecker::forward_called(Tlp& tlp, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
{
    const Step step = step_of(phase);
    check_tlp(tlp, step, delay);
    if (step == Step::begin && hop_ == TlpHop::submission) {
        submit(tlp);
    } else if (step == Step::transfer && hop_ == TlpHop::link) {
        transfer(tlp);
    } else if (step == Step::begin && hop_ == TlpHop::delivery) {
        deliver(tlp);
    } else {
        broken(TlpRule::phase, step, tlp);
    }
}

void TlpChecker::backward_called(Tlp& tlp, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
{
    const Step step = step_of(phase);
    check_tlp(tlp, step, delay);
    if (step == Step::accepted && hop_ == TlpHop::submission) {
        accepted(tlp);
    } else if (step == Step::init_fc && hop_ == TlpHop::link) {
        init_fc(tlp);
    } else if (step == Step::update_fc && hop_ == TlpHop::link) {
        update_fc(tlp);
    } else {
        broken(TlpRule::phase, step, tlp);
    }
}

void TlpChecker::forward_returned(Tlp& tlp, const tlm::tlm_phase& called, Status status, const tlm::tlm_phase& returned)
{
    const Step step = step_of(called);
    if (step == Step::begin && hop_ == TlpHop::submission) {
        submitted(tlp, status, step_of(returned));
    } else if (step == Step::transfer && hop_ == TlpHop::link) {
        transferred(tlp, status);
    } else if (step == Step::begin && hop_ == TlpHop::delivery && status != tlm::TLM_COMPLETED) {
        broken(TlpRule::answer, step, tlp);
    }
}

void TlpChecker::backward_returned(Tlp& tlp, const tlm::tlm_phase& called, Status status, const tlm::tlm_phase&)
{
    if (status == tlm::TLM_UPDATED) {
        broken(TlpRule::answer, step_of(called), tlp);
    }
}

void TlpChecker::check_tlp(const Tlp& tlp, Step step, const sc_core::sc_time& delay)
{
    if (tlp.references() == 0) {
        broken(TlpRule::referenced, step, tlp);
    }
    if (delay != sc_core::SC_ZERO_TIME) {
        broken(TlpRule::delay, step, tlp);
    }
    if (step == Step::begin && !tlp.data.empty() && (!carries_data(tlp) || tlp.data.size() != tlp.length)) {
        broken(TlpRule::data, step, tlp);
    }
    check_unchanged(tlp, step);
}

void TlpChecker::check_unchanged(const Tlp& tlp, Step step)
{
    const auto transaction = find(tlp);
    if (transaction == open_.end()) {
        return;
    }
    if (transaction->kind != tlp.kind || transaction->tag != tlp.tag || transaction->address != tlp.address ||
        transaction->length != tlp.length || transaction->payload_bytes != tlp.payload_bytes ||
        transaction->reports_acceptance != tlp.reports_acceptance) {
        broken(TlpRule::unchanged, step, tlp);
    }
}

// A TLP that does not report its acceptance is seen here once: that it is on its way is told by its counters only.
void TlpChecker::submit(const Tlp& tlp)
{
    count_transaction();
    if (tlp.admitted != 0 || tlp.started != 0 || tlp.arrived != 0 || tlp.taken != 0 || find(tlp) != open_.end()) {
        broken(TlpRule::fresh, Step::begin, tlp);
        return;
    }
    if (tlp.reports_acceptance) {
        open(tlp);
    }
}

void TlpChecker::submitted(const Tlp& tlp, Status status, Step returned)
{
    if (status == tlm::TLM_ACCEPTED) {
        return;
    }
    if (status != tlm::TLM_UPDATED || returned != Step::accepted) {
        broken(TlpRule::answer, Step::begin, tlp);
        return;
    }
    accepted(tlp);
}

void TlpChecker::accepted(const Tlp& tlp)
{
    const auto transaction = find(tlp);
    if (transaction == open_.end()) {
        broken(TlpRule::accepted, Step::accepted, tlp);
        return;
    }
    // Read requests wait in a queue of their own [PC-9].
    const bool read = is_read(transaction->kind);
    const auto in_its_queue = [read](const Transaction& other) { return is_read(other.kind) == read; };
    if (std::find_if(open_.begin(), transaction, in_its_queue) != transaction) {
        broken(TlpRule::accepted, Step::accepted, tlp);
    }
    open_.erase(transaction);
}

void TlpChecker::transfer(const Tlp& tlp)
{
    if (!initialized_) {
        broken(TlpRule::init_first, Step::transfer, tlp);
    }
    auto transaction = find(tlp);
    if (transaction == open_.end()) {
        count_transaction();
        if (!open_.empty() && (!is_read(tlp.kind) || is_read(open_.back().kind))) {
            broken(TlpRule::one_by_one, Step::transfer, tlp);
        }
        open(tlp);
        transaction = open_.end() - 1;
    } else if (transaction + 1 != open_.end()) {
        broken(TlpRule::one_by_one, Step::transfer, tlp);
    }
    const std::uint32_t before = transaction->arrived;
    if (tlp.transfers != cut_.count(tlp.payload_bytes) || tlp.arrived <= before || tlp.arrived > tlp.transfers) {
        broken(TlpRule::progress, Step::transfer, tlp);
        return;
    }
    transaction->arrived = tlp.arrived;
    transaction->whole = tlp.arrived == tlp.transfers;
    spend(tlp, before, tlp.arrived);
}

void TlpChecker::spend(const Tlp& tlp, std::uint32_t first, std::uint32_t last)
{
    arrived_.header += std::uint64_t{last - first} * cut_.overhead;
    arrived_.data += cut_.bytes_between(tlp.payload_bytes, first, last);
    if (arrived_.header > limit_.header || arrived_.data > limit_.data) {
        broken(TlpRule::credit, Step::transfer, tlp);
    }
}

void TlpChecker::transferred(const Tlp& tlp, Status status)
{
    const auto transaction = find(tlp);
    const bool whole = transaction != open_.end() && transaction->whole;
    if (status != (whole ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED)) {
        broken(TlpRule::answer, Step::transfer, tlp);
    }
    if (whole) {
        open_.erase(transaction);
    }
}

void TlpChecker::init_fc(const Tlp& carrier)
{
    if (initialized_) {
        broken(TlpRule::init_first, Step::init_fc, carrier);
    }
    initialized_ = true;
    buffer_ = {carrier.header_limit, carrier.data_limit};
    limit_ = buffer_;
}

void TlpChecker::update_fc(const Tlp& carrier)
{
    const CreditUnits limit{carrier.header_limit, carrier.data_limit};
    if (!initialized_) {
        broken(TlpRule::init_first, Step::update_fc, carrier);
    }
    if (limit.header < limit_.header || limit.data < limit_.data) {
        broken(TlpRule::limit_shrank, Step::update_fc, carrier);
    }
    if (limit.header > buffer_.header + arrived_.header || limit.data > buffer_.data + arrived_.data) {
        broken(TlpRule::limit_too_far, Step::update_fc, carrier);
    }
    limit_ = limit;
}

void TlpChecker::deliver(const Tlp& tlp)
{
    count_transaction();
    if (tlp.arrived != tlp.transfers || tlp.transfers != cut_.count(tlp.payload_bytes)) {
        broken(TlpRule::whole, Step::begin, tlp);
    }
}

void TlpChecker::open(const Tlp& tlp)
{
    open_.push_back(
        {&tlp, tlp.address, tlp.tag, tlp.length, tlp.payload_bytes, 0, tlp.kind, tlp.reports_acceptance, false});
}

TlpChecker::Transactions::iterator TlpChecker::find(const Tlp& tlp) noexcept
{
    const auto is_it = [&tlp](const Transaction& transaction) { return transaction.tlp == &tlp; };
    return std::find_if(open_.begin(), open_.end(), is_it);
}

void TlpChecker::broken(TlpRule rule, Step step, const Tlp& tlp)
{
    ProtocolChecker<Tlp>::broken(rule_of(rule), fmt::format("{} of the TLP with tag {} and {} bytes", name_of(step),
                                                            tlp.tag, tlp.payload_bytes));
}

void TlpChecker::check_finished()
{
    if (!open_.empty()) {
        const Transaction& oldest = open_.front();
        ProtocolChecker<Tlp>::broken(rule_of(TlpRule::ends),
                                     fmt::format("{} open at the end, the oldest of a TLP with tag {} and {} bytes",
                                                 open_.size(), oldest.tag, oldest.payload_bytes));
    }
}

}  // namespace mrcnic::pcie
