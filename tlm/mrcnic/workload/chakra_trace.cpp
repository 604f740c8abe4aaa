#include "mrcnic/workload/chakra_trace.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/workload/collective.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

constexpr std::size_t kLongestCycleText = 8;

/// Makes a workload of what the files say.
class Linker {
public:
    Linker(TraceText text, const TraceOptions& options, TraceProblems& problems)
        : text_{std::move(text)}, options_{options}, problems_{problems}
    {
    }

    Workload link();

private:
    /// Ends of transfers from one rank to another with one tag, in the order of the files.
    struct Channel {
        std::vector<std::size_t> sends{};
        std::vector<std::size_t> receives{};
    };
    using ChannelKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // from, to, tag
    /// A process group, with the collectives of each of its ranks in the order of the files.
    struct Group {
        std::vector<std::uint32_t> ranks{};
        std::vector<std::vector<std::size_t>> collectives{};  // by member
    };

    void check_rank_count();
    void gather_nodes();
    void link_dependencies();
    void find_cycles(std::size_t first, std::size_t end);
    void report_cycle(std::size_t member, const std::vector<bool>& stuck);
    void gather_channels();
    void match(const ChannelKey& key, const Channel& channel);
    void gather_groups();
    [[nodiscard]] std::optional<std::size_t> group_of(const NodeText& node);
    void join_group(std::size_t node);
    void check_collectives(const Group& group);
    void check_root(const Group& group, const NodeText& node);
    void make_messages();
    void make_transfer(std::size_t send);
    void make_collective(const Group& group, std::size_t turn);
    [[nodiscard]] std::vector<CollectiveShare> expand_collective(const Group& group, const NodeText& first,
                                                                 const std::vector<Point>& starts);

