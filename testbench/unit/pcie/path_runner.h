#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/pcie/transmit_path.h"

namespace mrcnic::testbench {

inline constexpr BitsPerSecond kSixteenLanes = 504'320'000'000;  // 16 x 31.52 Gbps [PC-1]

/// Defaults of one side of the link [PC-1, PC-8].
inline pcie::TransmitPath::Parameters default_path(BitsPerSecond rate = kSixteenLanes)
{
    pcie::TransmitPath::Parameters parameters;
    parameters.rate = rate;
    parameters.header_buffer = 16'000;
    parameters.data_buffer = 256'000;
    return parameters;
}

/// Something that was told about a TLP: its tag, and when.
struct Told {
    std::uint32_t tag;
    Picoseconds at;
};
inline bool operator==(const Told& a, const Told& b)
{
    return a.tag == b.tag && a.at == b.at;
}
inline std::ostream& operator<<(std::ostream& out, const Told& told)
{
    return out << "TLP " << told.tag << " at " << told.at << " ps";
}

/// Does for a transmit path what its transaction layer does, without a kernel: events, reports, credits.
class PathRunner {
public:
    enum class Receiver {
        takes_at_once,  ///< as in the reference profile: an arrived transfer's credits come back in its instant [PC-9]
        scripted        ///< credits come by `init` and `update` only
    };

    PathRunner(const pcie::TransmitPath::Parameters& parameters, Receiver receiver,
               pcie::CreditUnits buffer = {16'000, 256'000})
        : path{parameters}, receiver_{receiver}, cut_{parameters.cut}, limit_{buffer}
    {
        if (receiver == Receiver::takes_at_once) {
            init(0, buffer);
        }
    }

    /// Offers a TLP with the next tag (1, 2, ...); what was to happen before happens first.
    std::uint32_t submit(Picoseconds at, pcie::TlpKind kind, std::uint32_t payload, bool reports = false)
    {
        run_until(at);
        pcie::TlpRef tlp = pool_.make();
        tlp->tag = ++last_tag_;
        tlp->kind = kind;
        tlp->payload_bytes = payload;
        tlp->reports_acceptance = reports;
        path.submit(at, std::move(tlp));
        after_call(at);
        return last_tag_;
    }
    std::uint32_t submit_write(Picoseconds at, std::uint32_t payload = 4096)
    {
        return submit(at, pcie::TlpKind::memory_write, payload, true);
    }
    std::uint32_t submit_read(Picoseconds at, std::uint32_t request = 64)
    {
        return submit(at, pcie::TlpKind::memory_read, request);
    }
    void init(Picoseconds at, pcie::CreditUnits limit)
    {
        run_until(at);
        path.init_credits(at, limit);
        after_call(at);
    }
    void update(Picoseconds at, pcie::CreditUnits limit)
    {
        run_until(at);
        path.update_credits(at, limit);
        after_call(at);
    }

    /// Events up to and including `until`.
    void run_until(Picoseconds until)
    {
        while (due <= until) {
            const Picoseconds now = std::exchange(due, kNever);
            ++events;
            path.advance(now);
            while (path.has_arrivals()) {
                arrive(now, path.take_arrival());
            }
            after_call(now);
        }
        path.advance(until);
    }
    /// Until nothing moves by itself. @return time of the last event
    Picoseconds run()
    {
        Picoseconds last = 0;
        while (due != kNever) {
            last = due;
            run_until(due);
        }
        return last;
    }

    [[nodiscard]] std::size_t live() const { return pool_.live(); }
    /// When the last transfer of the TLP arrived; kNever if it did not.
    [[nodiscard]] Picoseconds arrival_of(std::uint32_t tag) const { return time_of(tag, arrivals); }
    [[nodiscard]] Picoseconds acceptance_of(std::uint32_t tag) const { return time_of(tag, acceptances); }

    pcie::TransmitPath path;
    std::vector<Told> arrivals;     ///< of whole TLPs, in their order
    std::vector<Told> acceptances;  ///< in their order
    Picoseconds due{kNever};        ///< next event
    std::uint64_t events{0};
    std::uint64_t transfers_arrived{0};

private:
    static Picoseconds time_of(std::uint32_t tag, const std::vector<Told>& list)
    {
        const auto found = std::find_if(list.begin(), list.end(), [tag](const Told& told) { return told.tag == tag; });
        return found == list.end() ? kNever : found->at;
    }
    void arrive(Picoseconds now, const pcie::TransmitPath::Arrival& arrival)
    {
        pcie::Tlp& tlp = *arrival.tlp;
        const std::uint32_t before = tlp.arrived;
        tlp.arrived += arrival.transfers;
        transfers_arrived += arrival.transfers;
        if (tlp.arrived == tlp.transfers) {
            arrivals.push_back({tlp.tag, now});
        }
        if (receiver_ == Receiver::takes_at_once) {
            limit_.header += std::uint64_t{arrival.transfers} * cut_.overhead;
            limit_.data += cut_.bytes_between(tlp.payload_bytes, before, tlp.arrived);
            path.update_credits(now, limit_);
        }
    }
    void after_call(Picoseconds now)
    {
        while (path.has_accepted()) {
            acceptances.push_back({path.take_accepted()->tag, now});
        }
        due = std::min(due, path.next_event());
    }

    Receiver receiver_;
    pcie::TransferCut cut_;
    pcie::CreditUnits limit_;
    pcie::TlpPool pool_;
    std::uint32_t last_tag_{0};
};

}  // namespace mrcnic::testbench
