#pragma once

#include <cstddef>
#include <cstdint>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/base/serialization_clock.h"
#include "mrcnic/base/time.h"
#include "mrcnic/pcie/credit.h"
#include "mrcnic/pcie/tlp.h"

namespace mrcnic::pcie {

/// Adds up the time for which something was so.
class Stopwatch {
public:
    void set(bool on, Picoseconds now) noexcept
    {
        if (on == on_) {
            return;
        }
        if (on_) {
            total_ += now - since_;
        }
        on_ = on;
        since_ = now;
    }
    [[nodiscard]] Picoseconds total(Picoseconds now) const noexcept { return on_ ? total_ + (now - since_) : total_; }

private:
    bool on_{false};
    Picoseconds since_{0};
    Picoseconds total_{0};
};

/// One direction of a PCIe link at its sending end: waiting TLPs, transmit buffer, credit gate, lanes [PC-5 .. PC-10].
///
/// Kernel-free and lazy: `advance` carries out all that happened up to now with exact times, however long ago the last
/// call was. Nothing can interrupt the transfers of an admitted TLP whose credits are there: they are started as one
/// train, and its inner starts are worked out only where somebody waits for the room that they free. With `trains` off
/// every transfer is a train of its own; no result differs.
class TransmitPath {
public:
    struct Parameters {
        BitsPerSecond rate{0};           ///< lanes x lane rate of the sending side [PC-1]
        std::uint64_t header_buffer{0};  ///< bytes, at least one transfer's overhead [PC-12]
        std::uint64_t data_buffer{0};    ///< bytes, at least one transfer's payload
        TransferCut cut;
        bool trains{true};  ///< `HostInterface.TransferTrains`
    };
    /// Transfers of one TLP that have arrived at the far end since the last report.
    struct Arrival {
        TlpRef tlp;
        std::uint32_t transfers{0};
    };
    struct Counters {
        std::uint64_t transfers{0};  ///< started
        std::uint64_t bytes{0};      ///< of them on the link, overhead included
    };

    explicit TransmitPath(const Parameters& parameters);

    /// Offers a TLP: it waits for room, transfer by transfer, read requests before all others [PC-9].
    void submit(Picoseconds now, TlpRef tlp);
    void init_credits(Picoseconds now, CreditUnits limit);
    void update_credits(Picoseconds now, CreditUnits limit);

    /// Carries out everything up to and including `now`.
    void advance(Picoseconds now);
    /// When `advance` and the two calls below are wanted next; kNever if nothing moves by itself.
    [[nodiscard]] Picoseconds next_event() const;
    [[nodiscard]] bool has_arrivals() const noexcept { return !arrivals_.empty(); }
    [[nodiscard]] Arrival take_arrival() { return arrivals_.pop_front(); }
    [[nodiscard]] bool has_accepted() const noexcept { return !accepted_.empty(); }
    /// The next TLP with `reports_acceptance` whose last transfer was admitted.
    [[nodiscard]] TlpRef take_accepted() { return accepted_.pop_front(); }

    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    // Times up to `now`, which the last `advance` has reached.
    [[nodiscard]] Picoseconds busy(Picoseconds now) const noexcept { return busy_.total(now); }
    [[nodiscard]] Picoseconds header_credit_stall(Picoseconds now) const { return header_credit_stall_.total(now); }
    [[nodiscard]] Picoseconds data_credit_stall(Picoseconds now) const { return data_credit_stall_.total(now); }
    [[nodiscard]] Picoseconds header_wait(Picoseconds now) const noexcept { return header_wait_.total(now); }
    [[nodiscard]] Picoseconds data_wait(Picoseconds now) const noexcept { return data_wait_.total(now); }

    [[nodiscard]] bool idle() const noexcept { return !on_wire_ && buffer_.empty() && !has_waiting(); }
    /// Of the transmit buffer, in bytes, as of the last `advance`.
    [[nodiscard]] std::uint64_t header_occupancy() const noexcept { return header_used_; }
    [[nodiscard]] std::uint64_t data_occupancy() const noexcept { return data_used_; }
    [[nodiscard]] const CreditLedger& credits() const noexcept { return ledger_; }

private:
    /// Neighbouring transfers of one TLP in the transmit buffer.
    struct Run {
        TlpRef tlp;
        std::uint32_t transfers{0};
    };

    [[nodiscard]] bool has_waiting() const noexcept { return !waiting_reads_.empty() || !waiting_others_.empty(); }
    [[nodiscard]] CreditUnits units(const Tlp& tlp, std::uint32_t first, std::uint32_t last) const noexcept;
    [[nodiscard]] bool fits(CreditUnits room) const noexcept;
    [[nodiscard]] std::uint32_t admissible(const Tlp& tlp, Picoseconds now);
    void admit(Picoseconds now);
    void enter_buffer(const TlpRef& tlp, std::uint32_t transfers, CreditUnits room);
    void finish_trains(Picoseconds now);
    void start_train(Picoseconds now);
    void end_train();
    void step(Picoseconds now);
    void leave_buffer(std::uint32_t transfers);
    [[nodiscard]] Picoseconds next_inner_start() const;

    Parameters parameters_;
    SerializationClock clock_;
    CreditLedger ledger_;
    RingQueue<TlpRef> waiting_reads_;
    RingQueue<TlpRef> waiting_others_;
    std::size_t waiting_reporters_{0};  // of both queues, with `reports_acceptance`
    RingQueue<Run> buffer_;
    std::uint64_t header_used_{0};
    std::uint64_t data_used_{0};
    bool on_wire_{false};
    bool credit_stalled_{false};    // the head of the buffer is refused by the far end
    TlpRef wire_tlp_;               // whose transfers are the train on the link
    std::uint32_t train_first_{0};  // of its transfers
    std::uint32_t train_length_{0};
    std::uint32_t train_started_{0};  // of them, as far as worked out
    RingQueue<Arrival> arrivals_;
    RingQueue<TlpRef> accepted_;
    Counters counters_;
    Stopwatch busy_;
    Stopwatch header_credit_stall_;
    Stopwatch data_credit_stall_;
    Stopwatch header_wait_;
    Stopwatch data_wait_;
};

}  // namespace mrcnic::pcie
