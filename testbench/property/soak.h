#pragma once

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "testbench/unit/platforms/run.h"

namespace mrcnic::testbench {

struct SoakResult {
    std::uint64_t retransmissions{0};
    std::size_t frames_made{0};  ///< frames that the pool ever held: how many were alive at once
};

/// One NIC sends `packets` full packets to the other, and 1 % of all frames are lost in both directions. Fails the test
/// unless every message completes and everything comes home [PL-3, WL-5].
inline SoakResult soak(std::uint64_t packets, std::uint64_t seed)
{
    constexpr std::uint64_t packets_of_message = 10'000;
    const TemporaryFolder folder;
    std::string list = "id,src,dst,bytes,start_ps,after,qp\n";
    for (std::uint64_t id = 1; id <= packets / packets_of_message; ++id) {
        list += std::to_string(id) + ",0,1," + std::to_string(packets_of_message * 4096) + ",0,,\n";
    }
    config::Config config = config::default_config("pair");
    config::set(config, "workload.File", write_workload(folder, "soak.csv", list));
    PlatformRun run{"run", config};
    for (net::NetworkLink* link : run.platform().links()) {
        net::LinkFault fault{net::LinkFault::Action::drop};
        fault.probability = 0.01;
        fault.seed = ++seed;
        link->inject(fault);
    }
    run_to_completion({&run});
    EXPECT_EQ(run.platform().director()->completed(), packets / packets_of_message);
    EXPECT_EQ(run.number("node_1.host.bytes_written"), packets * 4096);
    return {run.number("node_0.transport.retransmissions"), run.platform().agenda().shared<packet::FramePool>().peak()};
}

}  // namespace mrcnic::testbench
