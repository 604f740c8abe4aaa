#include "mrcnic/base/base_protocol_checker.h"

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/host/payload_pool.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"

namespace mrcnic {
namespace {

using host::PayloadPool;
using host::PayloadRef;
using testbench::ExpectReport;
using testbench::Payload;
using testbench::ScriptedInitiator;
using testbench::ScriptedTarget;
using testbench::Thread;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;

TLM_DECLARE_EXTENDED_PHASE(HINT);

sc_core::sc_time ns(int time)
{
    return {static_cast<double>(time), sc_core::SC_NS};
}

/// A hop with a checker; reports do not throw, so that a test sees every one.
class BaseProtocol : public testing::Test {
protected:
    ScriptedInitiator initiator{"initiator"};
    BaseProtocolChecker checker{"checker"};
    ScriptedTarget target{"target"};
    PayloadPool pool;

    BaseProtocol()
    {
        sc_core::sc_report_handler::set_actions(report_id::kProtocol, sc_core::SC_ERROR, sc_core::SC_DISPLAY);
        initiator.socket.bind(checker.in);
        checker.out.bind(target.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    PayloadRef read(std::uint64_t address = 0x100)
    {
        PayloadRef payload = pool.make(8);
        payload->set_read();
        payload->set_address(address);
        return payload;
    }

    static tlm::tlm_sync_enum respond(Payload& payload)
    {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }

    /// Runs `wrong`, which must break this rule and no other, once.
    void expect_broken(int rule, const std::function<void()>& wrong)
    {
        const ExpectReport report{report_id::kProtocol, "BP-" + std::to_string(rule) + " is broken"};
        wrong();
        EXPECT_EQ(report.count(), 1U);
        EXPECT_EQ(checker.broken_rules(), 1U);
    }
};

void answer(Payload& payload)
{
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// [BP-1] All four phases, each by a call of its own, pass unchanged and leave nothing open.
TEST_F(BaseProtocol, FourPhasesAreClean)
{
    std::vector<std::string> seen;
    target.on_forward = [&](Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        seen.push_back(std::string{phase.get_name()} + "+" + delay.to_string());
        return tlm::TLM_ACCEPTED;
    };
    initiator.on_backward = target.on_forward;
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ, ns(1));
    target.backward(*payload, END_REQ, ns(2));
    answer(*payload);
    target.backward(*payload, BEGIN_RESP, ns(3));
    EXPECT_EQ(checker.open(), 1U);
    initiator.forward(*payload, END_RESP, ns(4));

    const std::vector<std::string> expected{"BEGIN_REQ+1 ns", "END_REQ+2 ns", "BEGIN_RESP+3 ns", "END_RESP+4 ns"};
    EXPECT_EQ(seen, expected);
    checker.finish();
    EXPECT_EQ(checker.open(), 0U);
    EXPECT_EQ(checker.transactions(), 1U);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-2] The backward calls may come inside the forward call, and the initiator may complete there.
TEST_F(BaseProtocol, ReentrantAnswersAreClean)
{
    target.on_forward = [&](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
        target.backward(payload, END_REQ);
        answer(payload);
        EXPECT_EQ(target.backward(payload, BEGIN_RESP), tlm::TLM_COMPLETED);
        return tlm::TLM_ACCEPTED;
    };
    initiator.on_backward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        return phase == BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    initiator.forward(*read(), BEGIN_REQ);
    checker.finish();
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-2] Phases outside the base protocol are nobody's business: they pass.
TEST_F(BaseProtocol, ExtendedPhasesPass)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, HINT);
    target.backward(*payload, HINT);
    checker.finish();
    EXPECT_EQ(checker.broken_rules(), 0U);
    EXPECT_EQ(checker.transactions(), 0U);
}

// [BP-6] IGNORE moves no data: it needs neither pointer nor length.
TEST_F(BaseProtocol, IgnoreNeedsNoData)
{
    target.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) { return respond(payload); };
    initiator.forward(*pool.make_without_data(0), BEGIN_REQ);
    initiator.forward(*pool.make_without_data(512), BEGIN_REQ);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-1] A response to a transaction that never began.
TEST_F(BaseProtocol, Bp01NeverBegun)
{
    const PayloadRef payload = read();
    expect_broken(1, [&] { target.backward(*payload, END_REQ); });
}

// [BP-1] A completed transaction is touched again.
TEST_F(BaseProtocol, Bp01TouchedAfterCompletion)
{
    target.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) { return respond(payload); };
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(1, [&] { target.backward(*payload, BEGIN_RESP); });
}

