#include "mrcnic/nic/dma.h"

#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/host/host_memory.h"
#include "testbench/support/harness.h"
#include "testbench/unit/pcie/host_link.h"

namespace mrcnic::nic {
namespace {

using packet::Frame;
using packet::FrameRef;
using pcie::CompletionStatus;
using pcie::Tlp;
using pcie::TlpKind;
using pcie::TlpRef;
using testbench::ExpectReport;
using Bytes = std::vector<std::uint8_t>;

/// Transport and ingress buffer as the DMA engine sees them.
class Requester : public sc_core::sc_module {
public:
    packet::FrameInitiatorSocket<Requester> to_dma{"to_dma", *this, &Requester::answered};

    Requester(const sc_core::sc_module_name& name, Agenda& agenda) : sc_module{name}, agenda_{agenda} {}

    FrameRef frame(std::uint32_t payload_bytes, std::uint64_t address)
    {
        FrameRef frame = pool.make();
        frame->uid = ++last_uid_;
        frame->payload_bytes = payload_bytes;
        frame->wire_bytes = payload_bytes + 78;
        frame->local_address = address;
        frame->reth.virtual_address = address;
        return frame;
    }
    void fetch(FrameRef frame) { to_dma.forward(*frame, packet::phase::FETCH); }
    void write(FrameRef frame)
    {
        tlm::tlm_phase phase = packet::phase::WRITE;
        if (to_dma.forward(*frame, phase) == tlm::TLM_UPDATED) {
            note(*frame);
        }
    }

    packet::FramePool pool;
    std::vector<testbench::Told> told;  ///< FETCHED and ACCEPTED, by the frame's uid

private:
    tlm::tlm_sync_enum answered(Frame& frame, tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*offset*/)
    {
        note(frame);
        return tlm::TLM_COMPLETED;
    }
    void note(const Frame& frame) { told.push_back({static_cast<std::uint32_t>(frame.uid), agenda_.now()}); }

    Agenda& agenda_;
    std::uint64_t last_uid_{0};
};

/// A transaction layer that the test plays.
class FakeLayer : public sc_core::sc_module {
public:
    pcie::TlpTargetSocket<FakeLayer> from_device{"from_device", *this, &FakeLayer::submit};
    pcie::TlpInitiatorSocket<FakeLayer> to_device{"to_device", *this};

    explicit FakeLayer(const sc_core::sc_module_name& name) : sc_module{name} {}

    void complete(std::uint32_t tag, CompletionStatus status, const Bytes& data)
    {
        const TlpRef completion = completions.make();
        completion->kind = TlpKind::completion;
        completion->tag = tag;
        completion->status = status;
        completion->length = static_cast<std::uint32_t>(data.size());
        completion->payload_bytes = completion->length;
        completion->data = data;
        completion->transfers = pcie::TransferCut{}.count(completion->payload_bytes);
        completion->arrived = completion->transfers;
        to_device.forward(*completion, tlm::BEGIN_REQ);
    }
    void accept(const TlpRef& tlp) { from_device.backward(*tlp, pcie::phase::ACCEPTED); }

    bool accepts_at_once{false};
    std::vector<TlpRef> submitted;
    pcie::TlpPool completions;

private:
    tlm::tlm_sync_enum submit(Tlp& tlp, tlm::tlm_phase& phase, sc_core::sc_time& /*offset*/)
    {
        submitted.emplace_back(tlp);
        if (!accepts_at_once || !tlp.reports_acceptance) {
            return tlm::TLM_ACCEPTED;
        }
        phase = pcie::phase::ACCEPTED;
        return tlm::TLM_UPDATED;
    }
};

struct Bench {
    Agenda agenda{"agenda"};
    Requester transport{"transport", agenda};
    Requester ingress{"ingress", agenda};
    Dma dma;
    FakeLayer layer{"layer"};
    pcie::CheckedWiring wiring{true};

