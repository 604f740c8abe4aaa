#pragma once

#include <algorithm>
#include <cstdint>

namespace mrcnic::transport {

/// Count, sum and extremes of samples [RC-62]; all 0 while there is none.
struct SampleSummary {
    std::uint64_t count{0};
    double sum{0};
    double minimum{0};
    double maximum{0};

    void add(double sample) noexcept
    {
        minimum = count == 0 ? sample : std::min(minimum, sample);
        maximum = count == 0 ? sample : std::max(maximum, sample);
        sum += sample;
        ++count;
    }
    [[nodiscard]] double mean() const noexcept { return count == 0 ? 0.0 : sum / static_cast<double>(count); }
};

/// Samples since the start and since the last row of a record [RC-19].
class SampleSeries {
public:
    void add(double sample) noexcept
    {
        total_.add(sample);
        interval_.add(sample);
    }
    [[nodiscard]] const SampleSummary& total() const noexcept { return total_; }
    [[nodiscard]] const SampleSummary& interval() const noexcept { return interval_; }
    void start_interval() noexcept { interval_ = {}; }

private:
    SampleSummary total_;
    SampleSummary interval_;
};

/// What mrc-transport-stats samples [RC-60.57 .. RC-60.79]: bytes, and times in ps.
struct TransportSamples {
    SampleSeries receiver_penalty;   ///< of each SACK that gives an RTT sample, 0..127
    SampleSeries congestion_window;  ///< at each first transmission of a data packet
    SampleSeries average_delay;      ///< average queueing delay after each SACK that gives a sample
    SampleSeries rtt;                ///< each RTT sample of a data SACK
    SampleSeries bytes_in_flight;    ///< F of CC-20 at each first transmission
    SampleSeries out_of_order;       ///< packets that a queue pair holds out of order, at each one that comes so
    SampleSeries transmissions;      ///< of a packet, at each hand-off
};

}  // namespace mrcnic::transport
