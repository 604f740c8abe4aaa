#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/pcie/path_runner.h"

// Random TLPs over random links, against a model of single transfers that shares no code with the transmit path.

namespace mrcnic::pcie {
namespace {

using testbench::PathRunner;
using testbench::Told;

struct Step {
    enum class What { submit, init, update };
    Picoseconds at{0};
    What what{What::submit};
    TlpKind kind{TlpKind::memory_write};
    std::uint32_t payload{0};
    bool reports{false};
    CreditUnits limit;
};

struct Scenario {
    TransmitPath::Parameters parameters;
    PathRunner::Receiver receiver{PathRunner::Receiver::takes_at_once};
    CreditUnits receive_buffer;
    std::vector<Step> steps;  // in time order
};

/// What can be seen of a link at the end of an instant.
struct Snapshot {
    std::uint64_t transfers{0};
    std::uint64_t bytes{0};
    Picoseconds busy{0};
    Picoseconds header_credit_stall{0};
    Picoseconds data_credit_stall{0};
    Picoseconds header_wait{0};
    Picoseconds data_wait{0};
    std::uint64_t header_occupancy{0};
    std::uint64_t data_occupancy{0};

    bool operator==(const Snapshot& o) const
    {
        return transfers == o.transfers && bytes == o.bytes && busy == o.busy &&
               header_credit_stall == o.header_credit_stall && data_credit_stall == o.data_credit_stall &&
               header_wait == o.header_wait && data_wait == o.data_wait && header_occupancy == o.header_occupancy &&
               data_occupancy == o.data_occupancy;
    }
};

std::ostream& operator<<(std::ostream& out, const Snapshot& s)
{
    return out << "transfers " << s.transfers << " bytes " << s.bytes << " busy " << s.busy << " stalls "
               << s.header_credit_stall << '/' << s.data_credit_stall << " waits " << s.header_wait << '/'
               << s.data_wait << " occupancy " << s.header_occupancy << '/' << s.data_occupancy;
}

/// The link as the sheet words it, a transfer at a time [PC-5, PC-8, PC-9, PC-10, XT-1].
class NaiveLink {
public:
    explicit NaiveLink(const Scenario& scenario) : scenario_{scenario}
    {
        if (scenario.receiver == PathRunner::Receiver::takes_at_once) {
            credits_ = scenario.receive_buffer;
        }
    }

    void run()
    {
        std::size_t step = 0;
        while (on_link_ || step < scenario_.steps.size()) {
            Picoseconds now = on_link_ ? link_end_ : kNever;
            if (step < scenario_.steps.size()) {
                now = std::min(now, scenario_.steps[step].at);
            }
            pass_time(now);
            if (on_link_ && link_end_ == now) {
                end_transfer();
            }
            for (; step < scenario_.steps.size() && scenario_.steps[step].at == now; ++step) {
                carry_out(scenario_.steps[step]);
            }
            seen_.header_occupancy = header_used();
            seen_.data_occupancy = data_used();
            snapshots[now] = seen_;
        }
    }

    std::map<Picoseconds, Snapshot> snapshots;
    std::vector<Told> arrivals;
    std::vector<Told> acceptances;

private:
    struct Transfer {
        std::uint32_t tag;
        std::uint64_t payload;
        bool last;
        bool reports;
    };

    [[nodiscard]] std::uint64_t header_used() const { return buffer_.size() * overhead(); }
    [[nodiscard]] std::uint64_t data_used() const
    {
        std::uint64_t sum = 0;
        for (const Transfer& transfer : buffer_) {
            sum += transfer.payload;
        }
        return sum;
    }
    [[nodiscard]] std::uint64_t overhead() const { return scenario_.parameters.cut.overhead; }
    [[nodiscard]] bool lacks_header_credit() const { return !credits_ || credits_->header < overhead(); }
    [[nodiscard]] bool lacks_data_credit() const { return !credits_ || credits_->data < buffer_.front().payload; }
    [[nodiscard]] std::deque<Transfer>* waiting()
    {
        std::deque<Transfer>& queue = reads_.empty() ? others_ : reads_;
        return queue.empty() ? nullptr : &queue;
    }
    [[nodiscard]] bool lacks_header_room() const
    {
        return header_used() + overhead() > scenario_.parameters.header_buffer;
    }
    [[nodiscard]] bool lacks_data_room(const Transfer& transfer) const
    {
        return data_used() + transfer.payload > scenario_.parameters.data_buffer;
    }

