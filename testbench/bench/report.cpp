#include "testbench/bench/report.h"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mrcnic::bench {

namespace {

double per_packet(const Measurement& run, std::uint64_t count)
{
    return static_cast<double>(count) / static_cast<double>(run.packets);
}

}  // namespace

void print_tables(const CaseResults& results, const std::vector<Figure>& figures)
{
    fmt::print("{:<18} {:>8} {:>10} {:>12} {:>14} {:>12} {:>14}\n", "case", "packets", "ns/packet", "packets/CPU s",
               "events/packet", "entries", "allocs/packet");
    for (const Case& c : cases()) {
        const auto found = results.find(c.name);
        if (found == results.end()) {
            continue;
        }
        const CaseResult& result = found->second;
        fmt::print("{:<18} {:>8} {:>10.0f} {:>12.0f} {:>14.2f} {:>12.2f} {:>14.4f}  {}\n", c.name, result.run.packets,
                   result.ns_per_packet, 1e9 / result.ns_per_packet, per_packet(result.run, result.run.kernel_events),
                   per_packet(result.run, result.run.entries), result.allocations_per_packet, c.description);
    }
    fmt::print("\n{:<66} {:>9} {:>7} {:>7} {:>7}  {}\n", "figure", "value", "must", "good", "aim", "reached");
    for (const Figure& figure : figures) {
        fmt::print("{:<66} {:>9.2f} {:>7g} {:>7g} {:>7g}  {}\n", figure.name, figure.value, figure.must, figure.good,
                   figure.aim, figure.reached());
    }
}

void write_json(const std::string& file, const CaseResults& results, const std::vector<Figure>& figures)
{
    nlohmann::ordered_json document;
    for (const auto& [name, result] : results) {
        document["cases"][std::string{name}] = {
            {"packets", result.run.packets},
            {"ns_per_packet", result.ns_per_packet},
            {"kernel_events_per_packet", per_packet(result.run, result.run.kernel_events)},
            {"entries_per_packet", per_packet(result.run, result.run.entries)},
            {"allocations_per_packet", result.allocations_per_packet},
            {"built_bytes", result.run.built_bytes}};
    }
    for (const Figure& figure : figures) {
        document["figures"].push_back({{"name", figure.name},
                                       {"value", figure.value},
                                       {"must", figure.must},
                                       {"good", figure.good},
                                       {"aim", figure.aim},
                                       {"reached", figure.reached()}});
    }
    std::ofstream out{file};
    out << document.dump(2) << '\n';
    out.close();
    if (!out) {
        throw std::runtime_error{"cannot write " + file};
    }
}

}  // namespace mrcnic::bench
