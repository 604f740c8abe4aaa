#include "mrcnic/nic/egress_buffer.h"

#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "mrcnic/pcie/checked_wiring.h"
#include "testbench/support/harness.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::nic {
namespace {

using packet::FrameRef;
using packet::TrafficClass;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

/// Answers a cycle later, as clocked timing will.
class LateAnswers final : public BlockTiming {
public:
    [[nodiscard]] Picoseconds answer_at(Picoseconds now) const noexcept override { return now + 1'000; }
    [[nodiscard]] Picoseconds decide_at(Picoseconds now) const noexcept override { return now; }
};

const ExactTiming kExact;

/// The buffer between a scripted transport and a scripted scheduler.
struct Bench {
    explicit Bench(std::uint64_t total_size = 256'000, const BlockTiming& timing = kExact)
        : buffer{"egress_buffer", agenda, timing, {total_size, EgressBuffer::kRetryDelay, {}}}
    {
        wiring.connect(transport.socket, buffer.from_transport, packet::Hop::reservation);
        wiring.connect(buffer.to_scheduler, scheduler.socket, packet::Hop::queue);
    }

    bool reserve(const FrameRef& frame)
    {
        return transport.call(frame, packet::phase::RESERVE) == packet::phase::GRANT;
    }
    /// Reserves and hands over `count` full packets.
    void fill(int count)
    {
        for (int i = 0; i < count; ++i) {
            const FrameRef frame = frames.data();
            ASSERT_TRUE(reserve(frame));
            transport.send(frame);
        }
    }
    /// The end of the serialization of the i-th frame that was handed over.
    void sent(std::size_t i) { scheduler.back(scheduler.frames[i], packet::phase::SENT); }
    void run()
    {
        testbench::run_to_end([] { return true; });
        wiring.finish();
    }
    [[nodiscard]] const BytePool& data() const { return buffer.pool(TrafficClass::data); }
    [[nodiscard]] const BytePool& control() const { return buffer.pool(TrafficClass::control); }
    /// What came back apart from SENT.
    [[nodiscard]] Notes wakes() const
    {
        Notes notes;
        for (const std::string& note : transport.seen) {
            if (note.rfind("SENT", 0) != 0) {
                notes.push_back(note);
            }
        }
        return notes;
    }

    Agenda agenda{"agenda"};
    FrameMaker frames;
    FrameInitiator transport{"transport", agenda};
    FrameTarget scheduler{"scheduler", agenda, tlm::TLM_ACCEPTED};
    EgressBuffer buffer;
    pcie::CheckedWiring wiring{true};
    Script script{agenda};
};

// [PL-1, PL-2, EG-1, EG-2] A frame takes its size on the wire of its own class's pool, from RESERVE to SENT; the small
// ones are not rounded up here [FR-2].
TEST(EgressBuffer, HoldsFromReservationToTheEndOfSerialization)
{
    Bench bench;
    EXPECT_EQ(bench.data().size(), 230'400U);
    EXPECT_EQ(bench.control().size(), 25'600U);
    const FrameRef data = bench.frames.data();
    const FrameRef ack = bench.frames.control(packet::FrameKind::ack);
    bench.script.at(1'000, [&] {
        EXPECT_TRUE(bench.reserve(data));
        EXPECT_TRUE(bench.reserve(ack));
        EXPECT_EQ(bench.data().occupancy(), 4'174U);
        EXPECT_EQ(bench.control().occupancy(), 62U);
        bench.transport.send(data);
        bench.transport.send(ack);
    });
    bench.script.at(2'000, [&] {
        bench.sent(0);
        EXPECT_EQ(bench.data().occupancy(), 0U);
        EXPECT_EQ(bench.control().occupancy(), 62U);
        bench.sent(1);
        EXPECT_EQ(bench.control().occupancy(), 0U);
    });
    bench.run();
    EXPECT_EQ(bench.scheduler.seen, (Notes{"BEGIN_REQ 1@1000", "BEGIN_REQ 2@1000"}));
    EXPECT_EQ(bench.transport.seen, (Notes{"SENT 1@2000", "SENT 2@2000"}));
}

// [EG-3] No room: refused, and nothing is lost or counted as sent; [PL-1] the other pool does not lend.
TEST(EgressBuffer, RefusesButNeverDrops)
{
    Bench bench;
    bench.script.at(0, [&] {
        bench.fill(55);
        const FrameRef data = bench.frames.data();
        EXPECT_FALSE(bench.reserve(data));
        EXPECT_EQ(bench.data().occupancy(), 229'570U);
        EXPECT_EQ(bench.control().occupancy(), 0U);
        // A smaller one would fit: whether it is tried is the transport's business [TR-51].
        const FrameRef small = bench.frames.data(752);  // 830 on the wire
        EXPECT_TRUE(bench.reserve(small));
        EXPECT_EQ(bench.data().occupancy(), 230'400U);
        bench.transport.send(small);
    });
    bench.script.at(1, [&] {
        for (std::size_t i = 0; i < 56; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    EXPECT_EQ(bench.scheduler.frames.size(), 56U);
    EXPECT_EQ(bench.data().occupancy(), 0U);
    EXPECT_EQ(bench.data().bytes_in(), bench.data().bytes_out());
}

// [EG-4, TR-W4] The 28th of 55 releases leaves 112,698 of 230,400, at or below half: WAKE comes 15 ns later, carrying
// the frame refused, and not again.
TEST(EgressBuffer, WakesFifteenNanosecondsAfterTheHalfDrain)
{
    Bench bench;
    const FrameRef refused = bench.frames.data();  // frame 1
    bench.script.at(15'000, [&] {
        bench.fill(55);
        EXPECT_FALSE(bench.reserve(refused));
    });
    for (std::size_t i = 0; i < 55; ++i) {
        const Picoseconds end = 85'844 + 83'480 * static_cast<Picoseconds>(i + 1);
        bench.script.at(end, EventClass::serialization_end, [&bench, i] { bench.sent(i); });
        bench.script.look_at(end, [&bench, i] {
            EXPECT_EQ(bench.data().occupancy(), 4'174U * (54 - i));
            if (i == 27) {
                EXPECT_EQ(bench.data().occupancy(), 112'698U);
            }
        });
    }
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 1@2438284"}));  // 85,844 + 28 x 83,480 + 15,000
    EXPECT_EQ(bench.buffer.retries_after_drain(), 1U);
}

// [MP-23] A probe takes what room a stopped class has left and does not start it: WAKE comes all the same.
TEST(EgressBuffer, GrantedProbeDoesNotStartTheData)
{
    Bench bench;
    const FrameRef refused = bench.frames.data();  // frame 1
    const FrameRef probe = bench.frames.probe();
    bench.script.at(0, [&] {
        bench.fill(55);
        EXPECT_FALSE(bench.reserve(refused));
        EXPECT_TRUE(bench.reserve(probe));  // 830 bytes are left
        EXPECT_EQ(bench.data().occupancy(), 229'570U + 74U);
        bench.transport.send(probe);
    });
    bench.script.at(1'000, [&] {
        for (std::size_t i = 0; i < 56; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 1@16000"}));
}

// [MP-23] A refused probe is not waited for: it neither stops a running class, nor is it what WAKE carries.
TEST(EgressBuffer, RefusedProbeDoesNotStopTheData)
{
    Bench bench{4'638};                            // one packet
    const FrameRef refused = bench.frames.data();  // frame 1
    bench.script.at(0, [&] {
        bench.fill(1);
        EXPECT_FALSE(bench.reserve(bench.frames.probe()));
    });
    bench.script.at(1'000, [&] { bench.sent(0); });
    bench.script.at(20'000, [&] {
        EXPECT_EQ(bench.wakes(), Notes{});
        bench.fill(1);
        EXPECT_FALSE(bench.reserve(refused));
        EXPECT_FALSE(bench.reserve(bench.frames.probe()));
    });
    bench.script.at(21'000, [&] { bench.sent(1); });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 1@36000"}));
}

// [OE-1] The retry is an event of class (5): after the timers of its instant, before the postings.
TEST(EgressBuffer, RetryStandsBetweenTimersAndPostings)
{
    Bench bench{4'638};
    std::string order;
    const FrameRef first = bench.frames.data();
    const FrameRef second = bench.frames.data();
    bench.transport.on_backward = [&order](packet::Frame&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        order += phase == packet::phase::WAKE ? "retry " : "";
        return tlm::TLM_ACCEPTED;
    };
    bench.script.at(16'000, EventClass::posting, [&order] { order += "posting"; });
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(first));
        bench.transport.send(first);
        EXPECT_FALSE(bench.reserve(second));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.script.at(2'000, [&] { bench.script.at(16'000, EventClass::timer, [&order] { order += "timer "; }); });
    bench.run();
    EXPECT_EQ(order, "timer retry posting");
}

// [EG-4] A NIC that is not stopped is not woken, however often its pool drains.
TEST(EgressBuffer, DoesNotWakeARunningNic)
{
    Bench bench;
    bench.script.at(0, [&] { bench.fill(55); });
    bench.script.at(1'000, [&] {
        for (std::size_t i = 0; i < 55; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    EXPECT_EQ(bench.wakes(), Notes{});
}

// [EG-4] A retry is not cancelled: the requester went on by itself, so that it finds nothing to do and does no harm.
TEST(EgressBuffer, RetryAfterAKickFindsNothing)
{
    Bench bench;
    const FrameRef refused = bench.frames.data();
    bench.script.at(0, [&] {
        bench.fill(55);
        EXPECT_FALSE(bench.reserve(refused));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] {
        for (std::size_t i = 0; i < 28; ++i) {
            bench.sent(i);
        }
    });
    bench.script.at(6'000, [&] {  // an acknowledgement: at once
        bench.transport.call(refused, packet::phase::KICK);
        EXPECT_TRUE(bench.reserve(refused));
        bench.transport.send(refused);
    });
    bench.script.at(20'000, [&] {
        for (std::size_t i = 28; i < 56; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    EXPECT_EQ(bench.wakes(), Notes{});
    EXPECT_EQ(bench.buffer.retries_after_drain(), 0U);
}

// [EG-4] Each crossing while the NIC is stopped arms one retry: two crossings 5 ns apart, two retries 5 ns apart.
TEST(EgressBuffer, EveryCrossingArmsARetry)
{
    Bench bench;
    const FrameRef refused = bench.frames.data();
    bench.script.at(0, [&] {
        bench.fill(55);
        EXPECT_FALSE(bench.reserve(refused));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] {
        for (std::size_t i = 0; i < 28; ++i) {
            bench.sent(i);
        }
    });
    bench.script.at(3'000, [&] {  // an acknowledgement fills the pool again
        bench.transport.call(refused, packet::phase::KICK);
        bench.fill(28);
        EXPECT_FALSE(bench.reserve(refused));
    });
    bench.script.at(6'000, EventClass::serialization_end, [&] {
        for (std::size_t i = 28; i < 56; ++i) {
            bench.sent(i);
        }
    });
    bench.transport.on_backward = [&](packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase == packet::phase::WAKE && bench.agenda.now() == 16'000) {  // refused once more
            bench.fill(28);
            EXPECT_FALSE(bench.reserve(FrameRef{frame}));
        }
        return tlm::TLM_ACCEPTED;
    };
    bench.script.at(30'000, [&] {
        for (std::size_t i = 56; i < 111; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    // At 16,000 and 21,000; the drain at 30,000 finds nobody stopped: the last WAKE ended the refusal.
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 1@16000", "WAKE 1@21000"}));
    EXPECT_EQ(bench.buffer.retries_after_drain(), 2U);
}

// [EG-4] A pool of less than two frames can refuse while at or below half: no crossing follows, nobody is woken.
TEST(EgressBuffer, NoCrossingNoWake)
{
    Bench bench{7'778};  // data pool 7,000
    ASSERT_EQ(bench.data().size(), 7'000U);
    const FrameRef first = bench.frames.data(3'422);  // 3,500 on the wire: exactly half
    const FrameRef second = bench.frames.data();
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(first));
        bench.transport.send(first);
        EXPECT_FALSE(bench.reserve(second));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.script.look_at(100'000, [] {});
    bench.run();
    EXPECT_EQ(bench.wakes(), Notes{});
    EXPECT_EQ(bench.data().occupancy(), 0U);
}

// [EG-4, PL-1] A pool of exactly one packet, and the half of an odd pool: 3,501 of 7,001 is above it, 3,500 is not.
TEST(EgressBuffer, OddPools)
{
    Bench bench{4'638};
    ASSERT_EQ(bench.data().size(), 4'174U);
    const FrameRef first = bench.frames.data();
    const FrameRef second = bench.frames.data();
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(first));
        bench.transport.send(first);
        EXPECT_FALSE(bench.reserve(second));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 2@16000"}));
}

TEST(EgressBuffer, HalfOfAnOddPool)
{
    Bench bench{7'779};
    ASSERT_EQ(bench.data().size(), 7'001U);
    const FrameRef whole = bench.frames.data(3'422);     // 3,500
    const FrameRef one_more = bench.frames.data(3'423);  // 3,501
    const FrameRef refused = bench.frames.data();
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(one_more));
        bench.transport.send(one_more);
        EXPECT_TRUE(bench.reserve(whole));
        bench.transport.send(whole);
        EXPECT_FALSE(bench.reserve(refused));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(1); });  // leaves 3,501: above half
    bench.script.at(2'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 3@17000"}));
}

// [EG-6] Control pool full: 272 SACKs fit 25,600. Any control release wakes at once; a data release does not.
TEST(EgressBuffer, ControlWakesAtEveryRelease)
{
    Bench bench;
    const FrameRef refused = bench.frames.sack();
    const FrameRef data = bench.frames.data();
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(data));
        bench.transport.send(data);
        for (int i = 0; i < 272; ++i) {
            const FrameRef frame = bench.frames.sack();
            EXPECT_TRUE(bench.reserve(frame));
            bench.transport.send(frame);
        }
        EXPECT_EQ(bench.control().occupancy(), 25'568U);
        EXPECT_FALSE(bench.reserve(refused));
    });
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.script.at(2'000, EventClass::serialization_end, [&] { bench.sent(1); });
    bench.script.at(3'000, EventClass::serialization_end, [&] { bench.sent(2); });
    bench.script.at(4'000, [&] {
        for (std::size_t i = 3; i < 273; ++i) {
            bench.sent(i);
        }
    });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 1@2000"}));
}

// [EG-6] A control request that is refused again is woken by the next release.
TEST(EgressBuffer, ControlRefusedAgainIsWokenAgain)
{
    Bench bench{1'000};                                                    // control pool 100
    const FrameRef first = bench.frames.control(packet::FrameKind::nack);  // 78
    const FrameRef second = bench.frames.sack();                           // 94
    bench.script.at(0, [&] {
        EXPECT_TRUE(bench.reserve(first));
        bench.transport.send(first);
        EXPECT_FALSE(bench.reserve(second));
        EXPECT_FALSE(bench.reserve(second));
    });
    bench.transport.on_backward = [&](packet::Frame& frame, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase == packet::phase::WAKE) {
            const FrameRef waiting{frame};
            EXPECT_TRUE(bench.reserve(waiting));
            bench.transport.send(waiting);
        }
        return tlm::TLM_ACCEPTED;
    };
    bench.script.at(1'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.script.at(2'000, EventClass::serialization_end, [&] { bench.sent(1); });
    bench.run();
    EXPECT_EQ(bench.wakes(), (Notes{"WAKE 2@1000"}));
    EXPECT_EQ(bench.control().occupancy(), 0U);
}

// With a policy that answers later the answer comes backward, at its time; the pool is looked at then.
TEST(EgressBuffer, AnswersLaterWhenTheTimingSaysSo)
{
    const LateAnswers late;
    Bench bench{4'638, late};
    const FrameRef first = bench.frames.data();
    const FrameRef second = bench.frames.data();
    bench.script.at(5'000,
                    [&] { EXPECT_EQ(bench.transport.call(first, packet::phase::RESERVE), packet::phase::RESERVE); });
    bench.script.at(6'500, [&] {
        bench.transport.send(first);
        bench.transport.call(second, packet::phase::RESERVE);
    });
    bench.script.at(8'000, EventClass::serialization_end, [&] { bench.sent(0); });
    bench.run();
    EXPECT_EQ(bench.transport.seen, (Notes{"GRANT 1@6000", "REFUSE 2@7500", "SENT 1@8000", "WAKE 2@23000"}));
}

// [PL-3, EG-3] Random traffic of both classes: what is reserved is released, nothing is lost, no pool overflows.
TEST(EgressBuffer, RandomTraffic)
{
    std::mt19937_64 random{testbench::seed()};
    Bench bench{10'000};
    std::deque<std::size_t> on_link;
    std::uint64_t granted = 0;
    for (int step = 1; step <= 20'000; ++step) {
        bench.script.at(step * 700, [&] {
            if (random() % 5 < 3) {
                const FrameRef frame = random() % 3 == 0
                                           ? bench.frames.sack()
                                           : bench.frames.data(static_cast<std::uint32_t>(random() % 4'097));
                if (bench.reserve(frame)) {
                    ++granted;
                    on_link.push_back(bench.scheduler.frames.size());
                    bench.transport.send(frame);
                }
            } else if (!on_link.empty()) {
                bench.sent(on_link.front());
                on_link.pop_front();
            }
        });
    }
    bench.script.at(20'001 * 700, [&] {
        while (!on_link.empty()) {
            bench.sent(on_link.front());
            on_link.pop_front();
        }
    });
    bench.run();
    for (const BytePool* pool : {&bench.data(), &bench.control()}) {
        EXPECT_EQ(pool->occupancy(), 0U);
        EXPECT_EQ(pool->bytes_in(), pool->bytes_out());
        EXPECT_LE(pool->peak(), pool->size());
        EXPECT_GT(pool->refused(), 0U);
    }
    EXPECT_EQ(bench.scheduler.frames.size(), granted);
    bench.scheduler.frames.clear();
    EXPECT_EQ(bench.frames.live(), 0U);
}

}  // namespace
}  // namespace mrcnic::nic