// [BP-1] COMPLETED from a call in which the transaction has been completed already.
TEST_F(BaseProtocol, Bp01CompletedTwice)
{
    target.on_forward = [&](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
        answer(payload);
        target.backward(payload, BEGIN_RESP);
        return tlm::TLM_COMPLETED;
    };
    initiator.on_backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
    const PayloadRef payload = read();
    expect_broken(1, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

// [BP-1] ... even if the payload is in flight again by then: the answer is not that of the new transaction.
TEST_F(BaseProtocol, Bp01CompletedTwiceAndBegunAgain)
{
    bool again = false;
    target.on_forward = [&](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
        if (again) {
            return tlm::TLM_ACCEPTED;
        }
        again = true;
        answer(payload);
        target.backward(payload, BEGIN_RESP);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        initiator.forward(payload, BEGIN_REQ);
        return tlm::TLM_COMPLETED;
    };
    initiator.on_backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
    const PayloadRef payload = read();
    expect_broken(1, [&] { initiator.forward(*payload, BEGIN_REQ); });
    EXPECT_EQ(checker.open(), 1U);
}

// [BP-2] END_REQ twice.
TEST_F(BaseProtocol, Bp02EndReqTwice)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    target.backward(*payload, END_REQ);
    expect_broken(2, [&] { target.backward(*payload, END_REQ); });
}

// [BP-2] END_REQ after the response has begun.
TEST_F(BaseProtocol, Bp02EndReqAfterBeginResp)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    answer(*payload);
    target.backward(*payload, BEGIN_RESP);
    expect_broken(2, [&] { target.backward(*payload, END_REQ); });
}

// [BP-2] END_RESP without response.
TEST_F(BaseProtocol, Bp02EndRespTooEarly)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(2, [&] { initiator.forward(*payload, END_RESP); });
}

// [BP-2] A phase on the wrong path.
TEST_F(BaseProtocol, Bp02WrongPath)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(2, [&] { initiator.forward(*payload, END_REQ); });
}

// [BP-2] COMPLETED although the response has begun inside the call.
TEST_F(BaseProtocol, Bp02TwoResponses)
{
    target.on_forward = [&](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
        answer(payload);
        target.backward(payload, BEGIN_RESP);
        return tlm::TLM_COMPLETED;
    };
    const PayloadRef payload = read();
    expect_broken(2, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

// [BP-3] One request at a time.
TEST_F(BaseProtocol, Bp03RequestExclusion)
{
    const PayloadRef first = read();
    const PayloadRef second = read();
    initiator.forward(*first, BEGIN_REQ);
    expect_broken(3, [&] { initiator.forward(*second, BEGIN_REQ); });
}

// [BP-3] The request phase ends with END_REQ, with UPDATED, with BEGIN_RESP or with COMPLETED.
TEST_F(BaseProtocol, RequestsMayFollowEachOther)
{
    std::vector<PayloadRef> payloads;
    const auto begin = [&] {
        payloads.push_back(read());
        initiator.forward(*payloads.back(), BEGIN_REQ);
    };
    begin();
    target.backward(*payloads.back(), END_REQ);
    target.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        phase = END_REQ;
        return tlm::TLM_UPDATED;
    };
    begin();
    target.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) { return respond(payload); };
    begin();
    target.on_forward = [](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        answer(payload);
        phase = BEGIN_RESP;
        return tlm::TLM_UPDATED;
    };
    begin();
    target.on_forward = testbench::accept;
    begin();
    EXPECT_EQ(checker.open(), 4U);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-4] One response at a time.
TEST_F(BaseProtocol, Bp04ResponseExclusion)
{
    const PayloadRef first = read();
    const PayloadRef second = read();
    for (const PayloadRef& payload : {first, second}) {
        initiator.forward(*payload, BEGIN_REQ);
        target.backward(*payload, END_REQ);
        answer(*payload);
    }
    target.backward(*second, BEGIN_RESP);
    expect_broken(4, [&] { target.backward(*first, BEGIN_RESP); });
}