    [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
    void problem(const NodeText& node, const std::string& reason)
    {
        problems_.add(node.place, name_of(node.node) + ": " + reason);
    }
    void wait(Point before, Point after) { workload_.waits.push_back({before, after}); }

    TraceText text_;
    const TraceOptions& options_;
    TraceProblems& problems_;
    Workload workload_;
    std::vector<NodeText> nodes_;                         // by rank, in the order of the files
    std::vector<std::size_t> first_of_rank_;              // one more at the end
    std::vector<std::vector<std::size_t>> dependencies_;  // of each node
    std::map<ChannelKey, Channel> channels_;
    std::vector<std::optional<std::size_t>> receive_of_;  // of each send
    std::vector<Group> groups_;
    std::map<std::optional<std::string>, std::size_t> group_numbers_;
};

Workload Linker::link()
{
    check_rank_count();
    problems_.throw_if_any();
    gather_nodes();
    link_dependencies();
    gather_channels();
    gather_groups();
    problems_.throw_if_any();
    for (std::size_t rank = 0; rank + 1 < first_of_rank_.size(); ++rank) {
        find_cycles(first_of_rank_[rank], first_of_rank_[rank + 1]);
    }
    problems_.throw_if_any();
    make_messages();
    return std::move(workload_);
}

void Linker::check_rank_count()
{
    const std::size_t ranks = text_.ranks.size();
    if (ranks > options_.nics.size() || (options_.all_used && ranks < options_.nics.size())) {
        problems_.add(
            {}, fmt::format("the trace has {} ranks, but workload.Ranks names {} NICs; allowed: {}", ranks,
                            options_.nics.size(), options_.all_used ? "as many" : "at most as many ranks as NICs"));
        return;
    }
    workload_.trace.nics.assign(options_.nics.begin(), options_.nics.begin() + static_cast<std::ptrdiff_t>(ranks));
    workload_.trace.serializes_groups = options_.serializes_groups;
    for (const auto& [name, group] : text_.groups) {
        const auto outside =
            std::find_if(group.ranks.begin(), group.ranks.end(), [ranks](std::uint32_t rank) { return rank >= ranks; });
        if (outside != group.ranks.end()) {
            problems_.add(group.place, fmt::format("process group {}: {} is no rank of this trace; allowed: 0..{}",
                                                   in_quotes(name), *outside, ranks - 1));
        }
    }
}

void Linker::gather_nodes()
{
    for (std::vector<NodeText>& rank : text_.ranks) {
        first_of_rank_.push_back(nodes_.size());
        std::move(rank.begin(), rank.end(), std::back_inserter(nodes_));
    }
    first_of_rank_.push_back(nodes_.size());
    text_.ranks.clear();
    receive_of_.resize(nodes_.size());
    dependencies_.resize(nodes_.size());
}

// [WL-50] They stay inside a rank.
void Linker::link_dependencies()
{
    for (std::size_t rank = 0; rank + 1 < first_of_rank_.size(); ++rank) {
        std::map<std::uint64_t, std::size_t> by_id;
        for (std::size_t node = first_of_rank_[rank]; node < first_of_rank_[rank + 1]; ++node) {
            if (!by_id.emplace(nodes_[node].node.id, node).second) {
                problem(nodes_[node], "the rank has a node with this id already; allowed: each id once");
            }
        }
        for (std::size_t node = first_of_rank_[rank]; node < first_of_rank_[rank + 1]; ++node) {
            for (const NamedDependency& dependency : nodes_[node].dependencies) {
                const auto found = by_id.find(dependency.id);
                if (found == by_id.end()) {
                    problems_.add(dependency.place, fmt::format("{}: depends on node {}, which its rank does not have; "
                                                                "allowed: nodes of the same rank",
                                                                name_of(nodes_[node].node), dependency.id));
                    continue;
                }
                dependencies_[node].push_back(found->second);
                wait({PointKind::node_ended, found->second}, {PointKind::node_started, node});
            }
        }
    }
}

// What is left when nodes without dependencies are taken away, again and again, waits for a cycle.
void Linker::find_cycles(std::size_t first, std::size_t end)
{
    std::vector<std::vector<std::size_t>> followers(end - first);
    std::vector<std::size_t> missing(end - first);
    std::vector<std::size_t> free;
    std::vector<bool> stuck(end - first, true);
    for (std::size_t node = first; node < end; ++node) {
        missing[node - first] = dependencies_[node].size();
        for (const std::size_t before : dependencies_[node]) {
            followers[before - first].push_back(node);
        }
        if (dependencies_[node].empty()) {
            free.push_back(node);
        }
    }
    while (!free.empty()) {
        const std::size_t node = free.back();
        free.pop_back();
        stuck[node - first] = false;
        for (const std::size_t follower : followers[node - first]) {
            if (--missing[follower - first] == 0) {
                free.push_back(follower);
            }
        }
    }
    const auto member = std::find(stuck.begin(), stuck.end(), true);
    if (member != stuck.end()) {
        report_cycle(first + static_cast<std::size_t>(member - stuck.begin()), stuck);
    }
}

void Linker::report_cycle(std::size_t member, const std::vector<bool>& stuck)
{
    const std::size_t first = first_of_rank_[nodes_[member].node.rank];
    std::vector<std::size_t> walk;
    std::vector<bool> seen(stuck.size());
    std::size_t at = member;
    while (!seen[at - first]) {
        seen[at - first] = true;
        walk.push_back(at);
        at = *std::find_if(dependencies_[at].begin(), dependencies_[at].end(),
                           [&stuck, first](std::size_t before) { return stuck[before - first]; });
    }
    std::vector<std::size_t> cycle{std::find(walk.begin(), walk.end(), at), walk.end()};
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kLongestCycleText); ++i) {
        text += fmt::format("{} -> ", nodes_[cycle[i]].node.id);
    }
    const NodeText& told = nodes_[cycle.front()];
    problem(told, fmt::format("waits for itself: {}{}{}", text, cycle.size() > kLongestCycleText ? "... -> " : "",
                              told.node.id));
}

// [WL-54]
void Linker::gather_channels()
{
    const std::size_t ranks = workload_.trace.nics.size();
    for (std::size_t node = 0; node < node_count(); ++node) {
        const NodeText& end = nodes_[node];
        const bool sends = end.node.type == NodeType::send;
        if (!sends && end.node.type != NodeType::receive) {
            continue;
        }
        if (end.peer >= ranks || end.peer == end.node.rank) {
            problem(end, fmt::format("{} {} is {}; allowed: 0..{}, and not its own", sends ? "comm_dst" : "comm_src",
                                     end.peer, end.peer == end.node.rank ? "its own rank" : "no rank of this trace",
                                     ranks - 1));
        } else if (sends) {
            channels_[{end.node.rank, end.peer, end.tag}].sends.push_back(node);
        } else {
            channels_[{end.peer, end.node.rank, end.tag}].receives.push_back(node);
        }
    }
    for (const auto& [key, channel] : channels_) {
        match(key, channel);
    }
}

