#pragma once

#include <cstddef>
#include <cstdint>

namespace mrcnic::workload {

/// What can happen to a message or to a node of a trace, once in a run.
enum class PointKind : std::uint8_t {
    message_due,           ///< nothing is left to wait for: it is posted, after its delay
    message_sent,          ///< SEND_COMPLETE [TR-90]
    message_acknowledged,  ///< WQE_COMPLETE [TR-91]
    message_received,      ///< RECV_COMPLETE [TR-92]
    node_started,          ///< the last dependency has ended [WL-52]
    node_released,         ///< a collective may send: it is its turn in its process group [WL-56]
    node_ended
};

[[nodiscard]] constexpr bool is_of_message(PointKind kind) noexcept
{
    return kind <= PointKind::message_received;
}

/// One thing of a run that others can wait for.
struct Point {
    PointKind kind{PointKind::message_due};
    std::size_t index{0};  ///< into Workload::messages, or Trace::nodes

    friend bool operator==(const Point& a, const Point& b) noexcept { return a.kind == b.kind && a.index == b.index; }
    friend bool operator!=(const Point& a, const Point& b) noexcept { return !(a == b); }
};

/// `after` happens in the instant of the last point that it waits for.
struct Wait {
    Point before;
    Point after;
};

}  // namespace mrcnic::workload
