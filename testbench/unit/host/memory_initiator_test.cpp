#include "mrcnic/host/memory_initiator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/base_protocol_checker.h"
#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"

namespace mrcnic::host {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using testbench::ExpectReport;
using testbench::Payload;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

struct Finished {
    std::uint32_t tag;
    Picoseconds at;
    bool ok;
};
bool operator==(const Finished& a, const Finished& b)
{
    return a.tag == b.tag && a.at == b.at && a.ok == b.ok;
}
std::ostream& operator<<(std::ostream& out, const Finished& finished)
{
    return out << finished.tag << " at " << finished.at << (finished.ok ? "" : " failed");
}

/// A memory initiator before a memory that does what the test tells it, with a checker between.
class Bench : private MemoryInitiator::Client {
public:
    Agenda agenda{"agenda"};
    MemoryInitiator initiator{"initiator", agenda, {}, *this};
    BaseProtocolChecker checker{"checker"};
    testbench::ScriptedTarget memory{"memory"};
    std::vector<Finished> done;
    std::vector<Picoseconds> begun;  ///< times of BEGIN_REQ
    std::vector<Payload*> requests;  ///< of BEGIN_REQ, in their order
    std::vector<Picoseconds> ended;  ///< times of END_RESP

    Bench()
    {
        initiator.socket.bind(checker.in);
        checker.out.bind(memory.socket);
        answer([](Payload&, tlm::tlm_phase&, sc_time&) { return TLM_ACCEPTED; });
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// How the memory answers BEGIN_REQ; the status of every access is OK.
    void answer(const testbench::NonBlocking& on_begin)
    {
        memory.on_forward = [this, on_begin](Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
            if (phase == tlm::END_RESP) {
                ended.push_back(agenda.now());
                return TLM_COMPLETED;
            }
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);  // [D4]
            begun.push_back(agenda.now());
            requests.push_back(&payload);
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
            return on_begin(payload, phase, delay);
        };
    }
    /// Accesses with tags 1, 2, ... at a time.
    void access_at(Picoseconds at, std::uint32_t count = 1)
    {
        for (std::uint32_t i = 0; i < count; ++i) {
            MemoryRequestRef request = requests_.make();
            request->tlp = tlps_.make();
            request->tlp->tag = ++last_tag_;
            request->payload = payloads_.make_without_data(64);
            request->payload->set_address(last_tag_);
            agenda.at<&Bench::access>(at, EventClass::posting, {}, *this, std::move(request));
        }
    }
    void run(std::size_t count)
    {
        testbench::run_to_end([&] { return done.size() == count; });
    }
    ~Bench() override
    {
        checker.finish();
        EXPECT_EQ(payloads_.live(), 0u);
        EXPECT_EQ(requests_.live(), 0u);
        EXPECT_TRUE(agenda.is_quiet());
    }

private:
    void access(MemoryRequestRef request) { initiator.access(std::move(request)); }
    void finished(MemoryRequestRef request) override
    {
        done.push_back({request->tlp->tag, agenda.now(), request->payload->is_response_ok()});
    }

    PayloadPool payloads_;
    Pool<MemoryRequest> requests_;
    pcie::TlpPool tlps_;
    std::uint32_t last_tag_{0};
};

sc_time ns(unsigned value)
{
    return {static_cast<double>(value), SC_NS};
}

// Answered in the call: everything happens in one instant.
TEST(MemoryInitiator, CompletedAtOnce)
{
    Bench bench;
    bench.answer([](Payload&, tlm::tlm_phase&, sc_time&) { return TLM_COMPLETED; });
    bench.access_at(1'000, 3);
    bench.run(3);
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 1'000, true}, {2, 1'000, true}, {3, 1'000, true}}));
}

// The annotated delay is the access's; the next request does not wait for it.
TEST(MemoryInitiator, CompletedWithDelay)
{
    Bench bench;
    bench.answer([](Payload&, tlm::tlm_phase&, sc_time& delay) {
        delay = ns(100);
        return TLM_COMPLETED;
    });
    bench.access_at(1'000, 2);
    bench.access_at(2'000);
    bench.run(3);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{1'000, 1'000, 2'000}));
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 101'000, true}, {2, 101'000, true}, {3, 102'000, true}}));
}

// A memory's error is the client's business, and comes to it.
TEST(MemoryInitiator, ErrorsReachTheClient)
{
    Bench bench;
    bench.answer([](Payload& payload, tlm::tlm_phase&, sc_time&) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return TLM_COMPLETED;
    });
    bench.access_at(0);
    bench.run(1);
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 0, false}}));
}

// UPDATED to END_REQ after 5 ns: the next request comes then. Responses in later calls, the second first.
TEST(MemoryInitiator, UpdatedToEndReq)
{
    Bench bench;
    bench.answer([](Payload&, tlm::tlm_phase& phase, sc_time& delay) {
        phase = tlm::END_REQ;
        delay = ns(5);
        return TLM_UPDATED;
    });
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(20));
                                  EXPECT_EQ(bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP), TLM_COMPLETED);
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP, ns(3));
                              }};
    bench.access_at(0, 2);
    bench.run(2);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{0, 5'000}));
    EXPECT_EQ(bench.done, (std::vector<Finished>{{2, 20'000, true}, {1, 23'000, true}}));
}

