// Speed of the model beside the least that its grain can cost. `mrcnic_bench --help` tells the calls.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
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

constexpr int kRepetitions = 3;

/// What the exact figures need.
[[nodiscard]] bool is_quick(const Case& c)
{
    return c.name != "f6" && c.name != "f21" && c.name != "star_2" && c.name != "star_512";
}

// Round by round, not case by case: what disturbs the machine for a while then disturbs all cases.
CaseResults measure_all(const Options& options)
{
    std::map<const Case*, std::vector<Measurement>> runs;
    const auto packets_of = [&options](const Case& c) { return options.packets != 0 ? options.packets : c.packets; };
    for (int round = 0; round < (options.quick ? 1 : kRepetitions); ++round) {
        for (const Case& c : cases()) {
            if (!options.quick || is_quick(c)) {
                runs[&c].push_back(run_in_child(c, packets_of(c)));
            }
        }
    }
    CaseResults results;
    for (const auto& [which, measurements] : runs) {
        results[which->name] = summarize(*which, measurements, run_in_child(*which, 2 * packets_of(*which)));
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
    app.add_flag("--quick", options.quick, "each case once, and only those of the exact figures: times mean little");
    app.add_flag("--check", options.check, "fail if an exact figure misses its `must`");
    app.add_option("--json", options.json, "write the results to this file too");
    CLI11_PARSE(app, argc, argv);
    // sc_stop() tells people of itself; here it ends every run.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    try {
        return options.only.empty() ? run_all(options) : run_one(options);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
