#include "mrcnic/base/agenda.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"

namespace mrcnic {
namespace {

using testbench::ExpectReport;
using testbench::Thread;

sc_core::sc_time ps(int time)
{
    return {static_cast<double>(time), sc_core::SC_PS};
}

class Parcel : public Pooled {
public:
    void reset() noexcept {}
};

/// Something to do; notes in a log what it is and when it was called.
class Deed {
public:
    using Log = std::vector<std::pair<std::string, Picoseconds>>;

    Deed(const Agenda& agenda, Log& log, std::string name, std::function<void()> then = {})
        : agenda_{agenda}, log_{log}, name_{std::move(name)}, then_{std::move(then)}
    {
    }
    void act()
    {
        log_.emplace_back(name_, agenda_.now());
        if (then_) {
            then_();
        }
    }
    void take(Ref<Parcel> parcel)
    {
        EXPECT_EQ(parcel->references(), 1U);
        act();
    }

private:
    const Agenda& agenda_;
    Log& log_;
    std::string name_;
    std::function<void()> then_;
};

using Log = Deed::Log;

// [OE-1] [OE-3] Entries of one instant come in the order of their class, then node, then port, then of scheduling,
// in one activation; those of an earlier instant before.
TEST(Agenda, OrderInOneInstant)
{
    Agenda agenda{"agenda"};
    Log log;
    const std::vector<std::pair<EventClass, Place>> in_order{{EventClass::serialization_end, {3, 1}},
                                                             {EventClass::pcie_to_host, {3, 0}},
                                                             {EventClass::pcie_to_nic, {0, 0}},
                                                             {EventClass::arrival, {0, 1}},
                                                             {EventClass::arrival, {1, 0}},
                                                             {EventClass::arrivals_complete, {}},
                                                             {EventClass::timer, {}},
                                                             {EventClass::delayed_pass, {}},
                                                             {EventClass::posting, {}},
                                                             {EventClass::probe, {}},
                                                             {EventClass::choice, {}},
                                                             {EventClass::record, {}}};
    std::vector<Deed> deeds;
    deeds.reserve(in_order.size());
    Log expected{{"earlier", 9'999}};
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        deeds.emplace_back(agenda, log, std::to_string(i));
        expected.emplace_back(std::to_string(i), 10'000);
    }
    for (std::size_t i = in_order.size(); i-- > 0;) {
        agenda.at<&Deed::act>(10'000, in_order[i].first, in_order[i].second, deeds[i]);
    }
    Deed earlier{agenda, log, "earlier"};
    agenda.at<&Deed::act>(9'999, EventClass::record, {}, earlier);
    Deed last{agenda, log, "last"};
    agenda.at<&Deed::act>(10'000, EventClass::record, {}, last);
    expected.emplace_back("last", 10'000);

    testbench::run_to_end([&] { return log.size() == expected.size(); });
    EXPECT_EQ(log, expected);
    EXPECT_EQ(agenda.kernel_events(), 2U);
    EXPECT_EQ(agenda.entries_done(), expected.size());
    EXPECT_EQ(sc_core::sc_time_stamp(), ps(10'000));
}

// [OE-2] [OE-3] What an entry puts into its own instant is done in it, in its place: a choice still comes last.
TEST(Agenda, EntriesMadeInTheInstant)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed choice{agenda, log, "choice"};
    Deed posting{agenda, log, "posting"};
    Deed arrival{agenda, log, "arrival"};
    Deed end{agenda, log, "end", [&] {
                 agenda.at<&Deed::act>(agenda.now(), EventClass::choice, {}, choice);
                 agenda.at<&Deed::act>(agenda.now(), EventClass::posting, {}, posting);
                 agenda.at<&Deed::act>(agenda.now(), EventClass::arrival, {}, arrival);
             }};
    agenda.at<&Deed::act>(7, EventClass::serialization_end, {}, end);
    testbench::run_to_end([&] { return log.size() == 4; });
    EXPECT_EQ(log, (Log{{"end", 7}, {"arrival", 7}, {"posting", 7}, {"choice", 7}}));
    EXPECT_EQ(agenda.kernel_events(), 1U);
}

// Nothing due, nothing spent: an hour of idleness is no kernel event.
TEST(Agenda, IdleTimeCostsNothing)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    constexpr Picoseconds kHour = 3600 * kPicosecondsPerSecond;
    agenda.at<&Deed::act>(1, EventClass::timer, {}, deed);
    agenda.at<&Deed::act>(kHour, EventClass::timer, {}, deed);
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(log.back().second, kHour);
    EXPECT_EQ(agenda.kernel_events(), 2U);
}

TEST(Agenda, EmptyAgendaNeverRuns)
{
    const Agenda agenda{"agenda"};
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(agenda.kernel_events(), 0U);
}

// An entry that comes later in the run for an earlier time moves the next activation forward.
TEST(Agenda, EarlierEntryMovesTheActivation)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed late{agenda, log, "late"};
    Deed early{agenda, log, "early"};
    agenda.at<&Deed::act>(20, EventClass::arrival, {}, late);
    Thread thread{"thread", [&] {
                      sc_core::wait(ps(5));
                      EXPECT_EQ(agenda.now(), 5);
                      agenda.at<&Deed::act>(10, EventClass::arrival, {}, early);
                  }};
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(log, (Log{{"early", 10}, {"late", 20}}));
    EXPECT_EQ(agenda.kernel_events(), 2U);
}

// The payload of an entry is held until then and handed over.
TEST(Agenda, CarriesPayloads)
{
    Agenda agenda{"agenda"};
    Log log;
    Pool<Parcel> pool;
    Deed deed{agenda, log, "deed"};
    agenda.at<&Deed::take>(4, EventClass::arrival, {}, deed, pool.make());
    EXPECT_EQ(pool.live(), 1U);
    testbench::run_to_end([&] { return log.size() == 1; });
    EXPECT_EQ(pool.live(), 0U);
}

// [OE-1] The past is closed.
TEST(Agenda, RefusesThePast)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    sc_core::sc_start(ps(10));
    EXPECT_THROW((agenda.at<&Deed::act>(9, EventClass::arrival, {}, deed)), InvariantError);
    agenda.at<&Deed::act>(10, EventClass::arrival, {}, deed);
    testbench::run_to_end([&] { return log.size() == 1; });
}

/// A stranger who wakes in the instant of a choice and puts an arrival into it.
class AgendaForeign : public testing::TestWithParam<bool> {};

// [OE-3] Whichever process the kernel runs first, the choice and the record come after what the stranger has put in.
TEST_P(AgendaForeign, ChoicesWaitForStrangers)
{
    Log log;
    const bool stranger_first = GetParam();
    Agenda* agenda_pointer = nullptr;
    Deed* arrival_pointer = nullptr;
    const auto call = [&] {
        sc_core::wait(ps(10));
        agenda_pointer->at<&Deed::act>(10, EventClass::arrival, {}, *arrival_pointer);
    };
    std::unique_ptr<Thread> stranger = stranger_first ? std::make_unique<Thread>("stranger", call) : nullptr;
    Agenda agenda{"agenda", Agenda::Inputs::foreign};
    if (!stranger_first) {
        stranger = std::make_unique<Thread>("stranger", call);
    }
    Deed arrival{agenda, log, "arrival"};
    agenda_pointer = &agenda;
    arrival_pointer = &arrival;
    Deed end{agenda, log, "end"};
    Deed choice{agenda, log, "choice"};
    Deed record{agenda, log, "record"};
    agenda.at<&Deed::act>(10, EventClass::record, {}, record);
    agenda.at<&Deed::act>(10, EventClass::choice, {}, choice);
    agenda.at<&Deed::act>(10, EventClass::serialization_end, {}, end);
    testbench::run_to_end([&] { return log.size() == 4; });
    EXPECT_EQ(log, (Log{{"end", 10}, {"arrival", 10}, {"choice", 10}, {"record", 10}}));
    EXPECT_EQ(agenda.kernel_events(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Orders, AgendaForeign, testing::Bool(),
                         [](const auto& order) { return order.param ? "StrangerFirst" : "AgendaFirst"; });

// [OE-3] The wait is asked for anew in every instant, and only where there is a choice.
TEST(Agenda, ForeignInstantsAreSettledOneByOne)
{
    Agenda agenda{"agenda", Agenda::Inputs::foreign};
    Log log;
    Deed deed{agenda, log, "deed"};
    agenda.at<&Deed::act>(10, EventClass::choice, {}, deed);
    agenda.at<&Deed::act>(20, EventClass::choice, {}, deed);
    agenda.at<&Deed::act>(30, EventClass::arrival, {}, deed);
    testbench::run_to_end([&] { return log.size() == 3; });
    EXPECT_EQ(agenda.kernel_events(), 5U);
}

// [WL-5] Quiet is told at the end of every instant that leaves no work; timers that wait are none.
TEST(Agenda, TellsWhenItIsQuiet)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    std::vector<Picoseconds> quiet;
    agenda.on_quiet([&] { quiet.push_back(agenda.now()); });
    EXPECT_TRUE(agenda.is_quiet());
    Deed begins{agenda, log, "begins", [&] { agenda.begin_outside_work(); }};
    Deed ends{agenda, log, "ends", [&] { agenda.end_outside_work(); }};
    agenda.at<&Deed::act>(10, EventClass::arrival, {}, deed);
    EXPECT_FALSE(agenda.is_quiet());
    agenda.at<&Deed::act>(20, EventClass::arrival, {}, begins);
    agenda.at<&Deed::act>(30, EventClass::timer, {}, deed);
    agenda.at<&Deed::act>(40, EventClass::timer, {}, ends);
    agenda.at<&Deed::act>(50, EventClass::timer, {}, deed);
    testbench::run_to_end([&] { return log.size() == 5; });
    EXPECT_EQ(quiet, (std::vector<Picoseconds>{40, 50}));  // not 20, 30: somebody else is at work
}

// [WL-5] The last work ends in a process of somebody else, such as a memory's: quiet then, not at the next timer.
TEST(Agenda, TellsThatOutsideWorkHasEnded)
{
    Agenda agenda{"agenda", Agenda::Inputs::foreign};
    Log log;
    Deed deed{agenda, log, "deed"};
    Deed begins{agenda, log, "begins", [&] { agenda.begin_outside_work(); }};
    std::vector<Picoseconds> quiet;
    agenda.on_quiet([&] { quiet.push_back(agenda.now()); });
    agenda.at<&Deed::act>(10, EventClass::arrival, {}, begins);
    agenda.at<&Deed::act>(500, EventClass::timer, {}, deed);
    const Thread memory{"memory", [&] {
                            sc_core::wait(ps(30));
                            agenda.end_outside_work();
                        }};
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(quiet, (std::vector<Picoseconds>{30, 500}));
}

// The watcher comes once in so many instants, at the end of the instant: after all its entries and `on_quiet`.
TEST(Agenda, WatchComesOnceInSoManyInstants)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    Deed watch{agenda, log, "watch"};
    Deed quiet{agenda, log, "quiet"};
    agenda.watch([&] { watch.act(); }, 3);
    agenda.on_quiet([&] { quiet.act(); });
    for (const Picoseconds when : {10, 20, 30, 30, 40, 50, 60, 70}) {
        agenda.at<&Deed::act>(when, EventClass::arrival, {}, deed);
    }
    testbench::run_to_end([&] { return log.size() == 11; });
    EXPECT_EQ(log, (Log{{"deed", 10},
                        {"deed", 20},
                        {"deed", 30},
                        {"deed", 30},
                        {"watch", 30},
                        {"deed", 40},
                        {"deed", 50},
                        {"deed", 60},
                        {"watch", 60},
                        {"deed", 70},
                        {"quiet", 70}}));
}

// Ahead of the kernel: one activation works off what nobody else in the kernel stands before, at the same times.
TEST(Agenda, RunsAheadWhereItIsAlone)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    Deed stranger{agenda, log, "stranger"};
    const Thread thread{"thread", [&] {
                            sc_core::wait(ps(40));
                            stranger.act();
                        }};
    agenda.run_ahead(true);
    for (const Picoseconds when : {10, 20, 30, 50, 60, 70}) {
        agenda.at<&Deed::act>(when, EventClass::arrival, {}, deed);
    }
    testbench::run_to_end([&] { return log.size() == 7; });
    EXPECT_EQ(
        log,
        (Log{{"deed", 10}, {"deed", 20}, {"deed", 30}, {"stranger", 40}, {"deed", 50}, {"deed", 60}, {"deed", 70}}));
    EXPECT_EQ(agenda.instants(), 6U);
    EXPECT_EQ(agenda.kernel_events(), 2U);
    EXPECT_EQ(agenda.now(), 70);
}

// It does not pass a stranger's instant, nor run into it: what the stranger schedules there still comes in its order.
TEST(Agenda, DoesNotRunAheadOfStrangers)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed late{agenda, log, "late"};
    Deed early{agenda, log, "early"};
    const Thread thread{"thread", [&] {
                            sc_core::wait(ps(40));
                            agenda.at<&Deed::act>(45, EventClass::arrival, {}, early);
                        }};
    agenda.run_ahead(true);
    agenda.at<&Deed::act>(10, EventClass::arrival, {}, early);
    agenda.at<&Deed::act>(50, EventClass::arrival, {}, late);
    testbench::run_to_end([&] { return log.size() == 3; });
    EXPECT_EQ(log, (Log{{"early", 10}, {"early", 45}, {"late", 50}}));
}

// With foreign inputs it never does.
TEST(Agenda, ForeignInputsForbidRunningAhead)
{
    Agenda agenda{"agenda", Agenda::Inputs::foreign};
    Log log;
    Deed deed{agenda, log, "deed"};
    agenda.run_ahead(true);
    for (const Picoseconds when : {10, 20, 30}) {
        agenda.at<&Deed::act>(when, EventClass::arrival, {}, deed);
    }
    testbench::run_to_end([&] { return log.size() == 3; });
    EXPECT_EQ(agenda.kernel_events(), 3U);
}

// The watcher may stop the kernel: nothing comes after.
TEST(Agenda, WatchMayStopTheRun)
{
    Agenda agenda{"agenda"};
    Log log;
    Deed deed{agenda, log, "deed"};
    agenda.watch([] { sc_core::sc_stop(); }, 2);
    for (const Picoseconds when : {10, 20, 30}) {
        agenda.at<&Deed::act>(when, EventClass::arrival, {}, deed);
    }
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(log, (Log{{"deed", 10}, {"deed", 20}}));
}

// A finer kernel changes nothing.
TEST(Agenda, WorksAtOneFemtosecond)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    Agenda agenda{"agenda"};
    Log log;
    Deed first{agenda, log, "first", [] { EXPECT_EQ(sc_core::sc_time_stamp().value(), 83'480'000U); }};
    Deed second{agenda, log, "second", [] { EXPECT_EQ(sc_core::sc_time_stamp().value(), 83'481'000U); }};
    agenda.at<&Deed::act>(83'481, EventClass::arrival, {}, second);
    agenda.at<&Deed::act>(83'480, EventClass::arrival, {}, first);
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(log, (Log{{"first", 83'480}, {"second", 83'481}}));
}

// A stranger's call between two picoseconds belongs to the next whole one, and is done there, not before.
TEST(Agenda, CallsBetweenPicosecondsWaitForTheNext)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    Agenda agenda{"agenda", Agenda::Inputs::foreign};
    Log log;
    Deed choice{agenda, log, "choice", [] { EXPECT_EQ(sc_core::sc_time_stamp().value(), 11'000U); }};
    Deed arrival{agenda, log, "arrival"};
    Thread thread{"thread", [&] {
                      sc_core::wait(sc_core::sc_time::from_value(10'500));
                      EXPECT_EQ(agenda.now(), 11);
                      agenda.at<&Deed::act>(11, EventClass::choice, {}, choice);
                      sc_core::wait(sc_core::sc_time::from_value(500));
                      agenda.at<&Deed::act>(11, EventClass::arrival, {}, arrival);
                  }};
    testbench::run_to_end([&] { return log.size() == 2; });
    EXPECT_EQ(log, (Log{{"arrival", 11}, {"choice", 11}}));
}

// A coarser kernel is refused in words.
TEST(Agenda, SaysThatTheResolutionIsTooCoarse)
{
    sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
    const ExpectReport report{report_id::kTime, "the time resolution is 10 ps"};
    EXPECT_THROW(Agenda{"agenda"}, sc_core::sc_report);
}

}  // namespace
}  // namespace mrcnic
