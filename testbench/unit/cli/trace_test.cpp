#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mrcnic/packet/wire_size.h"
#include "testbench/support/program.h"
#include "testbench/support/tshark.h"

// `mrcnic run --trace`: captures of the wire as tshark reads them.

namespace mrcnic::testbench {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* kTrace = "out/wire.pcapng";

std::vector<std::string> split(const std::string& text, char separator)
{
    std::istringstream stream{text};
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

/// A run that must succeed in silence.
void run(const Program& program, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), {"run"});
    arguments.insert(arguments.end(), {"--quiet"});
    const Finished finished = program.run(arguments);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.out + finished.err, "");
}

Lines fields(const Program& program, const std::string& names)
{
    return tshark(program.folder() / kTrace, names);
}

/// The frames of one interface: of lines that begin with its name, the rest.
Lines of_interface(const Lines& lines, const std::string& name)
{
    Lines found;
    for (const std::string& line : lines) {
        if (line.rfind(name + '\t', 0) == 0) {
            found.push_back(line.substr(name.size() + 1));
        }
    }
    return found;
}

/// The value of a column of nd-stats by the name of the port; the last rows count.
std::map<std::string, std::uint64_t> of_ports(const Program& program, std::size_t column)
{
    std::map<std::string, std::uint64_t> values;
    const Lines rows = split(program.read("out/nd-stats.csv"), '\n');
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::vector<std::string> cells = split(rows[i], ',');
        values[cells.at(2) + ':' + cells.at(5)] = std::stoull(cells.at(column));
    }
    return values;
}

constexpr std::size_t kPacketsTx = 10;
constexpr unsigned kIcrc = packet::kIcrcBytes;  // in every frame [TR-27], numbers below are without it

