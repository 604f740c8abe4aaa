#include "mrcnic/pcie/tlp_checker.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/checked_hop.h"

namespace mrcnic::pcie {
namespace {

using sc_core::sc_time;
using testbench::ExpectReport;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

using Ends = testbench::CheckedHop<Tlp, TlpChecker, &Tlp::tag>;

class OneHop {
public:
    explicit OneHop(TlpHop hop) : ends{"ends", hop} { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

    /// A write that reports its acceptance.
    TlpRef write(std::uint32_t bytes = 4096)
    {
        TlpRef tlp = pool_.make();
        tlp->tag = ++made_;
        tlp->length = bytes;
        tlp->payload_bytes = bytes;
        tlp->transfers = TransferCut{}.count(bytes);
        tlp->reports_acceptance = true;
        return tlp;
    }
    TlpRef read(std::uint32_t request_bytes = 64)
    {
        TlpRef tlp = write(request_bytes);
        tlp->kind = TlpKind::memory_read;
        tlp->length = 4096;
        tlp->reports_acceptance = false;
        return tlp;
    }
    /// A TLP with `arrived` of its transfers across.
    static const TlpRef& across(const TlpRef& tlp, std::uint32_t arrived)
    {
        tlp->arrived = arrived;
        return tlp;
    }

    tlm::tlm_sync_enum forward(const TlpRef& tlp, tlm::tlm_phase phase, tlm::tlm_sync_enum status = TLM_ACCEPTED,
                               const sc_time& delay = sc_core::SC_ZERO_TIME)
    {
        return ends.forward(*tlp, phase, status, delay);
    }
    /// A call that is answered in the call.
    void forward_updated(const TlpRef& tlp, tlm::tlm_phase phase, const tlm::tlm_phase& answer)
    {
        ends.answer_phase = answer;
        forward(tlp, phase, TLM_UPDATED);
    }
    tlm::tlm_sync_enum backward(const TlpRef& tlp, tlm::tlm_phase phase, tlm::tlm_sync_enum status = TLM_ACCEPTED,
                                const sc_time& delay = sc_core::SC_ZERO_TIME)
    {
        return ends.backward(*tlp, phase, status, delay);
    }
    void flow_control(const TlpRef& carrier, const tlm::tlm_phase& phase, std::uint64_t header, std::uint64_t data)
    {
        carrier->header_limit = header;
        carrier->data_limit = data;
        backward(carrier, phase);
    }
    void init_fc(std::uint64_t header = 16'000, std::uint64_t data = 256'000)
    {
        flow_control(pool_.make(), phase::INIT_FC, header, data);
    }
    void transfer(const TlpRef& tlp, std::uint32_t arrived)
    {
        across(tlp, arrived);
        forward(tlp, phase::TRANSFER, arrived == tlp->transfers ? TLM_COMPLETED : TLM_ACCEPTED);
    }

    Ends ends;
    TlpChecker& checker{ends.checker};

private:
    TlpPool pool_;
    std::uint32_t made_{0};
};

/// `call` breaks this rule and no other before it.
template <typename Call>
void expect_broken(const std::string& rule, Call call)
{
    const ExpectReport expected{report_id::kProtocol, rule + " is broken at ends.checker"};
    EXPECT_THROW(call(), sc_core::sc_report);
    EXPECT_EQ(expected.last().rfind(rule + " is broken", 0), 0u) << expected.last();
}

// Acceptance in the call and later, a read between the writes, and a TLP that does not report.
TEST(TlpChecker, AcceptsEverySubmission)
{
    OneHop hop{TlpHop::submission};
    const TlpRef first = hop.write();
    const TlpRef second = hop.write();
    const TlpRef third = hop.write();
    const TlpRef read = hop.read();
    const TlpRef reporting_read = hop.read();
    reporting_read->reports_acceptance = true;

    hop.forward_updated(first, tlm::BEGIN_REQ, phase::ACCEPTED);
    hop.forward(second, tlm::BEGIN_REQ);
    hop.forward(third, tlm::BEGIN_REQ);
    hop.forward(read, tlm::BEGIN_REQ);
    hop.forward_updated(reporting_read, tlm::BEGIN_REQ, phase::ACCEPTED);  // it passes the writes [PC-9]
    hop.backward(second, phase::ACCEPTED, TLM_COMPLETED);
    hop.backward(third, phase::ACCEPTED);
    hop.checker.finish();

    EXPECT_EQ(hop.checker.broken_rules(), 0u);
    EXPECT_EQ(hop.checker.transactions(), 5u);
    const std::vector<std::string> calls{
        "forward BEGIN_REQ 1 0 s", "forward BEGIN_REQ 2 0 s", "forward BEGIN_REQ 3 0 s", "forward BEGIN_REQ 4 0 s",
        "forward BEGIN_REQ 5 0 s", "backward ACCEPTED 2 0 s", "backward ACCEPTED 3 0 s"};
    EXPECT_EQ(hop.ends.calls, calls);
}

// Single transfers and trains of them, a read between the transfers of a write, credits used to the last byte.
TEST(TlpChecker, AcceptsEveryWayAcrossTheLink)
{
    OneHop hop{TlpHop::link};
    hop.init_fc(3 * 34, 1600);
    const TlpRef write = hop.write(1025);  // 512 + 512 + 1 bytes
    const TlpRef read = hop.read();
    hop.transfer(write, 2);
    hop.flow_control(write, phase::UPDATE_FC, 5 * 34, 1600 + 1024);
    hop.transfer(read, 1);
    hop.flow_control(read, phase::UPDATE_FC, 6 * 34, 1600 + 1024 + 64);
    hop.transfer(write, 3);
    hop.flow_control(write, phase::UPDATE_FC, 7 * 34, 1600 + 1025 + 64);
    hop.transfer(hop.write(1536), 3);  // as many headers as there are
    hop.checker.finish();

    EXPECT_EQ(hop.checker.open(), 0u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
    EXPECT_EQ(hop.checker.transactions(), 3u);
}

TEST(TlpChecker, AcceptsDelivery)
{
    OneHop hop{TlpHop::delivery};
    const TlpRef write = hop.write();
    write->data.resize(4096);
    hop.forward(hop.across(write, 8), tlm::BEGIN_REQ, TLM_COMPLETED);
    hop.forward(hop.across(hop.read(), 1), tlm::BEGIN_REQ, TLM_COMPLETED);
    const TlpRef failed = hop.write(0);
    failed->kind = TlpKind::completion;
    failed->status = CompletionStatus::unsupported_request;
    failed->length = 4096;
    hop.forward(hop.across(failed, 1), tlm::BEGIN_REQ, TLM_COMPLETED);
    hop.checker.finish();
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
    EXPECT_EQ(hop.checker.transactions(), 3u);
}

// [TP-1] The last holder let go before the call.
TEST(TlpCheckerRule, Tp1TlpsAreReferenced)
{
    OneHop hop{TlpHop::submission};
    Tlp* gone = hop.write().get();
    const ExpectReport expected{report_id::kProtocol, "TP-1 is broken at ends.checker"};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    EXPECT_THROW(hop.ends.requester->nb_transport_fw(*gone, phase, delay), sc_core::sc_report);
}

// [TP-2] Phases of another hop, of the other direction, and of no hop.
TEST(TlpCheckerRule, Tp2SubmissionKnowsNoTransfer)
{
    OneHop hop{TlpHop::submission};
    expect_broken("TP-2", [&] { hop.forward(hop.write(), phase::TRANSFER); });
    expect_broken("TP-2", [&] { hop.forward(hop.write(), phase::ACCEPTED); });
    expect_broken("TP-2", [&] { hop.backward(hop.write(), tlm::BEGIN_REQ); });
}

// [TP-2]
TEST(TlpCheckerRule, Tp2LinkKnowsNoBeginReq)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    expect_broken("TP-2", [&] { hop.forward(hop.write(), tlm::BEGIN_REQ); });
    expect_broken("TP-2", [&] { hop.backward(hop.write(), phase::ACCEPTED); });
    expect_broken("TP-2", [&] { hop.forward(hop.write(), phase::UPDATE_FC); });
}

// [TP-2]
TEST(TlpCheckerRule, Tp2NothingComesBackFromDelivery)
{
    OneHop hop{TlpHop::delivery};
    expect_broken("TP-2", [&] { hop.backward(hop.write(), phase::ACCEPTED); });
    expect_broken("TP-2", [&] { hop.forward(hop.write(), tlm::END_RESP); });
}

// [TP-3]
TEST(TlpCheckerRule, Tp3SubmissionIsNotCompleted)
{
    OneHop hop{TlpHop::submission};
    expect_broken("TP-3", [&] { hop.forward(hop.write(), tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [TP-3]
TEST(TlpCheckerRule, Tp3SubmissionIsUpdatedToAccepted)
{
    OneHop hop{TlpHop::submission};
    expect_broken("TP-3", [&] { hop.forward_updated(hop.write(), tlm::BEGIN_REQ, tlm::END_REQ); });
}

// [TP-3] A part is not the whole.
TEST(TlpCheckerRule, Tp3PartOfATlpIsNotCompleted)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef tlp = hop.write();
    expect_broken("TP-3", [&] { hop.forward(hop.across(tlp, 7), phase::TRANSFER, TLM_COMPLETED); });
}

// [TP-3]
TEST(TlpCheckerRule, Tp3LastTransferIsCompleted)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef tlp = hop.write();
    hop.transfer(tlp, 7);
    expect_broken("TP-3", [&] { hop.forward(hop.across(tlp, 8), phase::TRANSFER, TLM_ACCEPTED); });
}

// [TP-3]
TEST(TlpCheckerRule, Tp3DeliveryIsCompleted)
{
    OneHop hop{TlpHop::delivery};
    expect_broken("TP-3", [&] { hop.forward(hop.across(hop.write(), 8), tlm::BEGIN_REQ, TLM_ACCEPTED); });
}

// [TP-3]
TEST(TlpCheckerRule, Tp3BackwardCallsAreNotUpdated)
{
    OneHop hop{TlpHop::submission};
    const TlpRef tlp = hop.write();
    hop.forward(tlp, tlm::BEGIN_REQ);
    expect_broken("TP-3", [&] { hop.backward(tlp, phase::ACCEPTED, TLM_UPDATED); });
}

// [TP-4] Both directions.
TEST(TlpCheckerRule, Tp4CallsCarryNoDelay)
{
    OneHop hop{TlpHop::submission};
    const sc_time delay{1, sc_core::SC_PS};
    const TlpRef tlp = hop.write();
    expect_broken("TP-4", [&] { hop.forward(hop.write(), tlm::BEGIN_REQ, TLM_ACCEPTED, delay); });
    hop.forward(tlp, tlm::BEGIN_REQ);
    expect_broken("TP-4", [&] { hop.backward(tlp, phase::ACCEPTED, TLM_ACCEPTED, delay); });
}

// [TP-5] Every field that must stay, on the submission hop.
TEST(TlpCheckerRule, Tp5FieldsStayUntilAccepted)
{
    OneHop hop{TlpHop::submission};
    const std::vector<void (*)(Tlp&)> changes{[](Tlp& tlp) { tlp.kind = TlpKind::completion; },
                                              [](Tlp& tlp) { ++tlp.tag; },
                                              [](Tlp& tlp) { ++tlp.address; },
                                              [](Tlp& tlp) { ++tlp.length; },
                                              [](Tlp& tlp) { ++tlp.payload_bytes; },
                                              [](Tlp& tlp) { tlp.reports_acceptance = false; }};
    std::vector<TlpRef> open;  // the checker knows them by their address
    for (const auto change : changes) {
        const TlpRef tlp = open.emplace_back(hop.write());
        hop.forward(tlp, tlm::BEGIN_REQ);
        change(*tlp);
        expect_broken("TP-5", [&] { hop.backward(tlp, phase::ACCEPTED); });
    }
}

// [TP-5] On the link too.
TEST(TlpCheckerRule, Tp5FieldsStayUntilTheLastTransfer)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef tlp = hop.write();
    hop.transfer(tlp, 1);
    tlp->tag = 99;
    expect_broken("TP-5", [&] { hop.transfer(tlp, 2); });
}

// [TP-6]
TEST(TlpCheckerRule, Tp6DataIsWhole)
{
    OneHop hop{TlpHop::submission};
    const TlpRef write = hop.write();
    write->data.resize(4095);
    expect_broken("TP-6", [&] { hop.forward(write, tlm::BEGIN_REQ); });
}

// [TP-6] Neither a read request nor an error has data.
TEST(TlpCheckerRule, Tp6OthersHaveNone)
{
    OneHop hop{TlpHop::delivery};
    const TlpRef read = hop.read();
    read->data.resize(read->length);
    expect_broken("TP-6", [&] { hop.forward(hop.across(read, 1), tlm::BEGIN_REQ, TLM_COMPLETED); });
    const TlpRef failed = hop.write();
    failed->kind = TlpKind::completion;
    failed->status = CompletionStatus::completer_abort;
    failed->data.resize(failed->length);
    expect_broken("TP-6", [&] { hop.forward(hop.across(failed, 8), tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// [TP-7] Told when the simulation is stopped.
TEST(TlpCheckerRule, Tp7WritesAreAccepted)
{
    OneHop hop{TlpHop::submission};
    hop.forward(hop.write(), tlm::BEGIN_REQ);
    expect_broken("TP-7", [] { sc_core::sc_stop(); });
}

// [TP-7]
TEST(TlpCheckerRule, Tp7TlpsArriveWhole)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef tlp = hop.write();
    hop.transfer(tlp, 7);
    expect_broken("TP-7", [&] { hop.checker.finish(); });
    hop.checker.finish();  // told once
}

// A run that is cut short leaves transactions open, and that is no fault.
TEST(TlpChecker, ForgivesARunCutShort)
{
    OneHop hop{TlpHop::submission};
    hop.forward(hop.write(), tlm::BEGIN_REQ);
    hop.checker.cut_short();
    sc_core::sc_stop();
    EXPECT_EQ(hop.checker.open(), 1u);
    EXPECT_EQ(hop.checker.broken_rules(), 0u);
}

// [TP-8] While it waits, before any transfer was admitted.
TEST(TlpCheckerRule, Tp8WaitingTlpIsNotSubmittedAgain)
{
    OneHop hop{TlpHop::submission};
    const TlpRef tlp = hop.write();
    hop.forward(tlp, tlm::BEGIN_REQ);
    expect_broken("TP-8", [&] { hop.forward(tlp, tlm::BEGIN_REQ); });
}

// [TP-8] On its way, or used again without a reset.
TEST(TlpCheckerRule, Tp8TlpComesWithoutProgress)
{
    OneHop hop{TlpHop::submission};
    const std::vector<std::uint32_t Tlp::*> counters{&Tlp::admitted, &Tlp::started, &Tlp::arrived, &Tlp::taken};
    for (const auto counter : counters) {
        const TlpRef tlp = hop.read();
        (*tlp).*counter = 1;
        expect_broken("TP-8", [&] { hop.forward(tlp, tlm::BEGIN_REQ); });
    }
}

// [TP-9] Never submitted.
TEST(TlpCheckerRule, Tp9AcceptedNeedsASubmission)
{
    OneHop hop{TlpHop::submission};
    expect_broken("TP-9", [&] { hop.backward(hop.write(), phase::ACCEPTED); });
}

// [TP-9] Not wanted, in the call and later.
TEST(TlpCheckerRule, Tp9AcceptedIsForThoseThatWantIt)
{
    OneHop hop{TlpHop::submission};
    const TlpRef read = hop.read();
    expect_broken("TP-9", [&] { hop.forward_updated(hop.read(), tlm::BEGIN_REQ, phase::ACCEPTED); });
    hop.forward(read, tlm::BEGIN_REQ);
    expect_broken("TP-9", [&] { hop.backward(read, phase::ACCEPTED); });
}

// [TP-9] In the call and again later.
TEST(TlpCheckerRule, Tp9TlpIsAcceptedOnce)
{
    OneHop hop{TlpHop::submission};
    const TlpRef tlp = hop.write();
    hop.forward_updated(tlp, tlm::BEGIN_REQ, phase::ACCEPTED);
    expect_broken("TP-9", [&] { hop.backward(tlp, phase::ACCEPTED); });
}

// [TP-9] A write does not overtake a write, in the call or later.
TEST(TlpCheckerRule, Tp9WritesAreAcceptedInOrder)
{
    OneHop hop{TlpHop::submission};
    const TlpRef first = hop.write();
    const TlpRef second = hop.write();
    hop.forward(first, tlm::BEGIN_REQ);
    hop.forward(second, tlm::BEGIN_REQ);
    expect_broken("TP-9", [&] { hop.backward(second, phase::ACCEPTED); });
    expect_broken("TP-9", [&] { hop.forward_updated(hop.write(), tlm::BEGIN_REQ, phase::ACCEPTED); });
}

// [TP-10]
TEST(TlpCheckerRule, Tp10NothingBeforeInitFc)
{
    OneHop hop{TlpHop::link};
    const TlpRef tlp = hop.write();
    expect_broken("TP-10", [&] { hop.transfer(tlp, 1); });
    expect_broken("TP-10", [&] { hop.flow_control(tlp, phase::UPDATE_FC, 34, 512); });
}

// [TP-10]
TEST(TlpCheckerRule, Tp10InitFcComesOnce)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    expect_broken("TP-10", [&] { hop.init_fc(); });
}

// [TP-11] Each of the two.
TEST(TlpCheckerRule, Tp11LimitsDoNotShrink)
{
    OneHop hop{TlpHop::link};
    hop.init_fc(16'000, 256'000);
    const TlpRef tlp = hop.write();
    expect_broken("TP-11", [&] { hop.flow_control(tlp, phase::UPDATE_FC, 15'999, 256'000); });
    expect_broken("TP-11", [&] { hop.flow_control(tlp, phase::UPDATE_FC, 16'000, 255'999); });
}

// [TP-12] Each of the two: a limit beyond what came out of the buffer.
TEST(TlpCheckerRule, Tp12CreditsAreGivenBackOnce)
{
    OneHop hop{TlpHop::link};
    hop.init_fc(16'000, 256'000);
    const TlpRef tlp = hop.write(1000);
    hop.transfer(tlp, 1);
    hop.flow_control(tlp, phase::UPDATE_FC, 16'034, 256'512);
    expect_broken("TP-12", [&] { hop.flow_control(tlp, phase::UPDATE_FC, 16'035, 256'512); });
    expect_broken("TP-12", [&] { hop.flow_control(tlp, phase::UPDATE_FC, 16'034, 256'513); });
}

// [TP-13] One header too many, though there is room for data.
TEST(TlpCheckerRule, Tp13HeadersStayWithinTheLimit)
{
    OneHop hop{TlpHop::link};
    hop.init_fc(2 * 34 + 33, 256'000);
    const TlpRef tlp = hop.write();
    hop.transfer(tlp, 2);
    expect_broken("TP-13", [&] { hop.transfer(tlp, 3); });
}

// [TP-13] One byte of data too many, though there is room for headers. [A1] What counts is what is needed.
TEST(TlpCheckerRule, Tp13DataStaysWithinTheLimit)
{
    OneHop hop{TlpHop::link};
    hop.init_fc(16'000, 1023);
    const TlpRef tlp = hop.write();
    hop.transfer(tlp, 1);
    expect_broken("TP-13", [&] { hop.transfer(tlp, 2); });
}

// [TP-14] No progress, too much of it, and a TLP cut wrongly.
TEST(TlpCheckerRule, Tp14TransfersMakeProgress)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef tlp = hop.write();
    expect_broken("TP-14", [&] { hop.transfer(tlp, 0); });
    hop.transfer(tlp, 2);
    expect_broken("TP-14", [&] { hop.transfer(tlp, 2); });
    expect_broken("TP-14", [&] { hop.transfer(tlp, 9); });
    tlp->transfers = 7;
    expect_broken("TP-14", [&] { hop.transfer(tlp, 7); });
}

// [TP-15] A write within a write.
TEST(TlpCheckerRule, Tp15WritesFollowEachOther)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef first = hop.write();
    hop.transfer(first, 1);
    expect_broken("TP-15", [&] { hop.transfer(hop.write(), 8); });
}

// [TP-15] A read within a read.
TEST(TlpCheckerRule, Tp15ReadsFollowEachOther)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef first = hop.read(1024);
    hop.transfer(first, 1);
    expect_broken("TP-15", [&] { hop.transfer(hop.read(), 1); });
}

// [TP-15] A write that goes on before the read within it is across.
TEST(TlpCheckerRule, Tp15ReadWithinAWriteIsWhole)
{
    OneHop hop{TlpHop::link};
    hop.init_fc();
    const TlpRef write = hop.write();
    const TlpRef read = hop.read(1024);
    hop.transfer(write, 1);
    hop.transfer(read, 1);
    expect_broken("TP-15", [&] { hop.transfer(write, 2); });
}

// [TP-16]
TEST(TlpCheckerRule, Tp16PartsAreNotDelivered)
{
    OneHop hop{TlpHop::delivery};
    expect_broken("TP-16", [&] { hop.forward(hop.across(hop.write(), 7), tlm::BEGIN_REQ, TLM_COMPLETED); });
}

// What a broken rule's report says is what the page says.
TEST(TlpChecker, EveryRuleIsOnThePage)
{
    std::ifstream file{MRCNIC_SOURCE_DIR "/docs/protocols.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(TlpRule::count); ++i) {
        const ProtocolRule& rule = rule_of(static_cast<TlpRule>(i));
        EXPECT_EQ(rule.id, "TP-" + std::to_string(i + 1));
        EXPECT_NE(page.find(std::string{"\n| "} + rule.id + " | " + rule.text), std::string::npos) << rule.id;
    }
}

}  // namespace
}  // namespace mrcnic::pcie
