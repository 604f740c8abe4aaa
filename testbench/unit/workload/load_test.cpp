#include "mrcnic/workload/load.h"

#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/workload/input_error.h"
#include "testbench/support/harness.h"

namespace mrcnic::workload {
namespace {

std::string errors_of(const std::function<void()>& call)
{
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

config::WorkloadConfig of_file(const std::string& file)
{
    config::WorkloadConfig config;
    config.file = file;
    return config;
}

// [WL-1] The suffix tells the reader.
TEST(LoadWorkload, ChoosesTheReaderByTheSuffix)
{
    const std::string folder = MRCNIC_SOURCE_DIR "/testbench/data/";
    EXPECT_EQ(load_workload(of_file(folder + "both_ways.cm"), 16).connections, 2u);
    EXPECT_EQ(load_workload(of_file(folder + "list.csv"), 2).messages.size(), 4u);
}

TEST(LoadWorkload, NamesTheSuffixesThatItReads)
{
    for (const std::string suffix : {".txt", ".CM", ""}) {
        EXPECT_EQ(
            errors_of([&] { (void)load_workload(of_file("some/where" + suffix), 2); }),
            "error: some/where" + suffix + ": the suffix \"" + suffix +
                "\" names no kind of workload; allowed are .cm (connection matrix), .csv (message list), .cdf (flow "
                "sizes) and .json (execution trace)");
    }
}

// An error reads FILE:LINE:COL with the file as it was given.
TEST(LoadWorkload, NamesFileLineAndColumn)
{
    const testbench::TemporaryFolder folder;
    const std::string file = folder.path() / "bad.cm";
    std::ofstream{file} << "Nodes 2\nConnections 1\n0->1 start 0 size 0\n";
    EXPECT_EQ(errors_of([&] { (void)load_workload(of_file(file), 2); }),
              "error: " + file + ":3:19: size \"0\" is out of range; 1..18446744073709551615 is allowed");
}

// [WL-1] One message, from the attributes.
TEST(LoadWorkload, MakesASingleMessageWithoutAFile)
{
    config::WorkloadConfig config;
    config.message_bytes = 12'345;
    config.source = 1;
    config.destination = 0;
    const Workload workload = load_workload(config, 2);
    ASSERT_EQ(workload.messages.size(), 1u);
    EXPECT_EQ(workload.messages[0].id, 1u);
    EXPECT_EQ(workload.messages[0].source, 1u);
    EXPECT_EQ(workload.messages[0].destination, 0u);
    EXPECT_EQ(workload.messages[0].bytes, 12'345u);
    EXPECT_EQ(workload.messages[0].start, 0);
    EXPECT_EQ(workload.messages[0].connection, std::nullopt);
    EXPECT_EQ(workload.messages[0].qp, std::nullopt);
}

// [WL-3]
TEST(LoadWorkload, RefusesASingleMessageWithWrongEnds)
{
    config::WorkloadConfig config;
    config.source = 2;
    EXPECT_EQ(errors_of([&] { (void)load_workload(config, 2); }),
              "error: workload.Source: NIC 2 is outside the fabric of 2 NICs; they count from 0");
    config.source = 0;
    config.destination = 2;
    EXPECT_EQ(errors_of([&] { (void)load_workload(config, 2); }),
              "error: workload.Destination: NIC 2 is outside the fabric of 2 NICs; they count from 0");
    config.destination = 0;
    EXPECT_EQ(errors_of([&] { (void)load_workload(config, 2); }),
              "error: workload.Destination: source and destination are both NIC 0");
}

// [WL-43] Flows: sizes by the file, sources by the list, rates by the NICs.
TEST(LoadWorkload, MakesFlowsOfADistribution)
{
    config::WorkloadConfig config = of_file(MRCNIC_SOURCE_DIR "/platforms/examples/fbhdp.cdf");
    config.sources = "2,0";
    config.run_time = 0;
    config.message_count = 500;
    const Workload workload = load_workload(config, 3, {400'000'000'000, 1, 100'000'000'000}, 5);
    ASSERT_EQ(workload.messages.size(), 500u);
    std::size_t of_zero = 0;
    for (const Message& message : workload.messages) {
        ASSERT_TRUE(message.source == 0 || message.source == 2);
        of_zero += message.source == 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(of_zero), 400, 40);  // 4 of 5: its link is four times as fast
}

// [WL-55] A collective from one line of configuration.
TEST(LoadWorkload, MakesACollective)
{
    config::WorkloadConfig config;
    config.generator = config::Generator::all_reduce;
    config.message_bytes = 1'000;
    EXPECT_EQ(load_workload(config, 8).messages.size(), 112u);  // [WL-W3]
    config.ranks = "5,1-2";
    config.generator = config::Generator::broadcast;
    config.source = 1;
    const Workload workload = load_workload(config, 8);
    ASSERT_EQ(workload.messages.size(), 2u);
    EXPECT_EQ(workload.messages[0].source, 1u);
    EXPECT_EQ(workload.messages[0].destination, 2u);
    EXPECT_EQ(workload.messages[1].destination, 5u);
    config.source = 0;
    EXPECT_EQ(errors_of([&] { (void)load_workload(config, 8); }),
              "error: workload.Source: the root of a broadcast is one of workload.Ranks");
    config.ranks = "9";
    EXPECT_EQ(errors_of([&] { (void)load_workload(config, 8); }),
              "error: workload.Ranks: \"9\" is no NIC and no range of NICs; allowed: all, or a list such as 0,3,5-9 of "
              "numbers up to 7");
}

// [WL-50] A trace by its suffix, with the options of the attributes.
TEST(LoadWorkload, ReadsATrace)
{
    config::WorkloadConfig config = of_file(MRCNIC_SOURCE_DIR "/platforms/examples/trace.json");
    config.trace_family = config::TraceFamily::collected;
    const Workload workload = load_workload(config, 4);
    ASSERT_EQ(workload.trace.nodes.size(), 24u);
    EXPECT_FALSE(workload.trace.nodes[0].shares);
    EXPECT_FALSE(workload.trace.serializes_groups);
    EXPECT_EQ(workload.messages.size(), 26u);  // 2 x 3 steps of 4 ranks, and 2 sends
    config.comm_collective_synchronization = true;
    config.process_group_serialization = true;
    EXPECT_EQ(load_workload(config, 4).messages.size(), 50u);  // and a barrier of 24
    EXPECT_TRUE(load_workload(config, 4).trace.serializes_groups);
}

// [WL-18] A fabric without such switches says so, with the place.
TEST(RequireNoFailures, NamesThePlaceOfEach)
{
    const testbench::TemporaryFolder folder;
    const std::string file = folder.path() / "failing.cm";
    std::ofstream{file} << "Nodes 2\nConnections 0\nFailures 2\nfailure switch_type TOR switch_id 0 link_id 0\n"
                           "  failure switch_type CORE switch_id 1 link_id 0\n";
    const std::string text = "failure lines need a fabric with leaf and spine switches";
    EXPECT_EQ(errors_of([&] { require_no_failures(load_workload(of_file(file), 2)); }),
              "error: " + file + ":4:1: " + text + "\nerror: " + file + ":5:3: " + text);
    EXPECT_EQ(errors_of([&] { require_no_failures(load_workload({}, 2)); }), "");
}

}  // namespace
}  // namespace mrcnic::workload
