#include "mrcnic/packet/frame_checker.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/checked_hop.h"

namespace mrcnic::packet {
namespace {

using sc_core::sc_time;
using testbench::ExpectReport;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

using Ends = testbench::CheckedHop<Frame, FrameChecker, &Frame::uid>;

class OneHop {
public:
    explicit OneHop(Hop hop) : ends{"ends", hop} { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

    FrameRef frame(TrafficClass traffic_class = TrafficClass::data, std::uint32_t wire_bytes = 4174)
    {
        FrameRef frame = pool_.make();
        frame->uid = ++made_;
        frame->wire_bytes = wire_bytes;
        frame->traffic_class = traffic_class;
        return frame;
    }

    tlm::tlm_sync_enum forward(const FrameRef& frame, tlm::tlm_phase phase, tlm::tlm_sync_enum status = TLM_ACCEPTED,
                               const sc_time& delay = sc_core::SC_ZERO_TIME)
    {
        return ends.forward(*frame, phase, status, delay);
    }
    /// A call that is answered in the call.
    void forward_updated(const FrameRef& frame, tlm::tlm_phase phase, const tlm::tlm_phase& answer)
    {
        ends.answer_phase = answer;
        forward(frame, phase, TLM_UPDATED);
    }
    tlm::tlm_sync_enum backward(const FrameRef& frame, tlm::tlm_phase phase, tlm::tlm_sync_enum status = TLM_ACCEPTED,
                                const sc_time& delay = sc_core::SC_ZERO_TIME)
    {
        return ends.backward(*frame, phase, status, delay);
    }

    Ends ends;
    FrameChecker& checker{ends.checker};

private:
    FramePool pool_;
    std::uint64_t made_{0};
};

/// `call` breaks this rule and no other before it.
template <typename Call>
void expect_broken(const std::string& rule, Call call)
{
    const ExpectReport expected{report_id::kProtocol, rule + " is broken at ends.checker"};
    EXPECT_THROW(call(), sc_core::sc_report);
    EXPECT_EQ(expected.last().rfind(rule + " is broken", 0), 0u) << expected.last();
}

// The way of the egress buffer as its ladder shows it: answers in the call and later, a refusal, WAKE, KICK.
TEST(FrameChecker, AcceptsEveryWayThroughTheReservation)
{
    OneHop hop{Hop::reservation};
    const FrameRef data = hop.frame();
    const FrameRef next = hop.frame();
    const FrameRef control = hop.frame(TrafficClass::control, 94);

    hop.forward_updated(data, phase::RESERVE, phase::GRANT);
    hop.forward(next, phase::RESERVE);  // answered later; control is asked for and answered meanwhile
    hop.forward(control, phase::RESERVE);
    hop.backward(control, phase::GRANT);
    hop.forward(control, tlm::BEGIN_REQ);
    hop.backward(next, phase::REFUSE);
    data->kind = FrameKind::probe;  // what it becomes is settled at its hand-over
    hop.forward(data, tlm::BEGIN_REQ);
    hop.backward(control, phase::SENT);
    hop.forward(next, phase::KICK, TLM_COMPLETED);
    hop.forward_updated(next, phase::RESERVE, phase::REFUSE);
    hop.backward(data, phase::SENT);
    hop.backward(next, phase::WAKE);
    hop.forward(next, phase::RESERVE);
    hop.backward(next, phase::GRANT);
    hop.backward(next, phase::WAKE);  // stale and harmless
    EXPECT_EQ(hop.checker.open(), 1u);
    hop.forward(next, tlm::BEGIN_REQ);
    hop.backward(next, phase::SENT);

    hop.checker.finish();
    EXPECT_EQ(hop.checker.open(), 0u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
    EXPECT_EQ(hop.checker.transactions(), 5u);  // requests
}

TEST(FrameChecker, AcceptsTheQueueAndThePort)
{
    OneHop hop{Hop::queue};
    const FrameRef data = hop.frame();
    const FrameRef control = hop.frame(TrafficClass::control, 94);
    hop.forward(data, tlm::BEGIN_REQ);
    hop.forward(control, tlm::BEGIN_REQ);
    hop.backward(control, phase::SENT);
    hop.backward(data, phase::SENT, TLM_COMPLETED);
    hop.forward(data, tlm::BEGIN_REQ);  // sent again, later
    hop.backward(data, phase::SENT);
    hop.checker.finish();
    EXPECT_EQ(hop.checker.transactions(), 3u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

TEST(FrameChecker, AcceptsThePortOneAfterTheOther)
{
    OneHop hop{Hop::port};
    for (int i = 0; i < 3; ++i) {
        const FrameRef frame = hop.frame();
        hop.forward(frame, tlm::BEGIN_REQ);
        hop.backward(frame, phase::SENT);
    }
    hop.checker.finish();
    EXPECT_EQ(hop.checker.transactions(), 3u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

TEST(FrameChecker, AcceptsTheWire)
{
    OneHop hop{Hop::wire};
    const FrameRef frame = hop.frame();
    frame->payload_bytes = 4096;
    frame->payload.resize(4096);
    hop.forward(frame, tlm::BEGIN_REQ, TLM_COMPLETED, sc_time{100, sc_core::SC_NS});
    hop.forward(frame, tlm::BEGIN_REQ, TLM_COMPLETED, sc_time{100, sc_core::SC_NS});  // the same instant
    sc_core::sc_start(sc_time{60, sc_core::SC_NS});
    hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED, sc_time{40, sc_core::SC_NS});
    hop.checker.finish();
    EXPECT_EQ(hop.checker.transactions(), 3u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

TEST(FrameChecker, AcceptsBothAnswersToADelivery)
{
    OneHop hop{Hop::delivery};
    hop.forward(hop.frame(TrafficClass::control, 94), tlm::BEGIN_REQ, TLM_COMPLETED);
    const FrameRef written = hop.frame();
    hop.forward_updated(written, tlm::BEGIN_REQ, phase::WRITE);
    hop.forward(written, phase::ACCEPTED, TLM_COMPLETED);  // [TR-62] with RecvCompleteAfterWrite
    hop.checker.finish();
    EXPECT_EQ(hop.checker.transactions(), 2u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

TEST(FrameChecker, AcceptsFetchesAndWritesThatOverlap)
{
    OneHop hop{Hop::host};
    const FrameRef fetched = hop.frame();
    const FrameRef fetched_too = hop.frame();
    const FrameRef written = hop.frame();
    const FrameRef written_too = hop.frame();
    hop.forward_updated(written, phase::WRITE, phase::ACCEPTED);
    hop.forward(written, phase::WRITE);
    hop.forward(fetched, phase::FETCH);
    hop.forward(written_too, phase::WRITE);
    hop.forward(fetched_too, phase::FETCH);
    hop.backward(written, phase::ACCEPTED);
    fetched->payload_bytes = 2;
    fetched->payload = {1, 2};
    hop.backward(fetched, phase::FETCHED);
    hop.backward(fetched_too, phase::FETCHED);
    hop.backward(written_too, phase::ACCEPTED);
    hop.checker.finish();
    EXPECT_EQ(hop.checker.transactions(), 5u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

// Calls go through as they came, and answers come back, whether or not a rule is broken.
TEST(FrameChecker, NeverChangesTheTraffic)
{
    sc_core::sc_report_handler::set_actions(report_id::kProtocol, sc_core::SC_ERROR, sc_core::SC_DISPLAY);
    OneHop hop{Hop::wire};
    const ExpectReport expected{report_id::kProtocol, "FP-4 is broken"};
    const FrameRef frame = hop.frame();
    const sc_time delay{7, sc_core::SC_NS};
    EXPECT_EQ(hop.forward(frame, tlm::BEGIN_REQ, TLM_COMPLETED, delay), TLM_COMPLETED);
    EXPECT_EQ(hop.forward(frame, phase::WRITE, TLM_ACCEPTED, delay), TLM_ACCEPTED);
    EXPECT_EQ(hop.backward(frame, phase::SENT, TLM_COMPLETED, delay), TLM_COMPLETED);
    const std::vector<std::string> calls{"forward BEGIN_REQ 1 7 ns", "forward WRITE 1 7 ns", "backward SENT 1 7 ns"};
    EXPECT_EQ(hop.ends.calls, calls);
    EXPECT_EQ(expected.count(), 2u);
    EXPECT_EQ(hop.checker.broken_rules(), 2u);
}

// [FP-1]
TEST(FrameCheckerRule, Fp1FrameIsReferenced)
{
    OneHop hop{Hop::queue};
    Frame* gone = hop.frame().get();  // home again at the end of this line
    gone->wire_bytes = 62;
    expect_broken("FP-1", [&] { hop.ends.requester.forward(*gone, tlm::BEGIN_REQ); });
}

// [FP-2]
TEST(FrameCheckerRule, Fp2FrameHasASize)
{
    OneHop hop{Hop::delivery};
    expect_broken("FP-2", [&] { hop.forward(hop.frame(TrafficClass::data, 0), tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [FP-3] Size
TEST(FrameCheckerRule, Fp3FrameKeepsItsSize)
{
    OneHop hop{Hop::port};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    frame->wire_bytes = 62;
    expect_broken("FP-3", [&] { hop.backward(frame, phase::SENT); });
}

// [FP-3] Kind
TEST(FrameCheckerRule, Fp3FrameKeepsItsKind)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    hop.forward(frame, tlm::BEGIN_REQ);
    frame->kind = FrameKind::trimmed;
    expect_broken("FP-3", [&] { hop.backward(frame, phase::SENT); });
}

// [FP-3] What is handed over is what was granted: size.
TEST(FrameCheckerRule, Fp3FrameKeepsTheSizeGranted)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    frame->wire_bytes += 4;
    expect_broken("FP-3", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-3] What is handed over is what was granted: class.
TEST(FrameCheckerRule, Fp3FrameKeepsTheClassGranted)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    frame->traffic_class = TrafficClass::control;
    expect_broken("FP-3", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-4] Each phase forward and backward, on hops that do not have it there.
TEST(FrameCheckerRule, Fp4PhaseBelongsToTheHop)
{
    sc_core::sc_report_handler::set_actions(report_id::kProtocol, sc_core::SC_ERROR, sc_core::SC_DISPLAY);
    OneHop hop{Hop::port};
    const ExpectReport expected{report_id::kProtocol, "FP-4 is broken"};
    const FrameRef frame = hop.frame();
    std::size_t calls = 0;
    for (const tlm::tlm_phase& phase :
         {tlm::tlm_phase{phase::RESERVE}, tlm::tlm_phase{phase::KICK}, tlm::tlm_phase{phase::FETCH},
          tlm::tlm_phase{phase::WRITE}, tlm::tlm_phase{phase::SENT}, tlm::tlm_phase{phase::GRANT},
          tlm::tlm_phase{tlm::END_REQ}, tlm::tlm_phase{tlm::BEGIN_RESP}}) {
        hop.forward(frame, phase);
        EXPECT_EQ(expected.count(), ++calls) << "forward " << phase.get_name();
    }
    for (const tlm::tlm_phase& phase :
         {tlm::tlm_phase{phase::GRANT}, tlm::tlm_phase{phase::REFUSE}, tlm::tlm_phase{phase::WAKE},
          tlm::tlm_phase{phase::FETCHED}, tlm::tlm_phase{phase::ACCEPTED}, tlm::tlm_phase{tlm::BEGIN_REQ}}) {
        hop.backward(frame, phase);
        EXPECT_EQ(expected.count(), ++calls) << "backward " << phase.get_name();
    }
}

// [FP-4] The DMA takes no BEGIN_REQ.
TEST(FrameCheckerRule, Fp4DmaHasPhasesOfItsOwn)
{
    OneHop hop{Hop::host};
    expect_broken("FP-4", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ); });
}

// [FP-5] A frame to be sent is not done in the call.
TEST(FrameCheckerRule, Fp5TransmitHopsAccept)
{
    OneHop hop{Hop::queue};
    expect_broken("FP-5", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [FP-5] The wire has no call back.
TEST(FrameCheckerRule, Fp5WireCompletes)
{
    OneHop hop{Hop::wire};
    expect_broken("FP-5", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_ACCEPTED); });
}

// [FP-5] A delivery is done or goes to the host.
TEST(FrameCheckerRule, Fp5DeliveryCompletesOrWrites)
{
    OneHop hop{Hop::delivery};
    expect_broken("FP-5", [&] { hop.forward_updated(hop.frame(), tlm::BEGIN_REQ, tlm::END_REQ); });
}

// [FP-5] A request is granted or refused.
TEST(FrameCheckerRule, Fp5RequestIsGrantedOrRefused)
{
    OneHop hop{Hop::reservation};
    expect_broken("FP-5", [&] { hop.forward_updated(hop.frame(), phase::RESERVE, phase::WAKE); });
}

// [FP-5] A fetch takes time.
TEST(FrameCheckerRule, Fp5FetchIsNotAnsweredInTheCall)
{
    OneHop hop{Hop::host};
    expect_broken("FP-5", [&] { hop.forward_updated(hop.frame(), phase::FETCH, phase::FETCHED); });
}

// [FP-5] Nothing answers a call backward.
TEST(FrameCheckerRule, Fp5BackwardCallsAreNotAnswered)
{
    OneHop hop{Hop::port};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    hop.ends.answer_phase = tlm::BEGIN_REQ;
    expect_broken("FP-5", [&] { hop.backward(frame, phase::SENT, TLM_UPDATED); });
}

// [FP-6]
TEST(FrameCheckerRule, Fp6OnlyTheWireHasADelay)
{
    OneHop hop{Hop::queue};
    expect_broken("FP-6", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_ACCEPTED, sc_time{1, sc_core::SC_PS}); });
}

// [FP-7]
TEST(FrameCheckerRule, Fp7FetchedPayloadIsWhole)
{
    OneHop hop{Hop::host};
    const FrameRef frame = hop.frame();
    hop.forward(frame, phase::FETCH);
    frame->payload_bytes = 4096;
    frame->payload.resize(4095);
    expect_broken("FP-7", [&] { hop.backward(frame, phase::FETCHED); });
}

// [FP-17] At the end of a link frames may overtake; everything else is as on the wire.
TEST(FrameChecker, FramesOvertakeAtTheEndOfALink)
{
    OneHop hop{Hop::link_end};
    hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED, sc_core::sc_time{9, sc_core::SC_NS});
    hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED, sc_core::sc_time{5, sc_core::SC_NS});
    const FrameRef frame = hop.frame();
    frame->payload.resize(1);
    expect_broken("FP-7", [&] { hop.forward(frame, tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [FP-7]
TEST(FrameCheckerRule, Fp7PayloadOnTheWireIsWhole)
{
    OneHop hop{Hop::wire};
    const FrameRef frame = hop.frame();
    frame->payload.resize(1);
    expect_broken("FP-7", [&] { hop.forward(frame, tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [FP-8]
TEST(FrameCheckerRule, Fp8FrameIsQueuedOnce)
{
    OneHop hop{Hop::queue};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    expect_broken("FP-8", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-8] A frame that has room does not ask for more.
TEST(FrameCheckerRule, Fp8FrameReservesOnce)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    expect_broken("FP-8", [&] { hop.forward(frame, phase::RESERVE); });
}

// [FP-8] A frame is not fetched and written at once.
TEST(FrameCheckerRule, Fp8FrameIsFetchedOrWritten)
{
    OneHop hop{Hop::host};
    const FrameRef frame = hop.frame();
    hop.forward(frame, phase::FETCH);
    expect_broken("FP-8", [&] { hop.forward(frame, phase::WRITE); });
}

// [FP-9] A frame that was never sent, told when the simulation is stopped.
TEST(FrameCheckerRule, Fp9TransactionsEnd)
{
    OneHop hop{Hop::queue};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    expect_broken("FP-9", [] { sc_core::sc_stop(); });
}

// [FP-9] Room that was granted and never used.
TEST(FrameCheckerRule, Fp9GrantsAreUsed)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    expect_broken("FP-9", [&] { hop.checker.finish(); });
    hop.checker.finish();  // told once
}

// A run that is cut short leaves transactions open, and that is no fault.
TEST(FrameChecker, ForgivesARunCutShort)
{
    OneHop hop{Hop::queue};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    hop.checker.cut_short();
    sc_core::sc_stop();
    EXPECT_EQ(hop.checker.open(), 1u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

// [FP-10]
TEST(FrameCheckerRule, Fp10OneRequestOfAClass)
{
    OneHop hop{Hop::reservation};
    const FrameRef first = hop.frame();
    hop.forward(first, phase::RESERVE);
    expect_broken("FP-10", [&] { hop.forward(hop.frame(), phase::RESERVE); });
}

// [FP-11] An answer that nobody asked for.
TEST(FrameCheckerRule, Fp11AnswerNeedsARequest)
{
    OneHop hop{Hop::reservation};
    expect_broken("FP-11", [&] { hop.backward(hop.frame(), phase::REFUSE); });
}

// [FP-11] An answer in the call and another one later.
TEST(FrameCheckerRule, Fp11RequestIsAnsweredOnce)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    expect_broken("FP-11", [&] { hop.backward(frame, phase::GRANT); });
}

// [FP-11] An answer with another frame.
TEST(FrameCheckerRule, Fp11AnswerCarriesTheFrameAskedFor)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward(frame, phase::RESERVE);
    expect_broken("FP-11", [&] { hop.backward(hop.frame(), phase::GRANT); });
}

// [FP-12] Nothing was refused.
TEST(FrameCheckerRule, Fp12WakeNeedsARefuse)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    expect_broken("FP-12", [&] { hop.backward(frame, phase::WAKE); });
}

// [FP-12] Another frame has been refused since.
TEST(FrameCheckerRule, Fp12WakeCarriesTheFrameRefusedLast)
{
    OneHop hop{Hop::reservation};
    const FrameRef first = hop.frame();
    const FrameRef last = hop.frame();
    hop.forward_updated(first, phase::RESERVE, phase::REFUSE);
    hop.forward_updated(last, phase::RESERVE, phase::REFUSE);
    hop.backward(last, phase::WAKE);
    expect_broken("FP-12", [&] { hop.backward(first, phase::WAKE); });
}

// [FP-12] A probe that was refused since does not count.
TEST(FrameCheckerRule, Fp12ProbesAreNotWaitedFor)
{
    OneHop hop{Hop::reservation};
    const FrameRef first = hop.frame();
    const FrameRef probe = hop.frame();
    probe->kind = FrameKind::probe;
    hop.forward_updated(first, phase::RESERVE, phase::REFUSE);
    hop.forward_updated(probe, phase::RESERVE, phase::REFUSE);
    hop.backward(first, phase::WAKE);
    expect_broken("FP-12", [&] { hop.backward(probe, phase::WAKE); });
}

// [FP-13] A refusal of the other class does not count.
TEST(FrameCheckerRule, Fp13KickNeedsARefuse)
{
    OneHop hop{Hop::reservation};
    const FrameRef control = hop.frame(TrafficClass::control, 94);
    hop.forward_updated(control, phase::RESERVE, phase::REFUSE);
    expect_broken("FP-13", [&] { hop.forward(hop.frame(), phase::KICK); });
}

// [FP-14] Never asked.
TEST(FrameCheckerRule, Fp14HandOverNeedsAGrant)
{
    OneHop hop{Hop::reservation};
    expect_broken("FP-14", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ); });
}

// [FP-14] Asked, not yet answered.
TEST(FrameCheckerRule, Fp14HandOverWaitsForTheAnswer)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward(frame, phase::RESERVE);
    expect_broken("FP-14", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-14] Refused.
TEST(FrameCheckerRule, Fp14RefusedFrameIsNotHandedOver)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::REFUSE);
    expect_broken("FP-14", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-14] A grant is good for one hand-over.
TEST(FrameCheckerRule, Fp14HandOverComesOnce)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    hop.forward(frame, tlm::BEGIN_REQ);
    expect_broken("FP-14", [&] { hop.forward(frame, tlm::BEGIN_REQ); });
}

// [FP-15] Twice.
TEST(FrameCheckerRule, Fp15SentComesOnce)
{
    OneHop hop{Hop::queue};
    const FrameRef frame = hop.frame();
    hop.forward(frame, tlm::BEGIN_REQ);
    hop.backward(frame, phase::SENT);
    expect_broken("FP-15", [&] { hop.backward(frame, phase::SENT); });
}

// [FP-15] Granted only.
TEST(FrameCheckerRule, Fp15SentNeedsAHandOver)
{
    OneHop hop{Hop::reservation};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::RESERVE, phase::GRANT);
    expect_broken("FP-15", [&] { hop.backward(frame, phase::SENT); });
}

// [FP-16]
TEST(FrameCheckerRule, Fp16PortHasOneFrame)
{
    OneHop hop{Hop::port};
    const FrameRef first = hop.frame();
    hop.forward(first, tlm::BEGIN_REQ);
    expect_broken("FP-16", [&] { hop.forward(hop.frame(), tlm::BEGIN_REQ); });
}

// [FP-17] Called after, arriving 1 ps before.
TEST(FrameCheckerRule, Fp17ArrivalsDoNotGoBack)
{
    OneHop hop{Hop::wire};
    hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED, sc_time{100, sc_core::SC_NS});
    sc_core::sc_start(sc_time{1, sc_core::SC_NS});
    expect_broken("FP-17", [&] {
        hop.forward(hop.frame(), tlm::BEGIN_REQ, TLM_COMPLETED, sc_time{98'999, sc_core::SC_PS});
    });
}

// [FP-18] Out of order.
TEST(FrameCheckerRule, Fp18FetchesEndInOrder)
{
    OneHop hop{Hop::host};
    const FrameRef first = hop.frame();
    const FrameRef second = hop.frame();
    hop.forward(first, phase::FETCH);
    hop.forward(second, phase::FETCH);
    expect_broken("FP-18", [&] { hop.backward(second, phase::FETCHED); });
}

// [FP-18] Twice.
TEST(FrameCheckerRule, Fp18FetchEndsOnce)
{
    OneHop hop{Hop::host};
    const FrameRef frame = hop.frame();
    hop.forward(frame, phase::FETCH);
    hop.backward(frame, phase::FETCHED);
    expect_broken("FP-18", [&] { hop.backward(frame, phase::FETCHED); });
}

// [FP-19] A write accepted in the call overtakes one that waits.
TEST(FrameCheckerRule, Fp19WritesAreAcceptedInOrder)
{
    OneHop hop{Hop::host};
    const FrameRef first = hop.frame();
    hop.forward(first, phase::WRITE);
    expect_broken("FP-19", [&] { hop.forward_updated(hop.frame(), phase::WRITE, phase::ACCEPTED); });
}

// [FP-19] Accepted in the call and again later.
TEST(FrameCheckerRule, Fp19WriteIsAcceptedOnce)
{
    OneHop hop{Hop::host};
    const FrameRef frame = hop.frame();
    hop.forward_updated(frame, phase::WRITE, phase::ACCEPTED);
    expect_broken("FP-19", [&] { hop.backward(frame, phase::ACCEPTED); });
}

// Every rule has a number, without gaps, and a row of the page.
TEST(FrameChecker, NumbersItsRules)
{
    std::ifstream file{MRCNIC_SOURCE_DIR "/docs/protocols.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(FrameRule::count); ++i) {
        const ProtocolRule& rule = rule_of(static_cast<FrameRule>(i));
        EXPECT_EQ(rule.id, "FP-" + std::to_string(i + 1));
        EXPECT_NE(page.find(std::string{"\n| "} + rule.id + " | " + rule.text), std::string::npos) << rule.id;
    }
}

}  // namespace
}  // namespace mrcnic::packet