/// A return that the table of the protocol does not have.
struct WrongReturn {
    tlm::tlm_phase_enum called;
    tlm::tlm_sync_enum status;
    tlm::tlm_phase_enum phase;
};

class BaseProtocolReturns : public BaseProtocol, public testing::WithParamInterface<WrongReturn> {};

// [BP-5] Every illegal pair of status and phase, for each of the four calls.
TEST_P(BaseProtocolReturns, Bp05IllegalReturn)
{
    const WrongReturn wrong = GetParam();
    const testbench::NonBlocking callee = [&](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase != wrong.called) {
            return tlm::TLM_ACCEPTED;
        }
        answer(payload);
        phase = wrong.phase;
        return wrong.status;
    };
    target.on_forward = callee;
    initiator.on_backward = callee;
    const PayloadRef payload = read();
    expect_broken(5, [&] {
        initiator.forward(*payload, BEGIN_REQ);
        if (wrong.called != BEGIN_REQ) {
            target.backward(*payload, END_REQ);
        }
        if (wrong.called == BEGIN_RESP || wrong.called == END_RESP) {
            answer(*payload);
            target.backward(*payload, BEGIN_RESP);
        }
        if (wrong.called == END_RESP) {
            initiator.forward(*payload, END_RESP);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Table, BaseProtocolReturns,
                         testing::Values(WrongReturn{BEGIN_REQ, tlm::TLM_UPDATED, BEGIN_REQ},
                                         WrongReturn{BEGIN_REQ, tlm::TLM_UPDATED, END_RESP},
                                         WrongReturn{BEGIN_REQ, tlm::TLM_UPDATED, tlm::UNINITIALIZED_PHASE},
                                         WrongReturn{END_REQ, tlm::TLM_UPDATED, BEGIN_RESP},
                                         WrongReturn{END_REQ, tlm::TLM_COMPLETED, END_REQ},
                                         WrongReturn{BEGIN_RESP, tlm::TLM_UPDATED, BEGIN_RESP},
                                         WrongReturn{BEGIN_RESP, tlm::TLM_UPDATED, END_REQ},
                                         WrongReturn{END_RESP, tlm::TLM_UPDATED, END_RESP},
                                         WrongReturn{BEGIN_REQ, static_cast<tlm::tlm_sync_enum>(3), BEGIN_REQ}),
                         [](const auto& wrong) {
                             return std::string{tlm::tlm_phase{wrong.param.called}.get_name()} + "_" +
                                    std::to_string(wrong.index);
                         });

/// One attribute set wrongly by the initiator, and the rule that it breaks, on both transports.
struct WrongStart {
    const char* name;
    int rule;
    void (*spoil)(Payload& payload);
};

unsigned char one_enable = 0xff;

const std::array<WrongStart, 7> kWrongStarts{{
    {"Command", 6, [](Payload& payload) { payload.set_command(static_cast<tlm::tlm_command>(3)); }},
    {"DataPointer", 6, [](Payload& payload) { payload.set_data_ptr(nullptr); }},
    {"Length", 6, [](Payload& payload) { payload.set_data_length(0); }},
    {"StreamingWidth", 6, [](Payload& payload) { payload.set_streaming_width(0); }},
    {"ByteEnableLength", 7, [](Payload& payload) { payload.set_byte_enable_ptr(&one_enable); }},
    {"Status", 8, [](Payload& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }},
    {"DmiHint", 9, [](Payload& payload) { payload.set_dmi_allowed(true); }},
}};

class BaseProtocolStart : public BaseProtocol, public testing::WithParamInterface<WrongStart> {};

// [BP-6] [BP-7] [BP-8] [BP-9] Attributes at the start, non-blocking.
TEST_P(BaseProtocolStart, NonBlocking)
{
    const PayloadRef payload = read();
    GetParam().spoil(*payload);
    expect_broken(GetParam().rule, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

// [BP-6] [BP-7] [BP-8] [BP-9] The same, blocking.
TEST_P(BaseProtocolStart, Blocking)
{
    const PayloadRef payload = read();
    GetParam().spoil(*payload);
    expect_broken(GetParam().rule, [&] {
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
    });
}

INSTANTIATE_TEST_SUITE_P(Attributes, BaseProtocolStart, testing::ValuesIn(kWrongStarts),
                         [](const auto& wrong) { return std::string{wrong.param.name}; });

/// One attribute changed in flight.
struct Change {
    const char* name;
    void (*change)(Payload& payload);
};

const std::array<Change, 6> kChanges{{
    {"Command", [](Payload& payload) { payload.set_write(); }},
    {"DataPointer", [](Payload& payload) { payload.set_data_ptr(payload.get_data_ptr() + 1); }},
    {"Length", [](Payload& payload) { payload.set_data_length(4); }},
    {"StreamingWidth", [](Payload& payload) { payload.set_streaming_width(4); }},
    {"ByteEnables", [](Payload& payload) { payload.set_byte_enable_ptr(&one_enable); }},
    {"ByteEnableLength", [](Payload& payload) { payload.set_byte_enable_length(7); }},
}};

class BaseProtocolChange : public BaseProtocol, public testing::WithParamInterface<Change> {};

// [BP-10] An attribute changes between two calls.
TEST_P(BaseProtocolChange, Bp10NonBlocking)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    GetParam().change(*payload);
    expect_broken(10, [&] { target.backward(*payload, END_REQ); });
}

// [BP-10] An attribute changes inside b_transport.
TEST_P(BaseProtocolChange, Bp10Blocking)
{
    target.on_blocking = [](Payload& payload, sc_core::sc_time&) {
        GetParam().change(payload);
        answer(payload);
    };
    const PayloadRef payload = read();
    expect_broken(10, [&] {
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
    });
}

INSTANTIATE_TEST_SUITE_P(Attributes, BaseProtocolChange, testing::ValuesIn(kChanges),
                         [](const auto& change) { return std::string{change.param.name}; });

// [BP-10] The address is not among them: an interconnect may translate it, and the DMI hint is the target's.
TEST_F(BaseProtocol, AddressAndDmiHintMayChange)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    payload->set_address(0);
    payload->set_dmi_allowed(true);
    target.backward(*payload, END_REQ);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-11] A response without status, in each of its forms.
TEST_F(BaseProtocol, Bp11BeginRespIncomplete)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(11, [&] { target.backward(*payload, BEGIN_RESP); });
}

TEST_F(BaseProtocol, Bp11CompletedIncomplete)  // [BP-11]
{
    target.on_forward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
    const PayloadRef payload = read();
    expect_broken(11, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

TEST_F(BaseProtocol, Bp11BlockingIncomplete)  // [BP-11]
{
    target.on_blocking = [](Payload&, sc_core::sc_time&) {};
    const PayloadRef payload = read();
    expect_broken(11, [&] {
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
    });
}

// [BP-12] No memory manager on the non-blocking path.
TEST_F(BaseProtocol, Bp12NoMemoryManager)
{
    std::array<unsigned char, 4> data{};
    Payload payload;
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    expect_broken(12, [&] { initiator.forward(payload, BEGIN_REQ); });
}

// [BP-12] ... which the blocking path does not ask for.
TEST_F(BaseProtocol, BlockingNeedsNoMemoryManager)
{
    std::array<unsigned char, 4> data{};
    Payload payload;
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    initiator.socket->b_transport(payload, delay);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-12] Nobody holds the payload.
TEST_F(BaseProtocol, Bp12NoReference)
{
    struct Manager : tlm::tlm_mm_interface {
        void free(Payload*) override {}
    } manager;
    Payload payload{&manager};
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    expect_broken(12, [&] { initiator.forward(payload, BEGIN_REQ); });
}

// [BP-13] A call that speaks of an earlier time than the one before it.
TEST_F(BaseProtocol, Bp13TimeGoesBack)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ, ns(10));
    sc_core::sc_start(ns(4));
    expect_broken(13, [&] { target.backward(*payload, END_REQ, ns(5)); });
}

// [BP-13] The same point in time, with a smaller delay later, is right.
TEST_F(BaseProtocol, DelaysMayShrinkAsTimePasses)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ, ns(10));
    sc_core::sc_start(ns(4));
    target.backward(*payload, END_REQ, ns(6));
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-13] A return that takes the delay back.
TEST_F(BaseProtocol, Bp13ReturnTakesDelayBack)
{
    target.on_forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        phase = END_REQ;
        delay = ns(1);
        return tlm::TLM_UPDATED;
    };
    const PayloadRef payload = read();
    expect_broken(13, [&] { initiator.forward(*payload, BEGIN_REQ, ns(2)); });
}

