#include "mrcnic/workload/chakra_text.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostBytes = 1'000'000'000'000;  // as workload.MessageBytes
constexpr std::uint64_t kHighestRank = 65'535;
constexpr Picoseconds kMicrosecond = 1'000'000;

/// A word of the schema with its number there, and what it is here.
template <typename T>
struct Word {
    std::string_view name;
    std::uint64_t number;
    T meaning;
};

constexpr std::array<Word<NodeType>, 7> kNodeTypes{{{"METADATA_NODE", 1, NodeType::metadata},
                                                    {"MEM_LOAD_NODE", 2, NodeType::memory_load},
                                                    {"MEM_STORE_NODE", 3, NodeType::memory_store},
                                                    {"COMP_NODE", 4, NodeType::compute},
                                                    {"COMM_SEND_NODE", 5, NodeType::send},
                                                    {"COMM_RECV_NODE", 6, NodeType::receive},
                                                    {"COMM_COLL_NODE", 7, NodeType::collective}}};
constexpr std::array<Word<CollectiveKind>, 6> kCollectives{{{"ALL_REDUCE", 0, CollectiveKind::all_reduce},
                                                            {"ALL_GATHER", 2, CollectiveKind::all_gather},
                                                            {"BROADCAST", 5, CollectiveKind::broadcast},
                                                            {"ALL_TO_ALL", 6, CollectiveKind::all_to_all},
                                                            {"REDUCE_SCATTER", 7, CollectiveKind::reduce_scatter},
                                                            {"BARRIER", 9, CollectiveKind::barrier}}};

std::string in_words(const JsonValue& value)
{
    switch (value.kind) {
        case JsonValue::Kind::null:
            return "null";
        case JsonValue::Kind::boolean:
            return value.boolean ? "true" : "false";
        case JsonValue::Kind::integer:
            return fmt::format("{}{}", value.negative ? "-" : "", value.magnitude);
        case JsonValue::Kind::real:
            return fmt::format("{}", value.real);
        case JsonValue::Kind::text:
            return in_quotes(value.text);
        case JsonValue::Kind::array:
            return "an array";
        case JsonValue::Kind::object:
            break;
    }
    return "an object";
}

[[noreturn]] void refuse(const JsonValue& value, std::string_view name, const std::string& allowed)
{
    throw JsonProblem{value.offset, fmt::format("{} {} is wrong; allowed: {}", name, in_words(value), allowed)};
}

/// A whole number; 64-bit numbers of the schema are texts of digits in JSON.
std::uint64_t read_number(const JsonValue& value, std::string_view name, std::uint64_t lowest, std::uint64_t highest)
{
    std::optional<std::uint64_t> number;
    if (value.kind == JsonValue::Kind::integer && !value.negative) {
        number = value.magnitude;
    } else if (value.kind == JsonValue::Kind::text) {
        try {
            number = parse_number(Token{value.text}, name, 0, kAnyNumber);
        } catch (const LineProblem&) {
            number.reset();  // told below
        }
    }
    if (!number || *number < lowest || *number > highest) {
        refuse(value, name, fmt::format("a whole number in {}..{}", lowest, highest));
    }
    return *number;
}

template <typename T, std::size_t N>
T read_word(const JsonValue& value, std::string_view name, const std::array<Word<T>, N>& words)
{
    const bool is_number = value.kind == JsonValue::Kind::integer || (!value.text.empty() && is_digit(value.text[0]));
    std::string known;
    for (const Word<T>& word : words) {
        if (is_number ? read_number(value, name, 0, kAnyNumber) == word.number : value.text == word.name) {
            return word.meaning;
        }
        known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", word.name, word.number);
    }
    refuse(value, name, known);
}

bool read_flag(const JsonValue& value, std::string_view name)
{
    if (value.kind != JsonValue::Kind::boolean) {
        refuse(value, name, "true or false");
    }
    return value.boolean;
}

/// Microseconds, maybe with decimals, to the nearest picosecond.
Picoseconds read_duration(const JsonValue& value, std::string_view name)
{
    constexpr auto kLongest = static_cast<std::uint64_t>(kLatestStart / kMicrosecond);
    if (value.kind != JsonValue::Kind::real) {
        return static_cast<Picoseconds>(read_number(value, name, 0, kLongest)) * kMicrosecond;
    }
    if (!(value.real >= 0.0 && value.real <= static_cast<double>(kLongest))) {
        refuse(value, name, fmt::format("microseconds in 0..{}", kLongest));
    }
    return std::llround(value.real * static_cast<double>(kMicrosecond));
}

