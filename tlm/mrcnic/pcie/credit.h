#pragma once

#include <cstdint>

#include "mrcnic/base/report.h"

namespace mrcnic::pcie {

/// Header and data units of flow control. In the reference profile both count bytes [PC-8].
struct CreditUnits {
    std::uint64_t header{0};
    std::uint64_t data{0};
};

/// The sender's side of flow control: cumulative counters against the limits that the receiver advertised.
///
/// Limits are absolute: a repeated update changes nothing, a lost one is healed by the next [CK-44].
class CreditLedger {
public:
    /// Limits of INIT_FC: what the receive buffer holds. Nothing passes before.
    void init(CreditUnits limit) noexcept
    {
        limit_ = limit;
        consumed_ = {};
        initialized_ = true;
    }
    /// Limits of UPDATE_FC; limits only grow.
    void update(CreditUnits limit)
    {
        invariant(limit.header >= limit_.header && limit.data >= limit_.data, "[CK-44] a credit limit shrank");
        limit_ = limit;
    }

    [[nodiscard]] bool allows(CreditUnits need) const noexcept
    {
        return initialized_ && need.header <= limit_.header - consumed_.header &&
               need.data <= limit_.data - consumed_.data;
    }
    /// Takes `need`; `allows` has said yes.
    void consume(CreditUnits need) noexcept
    {
        consumed_.header += need.header;
        consumed_.data += need.data;
    }
    [[nodiscard]] CreditUnits limit() const noexcept { return limit_; }
    [[nodiscard]] CreditUnits consumed() const noexcept { return consumed_; }

private:
    CreditUnits limit_;
    CreditUnits consumed_;
    bool initialized_{false};
};

/// The receiver's side: what has arrived, what was taken out, and the limit to advertise.
class ReceiveLedger {
public:
    explicit ReceiveLedger(CreditUnits buffer) noexcept : buffer_{buffer} {}

    /// @throws InvariantError if the sender went past the limit [PC-5]
    void arrive(CreditUnits units)
    {
        arrived_.header += units.header;
        arrived_.data += units.data;
        invariant(arrived_.header <= limit().header && arrived_.data <= limit().data,
                  "[PC-5] a transfer arrived without space at the receiving end");
    }
    /// The far side has taken `units` out of the buffer.
    void take(CreditUnits units) noexcept
    {
        taken_.header += units.header;
        taken_.data += units.data;
    }
    /// What the sender may have sent in all: the buffer and all that was taken out of it.
    [[nodiscard]] CreditUnits limit() const noexcept
    {
        return {buffer_.header + taken_.header, buffer_.data + taken_.data};
    }
    [[nodiscard]] CreditUnits occupancy() const noexcept
    {
        return {arrived_.header - taken_.header, arrived_.data - taken_.data};
    }

private:
    CreditUnits buffer_;
    CreditUnits arrived_;
    CreditUnits taken_;
};

}  // namespace mrcnic::pcie
