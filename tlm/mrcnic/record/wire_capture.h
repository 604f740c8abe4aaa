#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/time.h"
#include "mrcnic/config/config.h"
#include "mrcnic/packet/wire_transmitter.h"
#include "mrcnic/record/pcapng_file.h"

namespace mrcnic::record {

/// A transmitter as the capture sees it.
struct WireSource {
    std::string name;  ///< of the interface
    packet::WireTransmitter* transmitter{nullptr};
};

/// The record `wire.pcapng`: every frame on every link once, at the end of its serialization, without its FCS.
///
/// With `PayloadMode = "bytes"` whole frames, with `"sizes"` those of their bytes that exist: up to the last header.
class WireCapture : private packet::WireObserver {
public:
    struct Window {
        Picoseconds from{0};     ///< first instant
        Picoseconds to{kNever};  ///< first instant after it
    };

    /// @param sources  must outlive the object
    /// @throws OutputError
    WireCapture(std::filesystem::path path, const std::vector<WireSource>& sources, const Agenda& agenda,
                config::PayloadMode payload_mode, Window window);
    WireCapture(const WireCapture&) = delete;
    WireCapture& operator=(const WireCapture&) = delete;
    ~WireCapture() override;

    /// Ends the file, which is whole then; once more does nothing. @throws OutputError
    void close() { file_.close(); }

private:
    void frame_sent(const packet::Frame& frame, std::uint32_t transmitter) override;

    std::vector<WireSource> sources_;
    const Agenda& agenda_;
    config::PayloadMode payload_mode_;
    Window window_;
    PcapngFile file_;
    std::vector<std::uint8_t> bytes_;  // keeps its memory: a frame allocates nothing
};

}  // namespace mrcnic::record
