#include "mrcnic/record/pcapng_file.h"

#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::record {

namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 20U;
constexpr std::size_t kLargestBlock = std::size_t{1} << 17U;  // of a datagram as large as IPv4 allows
constexpr Picoseconds kPicosecondsPerTick = 1000;
constexpr std::uint8_t kTickExponent = 9;  // a tick is 10^-9 s

enum BlockType : std::uint32_t { kSectionHeader = 0x0A0D0D0A, kInterfaceDescription = 1, kEnhancedPacket = 6 };

enum OptionCode : std::uint16_t {
    kComment = 1,          // of anything
    kUserApplication = 4,  // of the section
    kInterfaceName = 2,    // of an interface
    kInterfaceSpeed = 8,   // of an interface, bits per second
    kInterfaceTicks = 9,   // of an interface
    kPacketId = 5          // of a packet
};

constexpr std::uint32_t kByteOrderMagic = 0x1A2B3C4D;
constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};
constexpr std::uint16_t kEthernet = 1;
constexpr std::string_view kApplication = "mrcnic";

}  // namespace

PcapngFile::PcapngFile(std::filesystem::path path, std::string_view comment, const std::vector<Interface>& interfaces)
    : file_{std::move(path)}
{
    buffer_.reserve(kFlushAt + kLargestBlock);
    write_section(comment);
    for (const Interface& interface : interfaces) {
        write_interface(interface);
    }
}

void PcapngFile::write_section(std::string_view comment)
{
    begin_block(kSectionHeader);
    put32(kByteOrderMagic);
    put16(1);  // version 1.0
    put16(0);
    put64(kUnknownLength);
    text_option(kComment, comment);
    text_option(kUserApplication, kApplication);
    end_options();
    end_block();
}

void PcapngFile::write_interface(const Interface& interface)
{
    begin_block(kInterfaceDescription);
    put16(kEthernet);
    put16(0);
    put32(0);  // no limit of the captured length
    text_option(kInterfaceName, interface.name);
    begin_option(kInterfaceSpeed, sizeof interface.rate);
    put64(interface.rate);
    begin_option(kInterfaceTicks, sizeof kTickExponent);
    put_bytes(&kTickExponent, sizeof kTickExponent);
    end_options();
    end_block();
}

void PcapngFile::write(const Packet& packet)
{
    const auto ticks = static_cast<std::uint64_t>(packet.time / kPicosecondsPerTick);
    begin_block(kEnhancedPacket);
    put32(packet.interface);
    put32(static_cast<std::uint32_t>(ticks >> 32U));
    put32(static_cast<std::uint32_t>(ticks));
    put32(static_cast<std::uint32_t>(packet.captured));
    put32(packet.original);
    put_bytes(packet.bytes, packet.captured);
    if (packet.id != 0) {
        begin_option(kPacketId, sizeof packet.id);
        put64(packet.id);
        end_options();
    }
    end_block();
}

void PcapngFile::close()
{
    flush();
    file_.close();
}

void PcapngFile::begin_block(std::uint32_t type)
{
    block_at_ = buffer_.size();
    put32(type);
    put32(0);  // the length, once it is known
}

void PcapngFile::end_block()
{
    const auto length = static_cast<std::uint32_t>(buffer_.size() - block_at_ + sizeof(std::uint32_t));
    for (std::size_t i = 0; i < sizeof length; ++i) {
        buffer_[block_at_ + sizeof(std::uint32_t) + i] = static_cast<std::uint8_t>(length >> (8 * i));
    }
    put32(length);
    if (buffer_.size() >= kFlushAt) {
        flush();
    }
}

void PcapngFile::flush()
{
    if (buffer_.empty()) {
        return;
    }
    // Emptied first: what cannot be written is told once, and not tried again at the end.
    const std::string_view text{reinterpret_cast<const char*>(buffer_.data()), buffer_.size()};
    buffer_.clear();
    file_.write(text);
}

void PcapngFile::put16(std::uint16_t value)
{
    buffer_.push_back(static_cast<std::uint8_t>(value));
    buffer_.push_back(static_cast<std::uint8_t>(value >> 8U));
}

void PcapngFile::put32(std::uint32_t value)
{
    put16(static_cast<std::uint16_t>(value));
    put16(static_cast<std::uint16_t>(value >> 16U));
}

void PcapngFile::put64(std::uint64_t value)
{
    put32(static_cast<std::uint32_t>(value));
    put32(static_cast<std::uint32_t>(value >> 32U));
}

// Everything of variable length is filled up to 32 bits.
void PcapngFile::put_bytes(const void* bytes, std::size_t size)
{
    const auto* first = static_cast<const std::uint8_t*>(bytes);
    buffer_.insert(buffer_.end(), first, first + size);
    buffer_.resize(buffer_.size() + (4 - size % 4) % 4);
}

void PcapngFile::begin_option(std::uint16_t code, std::size_t size)
{
    put16(code);
    put16(static_cast<std::uint16_t>(size));
}

void PcapngFile::text_option(std::uint16_t code, std::string_view text)
{
    begin_option(code, text.size());
    put_bytes(text.data(), text.size());
}

void PcapngFile::end_options()
{
    put32(0);
}

}  // namespace mrcnic::record