const JsonValue& require_kind(const JsonValue& value, std::string_view name, JsonValue::Kind kind)
{
    if (value.kind != kind) {
        refuse(value, name, kind == JsonValue::Kind::array ? "an array" : "an object");
    }
    return value;
}

/// The schema's attributes of a node: an object of names and values, or an array of objects with a name and one value.
class Attributes {
public:
    explicit Attributes(const JsonValue& node) : node_{node}
    {
        const JsonValue* const attributes = node.find("attr");
        if (attributes == nullptr) {
            return;
        }
        if (attributes->kind == JsonValue::Kind::object) {
            for (std::size_t i = 0; i < attributes->names.size(); ++i) {
                values_.emplace(attributes->names[i], &attributes->items[i]);
            }
            return;
        }
        for (const JsonValue& attribute : require_kind(*attributes, "attr", JsonValue::Kind::array).items) {
            add(require_kind(attribute, "an entry of attr", JsonValue::Kind::object));
        }
    }

    [[nodiscard]] const JsonValue* find(std::string_view name) const
    {
        const auto found = values_.find(name);
        return found == values_.end() ? nullptr : found->second;
    }
    [[nodiscard]] const JsonValue& require(std::string_view name, NodeType type) const
    {
        if (const JsonValue* const value = find(name)) {
            return *value;
        }
        throw JsonProblem{node_.offset, fmt::format("a {} needs the attribute {}", to_string(type), name)};
    }

private:
    void add(const JsonValue& attribute)
    {
        const JsonValue* const name = attribute.find("name");
        if (name == nullptr || name->kind != JsonValue::Kind::text) {
            throw JsonProblem{attribute.offset,
                              "an entry of attr has no name; allowed: {\"name\": ..., \"..._val\": ...}"};
        }
        for (std::size_t i = 0; i < attribute.names.size(); ++i) {
            const std::string& member = attribute.names[i];
            if (member != "name" && member != "doc_string" && member != "docString") {
                values_.emplace(name->text, &attribute.items[i]);
                return;
            }
        }
    }

    const JsonValue& node_;
    std::map<std::string, const JsonValue*, std::less<>> values_;
};

/// A field of the schema, by its name there or by that of its JSON form.
const JsonValue* find_field(const JsonValue& object, std::string_view name, std::string_view json_name)
{
    const JsonValue* const field = object.find(name);
    return field != nullptr ? field : object.find(json_name);
}

class TextReader {
public:
    TextReader(const std::vector<TraceFile>& files, bool compute_shares, TraceProblems& problems)
        : files_{files}, compute_shares_{compute_shares}, problems_{problems}
    {
    }

    TraceText read();

private:
    void read_file(std::size_t file);
    void read_values(const std::vector<JsonValue>& values);
    void read_ranks(const JsonValue& ranks);
    void read_rank(const JsonValue& rank, std::size_t expected);
    void read_groups(const JsonValue& document);
    void read_nodes(const std::vector<const JsonValue*>& nodes);
    [[nodiscard]] NodeText read_node(const JsonValue& value);
    void read_dependencies(const JsonValue& value, NodeText& node) const;
    void read_duration_of(const JsonValue& value, const Attributes& attributes, NodeText& node) const;
    void read_transfer(const Attributes& attributes, NodeText& node) const;
    void read_collective(const Attributes& attributes, NodeText& node) const;

    const std::vector<TraceFile>& files_;
    bool compute_shares_;
    TraceProblems& problems_;
    TraceText text_;
    std::size_t file_{0};  // at work
};

TraceText TextReader::read()
{
    for (file_ = 0; file_ < files_.size(); ++file_) {
        try {
            read_values(parse_json(files_[file_].text));
        } catch (const JsonProblem& problem) {  // nothing in this file can be relied on
            problems_.add({file_, problem.offset}, problem.reason);
            problems_.throw_if_any();
        }
    }
    return std::move(text_);
}

