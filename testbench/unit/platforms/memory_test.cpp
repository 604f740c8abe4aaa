#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "mrcnic/base/report.h"
#include "mrcnic/platforms/pair.h"
#include "testbench/unit/platforms/run.h"

namespace mrcnic::platforms {
namespace {

using testbench::configuration;
using testbench::PlatformRun;
using testbench::run_to_completion;

/// A stranger's memory: the convenience socket of the TLM library, blocking only, that waits.
class ForeignMemory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<ForeignMemory> socket{"socket"};

    ForeignMemory(const sc_core::sc_module_name& name, std::size_t size, const sc_core::sc_time& read_latency)
        : sc_module{name}, bytes_(size), read_latency_{read_latency}
    {
        socket.register_b_transport(this, &ForeignMemory::b_transport);
        socket.register_transport_dbg(this, &ForeignMemory::transport_dbg);
    }
    [[nodiscard]] std::uint8_t at(std::uint64_t address) const { return bytes_.at(offset(address)); }
    [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_; }

private:
    // Two windows, as two buffers of a host lie far apart: 0x1_0000_0000 and 0x2_0000_0000 [TR-6].
    [[nodiscard]] std::size_t offset(std::uint64_t address) const
    {
        return static_cast<std::size_t>(address & 0xFFFF'FFFF) + (address >> 32U == 2 ? bytes_.size() / 2 : 0);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&)
    {
        ++accesses_;
        if (payload.is_read()) {
            wait(read_latency_);
        }
        transport_dbg(payload);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload)
    {
        std::uint8_t* const place = &bytes_.at(offset(payload.get_address()));
        if (payload.is_read()) {
            std::copy_n(place, payload.get_data_length(), payload.get_data_ptr());
        } else if (payload.is_write()) {
            std::copy_n(payload.get_data_ptr(), payload.get_data_length(), place);
        }
        return payload.get_data_length();
    }

    std::vector<std::uint8_t> bytes_;
    sc_core::sc_time read_latency_;
    std::uint64_t accesses_{0};
};

/// [TR-6] Byte k of message m: the low 8 bits of 31 m + k + k / 256.
std::uint8_t source_byte(std::uint64_t message, std::uint64_t k)
{
    return static_cast<std::uint8_t>(31 * message + k + k / 256);
}

// A user's own base-protocol memory stands behind both NICs; a read that takes 50 ns hands off 50 ns later [PC-4].
TEST(ExternalMemory, ForeignModelWithLatency)
{
    const config::Config config =
        configuration("pair", {{"workload.MessageBytes", "4096B"}, {"simulation.PayloadMode", "bytes"}});
    ForeignMemory first{"first", 1U << 20U, sc_core::sc_time{50, sc_core::SC_NS}};
    ForeignMemory second{"second", 1U << 20U, sc_core::sc_time{50, sc_core::SC_NS}};
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    run.node(0).memory().bind(first.socket);
    run.node(1).memory().bind(second.socket);
    run_to_completion({&run});
    testbench::expect_times(run, 1, {15'000, 319'324, 421'204});
    EXPECT_TRUE(run.platform().compare_payloads().empty());
    EXPECT_EQ(first.accesses(), 1U);
    EXPECT_EQ(second.accesses(), 1U);
    for (std::uint64_t k = 0; k < 4'096; ++k) {
        ASSERT_EQ(second.at(0x2'0000'0000 + k), source_byte(1, k)) << k;
    }
}

// An agenda that runs ahead of the kernel tells a foreign memory by the annotated delay: the same times.
TEST(ExternalMemory, HearsOfTheLeadOfTheAgenda)
{
    const config::Config config =
        configuration("pair", {{"workload.MessageBytes", "4096B"}, {"simulation.PayloadMode", "bytes"}});
    ForeignMemory first{"first", 1U << 20U, sc_core::sc_time{50, sc_core::SC_NS}};
    ForeignMemory second{"second", 1U << 20U, sc_core::sc_time{50, sc_core::SC_NS}};
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    run.node(0).memory().bind(first.socket);
    run.node(1).memory().bind(second.socket);
    run.platform().agenda().run_ahead(true);
    run_to_completion({&run});
    testbench::expect_times(run, 1, {15'000, 319'324, 421'204});
    EXPECT_LT(run.platform().agenda().kernel_events(), run.platform().agenda().instants());
}

// [PC-10] Completions return in request order; with 100 ns a read, one at a time, a long message still arrives whole.
TEST(ExternalMemory, LongMessage)
{
    const config::Config config =
        configuration("pair", {{"workload.MessageBytes", "200001B"}, {"simulation.PayloadMode", "bytes"}});
    ForeignMemory first{"first", 1U << 20U, sc_core::sc_time{100, sc_core::SC_NS}};
    ForeignMemory second{"second", 1U << 20U, sc_core::sc_time{100, sc_core::SC_NS}};
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    run.node(0).memory().bind(first.socket);
    run.node(1).memory().bind(second.socket);
    run_to_completion({&run});
    EXPECT_TRUE(run.platform().compare_payloads().empty());
    EXPECT_EQ(first.accesses(), 49U);
}

// With `PayloadMode = bytes` the payload arrives as it was, messages both ways and of awkward sizes; and the comparison
// would see a byte that is wrong.
TEST(Payload, IsTheSameInBothHosts)
{
    PlatformRun run{"run", configuration("pair", {{"workload.File", testbench::workload_file("list.csv")},
                                                  {"simulation.PayloadMode", "bytes"}})};
    run_to_completion({&run});
    EXPECT_EQ(run.platform().compare_payloads(), std::vector<std::string>{});
    // Message 50 has no bytes; buffers follow each other in id order from 0x2_0000_0000: 60 is the first.
    const workload::Buffers& buffers = run.platform().director()->buffers()[3];
    std::uint8_t byte = 0;
    ASSERT_EQ(run.node(0).debug_read(buffers.destination + 65'535, &byte, 1), 1U);
    EXPECT_EQ(byte, source_byte(60, 65'535));
    byte = static_cast<std::uint8_t>(byte + 1);
    run.node(0).debug_write(buffers.destination + 65'535, &byte, 1);
    EXPECT_EQ(run.platform().compare_payloads(), std::vector<std::string>{"message 60: byte 65535 differs"});
}

// The sizes alone give the same times as real bytes.
TEST(Payload, ChangesNoTime)
{
    const testbench::Settings settings{{"workload.File", testbench::workload_file("list.csv")}};
    testbench::Settings with_bytes = settings;
    with_bytes.emplace_back("simulation.PayloadMode", "bytes");
    PlatformRun sizes{"sizes", configuration("pair", settings)};
    PlatformRun bytes{"bytes", configuration("pair", with_bytes)};
    run_to_completion({&sizes, &bytes});
    testbench::expect_same(sizes, bytes);
}

// In a star as well, with losses: the payload of a repetition is that of the packet [TR-56].
TEST(Payload, SurvivesLosses)
{
    PlatformRun run{"run", configuration("star", {{"fabric.Nics", "4"},
                                                  {"workload.File", testbench::workload_file("incast_4.cm")},
                                                  {"simulation.PayloadMode", "bytes"}})};
    for (net::NetworkLink* link : run.platform().links()) {
        link->inject({net::LinkFault::Action::drop, 0, 7});
    }
    run_to_completion({&run});
    EXPECT_EQ(run.platform().compare_payloads(), std::vector<std::string>{});
    EXPECT_GT(run.number("node_0.transport.retransmissions"), 0U);
}

}  // namespace
}  // namespace mrcnic::platforms
