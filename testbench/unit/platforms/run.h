#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/fabric.h"
#include "mrcnic/platforms/platform.h"
#include "mrcnic/platforms/registry.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

// Runs of whole platforms, several in one kernel where a test compares them.

namespace mrcnic::testbench {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A configuration with every protocol checker in place, as all tests of platforms want it.
[[nodiscard]] inline config::Config configuration(std::string_view platform, const Settings& settings = {})
{
    config::Config config = config::default_config(platform);
    config::set(config, "simulation.ProtocolCheckers", "true");
    for (const auto& [path, value] : settings) {
        config::set(config, path, value);
    }
    return config;
}

/// Path of one of the project's own workload files.
[[nodiscard]] inline std::string workload_file(const std::string& name)
{
    return std::string{MRCNIC_SOURCE_DIR} + "/testbench/data/" + name;
}

/// Writes a workload into `folder`. @return its path
[[nodiscard]] inline std::string write_workload(const TemporaryFolder& folder, const std::string& name,
                                                const std::string& text)
{
    const std::filesystem::path path = folder.path() / name;
    std::ofstream{path} << text;
    return path.string();
}

/// What a run came to: every statistic by its place, every time of every message, in words.
using Results = std::map<std::string, std::string>;

inline void add_statistics(Results& results, const std::string& place, const StatisticGroup& group)
{
    for (const Statistic& statistic : group.statistics()) {
        std::visit(
            [&](auto value) { results[place + '.' + group.name() + '.' + statistic.name] = std::to_string(value); },
            statistic.read());
    }
}

[[nodiscard]] inline Results results_of(const platforms::Platform& platform)
{
    Results results;
    results["end_time"] = std::to_string(platform.end_time());
    for (std::size_t i = 0; i < platform.node_count(); ++i) {
        const platforms::Node& node = platform.node(i);
        const nic::Nic& nic = node.nic;
        const std::string place = "node_" + std::to_string(i);
        for (const StatisticGroup* group :
             {&nic.egress_buffer().statistics(), &nic.ingress_buffer().statistics(), &nic.network_port().statistics(),
              &nic.transmit_scheduler().statistics(), &nic.transport().statistics(),
              &nic.transaction_layer().statistics(), &node.root_port.transaction_layer().statistics(),
              &node.root_port.root_complex().statistics()}) {
            add_statistics(results, place, *group);
        }
        const transport::RttSamples& rtt = nic.transport().sender().rtt();
        results[place + ".rtt"] = std::to_string(rtt.count) + ' ' + std::to_string(rtt.sum) + ' ' +
                                  std::to_string(rtt.minimum) + ' ' + std::to_string(rtt.maximum);
    }
    for (const record::PortSource& port : platform.ports()) {
        const std::string place = port.component_name + '.' + std::to_string(port.ifid);
        results[place + ".tx_drops"] = std::to_string(port.tx_drops());
        results[place + ".rx_drops"] = std::to_string(port.rx_drops());
    }
    if (const workload::Director* director = platform.director()) {
        for (std::size_t i = 0; i < director->records().size(); ++i) {
            const workload::MessageRecord& record = director->records()[i];
            const std::string place = "message_" + std::to_string(director->workload().messages[i].id);
            results[place + ".posted"] = std::to_string(record.posted);
            results[place + ".send"] = std::to_string(record.send_complete);
            results[place + ".wqe"] = std::to_string(record.wqe_complete);
            results[place + ".recv"] = std::to_string(record.recv_complete);
        }
    }
    return results;
}

/// A platform inside a module of the test, so that several stand in one kernel.
class PlatformRun : public sc_core::sc_module {
public:
    using Maker = std::function<std::unique_ptr<platforms::Platform>()>;

    PlatformRun(const sc_core::sc_module_name& name, const Maker& make) : sc_module{name}, platform_{make()} {}
    PlatformRun(const sc_core::sc_module_name& name, const config::Config& config)
        : PlatformRun{name, [&config] { return platforms::make_platform(config); }}
    {
    }

