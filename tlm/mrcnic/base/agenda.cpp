#include "mrcnic/base/agenda.h"

#include "mrcnic/base/report.h"

namespace mrcnic {

Agenda::Agenda(const sc_core::sc_module_name& name, Inputs inputs) : sc_module{name}, inputs_{inputs}
{
    SC_HAS_PROCESS(Agenda);
    SC_METHOD(run);
    sensitive << due_;
    dont_initialize();
}

void Agenda::push(Picoseconds when, EventClass event_class, Place place, Calendar::Action action, void* owner,
                  Pooled* payload)
{
    invariant(when >= now(), "[OE-1] an event was scheduled in the past");
    calendar_.push(when, event_class, place, action, owner, payload);
    if (!running_ && when < armed_for_) {
        arm();
    }
}

// [WL-5] The last work may end in another process: then no entry is due that would find the agenda quiet.
void Agenda::end_outside_work()
{
    --outside_work_;
    if (!running_ && is_quiet()) {
        due_.notify(sc_core::SC_ZERO_TIME);
    }
}

void Agenda::run()
{
    ++kernel_events_;
    const sc_core::sc_time stamp = sc_core::sc_time_stamp();
    now_ = kernel_time_.to_picoseconds(stamp);
    armed_for_ = kNever;
    running_ = true;
    while (work_off_instant() && next_instant_is_alone(stamp)) {
        now_ = calendar_.next_time();
    }
    running_ = false;
    arm();
}

/// @return false if the instant's choices wait for a delta cycle
bool Agenda::work_off_instant()
{
    while (!calendar_.empty() && calendar_.next_time() <= now_) {
        if (inputs_ == Inputs::foreign && !settled_ && calendar_.top().event_class() >= EventClass::choice) {
            settled_ = true;
            return false;
        }
        const Calendar::Entry entry = calendar_.pop();
        ++entries_done_;
        entry.action(entry.owner, entry.payload);
    }
    settled_ = false;
    ++instants_;
    if (quiet_ && is_quiet()) {
        quiet_();
    }
    if (instants_ >= next_watch_) {
        next_watch_ = instants_ + watch_interval_;
        watch_();
    }
    return true;
}

// The own event is not pending while the method runs: what is pending belongs to others. The kernel's time, `stamp`,
// stands still as long.
bool Agenda::next_instant_is_alone(const sc_core::sc_time& stamp) const
{
    return runs_ahead_ && !calendar_.empty() &&
           kernel_time_.to_units(calendar_.next_time()) - stamp.value() <
               sc_core::sc_time_to_pending_activity().value();
}

void Agenda::arm()
{
    if (calendar_.empty() || !started_) {
        return;
    }
    armed_for_ = calendar_.next_time();
    // Compared in kernel time: between two picoseconds `now()` is the next one, which has not come yet.
    const sc_core::sc_time due = kernel_time_.to_kernel(armed_for_);
    if (due <= sc_core::sc_time_stamp()) {
        due_.notify(sc_core::SC_ZERO_TIME);
    } else {
        due_.notify(due - sc_core::sc_time_stamp());
    }
}

}  // namespace mrcnic
