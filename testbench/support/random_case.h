#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mrcnic/config/config.h"
#include "mrcnic/net/network_link.h"

namespace mrcnic::testbench {

/// What a random configuration is drawn for.
struct CaseShape {
    std::string platform{"pair"};
    bool link_faults{false};       ///< some links drop, mark, duplicate or delay frames [SW-4]
    std::uint64_t packets{2'000};  ///< about so many data packets at most
};

/// A fault of one link, by its place in the platform's list.
struct PlacedFault {
    std::size_t link{0};
    net::LinkFault fault;
};

/// A run drawn at random: attributes, workload, faults. Of the same seed and shape always the same.
struct RandomCase {
    std::uint64_t seed{0};
    CaseShape shape;
    std::vector<std::pair<std::string, std::string>> settings;  ///< as `--set` takes them, in this order
    std::string workload;                                       ///< message list [WL-30]
    std::vector<PlacedFault> faults;

    /// The configuration, its workload in `workload_file`.
    /// @throws config::ConfigError if a setting is refused; std::logic_error if they do not go together
    [[nodiscard]] config::Config configuration(const std::string& workload_file) const;
    /// How to repeat the run: the seed, and a command that needs nothing but the program.
    [[nodiscard]] std::string text() const;
};

[[nodiscard]] RandomCase random_case(std::uint64_t seed, const CaseShape& shape);

}  // namespace mrcnic::testbench
