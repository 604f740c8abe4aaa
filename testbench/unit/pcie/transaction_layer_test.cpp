#include "mrcnic/pcie/transaction_layer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/host/host_memory.h"
#include "testbench/support/harness.h"
#include "testbench/unit/pcie/host_link.h"

namespace mrcnic::pcie {
namespace {

using testbench::default_link;
using testbench::Device;
using testbench::LinkParameters;
using testbench::Told;
using testbench::value_of;

/// A requester on the NIC's side of a link, root complex and memory on the other.
struct Bench {
    Agenda agenda{"agenda"};
    Device nic{"nic", agenda};
    testbench::Host<host::HostMemory> host;
    testbench::Link link;

    explicit Bench(const LinkParameters& parameters = default_link(),
                   config::PayloadMode mode = config::PayloadMode::sizes)
        : host{agenda, mode}, link{"link", agenda, parameters}
    {
        link.connect(nic, host.root_complex);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void run(std::size_t deliveries, std::size_t acceptances)
    {
        testbench::run_to_end([&] { return nic.delivered.size() == deliveries && nic.accepted.size() == acceptances; });
    }
    /// No checker has anything to say, and no TLP is alive.
    ~Bench()
    {
        link.wiring.finish();
        host.checker.finish();
        EXPECT_EQ(nic.pool.live(), 0u);
        EXPECT_TRUE(link.nic_end.path().idle());
        EXPECT_TRUE(link.host_end.path().idle());
        EXPECT_TRUE(agenda.is_quiet());
    }
};

LinkParameters link_with_lanes(unsigned nic_lanes, unsigned host_lanes)
{
    LinkParameters parameters = default_link();
    parameters.nic_side.transmit.rate = nic_lanes * BitsPerSecond{31'520'000'000};
    parameters.host_side.transmit.rate = host_lanes * BitsPerSecond{31'520'000'000};
    return parameters;
}

// [PC-3, PC-4, PC-6] One fetch at the defaults: 1.5546 + 69.2893 = 70.8439 ns; memory and wire take no time.
TEST(TransactionLayer, OneFetch)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.run(1, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 70'844}}));
}

// [PC-6, PC-9] One write at the defaults is accepted at once and takes 69.2893 ns.
TEST(TransactionLayer, OneWrite)
{
    Bench bench;
    bench.nic.submit_at(1'000, bench.nic.write(4096));
    bench.run(0, 1);
    EXPECT_EQ(bench.nic.accepted, (std::vector<Told>{{1, 1'000}}));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(70'289, sc_core::SC_PS));
    EXPECT_EQ(value_of(bench.host.root_complex.statistics(), "bytes_written"), 4096u);
}

// [D2] Two fetches back to back: the second completion follows the first without a gap, 2 x 69.2893 after 1.5546.
TEST(TransactionLayer, D2FetchesBackToBack)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.run(2, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 70'844}, {2, 1'555 + 138'579}}));
}

// [PC-3] A request of 1,024 bytes is two transfers, 17.322 ns, and is answered when the last has arrived.
TEST(TransactionLayer, LargeRequestIsAnsweredAfterItsLastTransfer)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.read(4096, 0, 1024));
    bench.run(1, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 17'322 + 69'289}}));
}

// [PC-11, B16] A fetch of nothing: a request and one transfer of 34 bytes back; no payload is counted.
TEST(TransactionLayer, B16FetchOfNothing)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.read(0));
    bench.run(1, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 1'555 + 539}}));
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "tlps"), 1u);
    EXPECT_EQ(value_of(bench.link.host_end.statistics(), "tlps"), 1u);
    EXPECT_EQ(value_of(bench.link.host_end.statistics(), "bytes"), 34u);
    EXPECT_EQ(value_of(bench.host.root_complex.statistics(), "bytes_read"), 0u);
}

// [PC-1] Each direction has the rate of its sending side: request 6.218 ns on 4 lanes.
TEST(TransactionLayer, NicSideLanesCarryRequests)
{
    Bench bench{link_with_lanes(4, 16)};
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.run(1, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 6'218 + 69'289}}));
}

