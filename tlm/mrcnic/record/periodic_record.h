#pragma once

#include <cstddef>
#include <vector>

#include "mrcnic/base/time.h"

namespace mrcnic::record {

/// A record with rows every interval [RC-15], and one shorter last interval if the run ends between [RC-17].
///
/// Its rows form groups that each have an interval of their own, as NICs may have; most records have one group. Rows
/// of one instant come in the order of the groups [RC-18].
class PeriodicRecord {
public:
    virtual ~PeriodicRecord() = default;

    /// When the next rows are due.
    [[nodiscard]] Picoseconds next() const noexcept { return next_; }
    /// Writes the rows of instant `next()`. @throws OutputError
    void write_next();
    /// Writes the last rows of each group unless there are some of the instant `end` already, and ends the file.
    /// @throws OutputError
    void finish(Picoseconds end);

protected:
    /// @param start  the first rows are one interval later
    PeriodicRecord(Picoseconds start, Picoseconds interval) : PeriodicRecord{start, std::vector<Picoseconds>{interval}}
    {
    }
    /// @param intervals  of each group, at least one
    PeriodicRecord(Picoseconds start, const std::vector<Picoseconds>& intervals);

private:
    struct Group {
        Picoseconds interval;
        Picoseconds next;
        Picoseconds covered{0};  // rows tell of all before
    };

    /// `length` is the time since the group's rows before, at first since the start of the run [RC-19]; more than 0.
    virtual void write_rows(std::size_t group, Picoseconds now, Picoseconds length) = 0;
    virtual void close() = 0;
    void write_until(std::size_t group, Picoseconds now);
    void find_next();

    std::vector<Group> groups_;
    Picoseconds next_{kNever};
};

}  // namespace mrcnic::record