TEST_F(BaseProtocol, Bp13BlockingTakesDelayBack)  // [BP-13]
{
    target.on_blocking = [](Payload& payload, sc_core::sc_time& delay) {
        delay = sc_core::SC_ZERO_TIME;
        answer(payload);
    };
    const PayloadRef payload = read();
    expect_broken(13, [&] {
        sc_core::sc_time delay = ns(2);
        initiator.socket->b_transport(*payload, delay);
    });
}

// [BP-13] A difference that went below zero.
TEST_F(BaseProtocol, Bp13NegativeDelay)
{
    sc_core::sc_start(ns(5));
    const PayloadRef payload = read();
    expect_broken(13, [&] { initiator.forward(*payload, BEGIN_REQ, sc_core::SC_ZERO_TIME - ns(1)); });
}

// [BP-14] b_transport with a payload that is in flight on the other transport.
TEST_F(BaseProtocol, Bp14BlockingWhileInFlight)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(14, [&] {
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
    });
}

// [BP-14] BEGIN_REQ with a payload that is inside b_transport.
TEST_F(BaseProtocol, Bp14NonBlockingWhileBlocked)
{
    const PayloadRef payload = read();
    target.on_blocking = [&](Payload& blocked, sc_core::sc_time&) {
        initiator.forward(blocked, BEGIN_REQ);
        answer(blocked);
    };
    expect_broken(14, [&] {
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
    });
}

