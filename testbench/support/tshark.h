#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Captures as the users' tool reads them.

namespace mrcnic::testbench {

/// What tshark shows of every frame of a capture: the values of `fields`, separated by blanks, with a tabulator between
/// them. Fails the test if a frame is malformed or has a wrong IPv4 checksum, if the capture is cut short, and, saying
/// what to install, if there is no tshark.
[[nodiscard]] std::vector<std::string> tshark(const std::filesystem::path& capture, const std::string& fields);

}  // namespace mrcnic::testbench
