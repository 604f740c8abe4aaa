#include "mrcnic/workload/connection_matrix.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/line_settings.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

struct ConnectionLine {
    Setting id, msg, start, trigger, size, send_done, recv_done, prio;
};
struct TriggerLine {
    Setting id, oneshot, multishot, barrier, count;
};
struct FailureLine {
    Setting switch_type, switch_id, link_id;
};

constexpr std::array<SettingRule<ConnectionLine>, 8> kConnectionRules{{
    {"id", &ConnectionLine::id, ValueKind::number, 1},
    {"msg", &ConnectionLine::msg, ValueKind::maybe_number, 1},
    {"start", &ConnectionLine::start, ValueKind::picoseconds, 0},
    {"trigger", &ConnectionLine::trigger, ValueKind::number, 0},
    {"size", &ConnectionLine::size, ValueKind::number, 1},
    {"send_done_trigger", &ConnectionLine::send_done, ValueKind::number, 0},
    {"recv_done_trigger", &ConnectionLine::recv_done, ValueKind::number, 0},
    {"prio", &ConnectionLine::prio, ValueKind::number, 0},
}};
constexpr std::array<SettingRule<TriggerLine>, 5> kTriggerRules{{
    {"id", &TriggerLine::id, ValueKind::number, 0},
    {"oneshot", &TriggerLine::oneshot, ValueKind::none, 0},
    {"multishot", &TriggerLine::multishot, ValueKind::none, 0},
    {"barrier", &TriggerLine::barrier, ValueKind::none, 0},
    {"count", &TriggerLine::count, ValueKind::number, 1},
}};
constexpr std::array<SettingRule<FailureLine>, 3> kFailureRules{{
    {"switch_type", &FailureLine::switch_type, ValueKind::switch_type, 0},
    {"switch_id", &FailureLine::switch_id, ValueKind::number, 0},
    {"link_id", &FailureLine::link_id, ValueKind::number, 0},
}};

/// A count of the header, and how many items came.
struct Header {
    std::string_view keyword;
    std::optional<std::uint64_t> value{};
    std::size_t line{0};  ///< 0: not in the file
    std::size_t column{0};
    std::uint64_t items{0};
    std::size_t first_item_line{0};

    void count_item(std::size_t at_line)
    {
        if (items++ == 0) {
            first_item_line = at_line;
        }
    }
};

class MatrixReader {
public:
    MatrixReader(std::string_view text, const std::string& file, std::uint32_t nic_count)
        : lines_{text}, problems_{file}, nic_count_{nic_count}
    {
        workload_.file = file;
    }

    Workload read();

private:
    enum class Role { starts, send_done, recv_done };
    /// A trigger that a connection names, perhaps before its line [WL-21].
    struct Reference {
        std::size_t message;
        Role role;
        std::uint64_t trigger_id;
        std::size_t line;
        std::size_t column;
    };
    struct SharedConnection {
        std::size_t index;
        std::uint32_t source;
        std::uint32_t destination;
        std::size_t line;
    };
    struct KnownTrigger {
        std::size_t index;
        std::size_t line;
    };

    [[nodiscard]] std::size_t line() const noexcept { return lines_.number(); }
    void read_line(Words& words);
    void read_header(Words& words);
    void read_connection(Words& words);
    void read_trigger(Words& words);
    void read_failure(Words& words);
    [[nodiscard]] std::uint32_t read_nic(const Token& token) const;
    void check_connection(const ConnectionLine& settings, std::size_t column) const;
    void add_message(const ConnectionLine& settings, Message message, std::size_t column);
    void claim_message_id(std::uint64_t id, std::size_t column);
    [[nodiscard]] std::size_t shared_connection(std::uint64_t id, const Message& message, std::size_t column);
    void refer(const Setting& setting, std::size_t message, Role role);
    void check_counts();
    void resolve_triggers();

    LineCursor lines_;
    ProblemList problems_;
    std::uint32_t nic_count_;
    Workload workload_;
    Header nodes_{"Nodes"};
    Header connections_{"Connections"};
    Header triggers_{"Triggers"};
    Header failures_{"Failures"};
    std::array<Header*, 4> headers_{&nodes_, &connections_, &triggers_, &failures_};
    bool in_items_{false};
    std::map<std::uint64_t, std::size_t> message_lines_;  // by message id
    std::map<std::uint64_t, SharedConnection> shared_;    // by connection id
    std::map<std::uint64_t, KnownTrigger> known_triggers_;
    std::vector<Reference> references_;
};

Workload MatrixReader::read()
{
    read_lines(lines_, problems_, [this](Words& words) { read_line(words); });
    check_counts();
    resolve_triggers();
    problems_.throw_if_any();
    return std::move(workload_);
}

