#include "mrcnic/platforms/pair.h"

namespace mrcnic::platforms {

Pair::Pair(const sc_core::sc_module_name& name, const config::Config& configuration, Node::Memory memory)
    : Platform{name, configuration}
{
    for (std::uint32_t i = 0; i < 2; ++i) {
        add_node(node_parameters(i, config().nics[1 - i].data_rate), memory);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        add_link(node(i).nic.wire_out, node(1 - i).nic.wire_in, config().nics[i].link_delay);
    }
    add_director();
}

}  // namespace mrcnic::platforms