// UPDATED to BEGIN_RESP, at once and after 7 ns: END_RESP comes when the response begins, and nothing is left open.
TEST(MemoryInitiator, UpdatedToBeginResp)
{
    Bench bench;
    bench.answer([&](Payload&, tlm::tlm_phase& phase, sc_time& delay) {
        phase = tlm::BEGIN_RESP;
        delay = ns(bench.requests.size() == 1 ? 0 : 7);
        return TLM_UPDATED;
    });
    bench.access_at(0, 2);
    bench.run(2);
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 0, true}, {2, 7'000, true}}));
    EXPECT_EQ(bench.ended, (std::vector<Picoseconds>{0, 7'000}));
}

// ACCEPTED, then END_REQ and BEGIN_RESP in calls of their own; the second request waits for END_REQ of the first.
TEST(MemoryInitiator, AcceptedThenEndReqThenBeginResp)
{
    Bench bench;
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  EXPECT_EQ(bench.requests.size(), 1u);
                                  bench.memory.backward(*bench.requests[0], tlm::END_REQ);
                                  EXPECT_EQ(bench.requests.size(), 2u);
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP);
                                  bench.memory.backward(*bench.requests[1], tlm::END_REQ, ns(2));
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 2);
    bench.run(2);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{0, 10'000}));
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 20'000, true}, {2, 30'000, true}}));
}

// BEGIN_RESP alone implies the end of its request.
TEST(MemoryInitiator, AcceptedThenBeginResp)
{
    Bench bench;
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP);
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 2);
    bench.run(2);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{0, 10'000}));
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 10'000, true}, {2, 20'000, true}}));
}

// The response to an earlier request does not end the request phase of a later one: the third waits for END_REQ of the
// second (the checker's BP-3).
TEST(MemoryInitiator, ResponseEndsItsOwnRequestOnly)
{
    Bench bench;
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::END_REQ);
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP);
                                  EXPECT_EQ(bench.requests.size(), 2u);
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[1], tlm::END_REQ);
                                  bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP);
                                  bench.memory.backward(*bench.requests[2], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 3);
    bench.run(3);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{0, 10'000, 30'000}));
}

// END_REQ that is told before its time, and the response too: the next request comes at END_REQ's time, and that end is
// not taken for its own.
TEST(MemoryInitiator, ToldEndOfARequestStands)
{
    Bench bench;
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::END_REQ, ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP, ns(15));
                                  EXPECT_EQ(bench.requests.size(), 1u);
                                  sc_core::wait(ns(30));
                                  EXPECT_EQ(bench.requests.size(), 2u);
                                  bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP);
                                  bench.memory.backward(*bench.requests[2], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 3);
    bench.run(3);
    EXPECT_EQ(bench.begun, (std::vector<Picoseconds>{0, 20'000, 40'000}));
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 25'000, true}, {2, 40'000, true}, {3, 40'000, true}}));
}

// Calls backward from inside the call forward are as good as an answer.
TEST(MemoryInitiator, BackwardCallsInsideTheCall)
{
    Bench bench;
    bench.answer([&](Payload& payload, tlm::tlm_phase&, sc_time&) {
        bench.memory.backward(payload, tlm::END_REQ);
        bench.memory.backward(payload, tlm::BEGIN_RESP);
        return TLM_ACCEPTED;
    });
    bench.access_at(500, 3);
    bench.run(3);
    EXPECT_EQ(bench.done, (std::vector<Finished>{{1, 500, true}, {2, 500, true}, {3, 500, true}}));
}

TLM_DECLARE_EXTENDED_PHASE(NEWS);

// Phases that the base protocol does not have are ignored, in the call and later.
TEST(MemoryInitiator, IgnoresPhasesThatItDoesNotKnow)
{
    Bench bench;
    bench.answer([](Payload&, tlm::tlm_phase& phase, sc_time&) {
        phase = NEWS;
        return TLM_UPDATED;
    });
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  EXPECT_EQ(bench.memory.backward(*bench.requests[0], NEWS), TLM_ACCEPTED);
                                  EXPECT_EQ(bench.requests.size(), 1u);
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP);
                                  bench.memory.backward(*bench.requests[1], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 2);
    bench.run(2);
}

// A memory that answers what nobody asked for is told so. The checker is not asked: it would say it first.
TEST(MemoryInitiator, AnswerWithoutARequest)
{
    Bench bench;
    sc_core::sc_start(SC_ZERO_TIME);
    PayloadPool payloads;
    const PayloadRef payload = payloads.make_without_data(64);
    const ExpectReport expected{report_id::kHost, "a request that is not outstanding"};
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay;
    EXPECT_THROW(bench.checker.in->nb_transport_bw(*payload, phase, delay), sc_core::sc_report);
}

