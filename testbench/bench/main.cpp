// Speed of the model beside the least that its grain can cost. `mrcnic_bench --help` tells the calls.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <systemc>

#include "testbench/bench/figures.h"
#include "testbench/bench/measurement.h"
#include "testbench/bench/report.h"

namespace {

using namespace mrcnic::bench;

struct Options {
    std::string only;  // one case, in this process
    std::uint64_t packets{0};
    bool quick{false};
    bool check{false};
    std::string json;
};

constexpr std::uint64_t kQuickPackets = 4'000;
constexpr int kRepetitions = 3;

// What a test can insist on needs one short run: it is the same every time.
CaseResults measure_all(const Options& options)
{
    CaseResults results;
    for (const Case& c : cases()) {
        if (options.quick && (c.name == "star_512" || c.name == "f21")) {
            continue;
        }
        const std::uint64_t packets = options.packets != 0 ? options.packets
                                      : options.quick      ? std::min(kQuickPackets, c.packets)
                                                           : c.packets;
        results[c.name] = measure(c, packets, options.quick ? 1 : kRepetitions);
    }
    return results;
}

int run_one(const Options& options)
{
    const Case& chosen = find_case(options.only);
    const Measurement run = chosen.run(options.packets != 0 ? options.packets : chosen.packets);
    std::cout << "packets " << run.packets << "\nkernel_events " << run.kernel_events << "\nallocations "
              << run.allocations << "\ncpu_ns " << run.cpu_ns << '\n';
    return EXIT_SUCCESS;
}

int run_all(const Options& options)
{
    const CaseResults results = measure_all(options);
    const std::vector<Figure> figures = figures_of(results);
    print_tables(results, figures);
    if (!options.json.empty()) {
        write_json(options.json, results, figures);
    }
    int status = EXIT_SUCCESS;
    for (const Figure& figure : figures) {
        if (options.check && figure.is_exact && !figure.meets_must()) {
            std::cerr << "error: " << figure.name << " is " << figure.value << ", must be at most " << figure.must
                      << '\n';
            status = EXIT_FAILURE;
        }
    }
    return status;
}

}  // namespace

int sc_main(int argc, char** argv)
{
    Options options;
    CLI::App app{"Measures the speed of the model."};
    app.add_option("--case", options.only, "run this case only, in this process, and print its counts");
    app.add_option("--packets", options.packets, "data packets of each run; 0 = as many as suit the case");
    app.add_flag("--quick", options.quick, "few packets, each case once, the smaller cases only: times mean little");
    app.add_flag("--check", options.check, "fail if an exact figure misses its `must`");
    app.add_option("--json", options.json, "write the results to this file too");
    CLI11_PARSE(app, argc, argv);
    try {
        return options.only.empty() ? run_all(options) : run_one(options);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