    [[nodiscard]] platforms::Platform& platform() noexcept { return *platform_; }
    [[nodiscard]] Script& script() noexcept { return script_; }
    [[nodiscard]] platforms::Node& node(std::size_t i) noexcept { return platform_->node(i); }
    [[nodiscard]] platforms::Fabric& fabric() { return dynamic_cast<platforms::Fabric&>(*platform_); }
    [[nodiscard]] const net::Switch& network_switch(std::size_t id = 0) const
    {
        return dynamic_cast<const platforms::Fabric&>(*platform_).network_switch(id);
    }

    void ended() { results_ = results_of(*platform_); }
    /// As they were when the run ended.
    [[nodiscard]] const Results& results() const noexcept { return results_; }
    [[nodiscard]] std::uint64_t number(const std::string& place) const
    {
        const auto found = results_.find(place);
        if (found == results_.end()) {
            ADD_FAILURE() << "there is no result " << place;
            return 0;
        }
        return std::stoull(found->second);
    }

private:
    std::unique_ptr<platforms::Platform> platform_;
    Script script_{platform_->agenda()};
    Results results_;
};

/// Runs the kernel until all runs have ended.
inline void run_all(std::initializer_list<PlatformRun*> runs)
{
    std::size_t left = runs.size();
    for (PlatformRun* run : runs) {
        run->platform().on_end([&left, run] {
            run->ended();
            if (--left == 0) {
                sc_core::sc_stop();
            }
        });
    }
    run_to_end([&left] { return left == 0; });
    for (PlatformRun* run : runs) {
        run->platform().on_end([] {});
        run->platform().kernel_has_ended();
    }
}

/// What holds for every run whose messages are done: nothing is held anywhere, nothing was lost that nobody counted,
/// the egress side dropped nothing [EG-3, PL-3].
inline void expect_complete(PlatformRun& run)
{
    EXPECT_EQ(run.platform().outcome(), platforms::Outcome::completed);
    EXPECT_EQ(run.platform().live_frames(), 0U);
    for (std::size_t i = 0; i < run.platform().node_count(); ++i) {
        const nic::Nic& nic = run.node(i).nic;
        for (const auto traffic_class : {packet::TrafficClass::data, packet::TrafficClass::control}) {
            for (const nic::BytePool* pool :
                 {&nic.egress_buffer().pool(traffic_class), &nic.ingress_buffer().pool(traffic_class)}) {
                EXPECT_EQ(pool->occupancy(), 0U);
                EXPECT_EQ(pool->bytes_in(), pool->bytes_out());
                EXPECT_LE(pool->peak(), pool->size());
            }
        }
        const transport::SenderCounters& sent = nic.transport().sender().counters();
        EXPECT_EQ(nic.egress_buffer().pool(packet::TrafficClass::data).reserved(), sent.data_sent + sent.probes_sent);
        EXPECT_EQ(nic.network_port().counters().rx_frames,
                  nic.ingress_buffer().drops() + nic.ingress_buffer().pool(packet::TrafficClass::data).reserved() +
                      nic.ingress_buffer().pool(packet::TrafficClass::control).reserved());
    }
}

inline void run_to_completion(std::initializer_list<PlatformRun*> runs)
{
    run_all(runs);
    for (PlatformRun* run : runs) {
        expect_complete(*run);
    }
}

/// Every result of the two runs is the same.
inline void expect_same(const PlatformRun& a, const PlatformRun& b)
{
    EXPECT_EQ(a.results().size(), b.results().size());
    for (const auto& [place, value] : a.results()) {
        const auto other = b.results().find(place);
        EXPECT_TRUE(other != b.results().end() && other->second == value)
            << place << " is " << value << " and " << (other == b.results().end() ? "missing" : other->second);
    }
}

struct Times {
    Picoseconds send;
    Picoseconds recv;
    Picoseconds wqe;
};

inline void expect_times(const PlatformRun& run, std::uint64_t message, const Times& expected)
{
    const std::string place = "message_" + std::to_string(message);
    EXPECT_EQ(run.results().at(place + ".send"), std::to_string(expected.send)) << "message " << message;
    EXPECT_EQ(run.results().at(place + ".recv"), std::to_string(expected.recv)) << "message " << message;
    EXPECT_EQ(run.results().at(place + ".wqe"), std::to_string(expected.wqe)) << "message " << message;
}

}  // namespace mrcnic::testbench
