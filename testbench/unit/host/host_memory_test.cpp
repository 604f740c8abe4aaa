#include "mrcnic/host/host_memory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/base_protocol_checker.h"
#include "mrcnic/base/report.h"
#include "mrcnic/host/payload_pool.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"

namespace mrcnic::host {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testbench::ExpectReport;
using testbench::ScriptedInitiator;

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

enum class Transport { blocking, non_blocking };

/// A host memory behind a protocol checker.
struct Bench {
    ScriptedInitiator initiator{"initiator"};
    BaseProtocolChecker checker{"checker"};
    HostMemory memory;
    PayloadPool pool;

    explicit Bench(const HostMemoryConfig& config = {}) : memory{"memory", config}
    {
        initiator.socket.bind(checker.in);
        checker.out.bind(memory.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Sends the payload; `delay` is in and out.
    tlm::tlm_response_status send(Transport transport, const PayloadRef& payload, sc_core::sc_time& delay)
    {
        if (transport == Transport::blocking) {
            initiator.socket->b_transport(*payload, delay);
        } else {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            EXPECT_EQ(initiator.socket->nb_transport_fw(*payload, phase, delay), tlm::TLM_COMPLETED);
        }
        return payload->get_response_status();
    }
    tlm::tlm_response_status send(Transport transport, const PayloadRef& payload)
    {
        sc_core::sc_time delay;
        return send(transport, payload, delay);
    }
    PayloadRef make(tlm::tlm_command command, std::uint64_t address, const Bytes& data)
    {
        PayloadRef payload = pool.make(static_cast<std::uint32_t>(data.size()));
        std::copy(data.begin(), data.end(), payload->get_data_ptr());
        payload->set_command(command);
        payload->set_address(address);
        return payload;
    }
    tlm::tlm_response_status write(Transport transport, std::uint64_t address, const Bytes& data)
    {
        return send(transport, make(tlm::TLM_WRITE_COMMAND, address, data));
    }
    Bytes read(Transport transport, std::uint64_t address, std::uint32_t length)
    {
        const PayloadRef payload = make(tlm::TLM_READ_COMMAND, address, Bytes(length, 0xee));
        EXPECT_EQ(send(transport, payload), tlm::TLM_OK_RESPONSE);
        return data_of(*payload);
    }
    static Bytes data_of(const tlm::tlm_generic_payload& payload)
    {
        return {payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length()};
    }
    /// What memory holds, seen without a transaction.
    Bytes peek(std::uint64_t address, std::uint32_t length)
    {
        const PayloadRef payload = make(tlm::TLM_READ_COMMAND, address, Bytes(length, 0xee));
        EXPECT_EQ(initiator.socket->transport_dbg(*payload), length);
        return data_of(*payload);
    }
    std::uint64_t statistic(const std::string& name) const
    {
        for (const Statistic& statistic : memory.statistics().statistics()) {
            if (statistic.name == name) {
                return std::get<std::uint64_t>(statistic.read());
            }
        }
        ADD_FAILURE() << "no statistic " << name;
        return 0;
    }
    /// The checker has nothing to say, and no payload is alive.
    ~Bench()
    {
        checker.finish();
        EXPECT_EQ(checker.broken_rules(), 0U);
        EXPECT_EQ(pool.live(), 0U);
    }
};

Bytes count_up(std::size_t length, std::uint8_t first = 1)
{
    Bytes bytes(length);
    std::iota(bytes.begin(), bytes.end(), first);
    return bytes;
}

class HostMemoryTransport : public testing::TestWithParam<Transport> {
protected:
    Transport transport() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Both, HostMemoryTransport, testing::Values(Transport::blocking, Transport::non_blocking),
                         [](const auto& transport) {
                             return transport.param == Transport::blocking ? "Blocking" : "NonBlocking";
                         });

// [PC-4] What was written is read, across a page boundary too, at once; bytes around it stay.
TEST_P(HostMemoryTransport, ReadsBackWhatWasWritten)
{
    Bench bench;
    const Bytes data = count_up(200);
    EXPECT_EQ(bench.write(transport(), 4096 - 100, data), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.read(transport(), 4096 - 100, 200), data);
    EXPECT_EQ(bench.read(transport(), 4096 - 101, 1), Bytes{0});
    EXPECT_EQ(bench.read(transport(), 4096 + 100, 1), Bytes{0});
    EXPECT_EQ(bench.memory.pages(), 2U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

// Sparse: gigabytes apart, only touched pages exist, and reading touches nothing.
TEST_P(HostMemoryTransport, OnlyTouchedPagesExist)
{
    Bench bench;
    EXPECT_EQ(bench.read(transport(), 0, 100'000), Bytes(100'000, 0));
    EXPECT_EQ(bench.memory.pages(), 0U);
    for (unsigned bit = 12; bit < 64; ++bit) {
        EXPECT_EQ(bench.write(transport(), std::uint64_t{1} << bit, {static_cast<std::uint8_t>(bit)}),
                  tlm::TLM_OK_RESPONSE);
    }
    EXPECT_EQ(bench.memory.pages(), 52U);
    for (unsigned bit = 12; bit < 64; ++bit) {
        EXPECT_EQ(bench.read(transport(), std::uint64_t{1} << bit, 1), Bytes{static_cast<std::uint8_t>(bit)});
    }
}

// First and last byte, one past, far past, and a sum that would wrap around 2^64: refused, memory as it was.
TEST_P(HostMemoryTransport, RangeOfAWindow)
{
    Bench bench{{0x1'0000'0800, 0x1000, 0, true}};
    EXPECT_EQ(bench.write(transport(), 0x1'0000'0800, {1}), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.write(transport(), 0x1'0000'17ff, {2}), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.write(transport(), 0x1'0000'0800, count_up(0x1000)), tlm::TLM_OK_RESPONSE);
    for (const auto& [address, length] : std::vector<std::pair<std::uint64_t, std::size_t>>{{0x1'0000'07ff, 1},
                                                                                            {0x1'0000'07ff, 2},
                                                                                            {0x1'0000'1800, 1},
                                                                                            {0x1'0000'17ff, 2},
                                                                                            {0x1'0000'0800, 0x1001},
                                                                                            {0, 1},
                                                                                            {kLastAddress, 1},
                                                                                            {kLastAddress - 7, 16}}) {
        EXPECT_EQ(bench.write(transport(), address, Bytes(length, 0xaa)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << address;
    }
    EXPECT_EQ(bench.peek(0x1'0000'0800, 0x1000), count_up(0x1000));
    EXPECT_EQ(bench.statistic("errors"), 8U);
}

// The whole address space has a last byte, and nothing wraps to address 0.
TEST_P(HostMemoryTransport, EndOfTheAddressSpace)
{
    Bench bench;
    EXPECT_EQ(bench.write(transport(), kLastAddress - 3, count_up(4)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.write(transport(), kLastAddress - 3, Bytes(5, 0xaa)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.write(transport(), kLastAddress, Bytes(4096, 0xaa)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.read(transport(), kLastAddress - 3, 4), count_up(4));
    EXPECT_EQ(bench.peek(0, 16), Bytes(16, 0));
}

// A failed read leaves the initiator's data alone.
TEST_P(HostMemoryTransport, RefusedReadTouchesNoData)
{
    Bench bench{{0, 0x1000, 0, true}};
    const PayloadRef payload = bench.make(tlm::TLM_READ_COMMAND, 0xfff, Bytes(2, 0xee));
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(Bench::data_of(*payload), Bytes(2, 0xee));
}

/// A byte-enable pattern of any length against eight bytes.
const std::vector<Bytes> kPatterns{{0xff},
                                   {0x00},
                                   {0xff, 0x00},
                                   {0x00, 0xff, 0xff},
                                   {0xff, 0x00, 0x00, 0x00, 0xff},
                                   {0, 0, 0, 0, 0, 0, 0, 0xff},
                                   {0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff}};

// Byte enables repeat modulo their length; disabled bytes stay as they were, in memory and in the initiator's data.
TEST_P(HostMemoryTransport, ByteEnablePatterns)
{
    Bench bench;
    std::uint64_t enabled = 0;
    for (Bytes pattern : kPatterns) {
        const auto is_enabled = [&](std::size_t byte) { return pattern[byte % pattern.size()] == 0xff; };
        ASSERT_EQ(bench.write(transport(), 0x2000, Bytes(8, 0x55)), tlm::TLM_OK_RESPONSE);
        const PayloadRef write = bench.make(tlm::TLM_WRITE_COMMAND, 0x2000, count_up(8));
        const PayloadRef read = bench.make(tlm::TLM_READ_COMMAND, 0x2000, Bytes(8, 0xee));
        Bytes in_memory;
        Bytes in_data;
        for (std::size_t byte = 0; byte < 8; ++byte) {
            const auto value = static_cast<std::uint8_t>(byte + 1);
            in_memory.push_back(is_enabled(byte) ? value : 0x55);
            in_data.push_back(is_enabled(byte) ? value : 0xee);
            enabled += is_enabled(byte) ? 1U : 0U;
        }
        for (const PayloadRef& payload : {write, read}) {
            payload->set_byte_enable_ptr(pattern.data());
            payload->set_byte_enable_length(static_cast<unsigned>(pattern.size()));
            EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_OK_RESPONSE);
        }
        EXPECT_EQ(bench.peek(0x2000, 8), in_memory);
        EXPECT_EQ(Bench::data_of(*read), in_data);
    }
    EXPECT_EQ(bench.statistic("bytes_read"), enabled);
    EXPECT_EQ(bench.statistic("bytes_written"), enabled + 8 * kPatterns.size());
}

// Anything but 0x00 and 0xff is an error, memory unchanged; values beyond the data are not looked at.
TEST_P(HostMemoryTransport, ByteEnableErrors)
{
    Bench bench;
    Bytes wrong{0xff, 0x0f};
    const PayloadRef refused = bench.make(tlm::TLM_WRITE_COMMAND, 0, count_up(8));
    refused->set_byte_enable_ptr(wrong.data());
    refused->set_byte_enable_length(2);
    EXPECT_EQ(bench.send(transport(), refused), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(bench.memory.pages(), 0U);

    Bytes wrong_beyond{0xff, 0xff, 0x0f};
    const PayloadRef allowed = bench.make(tlm::TLM_WRITE_COMMAND, 0, count_up(2));
    allowed->set_byte_enable_ptr(wrong_beyond.data());
    allowed->set_byte_enable_length(3);
    EXPECT_EQ(bench.send(transport(), allowed), tlm::TLM_OK_RESPONSE);
}

// Streaming widths 1, smaller, equal and larger than the length: the address wraps, the last write to it stays.
TEST_P(HostMemoryTransport, StreamingWidths)
{
    Bench bench;
    for (const auto& [width, expected] : std::vector<std::pair<unsigned, Bytes>>{{1, {8, 0, 0, 0, 0, 0, 0, 0, 0}},
                                                                                 {3, {7, 8, 6, 0, 0, 0, 0, 0, 0}},
                                                                                 {4, {5, 6, 7, 8, 0, 0, 0, 0, 0}},
                                                                                 {8, {1, 2, 3, 4, 5, 6, 7, 8, 0}},
                                                                                 {9, {1, 2, 3, 4, 5, 6, 7, 8, 0}},
                                                                                 {~0U, {1, 2, 3, 4, 5, 6, 7, 8, 0}}}) {
        ASSERT_EQ(bench.write(transport(), 0x3000, Bytes(9, 0)), tlm::TLM_OK_RESPONSE);
        const PayloadRef payload = bench.make(tlm::TLM_WRITE_COMMAND, 0x3000, count_up(8));
        payload->set_streaming_width(width);
        EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(bench.peek(0x3000, 9), expected) << "width " << width;
    }
    bench.write(transport(), 0x3000, count_up(4));
    const PayloadRef read = bench.make(tlm::TLM_READ_COMMAND, 0x3000, Bytes(7, 0));
    read->set_streaming_width(3);
    EXPECT_EQ(bench.send(transport(), read), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(Bench::data_of(*read), (Bytes{1, 2, 3, 1, 2, 3, 1}));
}

// The range of a streaming access is its width, not its length: it may stand at the very end.
TEST_P(HostMemoryTransport, StreamAtTheEnd)
{
    Bench bench;
    const PayloadRef payload = bench.make(tlm::TLM_WRITE_COMMAND, kLastAddress, count_up(8));
    payload->set_streaming_width(1);
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.peek(kLastAddress, 1), Bytes{8});
}

// Byte enables count bytes of the data, also where the address wraps.
TEST_P(HostMemoryTransport, StreamWithByteEnables)
{
    Bench bench;
    Bytes enables{0xff, 0x00};
    const PayloadRef payload = bench.make(tlm::TLM_WRITE_COMMAND, 0, count_up(6));
    payload->set_streaming_width(3);
    payload->set_byte_enable_ptr(enables.data());
    payload->set_byte_enable_length(2);
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.peek(0, 3), (Bytes{1, 5, 3}));  // bytes 0, 2, 4 of the data go to addresses 0, 2, 1
}

// IGNORE moves nothing but is checked, timed and answered.
TEST_P(HostMemoryTransport, Ignore)
{
    Bench bench{{0, 0x1000, 500, true}};
    sc_core::sc_time delay;
    PayloadRef payload = bench.make(tlm::TLM_IGNORE_COMMAND, 0xff8, count_up(8));
    EXPECT_EQ(bench.send(transport(), payload, delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, (sc_core::sc_time{500, sc_core::SC_PS}));
    payload = bench.make(tlm::TLM_IGNORE_COMMAND, 0xff9, count_up(8));
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload = bench.pool.make_without_data(0);
    payload->set_address(0xfff);
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_OK_RESPONSE);
    payload = bench.pool.make_without_data(0);
    payload->set_address(0x1000);
    EXPECT_EQ(bench.send(transport(), payload), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    payload.reset();
    EXPECT_EQ(bench.memory.pages(), 0U);
    EXPECT_EQ(bench.statistic("ignored"), 2U);
    EXPECT_EQ(bench.statistic("reads") + bench.statistic("writes"), 0U);
}

// [PC-4] An annotated delay is honoured: the latency is added to it, alike on both transports and for errors.
TEST_P(HostMemoryTransport, AddsItsLatencyToTheDelay)
{
    Bench bench{{0, 0x1000, 1'500, true}};
    sc_core::sc_time delay{7, sc_core::SC_NS};
    EXPECT_EQ(bench.send(transport(), bench.make(tlm::TLM_READ_COMMAND, 0, Bytes(4)), delay), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, (sc_core::sc_time{8'500, sc_core::SC_PS}));
    EXPECT_EQ(bench.send(transport(), bench.make(tlm::TLM_WRITE_COMMAND, 0x1000, Bytes(4)), delay),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(delay, (sc_core::sc_time{10, sc_core::SC_NS}));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

// Counters.
TEST_P(HostMemoryTransport, Statistics)
{
    Bench bench{{0, 0x1000, 0, true}};
    bench.write(transport(), 0, Bytes(100));
    bench.write(transport(), 0, Bytes(28));
    bench.read(transport(), 0, 10);
    bench.write(transport(), 0x1000, Bytes(4));
    EXPECT_EQ(bench.statistic("writes"), 2U);
    EXPECT_EQ(bench.statistic("bytes_written"), 128U);
    EXPECT_EQ(bench.statistic("reads"), 1U);
    EXPECT_EQ(bench.statistic("bytes_read"), 10U);
    EXPECT_EQ(bench.statistic("errors"), 1U);
}

// Random accesses at the end of the address space against a plain map of bytes.
TEST_P(HostMemoryTransport, RandomAccessesAgainstAMap)
{
    Bench bench{{kLastAddress - 0x2fff, 0x3000, 0, true}};
    std::mt19937_64 random{testbench::seed()};
    const auto pick = [&](std::uint64_t from, std::uint64_t to) {
        return std::uniform_int_distribution<std::uint64_t>{from, to}(random);
    };
    std::unordered_map<std::uint64_t, std::uint8_t> expected;
    for (int round = 0; round < 3000; ++round) {
        const std::uint64_t address = kLastAddress - pick(0, 0x30ff);
        Bytes data(pick(1, 300));
        std::generate(data.begin(), data.end(), [&] { return static_cast<std::uint8_t>(pick(0, 255)); });
        Bytes enables(pick(1, 9));
        std::generate(enables.begin(), enables.end(), [&] { return pick(0, 1) == 0 ? 0x00 : 0xff; });
        const bool read = pick(0, 1) == 0;
        const auto width = static_cast<unsigned>(pick(1, 400));
        const PayloadRef payload = bench.make(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, data);
        payload->set_streaming_width(width);
        payload->set_byte_enable_ptr(enables.data());
        payload->set_byte_enable_length(static_cast<unsigned>(enables.size()));
        const std::uint64_t span = std::min<std::uint64_t>(width, data.size());
        const bool inside = address >= kLastAddress - 0x2fff && span - 1 <= kLastAddress - address;
        ASSERT_EQ(bench.send(GetParam(), payload), inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        for (std::size_t byte = 0; byte < data.size() && inside; ++byte) {
            if (enables[byte % enables.size()] == 0xff) {
                std::uint8_t& cell = expected[address + byte % width];
                (read ? data[byte] : cell) = read ? cell : data[byte];
            }
        }
        ASSERT_EQ(Bench::data_of(*payload), data);
    }
    for (const auto& [address, value] : expected) {
        ASSERT_EQ(bench.peek(address, 1), Bytes{value});
    }
    EXPECT_LE(bench.memory.pages(), 4U);
}

// Statuses for payloads that break rules of the protocol: the checker is not in the way of these.
TEST(HostMemory, StatusesForBrokenPayloads)
{
    ScriptedInitiator initiator{"initiator"};
    HostMemory memory{"memory"};
    PayloadPool pool;
    initiator.socket.bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    unsigned char enable = 0xff;
    const auto status_with = [&](const std::function<void(tlm::tlm_generic_payload&)>& spoil) {
        const PayloadRef payload = pool.make(8);
        payload->set_write();
        spoil(*payload);
        sc_core::sc_time delay;
        initiator.socket->b_transport(*payload, delay);
        return payload->get_response_status();
    };
    EXPECT_EQ(status_with([](auto& payload) { payload.set_command(static_cast<tlm::tlm_command>(3)); }),
              tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(status_with([](auto& payload) { payload.set_data_length(0); }), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status_with([](auto& payload) { payload.set_streaming_width(0); }), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status_with([](auto& payload) { payload.set_data_ptr(nullptr); }), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(status_with([&](auto& payload) { payload.set_byte_enable_ptr(&enable); }),
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(memory.pages(), 0U);
}

// Back to back at one instant, and reusing one payload object: each call is a whole transaction.
TEST(HostMemory, AnyNumberOfRequestsAtOnce)
{
    Bench bench{{0, 0, 10'000, true}};
    std::vector<PayloadRef> payloads;
    for (std::uint8_t i = 0; i < 100; ++i) {
        payloads.push_back(bench.make(tlm::TLM_WRITE_COMMAND, i, {i}));
        sc_core::sc_time delay;
        EXPECT_EQ(bench.send(Transport::non_blocking, payloads.back(), delay), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(delay, (sc_core::sc_time{10, sc_core::SC_NS}));
    }
    payloads.clear();
    EXPECT_EQ(bench.peek(0, 100), count_up(100, 0));
}

// Initiators of both kinds on one memory see each other's data.
TEST(HostMemory, BothTransportsMix)
{
    Bench bench;
    bench.write(Transport::blocking, 0x10, {1, 2});
    EXPECT_EQ(bench.read(Transport::non_blocking, 0x10, 2), (Bytes{1, 2}));
    bench.write(Transport::non_blocking, 0x11, {3});
    EXPECT_EQ(bench.read(Transport::blocking, 0x10, 2), (Bytes{1, 3}));
}

TLM_DECLARE_EXTENDED_PHASE(HINT);

// Phases: extended ones are ignored, the rest of the base protocol's cannot occur.
TEST(HostMemory, Phases)
{
    ScriptedInitiator initiator{"initiator"};
    HostMemory memory{"memory"};
    PayloadPool pool;
    initiator.socket.bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const PayloadRef payload = pool.make_without_data(1);
    EXPECT_EQ(initiator.forward(*payload, HINT), tlm::TLM_ACCEPTED);
    EXPECT_EQ(payload->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    const ExpectReport report{report_id::kHost, "END_RESP"};
    EXPECT_THROW(initiator.forward(*payload, tlm::END_RESP), sc_core::sc_report);
}

// Debug: no time, no status, no statistics; short at the end, nothing outside.
TEST(HostMemory, Debug)
{
    Bench bench{{0x1000, 0x1000, 500, true}};
    const auto debug = [&](const PayloadRef& payload) { return bench.initiator.socket->transport_dbg(*payload); };
    const PayloadRef write = bench.make(tlm::TLM_WRITE_COMMAND, 0x1ffe, count_up(8));
    EXPECT_EQ(debug(write), 2U);
    EXPECT_EQ(write->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    const PayloadRef read = bench.make(tlm::TLM_READ_COMMAND, 0x1ffe, Bytes(8, 0xee));
    EXPECT_EQ(debug(read), 2U);
    EXPECT_EQ(Bench::data_of(*read), (Bytes{1, 2, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee}));
    EXPECT_EQ(debug(bench.make(tlm::TLM_READ_COMMAND, 0x1000, Bytes(0x1000))), 0x1000U);
    EXPECT_EQ(debug(bench.make(tlm::TLM_READ_COMMAND, 0x1000, Bytes(0x1001))), 0x1000U);
    EXPECT_EQ(debug(bench.make(tlm::TLM_READ_COMMAND, 0xfff, Bytes(8))), 0U);
    EXPECT_EQ(debug(bench.make(tlm::TLM_READ_COMMAND, 0x2000, Bytes(8))), 0U);
    EXPECT_EQ(debug(bench.make(tlm::TLM_READ_COMMAND, kLastAddress, Bytes(8))), 0U);
    EXPECT_EQ(debug(bench.make(tlm::TLM_IGNORE_COMMAND, 0x1000, Bytes(8))), 0U);
    EXPECT_EQ(debug(bench.pool.make_without_data(8)), 0U);
    EXPECT_EQ(bench.statistic("reads") + bench.statistic("writes") + bench.statistic("errors"), 0U);
}

// Debug at the end of the address space: short, and nothing wraps.
TEST(HostMemory, DebugAtTheEndOfTheAddressSpace)
{
    Bench bench;
    const PayloadRef write = bench.make(tlm::TLM_WRITE_COMMAND, kLastAddress, count_up(8));
    EXPECT_EQ(bench.initiator.socket->transport_dbg(*write), 1U);
    EXPECT_EQ(bench.peek(0, 8), Bytes(8, 0));
}

// DMI: exactly the page of the address, end inclusive, both ways the same bytes as transactions see.
TEST(HostMemory, DmiGrantsThePage)
{
    Bench bench;
    PayloadRef payload = bench.make(tlm::TLM_WRITE_COMMAND, 0x5123, {7});
    EXPECT_EQ(bench.send(Transport::blocking, payload), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(payload->is_dmi_allowed());
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(*payload, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x5000U);
    EXPECT_EQ(dmi.get_end_address(), 0x5fffU);
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_EQ(dmi.get_read_latency(), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(dmi.get_dmi_ptr()[0x123], 7);
    dmi.get_dmi_ptr()[0xfff] = 9;
    for (std::uint64_t page = 0; page < 1000; ++page) {  // later pages do not move this one
        bench.write(Transport::blocking, page << 30U, {1});
    }
    EXPECT_EQ(bench.read(Transport::blocking, 0x5fff, 1), Bytes{9});
    EXPECT_EQ(dmi.get_dmi_ptr()[0x123], 7);
}

// DMI of a window that begins and ends inside a page gives no byte outside it; elsewhere the gap is denied.
TEST(HostMemory, DmiStaysInsideTheWindow)
{
    Bench bench{{0x5100, 0x200, 0, true}};
    tlm::tlm_dmi dmi;
    const auto ask = [&](std::uint64_t address) {
        dmi.init();
        return bench.initiator.socket->get_direct_mem_ptr(*bench.make(tlm::TLM_READ_COMMAND, address, {0}), dmi);
    };
    bench.write(Transport::blocking, 0x5100, {42});
    ASSERT_TRUE(ask(0x5200));
    EXPECT_EQ(dmi.get_start_address(), 0x5100U);
    EXPECT_EQ(dmi.get_end_address(), 0x52ffU);
    EXPECT_EQ(dmi.get_dmi_ptr()[0], 42);
    EXPECT_FALSE(ask(0x50ff));
    EXPECT_EQ(dmi.get_start_address(), 0U);
    EXPECT_EQ(dmi.get_end_address(), 0x50ffU);
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_FALSE(ask(0x5300));
    EXPECT_EQ(dmi.get_start_address(), 0x5300U);
    EXPECT_EQ(dmi.get_end_address(), kLastAddress);
}

// The last page of the address space ends with the last address.
TEST(HostMemory, DmiAtTheEndOfTheAddressSpace)
{
    Bench bench;
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(*bench.make(tlm::TLM_READ_COMMAND, kLastAddress, {0}), dmi));
    EXPECT_EQ(dmi.get_end_address(), kLastAddress);
    EXPECT_EQ(dmi.get_start_address(), kLastAddress - 4095);
}

void expect_no_dmi(const HostMemoryConfig& config)
{
    Bench bench{config};
    const PayloadRef payload = bench.make(tlm::TLM_WRITE_COMMAND, 0x1000, {7});
    bench.send(Transport::non_blocking, payload);
    EXPECT_FALSE(payload->is_dmi_allowed());
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.initiator.socket->get_direct_mem_ptr(*payload, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0U);
    EXPECT_EQ(dmi.get_end_address(), kLastAddress);
}

// DMI refused by the attribute.
TEST(HostMemory, DmiRefusedByAttribute)
{
    expect_no_dmi({0, 0, 0, false});
}

// DMI refused where it would not be honest: a descriptor cannot tell a latency per access.
TEST(HostMemory, DmiRefusedWithLatency)
{
    expect_no_dmi({0, 0, 1, true});
}

// Bad attributes are errors in words.
TEST(HostMemory, RefusesARangeBeyondTheAddressSpace)
{
    const HostMemoryConfig last_byte{kLastAddress, 1, 0, true};
    const HostMemory right{"right", last_byte};
    const ExpectReport report{report_id::kHost, "size 2 from base 18446744073709551615"};
    const HostMemoryConfig beyond{kLastAddress, 2, 0, true};
    EXPECT_THROW((HostMemory{"wrong", beyond}), sc_core::sc_report);
}

TEST(HostMemory, RefusesANegativeLatency)
{
    const ExpectReport report{report_id::kHost, "latency -1 ps"};
    const HostMemoryConfig config{0, 0, -1, true};
    EXPECT_THROW((HostMemory{"wrong", config}), sc_core::sc_report);
}

class HostMemoryOrder : public testing::TestWithParam<bool> {};

// Two processes that write in one instant, elaborated in either order, leave the same memory and see the same times.
TEST_P(HostMemoryOrder, DoesNotDependOnTheOrderOfProcesses)
{
    ScriptedInitiator initiator{"initiator"};
    HostMemory memory{"memory", {0, 0, 1'000, true}};
    PayloadPool pool;
    initiator.socket.bind(memory.socket);
    int done = 0;
    const auto writer = [&](std::uint64_t address, unsigned char value) {
        return [&, address, value] {
            const PayloadRef payload = pool.make(4);
            payload->set_write();
            payload->set_address(address);
            std::fill_n(payload->get_data_ptr(), 4, value);
            sc_core::sc_time delay;
            initiator.socket->b_transport(*payload, delay);
            sc_core::wait(delay);
            EXPECT_EQ(sc_core::sc_time_stamp(), (sc_core::sc_time{1, sc_core::SC_NS}));
            ++done;
        };
    };
    const bool swapped = GetParam();
    testbench::Thread first{"first", swapped ? writer(0x14, 2) : writer(0x10, 1)};
    testbench::Thread second{"second", swapped ? writer(0x10, 1) : writer(0x14, 2)};
    testbench::run_to_end([&] { return done == 2; });

    const PayloadRef payload = pool.make(8);
    payload->set_read();
    payload->set_address(0x10);
    EXPECT_EQ(initiator.socket->transport_dbg(*payload), 8U);
    EXPECT_EQ(Bench::data_of(*payload), (Bytes{1, 1, 1, 1, 2, 2, 2, 2}));
}

INSTANTIATE_TEST_SUITE_P(Both, HostMemoryOrder, testing::Bool(),
                         [](const auto& swapped) { return swapped.param ? "Swapped" : "AsWritten"; });

}  // namespace
}  // namespace mrcnic::host
