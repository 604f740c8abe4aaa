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
