// Every real workload file runs to completion on a star and on a leaf-spine that fits it, with trimming on and off.

#include <ostream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::PlatformRun;
using testbench::run_to_completion;
using testbench::Settings;

struct RealFile {
    const char* name;
    std::uint32_t nics;
    std::size_t messages;
};

std::ostream& operator<<(std::ostream& out, const RealFile& file)
{
    return out << file.name;
}

/// Leaves, NICs of each and spines of a fabric without oversubscription for so many NICs.
Settings leaf_spine_for(std::uint32_t nics)
{
    const std::uint32_t leaves = nics < 8 ? nics : 8;
    const std::string per_leaf = std::to_string(nics / leaves);
    return {{"fabric.Leaves", std::to_string(leaves)}, {"fabric.NicsPerLeaf", per_leaf}, {"fabric.Spines", per_leaf}};
}

Settings star_for(std::uint32_t nics)
{
    return {{"fabric.Nics", std::to_string(nics)}};
}

using Case = std::tuple<RealFile, std::string, bool>;

class RealRuns : public testing::TestWithParam<Case> {};

TEST_P(RealRuns, Complete)
{
    const auto& [file, platform, trimming] = GetParam();
    config::Config config = config::default_config(platform);
    for (const auto& [path, value] : platform == "star" ? star_for(file.nics) : leaf_spine_for(file.nics)) {
        config::set(config, path, value);
    }
    const std::string on = trimming ? "true" : "false";
    config::set(config, "nic.Transport.TrimmingEnabled", on);
    config::set(config, "switch.TrimmingEnabled", on);
    config::set(config, "workload.File", (testbench::workloads_folder() / file.name).string());

    PlatformRun run{"run", config};
    run_to_completion({&run});
    EXPECT_EQ(run.platform().director()->completed(), file.messages);
}

constexpr RealFile kFiles[] = {{"one.cm", 16, 1},
                               {"bidir.cm", 16, 2},
                               {"incast.cm", 16, 15},
                               {"incast_128.cm", 128, 127},
                               {"incast_2to1_size4194304B.cm", 128, 2},
                               {"outcast_incast.cm", 128, 21},
                               {"perm_16n_16c_2MB.cm", 16, 16},
                               {"perm_128n_128c_2MB.cm", 128, 128},
                               {"foo2.cm", 128, 12}};

std::string name_of(const testing::TestParamInfo<Case>& info)
{
    const auto& [file, platform, trimming] = info.param;
    const std::string name = file.name;
    return name.substr(0, name.find('.')) + '_' + platform + (trimming ? "_trimming" : "");
}

INSTANTIATE_TEST_SUITE_P(Htsim, RealRuns,
                         testing::Combine(testing::ValuesIn(kFiles), testing::Values("star", "leaf_spine"),
                                          testing::Bool()),
                         name_of);

}  // namespace
}  // namespace mrcnic::platforms
