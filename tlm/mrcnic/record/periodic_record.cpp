#include "mrcnic/record/periodic_record.h"

namespace mrcnic::record {

void PeriodicRecord::write_next()
{
    write_until(next_);
    next_ += interval_;
}

void PeriodicRecord::finish(Picoseconds end)
{
    if (end > covered_) {
        write_until(end);
    }
    close();
}

void PeriodicRecord::write_until(Picoseconds now)
{
    write_rows(now, now - covered_);
    covered_ = now;
}

}  // namespace mrcnic::record
