#include <gtest/gtest.h>

#include "mrcnic/net/network_link.h"
#include "mrcnic/workload/director.h"
#include "mrcnic/workload/load.h"
#include "testbench/unit/platforms/run.h"

// What must not change any result: trains, checkers, the kernel's resolution, the order of construction.

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::expect_same;
using testbench::PlatformRun;
using testbench::run_all;
using testbench::run_to_completion;
using testbench::Settings;

/// The same platform with one attribute at two values: every statistic and every time must agree.
void expect_no_difference(const std::string& path, std::string_view platform, const Settings& settings)
{
    config::Config on = configuration(platform, settings);
    config::set(on, path, "true");
    config::Config off = configuration(platform, settings);
    config::set(off, path, "false");
    PlatformRun with{"with", on};
    PlatformRun without{"without", off};
    run_all({&with, &without});
    EXPECT_GT(with.results().size(), 50U);
    expect_same(with, without);
}

Settings file(const std::string& name, Settings settings = {})
{
    settings.emplace_back("workload.File", testbench::workload_file(name));
    return settings;
}

// Small buffers, so that transfers wait, in both directions.
Settings small_buffers()
{
    return {{"nic.HostInterface.NICSide.TXHeaderBufferSize", "170B"},
            {"nic.HostInterface.NICSide.TXDataBufferSize", "1500B"},
            {"nic.HostInterface.NICSide.RXHeaderBufferSize", "68B"},
            {"nic.HostInterface.HostSide.TXDataBufferSize", "700B"},
            {"nic.HostInterface.HostSide.RXDataBufferSize", "513B"},
            {"nic.Transport.RecvCompleteAfterWrite", "true"}};
}

const std::string kTrains = "nic.HostInterface.TransferTrains";
const std::string kCheckers = "simulation.ProtocolCheckers";
const Settings kFourLanes{{"nic.HostInterface.NICSide.LaneCount", "4"}, {"workload.FrameCount", "3000"}};
const Settings kThirteenLanes{{"nic.HostInterface.NICSide.LaneCount", "13"},
                              {"nic.IngressBufferManager.TotalBufferSize", "50KB"},
                              {"workload.FrameCount", "3000"}};
const Settings kOddRates{{"nic.HostInterface.NICSide.LaneBps", "31519999997bps"},
                         {"nic.UplinkNetworkInterface.DataRate", "399999999937bps"},
                         {"nic.HostInterface.ReadRequestSize", "700B"}};

// [PC-6, PC-9] `TransferTrains` is a matter of cost: every statistic and every completion is the same without.
TEST(Trains, ChangeNothingInAPair)
{
    expect_no_difference(kTrains, "pair", file("list.csv"));
}
TEST(Trains, ChangeNothingWithSmallBuffers)
{
    expect_no_difference(kTrains, "pair", file("list.csv", small_buffers()));
}
TEST(Trains, ChangeNothingAtOddRates)
{
    expect_no_difference(kTrains, "pair", file("list.csv", kOddRates));
}
TEST(Trains, ChangeNothingInAStar)
{
    expect_no_difference(kTrains, "star", file("permutation_16.cm"));
}
TEST(Trains, ChangeNothingUnderFourLanes)
{
    expect_no_difference(kTrains, "line_rate_receive", kFourLanes);
}
TEST(Trains, ChangeNothingUnderThirteenLanes)
{
    expect_no_difference(kTrains, "line_rate_receive", kThirteenLanes);
}

// Checkers hand on every call as it came and cost no time.
TEST(Checkers, ChangeNothingInAPair)
{
    expect_no_difference(kCheckers, "pair", file("list.csv"));
}
TEST(Checkers, ChangeNothingWithSmallBuffers)
{
    expect_no_difference(kCheckers, "pair", file("list.csv", small_buffers()));
}
TEST(Checkers, ChangeNothingInAStar)
{
    expect_no_difference(kCheckers, "star", file("incast_4.cm", {{"fabric.Nics", "4"}}));
}
TEST(Checkers, ChangeNothingUnderFourLanes)
{
    expect_no_difference(kCheckers, "line_rate_receive", kFourLanes);
}

