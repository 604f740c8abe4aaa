#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mrcnic/workload/collective.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/json_document.h"
#include "mrcnic/workload/trace.h"

namespace mrcnic::workload {

// What the files of a trace say, before anything in it has been linked to anything else.

/// A file with its contents.
struct TraceFile {
    std::string name;
    std::string text;
};

/// A place in one of the files.
struct TracePlace {
    std::size_t file{0};
    std::size_t offset{0};
};

/// A node that another one waits for.
struct NamedDependency {
    std::uint64_t id;
    TracePlace place;
};

/// A node as its file has it.
struct NodeText {
    TraceNode node;
    TracePlace place;
    std::vector<NamedDependency> dependencies;
    std::uint64_t bytes{0};                 ///< of a send or a collective; of a receive if `has_bytes`
    bool has_bytes{false};                  ///< the file gives them
    std::uint32_t peer{0};                  ///< rank at the other end of a send or a receive
    std::uint64_t tag{0};                   ///< of a send or a receive
    CollectiveKind kind{};                  ///< of a collective
    std::optional<std::string> group_name;  ///< of a collective; none: all ranks
    std::optional<std::uint32_t> root;      ///< of a broadcast
};

/// A process group: its ranks in ring order.
struct GroupText {
    std::vector<std::uint32_t> ranks;
    TracePlace place;
};

/// A trace as its files have it.
struct TraceText {
    std::vector<std::vector<NodeText>> ranks;
    std::map<std::string, GroupText> groups;
};

/// Collects what is wrong with the files of a trace.
class TraceProblems {
public:
    explicit TraceProblems(const std::vector<TraceFile>& files);

    void add(TracePlace place, const std::string& reason);
    [[nodiscard]] bool full() const noexcept { return problems_.full(); }
    void throw_if_any() { problems_.throw_if_any(); }

private:
    const std::vector<TraceFile>& files_;
    std::vector<TextPlaces> places_;
    ProblemList problems_;
};

/// Reads all files: one with all ranks, or one for each rank [WL-50, WL-51, WL-58].
/// @param compute_shares  compute nodes that are no CPU operation share their rank [WL-53]
/// @throws InputError, at once where a text is no JSON or has not the form of a trace; else problems are put into
///         `problems`, and the nodes that have one are left out
[[nodiscard]] TraceText read_trace_text(const std::vector<TraceFile>& files, bool compute_shares,
                                        TraceProblems& problems);

/// How messages name a node.
[[nodiscard]] std::string name_of(const TraceNode& node);

}  // namespace mrcnic::workload