// [PC-1] Completion 277.157 ns on 4 lanes.
TEST(TransactionLayer, HostSideLanesCarryCompletions)
{
    Bench bench{link_with_lanes(16, 4)};
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.run(1, 0);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 1'555 + 277'157}}));
}

// [PC-1] The directions are independent: writes do not delay a completion that is on its way back.
TEST(TransactionLayer, DirectionsAreIndependent)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.read(4096));
    for (int i = 0; i < 10; ++i) {
        bench.nic.submit_at(0, bench.nic.write(4096));
    }
    bench.run(1, 10);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{1, 70'844}}));
}

// [PC-10] A read request behind writes waits for them: 2 x 4,368 + 98 bytes, then its completion.
TEST(TransactionLayer, ReadsAndWritesShareOneQueue)
{
    Bench bench;
    bench.nic.submit_at(0, bench.nic.write(4096));
    bench.nic.submit_at(0, bench.nic.write(4096));
    bench.nic.submit_at(0, bench.nic.read(4096));
    bench.run(1, 2);
    EXPECT_EQ(bench.nic.delivered, (std::vector<Told>{{3, 140'133 + 69'289}}));
}

// [PC-9] Completions wait at the host without limit, in request order, and a request's receive space is free as soon as
// it has arrived: with buffers of one transfer on the host's side a hundred requests take 100 x 1.5546 ns, and the
// completions follow each other from the first request on.
TEST(TransactionLayer, CompletionsWaitAtTheHost)
{
    LinkParameters parameters = default_link();
    parameters.host_side.receive_buffer = {34, 512};
    parameters.host_side.transmit.header_buffer = 34;
    parameters.host_side.transmit.data_buffer = 512;
    Bench bench{parameters};
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 1; i <= 100; ++i) {
        bench.nic.submit_at(0, bench.nic.read(4096));
        order.push_back(i);
    }
    bench.run(100, 0);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "busy_ps"), 155'457u);
    std::vector<std::uint32_t> arrived;
    for (const Told& told : bench.nic.delivered) {
        arrived.push_back(told.tag);
    }
    EXPECT_EQ(arrived, order);
    EXPECT_EQ(bench.nic.delivered.back().at, 1'555 + 6'928'934);
}

// [PC-9, PC-12] The smallest legal transmit buffer: acceptance when the last transfer comes in, 51.967 ns, at no cost
// in time on the link.
TEST(TransactionLayer, AcceptanceComesWithTheLastTransfer)
{
    LinkParameters parameters = default_link();
    parameters.nic_side.transmit.header_buffer = 34;
    parameters.nic_side.transmit.data_buffer = 512;
    Bench bench{parameters};
    bench.nic.submit_at(0, bench.nic.write(4096));
    bench.nic.submit_at(0, bench.nic.write(512));
    bench.run(0, 2);
    // The second is admitted when the eighth transfer of the first starts: 7 x 546 bytes.
    EXPECT_EQ(bench.nic.accepted, (std::vector<Told>{{1, 51'967}, {2, 60'628}}));
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "tx_header_wait_ps"), 60'628u);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "tx_data_wait_ps"), 60'628u);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "busy_ps"), 77'951u);  // 4,914 bytes
}