    explicit Bench(std::uint32_t read_request_size = 64) : dma{"dma", agenda, read_request_size}
    {
        wiring.connect(transport.to_dma, dma.from_transport, packet::Hop::host);
        wiring.connect(ingress.to_dma, dma.from_ingress, packet::Hop::host);
        wiring.connect(dma.to_pcie, layer.from_device, pcie::TlpHop::submission);
        wiring.connect(layer.to_device, dma.from_pcie, pcie::TlpHop::delivery);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    ~Bench()
    {
        wiring.finish();
        EXPECT_EQ(transport.pool.live(), 0u);
        EXPECT_EQ(ingress.pool.live(), 0u);
    }
};

Bytes count_up(std::size_t length, std::uint8_t first = 1)
{
    Bytes bytes(length);
    std::iota(bytes.begin(), bytes.end(), first);
    return bytes;
}

// [PC-3] A fetch is one read request of ReadRequestSize bytes for the whole payload, and does not report acceptance.
TEST(Dma, FetchIsOneReadRequest)
{
    Bench bench{1'000};
    bench.transport.fetch(bench.transport.frame(4096, 0x1'2345'6789));
    ASSERT_EQ(bench.layer.submitted.size(), 1u);
    const Tlp& request = *bench.layer.submitted[0];
    EXPECT_EQ(request.kind, TlpKind::memory_read);
    EXPECT_EQ(request.address, 0x1'2345'6789u);
    EXPECT_EQ(request.length, 4096u);
    EXPECT_EQ(request.payload_bytes, 1'000u);
    EXPECT_FALSE(request.reports_acceptance);
    EXPECT_TRUE(bench.transport.told.empty());
    bench.layer.complete(request.tag, CompletionStatus::successful, {});
    EXPECT_EQ(bench.transport.told.size(), 1u);
}

// The frame of the completion's tag gets the data, in whatever order they come.
TEST(Dma, CompletionFillsItsFrame)
{
    Bench bench;
    const FrameRef first = bench.transport.frame(100, 0);
    const FrameRef second = bench.transport.frame(100, 100);
    bench.transport.fetch(first);
    bench.transport.fetch(second);
    // The frame protocol wants FETCHED in order [FP-18], and so does the link bring them.
    bench.layer.complete(bench.layer.submitted[0]->tag, CompletionStatus::successful, count_up(100));
    bench.layer.complete(bench.layer.submitted[1]->tag, CompletionStatus::successful, count_up(100, 50));
    EXPECT_EQ(first->payload, count_up(100));
    EXPECT_EQ(second->payload, count_up(100, 50));
}

// [IN-2, IN-3] Only the payload is written, to the address of its RETH; accepted in the call or later, in order.
TEST(Dma, WriteIsOneTlpAndIsAccepted)
{
    Bench bench;
    const FrameRef first = bench.ingress.frame(4096, 0x1'0000'0000);
    first->payload = count_up(4096);
    bench.ingress.write(first);
    bench.ingress.write(bench.ingress.frame(64, 0));
    ASSERT_EQ(bench.layer.submitted.size(), 2u);
    const Tlp& write = *bench.layer.submitted[0];
    EXPECT_EQ(write.kind, TlpKind::memory_write);
    EXPECT_EQ(write.address, 0x1'0000'0000u);
    EXPECT_EQ(write.length, 4096u);
    EXPECT_EQ(write.payload_bytes, 4096u);
    EXPECT_TRUE(write.reports_acceptance);
    EXPECT_EQ(write.data, count_up(4096));
    EXPECT_TRUE(bench.ingress.told.empty());

    bench.layer.accept(bench.layer.submitted[0]);
    bench.layer.accept(bench.layer.submitted[1]);
    bench.layer.accepts_at_once = true;
    bench.ingress.write(bench.ingress.frame(64, 0));
    ASSERT_EQ(bench.ingress.told.size(), 3u);
    EXPECT_EQ(bench.ingress.told[0].tag, 1u);
    EXPECT_EQ(bench.ingress.told[1].tag, 2u);
    EXPECT_EQ(bench.ingress.told[2].tag, 3u);
}

// [B16] A fetch of nothing is a request too, and its tag is free afterwards.
TEST(Dma, B16FetchOfNothing)
{
    Bench bench;
    for (int i = 0; i < 2; ++i) {
        bench.transport.fetch(bench.transport.frame(0, 0));
        EXPECT_EQ(bench.layer.submitted.back()->length, 0u);
        EXPECT_EQ(bench.layer.submitted.back()->payload_bytes, 64u);
        bench.layer.complete(bench.layer.submitted.back()->tag, CompletionStatus::successful, {});
    }
    EXPECT_EQ(bench.layer.submitted[0]->tag, bench.layer.submitted[1]->tag);
    EXPECT_EQ(bench.transport.told.size(), 2u);
}

// [C2, C6] Tags of what is outstanding differ, errors free them as data does: 257 reads at once, all answered with
// errors, then 257 more with the same tags.
TEST(Dma, C2ErrorsFreeTags)
{
    const ExpectReport expected{report_id::kHost, "the host answered a payload fetch with an error"};
    Bench bench;
    std::set<std::uint32_t> tags;
    for (int round = 0; round < 2; ++round) {
        bench.layer.submitted.clear();
        for (int i = 0; i < 257; ++i) {
            bench.transport.fetch(bench.transport.frame(64, 0));
        }
        std::set<std::uint32_t> of_round;
        for (const TlpRef& request : bench.layer.submitted) {
            of_round.insert(request->tag);
            tags.insert(request->tag);
            bench.layer.complete(request->tag, CompletionStatus::unsupported_request, {});
        }
        EXPECT_EQ(of_round.size(), 257u);
    }
    EXPECT_EQ(tags.size(), 257u);
    EXPECT_EQ(bench.dma.failed_reads(), 514u);
    EXPECT_EQ(bench.transport.told.size(), 514u);
}

// A completion that nobody waits for is an error in words: a tag never given out, and one that is free again.
TEST(Dma, CompletionWithoutARequest)
{
    Bench bench;
    const auto expect_refused = [&bench](std::uint32_t tag) {
        const ExpectReport expected{report_id::kPcie, "tag " + std::to_string(tag) + ", which no request has"};
        EXPECT_THROW(bench.layer.complete(tag, CompletionStatus::successful, {}), sc_core::sc_report);
    };
    expect_refused(0);
    bench.transport.fetch(bench.transport.frame(0, 0));
    const std::uint32_t tag = bench.layer.submitted[0]->tag;
    bench.layer.complete(tag, CompletionStatus::successful, {});
    expect_refused(tag);
}

// [PC-6] DMA engine, link, root complex and memory together: a payload written and fetched back, 69.2893 ns and
// 70.8439 ns after their start.
TEST(Dma, BytesGoToTheHostAndBack)
{
    Agenda agenda{"agenda"};
    Requester transport{"transport", agenda};
    Requester ingress{"ingress", agenda};
    Dma dma{"dma", agenda, 64};
    testbench::Host<host::HostMemory> host{agenda, config::PayloadMode::bytes};
    testbench::Link link{"link", agenda, testbench::default_link()};
    link.connect(dma, host.root_complex);
    link.wiring.connect(transport.to_dma, dma.from_transport, packet::Hop::host);
    link.wiring.connect(ingress.to_dma, dma.from_ingress, packet::Hop::host);

    const FrameRef written = ingress.frame(4096, 0x7'0000'0ff0);
    written->payload = count_up(4096);
    const FrameRef fetched = transport.frame(4096, 0x7'0000'0ff0);
    agenda.at<&Requester::write>(0, EventClass::arrival, {}, ingress, written);
    agenda.at<&Requester::fetch>(100'000, EventClass::posting, {}, transport, fetched);
    testbench::run_to_end([&] { return !transport.told.empty() && !ingress.told.empty(); });
    EXPECT_EQ(ingress.told[0].at, 0);
    EXPECT_EQ(transport.told[0].at, 170'844);
    EXPECT_EQ(fetched->payload, count_up(4096));
    EXPECT_EQ(testbench::value_of(host.memory.statistics(), "bytes_written"), 4096u);
    link.wiring.finish();
    host.checker.finish();
}

}  // namespace
}  // namespace mrcnic::nic