void MatrixReader::read_line(Words& words)
{
    const Token& first = words.peek();
    if (first.text == "trigger") {
        read_trigger(words);
    } else if (first.text == "failure") {
        read_failure(words);
    } else if (is_digit(first.text.front()) || first.text == Words::kArrow || words.peek(1).text == Words::kArrow) {
        read_connection(words);
    } else {
        read_header(words);
    }
}

void MatrixReader::read_header(Words& words)
{
    const Token keyword = words.take("a keyword");
    const auto found = std::find_if(headers_.begin(), headers_.end(),
                                    [&keyword](const Header* header) { return header->keyword == keyword.text; });
    if (in_items_) {
        throw LineProblem{keyword.column, found != headers_.end()
                                              ? fmt::format("\"{}\" must stand before the first item", keyword.text)
                                              : fmt::format("unknown item {}; allowed are SRC->DST, trigger, failure",
                                                            in_quotes(keyword.text))};
    }
    if (found == headers_.end()) {
        return;  // [WL-11] unknown header words are ignored
    }
    Header& header = **found;
    if (header.line != 0) {
        throw LineProblem{keyword.column,
                          fmt::format("\"{}\" was already given on line {}", keyword.text, header.line)};
    }
    header.line = line();
    const Token& number = words.take(fmt::format("the number of {}", keyword.text));
    header.column = number.column;
    header.value = parse_number(number, keyword.text, 0, std::numeric_limits<std::uint64_t>::max());
    if (!words.done()) {
        const Token& rest = words.peek();
        throw LineProblem{rest.column, fmt::format("unexpected {} after \"{} {}\"", in_quotes(rest.text), keyword.text,
                                                   *header.value)};
    }
    if (&header == &nodes_ && *header.value > nic_count_) {
        throw LineProblem{number.column,
                          fmt::format("Nodes {} is more than the fabric's {} NICs", *header.value, nic_count_)};
    }
}

void MatrixReader::read_connection(Words& words)
{
    in_items_ = true;
    connections_.count_item(line());
    const std::size_t column = words.peek().column;
    Message message;
    message.source = read_nic(words.take("the source"));
    if (const Token& arrow = words.take("\"->\""); arrow.text != Words::kArrow) {
        throw LineProblem{arrow.column,
                          fmt::format("expected \"->\" between source and destination, not {}", in_quotes(arrow.text))};
    }
    message.destination = read_nic(words.take("the destination"));
    if (message.source == message.destination) {
        throw LineProblem{column, fmt::format("source and destination are both NIC {}", message.source)};
    }
    const ConnectionLine settings = read_settings(words, kConnectionRules);
    check_connection(settings, column);
    add_message(settings, message, column);
}

std::uint32_t MatrixReader::read_nic(const Token& token) const
{
    // `Nodes` may be below the number of NICs; where it is above, that is one problem already.
    return parse_nic(token, "NIC", nodes_.value.value_or(nic_count_));
}

void MatrixReader::check_connection(const ConnectionLine& settings, std::size_t column) const
{
    if (settings.start.given && settings.trigger.given) {
        throw LineProblem{std::max(settings.start.column, settings.trigger.column),
                          "a connection has either \"start\" or \"trigger\", not both"};
    }
    if (!settings.start.given && !settings.trigger.given) {
        throw LineProblem{column, "the connection never starts; give it \"start\" or \"trigger\""};
    }
    if (settings.trigger.given && (!settings.id.given || settings.id.column > settings.trigger.column)) {
        throw LineProblem{settings.trigger.column,
                          "\"id\" must stand before \"trigger\" where a trigger starts the connection"};
    }
    if (!settings.size.given) {
        throw LineProblem{column, "the connection has no \"size\""};
    }
}

void MatrixReader::add_message(const ConnectionLine& settings, Message message, std::size_t column)
{
    const std::uint64_t ordinal = connections_.items;
    const std::uint64_t connection_id = settings.id.given ? settings.id.value : ordinal;
    message.id = settings.msg.given ? ordinal : connection_id;
    message.bytes = settings.size.value;
    message.start = static_cast<Picoseconds>(settings.start.value);
    message.start_kind = settings.trigger.given ? StartKind::trigger : StartKind::at_time;
    claim_message_id(message.id, settings.id.given ? settings.id.value_column : column);
    message.connection =
        settings.msg.given ? shared_connection(connection_id, message, column) : workload_.connections++;
    refer(settings.trigger, workload_.messages.size(), Role::starts);
    refer(settings.send_done, workload_.messages.size(), Role::send_done);
    refer(settings.recv_done, workload_.messages.size(), Role::recv_done);
    workload_.messages.push_back(message);
}

void MatrixReader::claim_message_id(std::uint64_t id, std::size_t column)
{
    const auto [known, is_new] = message_lines_.emplace(id, line());
    if (!is_new) {
        throw LineProblem{column,
                          fmt::format("message id {} is already that of line {}; a line with \"msg\" or without "
                                      "\"id\" has its ordinal as message id",
                                      id, known->second)};
    }
}

