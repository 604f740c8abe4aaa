#include "mrcnic/record/periodic_record.h"

#include <algorithm>

namespace mrcnic::record {

PeriodicRecord::PeriodicRecord(Picoseconds start, const std::vector<Picoseconds>& intervals)
{
    for (const Picoseconds interval : intervals) {
        groups_.push_back({interval, start + interval});
    }
    find_next();
}

void PeriodicRecord::find_next()
{
    next_ = std::min_element(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
                return a.next < b.next;
            })->next;
}

void PeriodicRecord::write_next()
{
    const Picoseconds now = next_;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].next == now) {
            write_until(i, now);
            groups_[i].next += groups_[i].interval;
        }
    }
    find_next();
}

void PeriodicRecord::finish(Picoseconds end)
{
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        if (end > groups_[i].covered) {
            write_until(i, end);
        }
    }
    close();
}

void PeriodicRecord::write_until(std::size_t group, Picoseconds now)
{
    write_rows(group, now, now - groups_[group].covered);
    groups_[group].covered = now;
}

}  // namespace mrcnic::record