    void pass_time(Picoseconds now)
    {
        const Picoseconds passed = now - now_;
        now_ = now;
        seen_.busy += on_link_ ? passed : 0;
        if (!on_link_ && !buffer_.empty()) {
            seen_.header_credit_stall += lacks_header_credit() ? passed : 0;
            seen_.data_credit_stall += lacks_data_credit() ? passed : 0;
        }
        if (const std::deque<Transfer>* queue = waiting()) {
            seen_.header_wait += lacks_header_room() ? passed : 0;
            seen_.data_wait += lacks_data_room(queue->front()) ? passed : 0;
        }
    }
    void carry_out(const Step& step)
    {
        if (step.what == Step::What::submit) {
            submit(step);
            return;
        }
        if (step.what == Step::What::init) {
            credits_ = CreditUnits{};
            told_ = {};
        }
        credits_->header += step.limit.header - told_.header;
        credits_->data += step.limit.data - told_.data;
        told_ = step.limit;
        start();
    }
    void submit(const Step& step)
    {
        ++last_tag_;
        std::deque<Transfer>& queue = step.kind == TlpKind::memory_read ? reads_ : others_;
        std::uint64_t rest = step.payload;
        do {
            const std::uint64_t payload = std::min<std::uint64_t>(rest, scenario_.parameters.cut.max_payload);
            rest -= payload;
            queue.push_back({last_tag_, payload, rest == 0, step.reports});
        } while (rest > 0);
        admit();
        start();
    }
    void admit()
    {
        while (std::deque<Transfer>* queue = waiting()) {
            const Transfer transfer = queue->front();
            if (lacks_header_room() || lacks_data_room(transfer)) {
                return;
            }
            queue->pop_front();
            buffer_.push_back(transfer);
            if (transfer.last && transfer.reports) {
                acceptances.push_back({transfer.tag, now_});
            }
        }
    }
    void start()
    {
        if (on_link_ || buffer_.empty() || lacks_header_credit() || lacks_data_credit()) {
            return;
        }
        on_link_ = buffer_.front();
        buffer_.pop_front();
        credits_->header -= overhead();
        credits_->data -= on_link_->payload;
        if (link_end_ != now_) {
            period_start_ = now_;
            period_bits_ = 0;
        }
        period_bits_ += 8 * (overhead() + on_link_->payload);
        link_end_ = period_start_ + rounded(period_bits_);
        ++seen_.transfers;
        seen_.bytes += overhead() + on_link_->payload;
        admit();
    }
    void end_transfer()
    {
        const Transfer transfer = *on_link_;
        on_link_.reset();
        if (transfer.last) {
            arrivals.push_back({transfer.tag, now_});
        }
        if (scenario_.receiver == PathRunner::Receiver::takes_at_once) {
            credits_->header += overhead();
            credits_->data += transfer.payload;
        }
        start();
    }
    [[nodiscard]] Picoseconds rounded(std::uint64_t bits) const
    {
        __extension__ using Wide = unsigned __int128;
        const Wide rate = scenario_.parameters.rate;
        return static_cast<Picoseconds>((2 * Wide{bits} * 1'000'000'000'000U + rate) / (2 * rate));
    }

    const Scenario& scenario_;
    std::deque<Transfer> reads_;
    std::deque<Transfer> others_;
    std::deque<Transfer> buffer_;
    std::optional<Transfer> on_link_;
    std::optional<CreditUnits> credits_;  // none before INIT_FC
    CreditUnits told_;
    Picoseconds now_{0};
    Picoseconds link_end_{-1};
    Picoseconds period_start_{0};
    std::uint64_t period_bits_{0};
    std::uint32_t last_tag_{0};
    Snapshot seen_;
};

/// Draws scenarios in which buffers fill, credits run out, and causes meet in one picosecond.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_{seed} {}