// A memory that held its first request while ten thousand others came, and then answers each in its call: from a
// process with a stack of the usual size.
TEST(MemoryInitiator, ManyWaitingRequestsNeedNoDepth)
{
    Bench bench;
    bench.answer(
        [&](Payload&, tlm::tlm_phase&, sc_time&) { return bench.requests.size() == 1 ? TLM_ACCEPTED : TLM_COMPLETED; });
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(ns(10));
                                  bench.memory.backward(*bench.requests[0], tlm::BEGIN_RESP);
                              }};
    bench.access_at(0, 10'000);
    bench.run(10'000);
    EXPECT_TRUE(std::is_sorted(bench.done.begin(), bench.done.end(),
                               [](const Finished& a, const Finished& b) { return a.tag < b.tag; }));
}

/// A memory that answers in a way drawn at random each time, always a legal one.
class MoodyMemory {
public:
    MoodyMemory(Bench& bench, std::uint64_t seed) : bench_{bench}, random_{seed}
    {
        bench.answer(
            [this](Payload& payload, tlm::tlm_phase& phase, sc_time& delay) { return begin(payload, phase, delay); });
        const testbench::NonBlocking on_begin = bench.memory.on_forward;
        bench.memory.on_forward = [this, on_begin](Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
            response_open_ = response_open_ && phase != tlm::END_RESP;
            return on_begin(payload, phase, delay);
        };
    }

    void run()
    {
        for (;;) {
            while (pending_.empty()) {
                sc_core::wait(work_);
            }
            sc_core::wait(draw_delay());
            act();
        }
    }
    std::map<std::string, unsigned> moods;

private:
    struct Pending {
        Payload* payload;
        bool in_request;
        sc_time earliest;
    };

    unsigned draw(unsigned count) { return std::uniform_int_distribution<unsigned>{0, count - 1}(random_); }
    sc_time draw_delay() { return draw(2) == 0 ? SC_ZERO_TIME : ns(draw(20)); }

    tlm::tlm_sync_enum begin(Payload& payload, tlm::tlm_phase& phase, sc_time& delay)
    {
        const unsigned mood = draw(4);
        if (mood == 0) {
            ++moods["completed"];
            delay += draw_delay();
            return TLM_COMPLETED;
        }
        if (mood == 1 && !response_open_) {
            ++moods["begin_resp"];
            response_open_ = true;
            phase = tlm::BEGIN_RESP;
            delay += draw_delay();
            return TLM_UPDATED;
        }
        work_.notify(SC_ZERO_TIME);
        if (mood == 2) {
            ++moods["end_req"];
            phase = tlm::END_REQ;
            delay += draw_delay();
            pending_.push_back({&payload, false, sc_core::sc_time_stamp() + delay});
            return TLM_UPDATED;
        }
        ++moods["accepted"];
        pending_.push_back({&payload, true, sc_core::sc_time_stamp()});
        return TLM_ACCEPTED;
    }
    void act()
    {
        const auto chosen = pending_.begin() + draw(static_cast<unsigned>(pending_.size()));
        const sc_time now = sc_core::sc_time_stamp();
        const sc_time at = std::max(chosen->earliest, now + draw_delay());
        if (chosen->in_request && draw(2) == 0) {
            chosen->in_request = false;
            chosen->earliest = at;
            bench_.memory.backward(*chosen->payload, tlm::END_REQ, at - now);  // may bring more, and move them
        } else if (!response_open_) {
            ++moods[chosen->in_request ? "response without END_REQ" : "response"];
            Payload& payload = *chosen->payload;
            pending_.erase(chosen);
            response_open_ = true;  // the next request may come inside the call
            EXPECT_EQ(bench_.memory.backward(payload, tlm::BEGIN_RESP, at - now), TLM_COMPLETED);
            response_open_ = false;
        }
    }

    Bench& bench_;
    std::mt19937_64 random_;
    std::vector<Pending> pending_;
    bool response_open_{false};
    sc_core::sc_event work_{"work"};
};

// Every legal answer in every order: each access is finished once, requests go out in order, and the checker has
// nothing to say.
TEST(MemoryInitiatorProperty, TakesEveryLegalAnswer)
{
    const std::uint64_t seed = testbench::seed();
    Bench bench;
    MoodyMemory memory{bench, seed};
    testbench::Thread process{"process", [&] { memory.run(); }};
    std::mt19937_64 random{seed + 1};
    Picoseconds at = 0;
    constexpr std::uint32_t kAccesses = 5'000;
    for (std::uint32_t i = 0; i < kAccesses; ++i) {
        bench.access_at(at);
        at += static_cast<Picoseconds>(random() % 3 == 0 ? random() % 40'000 : 0);
    }
    bench.run(kAccesses);
    std::vector<bool> seen(kAccesses + 1);
    for (const Finished& finished : bench.done) {
        EXPECT_TRUE(finished.ok);
        EXPECT_FALSE(seen[finished.tag]) << finished.tag;
        seen[finished.tag] = true;
    }
    EXPECT_EQ(bench.requests.size(), kAccesses);
    EXPECT_EQ(memory.moods.size(), 6u);
    for (const auto& [mood, count] : memory.moods) {
        EXPECT_GT(count, 100u) << mood;
    }
}

}  // namespace
}  // namespace mrcnic::host
