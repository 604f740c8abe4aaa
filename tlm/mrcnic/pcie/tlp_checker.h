#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "mrcnic/base/protocol_checker.h"
#include "mrcnic/pcie/credit.h"
#include "mrcnic/pcie/tlp.h"

namespace mrcnic::pcie {

/// Where on a TLP's way a checker stands: which phases and answers are right [docs/protocols.md].
enum class TlpHop : std::uint8_t {
    submission,  ///< DMA or root complex -> transaction layer
    link,        ///< transaction layer -> transaction layer of the other end
    delivery     ///< transaction layer -> DMA or root complex
};

/// Rules of the TLP protocol; their texts are in `docs/protocols.md`.
enum class TlpRule : std::uint8_t {
    referenced,     // TP-1
    phase,          // TP-2
    answer,         // TP-3
    delay,          // TP-4
    unchanged,      // TP-5
    data,           // TP-6
    ends,           // TP-7
    fresh,          // TP-8
    accepted,       // TP-9
    init_first,     // TP-10
    limit_shrank,   // TP-11
    limit_too_far,  // TP-12
    credit,         // TP-13
    progress,       // TP-14
    one_by_one,     // TP-15
    whole,          // TP-16
    count
};

/// The rule's number and text.
[[nodiscard]] const ProtocolRule& rule_of(TlpRule rule) noexcept;

/// Checks the TLP protocol on one hop. Allocates only when more transactions are open than ever before.
class TlpChecker : public ProtocolChecker<Tlp> {
public:
    /// @param cut  of the link; what a transfer takes of the credits
    TlpChecker(const sc_core::sc_module_name& name, TlpHop hop, const TransferCut& cut = {});

    /// Transactions begun and not ended: TLPs that are not yet accepted, or that are partly across the link. Those that
    /// do not report their acceptance count on the link only.
    [[nodiscard]] std::size_t open() const noexcept { return open_.size(); }

private:
    enum class Step : std::uint8_t { begin, accepted, transfer, init_fc, update_fc, other };

    /// A TLP with an open transaction and what it must not change meanwhile [TP-5].
    struct Transaction {
        const Tlp* tlp;
        std::uint64_t address;
        std::uint32_t tag;
        std::uint32_t length;
        std::uint32_t payload_bytes;
        std::uint32_t arrived;
        TlpKind kind;
        bool reports_acceptance;
        bool whole;  ///< its last TRANSFER is being answered
    };
    using Transactions = std::vector<Transaction>;

    void forward_called(Tlp& tlp, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override;
    void forward_returned(Tlp& tlp, const tlm::tlm_phase& called, Status status,
                          const tlm::tlm_phase& returned) override;
    void backward_called(Tlp& tlp, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override;
    void backward_returned(Tlp& tlp, const tlm::tlm_phase& called, Status status,
                           const tlm::tlm_phase& returned) override;
    void check_finished() override;

    void check_tlp(const Tlp& tlp, Step step, const sc_core::sc_time& delay);
    void check_unchanged(const Tlp& tlp, Step step);
    void submit(const Tlp& tlp);
    void submitted(const Tlp& tlp, Status status, Step returned);
    void accepted(const Tlp& tlp);
    void transfer(const Tlp& tlp);
    void transferred(const Tlp& tlp, Status status);
    void spend(const Tlp& tlp, std::uint32_t first, std::uint32_t last);
    void init_fc(const Tlp& carrier);
    void update_fc(const Tlp& carrier);
    void deliver(const Tlp& tlp);
    void open(const Tlp& tlp);
    [[nodiscard]] Transactions::iterator find(const Tlp& tlp) noexcept;
    void broken(TlpRule rule, Step step, const Tlp& tlp);

    static Step step_of(const tlm::tlm_phase& phase);
    static const char* name_of(Step step) noexcept;

    TlpHop hop_;
    TransferCut cut_;
    Transactions open_;  // in order of their beginning
    bool initialized_{false};
    CreditUnits buffer_;  // limits of INIT_FC
    CreditUnits limit_;
    CreditUnits arrived_;
};

}  // namespace mrcnic::pcie