void Linker::match(const ChannelKey& key, const Channel& channel)
{
    const auto& [from, to, tag] = key;
    const std::size_t pairs = std::min(channel.sends.size(), channel.receives.size());
    for (std::size_t i = 0; i < pairs; ++i) {
        const NodeText& send = nodes_[channel.sends[i]];
        const NodeText& receive = nodes_[channel.receives[i]];
        receive_of_[channel.sends[i]] = channel.receives[i];
        if (receive.has_bytes && receive.bytes != send.bytes) {
            problem(receive, fmt::format("comm_size {} differs from that of its send, {}; allowed: {}", receive.bytes,
                                         name_of(send.node), send.bytes));
        }
    }
    for (std::size_t i = pairs; i < channel.sends.size(); ++i) {
        problem(nodes_[channel.sends[i]],
                fmt::format("rank {} has no receive for this send: it has {} from rank {} with tag {}, and {} are sent",
                            to, channel.receives.size(), from, tag, channel.sends.size()));
    }
    for (std::size_t i = pairs; i < channel.receives.size(); ++i) {
        problem(
            nodes_[channel.receives[i]],
            fmt::format("rank {} has no send for this receive: it has {} to rank {} with tag {}, and {} are awaited",
                        from, channel.sends.size(), to, tag, channel.receives.size()));
    }
}

void Linker::gather_groups()
{
    for (std::size_t node = 0; node < node_count(); ++node) {
        if (nodes_[node].node.type == NodeType::collective) {
            join_group(node);
        }
    }
    workload_.trace.groups = groups_.size();
    for (const Group& group : groups_) {
        check_collectives(group);
    }
}

std::optional<std::size_t> Linker::group_of(const NodeText& node)
{
    if (const auto known = group_numbers_.find(node.group_name); known != group_numbers_.end()) {
        return known->second;
    }
    Group group;
    if (node.group_name) {
        const auto defined = text_.groups.find(*node.group_name);
        if (defined == text_.groups.end()) {
            problem(node, fmt::format("pg_name {} is not defined; allowed: a name in process_groups, or none for all "
                                      "ranks",
                                      in_quotes(*node.group_name)));
            return std::nullopt;
        }
        group.ranks = defined->second.ranks;
    } else {
        group.ranks.resize(workload_.trace.nics.size());
        std::iota(group.ranks.begin(), group.ranks.end(), 0U);
    }
    group.collectives.resize(group.ranks.size());
    groups_.push_back(std::move(group));
    return group_numbers_.emplace(node.group_name, groups_.size() - 1).first->second;
}

void Linker::join_group(std::size_t node)
{
    NodeText& collective = nodes_[node];
    const std::optional<std::size_t> number = group_of(collective);
    if (!number) {
        return;
    }
    Group& group = groups_[*number];
    const auto member = std::find(group.ranks.begin(), group.ranks.end(), collective.node.rank);
    if (member == group.ranks.end()) {
        problem(collective, fmt::format("its rank is not in process group {}", in_quotes(*collective.group_name)));
        return;
    }
    collective.node.group = *number;
    group.collectives[static_cast<std::size_t>(member - group.ranks.begin())].push_back(node);
}

void Linker::check_collectives(const Group& group)
{
    for (std::size_t member = 0; member < group.ranks.size(); ++member) {
        const std::vector<std::size_t>& expected = group.collectives.front();
        const std::vector<std::size_t>& own = group.collectives[member];
        for (std::size_t turn = 0; turn < std::min(own.size(), expected.size()); ++turn) {
            const NodeText& node = nodes_[own[turn]];
            const NodeText& first = nodes_[expected[turn]];
            if (node.kind != first.kind || node.bytes != first.bytes || node.root != first.root) {
                problem(node, fmt::format("collective {} of its process group differs from that of {}; allowed: the "
                                          "same comm_type, comm_size and comm_root on every rank",
                                          turn + 1, name_of(first.node)));
            }
            check_root(group, node);
        }
        if (own.size() != expected.size()) {
            const bool more = own.size() > expected.size();
            const std::vector<std::size_t>& longer = more ? own : expected;
            problem(nodes_[longer[std::min(own.size(), expected.size())]],
                    fmt::format("rank {} has only {} collectives of this process group, not {}",
                                group.ranks[more ? 0 : member], std::min(own.size(), expected.size()), longer.size()));
        }
    }
}

void Linker::check_root(const Group& group, const NodeText& node)
{
    if (node.root && std::find(group.ranks.begin(), group.ranks.end(), *node.root) == group.ranks.end()) {
        problem(node, fmt::format("comm_root {} is not in the process group; allowed: one of its ranks", *node.root));
    }
}

void Linker::make_messages()
{
    std::vector<std::size_t> turns(groups_.size());  // collectives made so far
    for (std::size_t node = 0; node < node_count(); ++node) {
        const TraceNode& what = nodes_[node].node;
        const Point started{PointKind::node_started, node};
        const Point ended{PointKind::node_ended, node};
        if (what.type == NodeType::send) {
            make_transfer(node);
        } else if (what.type == NodeType::receive) {
            wait(started, ended);  // [WL-54] the transfer may come earlier
        } else if (what.type == NodeType::collective) {
            const Group& group = groups_[what.group];
            wait({PointKind::node_released, node}, ended);
            // Where its first rank has it: the others have theirs made already.
            if (what.rank == *std::min_element(group.ranks.begin(), group.ranks.end())) {
                make_collective(group, turns[what.group]++);
            }
        } else if (what.duration == 0) {
            wait(started, ended);
        }
        workload_.trace.nodes.push_back(what);
    }
}

