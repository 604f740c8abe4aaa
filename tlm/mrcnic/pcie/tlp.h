#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mrcnic/base/pool.h"
#include "mrcnic/base/protocol_sockets.h"

namespace mrcnic::pcie {

enum class TlpKind : std::uint8_t { memory_read, memory_write, completion };

/// Completion status, as PCI-SIG names it.
enum class CompletionStatus : std::uint8_t { successful, unsupported_request, completer_abort };

/// What a TLP says beside its data, and how far it has come.
struct TlpFields {
    TlpKind kind{TlpKind::memory_write};
    CompletionStatus status{CompletionStatus::successful};
    std::uint32_t tag{0};            ///< the requester's; a completion brings it back
    std::uint64_t address{0};        ///< in host memory
    std::uint32_t length{0};         ///< bytes read, written or completed
    std::uint32_t payload_bytes{0};  ///< bytes that this TLP carries on the link [PC-3]
    bool reports_acceptance{false};  ///< its sender wants ACCEPTED [PC-9]

    // Progress on the link, kept by the sending transaction layer.
    std::uint32_t transfers{1};  ///< that carry it
    std::uint32_t admitted{0};   ///< of them, in the transmit buffer or beyond
    std::uint32_t started{0};    ///< of them, on the link or beyond
    std::uint32_t arrived{0};    ///< of them, at the far end, as told by TRANSFER
    std::uint32_t taken{0};      ///< of them, taken out of the receive buffer by the far side

    // Carried backward by INIT_FC and UPDATE_FC: what the sender may have consumed in all [CK-44].
    std::uint64_t header_limit{0};
    std::uint64_t data_limit{0};
};

/// What travels between DMA, transaction layers and root complex; the payload of the TLP protocol
/// (`docs/protocols.md`).
///
/// In the reference profile one object stands for a whole request or completion, which the link carries as
/// `transfers` of at most 512 bytes [PC-2]; the far side gets it with its last transfer.
class Tlp : public Pooled, public TlpFields {
public:
    std::vector<std::uint8_t> data;  ///< `length` bytes with `PayloadMode = "bytes"`, else empty

    /// A TLP as new; keeps the data's capacity.
    void reset() noexcept
    {
        static_cast<TlpFields&>(*this) = TlpFields{};
        data.clear();
    }
};

using TlpRef = Ref<Tlp>;
using TlpPool = Pool<Tlp>;

/// How a payload is cut into the link's transfers [PC-2].
struct TransferCut {
    std::uint32_t max_payload{512};  ///< bytes a transfer carries at most
    std::uint32_t overhead{34};      ///< bytes it adds on the link, and in a header buffer [PC-8]

    /// At least one, also for no payload [PC-11].
    [[nodiscard]] std::uint32_t count(std::uint32_t payload) const noexcept
    {
        return payload == 0 ? 1 : (payload - 1) / max_payload + 1;
    }
    /// Payload of the i-th transfer.
    [[nodiscard]] std::uint32_t bytes(std::uint32_t payload, std::uint32_t i) const noexcept
    {
        return std::min(max_payload, payload - i * max_payload);
    }
    /// Payload of transfers `first` to `last` - 1.
    [[nodiscard]] std::uint32_t bytes_between(std::uint32_t payload, std::uint32_t first,
                                              std::uint32_t last) const noexcept
    {
        return std::min(payload, last * max_payload) - std::min(payload, first * max_payload);
    }
};

/// Phases of the TLP protocol beside BEGIN_REQ; `docs/protocols.md` has the rules.
namespace phase {
TLM_DECLARE_EXTENDED_PHASE(ACCEPTED);   ///< backward, device side: the transmit buffer has taken the whole TLP
TLM_DECLARE_EXTENDED_PHASE(TRANSFER);   ///< forward, link: `arrived` has grown
TLM_DECLARE_EXTENDED_PHASE(INIT_FC);    ///< backward, link: first limits
TLM_DECLARE_EXTENDED_PHASE(UPDATE_FC);  ///< backward, link: new limits
}  // namespace phase

using TlpInitiatorPort = InitiatorPort<Tlp>;
using TlpTargetPort = TargetPort<Tlp>;
template <typename Module>
using TlpInitiatorSocket = InitiatorSocket<Tlp, Module>;
template <typename Module>
using TlpTargetSocket = TargetSocket<Tlp, Module>;

}  // namespace mrcnic::pcie
