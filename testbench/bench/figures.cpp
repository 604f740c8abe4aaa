#include "testbench/bench/figures.h"

#include <algorithm>

namespace mrcnic::bench {

namespace {

double ratio(std::uint64_t numerator, std::uint64_t denominator)
{
    return static_cast<double>(numerator) / static_cast<double>(denominator);
}

const CaseResult* find(const CaseResults& results, std::string_view name)
{
    const auto found = results.find(name);
    return found == results.end() ? nullptr : &found->second;
}

constexpr bool kExact = true;
constexpr bool kTime = false;

class Collector {
public:
    explicit Collector(const CaseResults& results) : results_{results} {}

    void kernel_events(std::string_view name, double must, double good, double aim)
    {
        if (const CaseResult* result = find(results_, name)) {
            add("kernel events per data packet", name, ratio(result->run.kernel_events, result->run.packets), must,
                good, aim, kExact);
        }
    }
    void allocations(std::string_view name)
    {
        if (const CaseResult* result = find(results_, name)) {
            add("allocations per data packet", name, result->allocations_per_packet, 0, 0, 0, kExact);
        }
    }
    void time_relative(std::string_view name, std::string_view to, double must, double good, double aim)
    {
        const CaseResult* result = find(results_, name);
        const CaseResult* base = find(results_, to);
        if (result != nullptr && base != nullptr) {
            add("time per data packet relative to " + std::string{to}, name,
                result->ns_per_packet / base->ns_per_packet, must, good, aim, kTime);
        }
    }
    /// The same run with a long silence before it: what is more, happened in the silence.
    void idle_events(std::string_view late, std::string_view at_once)
    {
        const CaseResult* result = find(results_, late);
        const CaseResult* base = find(results_, at_once);
        if (result != nullptr && base != nullptr) {
            const double more =
                static_cast<double>(result->run.kernel_events) - static_cast<double>(base->run.kernel_events);
            add("kernel events while idle", late, more, 0, 0, 0, kExact);
        }
    }
    void memory(std::string_view larger, std::string_view smaller)
    {
        const CaseResult* result = find(results_, larger);
        const CaseResult* base = find(results_, smaller);
        if (result != nullptr && base != nullptr) {
            const std::int64_t bytes = result->run.built_bytes - base->run.built_bytes;
            add("KB of memory of an idle NIC with its host", larger, static_cast<double>(bytes) / 1'000.0, 256, 64, 16,
                kExact);
        }
    }
    [[nodiscard]] std::vector<Figure> take() { return std::move(figures_); }

private:
    void add(const std::string& what, std::string_view name, double value, double must, double good, double aim,
             bool is_exact)
    {
        figures_.push_back({what + ", " + std::string{name}, value, must, good, aim, is_exact});
    }

    const CaseResults& results_;
    std::vector<Figure> figures_;
};

}  // namespace

std::string_view Figure::reached() const noexcept
{
    if (value <= aim) {
        return "aim";
    }
    if (value <= good) {
        return "good";
    }
    return meets_must() ? "must" : "missed";
}

// The goals are the table of the performance sheet.
std::vector<Figure> figures_of(const CaseResults& results)
{
    Collector collector{results};
    collector.kernel_events("pair", 10, 8, 6);
    collector.kernel_events("one_way", 10, 8, 6);
    collector.kernel_events("pair_no_trains", 30, 25, 21);
    collector.kernel_events("one_way_no_trains", 30, 25, 21);
    for (const std::string_view name : {"pair", "pair_no_trains", "one_way", "incast_8", "star_64"}) {
        collector.allocations(name);
    }
    collector.idle_events("late_start", "start_at_once");
    collector.memory("star_65", "star_64");
    collector.time_relative("pair", "f6", 3.0, 2.2, 1.6);
    collector.time_relative("one_way", "f6", 3.0, 2.2, 1.6);
    collector.time_relative("incast_8", "pair", 1.6, 1.3, 1.15);
    collector.time_relative("star_512", "star_2", 2.0, 1.5, 1.25);
    return collector.take();
}

CaseResult summarize(const Case& which, std::vector<Measurement> runs, const Measurement& longer)
{
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end(),
                     [](const Measurement& a, const Measurement& b) { return a.cpu_ns < b.cpu_ns; });
    CaseResult result;
    result.which = &which;
    result.run = *middle;
    result.ns_per_packet = ratio(result.run.cpu_ns, result.run.packets);
    if (longer.packets > result.run.packets) {
        const auto more = static_cast<double>(longer.allocations) - static_cast<double>(result.run.allocations);
        result.allocations_per_packet = more / static_cast<double>(longer.packets - result.run.packets);
    }
    return result;
}

}  // namespace mrcnic::bench
