#include "testbench/support/tshark.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"

namespace mrcnic::testbench {
namespace {

constexpr int kCommandNotFound = 127;

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream stream{path};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

/// Runs tshark with preferences of its own, whatever those of the user are. @return what it prints
std::string output_of(const std::filesystem::path& capture, const std::string& options)
{
    const TemporaryFolder folder;
    const std::string out = folder.path() / "out";
    const std::string err = folder.path() / "err";
    const std::string command = "WIRESHARK_CONFIG_DIR='" + folder.path().string() + "' tshark -n -r '" +
                                capture.string() + "'" + options + " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == kCommandNotFound) {
        ADD_FAILURE() << "tshark cannot be run; scripts/install_dependencies.sh --tests installs it";
        return {};
    }
    EXPECT_EQ(WEXITSTATUS(status), 0) << command << '\n' << text_of(err);
    return text_of(out);
}

}  // namespace

std::vector<std::string> tshark(const std::filesystem::path& capture, const std::string& fields)
{
    // Of two ports it asks the lower one first, and some entropy values are ports of other protocols [MP-3].
    std::string options = " -d udp.port==0-4790,infiniband";
    options += " -o ip.check_checksum:TRUE -T fields -e _ws.malformed -e ip.checksum.status";
    std::istringstream names{fields};
    for (std::string name; names >> name;) {
        options += " -e " + name;
    }
    std::istringstream stream{output_of(capture, options)};
    std::vector<std::string> lines;
    std::size_t faults = 0;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t malformed = line.find('\t');
        const std::size_t checksum = line.find('\t', malformed + 1);
        const std::string verdict = line.substr(0, checksum);
        faults += verdict == "\t1" || verdict == "\t" ? 0U : 1U;  // good, or no IPv4
        lines.push_back(line.substr(checksum + 1));
    }
    EXPECT_EQ(faults, 0U) << "malformed frames or wrong checksums in " << capture;
    return lines;
}

}  // namespace mrcnic::testbench
