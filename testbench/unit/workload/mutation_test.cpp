#include <algorithm>
#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/workload/chakra_trace.h"
#include "mrcnic/workload/connection_matrix.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/message_list.h"
#include "mrcnic/workload/size_distribution.h"
#include "mrcnic/workload/text_input.h"
#include "testbench/support/harness.h"

namespace mrcnic::workload {
namespace {

using Reader = Workload (*)(std::string_view, const std::string&, std::uint32_t);

constexpr std::uint32_t kNics = 4;

/// Changes a text here and there: bytes, whole lines, pieces that mean something to the readers.
class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_{seed} {}

    std::string mutate(std::string text)
    {
        for (std::size_t changes = below(6); changes > 0; --changes) {
            change(text);
        }
        return text;
    }

private:
    static constexpr std::array<std::string_view, 28> kPieces{"->",          ",",
                                                              "\n",          "\r\n",
                                                              "#",           "trigger",
                                                              "start",       "size",
                                                              "id",          "msg",
                                                              "count",       "barrier",
                                                              "oneshot",     "0",
                                                              "-1",          "18446744073709551616",
                                                              ".",           "4611686018427387903.5",
                                                              "{",           "}",
                                                              "[",           "]",
                                                              ":",           "\"",
                                                              "null",        "100",
                                                              "\"type\": 7", "-1e999"};

    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(random_() % limit); }

    void change(std::string& text)
    {
        const std::size_t at = below(text.size() + 1);
        switch (below(5)) {
            case 0:
                if (at < text.size()) {
                    text[at] = static_cast<char>(below(256));
                }
                break;
            case 1:
                text.erase(at, below(12));
                break;
            case 2:
                text.insert(at, kPieces[below(kPieces.size())]);
                break;
            case 3:
                text.insert(at, " " + std::string{kPieces[below(kPieces.size())]} + " ");
                break;
            default: {  // a line twice
                const std::size_t begin = text.rfind('\n', at) + 1;
                const std::size_t end = std::min(text.find('\n', begin), text.size());
                text.insert(begin, text.substr(begin, end - begin) + "\n");
                break;
            }
        }
    }

    std::mt19937_64 random_;
};

void expect_consistent(const Workload& workload)
{
    for (const Message& message : workload.messages) {
        ASSERT_NE(message.id, 0u);
        ASSERT_LT(message.source, kNics);
        ASSERT_LT(message.destination, kNics);
        ASSERT_NE(message.source, message.destination);
        ASSERT_GE(message.start, 0);
        ASSERT_LE(message.start, kLatestStart);
        ASSERT_TRUE(!message.connection || *message.connection < workload.connections);
        ASSERT_TRUE(message.start_kind != StartKind::trigger || message.trigger < workload.triggers.size());
    }
    for (const Wait& wait : workload.waits) {
        for (const Point& point : {wait.before, wait.after}) {
            ASSERT_LT(point.index, is_of_message(point.kind) ? workload.messages.size() : workload.trace.nodes.size());
        }
        ASSERT_NE(wait.before, wait.after);
    }
    for (const TraceNode& node : workload.trace.nodes) {
        ASSERT_LT(node.rank, workload.trace.nics.size());
        ASSERT_GE(node.duration, 0);
        ASSERT_TRUE(node.type != NodeType::collective || node.group < workload.trace.groups);
    }
}

/// Reads mutations of a good text: each makes a workload or an error with a line, and both happen.
void read_mutations(Reader read, const std::string& text)
{
    expect_consistent(read(text, "w", kNics));
    Mutator mutator{testbench::seed(20'250)};
    int good = 0;
    int bad = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string mutated = mutator.mutate(text);
        const auto lines = static_cast<std::size_t>(std::count(mutated.begin(), mutated.end(), '\n')) + 1;
        try {
            ASSERT_NO_FATAL_FAILURE(expect_consistent(read(mutated, "w", kNics))) << mutated;
            ++good;
        } catch (const InputError& error) {
            ASSERT_FALSE(error.problems().empty());
            for (const InputProblem& problem : error.problems()) {
                ASSERT_GE(problem.line, 1u) << mutated;
                ASSERT_LE(problem.line, lines) << mutated;
                ASSERT_GE(problem.column, 1u) << mutated;
                ASSERT_FALSE(problem.reason.empty());
            }
            ++bad;
        }
    }
    EXPECT_GT(good, 1'000);
    EXPECT_GT(bad, 1'000);
}

// [WL-10 .. WL-21]
TEST(Mutations, OfConnectionMatricesAreReadOrRefused)
{
    const std::string folder = MRCNIC_SOURCE_DIR "/testbench/data/";
    read_mutations(read_connection_matrix, read_text_file(folder + "barrier_4.cm"));
    read_mutations(read_connection_matrix, read_text_file(folder + "messages.cm"));
    read_mutations(read_connection_matrix,
                   "Nodes 4\nConnections 1\nFailures 1\n0->1 start 1.5 size 9 prio 3\n"
                   "failure switch_type TOR switch_id 0 link_id 0\n");
}

// [WL-30 .. WL-33]
TEST(Mutations, OfMessageListsAreReadOrRefused)
{
    read_mutations(read_message_list, read_text_file(MRCNIC_SOURCE_DIR "/testbench/data/list.csv"));
}

// [WL-40] What is read can be drawn from.
TEST(Mutations, OfDistributionsAreReadOrRefused)
{
    const Reader read = [](std::string_view text, const std::string& file, std::uint32_t) {
        const SizeDistribution sizes = read_size_distribution(text, file);
        for (const double percent : {0.0, 12.5, 50.0, 99.999}) {
            EXPECT_GE(sizes.bytes_at(percent), 1u);
            EXPECT_LE(sizes.bytes_at(percent), 1'000'000'000'000u);
        }
        EXPECT_GT(sizes.mean(), 0.0);
        return Workload{};
    };
    read_mutations(read, read_text_file(MRCNIC_SOURCE_DIR "/platforms/examples/websearch.cdf"));
}

// [WL-50 .. WL-58]
TEST(Mutations, OfTracesAreReadOrRefused)
{
    const Reader read = [](std::string_view text, const std::string& file, std::uint32_t nics) {
        TraceOptions options;
        for (std::uint32_t nic = 0; nic < nics; ++nic) {
            options.nics.push_back(nic);
        }
        options.barrier_before_collectives = text.size() % 2 == 0;
        return read_trace({TraceFile{file, std::string{text}}}, options);
    };
    read_mutations(read,
                   "{\"process_groups\": {\"a\": [1, 0]}, \"ranks\": [\n"
                   "{\"nodes\": [{\"id\": 1, \"type\": \"COMP_NODE\", \"duration_micros\": 1.5},\n"
                   "{\"id\": 2, \"type\": 5, \"ctrl_deps\": [1], \"attr\": {\"comm_dst\": 1, \"comm_size\": 9}}]},\n"
                   "{\"nodes\": [{\"id\": \"3\", \"type\": \"COMM_RECV_NODE\", \"attr\": [{\"name\": "
                   "\"comm_src\", \"int32Val\": 0}]}]}\n]}\n");
    read_mutations(read, read_text_file(MRCNIC_SOURCE_DIR "/platforms/examples/trace.json"));
}

}  // namespace
}  // namespace mrcnic::workload