void TextReader::read_values(const std::vector<JsonValue>& values)
{
    const JsonValue& first = require_kind(values.front(), "a trace as", JsonValue::Kind::object);
    std::vector<const JsonValue*> nodes;
    if (const JsonValue* const ranks = first.find("ranks"); ranks != nullptr && values.size() == 1) {
        read_groups(first);
        read_ranks(*ranks);
        return;
    }
    if (const JsonValue* const list = first.find("nodes"); list != nullptr && values.size() == 1) {
        read_groups(first);
        for (const JsonValue& node : require_kind(*list, "nodes", JsonValue::Kind::array).items) {
            nodes.push_back(&node);
        }
    } else if (first.find("type") == nullptr && (values.size() > 1 || first.find("version") != nullptr)) {
        for (std::size_t i = 1; i < values.size(); ++i) {  // behind the metadata of the whole trace
            nodes.push_back(&values[i]);
        }
    } else if (first.find("type") != nullptr) {
        for (const JsonValue& value : values) {
            nodes.push_back(&value);
        }
    } else {
        throw JsonProblem{
            first.offset,
            "this is no execution trace; allowed: an object with \"ranks\" (all of them) or \"nodes\" (of "
            "one rank), or nodes one after another"};
    }
    read_nodes(nodes);
}

void TextReader::read_ranks(const JsonValue& ranks)
{
    if (files_.size() > 1) {
        throw JsonProblem{ranks.offset, "\"ranks\" in a file of one rank; allowed there: \"nodes\""};
    }
    const std::vector<JsonValue>& list = require_kind(ranks, "ranks", JsonValue::Kind::array).items;
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
        read_rank(require_kind(list[rank], "a rank as", JsonValue::Kind::object), rank);
    }
}

void TextReader::read_rank(const JsonValue& rank, std::size_t expected)
{
    if (const JsonValue* const number = rank.find("rank")) {
        (void)read_number(*number, "rank", expected, expected);
    }
    const JsonValue* const list = rank.find("nodes");
    if (list == nullptr) {
        throw JsonProblem{rank.offset, fmt::format("rank {} has no \"nodes\"", expected)};
    }
    std::vector<const JsonValue*> nodes;
    for (const JsonValue& node : require_kind(*list, "nodes", JsonValue::Kind::array).items) {
        nodes.push_back(&node);
    }
    read_nodes(nodes);
}

void TextReader::read_groups(const JsonValue& document)
{
    const JsonValue* const groups = find_field(document, "process_groups", "processGroups");
    if (groups == nullptr) {
        return;
    }
    if (file_ > 0) {
        throw JsonProblem{groups->offset, "process groups stand in the file of rank 0"};
    }
    require_kind(*groups, "process_groups", JsonValue::Kind::object);
    for (std::size_t i = 0; i < groups->names.size(); ++i) {
        GroupText& group = text_.groups[groups->names[i]];
        group.place = {file_, groups->items[i].offset};
        std::set<std::uint64_t> known;
        for (const JsonValue& member :
             require_kind(groups->items[i], "a process group", JsonValue::Kind::array).items) {
            const std::uint64_t rank = read_number(member, "rank", 0, kHighestRank);
            if (!known.insert(rank).second) {
                throw JsonProblem{member.offset, fmt::format("rank {} stands twice in this group", rank)};
            }
            group.ranks.push_back(static_cast<std::uint32_t>(rank));
        }
    }
}

void TextReader::read_nodes(const std::vector<const JsonValue*>& nodes)
{
    text_.ranks.emplace_back();
    if (text_.ranks.size() > kHighestRank + 1) {
        throw JsonProblem{0, fmt::format("more than {} ranks", kHighestRank + 1)};
    }
    for (const JsonValue* const value : nodes) {
        try {
            text_.ranks.back().push_back(read_node(require_kind(*value, "a node as", JsonValue::Kind::object)));
        } catch (const JsonProblem& problem) {
            const JsonValue* const id = value->find("id");
            problems_.add({file_, problem.offset}, fmt::format("rank {}, node {}: {}", text_.ranks.size() - 1,
                                                               id == nullptr ? "0" : in_words(*id), problem.reason));
            if (problems_.full()) {
                problems_.throw_if_any();
            }
        }
    }
}

NodeText TextReader::read_node(const JsonValue& value)
{
    NodeText node;
    node.place = {file_, value.offset};
    node.node.rank = static_cast<std::uint32_t>(text_.ranks.size() - 1);
    if (const JsonValue* const id = value.find("id")) {  // the JSON form leaves out what is 0
        node.node.id = read_number(*id, "id", 0, kAnyNumber);
    }
    if (const JsonValue* const name = value.find("name")) {
        node.node.name = name->text;
    }
    const JsonValue* const type = value.find("type");
    if (type == nullptr) {
        throw JsonProblem{value.offset, "the node has no type"};
    }
    node.node.type = read_word(*type, "type", kNodeTypes);
    read_dependencies(value, node);
    const Attributes attributes{value};
    switch (node.node.type) {
        case NodeType::metadata:
            break;
        case NodeType::memory_load:
        case NodeType::memory_store:
        case NodeType::compute:
            read_duration_of(value, attributes, node);
            break;
        case NodeType::send:
        case NodeType::receive:
            read_transfer(attributes, node);
            break;
        case NodeType::collective:
            read_collective(attributes, node);
            break;
    }
    return node;
}

