#include "mrcnic/host/root_complex.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/host/host_memory.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"
#include "testbench/unit/pcie/host_link.h"

namespace mrcnic::host {
namespace {

using config::PayloadMode;
using pcie::CompletionStatus;
using pcie::TlpKind;
using testbench::Device;
using testbench::ExpectReport;
using testbench::Told;
using testbench::value_of;
using Bytes = std::vector<std::uint8_t>;

/// Requests go to the root complex and completions come back without a link between.
template <typename Memory>
struct Bench {
    Agenda agenda{"agenda"};
    Device nic{"nic", agenda};
    testbench::Host<Memory> host;
    pcie::CheckedWiring wiring{true};

    template <typename... Arguments>
    explicit Bench(PayloadMode mode, Arguments&&... arguments)
        : host{agenda, mode, std::forward<Arguments>(arguments)...}
    {
        wiring.connect(nic.to_pcie, host.root_complex.from_pcie, pcie::TlpHop::delivery);
        wiring.connect(host.root_complex.to_pcie, nic.from_pcie, pcie::TlpHop::submission);
        nic.keeps = true;
        nic.delivery_answer = tlm::TLM_ACCEPTED;  // completions are submitted to it, as to a transaction layer
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Delivers a request, as a transaction layer does.
    void request_at(Picoseconds at, pcie::TlpRef tlp)
    {
        tlp->reports_acceptance = false;
        tlp->transfers = pcie::TransferCut{}.count(tlp->payload_bytes);
        tlp->arrived = tlp->transfers;
        nic.submit_at(at, std::move(tlp));
    }
    void run(std::size_t completions)
    {
        testbench::run_to_end([&] { return nic.delivered.size() == completions; });
    }
    [[nodiscard]] std::uint64_t statistic(const std::string& name) const
    {
        return value_of(host.root_complex.statistics(), name);
    }
    ~Bench()
    {
        nic.kept.clear();
        wiring.finish();
        host.checker.finish();
        EXPECT_EQ(nic.pool.live(), 0u);
        EXPECT_TRUE(agenda.is_quiet());
    }
};

Bytes count_up(std::size_t length, std::uint8_t first = 1)
{
    Bytes bytes(length);
    std::iota(bytes.begin(), bytes.end(), first);
    return bytes;
}

// [PC-3, PC-4] A read is answered at once with the data of its address, under its tag; a write is in memory before.
TEST(RootComplex, ReadsWhatWasWritten)
{
    Bench<HostMemory> bench{PayloadMode::bytes};
    bench.request_at(1'000, bench.nic.write(count_up(4096), 0x1000));
    bench.request_at(1'000, bench.nic.read(4096, 0x1000));
    bench.run(1);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{2, 1'000}}));
    const pcie::Tlp& completion = *bench.nic.kept[0];
    EXPECT_EQ(completion.kind, TlpKind::completion);
    EXPECT_EQ(completion.status, CompletionStatus::successful);
    EXPECT_EQ(completion.length, 4096u);
    EXPECT_EQ(completion.payload_bytes, 4096u);
    EXPECT_FALSE(completion.reports_acceptance);
    EXPECT_EQ(completion.data, count_up(4096));
    EXPECT_EQ(bench.statistic("bytes_written"), 4096u);
    EXPECT_EQ(bench.statistic("bytes_read"), 4096u);
    EXPECT_EQ(bench.statistic("errors"), 0u);
}

// `PayloadMode = sizes`: sizes and times only; the memory sees accesses that move nothing.
TEST(RootComplex, MovesNoDataWithSizes)
{
    Bench<HostMemory> bench{PayloadMode::sizes};
    bench.request_at(0, bench.nic.write(4096, 0x1000));
    bench.request_at(0, bench.nic.read(4096, 0x1000));
    bench.run(1);
    EXPECT_TRUE(bench.nic.kept[0]->data.empty());
    EXPECT_EQ(bench.nic.kept[0]->payload_bytes, 4096u);
    EXPECT_EQ(value_of(bench.host.memory.statistics(), "ignored"), 2u);
    EXPECT_EQ(bench.host.memory.pages(), 0u);
    EXPECT_EQ(bench.statistic("bytes_written"), 4096u);
}

// [B7, B8, B15] Lengths beyond a byte, addresses beyond 32 bits, data where it belongs.
TEST(RootComplex, B8AddressesHave64Bits)
{
    Bench<HostMemory> bench{PayloadMode::bytes};
    bench.request_at(0, bench.nic.write(count_up(300), 0x1'0000'0040));
    bench.request_at(0, bench.nic.write(count_up(256, 99), 0x40));
    bench.request_at(0, bench.nic.read(300, 0x1'0000'0040));
    bench.request_at(0, bench.nic.read(256, 0x40));
    bench.request_at(0, bench.nic.read(64, 0x1'0000'0080));
    bench.run(3);
    EXPECT_EQ(bench.nic.kept[0]->data, count_up(300));
    EXPECT_EQ(bench.nic.kept[1]->data, count_up(256, 99));
    EXPECT_EQ(bench.nic.kept[2]->data, count_up(64, 65));
}

// [PC-11, B16] A read of nothing asks no memory and is answered at once.
TEST(RootComplex, B16ReadOfNothing)
{
    Bench<HostMemory> bench{PayloadMode::bytes};
    bench.request_at(0, bench.nic.read(0));
    bench.run(1);
    EXPECT_EQ(bench.nic.kept[0]->status, CompletionStatus::successful);
    EXPECT_EQ(bench.nic.kept[0]->payload_bytes, 0u);
    EXPECT_EQ(bench.host.checker.transactions(), 0u);
    EXPECT_EQ(bench.statistic("bytes_read"), 0u);
}

// [PC-4] The memory's latency is the host's: 100 ns, any number of reads under way.
TEST(RootComplex, TakesAsLongAsTheMemory)
{
    Bench<HostMemory> bench{PayloadMode::sizes, HostMemoryConfig{0, 0, 100'000, true}};
    bench.request_at(0, bench.nic.read(4096));
    bench.request_at(50'000, bench.nic.read(4096));
    bench.run(2);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 100'000}, {2, 150'000}}));
}

// A failed read is answered with Unsupported Request, without data, and counted; the next one is not harmed.
TEST(RootComplex, FailedReadIsAnswered)
{
    Bench<HostMemory> bench{PayloadMode::bytes, HostMemoryConfig{0, 0x1000, 0, true}};
    bench.request_at(0, bench.nic.read(64, 0x1000));
    bench.request_at(0, bench.nic.read(64, 0xfc0));
    bench.run(2);
    EXPECT_EQ(bench.nic.kept[0]->status, CompletionStatus::unsupported_request);
    EXPECT_EQ(bench.nic.kept[0]->length, 64u);
    EXPECT_EQ(bench.nic.kept[0]->payload_bytes, 0u);
    EXPECT_TRUE(bench.nic.kept[0]->data.empty());
    EXPECT_EQ(bench.nic.kept[1]->status, CompletionStatus::successful);
    EXPECT_EQ(bench.host.root_complex.errors(), 1u);
    EXPECT_EQ(bench.statistic("bytes_read"), 64u);
}

// A failed write has nobody to be told: it is a warning with the address, and counted.
TEST(RootComplex, FailedWriteIsReported)
{
    const ExpectReport expected{report_id::kHost, "a write of 64 bytes to host address 0x1000 failed: "};
    Bench<HostMemory> bench{PayloadMode::bytes, HostMemoryConfig{0, 0x1000, 0, true}};
    bench.request_at(0, bench.nic.write(count_up(64), 0x1000));
    bench.run(0);
    EXPECT_EQ(expected.count(), 1u);
    EXPECT_EQ(bench.statistic("errors"), 1u);
    EXPECT_EQ(bench.statistic("bytes_written"), 0u);
}

// [PC-10] Completions leave in request order, whatever the order of the memory's answers: 3, 1, 0, 2 at 10, 20, 30, 40
// ns. A read of nothing keeps its place.
TEST(RootComplex, CompletionsLeaveInRequestOrder)
{
    Bench<testbench::ScriptedTarget> bench{PayloadMode::sizes};
    std::vector<testbench::Payload*> requests;
    bench.host.memory.on_forward = [&](testbench::Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        requests.push_back(&payload);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    testbench::Thread process{"process", [&] {
                                  for (const std::size_t answered : {3U, 1U, 0U, 2U}) {
                                      sc_core::wait(sc_core::sc_time{10, sc_core::SC_NS});
                                      bench.host.memory.backward(*requests[answered], tlm::BEGIN_RESP);
                                  }
                              }};
    for (int i = 0; i < 4; ++i) {
        bench.request_at(0, bench.nic.read(64));
    }
    bench.request_at(0, bench.nic.read(0));
    bench.run(5);
    EXPECT_EQ(bench.nic.delivered,
              (std::vector<Told>{{1, 30'000}, {2, 30'000}, {3, 40'000}, {4, 40'000}, {5, 40'000}}));
}

// A write does not wait for reads that the memory still owes, nor a completion for writes.
TEST(RootComplex, WritesHoldNoCompletionBack)
{
    Bench<testbench::ScriptedTarget> bench{PayloadMode::sizes};
    testbench::Payload* write = nullptr;
    bench.host.memory.on_forward = [&](testbench::Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (write != nullptr) {
            return tlm::TLM_COMPLETED;
        }
        write = &payload;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    testbench::Thread process{"process", [&] {
                                  sc_core::wait(sc_core::sc_time{10, sc_core::SC_NS});
                                  EXPECT_EQ(bench.statistic("bytes_written"), 0u);
                                  bench.host.memory.backward(*write, tlm::BEGIN_RESP);
                              }};
    bench.request_at(0, bench.nic.write(64));
    bench.request_at(0, bench.nic.read(64));
    bench.run(1);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{2, 0}}));
    EXPECT_EQ(bench.statistic("bytes_written"), 64u);
}

}  // namespace
}  // namespace mrcnic::host
