#include <string>

#include <gtest/gtest.h>

#include "mrcnic/workload/load.h"
#include "testbench/support/harness.h"

namespace mrcnic::workload {
namespace {

struct RealFile {
    const char* name;
    std::uint32_t nics;
    std::size_t messages;
    std::size_t triggers;
    std::uint64_t bytes;  // of each message
};

class RealFiles : public testing::TestWithParam<RealFile> {};

// [WL-10 .. WL-21] Every connection matrix as its users have it.
TEST_P(RealFiles, AreReadWhole)
{
    const RealFile& expected = GetParam();
    config::WorkloadConfig config;
    config.file = testbench::workloads_folder() / expected.name;
    const Workload workload = load_workload(config, expected.nics);

    EXPECT_EQ(workload.messages.size(), expected.messages);
    EXPECT_EQ(workload.connections, expected.messages);
    EXPECT_EQ(workload.triggers.size(), expected.triggers);
    EXPECT_TRUE(workload.failures.empty());
    for (std::size_t i = 0; i < workload.messages.size(); ++i) {
        EXPECT_EQ(workload.messages[i].id, i + 1);
        EXPECT_EQ(workload.messages[i].bytes, expected.bytes);
        EXPECT_EQ(workload.messages[i].start, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Htsim, RealFiles,
                         testing::Values(RealFile{"one.cm", 16, 1, 0, 2'000'000},
                                         RealFile{"bidir.cm", 16, 2, 0, 2'000'000},
                                         RealFile{"incast.cm", 16, 15, 0, 2'000'000},
                                         RealFile{"incast_128.cm", 128, 127, 0, 2'000'000},
                                         RealFile{"incast_2to1_size4194304B.cm", 128, 2, 0, 4'194'304},
                                         RealFile{"outcast_incast.cm", 128, 21, 0, 2'000'000},
                                         RealFile{"perm_16n_16c_2MB.cm", 16, 16, 0, 2'000'000},
                                         RealFile{"perm_128n_128c_2MB.cm", 128, 128, 0, 2'000'000},
                                         RealFile{"perm_1024n_1024c_0u_2000000b.cm", 1024, 1024, 0, 2'000'000},
                                         RealFile{"foo2.cm", 128, 12, 8, 2'000'000}));

}  // namespace
}  // namespace mrcnic::workload