// [BP-15] The callee of a non-blocking call waits.
TEST(BaseProtocolThread, Bp15CalleeWaits)
{
    ScriptedInitiator initiator{"initiator"};
    BaseProtocolChecker checker{"checker"};
    ScriptedTarget target{"target"};
    PayloadPool pool;
    initiator.socket.bind(checker.in);
    checker.out.bind(target.socket);
    target.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
        sc_core::wait(sc_core::SC_ZERO_TIME);
        answer(payload);
        return tlm::TLM_COMPLETED;
    };
    sc_core::sc_report_handler::set_actions(report_id::kProtocol, sc_core::SC_ERROR, sc_core::SC_DISPLAY);
    const ExpectReport report{report_id::kProtocol, "BP-15 is broken"};
    bool done = false;
    Thread caller{"caller", [&] {
                      const PayloadRef payload = pool.make_without_data(1);
                      initiator.forward(*payload, BEGIN_REQ);
                      done = true;
                  }};
    testbench::run_to_end([&] { return done; });
    EXPECT_EQ(checker.broken_rules(), 1U);
}

// [BP-13] [BP-14] Two threads may be inside b_transport at a time, and a target that waits may use the delay up.
TEST(BaseProtocolThread, ConcurrentBlockingCallsAreClean)
{
    ScriptedInitiator initiator{"initiator"};
    BaseProtocolChecker checker{"checker"};
    ScriptedTarget target{"target"};
    PayloadPool pool;
    initiator.socket.bind(checker.in);
    checker.out.bind(target.socket);
    target.on_blocking = [](Payload& payload, sc_core::sc_time& delay) {
        sc_core::wait(delay + ns(10));
        delay = sc_core::SC_ZERO_TIME;
        answer(payload);
    };
    int done = 0;
    const auto call = [&] {
        const PayloadRef payload = pool.make_without_data(1);
        sc_core::sc_time delay = ns(3);
        initiator.socket->b_transport(*payload, delay);
        EXPECT_EQ(sc_core::sc_time_stamp(), ns(13));
        ++done;
    };
    Thread first{"first", call};
    Thread second{"second", call};
    testbench::run_to_end([&] { return done == 2; });
    checker.finish();
    EXPECT_EQ(checker.broken_rules(), 0U);
    EXPECT_EQ(checker.transactions(), 2U);
    EXPECT_EQ(pool.live(), 0U);
}

/// A DMI answer that is wrong for address 0x100.
struct WrongDmi {
    const char* name;
    bool granted;
    std::uint64_t start;
    std::uint64_t end;
    bool has_pointer;
    bool allows;
};