// [WL-50] Both kinds alike.
void TextReader::read_dependencies(const JsonValue& value, NodeText& node) const
{
    constexpr std::array<std::array<std::string_view, 2>, 2> kFields{
        {{"ctrl_deps", "ctrlDeps"}, {"data_deps", "dataDeps"}}};
    for (const auto& [name, json_name] : kFields) {
        if (const JsonValue* const list = find_field(value, name, json_name)) {
            for (const JsonValue& id : require_kind(*list, name, JsonValue::Kind::array).items) {
                node.dependencies.push_back({read_number(id, name, 0, kAnyNumber), {file_, id.offset}});
            }
        }
    }
}

// [WL-51, WL-53]
void TextReader::read_duration_of(const JsonValue& value, const Attributes& attributes, NodeText& node) const
{
    const JsonValue* const cpu = attributes.find("is_cpu_op");
    const bool is_cpu = cpu != nullptr && read_flag(*cpu, "is_cpu_op");
    node.node.shares = compute_shares_ && node.node.type == NodeType::compute && !is_cpu;
    if (const JsonValue* const duration = find_field(value, "duration_micros", "durationMicros")) {
        node.node.duration = read_duration(*duration, "duration_micros");
        return;
    }
    for (const std::string_view work : {"num_ops", "tensor_size"}) {
        if (const JsonValue* const amount = attributes.find(work)) {
            throw JsonProblem{amount->offset,
                              fmt::format("{} without duration_micros; this model has no speed of computing or of "
                                          "memory, so the node needs its duration",
                                          work)};
        }
    }
}

// [WL-54]
void TextReader::read_transfer(const Attributes& attributes, NodeText& node) const
{
    const NodeType type = node.node.type;
    const bool sends = type == NodeType::send;
    const std::string_view peer = sends ? "comm_dst" : "comm_src";
    const std::string_view self = sends ? "comm_src" : "comm_dst";
    node.peer = static_cast<std::uint32_t>(read_number(attributes.require(peer, type), peer, 0, kHighestRank));
    if (const JsonValue* const rank = attributes.find(self)) {
        (void)read_number(*rank, self, node.node.rank, node.node.rank);
    }
    if (const JsonValue* const tag = attributes.find("comm_tag")) {
        node.tag = read_number(*tag, "comm_tag", 0, kAnyNumber);
    }
    const JsonValue* const size = sends ? &attributes.require("comm_size", type) : attributes.find("comm_size");
    node.has_bytes = size != nullptr;
    if (node.has_bytes) {
        node.bytes = read_number(*size, "comm_size", 0, kMostBytes);
    }
}

// [WL-55]
void TextReader::read_collective(const Attributes& attributes, NodeText& node) const
{
    const NodeType type = node.node.type;
    node.kind = read_word(attributes.require("comm_type", type), "comm_type", kCollectives);
    if (node.kind != CollectiveKind::barrier) {
        node.bytes = read_number(attributes.require("comm_size", type), "comm_size", 0, kMostBytes);
    }
    if (const JsonValue* const group = attributes.find("pg_name")) {
        node.group_name = group->kind == JsonValue::Kind::text
                              ? group->text
                              : std::to_string(read_number(*group, "pg_name", 0, kAnyNumber));
    }
    if (const JsonValue* const root = attributes.find("comm_root")) {
        node.root = static_cast<std::uint32_t>(read_number(*root, "comm_root", 0, kHighestRank));
    }
}

}  // namespace

TraceProblems::TraceProblems(const std::vector<TraceFile>& files) : files_{files}, problems_{files.front().name}
{
    for (const TraceFile& file : files) {
        places_.emplace_back(file.text);
    }
}

void TraceProblems::add(TracePlace place, const std::string& reason)
{
    const TextPlaces::Place at = places_[place.file].at(place.offset);
    problems_.add(at.line, at.column, reason, files_[place.file].name);
}

TraceText read_trace_text(const std::vector<TraceFile>& files, bool compute_shares, TraceProblems& problems)
{
    return TextReader{files, compute_shares, problems}.read();
}

std::string name_of(const TraceNode& node)
{
    return fmt::format("rank {}, node {}", node.rank, node.id);
}

}  // namespace mrcnic::workload
