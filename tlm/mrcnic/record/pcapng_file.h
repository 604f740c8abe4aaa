#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mrcnic/base/time.h"
#include "mrcnic/record/output_file.h"

namespace mrcnic::record {

/// A capture in the pcapng format (draft-ietf-opsawg-pcapng): Ethernet frames on named interfaces.
///
/// Blocks are little-endian on every machine. Time stamps are nanoseconds since the start of the simulation, rounded
/// down: with finer ones the readers of the Wireshark family are wrong from 18.4 ms on, since they compute in 64 bits.
class PcapngFile {
public:
    struct Interface {
        std::string name;
        BitsPerSecond rate{0};
    };

    struct Packet {
        std::uint32_t interface {
            0
        };  ///< position in the list of interfaces
        Picoseconds time{0};
        const std::uint8_t* bytes{nullptr};
        std::size_t captured{0};    ///< of them, at most `original`
        std::uint32_t original{0};  ///< size of the packet, bytes
        std::uint64_t id{0};        ///< the same packet on another interface has the same; 0 = none
    };

    /// Begins the file. @throws OutputError
    /// @param comment  for whoever opens it
    PcapngFile(std::filesystem::path path, std::string_view comment, const std::vector<Interface>& interfaces);

    /// @throws OutputError
    void write(const Packet& packet);
    /// Ends the file; once more does nothing. @throws OutputError if something could not be written
    void close();

private:
    void begin_block(std::uint32_t type);
    void end_block();
    void write_section(std::string_view comment);
    void write_interface(const Interface& interface);
    void flush();

    void put16(std::uint16_t value);
    void put32(std::uint32_t value);
    void put64(std::uint64_t value);
    void put_bytes(const void* bytes, std::size_t size);
    void begin_option(std::uint16_t code, std::size_t size);
    void text_option(std::uint16_t code, std::string_view text);
    void end_options();

    OutputFile file_;
    std::vector<std::uint8_t> buffer_;  // whole blocks, and the one that is being made
    std::size_t block_at_{0};
};

}  // namespace mrcnic::record