const std::array<WrongDmi, 6> kWrongDmi{{
    {"StartsAfter", true, 0x101, 0x1ff, true, true},
    {"EndsBefore", true, 0x0, 0xff, true, true},
    {"Reversed", true, 0x101, 0xff, true, true},
    {"NoPointer", true, 0x0, 0xfff, false, true},
    {"NoAccess", true, 0x0, 0xfff, true, false},
    {"DeniedElsewhere", false, 0x200, 0x2ff, false, false},
}};

class BaseProtocolDmi : public BaseProtocol, public testing::WithParamInterface<WrongDmi> {};

// [BP-16] DMI descriptors that cannot be right.
TEST_P(BaseProtocolDmi, Bp16WrongDescriptor)
{
    unsigned char memory = 0;
    target.on_dmi = [&](Payload&, tlm::tlm_dmi& dmi) {
        dmi.set_start_address(GetParam().start);
        dmi.set_end_address(GetParam().end);
        dmi.set_dmi_ptr(GetParam().has_pointer ? &memory : nullptr);
        if (GetParam().allows) {
            dmi.allow_read();
        }
        return GetParam().granted;
    };
    expect_broken(16, [&] {
        tlm::tlm_dmi dmi;
        initiator.socket->get_direct_mem_ptr(*read(0x100), dmi);
    });
}

INSTANTIATE_TEST_SUITE_P(Descriptors, BaseProtocolDmi, testing::ValuesIn(kWrongDmi),
                         [](const auto& wrong) { return std::string{wrong.param.name}; });

// [BP-16] A grant of exactly the byte asked for is right: the end is inclusive.
TEST_F(BaseProtocol, DmiOfOneByteIsClean)
{
    unsigned char memory = 0;
    target.on_dmi = [&](Payload&, tlm::tlm_dmi& dmi) {
        dmi.set_start_address(0x100);
        dmi.set_end_address(0x100);
        dmi.set_dmi_ptr(&memory);
        dmi.allow_read();
        return true;
    };
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(initiator.socket->get_direct_mem_ptr(*read(0x100), dmi));
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [BP-17] DMI asked for from within the handler of an invalidation.
TEST_F(BaseProtocol, Bp17RequestInsideInvalidation)
{
    initiator.on_invalidate = [&](sc_dt::uint64, sc_dt::uint64) {
        tlm::tlm_dmi dmi;
        initiator.socket->get_direct_mem_ptr(*read(), dmi);
    };
    expect_broken(17, [&] { target.socket->invalidate_direct_mem_ptr(0, 10); });
}

// [BP-17] Invalidation from within a request.
TEST_F(BaseProtocol, Bp17InvalidationInsideRequest)
{
    target.on_dmi = [&](Payload&, tlm::tlm_dmi&) {
        target.socket->invalidate_direct_mem_ptr(0, 10);
        return false;
    };
    expect_broken(17, [&] {
        tlm::tlm_dmi dmi;
        initiator.socket->get_direct_mem_ptr(*read(), dmi);
    });
}

// [BP-17] A range that ends before it starts; one of a single byte passes through.
TEST_F(BaseProtocol, Bp17ReversedRange)
{
    std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> seen;
    initiator.on_invalidate = [&](sc_dt::uint64 start, sc_dt::uint64 end) { seen.emplace_back(start, end); };
    target.socket->invalidate_direct_mem_ptr(7, 7);
    EXPECT_EQ(checker.broken_rules(), 0U);
    expect_broken(17, [&] { target.socket->invalidate_direct_mem_ptr(8, 7); });
    EXPECT_EQ(seen.size(), 2U);
}

// [BP-18] More bytes than asked for.
TEST_F(BaseProtocol, Bp18DebugCount)
{
    EXPECT_EQ(initiator.socket->transport_dbg(*read()), 8U);
    EXPECT_EQ(checker.broken_rules(), 0U);
    target.on_debug = [](Payload& payload) { return payload.get_data_length() + 1; };
    expect_broken(18, [&] { EXPECT_EQ(initiator.socket->transport_dbg(*read()), 9U); });
}

// [BP-19] A request that never gets its response; reported once.
TEST_F(BaseProtocol, Bp19OpenAtTheEnd)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    target.backward(*payload, END_REQ);
    expect_broken(19, [&] {
        checker.finish();
        sc_core::sc_stop();
    });
}

