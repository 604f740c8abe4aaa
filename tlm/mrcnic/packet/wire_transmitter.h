#pragma once

#include <cstdint>

#include "mrcnic/base/calendar.h"
#include "mrcnic/base/time.h"
#include "mrcnic/packet/frame.h"

namespace mrcnic::packet {

/// Hears of every frame that a transmitter puts on its link, inside the event that ends the serialization [SW-2].
class WireObserver {
public:
    virtual ~WireObserver() = default;
    /// The last bit of `frame` is out; nobody behind the transmitter has seen it yet.
    /// @param transmitter  the number that `WireTransmitter::observe` was given
    virtual void frame_sent(const Frame& frame, std::uint32_t transmitter) = 0;
};

/// What puts frames on a link and can be watched. Costs one test of a pointer for each frame while nobody does.
class WireTransmitter {
public:
    /// From now on `observer` hears of frames; null: nobody does. It must outlive the transmitter or its own interest.
    void observe(WireObserver* observer, std::uint32_t transmitter) noexcept
    {
        observer_ = observer;
        number_ = transmitter;
    }
    [[nodiscard]] virtual BitsPerSecond rate() const noexcept = 0;
    /// Device, and port of the device.
    [[nodiscard]] virtual Place place() const noexcept = 0;

protected:
    WireTransmitter() = default;
    ~WireTransmitter() = default;
    WireTransmitter(const WireTransmitter&) = default;
    WireTransmitter& operator=(const WireTransmitter&) = default;

    void tell_observer(const Frame& frame) const
    {
        if (observer_ != nullptr) {
            observer_->frame_sent(frame, number_);
        }
    }

private:
    WireObserver* observer_{nullptr};
    std::uint32_t number_{0};
};

}  // namespace mrcnic::packet
