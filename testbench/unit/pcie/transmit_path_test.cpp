#include "mrcnic/pcie/transmit_path.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "testbench/unit/pcie/path_runner.h"

namespace mrcnic::pcie {
namespace {

using testbench::default_path;
using testbench::kSixteenLanes;
using testbench::PathRunner;
using testbench::Told;
using Receiver = testbench::PathRunner::Receiver;

constexpr BitsPerSecond kLaneRate = 31'520'000'000;

// [PC-2, PC-11] 4,096 bytes are 8 transfers, a byte more is one more, and nothing is one.
TEST(TransferCut, CutsPayloadsInto512Bytes)
{
    const TransferCut cut;
    EXPECT_EQ(cut.count(0), 1u);
    EXPECT_EQ(cut.count(1), 1u);
    EXPECT_EQ(cut.count(512), 1u);
    EXPECT_EQ(cut.count(513), 2u);
    EXPECT_EQ(cut.count(4096), 8u);
    EXPECT_EQ(cut.count(4097), 9u);
    EXPECT_EQ(cut.bytes(1000, 0), 512u);
    EXPECT_EQ(cut.bytes(1000, 1), 488u);
    EXPECT_EQ(cut.bytes(0, 0), 0u);
    EXPECT_EQ(cut.bytes_between(1000, 0, 2), 1000u);
    EXPECT_EQ(cut.bytes_between(1000, 1, 2), 488u);
    EXPECT_EQ(cut.bytes_between(1000, 1, 1), 0u);
}

// [A1, A2] What counts is what has been sent plus what is needed; three requests that need 8 of 16: two go.
TEST(CreditLedger, GateCountsTheNeed)
{
    CreditLedger ledger;
    ledger.init({16, 16});
    unsigned issued = 0;
    for (unsigned request = 0; request < 3; ++request) {
        if (ledger.allows({8, 8})) {
            ledger.consume({8, 8});
            ++issued;
        }
    }
    EXPECT_EQ(issued, 2u);
    EXPECT_EQ(ledger.consumed().header, 16u);

    ledger.update({271, 271});  // 255 free
    EXPECT_FALSE(ledger.allows({256, 0}));
    EXPECT_FALSE(ledger.allows({0, 256}));
    EXPECT_TRUE(ledger.allows({255, 255}));
}

// [PC-5] Nothing passes before INIT_FC, not even what needs nothing.
TEST(CreditLedger, NothingPassesBeforeInit)
{
    CreditLedger ledger;
    EXPECT_FALSE(ledger.allows({0, 0}));
    ledger.init({0, 0});
    EXPECT_TRUE(ledger.allows({0, 0}));
    EXPECT_FALSE(ledger.allows({1, 0}));
}

// [CK-44] Limits are absolute: a repeated one changes nothing, a smaller one is a fault of ours.
TEST(CreditLedger, LimitsOnlyGrow)
{
    CreditLedger ledger;
    ledger.init({100, 100});
    ledger.update({100, 100});
    ledger.update({100, 150});
    EXPECT_EQ(ledger.limit().data, 150u);
    EXPECT_THROW(ledger.update({99, 150}), InvariantError);
    EXPECT_THROW(ledger.update({100, 149}), InvariantError);
}

// [PC-5] The receiving end notices what has no space; [A12] every byte taken comes back in the limit, once.
TEST(ReceiveLedger, GivesBackWhatIsTaken)
{
    ReceiveLedger ledger{{68, 1000}};
    ledger.arrive({34, 512});
    EXPECT_EQ(ledger.occupancy().header, 34u);
    EXPECT_EQ(ledger.occupancy().data, 512u);
    EXPECT_EQ(ledger.limit().data, 1000u);
    EXPECT_THROW(ReceiveLedger(ledger).arrive({35, 0}), InvariantError);
    EXPECT_THROW(ReceiveLedger(ledger).arrive({0, 489}), InvariantError);
    ledger.arrive({34, 488});
    ledger.take({34, 512});
    EXPECT_EQ(ledger.limit().header, 102u);
    EXPECT_EQ(ledger.limit().data, 1512u);
    EXPECT_EQ(ledger.occupancy().data, 488u);
}

TEST(Stopwatch, AddsUpIntervals)
{
    Stopwatch watch;
    EXPECT_EQ(watch.total(5), 0);
    watch.set(true, 10);
    watch.set(true, 12);
    EXPECT_EQ(watch.total(15), 5);
    watch.set(false, 20);
    watch.set(false, 25);
    EXPECT_EQ(watch.total(99), 10);
    watch.set(true, 100);
    EXPECT_EQ(watch.total(100), 10);
    EXPECT_EQ(watch.total(101), 11);
}

// [PC-6] Request of 98 bytes 1.5546 ns; write or completion of 4,368 bytes 69.2893 ns. [PC-11] 34 bytes 0.5393 ns.
TEST(TransmitPath, FiguresAtTheDefaults)
{
    for (const auto& [payload, end] :
         std::vector<std::pair<std::uint32_t, Picoseconds>>{{64, 1'555}, {4096, 69'289}, {0, 539}}) {
        PathRunner line{default_path(), Receiver::takes_at_once};
        line.submit_write(0, payload);
        EXPECT_EQ(line.run(), end) << payload;
        EXPECT_EQ(line.acceptance_of(1), 0) << payload;
        EXPECT_TRUE(line.path.idle());
        EXPECT_EQ(line.live(), 0u);
    }
}

// [PC-6] A transfer's bytes and time are in the statistics: 8 transfers, 4,368 bytes, 69.2893 ns.
TEST(TransmitPath, CountsTransfersBytesAndTime)
{
    PathRunner line{default_path(), Receiver::takes_at_once};
    line.submit_write(1'000'000);
    line.run();
    line.run_until(2'000'000);
    EXPECT_EQ(line.path.counters().transfers, 8u);
    EXPECT_EQ(line.path.counters().bytes, 4'368u);
    EXPECT_EQ(line.path.busy(2'000'000), 69'289);
    EXPECT_EQ(line.path.header_wait(2'000'000), 0);
    EXPECT_EQ(line.path.data_wait(2'000'000), 0);
    EXPECT_EQ(line.path.header_credit_stall(2'000'000), 0);
    EXPECT_EQ(line.path.data_credit_stall(2'000'000), 0);
}

// [D2] The link models bandwidth: 4,368 bytes take 69.289 ns, two back to back 138.579 ns.
TEST(TransmitPath, D2LinkHasABandwidth)
{
    PathRunner line{default_path(), Receiver::takes_at_once};
    line.submit_write(0);
    line.submit_write(0);
    line.run();
    EXPECT_EQ(line.arrivals, (std::vector<Told>{{1, 69'289}, {2, 138'579}}));
}

struct LaneRow {
    unsigned lanes;
    Picoseconds write;      ///< ps
    Picoseconds with_read;  ///< write and read request, back to back
    double payload_gbps;
};

// [PC-1, PC-7] The table of lanes: one write; [D5] goodput as in the table and never above it.
TEST(TransmitPath, D5TableOfLanes)
{
    // with_read: 35,728 bits at 31.52 Gbps a lane.
    const std::vector<LaneRow> rows{{4, 277'157, 283'376, 118.229}, {8, 138'579, 141'688, 236.458},
                                    {12, 92'386, 94'459, 354.687},  {13, 85'279, 87'193, 384.244},
                                    {14, 79'188, 80'964, 413.801},  {15, 73'909, 75'567, 443.358},
                                    {16, 69'289, 70'844, 472.915}};
    for (const LaneRow& row : rows) {
        PathRunner line{default_path(row.lanes * kLaneRate), Receiver::takes_at_once};
        line.submit_write(0);
        line.submit_read(0);
        line.run();
        EXPECT_EQ(line.arrivals, (std::vector<Told>{{1, row.write}, {2, row.with_read}})) << row.lanes;

        PathRunner busy{default_path(row.lanes * kLaneRate), Receiver::takes_at_once};
        constexpr int kWrites = 1000;
        for (int i = 0; i < kWrites; ++i) {
            busy.submit_write(0);
        }
        const double gbps = kWrites * 4096 * 8 * 1e3 / static_cast<double>(busy.run());
        EXPECT_NEAR(gbps, row.payload_gbps, 0.0005) << row.lanes;
    }
}

// [XT-1] Nothing drifts: the end of a thousand writes is rounded once, 34,944,000 bits / 504.32 Gbps =
// 69,289.3401 ns; a sum of rounded terms would be 69,289.000 ns. A write offered in the picosecond in which the line
// fell idle continues the busy period, one picosecond later it begins a new one.
TEST(TransmitPath, RoundsABusyPeriodOnce)
{
    PathRunner line{default_path(), Receiver::takes_at_once};
    Picoseconds at = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        at = line.arrival_of(line.submit_write(at)) == kNever ? line.run() : at;
    }
    EXPECT_EQ(line.arrivals.back(), (Told{1000, 69'289'340}));

    PathRunner gap{default_path(), Receiver::takes_at_once};
    gap.submit_write(0);
    gap.run();
    gap.submit_write(69'290);
    EXPECT_EQ(gap.run(), 69'290 + 69'289);
}

// [PC-3] A request over 512 bytes takes several transfers: 513 bytes are 546 + 35 on the link, 1,024 are 2 x 546. It
// has arrived when the last of them has.
TEST(TransmitPath, LargeRequestTakesSeveralTransfers)
{
    PathRunner line{default_path(), Receiver::takes_at_once};
    line.submit_read(0, 513);
    EXPECT_EQ(line.run(), 9'216);
    EXPECT_EQ(line.arrivals, (std::vector<Told>{{1, 9'216}}));
    EXPECT_EQ(line.transfers_arrived, 2u);

    line.submit_read(1'000'000, 1024);
    EXPECT_EQ(line.run(), 1'017'322);
    EXPECT_EQ(line.transfers_arrived, 4u);
}

// [PC-8] 470 transfers fit 16,000 bytes of headers, which bind first: 58 writes and 6 transfers of the next.
TEST(TransmitPath, HeadersBindFirst)
{
    PathRunner line{default_path(), Receiver::scripted};  // no credits: nothing leaves
    for (int i = 0; i < 60; ++i) {
        line.submit_write(0);
    }
    EXPECT_EQ(line.acceptances.size(), 58u);
    EXPECT_EQ(line.path.header_occupancy(), 470u * 34u);
    EXPECT_EQ(line.path.data_occupancy(), 240'640u);
    EXPECT_EQ(line.path.header_wait(1'000), 1'000);
    EXPECT_EQ(line.path.data_wait(1'000), 0);

    // What goes on the link leaves its room at once, to 1 more; the 59th lacks another one.
    line.init(1'000, {34, 512});
    EXPECT_EQ(line.path.header_occupancy(), 470u * 34u);
    EXPECT_EQ(line.acceptances.size(), 58u);
}

// [PC-8] 500 transfers of 512 bytes fit 256,000, if there are headers for them.
TEST(TransmitPath, DataBindsWithManyHeaders)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.header_buffer = 17'034;  // 501
    PathRunner line{parameters, Receiver::scripted};
    for (int i = 0; i < 70; ++i) {
        line.submit_write(0);
    }
    EXPECT_EQ(line.acceptances.size(), 62u);  // 500 / 8
    EXPECT_EQ(line.path.data_occupancy(), 256'000u);
    EXPECT_EQ(line.path.header_wait(1'000), 0);
    EXPECT_EQ(line.path.data_wait(1'000), 1'000);
}

// [PC-5, PC-9] A buffer of one transfer loses no time: it leaves when its serialization starts, and then the next is
// admitted. The eighth is admitted when the seventh starts, 6 x 546 bytes = 51.967 ns after the first.
TEST(TransmitPath, BufferOfOneTransferKeepsTheLineBusy)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.header_buffer = 34;
    parameters.data_buffer = 512;
    PathRunner line{parameters, Receiver::takes_at_once, {34, 512}};
    line.submit_write(0);
    EXPECT_EQ(line.run(), 69'289);
    EXPECT_EQ(line.acceptance_of(1), 51'967);
    EXPECT_EQ(line.path.busy(69'289), 69'289);
    EXPECT_EQ(line.path.header_wait(69'289), 51'967);
    EXPECT_EQ(line.path.data_wait(69'289), 51'967);
    EXPECT_EQ(line.path.header_credit_stall(69'289), 0);
}

// [PC-9] Writes are admitted in arrival order, per transfer; a packet is accepted with its last transfer. Room for two
// transfers beside the one on the link: the first of three writes of 2 transfers is in at once; the second's last
// transfer comes in when the second transfer starts, the third's two transfers later. 546 bytes: 8.661 ns.
TEST(TransmitPath, WritesWaitInArrivalOrder)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.header_buffer = 68;
    PathRunner line{parameters, Receiver::takes_at_once};
    for (int i = 0; i < 3; ++i) {
        line.submit_write(0, 1024);
    }
    line.run();
    EXPECT_EQ(line.acceptances, (std::vector<Told>{{1, 0}, {2, 8'661}, {3, 25'984}}));
    EXPECT_EQ(line.arrivals, (std::vector<Told>{{1, 17'322}, {2, 34'645}, {3, 51'967}}));
    EXPECT_EQ(line.path.header_wait(100'000), 25'984);
}

// [PC-9] A read request that waits is served first, then the write goes on: transfers 0 1 2 R 3 ... of the write. R
// ends after 3 x 546 + 98 bytes, the write after 8 x 546 + 98.
TEST(TransmitPath, ReadRequestIsAdmittedFirst)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.header_buffer = 68;
    PathRunner line{parameters, Receiver::takes_at_once};
    const std::uint32_t write = line.submit_write(0);
    const std::uint32_t later = line.submit_write(0, 512);
    const std::uint32_t read = line.submit_read(1);
    line.run();
    EXPECT_EQ(line.arrivals, (std::vector<Told>{{read, 27'538}, {write, 70'844}, {later, 79'505}}));
}

// [PC-9] While a read request waits no write is admitted, even one that fits. Room for data 1,000: 512 and 400 in,
// 88 left; the request of 512 waits, and the write of 64 behind it.
TEST(TransmitPath, NoWriteIsAdmittedWhileAReadRequestWaits)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.data_buffer = 1'000;
    PathRunner line{parameters, Receiver::scripted};
    line.submit_write(0, 512);
    line.submit_write(0, 400);
    const std::uint32_t read = line.submit_read(10, 512);
    const std::uint32_t small = line.submit_write(20, 64);
    EXPECT_EQ(line.acceptance_of(small), kNever);
    EXPECT_EQ(line.path.data_wait(50), 40);
    EXPECT_EQ(line.path.header_wait(50), 0);

    line.init(100, {16'000, 256'000});  // the first leaves: the request comes in, then the write
    EXPECT_EQ(line.acceptance_of(small), 100);
    EXPECT_EQ(line.path.data_occupancy(), 976u);
    line.run();
    ASSERT_EQ(line.arrivals.size(), 4u);
    EXPECT_EQ(line.arrivals[2].tag, read);
    EXPECT_EQ(line.arrivals[3].tag, small);
}

// [PC-9, PC-10] Once admitted, reads and writes are in one queue: a read does not overtake admitted writes.
TEST(TransmitPath, AdmittedShareOneQueue)
{
    PathRunner line{default_path(), Receiver::takes_at_once};
    line.submit_write(0);
    line.submit_write(0);
    line.submit_read(1);
    line.submit_write(2);
    line.run();
    // 8,736 + 98 bytes; + 4,368.
    EXPECT_EQ(line.arrivals, (std::vector<Told>{{1, 69'289}, {2, 138'579}, {3, 140'133}, {4, 209'423}}));
}

// [PC-5, PC-9] A transfer goes only with space at the far end, which is taken when it goes on the link: one at a time
// with room for one, the second when the limit has grown. A stall has its cause.
TEST(TransmitPath, WaitsForSpaceAtTheFarEnd)
{
    PathRunner line{default_path(), Receiver::scripted};
    line.init(0, {34, 512});
    line.submit_write(0, 1024);
    line.run_until(15'000);
    EXPECT_EQ(line.transfers_arrived, 1u);
    line.update(20'000, {68, 512});  // a header alone does not help
    line.update(25'000, {68, 1024});
    EXPECT_EQ(line.run(), 25'000 + 8'661);
    EXPECT_EQ(line.path.header_credit_stall(50'000), 20'000 - 8'661);
    EXPECT_EQ(line.path.data_credit_stall(50'000), 25'000 - 8'661);
    EXPECT_EQ(line.path.busy(50'000), 2 * 8'661);
}

// [A1] A byte less than a transfer's header, or than its payload, is not enough.
TEST(TransmitPath, A1TransferNeedsAllItsCredits)
{
    for (const CreditUnits limit : {CreditUnits{67, 1024}, CreditUnits{68, 1023}}) {
        PathRunner line{default_path(), Receiver::scripted};
        line.init(0, limit);
        line.submit_write(0, 1024);
        line.run();
        EXPECT_EQ(line.transfers_arrived, 1u);
        EXPECT_EQ(line.path.header_credit_stall(10'000), limit.header == 67 ? 10'000 - 8'661 : 0);
        EXPECT_EQ(line.path.data_credit_stall(10'000), limit.data == 1023 ? 10'000 - 8'661 : 0);
    }
}

// [A3] A far end that takes nothing out stops the line at what it has room for, and nothing is lost.
TEST(TransmitPath, A3StalledReceiverLosesNothing)
{
    PathRunner line{default_path(), Receiver::scripted};
    line.init(0, {64 * 34, 15'872});  // 31 transfers of 512
    for (int i = 0; i < 16; ++i) {
        line.submit_write(0);
    }
    line.run();
    EXPECT_EQ(line.transfers_arrived, 31u);
    line.update(1'000'000, {128 * 34, 65'536});
    line.run();
    EXPECT_EQ(line.arrivals.size(), 16u);
    EXPECT_EQ(line.transfers_arrived, 128u);
    EXPECT_TRUE(line.path.idle());
    EXPECT_EQ(line.live(), 0u);
}

// [A6] Credits run out while a transfer is on the link: it goes on to its end.
TEST(TransmitPath, A6TransferOnTheLinkIsNotInterrupted)
{
    PathRunner line{default_path(), Receiver::scripted};
    line.init(0, {34, 512});
    line.submit_write(0);
    line.update(4'000, {34, 512});
    EXPECT_EQ(line.run(), 8'661);
    EXPECT_EQ(line.transfers_arrived, 1u);
}

// [A13] A full transmit buffer stays as full as it may be while TLPs pour in.
TEST(TransmitPath, A13BufferNeverOverflows)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.header_buffer = 100;  // 2 transfers and a rest
    parameters.data_buffer = 1'030;
    PathRunner line{parameters, Receiver::takes_at_once};
    for (Picoseconds at = 0; at < 200'000; at += 1'000) {
        line.submit(at, at % 3 == 0 ? TlpKind::memory_read : TlpKind::memory_write, 512, true);
        EXPECT_LE(line.path.header_occupancy(), 68u);
        EXPECT_LE(line.path.data_occupancy(), 1'024u);
    }
    line.run();
    EXPECT_EQ(line.arrivals.size(), 200u);
    EXPECT_EQ(line.acceptances.size(), 200u);
    EXPECT_EQ(line.path.header_occupancy(), 0u);
    EXPECT_EQ(line.path.data_occupancy(), 0u);
}

// [E5] Counters agree at every step: admitted = in the buffer + started, started = on the link + arrived.
TEST(TransmitPath, E5CountersAgreeAtEveryStep)
{
    TransmitPath::Parameters parameters = default_path();
    parameters.trains = false;
    PathRunner line{parameters, Receiver::takes_at_once};
    for (int i = 0; i < 5; ++i) {
        line.submit_write(0);
    }
    while (line.due != kNever) {
        line.run_until(line.due);
        const std::uint64_t in_buffer = line.path.header_occupancy() / 34;
        const std::uint64_t on_link = line.due == kNever ? 0 : 1;
        EXPECT_EQ(line.path.counters().transfers + in_buffer, 40u);
        EXPECT_EQ(line.path.counters().transfers, line.transfers_arrived + on_link);
    }
}

// A train has the events of its whole, not of its transfers; what comes in between sees all that has happened.
TEST(TransmitPath, TrainsSaveEvents)
{
    for (const bool trains : {true, false}) {
        TransmitPath::Parameters parameters = default_path();
        parameters.trains = trains;
        PathRunner line{parameters, Receiver::takes_at_once};
        line.submit_write(0);
        line.run_until(30'000);
        EXPECT_EQ(line.path.counters().transfers, 4u);  // 3 x 8.661 have ended
        line.run();
        EXPECT_EQ(line.events, trains ? 1u : 8u);
    }
}

}  // namespace
}  // namespace mrcnic::pcie