// [BP-19] The kernel's end of simulation asks by itself.
TEST_F(BaseProtocol, Bp19EndOfSimulation)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(19, [&] { sc_core::sc_stop(); });
}

/// Does things at given times, without processes of its own.
class Script {
public:
    void at(int time, std::function<void()> action) { actions_.emplace(time, std::move(action)); }
    [[nodiscard]] int now() const { return now_; }
    void run()
    {
        while (!actions_.empty()) {
            const auto next = actions_.begin();
            const auto action = next->second;
            if (next->first > now_) {
                sc_core::sc_start(ns(next->first - now_));
                now_ = next->first;
            }
            actions_.erase(next);
            action();
        }
    }

private:
    std::multimap<int, std::function<void()>> actions_;
    int now_{0};
};

// [D4] The target delays END_REQ by 7 ns and BEGIN_RESP to 20 ns, the initiator END_RESP by 5 ns; the same payload
// object is retried three times, its status reset each time: clean.
TEST_F(BaseProtocol, D4SamePayloadRetriedUnderBackPressure)
{
    Script script;
    const PayloadRef payload = read();
    std::vector<int> begun;
    const auto begin = [&] {
        begun.push_back(script.now());
        payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        initiator.forward(*payload, BEGIN_REQ);
    };
    target.on_forward = [&](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase == BEGIN_REQ) {
            script.at(script.now() + 7, [&] { target.backward(*payload, END_REQ); });
            script.at(script.now() + 20, [&] {
                answer(*payload);
                target.backward(*payload, BEGIN_RESP);
            });
        } else if (begun.size() < 3) {
            script.at(script.now(), begin);
        }
        return tlm::TLM_ACCEPTED;
    };
    initiator.on_backward = [&](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (phase == BEGIN_RESP) {
            script.at(script.now() + 5, [&] { initiator.forward(*payload, END_RESP); });
        }
        return tlm::TLM_ACCEPTED;
    };
    script.at(0, begin);
    script.run();
    checker.finish();
    EXPECT_EQ(begun, (std::vector<int>{0, 25, 50}));
    EXPECT_EQ(checker.transactions(), 3U);
    EXPECT_EQ(checker.broken_rules(), 0U);
}

