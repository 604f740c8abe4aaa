#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/workload/point.h"
#include "mrcnic/workload/trace.h"

namespace mrcnic::workload {

/// When a message starts.
enum class StartKind {
    at_time,  ///< `start` after the workload's start time [WL-2]
    waits,    ///< `start` after the last point that it waits for, see Workload::waits [WL-31, WL-52]
    trigger   ///< when trigger `trigger` fires [WL-20]
};

/// One message of a workload [WL-1]. Indices count from 0.
struct Message {
    std::uint64_t id{0};  ///< as in records, unique [WL-16, WL-33]
    std::uint32_t source{0};
    std::uint32_t destination{0};
    std::uint64_t bytes{0};
    StartKind start_kind{StartKind::at_time};
    Picoseconds start{0};
    std::size_t trigger{0};  ///< index into Workload::triggers

    /// Index of a connection: its messages share one QP of their own; none: the pair's QPs [WL-16, TR-3].
    std::optional<std::size_t> connection;
    /// QP index of the pair, if the workload names one [WL-32].
    std::optional<std::uint32_t> qp;

    std::optional<std::size_t> fires_at_send_done;  ///< trigger that WQE_COMPLETE fires [WL-19]
    std::optional<std::size_t> fires_at_recv_done;  ///< trigger that RECV_COMPLETE fires
};

enum class TriggerKind { oneshot, multishot, barrier };

/// What starts messages when others are complete.
struct Trigger {
    std::uint64_t id{0};
    TriggerKind kind{TriggerKind::oneshot};
    std::uint64_t count{1};  ///< barrier: firings that it takes
};

enum class SwitchKind { leaf, spine };

/// A path that a workload wants failed [WL-18]; whether the fabric has it is for the platform to say.
struct Failure {
    SwitchKind switch_kind{SwitchKind::leaf};
    std::uint64_t switch_id{0};
    std::uint64_t link_id{0};
    std::size_t line{0};  ///< place in the file
    std::size_t column{0};
};

/// What every reader makes [WL-1]: messages in file order, with their triggers.
struct Workload {
    std::string file;  ///< empty if none was read
    std::vector<Message> messages;
    std::size_t connections{0};  ///< Message::connection is below this
    std::vector<Trigger> triggers;
    std::vector<Failure> failures;
    Trace trace;              ///< empty unless an execution trace was read
    std::vector<Wait> waits;  ///< what messages and nodes wait for; without a cycle inside a rank
};

}  // namespace mrcnic::workload