// [TR-W3] One message of 4,096 bytes: the packet is serialized at 169.324 ns, its SACK (94 bytes, 1.88 ns) arrives
// back at 371.204, the ACK at 372.444, so they have left 100 ns before. All have PSN 0; opcodes CA, DC, D1; sizes on
// the wire less the FCS.
TEST(Trace, OneMessage)
{
    const Program program;
    run(program,
        {example("pair.toml"), "--set", "workload.File=", "--set", "workload.MessageBytes=4096", "--trace", "pcap"});
    EXPECT_EQ(fields(program,
                     "frame.interface_name frame.time_epoch infiniband.bth.opcode infiniband.bth.psn "
                     "ip.src ip.dst frame.len"),
              (Lines{fmt::format("MrcNic-0:0\t0.000000169\t202\t0\t10.0.0.1\t10.0.0.2\t{}", 4'170 + kIcrc),
                     fmt::format("MrcNic-1:0\t0.000000271\t220\t0\t10.0.0.2\t10.0.0.1\t{}", 90 + kIcrc),
                     fmt::format("MrcNic-1:0\t0.000000272\t209\t0\t10.0.0.2\t10.0.0.1\t{}", 58 + kIcrc)}));
}

// The first instant of the window is in it, the last one is not: 169.324 ns and 271.204 of TR-W3. A byte of invariant
// CRC takes 20 ps of each frame before.
TEST(Trace, Window)
{
    const auto data_sent = 169'324 + 20 * kIcrc;
    const auto sack_sent = 271'204 + 40 * kIcrc;
    const std::vector<std::pair<std::vector<std::string>, Lines>> cases{
        {{"--trace-from", fmt::format("{}ps", data_sent), "--trace-to", fmt::format("{}ps", sack_sent)}, {"202"}},
        {{"--trace-from", fmt::format("{}ps", data_sent + 1)}, {"220", "209"}},
        {{"--trace-to", std::to_string(sack_sent + 1)}, {"202", "220"}},
        {{"--trace-from", "1ms"}, {}},
    };
    for (const auto& [window, opcodes] : cases) {
        const Program program;
        std::vector<std::string> arguments{example("pair.toml"),         "--set",       "workload.File=", "--set",
                                           "workload.MessageBytes=4096", "--trace=pcap"};
        arguments.insert(arguments.end(), window.begin(), window.end());
        run(program, arguments);
        EXPECT_EQ(fields(program, "infiniband.bth.opcode"), opcodes) << window.front();
    }
}

// 2,000,000 bytes each way are 488 segments of 4,096 and one of 1,152, PSN 0 to 488 in order where nothing is lost.
// With payload the frames are whole, without they end after 74 bytes, the length of a data frame's headers.
TEST(Trace, PsnsOfTwoMessages)
{
    for (const bool bytes : {false, true}) {
        const Program program;
        run(program, {example("pair.toml"), "--trace", "pcap", "--set",
                      std::string{"simulation.PayloadMode="} + (bytes ? "bytes" : "sizes")});
        const Lines frames =
            fields(program, "frame.interface_name ip.dsfield.dscp infiniband.bth.psn frame.len frame.cap_len");
        Lines expected;
        for (int psn = 0; psn < 489; ++psn) {
            const unsigned rest = (psn < 488 ? 4'096 : 1'152) + kIcrc;
            expected.push_back(fmt::format("{}\t{}\t{}", psn, 74 + rest, 74 + (bytes ? rest : 0)));
        }
        for (const char* nic : {"MrcNic-0:0", "MrcNic-1:0"}) {
            EXPECT_EQ(of_interface(frames, fmt::format("{}\t0", nic)), expected);  // data have codepoint 0
        }
    }
}

// Each frame on each link once: a port has as many as nd-stats counts, and what a NIC sends, its switch sends on, the
// same frame with the same PSN.
TEST(Trace, EveryLinkOfAStar)
{
    const Program program;
    run(program, {example("star.toml"), "--trace", "pcap", "--set", "workload.File=" + data("permutation_16.cm")});
    std::map<std::string, std::uint64_t> frames;
    std::map<std::string, std::vector<std::vector<std::string>>> ways;  // by frame
    for (const std::string& line : fields(program, "frame.packet_id frame.interface_name infiniband.bth.psn")) {
        const std::vector<std::string> cells = split(line, '\t');
        ++frames[cells.at(1)];
        ways[cells.at(0)].push_back(cells);
    }
    EXPECT_EQ(frames.size(), 32U);
    EXPECT_EQ(frames, of_ports(program, kPacketsTx));
    EXPECT_GT(ways.size(), 16U * 489U);
    std::size_t wrong = 0;
    for (const auto& [id, way] : ways) {
        const bool right = way.size() == 2 && way[0][1].rfind("MrcNic-", 0) == 0 &&
                           way[1][1].rfind("Switch-0:", 0) == 0 && way[0][2] == way[1][2];
        wrong += right ? 0U : 1U;
    }
    EXPECT_EQ(wrong, 0U);
}

/// What monitor and capture of one run tell of the same packets.
struct Joined {
    std::map<std::string, std::set<std::string>> captured;  ///< PSNs on the wire by packet id
    std::map<std::string, std::size_t> frames;              ///< on the wire, by codepoint and opcode
    std::set<std::string> sent;                             ///< packet ids of the monitor's rows of sent frames
    Lines strangers;  ///< rows that disagree with the wire, or tell of a sent frame that is not on it
};

/// Reads the rows of the monitor and compares them with what is captured.
void read_monitor(const Program& program, Joined& joined)
{
    const Lines rows = split(program.read("out/mrc-monitor.csv"), '\n');
    const Lines names = split(rows.at(0), ',');
    const auto column = [&names](const char* name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t uid = column("packet_UID");
    const std::size_t psn = column("PSN");
    const std::size_t direction = column("direction");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const Lines cells = split(rows[i], ',');
        const auto found = joined.captured.find(cells.at(uid));
        if (found == joined.captured.end() || found->second != std::set<std::string>{cells.at(psn)}) {
            joined.strangers.push_back(rows[i]);
        }
        if (cells.at(direction) != "Rx") {
            joined.sent.insert(cells.at(uid));
        }
    }
}

/// A run with the monitor on for all NICs.
Joined join_monitor(const Program& program, Lines arguments)
{
    arguments.insert(arguments.end(), {"--trace", "pcap", "--set", "nic.Monitor.EnableMRCMonitor=true"});
    run(program, arguments);
    Joined joined;
    for (const std::string& line :
         fields(program, "frame.packet_id infiniband.bth.psn ip.dsfield.dscp infiniband.bth.opcode")) {
        const Lines cells = split(line, '\t');
        joined.captured[cells.at(0)].insert(cells.at(1));
        ++joined.frames[cells.at(2) + ' ' + cells.at(3)];
    }
    read_monitor(program, joined);
    return joined;
}

/// The packets that the monitor has sent are those on the wire, with the same PSNs.
void expect_agreement(const Joined& joined)
{
    EXPECT_EQ(joined.strangers, Lines{});
    std::set<std::string> captured;
    for (const auto& [uid, psns] : joined.captured) {
        captured.insert(uid);
    }
    EXPECT_EQ(joined.sent, captured);
}

// [RC-65.5] [RC-65.24] [RC-66] Of each way 489 segments, first to last, and their acknowledgements.
TEST(Trace, MonitorHasTheSamePackets)
{
    for (const char* mode : {"sizes", "bytes"}) {
        const Program program;
        const Joined joined =
            join_monitor(program, {example("pair.toml"), "--set", std::string{"simulation.PayloadMode="} + mode});
        expect_agreement(joined);
        EXPECT_EQ(joined.frames.at("0 198"), 2U);
        EXPECT_EQ(joined.frames.at("0 199"), 2U * 487U);
        EXPECT_EQ(joined.frames.at("0 200"), 2U);
    }
}

// [RC-65.24] [TR-34] [SW-30] An incast on a switch that trims: what it leaves of a packet (codepoint 16) and its
// repetition (8) have the PSN of the monitor's rows. Each trimmed frame is on one link and draws a NACK, each NACK is
// on two; so is the probe (222) of each of the three messages [MP-24].
TEST(Trace, MonitorHasTheSamePacketsWhereSomeAreTrimmed)
{
    for (const char* mode : {"sizes", "bytes"}) {
        const Program program;
        Joined joined = join_monitor(
            program, {example("star.toml"), "--set", "fabric.Nics=4", "--set", "workload.File=" + data("incast_4.cm"),
                      "--set", "nic.Transport.TrimmingEnabled=true", "--set", "switch.TrimmingEnabled=true", "--set",
                      "switch.PlaneBDP=5KB", "--set", "nic.Paths.BaseRttProbeEnable=true", "--set",
                      std::string{"simulation.PayloadMode="} + mode});
        expect_agreement(joined);
        const std::size_t trimmed = joined.frames["16 198"] + joined.frames["16 199"] + joined.frames["16 200"];
        EXPECT_GT(trimmed, 0U);
        EXPECT_GT(joined.frames["8 199"], 0U);
        EXPECT_EQ(joined.frames["46 221"], 2U * trimmed);
        EXPECT_EQ(joined.frames["0 222"], 2U * 3U);
    }
}

// The source of line_rate_receive is no NIC, but it is on the wire: 300 frames with PSN 0 to 299.
TEST(Trace, SourceWithoutANic)
{
    const Program program;
    run(program, {example("line_rate_receive.toml"), "--trace", "pcap", "--set", "workload.FrameCount=300"});
    Lines expected;
    for (int psn = 0; psn < 300; ++psn) {
        expected.push_back(std::to_string(psn));
    }
    EXPECT_EQ(of_interface(fields(program, "frame.interface_name infiniband.bth.psn"), "source:0"), expected);
}

// A capture changes nothing, and the same run writes the same.
TEST(Trace, OnlyWatches)
{
    const Program program;
    run(program, {example("star.toml"), "--out", "plain"});
    for (const char* folder : {"a", "b"}) {
        run(program, {example("star.toml"), "--out", folder, "--trace", "pcap", "--trace-from", "2us"});
    }
    for (const std::string file : {"messages.csv", "nd-stats.csv"}) {
        EXPECT_EQ(program.read("plain/" + file), program.read("a/" + file));
    }
    EXPECT_FALSE(std::filesystem::exists(program.folder() / "plain/wire.pcapng"));
    EXPECT_GT(program.read("a/wire.pcapng").size(), 100'000U);
    EXPECT_TRUE(program.read("a/wire.pcapng") == program.read("b/wire.pcapng"));
}

// Interrupted, the capture is closed and whole: the tool, which complains of a file cut short, reads it to its end.
TEST(Trace, Interrupted)
{
    const Program program;
    const pid_t process =
        program.start({"run", example("line_rate_receive.toml"), "--quiet", "--trace", "pcap", "--trace-to", "1ms",
                       "--set", "workload.FrameCount=1000000000", "--set", "simulation.NDStatsReportInterval=100us"});
    for (int i = 0; i < 3000 && program.read("out/nd-stats.csv").empty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    kill(process, SIGINT);
    const Finished finished = program.wait(process);
    EXPECT_EQ(finished.exit_code, 130);
    EXPECT_EQ(finished.err, "");
    EXPECT_FALSE(fields(program, "frame.number").empty());
}

// What cannot be written is an error: before the run if the file cannot be made, else when it shows.
TEST(Trace, FileThatCannotBeWritten)
{
    const Program program;
    std::filesystem::create_directories(program.folder() / kTrace);
    const Finished finished = program.run({"run", example("pair.toml"), "--trace", "pcap"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err,
              "error: --out out: out/wire.pcapng: cannot be opened for writing: Is a directory; allowed: a "
              "folder that can be written\n");
}

TEST(Trace, DiskThatIsFull)
{
    for (const char* mode : {"sizes", "bytes"}) {  // told at the end, and in the midst
        const Program program;
        std::filesystem::create_directories(program.folder() / "out");
        std::filesystem::create_symlink("/dev/full", program.folder() / kTrace);
        const Finished finished = program.run({"run", example("pair.toml"), "--trace", "pcap", "--quiet", "--set",
                                               std::string{"simulation.PayloadMode="} + mode});
        EXPECT_EQ(finished.exit_code, 3);
        EXPECT_EQ(finished.err.find("error: out/wire.pcapng: cannot be written: No space left on device\n"), 0U)
            << finished.err;
        EXPECT_NE(program.read("out/summary.json"), "");
    }
}

}  // namespace
}  // namespace mrcnic::testbench
