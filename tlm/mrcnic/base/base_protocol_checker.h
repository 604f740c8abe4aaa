#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <systemc>
#include <tlm>

#include "mrcnic/base/protocol_checker.h"

namespace mrcnic {

/// Rules of the base protocol; their texts are in `docs/protocols.md`.
enum class BaseProtocolRule : std::uint8_t {
    open,                // BP-1
    order,               // BP-2
    one_request,         // BP-3
    one_response,        // BP-4
    answer,              // BP-5
    data_given,          // BP-6
    byte_enables_given,  // BP-7
    status_incomplete,   // BP-8
    hint_false,          // BP-9
    unchanged,           // BP-10
    status_set,          // BP-11
    held,                // BP-12
    time,                // BP-13
    one_transport,       // BP-14
    no_wait,             // BP-15
    dmi_range,           // BP-16
    invalidation,        // BP-17
    debug_count,         // BP-18
    ends,                // BP-19
    count
};

/// The rule's number and text.
[[nodiscard]] const ProtocolRule& rule_of(BaseProtocolRule rule) noexcept;

/// Watches one hop of the TLM-2.0 base protocol (IEEE 1666): bind it between an initiator and a target.
///
/// Passes every call on unchanged and in zero time: the model behaves as without it. A broken rule is reported as an
/// error `/mrcnic/protocol` that starts with its number, and the call goes on if the report handler lets it. The rules,
/// BP-1 to BP-19, stand in `docs/protocols.md`. Call `finish()` when the run is over: what is open then never got its
/// answer.
class BaseProtocolChecker : public sc_core::sc_module,
                            private tlm::tlm_fw_transport_if<>,
                            private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<32> in{"in"};       ///< bind the initiator here
    tlm::tlm_initiator_socket<32> out{"out"};  ///< bind this to the target

    explicit BaseProtocolChecker(const sc_core::sc_module_name& name);

    /// Reports transactions that are still open [BP-19]. The end of simulation calls it too; the first call counts.
    void finish();
    /// The run is cut short, by a time limit for example: what is open now is no fault.
    void cut_short() noexcept { finished_ = true; }

    [[nodiscard]] std::uint64_t transactions() const noexcept { return transactions_; }  ///< begun on either transport
    [[nodiscard]] std::uint64_t broken_rules() const noexcept { return broken_rules_; }
    [[nodiscard]] std::size_t open() const noexcept { return open_.size() + blocking_.size(); }

private:
    using Payload = tlm::tlm_generic_payload;
    enum class Path { forward, backward };
    enum class Stage { request, waiting, response };

    /// What nobody may change between the first call and the last [BP-10].
    struct Attributes {
        explicit Attributes(const Payload& payload);
        bool operator==(const Attributes& other) const noexcept;

        tlm::tlm_command command;
        const unsigned char* data;
        unsigned int length;
        unsigned int streaming_width;
        const unsigned char* byte_enables;
        unsigned int byte_enable_length;
    };

    struct Transaction {
        std::uint64_t id;
        Stage stage;
        sc_core::sc_time latest;  // point in time of the last call, its delay included
        Attributes attributes;
    };

    class BlockingCall;

    void b_transport(Payload& payload, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
    unsigned int transport_dbg(Payload& payload) override;
    void end_of_simulation() override { finish(); }

    template <typename Call>
    tlm::tlm_sync_enum watch(Path path, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay, Call call);
    std::uint64_t before_call(Path path, Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void after_call(Path path, std::uint64_t id, Payload& payload, const tlm::tlm_phase& called,
                    tlm::tlm_sync_enum status, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    std::uint64_t begin(Payload& payload);
    void advance(Path path, Payload& payload, Transaction& transaction, const tlm::tlm_phase& phase);
    void complete(const Payload& payload, const Transaction& transaction);
    void begin_response(const Payload& payload, Transaction& transaction);
    void close(const Payload& payload);

    void check_start(const Payload& payload);
    void check_held(const Payload& payload, const Transaction& transaction);
    void check_attributes(const Payload& payload, const Attributes& attributes);
    void check_answered(const Payload& payload);
    void check_not_live(const Payload& payload);
    /// @return the point in time that the call speaks of
    sc_core::sc_time check_time(const sc_core::sc_time& delay, const sc_core::sc_time& earliest);
    void broken(BaseProtocolRule rule, const std::string& call);

    std::unordered_map<const Payload*, Transaction> open_;
    std::vector<const Payload*> blocking_;
    std::uint64_t next_id_{1};
    std::uint64_t in_request_{0};   // id of the transaction in its request phase, 0 = none
    std::uint64_t in_response_{0};  // likewise for the response
    unsigned invalidations_{0};     // calls of invalidate_direct_mem_ptr that have not returned
    unsigned dmi_requests_{0};
    std::uint64_t transactions_{0};
    std::uint64_t broken_rules_{0};
    bool finished_{false};
};

}  // namespace mrcnic