// [PC-8, IN-2] 470 transfers wait beside the one on the link: of 59 writes at once the last needs the 472nd place,
// which comes free when the second transfer starts.
TEST(TransactionLayer, TransmitBufferHolds470Transfers)
{
    Bench bench;
    for (int i = 0; i < 59; ++i) {
        bench.nic.submit_at(0, bench.nic.write(4096));
    }
    bench.run(0, 59);
    EXPECT_EQ(bench.nic.accepted[57], (Told{58, 0}));
    EXPECT_EQ(bench.nic.accepted[58], (Told{59, 8'661}));
}

// [PC-9] A write that comes while a train is under way hears of its acceptance inside it. Room for 8 transfers: when it
// comes, the first write has 6 in the buffer; of its own 3 the last comes in when the next transfer starts, 17.322 ns.
TEST(TransactionLayer, LateWriteHearsOfItsAcceptanceInATrain)
{
    LinkParameters parameters = default_link();
    parameters.nic_side.transmit.header_buffer = 8 * 34;
    Bench bench{parameters};
    bench.nic.submit_at(0, bench.nic.write(4096));
    bench.nic.submit_at(10'000, bench.nic.write(1536));
    bench.run(0, 2);
    EXPECT_EQ(bench.nic.accepted, (std::vector<Told>{{1, 0}, {2, 17'322}}));
}

// [D5] What the link carries: bytes and time of its statistics give its rate, and the goodput is below it.
TEST(TransactionLayer, D5StatisticsGiveTheRate)
{
    Bench bench;
    for (int i = 0; i < 200; ++i) {
        bench.nic.submit_at(0, bench.nic.write(4096));
    }
    bench.run(0, 200);
    const auto bytes = static_cast<double>(value_of(bench.link.nic_end.statistics(), "bytes"));
    const auto busy = static_cast<double>(value_of(bench.link.nic_end.statistics(), "busy_ps"));
    EXPECT_EQ(bytes, 200 * 4368);
    EXPECT_NEAR(bytes * 8e3 / busy, 504.32, 0.001);
    EXPECT_LE(200 * 4096 * 8e3 / busy, 472.915 + 0.001);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "header_credit_stall_ps"), 0u);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "data_credit_stall_ps"), 0u);
}

// [B1] A read of 4,096 bytes at 0x1000 is one request, and one write likewise; [B3] so it is across a 4 KB boundary:
// the reference profile cuts by size only.
TEST(TransactionLayer, B1OneRequestWhateverTheAddress)
{
    Bench bench{default_link(), config::PayloadMode::bytes};
    bench.nic.submit_at(0, bench.nic.read(4096, 0x1000));
    bench.nic.submit_at(0, bench.nic.read(128, 0xfc0));
    bench.run(2, 0);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "tlps"), 2u);
    EXPECT_EQ(value_of(bench.link.host_end.statistics(), "tlps"), 9u);
}

// [B7, B8, B15] 256 and 300 bytes, below and above 4 GiB, come back whole and from where they were put; 34 bytes a
// transfer whatever the address.
TEST(TransactionLayer, B7BytesComeBack)
{
    Bench bench{default_link(), config::PayloadMode::bytes};
    bench.nic.keeps = true;
    std::vector<std::uint8_t> first(256);
    std::vector<std::uint8_t> second(300);
    for (std::size_t i = 0; i < second.size(); ++i) {
        first[i % 256] = static_cast<std::uint8_t>(i);
        second[i] = static_cast<std::uint8_t>(7 * i + 1);
    }
    bench.nic.submit_at(0, bench.nic.write(first, 0x40));
    bench.nic.submit_at(0, bench.nic.write(second, 0x1'0000'0040));
    bench.nic.submit_at(0, bench.nic.read(256, 0x40));
    bench.nic.submit_at(0, bench.nic.read(300, 0x1'0000'0040));
    bench.run(2, 2);
    EXPECT_EQ(bench.nic.kept[0]->data, first);
    EXPECT_EQ(bench.nic.kept[1]->data, second);
    EXPECT_EQ(value_of(bench.link.nic_end.statistics(), "bytes"), 256u + 300u + 2u * 64u + 4u * 34u);
    bench.nic.kept.clear();
}

// Reading statistics at any time, in the instant of an event too, changes nothing.
TEST(TransactionLayer, StatisticsMayBeReadAtAnyTime)
{
    LinkParameters parameters = default_link();
    parameters.host_side.receive_buffer = {34, 512};  // a credit for each transfer
    Bench bench{parameters};
    struct Reader {
        Bench& bench;
        std::vector<std::uint64_t> busy;
        void read() { busy.push_back(value_of(bench.link.nic_end.statistics(), "busy_ps")); }
    } reader{bench, {}};
    for (const Picoseconds at : {4'000, 8'661, 40'000, 69'289, 100'000}) {
        // Before the ends of the instant, and after them.
        bench.agenda.at<&Reader::read>(at, EventClass::serialization_end, {}, reader);
        bench.agenda.at<&Reader::read>(at, EventClass::record, {}, reader);
    }
    bench.nic.submit_at(0, bench.nic.write(4096));
    bench.run(0, 1);
    EXPECT_EQ(reader.busy,
              (std::vector<std::uint64_t>{4'000, 4'000, 8'661, 8'661, 40'000, 40'000, 69'289, 69'289, 69'289, 69'289}));
}

/// A link between two devices, with random buffers, rates and traffic, twice: with trains and without.
class TwinLinks {
public:
    TwinLinks(std::size_t number, Agenda& agenda, std::mt19937_64& random)
    {
        LinkParameters parameters = default_link();
        draw_side(parameters.nic_side, random);
        draw_side(parameters.host_side, random);
        for (const bool trains : {true, false}) {
            parameters.nic_side.transmit.trains = trains;
            parameters.host_side.transmit.trains = trains;
            const std::string name = "link_" + std::to_string(number) + (trains ? "_trains" : "_transfers");
            twins_.push_back(std::make_unique<Twin>(name, agenda, parameters));
        }
        draw_traffic(agenda, random);
    }

    /// Statistics of both directions, for later comparison.
    void look()
    {
        for (const auto& twin : twins_) {
            for (const TransactionLayer* end : {&twin->link.nic_end, &twin->link.host_end}) {
                for (const Statistic& statistic : end->statistics().statistics()) {
                    twin->seen.push_back(std::get<std::uint64_t>(statistic.read()));
                }
            }
        }
    }
    [[nodiscard]] bool finished() const
    {
        return std::all_of(twins_.begin(), twins_.end(), [this](const auto& twin) {
            return twin->nic.delivered.size() == from_host_ && twin->host.delivered.size() == from_nic_;
        });
    }
    void expect_equal()
    {
        look();
        EXPECT_EQ(twins_[0]->nic.accepted, twins_[1]->nic.accepted);
        EXPECT_EQ(twins_[0]->nic.delivered, twins_[1]->nic.delivered);
        EXPECT_EQ(twins_[0]->host.delivered, twins_[1]->host.delivered);
        EXPECT_EQ(twins_[0]->seen, twins_[1]->seen);
        EXPECT_EQ(twins_[0]->nic.accepted.size(), writes_);
        for (const auto& twin : twins_) {
            twin->link.wiring.finish();
            EXPECT_EQ(twin->nic.pool.live(), 0u);
            EXPECT_EQ(twin->host.pool.live(), 0u);
            EXPECT_EQ(value_of(twin->link.nic_end.statistics(), "header_credit_stall_ps"), 0u);
            EXPECT_EQ(value_of(twin->link.nic_end.statistics(), "data_credit_stall_ps"), 0u);
        }
    }

private:
    struct Twin {
        Twin(const std::string& name, Agenda& agenda, const LinkParameters& parameters)
            : nic{(name + "_nic").c_str(), agenda},
              host{(name + "_host").c_str(), agenda},
              link{name, agenda, parameters}
        {
            link.connect(nic, host);
        }
        Device nic;
        Device host;
        testbench::Link link;
        std::vector<std::uint64_t> seen;
    };

    static std::uint64_t between(std::uint64_t first, std::uint64_t last, std::mt19937_64& random)
    {
        return std::uniform_int_distribution<std::uint64_t>{first, last}(random);
    }
    static std::uint64_t buffer(std::uint64_t transfer, std::mt19937_64& random)
    {
        return transfer * between(1, 4, random) + (between(0, 1, random) == 0 ? 0 : between(0, 100'000, random));
    }
    static void draw_side(TransactionLayer::Parameters& side, std::mt19937_64& random)
    {
        side.transmit.rate = between(1, 16, random) * 31'520'000'000;
        side.transmit.header_buffer = buffer(34, random);
        side.transmit.data_buffer = buffer(512, random);
        side.receive_buffer = {buffer(34, random), buffer(512, random)};
    }
    void draw_traffic(Agenda& agenda, std::mt19937_64& random)
    {
        Picoseconds at = 0;
        for (std::uint64_t i = between(5, 40, random); i > 0; --i) {
            const auto bytes = static_cast<std::uint32_t>(between(0, 9'000, random));
            const std::uint64_t kind = between(0, 2, random);
            for (const auto& twin : twins_) {
                Device& device = kind == 0 ? twin->host : twin->nic;
                const TlpKind kinds[]{TlpKind::completion, TlpKind::memory_read, TlpKind::memory_write};
                device.submit_at(at, device.make(kinds[kind], kind == 1 ? bytes / 8 : bytes, bytes));
            }
            (kind == 0 ? from_host_ : from_nic_) += 1;
            writes_ += kind == 2 ? 1U : 0U;
            at += static_cast<Picoseconds>(between(0, 2, random) == 0 ? 0 : between(0, 300'000, random));
            agenda.at<&TwinLinks::look>(at + static_cast<Picoseconds>(between(0, 100'000, random)), EventClass::record,
                                        {}, *this);
        }
    }

    std::vector<std::unique_ptr<Twin>> twins_;
    std::size_t from_nic_{0};
    std::size_t from_host_{0};
    std::size_t writes_{0};
};

// [PC-5, PC-9] Trains change no arrival, no acceptance, no statistic at any time: 200 random links. No transfer ever
// waits for space at the far end in the reference profile, be its buffers of one transfer.
TEST(TransactionLayerProperty, TrainsChangeNothing)
{
    const std::uint64_t seed = testbench::seed();
    std::mt19937_64 random{seed};
    Agenda agenda{"agenda"};
    std::vector<std::unique_ptr<TwinLinks>> links;
    for (std::size_t i = 0; i < 200; ++i) {
        links.push_back(std::make_unique<TwinLinks>(i, agenda, random));
    }
    testbench::run_to_end(
        [&] { return std::all_of(links.begin(), links.end(), [](const auto& link) { return link->finished(); }); });
    for (std::size_t i = 0; i < links.size() && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE("link " + std::to_string(i));
        links[i]->expect_equal();
    }
}

// [PC-5] The receive buffers, if legal, and the host side's transmit buffers change no time.
TEST(TransactionLayer, ReceiveAndHostBuffersChangeNoTime)
{
    Agenda agenda{"agenda"};
    std::vector<std::unique_ptr<Device>> devices;
    std::vector<std::unique_ptr<testbench::Link>> links;
    for (const bool small : {false, true}) {
        LinkParameters parameters = default_link();
        if (small) {
            parameters.nic_side.receive_buffer = {34, 512};
            parameters.host_side.receive_buffer = {34, 512};
            parameters.host_side.transmit.header_buffer = 34;
            parameters.host_side.transmit.data_buffer = 512;
        }
        const std::string name = small ? "small" : "large";
        devices.push_back(std::make_unique<Device>((name + "_nic").c_str(), agenda));
        devices.push_back(std::make_unique<Device>((name + "_host").c_str(), agenda));
        links.push_back(std::make_unique<testbench::Link>(name, agenda, parameters));
        Device& nic = *devices[devices.size() - 2];
        Device& host = *devices.back();
        links.back()->connect(nic, host);
        for (Picoseconds i = 0; i < 100; ++i) {
            nic.submit_at(i * 30'000, nic.write(4096));
            nic.submit_at(i * 50'000, nic.read(4096));
            host.submit_at(i * 40'000, host.make(TlpKind::completion, 4096, 4096));
        }
    }
    testbench::run_to_end([&] { return devices[1]->delivered.size() == 200 && devices[3]->delivered.size() == 200; });
    EXPECT_EQ(devices[0]->accepted, devices[2]->accepted);
    EXPECT_EQ(devices[0]->delivered, devices[2]->delivered);
    EXPECT_EQ(devices[1]->delivered, devices[3]->delivered);
}

}  // namespace
}  // namespace mrcnic::pcie