// A finer resolution of the kernel gives the same picoseconds.
TEST(Resolution, OneFemtosecond)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "4096B"}})};
    run_to_completion({&run});
    testbench::expect_times(run, 1, {15'000, 269'324, 371'204});  // [TR-W3]
    EXPECT_EQ(run.number("end_time"), 372'444U);
    EXPECT_EQ(sc_core::sc_time_stamp().value(), 372'444'000U);
}

/// Two NICs and their workload, put together by hand in one order or the other.
class Assembly : public sc_core::sc_module {
public:
    enum class Order { nodes_first, backwards };

    Assembly(const sc_core::sc_module_name& name, const config::Config& config, Order order)
        : sc_module{name}, config_{config}, agenda_{"agenda"}
    {
        if (order == Order::nodes_first) {
            add_node(0);
            add_node(1);
            add_link(0);
            add_link(1);
            add_director();
        } else {
            add_director();
            add_link(1);
            add_link(0);
            add_node(1);
            add_node(0);
        }
        for (std::size_t i = 0; i < 2; ++i) {
            nodes_[i]->nic.wire_out.bind(links_[i]->from.as_port());
            links_[i]->to.bind(nodes_[1 - i]->nic.wire_in);
            director_->verbs[i].bind(nodes_[i]->nic.verbs);
            nodes_[i]->nic.completions.bind(director_->completions[i]);
        }
    }
    void on_end(std::function<void()> callback)
    {
        agenda_.on_quiet([this, callback] {
            if (director_->all_complete() && !ended_) {
                ended_ = true;
                results_ = results();
                callback();
            }
        });
    }
    [[nodiscard]] const testbench::Results& final_results() const noexcept { return results_; }

private:
    void add_node(std::uint32_t i)
    {
        nic::NicParameters parameters;
        parameters.node = static_cast<std::uint16_t>(i);
        parameters.address = workload::nic_address(i);
        parameters.protocol_checkers = true;
        nodes_[i] = std::make_unique<Node>(("node_" + std::to_string(i)).c_str(), agenda_, config_.nics[i], parameters,
                                           Node::Memory::own);
    }
    void add_link(std::size_t i)
    {
        links_[i] =
            std::make_unique<net::NetworkLink>(("link_" + std::to_string(i)).c_str(), config_.nics[i].link_delay);
    }
    void add_director()
    {
        director_ = std::make_unique<workload::Director>(
            "director", agenda_, workload::load_workload(config_.workload, 2), 2U, workload::DirectorConfig{});
    }
    [[nodiscard]] testbench::Results results() const
    {
        testbench::Results results;
        for (std::size_t i = 0; i < 2; ++i) {
            const nic::Nic& nic = nodes_[i]->nic;
            for (const StatisticGroup* group :
                 {&nic.egress_buffer().statistics(), &nic.ingress_buffer().statistics(),
                  &nic.network_port().statistics(), &nic.transmit_scheduler().statistics(),
                  &nic.transport().statistics(), &nic.transaction_layer().statistics(),
                  &nodes_[i]->root_port.transaction_layer().statistics()}) {
                testbench::add_statistics(results, "node_" + std::to_string(i), *group);
            }
        }
        for (const workload::MessageRecord& record : director_->records()) {
            results["message " + std::to_string(results.size())] =
                std::to_string(record.posted) + ' ' + std::to_string(record.send_complete) + ' ' +
                std::to_string(record.wqe_complete) + ' ' + std::to_string(record.recv_complete);
        }
        return results;
    }

    const config::Config config_;
    Agenda agenda_;
    std::array<std::unique_ptr<Node>, 2> nodes_;
    std::array<std::unique_ptr<net::NetworkLink>, 2> links_;
    std::unique_ptr<workload::Director> director_;
    bool ended_{false};
    testbench::Results results_;
};

/// [OE-1] Nothing depends on the order in which modules are made, links of delay 0 included.
void expect_order_does_not_matter(const Settings& settings)
{
    const testbench::TemporaryFolder folder;
    Settings all = settings;
    all.emplace_back("workload.File",
                     testbench::write_workload(folder, "both.cm",
                                               "Nodes 2\nConnections 4\n"
                                               "0->1 start 0 size 500000\n1->0 start 0 size 500000\n"
                                               "0->1 start 0 size 300001\n1->0 start 85844 size 77\n"));
    const config::Config config = configuration("pair", all);
    Assembly one{"one", config, Assembly::Order::nodes_first};
    Assembly other{"other", config, Assembly::Order::backwards};
    int left = 2;
    const auto ended = [&left] {
        if (--left == 0) {
            sc_core::sc_stop();
        }
    };
    one.on_end(ended);
    other.on_end(ended);
    testbench::run_to_end([&left] { return left == 0; });
    EXPECT_GT(one.final_results().size(), 50U);
    EXPECT_EQ(one.final_results(), other.final_results());
}

TEST(ElaborationOrder, DoesNotMatter)
{
    expect_order_does_not_matter({});
}
TEST(ElaborationOrder, DoesNotMatterWithoutLinkDelay)
{
    expect_order_does_not_matter({{"nic.TransmissionMedium.Delay", "0ns"}});
}
TEST(ElaborationOrder, DoesNotMatterWithSmallBuffers)
{
    Settings settings = small_buffers();
    settings.emplace_back("nic.EgressBufferManager.TotalBufferSize", "10KB");
    expect_order_does_not_matter(settings);
}

}  // namespace
}  // namespace mrcnic::platforms
