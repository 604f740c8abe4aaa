#pragma once

#include "mrcnic/base/time.h"

namespace mrcnic::record {

/// A record with rows every interval [RC-15], and one shorter last interval if the run ends between [RC-17].
class PeriodicRecord {
public:
    virtual ~PeriodicRecord() = default;

    /// When the next rows are due.
    [[nodiscard]] Picoseconds next() const noexcept { return next_; }
    /// Writes the rows of instant `next()`. @throws OutputError
    void write_next();
    /// Writes the last rows unless there are some of the instant `end` already, and ends the file. @throws OutputError
    void finish(Picoseconds end);

protected:
    /// @param start  the first rows are one interval later
    PeriodicRecord(Picoseconds start, Picoseconds interval) noexcept : next_{start + interval}, interval_{interval} {}

private:
    /// `length` is the time since the rows before, at first since the start of the run [RC-19]; more than 0.
    virtual void write_rows(Picoseconds now, Picoseconds length) = 0;
    virtual void close() = 0;
    void write_until(Picoseconds now);

    Picoseconds next_;
    Picoseconds interval_;
    Picoseconds covered_{0};  // rows tell of all before
};

}  // namespace mrcnic::record
