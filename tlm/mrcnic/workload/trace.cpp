#include "mrcnic/workload/trace.h"

namespace mrcnic::workload {

std::string_view to_string(NodeType type) noexcept
{
    switch (type) {
        case NodeType::metadata:
            return "METADATA_NODE";
        case NodeType::memory_load:
            return "MEM_LOAD_NODE";
        case NodeType::memory_store:
            return "MEM_STORE_NODE";
        case NodeType::compute:
            return "COMP_NODE";
        case NodeType::send:
            return "COMM_SEND_NODE";
        case NodeType::receive:
            return "COMM_RECV_NODE";
        case NodeType::collective:
            break;
    }
    return "COMM_COLL_NODE";
}

}  // namespace mrcnic::workload