    Scenario scenario()
    {
        Scenario scenario;
        TransmitPath::Parameters& parameters = scenario.parameters;
        parameters.rate = one_of<BitsPerSecond>({31'520'000'000, 126'080'000'000, 504'320'000'000, 8'000'000'000'000,
                                                 1'000'000'000'000, 999'999'937, 77'777'777'777});
        if (chance(25)) {
            parameters.cut = {static_cast<std::uint32_t>(between(1, 600)), static_cast<std::uint32_t>(between(1, 40))};
        }
        const CreditUnits one{parameters.cut.overhead, parameters.cut.max_payload};
        const CreditUnits transmit = buffer(one);
        parameters.header_buffer = transmit.header;
        parameters.data_buffer = transmit.data;
        scenario.receive_buffer = buffer(one);
        draw_submissions(scenario);
        if (chance(40)) {
            scenario.receiver = PathRunner::Receiver::scripted;
            draw_updates(scenario);
        }
        return scenario;
    }
    std::uint64_t between(std::uint64_t first, std::uint64_t last)
    {
        return std::uniform_int_distribution<std::uint64_t>{first, last}(engine_);
    }
    bool chance(unsigned percent) { return between(1, 100) <= percent; }

private:
    template <typename T>
    T one_of(const std::vector<T>& values)
    {
        return values[between(0, values.size() - 1)];
    }
    /// From one transfer to more than is ever used.
    CreditUnits buffer(CreditUnits one)
    {
        const auto size = [this](std::uint64_t transfer) {
            const std::uint64_t transfers = one_of<std::uint64_t>({1, 1, 2, 3, 9, 20, 1'000});
            return transfers * transfer + (chance(50) ? between(0, transfer - 1) : 0);
        };
        return {size(one.header), size(one.data)};
    }
    /// Whole bytes of time at the rate, so that causes and ends coincide, or anything.
    Picoseconds gap(const TransmitPath::Parameters& parameters)
    {
        const auto byte_time = static_cast<Picoseconds>(8'000'000'000'000 / parameters.rate + 1);
        const std::uint64_t transfer = parameters.cut.overhead + parameters.cut.max_payload;
        switch (between(0, 5)) {
            case 0:
            case 1:
                return 0;
            case 2:
                return static_cast<Picoseconds>(between(0, 3));
            case 3:
                return static_cast<Picoseconds>(transfer * between(1, 3)) * byte_time;
            case 4:
                return static_cast<Picoseconds>(between(1, 2 * transfer)) * byte_time;
            default:
                return static_cast<Picoseconds>(between(1, 20 * transfer)) * byte_time;
        }
    }
    void draw_submissions(Scenario& scenario)
    {
        const std::uint64_t count = between(3, 50);
        const bool host_side = chance(30);
        const bool only_writes_report = chance(60);
        Picoseconds at = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            Step step;
            step.at = at;
            step.kind = host_side
                            ? TlpKind::completion
                            : one_of<TlpKind>({TlpKind::memory_read, TlpKind::memory_write, TlpKind::memory_write});
            step.reports = only_writes_report ? step.kind == TlpKind::memory_write : chance(50);
            step.payload = static_cast<std::uint32_t>(
                chance(10) ? 0 : between(1, std::uint64_t{scenario.parameters.cut.max_payload} * between(1, 10)));
            scenario.steps.push_back(step);
            at += gap(scenario.parameters);
        }
    }
    /// Limits that grow at random, independent of what arrives, and suffice in the end.
    void draw_updates(Scenario& scenario)
    {
        CreditUnits limit = scenario.receive_buffer;
        Picoseconds at = chance(50) ? 0 : gap(scenario.parameters);
        Step init;
        init.at = at;
        init.what = Step::What::init;
        init.limit = limit;
        std::vector<Step> updates{init};
        for (std::uint64_t i = between(0, 30); i > 0; --i) {
            at += gap(scenario.parameters);
            Step update;
            update.at = at;
            update.what = Step::What::update;
            limit.header += between(0, std::uint64_t{scenario.parameters.cut.overhead} * 8);
            limit.data += between(0, std::uint64_t{scenario.parameters.cut.max_payload} * 8);
            update.limit = limit;
            updates.push_back(update);
        }
        at += gap(scenario.parameters);
        Step last = updates.back();
        last.at = at;
        last.what = Step::What::update;
        last.limit = {limit.header + 1'000'000'000, limit.data + 1'000'000'000};
        updates.push_back(last);
        scenario.steps.insert(scenario.steps.end(), updates.begin(), updates.end());
        std::stable_sort(scenario.steps.begin(), scenario.steps.end(),
                         [](const Step& a, const Step& b) { return a.at < b.at; });
    }

    std::mt19937_64 engine_;
};

Snapshot look(const TransmitPath& path, Picoseconds now)
{
    return {path.counters().transfers,     path.counters().bytes,       path.busy(now),
            path.header_credit_stall(now), path.data_credit_stall(now), path.header_wait(now),
            path.data_wait(now),           path.header_occupancy(),     path.data_occupancy()};
}

void carry_out(const Step& step, PathRunner& line)
{
    switch (step.what) {
        case Step::What::submit:
            line.submit(step.at, step.kind, step.payload, step.reports);
            break;
        case Step::What::init:
            line.init(step.at, step.limit);
            break;
        case Step::What::update:
            line.update(step.at, step.limit);
            break;
    }
}

/// Runs the transmit path through the scenario and compares all that it tells, when it tells it.
/// @return its events
std::uint64_t compare(const Scenario& scenario, const NaiveLink& expected, bool trains, Dice& dice)
{
    TransmitPath::Parameters parameters = scenario.parameters;
    parameters.trains = trains;
    PathRunner line{parameters, scenario.receiver, scenario.receive_buffer};
    std::size_t step = 0;
    while (line.due != kNever || step < scenario.steps.size()) {
        const Picoseconds script = step < scenario.steps.size() ? scenario.steps[step].at : kNever;
        const Picoseconds now = std::min(script, line.due);
        if (dice.chance(20)) {
            line.path.advance(now);  // somebody reads a statistic before the event of the instant
        }
        line.run_until(now);
        for (; step < scenario.steps.size() && scenario.steps[step].at == now; ++step) {
            carry_out(scenario.steps[step], line);
        }
        const auto snapshot = expected.snapshots.find(now);
        if (snapshot == expected.snapshots.end()) {
            ADD_FAILURE() << "an event at " << now << " ps, when nothing happens";
            return 0;
        }
        // Not always: what nobody asks for is worked out later, and that must not matter.
        if (dice.chance(50)) {
            line.path.advance(now);
            EXPECT_EQ(look(line.path, now), snapshot->second) << "at " << now << " ps";
        }
    }
    EXPECT_EQ(line.arrivals, expected.arrivals);
    EXPECT_EQ(line.acceptances, expected.acceptances);
    EXPECT_TRUE(line.path.idle());
    EXPECT_EQ(line.live(), 0u);
    return line.events;
}

bool keeps_order(const Scenario& scenario, const std::vector<Told>& arrivals)
{
    std::map<bool, std::uint32_t> latest;
    std::vector<TlpKind> kinds;
    for (const Step& step : scenario.steps) {
        if (step.what == Step::What::submit) {
            kinds.push_back(step.kind);
        }
    }
    return arrivals.size() == kinds.size() && std::all_of(arrivals.begin(), arrivals.end(), [&](const Told& told) {
               const bool read = kinds[told.tag - 1] == TlpKind::memory_read;
               const bool in_order = told.tag > latest[read];
               latest[read] = told.tag;
               return in_order;
           });
}

// [PC-5, PC-8, PC-9, PC-10, XT-1] With trains and without, the same times and statistics as transfer by transfer;
// nothing is lost, reads stay in order, and so do all others.
TEST(TransmitPathProperty, AgreesWithSingleTransfers)
{
    const std::uint64_t seed = testbench::seed();
    std::uint64_t events_of_trains = 0;
    std::uint64_t events_of_transfers = 0;
    for (std::uint64_t round = 0; round < 2'000 && !testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round));
        Dice dice{seed * 1'000'003 + round};
        const Scenario scenario = dice.scenario();
        NaiveLink expected{scenario};
        expected.run();
        EXPECT_TRUE(keeps_order(scenario, expected.arrivals));
        events_of_trains += compare(scenario, expected, true, dice);
        events_of_transfers += compare(scenario, expected, false, dice);
    }
    EXPECT_LT(events_of_trains, events_of_transfers);
}

}  // namespace
}  // namespace mrcnic::pcie