// [D4] [BP-8] The fault of the bridge: the object is retried with the status of its last round.
TEST_F(BaseProtocol, D4RetriedWithOldStatus)
{
    target.on_forward = [](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) { return respond(payload); };
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(8, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

// [D4] [BP-2] Retried before the target has ended the request.
TEST_F(BaseProtocol, D4RetriedBeforeEndReq)
{
    const PayloadRef payload = read();
    initiator.forward(*payload, BEGIN_REQ);
    expect_broken(2, [&] { initiator.forward(*payload, BEGIN_REQ); });
}

/// Initiator and target that take every legal way, at random, with up to 8 transactions in flight.
class RandomTraffic {
public:
    RandomTraffic(ScriptedInitiator& initiator, ScriptedTarget& target, PayloadPool& pool, std::uint64_t seed)
        : initiator_{initiator}, target_{target}, pool_{pool}, random_{seed}
    {
        target.on_forward = [this](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
            return on_forward(payload, phase);
        };
        initiator.on_backward = [this](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
            return on_backward(payload, phase);
        };
    }

    void run(int transactions)
    {
        left_ = transactions;
        script_.at(0, [this] { issue(); });
        script_.run();
    }
    [[nodiscard]] int over() const { return over_; }

private:
    int pick(int choices) { return std::uniform_int_distribution<int>{0, choices - 1}(random_); }
    void later(std::function<void()> action) { script_.at(script_.now() + pick(9), std::move(action)); }

    void issue()
    {
        if (left_ == 0 || in_request_ != nullptr || in_flight_ == 8) {
            return;
        }
        --left_;
        ++in_flight_;
        Payload& payload = *pool_.make_without_data(4).detach();
        in_request_ = &payload;
        tlm::tlm_phase phase = BEGIN_REQ;
        sc_core::sc_time delay = ns(pick(3));
        const tlm::tlm_sync_enum status = initiator_.socket->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_ACCEPTED) {
            return;
        }
        in_request_ = nullptr;
        if (status == tlm::TLM_COMPLETED) {
            end(payload);
        } else if (phase == BEGIN_RESP) {
            later([this, &payload] { end_response(payload); });
        }
        later([this] { issue(); });
    }
    tlm::tlm_sync_enum on_forward(Payload& payload, tlm::tlm_phase& phase)
    {
        if (phase == END_RESP) {
            response_open_ = false;
            return pick(2) == 0 ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        }
        switch (pick(response_open_ ? 3 : 5)) {
            case 0:
                script_.at(script_.now() + 2 + pick(9), [this, &payload] { begin_response(payload); });
                return tlm::TLM_ACCEPTED;
            case 1:
                script_.at(script_.now() + 2, [this, &payload] {
                    target_.backward(payload, END_REQ);
                    script_.at(script_.now() + pick(9), [this, &payload] { begin_response(payload); });
                });
                return tlm::TLM_ACCEPTED;
            case 2:
                phase = END_REQ;
                script_.at(script_.now() + 2 + pick(9), [this, &payload] { begin_response(payload); });
                return tlm::TLM_UPDATED;
            case 3:
                answer(payload);
                phase = BEGIN_RESP;
                response_open_ = true;
                return tlm::TLM_UPDATED;
            default:
                answer(payload);
                return tlm::TLM_COMPLETED;
        }
    }
    void begin_response(Payload& payload)
    {
        if (response_open_) {
            script_.at(script_.now() + 1, [this, &payload] { begin_response(payload); });
            return;
        }
        answer(payload);
        response_open_ = true;
        if (target_.backward(payload, BEGIN_RESP) != tlm::TLM_ACCEPTED) {
            response_open_ = false;
        }
    }
    tlm::tlm_sync_enum on_backward(Payload& payload, tlm::tlm_phase& phase)
    {
        if (in_request_ == &payload) {
            in_request_ = nullptr;
            later([this] { issue(); });
        }
        if (phase == END_REQ) {
            return tlm::TLM_ACCEPTED;
        }
        switch (pick(3)) {
            case 0:
                later([this, &payload] { end_response(payload); });
                return tlm::TLM_ACCEPTED;
            case 1:
                phase = END_RESP;
                end(payload);
                return tlm::TLM_UPDATED;
            default:
                end(payload);
                return tlm::TLM_COMPLETED;
        }
    }
    void end_response(Payload& payload)
    {
        initiator_.forward(payload, END_RESP, ns(2));
        end(payload);
    }
    void end(Payload& payload)
    {
        payload.release();
        --in_flight_;
        ++over_;
        later([this] { issue(); });
    }

    ScriptedInitiator& initiator_;
    ScriptedTarget& target_;
    PayloadPool& pool_;
    std::mt19937_64 random_;
    Script script_;
    Payload* in_request_{nullptr};
    bool response_open_{false};
    int in_flight_{0};
    int left_{0};
    int over_{0};
};

// [BP-1] to [BP-19] Whatever legal way both sides take, the checker has nothing to say, and no payload stays alive.
TEST_F(BaseProtocol, RandomLegalTrafficIsClean)
{
    RandomTraffic traffic{initiator, target, pool, testbench::seed()};
    traffic.run(2000);
    checker.finish();
    EXPECT_EQ(traffic.over(), 2000);
    EXPECT_EQ(checker.transactions(), 2000U);
    EXPECT_EQ(checker.broken_rules(), 0U);
    EXPECT_EQ(pool.live(), 0U);
    EXPECT_GT(pool.peak(), 2U);
}

// What a broken rule's report says is what the page says.
TEST(BaseProtocolRules, EveryRuleIsOnThePage)
{
    std::ifstream file{MRCNIC_SOURCE_DIR "/docs/protocols.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(BaseProtocolRule::count); ++i) {
        const ProtocolRule& rule = rule_of(static_cast<BaseProtocolRule>(i));
        EXPECT_EQ(rule.id, "BP-" + std::to_string(i + 1));
        EXPECT_NE(page.find(std::string{"\n| "} + rule.id + " | " + rule.text), std::string::npos) << rule.id;
    }
}

}  // namespace
}  // namespace mrcnic
