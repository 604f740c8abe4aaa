#include "mrcnic/transport/nscc.h"

#include <algorithm>

// Expressions stand as the facts print them: a value does not depend on how one could also have written it.

namespace mrcnic::transport {
namespace {

constexpr Picoseconds kBaseMargin = 1'000'000;     // [CC-15]
constexpr double kFullPacketsToAdjust = 8.0;       // [CC-32]
constexpr double kFullPenalty = 127.0;             // [CC-26]
constexpr double kSpecTargetShareTrimming = 0.75;  // [CC-5]
constexpr double kMaxWindowInBdp = 1.5;            // [CC-17]

double bytes_in(double rate, Picoseconds time) noexcept
{
    return rate * static_cast<double>(time) / 8.0 / static_cast<double>(kPicosecondsPerSecond);
}

double target_delay(const config::CongestionControlConfig& config, bool trimming) noexcept
{
    if (config.override_spec_target_queue_delay) {
        return static_cast<double>(config.target_queue_delay);
    }
    const auto rtt = static_cast<double>(config.initial_base_rtt);
    return trimming ? kSpecTargetShareTrimming * rtt : rtt;
}

/// Whether more than `span` has passed since `last`, which may never have been.
bool is_longer_ago(std::optional<Picoseconds> last, Picoseconds span, Picoseconds now) noexcept
{
    return !last || now - *last > span;
}

}  // namespace

Nscc::Nscc(const config::CongestionControlConfig& config, BitsPerSecond rate, std::uint32_t mss,
           std::uint32_t full_nominal, bool trimming, Picoseconds created)
    : config_{config},
      rate_{static_cast<double>(rate)},
      full_nominal_{static_cast<double>(full_nominal)},
      target_{target_delay(config, trimming)},
      gains_{gains(rate_, mss)},
      trimming_{trimming},
      base_rtt_{config.initial_base_rtt},
      reference_rtt_{config.initial_base_rtt},
      max_window_{config.override_max_congestion_window
                      ? static_cast<double>(config.max_congestion_window) * full_nominal_
                      : max_window_at(config.initial_base_rtt)},
      window_{max_window_},
      last_adjust_{created}
{
    keep_in_bounds();
}

// [CC-18]
Nscc::Gains Nscc::gains(double rate, std::uint32_t mss) const noexcept
{
    const double a = bytes_in(rate, config_.initial_base_rtt) /
                     bytes_in(static_cast<double>(config_.reference_network_link_speed), config_.reference_network_rtt);
    const double b = target_ / static_cast<double>(config_.reference_network_rtt);
    const auto segment = static_cast<double>(mss);
    return {config_.alpha_multiplier * segment * a * b / target_, config_.fair_increase_multiplier * segment * a,
            config_.eta_multiplier * segment * a};
}

double Nscc::max_window_at(Picoseconds rtt) const noexcept
{
    return bytes_in(kMaxWindowInBdp * rate_, rtt);
}

void Nscc::on_sack(const Sack& sack)
{
    if (!config_.nscc_enable) {
        return;
    }
    const auto bytes = static_cast<double>(sack.newly_retired);
    count_acknowledged(bytes);
    follow_receiver(sack, bytes);
    if (!sack.rtt) {
        return;  // [CC-27]
    }
    const double delay = sample_delay(*sack.rtt);
    if (quick_adapt(sack.now, sack.in_flight, sack.marked)) {
        return;  // [CC-28]
    }
    const bool may_increase = sack.penalty == 0;  // [CC-26]
    if (sack.marked) {
        decrease(sack.now, delay);
    } else if (may_increase) {
        gather_increase(bytes, delay);
    }
    keep_in_bounds();
    if (may_increase) {
        apply_increase(sack.now);
        keep_in_bounds();
    }
}

void Nscc::on_trim(const TrimNack& nack)
{
    if (!config_.nscc_enable) {
        return;
    }
    if (nack.rtt) {
        lower_base(*nack.rtt);
    }
    // The packet itself was not queued where it was trimmed; its delay stands for one base RTT.
    average_in(static_cast<double>(config_.initial_base_rtt));
    ignored_ += static_cast<double>(nack.nominal);
    trimmed_ = true;
    if (!quick_adapt(nack.now, nack.in_flight, true)) {
        cut(nack.nominal);
    }
}

void Nscc::on_timeout(std::uint32_t nominal)
{
    if (config_.nscc_enable) {
        cut(nominal);
    }
}

// A burst of drops is one event: the first of them cuts.
void Nscc::on_gap_loss(Picoseconds now, std::uint32_t nominal)
{
    if (config_.nscc_enable && is_longer_ago(last_gap_cut_, base_rtt_, now)) {
        cut(nominal);
        last_gap_cut_ = now;
    }
}

void Nscc::on_probe_rtt(Picoseconds rtt)
{
    if (config_.nscc_enable) {
        lower_base(rtt);
    }
}

// [CC-25]
void Nscc::count_acknowledged(double bytes) noexcept
{
    achieved_ += bytes;
    received_since_adjust_ += bytes;
    if (is_ignoring()) {
        ignored_ += bytes;
    }
}

// [CC-26]
void Nscc::follow_receiver(const Sack& sack, double bytes) noexcept
{
    if (sack.penalty > 0) {
        if (!window_before_penalty_) {
            window_before_penalty_ = window_;
        }
        const double share = bytes * static_cast<double>(sack.penalty) / kFullPenalty;
        window_ = std::min(window_, static_cast<double>(sack.in_flight)) - share;
        keep_in_bounds();
    } else if (sack.restore && window_before_penalty_) {
        window_ = *window_before_penalty_;
        window_before_penalty_.reset();
        keep_in_bounds();
    }
}

// [CC-15] Target and gains do not follow.
void Nscc::lower_base(Picoseconds rtt) noexcept
{
    if (rtt < base_rtt_ - kBaseMargin) {
        base_rtt_ = rtt + kBaseMargin;
        reference_rtt_ = rtt;
        max_window_ = max_window_at(base_rtt_);
        keep_in_bounds();
    }
}

// [CC-16]
double Nscc::sample_delay(Picoseconds rtt) noexcept
{
    lower_base(rtt);
    const auto delay = static_cast<double>(std::max<Picoseconds>(0, rtt - reference_rtt_));
    average_in(delay);
    return delay;
}

void Nscc::average_in(double delay) noexcept
{
    average_delay_ = config_.delay_alpha * delay + (1.0 - config_.delay_alpha) * average_delay_;
}

// [CC-35] True if it fired or ignores: nothing else is to be done then.
bool Nscc::quick_adapt(Picoseconds now, std::uint64_t in_flight, bool congested) noexcept
{
    if (config_.disable_quick_adapt) {
        return false;
    }
    if (is_ignoring() && congested) {
        drop_increase();
        return true;
    }
    if (observes(now)) {
        return false;
    }
    const bool fires = observed_from_ && is_starved();
    if (fires) {
        collapse(in_flight);
    }
    achieved_ = 0;
    observed_from_ = now;
    observed_for_ = static_cast<double>(base_rtt_) + target_;
    return fires;
}

bool Nscc::observes(Picoseconds now) const noexcept
{
    return observed_from_ && static_cast<double>(now - *observed_from_) <= observed_for_;
}

// [CC-35, CC-36] A trigger stands, and far less than the window arrived.
bool Nscc::is_starved() const noexcept
{
    const bool triggered =
        trimmed_ || (!trimming_ && average_delay_ > static_cast<double>(config_.quick_adapt_threshold));
    return triggered && achieved_ < max_window_ / static_cast<double>(std::uint64_t{1} << config_.quick_adapt_gate);
}

void Nscc::collapse(std::uint64_t in_flight) noexcept
{
    window_ = achieved_;
    keep_in_bounds();
    to_ignore_ = static_cast<double>(in_flight);
    ignored_ = 0;
    trimmed_ = false;
    drop_increase();
    ++quick_adapts_;
}

// [CC-29, CC-30]
void Nscc::gather_increase(double bytes, double delay) noexcept
{
    if (delay >= target_) {
        gathered_increase_ += gains_.fair * bytes;
    } else if (!increase_fast(bytes, delay)) {
        gathered_increase_ += gains_.proportional * bytes * (target_ - delay);
    }
}

// [CC-30] Whether it acted.
bool Nscc::increase_fast(double bytes, double delay) noexcept
{
    if (delay >= static_cast<double>(config_.target_queue_delay_margin)) {
        undelayed_ = 0;
        fast_ = false;
        return false;
    }
    undelayed_ += bytes;
    fast_ = fast_ || undelayed_ > window_;
    if (fast_) {
        window_ += config_.fast_increase_multiplier * bytes;
    }
    return fast_;
}

// [CC-31]
void Nscc::decrease(Picoseconds now, double delay) noexcept
{
    if (delay < target_) {
        return;
    }
    fast_ = false;
    undelayed_ = 0;
    if (average_delay_ > target_ && is_longer_ago(last_decrease_, base_rtt_, now)) {
        window_ *= std::max(1.0 - config_.gamma * (average_delay_ - target_) / average_delay_,
                            config_.max_multiplicative_decrease_jump);
        last_decrease_ = now;
    }
}

// [CC-32]
void Nscc::apply_increase(Picoseconds now) noexcept
{
    const Picoseconds passed = now - last_adjust_;
    if (received_since_adjust_ <= kFullPacketsToAdjust * full_nominal_ && passed <= config_.initial_base_rtt) {
        return;
    }
    window_ += gathered_increase_ / window_;
    if (passed >= config_.initial_base_rtt) {
        window_ += gains_.eta;
        last_adjust_ = now;
    }
    drop_increase();
}

void Nscc::drop_increase() noexcept
{
    gathered_increase_ = 0;
    received_since_adjust_ = 0;
}

void Nscc::cut(std::uint32_t nominal) noexcept
{
    window_ -= static_cast<double>(nominal);
    keep_in_bounds();
}

// [CC-17] Where the bounds cross, the lower one wins.
void Nscc::keep_in_bounds() noexcept
{
    window_ = std::max(std::min(window_, max_window_), full_nominal_);
}

}  // namespace mrcnic::transport
