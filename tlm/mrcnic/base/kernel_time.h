#pragma once

#include <systemc>

#include "mrcnic/base/time.h"

namespace mrcnic {

/// Converts between the kernel's time and the model's picoseconds.
///
/// The library never sets the time resolution. Any that divides 1 ps works; a coarser one is an error in words.
class KernelTime {
public:
    /// Reads the resolution. Reports `/mrcnic/time` as an error if 1 ps is not a whole number of its units.
    KernelTime();

    [[nodiscard]] sc_core::sc_time to_kernel(Picoseconds time) const
    {
        return sc_core::sc_time::from_value(to_units(time));
    }
    /// The same as a count of the kernel's units of time.
    [[nodiscard]] sc_dt::uint64 to_units(Picoseconds time) const noexcept
    {
        return static_cast<sc_dt::uint64>(time) * units_;
    }
    /// Rounds up: the model acts on whole picoseconds, and never before an event.
    [[nodiscard]] Picoseconds to_picoseconds(const sc_core::sc_time& time) const
    {
        return static_cast<Picoseconds>((time.value() + (units_ - 1)) / units_);
    }

private:
    sc_dt::uint64 units_;  // kernel time units in a picosecond
};

}  // namespace mrcnic
