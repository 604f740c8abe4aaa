#include "mrcnic/workload/message_list.h"

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
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

enum Column : std::size_t { kId, kSource, kDestination, kBytes, kStart, kAfter, kQp };

constexpr std::array<std::string_view, 7> kColumns{"id", "src", "dst", "bytes", "start_ps", "after", "qp"};
constexpr std::size_t kLeastColumns = 5;
constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kHighestQp = 0xFF'FFFF;  // QP numbers have 24 bits [TR-2]
constexpr std::size_t kLongestCycleText = 8;

/// The fields between the commas, without the blanks around them.
std::vector<Token> split_fields(std::string_view line)
{
    std::vector<Token> fields;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t comma = std::min(line.find(',', begin), line.size());
        std::size_t end = comma;
        while (begin < end && is_blank(line[begin])) {
            ++begin;
        }
        while (end > begin && is_blank(line[end - 1])) {
            --end;
        }
        fields.push_back({line.substr(begin, end - begin), begin + 1});
        if (comma == line.size()) {
            return fields;
        }
        begin = comma + 1;
    }
}

class ListReader {
public:
    ListReader(std::string_view text, const std::string& file, std::uint32_t nic_count)
        : lines_{text}, problems_{file}, nic_count_{nic_count}
    {
        workload_.file = file;
    }

    Workload read();

private:
    /// Where a message stands in the file, and for which it waits.
    struct Row {
        std::size_t line;
        std::uint64_t after_id;
        std::size_t after_column;
        std::size_t after;  // index of the message with that id
    };

    [[nodiscard]] std::size_t line() const noexcept { return lines_.number(); }
    void read_line(const std::vector<Token>& fields);
    void read_header(const std::vector<Token>& fields);
    void read_row(const std::vector<Token>& fields);
    void claim_id(const Token& field, std::uint64_t id);
    void resolve_after();
    void find_cycles();
    void report_cycle(std::size_t member);

    LineCursor lines_;
    ProblemList problems_;
    std::uint32_t nic_count_;
    Workload workload_;
    std::size_t columns_{0};  // 0: the header is still to come
    std::vector<Row> rows_of_messages_;
    std::map<std::uint64_t, std::size_t> lines_of_ids_;
};

Workload ListReader::read()
{
    while (const std::optional<std::string_view> text = lines_.next()) {
        const std::vector<Token> fields = split_fields(*text);
        if (fields.front().text.substr(0, 1) == "#" || (fields.size() == 1 && fields.front().text.empty())) {
            continue;
        }
        try {
            read_line(fields);
        } catch (LineProblem& problem) {
            problems_.add(line(), problem.column, std::move(problem.reason));
        }
        if (problems_.full() || columns_ == 0) {
            problems_.throw_if_any();
        }
    }
    if (columns_ == 0) {
        problems_.add(std::max<std::size_t>(line(), 1), 1,
                      "the first line, \"id,src,dst,bytes,start_ps,after,qp\", is missing");
    }
    resolve_after();
    problems_.throw_if_any();
    find_cycles();
    problems_.throw_if_any();
    return std::move(workload_);
}

void ListReader::read_line(const std::vector<Token>& fields)
{
    if (columns_ == 0) {
        read_header(fields);
    } else {
        read_row(fields);
    }
}

void ListReader::read_header(const std::vector<Token>& fields)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Token& field = fields[i];
        if (i >= kColumns.size()) {
            throw LineProblem{field.column,
                              fmt::format("unexpected column {}; the last one is qp", in_quotes(field.text))};
        }
        if (field.text != kColumns[i]) {
            throw LineProblem{field.column, fmt::format("column {} is {}, expected \"{}\"; the first line is "
                                                        "\"id,src,dst,bytes,start_ps,after,qp\"",
                                                        i + 1, in_quotes(field.text), kColumns[i])};
        }
    }
    if (fields.size() < kLeastColumns) {
        throw LineProblem{
            1, fmt::format("the column \"{}\" is missing; only after and qp may be", kColumns[fields.size()])};
    }
    columns_ = fields.size();
}

