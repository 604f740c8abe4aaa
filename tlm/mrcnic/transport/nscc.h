#pragma once

#include <cstdint>
#include <optional>

#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"

namespace mrcnic::transport {

/// NSCC, the congestion control of one destination: what its window becomes with each acknowledgement and loss
/// [CC-1 .. CC-42]. Knows no kernel, counts no flight and enforces nothing: that is the gate's.
///
/// Bytes are nominal ones [CC-12], times picoseconds. Calls come in order of time. With `NSCCEnable` false they change
/// nothing: the window stays at its start value [CC-1].
class Nscc {
public:
    /// A SACK for data, its packets retired already.
    struct Sack {
        Picoseconds now{0};
        std::uint64_t newly_retired{0};  ///< k: bytes this SACK retired
        std::uint64_t in_flight{0};      ///< F: bytes in flight after that
        std::optional<Picoseconds> rtt;  ///< its sample, if it gives one [CC-13]; none for a probe's SACK [MP-23]
        bool marked{false};              ///< the packet that drew it arrived CE
        std::uint8_t penalty{0};         ///< of the receiver, 0 .. 127 [CC-43]
        bool restore{false};             ///< the receiver's restore flag
    };

    /// A NACK for a trimmed packet that was in flight, which has been taken off [TR-81].
    struct TrimNack {
        Picoseconds now{0};
        std::uint32_t nominal{0};        ///< n: bytes of the packet
        std::uint64_t in_flight{0};      ///< F: bytes in flight without it
        std::optional<Picoseconds> rtt;  ///< its sample, if it gives one [CC-13]
    };

    /// @param config        must outlive this
    /// @param rate          the lower rate of the NIC's link ends, bit/s, at least 1 [CC-17]
    /// @param mss           payload of a full packet, the unit of the gains [CC-18]
    /// @param full_nominal  nominal bytes of a full packet, the lower bound of the window [CC-17]
    /// @param trimming      `TrimmingEnabled` of the NIC [CC-5, CC-36]
    /// @param created       now, from where the first adjustment counts [CC-32]
    Nscc(const config::CongestionControlConfig& config, BitsPerSecond rate, std::uint32_t mss,
         std::uint32_t full_nominal, bool trimming, Picoseconds created);

    void on_sack(const Sack& sack);      // [CC-25 .. CC-32]
    void on_trim(const TrimNack& nack);  // [CC-40]
    /// The timer of a packet of `nominal` bytes in flight has expired [CC-41].
    void on_timeout(std::uint32_t nominal);
    /// A packet of `nominal` bytes in flight was found lost by a SACK gap [CC-42].
    void on_gap_loss(Picoseconds now, std::uint32_t nominal);
    /// The sample of a probe, which only the base RTT sees [MP-24].
    void on_probe_rtt(Picoseconds rtt);

    /// Bytes that may be in flight.
    [[nodiscard]] double window() const noexcept { return window_; }
    /// Its upper bound, unless a full packet is more [CC-15, CC-17].
    [[nodiscard]] double max_window() const noexcept { return max_window_; }
    /// Average queueing delay A, ps [CC-16].
    [[nodiscard]] double average_delay() const noexcept { return average_delay_; }
    /// Queueing delay aimed at, ps [CC-5].
    [[nodiscard]] double target() const noexcept { return target_; }
    /// B of CC-15.
    [[nodiscard]] Picoseconds base_rtt() const noexcept { return base_rtt_; }
    /// Increase gathered and not yet in the window, bytes x bytes: divided by the window it is bytes [CC-29, CC-32].
    [[nodiscard]] double gathered_increase() const noexcept { return gathered_increase_; }
    /// Fast increase is engaged [CC-30].
    [[nodiscard]] bool is_fast() const noexcept { return fast_; }
    /// Firings of Quick Adapt [CC-35].
    [[nodiscard]] std::uint64_t quick_adapts() const noexcept { return quick_adapts_; }

private:
    struct Gains {
        double proportional;  // alpha, bytes/ps
        double fair;          // fi, bytes
        double eta;           // bytes
    };
    [[nodiscard]] Gains gains(double rate, std::uint32_t mss) const noexcept;
    [[nodiscard]] double max_window_at(Picoseconds rtt) const noexcept;

    void count_acknowledged(double bytes) noexcept;
    void follow_receiver(const Sack& sack, double bytes) noexcept;
    void lower_base(Picoseconds rtt) noexcept;
    [[nodiscard]] double sample_delay(Picoseconds rtt) noexcept;
    void average_in(double delay) noexcept;

    [[nodiscard]] bool quick_adapt(Picoseconds now, std::uint64_t in_flight, bool congested) noexcept;
    [[nodiscard]] bool is_ignoring() const noexcept { return ignored_ < to_ignore_; }
    [[nodiscard]] bool observes(Picoseconds now) const noexcept;
    [[nodiscard]] bool is_starved() const noexcept;
    void collapse(std::uint64_t in_flight) noexcept;

    void gather_increase(double bytes, double delay) noexcept;
    [[nodiscard]] bool increase_fast(double bytes, double delay) noexcept;
    void decrease(Picoseconds now, double delay) noexcept;
    void apply_increase(Picoseconds now) noexcept;
    void drop_increase() noexcept;
    void cut(std::uint32_t nominal) noexcept;
    void keep_in_bounds() noexcept;

    const config::CongestionControlConfig& config_;
    double rate_;
    double full_nominal_;
    double target_;
    Gains gains_;
    bool trimming_;

    Picoseconds base_rtt_;       // B, the bound for a lower one
    Picoseconds reference_rtt_;  // R, from where delay counts
    double max_window_;
    double window_;
    double average_delay_{0};

    double gathered_increase_{0};
    double received_since_adjust_{0};
    Picoseconds last_adjust_;
    double undelayed_{0};  // bytes acknowledged below the margin in a row, "count"
    bool fast_{false};
    std::optional<Picoseconds> last_decrease_;
    std::optional<Picoseconds> last_gap_cut_;

    std::optional<Picoseconds> observed_from_;  // Quick Adapt's observation window
    double observed_for_{0};
    double achieved_{0};  // bytes acknowledged in it
    double to_ignore_{0};
    double ignored_{0};
    bool trimmed_{false};  // since the last firing
    std::uint64_t quick_adapts_{0};

    std::optional<double> window_before_penalty_;
};

}  // namespace mrcnic::transport
