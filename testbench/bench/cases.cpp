#include <ctime>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <stdlib.h>
#include <systemc>

#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/registry.h"
#include "mrcnic/platforms/run_records.h"
#include "testbench/bench/allocations.h"
#include "testbench/bench/measurement.h"
#include "testbench/bench/skeleton.h"

namespace mrcnic::bench {

namespace {

constexpr std::uint64_t kMss = 4'096;  // payload of a full packet

std::uint64_t cpu_ns()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Runs the kernel to its end: what it costs, without building and taking down. `start_run` is called when
/// all is built.
Measurement run_kernel(const std::function<void()>& start_run = [] {})
{
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration
    start_run();
    Measurement measurement;
    const Allocations before = allocations();
    measurement.built_bytes = before.live_bytes;
    const std::uint64_t start = cpu_ns();
    sc_core::sc_start();
    measurement.cpu_ns = cpu_ns() - start;
    measurement.allocations = allocations().calls - before.calls;
    return measurement;
}

Measurement run_skeleton(Skeleton::Grain grain, std::uint64_t packets)
{
    const Skeleton skeleton{"skeleton", grain, packets};
    Measurement measurement = run_kernel();
    measurement.packets = skeleton.acknowledged();
    measurement.kernel_events = skeleton.events();
    measurement.entries = measurement.kernel_events;
    return measurement;
}

/// A folder for a workload file, gone with this.
class ScratchFolder {
public:
    ScratchFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "mrcnic_bench_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error{"no folder could be made in " + name};
        }
        path_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// A connection matrix in the making, one message a line.
class Matrix {
public:
    void add(std::uint32_t source, std::uint32_t destination, std::uint64_t packets)
    {
        lines_ +=
            fmt::format("{}->{} start 0 size {}\n", source, destination, std::max<std::uint64_t>(packets, 1) * kMss);
        ++connections_;
    }
    void write(const std::filesystem::path& file, std::uint32_t nics) const
    {
        std::ofstream{file} << fmt::format("Nodes {}\nConnections {}\n", nics, connections_) << lines_;
    }

private:
    std::string lines_;
    std::uint32_t connections_{0};
};

Measurement run_platform(config::Config config, const Matrix& matrix)
{
    const ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "messages.cm";
    matrix.write(file, config.nic_count());
    config::set(config, "workload.File", file.string());
    const auto platform = platforms::make_platform(config);
    platforms::RunRecords records{*platform, folder.path() / "records", {}};
    platform->on_end([] { sc_core::sc_stop(); });
    Measurement measurement = run_kernel([&platform] { platform->agenda().run_ahead(true); });  // as `mrcnic run` does
    platform->kernel_has_ended();
    records.finish(0, 0);
    if (platform->outcome() != platforms::Outcome::completed) {
        throw std::runtime_error{"the messages did not all complete"};
    }
    for (std::size_t i = 0; i < platform->node_count(); ++i) {
        measurement.packets += platform->node(i).nic.transport().sender().counters().data_sent;
    }
    // Without running ahead each instant is an activation: that is what a change of the model must not make more of.
    measurement.kernel_events = platform->agenda().instants();
    measurement.entries = platform->agenda().entries_done();
    return measurement;
}

enum class Trains { on, off };

config::Config pair_of(Trains trains)
{
    config::Config config = config::default_config("pair");
    config::set(config, "nic.HostInterface.TransferTrains", trains == Trains::on ? "true" : "false");
    return config;
}

Measurement run_pair(std::uint64_t packets, Trains trains)
{
    Matrix matrix;
    matrix.add(0, 1, packets / 2);
    matrix.add(1, 0, packets / 2);
    return run_platform(pair_of(trains), matrix);
}

Measurement run_one_way(std::uint64_t packets, Trains trains)
{
    Matrix matrix;
    matrix.add(0, 1, packets);
    return run_platform(pair_of(trains), matrix);
}

/// Without records, whose rows are events in a silence.
Measurement run_start_at(const char* time)
{
    config::Config config = pair_of(Trains::on);
    config::set(config, "simulation.EnableNetDeviceStatLogging", "false");
    config::set(config, "workload.StartTime", time);
    Matrix matrix;
    matrix.add(0, 1, 1);
    return run_platform(config, matrix);
}

config::Config star_of(std::uint32_t nics)
{
    config::Config config = config::default_config("star");
    config::set(config, "fabric.Nics", std::to_string(nics));
    return config;
}

/// Every NIC sends a message to the next.
template <std::uint32_t Nics>
Measurement run_star(std::uint64_t packets)
{
    Matrix matrix;
    for (std::uint32_t i = 0; i < Nics; ++i) {
        matrix.add(i, (i + 1) % Nics, packets / Nics);
    }
    return run_platform(star_of(Nics), matrix);
}

Measurement run_incast(std::uint64_t packets)
{
    constexpr std::uint32_t senders = 8;
    Matrix matrix;
    for (std::uint32_t i = 0; i < senders; ++i) {
        matrix.add(i, senders, packets / senders);
    }
    config::Config config = star_of(senders + 1);
    // Eight start windows are more than the default limit: losses would make this another case.
    config::set(config, "switch.QueueDropThreshold", "100");
    return run_platform(std::move(config), matrix);
}

constexpr std::uint64_t kMany = 40'000;
constexpr std::array<Case, kCaseCount> kCases{{
    {"f6", "skeleton with an event per stage", 5 * kMany,
     [](std::uint64_t packets) { return run_skeleton(Skeleton::Grain::stage, packets); }},
    {"f21", "skeleton with an event per PCIe transfer", 2 * kMany,
     [](std::uint64_t packets) { return run_skeleton(Skeleton::Grain::transfer, packets); }},
    {"pair", "two NICs, a message each way", kMany,
     [](std::uint64_t packets) { return run_pair(packets, Trains::on); }},
    {"pair_no_trains", "the same, every transfer an event", kMany,
     [](std::uint64_t packets) { return run_pair(packets, Trains::off); }},
    {"one_way", "two NICs, one message", kMany, [](std::uint64_t packets) { return run_one_way(packets, Trains::on); }},
    {"one_way_no_trains", "the same, every transfer an event", kMany,
     [](std::uint64_t packets) { return run_one_way(packets, Trains::off); }},
    {"incast_8", "eight NICs send to a ninth, none lost", 2 * kMany, run_incast},
    {"star_2", "two NICs on a switch, each sends to the next", kMany, run_star<2>},
    {"star_64", "64 NICs on a switch, each sends to the next", 2 * kMany, run_star<64>},
    {"star_65", "65 NICs on a switch, each sends to the next", kMany, run_star<65>},
    {"star_512", "512 NICs on a switch, each sends to the next", 4 * kMany, run_star<512>},
    {"start_at_once", "one packet, at once, no records", 1, [](std::uint64_t) { return run_start_at("0s"); }},
    {"late_start", "one packet after 10 ms, no records", 1, [](std::uint64_t) { return run_start_at("10ms"); }},
}};

}  // namespace

const std::array<Case, kCaseCount>& cases()
{
    return kCases;
}

const Case& find_case(std::string_view name)
{
    const auto found = std::find_if(kCases.begin(), kCases.end(), [name](const Case& c) { return c.name == name; });
    if (found == kCases.end()) {
        std::string names;
        for (const Case& c : kCases) {
            names += fmt::format(" {}", c.name);
        }
        throw std::invalid_argument{fmt::format("there is no case {}; allowed:{}", name, names)};
    }
    return *found;
}

}  // namespace mrcnic::bench
