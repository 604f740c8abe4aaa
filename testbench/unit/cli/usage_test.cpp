#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mrcnic/base/version.h"
#include "mrcnic/config/attributes.h"
#include "testbench/support/program.h"

// Commands that run nothing, and errors of the command line: exit code 2 and one line on standard error.

namespace mrcnic::testbench {
namespace {

struct Fault {
    std::vector<std::string> arguments;
    std::string error;
};

void expect_usage_error(const Fault& fault)
{
    const Program program;
    const Finished finished = program.run(fault.arguments);
    EXPECT_EQ(finished.exit_code, 2) << fault.error;
    EXPECT_EQ(finished.err, fault.error);
    EXPECT_EQ(finished.out, "");
    EXPECT_FALSE(std::filesystem::exists(program.folder() / "out"));
}

// Every wrong command line says what is wrong and what is allowed.
TEST(Usage, FaultsOfTheCommandLine)
{
    const std::string run_options =
        "--help, FILE, --set, --out, --seed, --trace, --trace-from, --trace-to, --progress, --quiet\n";
    const std::string commands = "run, check, attributes, platforms\n";
    const std::string pair = example("pair.toml");
    const std::vector<Fault> faults{
        {{}, "error: a command is missing; allowed: " + commands},
        {{"start"}, "error: start: unknown command; allowed: " + commands},
        {{""}, "error: : unknown command; allowed: " + commands},
        {{"--frob"}, "error: --frob: unknown option; allowed: --help, --version\n"},
        {{"run"}, "error: FILE is required; see mrcnic run --help\n"},
        {{"run", pair, "--frob"}, "error: --frob: unknown option; allowed: " + run_options},
        {{"run", "--frob", "x", pair}, "error: --frob: unknown option; allowed: " + run_options},
        {{"run", pair, "extra"}, "error: extra: unknown argument; allowed: " + run_options},
        {{"run", pair, "--out"}, "error: --out: has no value; see mrcnic run --help\n"},
        {{"run", pair, "--set"}, "error: --set: has no value; see mrcnic run --help\n"},
        {{"run", pair, "--seed", "-1"},
         "error: --seed -1: no whole number; allowed: 0 to 10^18 - 1; see mrcnic run --help\n"},
        {{"run", pair, "--seed", "1000000000000000000"},
         "error: --seed 1000000000000000000: no whole number; allowed: 0 to 10^18 - 1; see mrcnic run --help\n"},
        {{"run", pair, "--trace", "pcap,waves"},
         "error: --trace waves: unknown; allowed: pcap; see mrcnic run --help\n"},
        {{"run", pair, "--trace", "pcap,"}, "error: --trace : unknown; allowed: pcap; see mrcnic run --help\n"},
        {{"run", pair, "--trace", "tlp"},
         "error: --trace tlp: not in this version; allowed: pcap; see mrcnic run --help\n"},
        {{"run", pair, "--trace"}, "error: --trace: has no value; see mrcnic run --help\n"},
        {{"run", pair, "--trace-to", "1us"}, "error: --trace-to requires --trace; see mrcnic run --help\n"},
        {{"run", pair, "--trace", "pcap", "--trace-from", "1m"},
         "error: --trace-from 1m: \"1m\" has the unknown unit m; see mrcnic run --help\n"},
        {{"run", pair, "--trace", "pcap", "--trace-from", "1us", "--trace-to", "1000ns"},
         "error: --trace-to 1000000ps: not after --trace-from 1000000ps; allowed: a later instant; see mrcnic run "
         "--help\n"},
        {{"run", pair, "--progress", "0"},
         "error: --progress 0: unknown; allowed: auto, on, off; see mrcnic run --help\n"},
        {{"attributes", "--format", "xml"},
         "error: --format xml: unknown; allowed: table, json, markdown; see mrcnic attributes --help\n"},
        {{"platforms", "pair"}, "error: pair: unknown argument; allowed: --help\n"},
    };
    for (const Fault& fault : faults) {
        expect_usage_error(fault);
    }
}

// Errors of the configuration come as they are, all in one go, in the order of their place.
TEST(Usage, FaultsOfTheConfiguration)
{
    const std::string pair = example("pair.toml");
    expect_usage_error(
        {{"run", "none.toml"}, "error: none.toml: cannot be read: No such file or directory; allowed: a TOML file\n"});
    expect_usage_error({{"check", "none.toml"},
                        "error: none.toml: cannot be read: No such file or directory; allowed: a TOML file\n"});
    expect_usage_error({{"run", pair, "--set", "nic.SemanticLayer.MS=3", "--set", "x"},
                        "error: --set nic.SemanticLayer.MS=3: unknown attribute; did you mean nic.SemanticLayer.MSS?\n"
                        "error: --set x: has no value; allowed: PATH=VALUE\n"});
    expect_usage_error({{"run", example("line_rate_receive.toml"), "--set", "workload.FrameCount=0"},
                        "error: --set workload.FrameCount=0: line_rate_receive would never end; allowed: at least 1 "
                        "(or simulation.StopTime at least 1ps)\n"});
}

// The same of a file: line and column of each.
TEST(Usage, FaultsOfAFile)
{
    const Program program;
    program.write("bad.toml", "platform = \"pair\"\n[nic.SemanticLayer]\nMSS = 16001\n[swich]\nDataRate = 1\n");
    const Finished finished = program.run({"run", "bad.toml"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err.find("error: bad.toml:3:7: nic.SemanticLayer.MSS: "), 0U) << finished.err;
    EXPECT_NE(finished.err.find("\nerror: bad.toml:4:"), std::string::npos) << finished.err;
}

// Faults of the workload name its file; `check` finds them as `run` does.
TEST(Usage, FaultsOfTheWorkload)
{
    for (const char* command : {"run", "check"}) {
        const Program program;
        program.write("bad.cm", "Nodes 2\nConnections 1\n0->0 start 0 size 1\n");
        const Finished finished = program.run({command, example("pair.toml"), "--set", "workload.File=bad.cm"});
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.err.find("error: bad.cm:3:"), 0U) << finished.err;
        EXPECT_EQ(finished.out, "");
    }
}

// Records that cannot be written are a fault before the run, not after it.
TEST(Usage, FolderThatCannotBeMade)
{
    const Program program;
    program.write("file", "");
    const Finished finished = program.run({"run", example("pair.toml"), "--out", "file/out"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err,
              "error: --out file/out: file/out: cannot be made: Not a directory; allowed: a folder that can be "
              "written\n");
    EXPECT_EQ(finished.out, "");
}

// Output that is lost is an error.
TEST(Usage, OutputThatCannotBeWritten)
{
    const Program program;
    std::filesystem::create_symlink("/dev/full", program.folder() / "stdout");
    const pid_t process = program.start({"platforms"});
    const Finished finished = program.wait(process);
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(finished.err, "error: standard output cannot be written: No space left on device\n");
}

TEST(Usage, Version)
{
    const Program program;
    const Finished finished = program.run({"--version"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(
        finished.out.find(std::string{"mrcnic "} + kVersion + "\nSystemC " + sc_core::sc_release() + "\nbuild type "),
        0U)
        << finished.out;
}

// Help suffices: every command and option, examples, exit codes.
TEST(Usage, Help)
{
    const Program program;
    const Finished general = program.run({"--help"});
    const Finished run = program.run({"run", "--help"});
    EXPECT_EQ(general.exit_code, 0);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(general.err + run.err, "");
    for (const char* word : {"\n  run ", "\n  check ", "\n  attributes ", "\n  platforms ", "--version",
                             "Examples:", "Exit codes:", "\n  130 "}) {
        EXPECT_NE(general.out.find(word), std::string::npos) << word << " is not in\n" << general.out;
    }
    for (const char* word : {"FILE", "--set PATH=VALUE", "--out DIR", "--seed N", "--trace LIST", "--trace-from T",
                             "--trace-to T", "--progress", "--quiet"}) {
        EXPECT_NE(run.out.find(word), std::string::npos) << word << " is not in\n" << run.out;
    }
}

TEST(Usage, Platforms)
{
    const Program program;
    const Finished finished = program.run({"platforms"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(
        finished.out,
        "pair                two NICs back to back\n"
        "star                fabric.Nics NICs on one store-and-forward switch\n"
        "leaf_spine          fabric.Leaves leaf switches of fabric.NicsPerLeaf NICs each, below fabric.Spines spines\n"
        "line_rate_receive   a wire-rate frame source into one NIC, no window\n");
}

TEST(Usage, AttributesAsJson)
{
    const Program program;
    const Finished finished = program.run({"attributes", "--format", "json"});
    EXPECT_EQ(finished.exit_code, 0);
    const auto parsed = nlohmann::json::parse(finished.out);
    ASSERT_EQ(parsed.size(), config::attributes().size());
    EXPECT_EQ(parsed.front()["path"], config::attributes().front().path);
}

// The page of the documentation is what the program prints.
TEST(Usage, AttributesAsMarkdown)
{
    const Program program;
    const Finished finished = program.run({"attributes", "--format", "markdown"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.out, program.read(MRCNIC_SOURCE_DIR "/docs/attributes.md"));
}

TEST(Usage, AttributesAsTable)
{
    const Program program;
    const Finished finished = program.run({"attributes"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.out.find("PATH "), 0U);
    EXPECT_EQ(finished.out, program.run({"attributes", "--format", "table"}).out);
}

/// The line of `text` that starts with `start` and a blank, its words one blank apart.
std::string words_of_line(const std::string& text, const std::string& start)
{
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        std::string joined;
        for (std::string word; words >> word;) {
            joined += (joined.empty() ? "" : " ") + word;
        }
        if (joined.rfind(start + ' ', 0) == 0) {
            return joined;
        }
    }
    return "no line starts with " + start;
}

// `check` says where each value comes from, and that the window does not move yet.
TEST(Usage, CheckPrintsValuesAndOrigins)
{
    const Program program;
    program.write("small.toml", "platform = \"pair\"\n[nic.SemanticLayer]\nMSS = 1024\n");
    const Finished finished =
        program.run({"check", "small.toml", "--set", "nic.EgressBufferManager.TotalBufferSize=64KB", "--set",
                     "nics[1].SemanticLayer.MSS=2048"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(words_of_line(finished.out, "nic.SemanticLayer.MSS"), "nic.SemanticLayer.MSS 1024B small.toml:3");
    EXPECT_EQ(words_of_line(finished.out, "nics[1].SemanticLayer.MSS"), "nics[1].SemanticLayer.MSS 2048B command line");
    EXPECT_EQ(words_of_line(finished.out, "nic.EgressBufferManager.TotalBufferSize"),
              "nic.EgressBufferManager.TotalBufferSize 64KB command line");
    EXPECT_EQ(words_of_line(finished.out, "nic.IngressBufferManager.TotalBufferSize"),
              "nic.IngressBufferManager.TotalBufferSize 4MB default");
    EXPECT_FALSE(std::filesystem::exists(program.folder() / "out"));
}

}  // namespace
}  // namespace mrcnic::testbench
