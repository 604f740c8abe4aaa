#include "mrcnic/platforms/node_statistics.h"

#include <fmt/format.h>

namespace mrcnic::platforms {

namespace {

constexpr const char* kIntroduction =
    "# Statistics\n"
    "\n"
    "Written by `statistics_markdown` from what the blocks say of themselves; do not edit by hand. Each stands in\n"
    "`summary.json` under this name in the object of its NIC, an entry of `nics`; counts and times are of the whole "
    "run.\n";

constexpr const char* kTableHead =
    "\n"
    "## {}\n"
    "\n"
    "| name | unit | meaning |\n"
    "|---|---|---|\n";

}  // namespace

std::vector<record::StatisticSource> node_statistics(const Node& node)
{
    const nic::Nic& nic = node.nic;
    return {{"egress", &nic.egress_buffer().statistics()},
            {"egress", &nic.transport().statistics(), "stalls"},
            {"ingress", &nic.ingress_buffer().statistics()},
            {"port", &nic.network_port().statistics()},
            {"port", &nic.transmit_scheduler().statistics()},
            {"pcie.nic_to_host", &nic.transaction_layer().statistics()},
            {"pcie.host_to_nic", &node.root_port.transaction_layer().statistics()},
            {"transport", &nic.transport().statistics()},
            {"host", &node.root_port.root_complex().statistics()}};
}

std::string statistics_markdown(const Platform& platform)
{
    std::string page = kIntroduction;
    std::string section;
    for (const record::StatisticSource& source : node_statistics(platform.node(0))) {
        if (source.section != section) {
            section = source.section;
            page += fmt::format(fmt::runtime(kTableHead), section);
        }
        for (const Statistic* statistic : record::statistics_of(source)) {
            page += fmt::format("| `{}` | {} | {} |\n", statistic->name, statistic->unit, statistic->description);
        }
    }
    return page;
}

}  // namespace mrcnic::platforms
