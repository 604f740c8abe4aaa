#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include <systemc>

#include "mrcnic/base/calendar.h"
#include "mrcnic/base/kernel_time.h"
#include "mrcnic/base/pool.h"
#include "mrcnic/base/shared_objects.h"
#include "mrcnic/base/time.h"

namespace mrcnic {

/// Gives a calendar the kernel's time: one event and one method for all blocks that share it.
///
/// Blocks put their deadlines in and are called in the order of OE-1. A platform shares one agenda among all its
/// devices, so the order holds over the whole model, with links of delay 0 too, whatever the process order. A device
/// that stands alone in somebody else's platform has one of its own. An instant is one activation of the method, or
/// less: see `run_ahead`.
class Agenda : public sc_core::sc_module {
public:
    /// Whether calls from processes that the agenda does not know may still come in an instant that it works on.
    enum class Inputs {
        scheduled,  ///< all causes are in this agenda: the instant is over when its entries are done
        foreign     ///< other processes call in: choices and records wait one more delta cycle
    };

    explicit Agenda(const sc_core::sc_module_name& name, Inputs inputs = Inputs::scheduled);

    /// The model's time: the instant at work, else the kernel's time.
    [[nodiscard]] Picoseconds now() const
    {
        return running_ ? now_ : std::max(now_, kernel_time_.to_picoseconds(sc_core::sc_time_stamp()));
    }
    /// By how much `now()` is ahead of the kernel: what a call to a foreign module takes as its annotated delay.
    [[nodiscard]] sc_core::sc_time ahead_of_kernel() const
    {
        return runs_ahead_ ? kernel_time_.to_kernel(now_) - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME;
    }
    [[nodiscard]] const KernelTime& kernel_time() const noexcept { return kernel_time_; }

    /// Calls `(owner.*Method)()` at `when`, not in the past. Entries cannot be cancelled: the owner ignores stale ones.
    template <auto Method, typename Owner>
    void at(Picoseconds when, EventClass event_class, Place place, Owner& owner)
    {
        push(
            when, event_class, place, [](void* self, Pooled*) { (static_cast<Owner*>(self)->*Method)(); }, &owner,
            nullptr);
    }

    /// Calls `(owner.*Method)(payload)` at `when`; holds the payload until then.
    template <auto Method, typename Owner, typename Payload>
    void at(Picoseconds when, EventClass event_class, Place place, Owner& owner, Ref<Payload> payload)
    {
        push(
            when, event_class, place,
            [](void* self, Pooled* carried) {
                (static_cast<Owner*>(self)->*Method)(Ref<Payload>::adopt(static_cast<Payload*>(carried)));
            },
            &owner, payload.detach());
    }

    /// Work outside the calendar, such as a request that a memory will answer by itself: keeps the run alive.
    void begin_outside_work() noexcept { ++outside_work_; }
    void end_outside_work();

    /// `callback` runs at the end of every instant that leaves no work: nothing queued, in flight or being written.
    void on_quiet(std::function<void()> callback) { quiet_ = std::move(callback); }
    [[nodiscard]] bool is_quiet() const noexcept { return calendar_.work() == 0 && outside_work_ == 0; }

    /// `callback` runs at the end of one in `instants` instants: for what looks at a run from outside, such as its
    /// progress or a user who wants it to end. It must not change the model.
    void watch(std::function<void()> callback, std::uint64_t instants)
    {
        watch_ = std::move(callback);
        watch_interval_ = instants;
        next_watch_ = instants_ + instants;
    }

    /// Lets the agenda go to its next instant by itself where nothing else in the kernel happens before it: results are
    /// the same, most kernel events are saved. `sc_time_stamp()` then lags behind `now()`, so this is for whoever calls
    /// `sc_start()` without a limit of time and traces no signals. Only with `Inputs::scheduled`.
    void run_ahead(bool on) noexcept { runs_ahead_ = on && inputs_ == Inputs::scheduled; }

    /// Whether anything at all is still to come, watchers included; within an entry: beside that one.
    [[nodiscard]] bool has_entries() const noexcept { return !calendar_.empty(); }

    /// Within an entry: whether the one that follows in this instant is of this class and node, for what is done once
    /// after all of them.
    [[nodiscard]] bool next_is(EventClass event_class, std::uint16_t node)
    {
        return calendar_.next_is(event_class, node);
    }

    /// What the blocks on this agenda share, one object of each type. It lives as long as the agenda.
    template <typename T>
    [[nodiscard]] T& shared()
    {
        return shared_.get<T>();
    }

    /// Instants worked on.
    [[nodiscard]] std::uint64_t instants() const noexcept { return instants_; }
    /// Activations of the agenda's process: the model's share of kernel events.
    [[nodiscard]] std::uint64_t kernel_events() const noexcept { return kernel_events_; }
    /// Entries carried out.
    [[nodiscard]] std::uint64_t entries_done() const noexcept { return entries_done_; }

private:
    void start_of_simulation() override
    {
        started_ = true;
        arm();
    }
    void push(Picoseconds when, EventClass event_class, Place place, Calendar::Action action, void* owner,
              Pooled* payload);
    void run();
    [[nodiscard]] bool work_off_instant();
    [[nodiscard]] bool next_instant_is_alone(const sc_core::sc_time& stamp) const;
    void arm();

    SharedObjects shared_;
    KernelTime kernel_time_;
    Inputs inputs_;
    Calendar calendar_;
    sc_core::sc_event due_{"due"};
    Picoseconds now_{0};
    Picoseconds armed_for_{kNever};
    bool started_{false};
    bool running_{false};
    bool settled_{false};
    bool runs_ahead_{false};
    std::uint64_t outside_work_{0};
    std::uint64_t instants_{0};
    std::uint64_t kernel_events_{0};
    std::uint64_t entries_done_{0};
    std::function<void()> quiet_;
    std::function<void()> watch_;
    std::uint64_t watch_interval_{0};
    std::uint64_t next_watch_{~std::uint64_t{0}};  // in instants
};

}  // namespace mrcnic