void Linker::make_transfer(std::size_t send)
{
    const NodeText& node = nodes_[send];
    Message message;
    const std::size_t index = workload_.messages.size();
    message.id = index + 1;
    message.source = workload_.trace.nics[node.node.rank];
    message.destination = workload_.trace.nics[node.peer];
    message.bytes = node.bytes;
    message.start_kind = StartKind::waits;
    workload_.messages.push_back(message);
    wait({PointKind::node_started, send}, {PointKind::message_due, index});
    wait({PointKind::message_sent, index}, {PointKind::node_ended, send});
    wait({PointKind::message_received, index}, {PointKind::node_ended, *receive_of_[send]});
}

void Linker::make_collective(const Group& group, std::size_t turn)
{
    std::vector<std::size_t> nodes;
    std::vector<Point> starts;
    for (const std::vector<std::size_t>& collectives : group.collectives) {
        nodes.push_back(collectives[turn]);
        starts.push_back({PointKind::node_released, collectives[turn]});
    }
    const std::vector<CollectiveShare> shares = expand_collective(group, nodes_[nodes.front()], starts);
    for (std::size_t member = 0; member < nodes.size(); ++member) {
        const Point ended{PointKind::node_ended, nodes[member]};
        for (const std::size_t message : shares[member].sends) {
            wait({PointKind::message_sent, message}, ended);
        }
        for (const std::size_t message : shares[member].receives) {
            wait({PointKind::message_received, message}, ended);
        }
    }
}

std::vector<CollectiveShare> Linker::expand_collective(const Group& group, const NodeText& first,
                                                       const std::vector<Point>& starts)
{
    Collective collective;
    collective.kind = first.kind;
    collective.bytes = first.bytes;
    collective.in_turn = options_.all_to_all_in_turn;
    for (const std::uint32_t rank : group.ranks) {
        collective.nics.push_back(workload_.trace.nics[rank]);
    }
    if (first.root) {
        const auto root = std::find(group.ranks.begin(), group.ranks.end(), *first.root);
        collective.root = static_cast<std::size_t>(root - group.ranks.begin());
    }
    if (!options_.barrier_before_collectives || group.ranks.size() < 2) {
        return expand(collective, starts, workload_);
    }
    // [WL-56] A rank has passed the barrier when it has received its last step; that follows all the others.
    const Collective barrier{CollectiveKind::barrier, 0, collective.nics};
    std::vector<CollectiveShare> barrier_shares = expand(barrier, starts, workload_);
    std::vector<Point> passed;
    for (const CollectiveShare& share : barrier_shares) {
        passed.push_back({PointKind::message_received, share.receives.back()});
    }
    std::vector<CollectiveShare> shares = expand(collective, passed, workload_);
    for (std::size_t member = 0; member < shares.size(); ++member) {
        shares[member].sends.insert(shares[member].sends.begin(), barrier_shares[member].sends.begin(),
                                    barrier_shares[member].sends.end());
        shares[member].receives.insert(shares[member].receives.begin(), barrier_shares[member].receives.begin(),
                                       barrier_shares[member].receives.end());
    }
    return shares;
}

}  // namespace

Workload read_trace(const std::vector<TraceFile>& files, const TraceOptions& options)
{
    TraceProblems problems{files};
    TraceText text = read_trace_text(files, options.compute_shares, problems);
    problems.throw_if_any();
    Workload workload = Linker{std::move(text), options, problems}.link();
    workload.file = files.front().name;
    return workload;
}

std::vector<TraceFile> read_trace_files(const std::string& path)
{
    constexpr std::string_view kFirst = ".0.json";
    std::vector<TraceFile> files{{path, read_text_file(path)}};
    if (path.size() < kFirst.size() || path.compare(path.size() - kFirst.size(), kFirst.size(), kFirst) != 0) {
        return files;
    }
    const std::string stem = path.substr(0, path.size() - kFirst.size());
    for (std::size_t rank = 1;; ++rank) {
        const std::string next = fmt::format("{}.{}.json", stem, rank);
        if (!std::filesystem::exists(next)) {
            return files;
        }
        files.push_back({next, read_text_file(next)});
    }
}

}  // namespace mrcnic::workload