std::size_t MatrixReader::shared_connection(std::uint64_t id, const Message& message, std::size_t column)
{
    const SharedConnection fresh{workload_.connections, message.source, message.destination, line()};
    const auto [known, is_new] = shared_.emplace(id, fresh);
    const SharedConnection& connection = known->second;
    if (connection.source != message.source || connection.destination != message.destination) {
        throw LineProblem{column, fmt::format("connection {} goes {}->{} on line {}", id, connection.source,
                                              connection.destination, connection.line)};
    }
    if (is_new) {
        ++workload_.connections;
    }
    return connection.index;
}

void MatrixReader::refer(const Setting& setting, std::size_t message, Role role)
{
    if (setting.given) {
        references_.push_back({message, role, setting.value, line(), setting.value_column});
    }
}

void MatrixReader::read_trigger(Words& words)
{
    in_items_ = true;
    triggers_.count_item(line());
    const std::size_t column = words.take("\"trigger\"").column;
    const auto settings = read_settings(words, kTriggerRules);
    const int kinds = int{settings.oneshot.given} + int{settings.multishot.given} + int{settings.barrier.given};
    if (!settings.id.given) {
        throw LineProblem{column, "the trigger has no \"id\""};
    }
    // Known even if the rest is wrong: those that refer to it are right.
    const auto [known, is_new] =
        known_triggers_.emplace(settings.id.value, KnownTrigger{workload_.triggers.size(), line()});
    if (!is_new) {
        throw LineProblem{settings.id.value_column, fmt::format("trigger {} is already defined on line {}",
                                                                settings.id.value, known->second.line)};
    }
    const TriggerKind kind = settings.barrier.given     ? TriggerKind::barrier
                             : settings.multishot.given ? TriggerKind::multishot
                                                        : TriggerKind::oneshot;
    workload_.triggers.push_back({settings.id.value, kind, settings.count.given ? settings.count.value : 1});
    if (kinds != 1) {
        throw LineProblem{column, "a trigger is exactly one of \"oneshot\", \"multishot\" and \"barrier\""};
    }
    if (settings.barrier.given != settings.count.given) {
        throw LineProblem{column, "\"barrier\" and \"count\" go together"};
    }
}

void MatrixReader::read_failure(Words& words)
{
    in_items_ = true;
    failures_.count_item(line());
    const std::size_t column = words.take("\"failure\"").column;
    const auto settings = read_settings(words, kFailureRules);
    for (const SettingRule<FailureLine>& rule : kFailureRules) {
        if (!(settings.*rule.setting).given) {
            throw LineProblem{column, fmt::format("the failure has no \"{}\"", rule.keyword)};
        }
    }
    workload_.failures.push_back({static_cast<SwitchKind>(settings.switch_type.value), settings.switch_id.value,
                                  settings.link_id.value, line(), column});
}

void MatrixReader::check_counts()
{
    for (const Header* header : {&nodes_, &connections_}) {
        if (header->line == 0) {
            problems_.add(std::max<std::size_t>(line(), 1), 1,
                          fmt::format("the header has no \"{}\"", header->keyword));
        }
    }
    for (const Header* header : {&connections_, &triggers_, &failures_}) {
        if (header->value && *header->value != header->items) {
            problems_.add(header->line, header->column,
                          fmt::format("{} {}, but the file has {}", header->keyword, *header->value, header->items));
        } else if (header->line == 0 && header != &connections_ && header->items != 0) {
            problems_.add(header->first_item_line, 1,
                          fmt::format("the file has {0} {1} here and below, but no header \"{1} {0}\"", header->items,
                                      header->keyword));
        }
    }
}

void MatrixReader::resolve_triggers()
{
    // A trigger line that could not be read may have been the one that is missing.
    const bool all_known = known_triggers_.size() == triggers_.items;
    for (const Reference& reference : references_) {
        const auto known = known_triggers_.find(reference.trigger_id);
        if (known == known_triggers_.end()) {
            if (all_known) {
                problems_.add(reference.line, reference.column,
                              fmt::format("trigger {} is never defined", reference.trigger_id));
            }
            continue;
        }
        Message& message = workload_.messages[reference.message];
        const std::size_t index = known->second.index;
        switch (reference.role) {
            case Role::starts:
                message.trigger = index;
                break;
            case Role::send_done:
                message.fires_at_send_done = index;
                break;
            case Role::recv_done:
                message.fires_at_recv_done = index;
                break;
        }
    }
}

}  // namespace

Workload read_connection_matrix(std::string_view text, const std::string& file, std::uint32_t nic_count)
{
    return MatrixReader{text, file, nic_count}.read();
}

}  // namespace mrcnic::workload
