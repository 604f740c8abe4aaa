#include "mrcnic/record/wire_capture.h"

#include <utility>

#include "mrcnic/packet/codec.h"

namespace mrcnic::record {

namespace {

// The tool asks the lower port of a datagram for its protocol, which may be an entropy value that another one has.
constexpr const char* kComment = "RoCE for certain: tshark -d udp.port==0-4790,infiniband";

std::vector<PcapngFile::Interface> interfaces_of(const std::vector<WireSource>& sources)
{
    std::vector<PcapngFile::Interface> interfaces;
    for (const WireSource& source : sources) {
        interfaces.push_back({source.name, source.transmitter->rate()});
    }
    return interfaces;
}

}  // namespace

WireCapture::WireCapture(std::filesystem::path path, const std::vector<WireSource>& sources, const Agenda& agenda,
                         config::PayloadMode payload_mode, Window window)
    : sources_{sources},
      agenda_{agenda},
      payload_mode_{payload_mode},
      window_{window},
      file_{std::move(path), kComment, interfaces_of(sources)}
{
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources_[i].transmitter->observe(this, static_cast<std::uint32_t>(i));
    }
}

WireCapture::~WireCapture()
{
    for (const WireSource& source : sources_) {
        source.transmitter->observe(nullptr, 0);
    }
}

void WireCapture::frame_sent(const packet::Frame& frame, std::uint32_t transmitter)
{
    const Picoseconds now = agenda_.now();
    if (now < window_.from || now >= window_.to) {
        return;
    }
    if (payload_mode_ == config::PayloadMode::bytes) {
        packet::encode(frame, bytes_, {packet::kIcrcBytes, false});
    } else {
        packet::encode_headers(frame, bytes_);
    }
    file_.write({transmitter, now, bytes_.data(), bytes_.size(), frame.wire_bytes - packet::kFcsBytes, frame.uid});
}

}  // namespace mrcnic::record
