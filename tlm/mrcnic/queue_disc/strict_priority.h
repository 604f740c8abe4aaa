#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::queue_disc {

/// Frames in bands: the lowest band that holds one goes first, first in, first out inside a band [TX-1, SW-14].
class StrictPriority {
public:
    /// @param bands  1 .. 64
    explicit StrictPriority(std::size_t bands) : bands_(bands) {}

    void enqueue(packet::FrameRef frame, std::size_t band)
    {
        bands_[band].bytes += frame->wire_bytes;
        bands_[band].frames.push_back(std::move(frame));
        ++size_;
    }
    /// The next frame; only if not empty.
    [[nodiscard]] packet::FrameRef dequeue()
    {
        for (Band& band : bands_) {
            if (!band.frames.empty()) {
                packet::FrameRef frame = band.frames.pop_front();
                band.bytes -= frame->wire_bytes;
                --size_;
                return frame;
            }
        }
        return {};
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Bytes on the wire of the frames in `band`.
    [[nodiscard]] std::uint64_t bytes(std::size_t band) const noexcept { return bands_[band].bytes; }
    [[nodiscard]] std::size_t frames(std::size_t band) const noexcept { return bands_[band].frames.size(); }

private:
    struct Band {
        RingQueue<packet::FrameRef> frames;
        std::uint64_t bytes{0};
    };
    std::vector<Band> bands_;
    std::size_t size_{0};
};

/// Tells the band of a frame; one for a NIC's two classes, one for a switch's.
class BandMap {
public:
    virtual ~BandMap() = default;
    [[nodiscard]] virtual std::size_t bands() const noexcept = 0;
    [[nodiscard]] virtual std::size_t band_of(const packet::Frame& frame) const noexcept = 0;
};

/// The NIC's order: control before data [TX-1].
class ControlBeforeData final : public BandMap {
public:
    static constexpr std::size_t kControl = 0;
    static constexpr std::size_t kData = 1;
    [[nodiscard]] std::size_t bands() const noexcept override { return 2; }
    [[nodiscard]] std::size_t band_of(const packet::Frame& frame) const noexcept override
    {
        return frame.traffic_class == packet::TrafficClass::control ? kControl : kData;
    }
};

}  // namespace mrcnic::queue_disc