void ListReader::read_row(const std::vector<Token>& fields)
{
    if (fields.size() > columns_) {
        throw LineProblem{fields[columns_].column,
                          fmt::format("{} fields, but the first line names {}", fields.size(), columns_)};
    }
    if (fields.size() < kLeastColumns) {
        throw LineProblem{1, fmt::format("{} fields; at least {} are needed", fields.size(), kLeastColumns)};
    }
    const auto is_given = [&fields](Column column) { return column < fields.size() && !fields[column].text.empty(); };
    Message message;
    message.id = parse_number(fields[kId], "id", 1, kAnyNumber);
    claim_id(fields[kId], message.id);
    message.source = parse_nic(fields[kSource], "src", nic_count_);
    message.destination = parse_nic(fields[kDestination], "dst", nic_count_);
    if (message.source == message.destination) {
        throw LineProblem{fields[kSource].column,
                          fmt::format("source and destination are both NIC {}", message.source)};
    }
    message.bytes = parse_number(fields[kBytes], "bytes", 0, kAnyNumber);
    message.start =
        static_cast<Picoseconds>(parse_number(fields[kStart], "start_ps", 0, static_cast<std::uint64_t>(kLatestStart)));
    Row row{line(), 0, 0, 0};
    if (is_given(kAfter)) {
        message.start_kind = StartKind::waits;
        row.after_id = parse_number(fields[kAfter], "after", 1, kAnyNumber);
        row.after_column = fields[kAfter].column;
    }
    if (is_given(kQp)) {
        message.qp = static_cast<std::uint32_t>(parse_number(fields[kQp], "qp", 0, kHighestQp));
    }
    workload_.messages.push_back(message);
    rows_of_messages_.push_back(row);
}

void ListReader::claim_id(const Token& field, std::uint64_t id)
{
    const auto [known, is_new] = lines_of_ids_.emplace(id, line());
    if (!is_new) {
        throw LineProblem{field.column, fmt::format("id {} is already that of line {}", id, known->second)};
    }
}

void ListReader::resolve_after()
{
    std::map<std::uint64_t, std::size_t> messages;
    for (std::size_t i = 0; i < workload_.messages.size(); ++i) {
        messages.emplace(workload_.messages[i].id, i);
    }
    for (std::size_t i = 0; i < workload_.messages.size(); ++i) {
        if (workload_.messages[i].start_kind != StartKind::waits) {
            continue;
        }
        Row& row = rows_of_messages_[i];
        if (const auto found = messages.find(row.after_id); found != messages.end()) {
            row.after = found->second;
            workload_.waits.push_back({{PointKind::message_acknowledged, row.after}, {PointKind::message_due, i}});
        } else if (lines_of_ids_.count(row.after_id) == 0) {  // a row that is wrong has been reported already
            problems_.add(row.line, row.after_column, fmt::format("after: there is no message {}", row.after_id));
        }
    }
}

void ListReader::find_cycles()
{
    // Each message waits for at most one other: a walk along `after` either ends or comes back to itself.
    constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> walk_of(workload_.messages.size(), kUnseen);
    for (std::size_t first = 0; first < walk_of.size(); ++first) {
        std::size_t at = first;
        while (walk_of[at] == kUnseen) {
            walk_of[at] = first;
            if (workload_.messages[at].start_kind != StartKind::waits) {
                break;
            }
            at = rows_of_messages_[at].after;
            if (walk_of[at] == first) {
                report_cycle(at);
            }
        }
    }
}

void ListReader::report_cycle(std::size_t member)
{
    std::vector<std::size_t> cycle{member};
    for (std::size_t at = rows_of_messages_[member].after; at != member; at = rows_of_messages_[at].after) {
        cycle.push_back(at);
    }
    // Told from the message that stands first in the file.
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    const std::uint64_t first_id = workload_.messages[cycle.front()].id;
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kLongestCycleText); ++i) {
        text += fmt::format("{} -> ", workload_.messages[cycle[i]].id);
    }
    text += cycle.size() > kLongestCycleText ? fmt::format("... -> {}", first_id) : fmt::format("{}", first_id);
    const Row& row = rows_of_messages_[cycle.front()];
    problems_.add(row.line, row.after_column, fmt::format("after: message {} waits for itself: {}", first_id, text));
}

}  // namespace

Workload read_message_list(std::string_view text, const std::string& file, std::uint32_t nic_count)
{
    return ListReader{text, file, nic_count}.read();
}

}  // namespace mrcnic::workload
