#include <algorithm>
#include <deque>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/net/switch.h"
#include "mrcnic/platforms/line_rate_receive.h"
#include "mrcnic/platforms/pair.h"
#include "testbench/unit/base/scripted_modules.h"
#include "testbench/unit/platforms/run.h"

// Faults that others met in PCIe, DMA, NIC buffers and simulators; `docs/cases.md` lists all of them. The letter and
// number of a case are in the test's name.

namespace mrcnic::platforms {
namespace {

using packet::TrafficClass;
using testbench::configuration;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::PlatformRun;
using testbench::run_all;
using testbench::run_to_completion;
using testbench::Script;
using testbench::Settings;
using Notes = std::vector<std::string>;

const ExactTiming kExact;

// A7: a read request must go although the way of the completions is full: the host's transmit buffer holds one
// transfer, and all 55 requests, 55 x 98 bytes, 85.5 ns, are out when the second completion is not.
TEST(Cases, A7_RequestsDoNotWaitForCompletions)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "1MiB"},
                                                  {"nic.HostInterface.HostSide.TXHeaderBufferSize", "34B"},
                                                  {"nic.HostInterface.HostSide.TXDataBufferSize", "512B"}})};
    const pcie::TransactionLayer& link = run.node(0).nic.transaction_layer();
    ASSERT_EQ(link.statistics().statistics().at(0).name, "tlps");
    run.script().look_at(15'000 + 85'503, [&link] {
        EXPECT_EQ(std::get<std::uint64_t>(link.statistics().statistics().at(0).read()), 55U);
    });
    run_to_completion({&run});
}

// B1, B16: 4,096 bytes are one read request; no bytes are one request and one completion, and no payload.
TEST(Cases, B1_OneRequestForASegment)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "4096B"}})};
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_0.nic_to_host.tlps"), 1U);
}

TEST(Cases, B16_ReadOfNoBytes)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "0B"}})};
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_0.nic_to_host.tlps"), 1U);
    EXPECT_EQ(run.number("node_0.host_to_nic.tlps"), 1U);
    EXPECT_EQ(run.number("node_0.host.bytes_read"), 0U);
    EXPECT_EQ(run.number("node_1.host.bytes_written"), 0U);
}

// B7, B8, B15: lengths beyond 8 bits and addresses beyond 32 bits arrive whole, every byte in its place.
TEST(Cases, B7_B8_B15_LengthsAndAddresses)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(folder, "list.csv",
                                                       "id,src,dst,bytes,start_ps,after,qp\n"
                                                       "1,0,1,256,0,,\n2,0,1,300,0,,\n3,0,1,65537,0,,\n4,1,0,1,0,,\n");
    PlatformRun run{"run", configuration("pair", {{"workload.File", file}, {"simulation.PayloadMode", "bytes"}})};
    run_to_completion({&run});
    EXPECT_EQ(run.platform().compare_payloads(), Notes{});
    EXPECT_EQ(run.number("node_1.host.bytes_written"), 256U + 300U + 65'537U);
    EXPECT_GE(run.platform().director()->buffers()[0].destination, 0x2'0000'0000U);
}

/// A memory that has nothing: every access is an address error.
tlm::tlm_sync_enum refuse(testbench::Payload& payload, tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*delay*/)
{
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

// C2: reads that are answered with an error give their tags back: all 60 are issued, more than the pool holds at once.
TEST(Cases, C2_ErrorsFreeTheirTags)
{
    const testbench::ExpectReport report{report_id::kHost};
    const config::Config config = configuration("pair", {{"workload.MessageBytes", "245760B"}});
    testbench::ScriptedTarget first{"first"};
    testbench::ScriptedTarget second{"second"};
    first.on_forward = refuse;
    second.on_forward = refuse;
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    run.node(0).memory().bind(first.socket);
    run.node(1).memory().bind(second.socket);
    run_to_completion({&run});
    EXPECT_EQ(run.node(0).nic.dma().failed_reads(), 60U);
    EXPECT_EQ(run.number("node_0.host.errors"), 60U);
    EXPECT_EQ(run.number("node_1.host.errors"), 60U);
}

// C2: likewise with real bytes: zeros go out in place of what could not be read, in whole packets.
TEST(Cases, C2_ErrorsSendZeros)
{
    const testbench::ExpectReport report{report_id::kHost};
    const config::Config config =
        configuration("pair", {{"workload.MessageBytes", "5000B"}, {"simulation.PayloadMode", "bytes"}});
    testbench::ScriptedTarget memory{"memory"};
    std::vector<std::size_t> written;
    memory.on_forward = [&written](testbench::Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (payload.is_read()) {
            return refuse(payload, phase, delay);
        }
        const unsigned char* data = payload.get_data_ptr();
        EXPECT_EQ(std::count(data, data + payload.get_data_length(), 0), payload.get_data_length());
        written.push_back(payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    testbench::ScriptedTarget other{"other"};
    other.on_forward = memory.on_forward;
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    run.node(0).memory().bind(memory.socket);
    run.node(1).memory().bind(other.socket);
    run_to_completion({&run});
    EXPECT_EQ(written, (std::vector<std::size_t>{4096, 904}));
}

// D2: a link has a bandwidth: 4,368 bytes at 504.32 Gbps take 69.289 ns, two in a row 138.579.
TEST(Cases, D2_TheLinkHasABandwidth)
{
    PlatformRun one{"one", configuration("pair", {{"workload.MessageBytes", "4096B"}})};
    PlatformRun two{"two", configuration("pair", {{"workload.MessageBytes", "8192B"}})};
    run_to_completion({&one, &two});
    EXPECT_EQ(one.number("node_0.host_to_nic.busy_ps"), 69'289U);
    EXPECT_EQ(two.number("node_0.host_to_nic.busy_ps"), 138'579U);
}

/// Ends the request phase 3 ns and gives the response 10 ns after the call; takes one request at a time.
class SlowMemory {
public:
    SlowMemory(const char* name, Agenda& agenda) : target{name}, script_{agenda}, agenda_{agenda}
    {
        target.on_forward = [this](testbench::Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
            if (phase == tlm::BEGIN_REQ) {
                request(payload);
                return tlm::TLM_ACCEPTED;
            }
            --open;
            payload.release();
            return tlm::TLM_COMPLETED;
        };
    }
    testbench::ScriptedTarget target;
    std::size_t requests{0};
    std::size_t open{0};

private:
    void request(testbench::Payload& payload)
    {
        ++requests;
        ++open;
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_GE(payload.get_ref_count(), 1);
        EXPECT_FALSE(in_request_phase_);
        in_request_phase_ = true;
        payload.acquire();
        script_.at(agenda_.now() + 3'000, [this, &payload] {
            in_request_phase_ = false;
            target.backward(payload, tlm::END_REQ);
        });
        const Picoseconds answer = std::max(agenda_.now() + 10'000, last_answer_ + 1'000);
        last_answer_ = answer;
        script_.at(answer, [this, &payload] {
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            const auto status = target.socket->nb_transport_bw(payload, phase, delay);
            if (status == tlm::TLM_COMPLETED || phase == tlm::END_RESP) {
                --open;
                payload.release();
            }
        });
    }
    Script script_;
    Agenda& agenda_;
    bool in_request_phase_{false};
    Picoseconds last_answer_{0};
};

// D4: the memory delays END_REQ and the response: every request starts INCOMPLETE, none begins in another's request
// phase, all are answered.
TEST(Cases, D4_MemoryThatDelaysItsPhases)
{
    const config::Config config = configuration("pair", {{"workload.MessageBytes", "245760B"}});
    PlatformRun run{"run", [&config] { return std::make_unique<Pair>("pair", config, Node::Memory::external); }};
    SlowMemory first{"first", run.platform().agenda()};
    SlowMemory second{"second", run.platform().agenda()};
    run.node(0).memory().bind(first.target.socket);
    run.node(1).memory().bind(second.target.socket);
    run_to_completion({&run});
    EXPECT_EQ(first.requests, 60U);
    EXPECT_EQ(second.requests, 60U);
    EXPECT_EQ(first.open + second.open, 0U);
    EXPECT_EQ(run.number("node_0.host.bytes_read"), 245'760U);
}

// D5: goodput is never above the table's: 13 lanes 384.244 Gbps of payload, 4 lanes 118.229 (and what the transmit
// buffer holds at the end is not yet written).
TEST(Cases, D5_GoodputWithinTheTable)
{
    std::deque<PlatformRun> runs;
    for (const int lanes : {13, 4}) {
        runs.emplace_back(
            ("lanes_" + std::to_string(lanes)).c_str(),
            configuration("line_rate_receive", {{"nic.HostInterface.NICSide.LaneCount", std::to_string(lanes)},
                                                {"simulation.StopTime", "500us"}}));
    }
    run_all({&runs[0], &runs[1]});
    const auto gbps = [](const PlatformRun& run) {
        return static_cast<double>(run.number("node_0.host.bytes_written")) * 8 / 500'000;
    };
    EXPECT_LE(gbps(runs[0]), 384.244);
    EXPECT_GT(gbps(runs[0]), 384.244 * 0.999);
    EXPECT_LE(gbps(runs[1]), 118.229);
    EXPECT_GT(gbps(runs[1]), 118.229 * 0.999);
}

// D6: the packet comes twice, since its SACK and ACK were lost: a duplicate, not a buffer drop.
TEST(Cases, D6_DuplicateIsNoDrop)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "4096B"}})};
    run.platform().links()[1]->inject({net::LinkFault::Action::drop, 1, 0});
    run.platform().links()[1]->inject({net::LinkFault::Action::drop, 2, 0});
    run_to_completion({&run});
    EXPECT_EQ(run.number("node_1.transport.duplicates"), 1U);
    EXPECT_EQ(run.number("node_1.ingress.drops_data"), 0U);
    EXPECT_EQ(run.number("node_1.host.bytes_written"), 4'096U);  // once
}

/// A scheduler and a port as a device has them, with a scripted owner and wire.
struct Device {
    explicit Device(BitsPerSecond rate)
        : scheduler{"scheduler", agenda, kExact, bands, {rate, 0, 0, true, {}}}, port{"port", agenda, {rate, 0, {}}}
    {
        owner.socket.bind(scheduler.from_buffer);
        scheduler.to_port.bind(port.from_scheduler);
        port.to_wire.bind(wire.socket);
        far_end.socket.bind(port.from_wire);
        port.to_receiver.bind(receiver.socket);
    }
    Agenda agenda{"agenda"};
    FrameMaker frames;
    queue_disc::ControlBeforeData bands;
    FrameInitiator owner{"owner", agenda};
    FrameTarget wire{"wire", agenda, tlm::TLM_COMPLETED};
    FrameInitiator far_end{"far_end", agenda};
    FrameTarget receiver{"receiver", agenda, tlm::TLM_COMPLETED};
    nic::TransmitScheduler scheduler;
    nic::NetworkPort port;
    Script script{agenda};
};

// E3: a byte limit of one packet at a slow port drops: two flows, one packet of 500 bytes each 0.5 s, 500 bytes of
// room. The first is on the wire for 1.036 s (518 bytes at 4 kbps), so that of the eight only those at 0.5 s and 2 s,
// one each time, are taken.
TEST(Cases, E3_ByteLimitDrops)
{
    Agenda agenda{"agenda"};
    net::Switch::Parameters parameters;
    parameters.policy.plane_bdp = 500;
    parameters.policy.queue_drop_threshold = 1;
    parameters.ports.assign(3, {4'000, true});
    net::Switch device{"switch", agenda, parameters};
    std::deque<FrameInitiator> senders;
    std::deque<FrameTarget> receivers;
    for (std::size_t i = 0; i < 3; ++i) {
        senders.emplace_back(("sender_" + std::to_string(i)).c_str(), agenda)
            .socket.bind(device.port(i).port.from_wire);
        device.port(i).port.to_wire.bind(
            receivers.emplace_back(("receiver_" + std::to_string(i)).c_str(), agenda, tlm::TLM_COMPLETED).socket);
        device.add_route(static_cast<packet::Address>(i), static_cast<std::uint16_t>(i));
    }
    FrameMaker frames;
    Script script{agenda};
    for (int i = 1; i <= 4; ++i) {
        script.at(i * (kPicosecondsPerSecond / 2), [&] {
            for (const std::size_t flow : {0U, 1U}) {
                const packet::FrameRef frame = frames.make(packet::FrameKind::data, 518, 0);
                frame->network.destination = 2;
                senders[flow].send(frame);
            }
        });
    }
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(receivers[2].frames.size(), 2U);
    EXPECT_EQ(device.port(2).tx_drops(), 6U);
}

// E4: what the device has is never queued again: it stops after packet 1 of 3, which is sent once, 2 and 3 wait in
// order.
TEST(Cases, E4_NothingIsQueuedTwice)
{
    Agenda agenda{"agenda"};
    FrameMaker frames;
    queue_disc::ControlBeforeData bands;
    FrameInitiator owner{"owner", agenda};
    FrameTarget device{"device", agenda, tlm::TLM_ACCEPTED};
    nic::TransmitScheduler scheduler{"scheduler", agenda, kExact, bands, {}};
    owner.socket.bind(scheduler.from_buffer);
    scheduler.to_port.bind(device.socket);
    Script script{agenda};
    script.at(0, [&] {
        for (int i = 0; i < 3; ++i) {
            owner.send(frames.data());
        }
    });
    script.look_at(1'000'000, [&] {
        EXPECT_EQ(device.seen, (Notes{"BEGIN_REQ 1@0"}));
        EXPECT_EQ(scheduler.queue().size(), 2U);
    });
    script.at(2'000'000, [&] { device.back(packet::FrameRef{device.frames[0]}, packet::phase::SENT); });
    script.at(3'000'000, [&] { device.back(packet::FrameRef{device.frames[1]}, packet::phase::SENT); });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(device.seen, (Notes{"BEGIN_REQ 1@0", "BEGIN_REQ 2@2000000", "BEGIN_REQ 3@3000000"}));
    EXPECT_TRUE(scheduler.queue().empty());
}

// E5, E12: at every step what arrived was charged or dropped, and what was charged is held or was given back.
TEST(Cases, E5_CountersAddUpAtEveryStep)
{
    PlatformRun run{"run", configuration("line_rate_receive", {{"nic.HostInterface.NICSide.LaneCount", "4"},
                                                               {"nic.IngressBufferManager.TotalBufferSize", "100KB"},
                                                               {"simulation.StopTime", "100us"}})};
    const nic::Nic& nic = run.node(0).nic;
    const nic::BytePool& pool = nic.ingress_buffer().pool(TrafficClass::data);
    for (Picoseconds when = 0; when < 100'000'000; when += 10'007) {
        run.script().look_at(when, [&nic, &pool] {
            EXPECT_EQ(nic.network_port().counters().rx_frames, pool.reserved() + nic.ingress_buffer().drops());
            EXPECT_EQ(pool.occupancy(), (pool.reserved() - pool.released()) * 4'174);
        });
    }
    run_all({&run});
    EXPECT_GT(nic.ingress_buffer().drops(), 100U);
}

// E6: the class stays with the frame on its way: behind data at the NIC and at the switch, the control frame is the
// next.
TEST(Cases, E6_ControlOvertakesData)
{
    Device device{400'000'000'000};
    device.script.at(0, [&] { device.owner.send(device.frames.data()); });
    device.script.at(1'000, [&] {
        device.owner.send(device.frames.data());
        device.owner.send(device.frames.sack());
    });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(device.wire.seen, (Notes{"BEGIN_REQ 1@83480", "BEGIN_REQ 3@85360", "BEGIN_REQ 2@168840"}));
}

// E7: 55 packets wait, an ACK comes in the middle of a frame: it waits for that frame only, 43.48 ns of the 83.48.
TEST(Cases, E7_ControlWaitsForOneFrameOnly)
{
    Device device{400'000'000'000};
    device.script.at(0, [&] {
        for (int i = 0; i < 55; ++i) {
            device.owner.send(device.frames.data());
        }
    });
    device.script.at(40'000, [&] { device.owner.send(device.frames.control(packet::FrameKind::ack)); });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(device.wire.seen[1], "BEGIN_REQ 56@84720");
    EXPECT_EQ(std::get<std::uint64_t>(device.scheduler.statistics().statistics().at(1).read()), 43'480U);
    EXPECT_EQ(device.wire.times.back(), 55 * 83'480 + 1'240);
}

// E9: the pool is full: one drop more, no pause frame comes back, the control pool is as it was.
TEST(Cases, E9_DropsWithoutAPause)
{
    const config::Config config = configuration(
        "line_rate_receive", {{"nic.HostInterface.NICSide.LaneCount", "4"}, {"workload.FrameCount", "1318"}});
    PlatformRun run{"run", config};
    run_all({&run});
    const auto& platform = dynamic_cast<const LineRateReceive&>(run.platform());
    EXPECT_EQ(run.number("MrcNic-0.0.rx_drops"), 1U);
    EXPECT_EQ(run.number("node_0.transport.sacks_sent"), 1'317U);
    EXPECT_EQ(platform.source().frames_absorbed(), 1'317U);  // SACKs and nothing else
    EXPECT_EQ(run.number("node_0.ingress.drops_control"), 0U);
    EXPECT_EQ(run.number("node_0.ingress.control_peak_bytes"), 0U);
}

// E10: to resume must not depend on an index: queue pairs 0 and 7 of a pair, stopped by a pool of two packets.
TEST(Cases, E10_ResumesEveryQueuePair)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "list.csv", "id,src,dst,bytes,start_ps,after,qp\n1,0,1,100000,0,,7\n2,0,1,100000,0,,0\n3,0,1,5,0,,3\n");
    PlatformRun run{"run", configuration("pair", {{"workload.File", file},
                                                  {"nic.Transport.QpsPerDestination", "8"},
                                                  {"nic.EgressBufferManager.TotalBufferSize", "9300B"}})};
    run_to_completion({&run});
    EXPECT_GT(run.number("node_0.transport.stalls"), 0U);
    EXPECT_EQ(run.platform().director()->completed(), 3U);
}

// E12: sent = delivered + dropped, exactly, and a drop reaches no counter of the transport: 2 lanes and a pool of two
// packets at the receiver. No probes, which are received and dropped too.
TEST(Cases, E12_SentIsDeliveredAndDropped)
{
    PlatformRun run{"run", configuration("pair", {{"workload.MessageBytes", "300000B"},
                                                  {"nic.Paths.PacketSprayingType", "RoundRobin"},
                                                  {"nics[1].HostInterface.NICSide.LaneCount", "2"},
                                                  {"nics[1].HostInterface.NICSide.TXHeaderBufferSize", "340B"},
                                                  {"nics[1].IngressBufferManager.TotalBufferSize", "9300B"}})};
    run_to_completion({&run});
    const std::uint64_t drops = run.number("MrcNic-1.0.rx_drops");
    EXPECT_GT(drops, 10U);
    EXPECT_EQ(run.number("node_0.port.tx_frames"), run.number("node_1.transport.data_received") + drops);
    EXPECT_EQ(run.number("node_0.transport.data_sent"), 74U + drops);  // each drop costs a repetition, and nothing else
    EXPECT_EQ(run.number("node_1.transport.duplicates") + run.number("node_1.transport.window_discards"), 0U);
}

// E14: one receiver hears nothing for more than a millisecond: the traffic to the other one goes on, and in the end all
// arrives. No probes, which would be among the frames that are lost.
TEST(Cases, E14_OneStalledReceiver)
{
    const testbench::TemporaryFolder folder;
    const std::string file = testbench::write_workload(
        folder, "two.cm", "Nodes 3\nConnections 2\n0->1 start 0 size 40960\n0->2 start 0 size 2000000\n");
    PlatformRun run{"run", configuration("star", {{"fabric.Nics", "3"},
                                                  {"workload.File", file},
                                                  {"nic.Paths.PacketSprayingType", "RoundRobin"}})};
    net::NetworkLink& to_first = *run.platform().links()[3];  // of each NIC: to the switch, from the switch
    for (std::uint64_t n = 1; n <= 30; ++n) {                 // ten packets, three times: 150, 300 and 600 us
        to_first.inject({net::LinkFault::Action::drop, n, 0});
    }
    run_to_completion({&run});
    EXPECT_EQ(to_first.dropped(), 30U);
    EXPECT_GT(run.number("message_1.recv"), 1'050'000'000U);
    EXPECT_LT(run.number("message_2.wqe"), 45'000'000U);
}

// E15: after drops the room is there again: one packet fits, three are dropped while its write waits; then eight come,
// one at a time, and are written where they belong.
TEST(Cases, E15_DropsLeaveNothingBehind)
{
    Agenda agenda{"agenda"};
    FrameMaker frames;
    FrameInitiator port{"port", agenda};
    FrameTarget transport{"transport", agenda, tlm::TLM_UPDATED};
    transport.on_forward = [](packet::Frame&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        phase = packet::phase::WRITE;
        return tlm::TLM_UPDATED;
    };
    FrameTarget dma{"dma", agenda, tlm::TLM_ACCEPTED};
    nic::IngressBuffer buffer{"buffer", {4'638, packet::DscpCodepoints{}, false}};
    port.socket.bind(buffer.from_port);
    buffer.to_transport.bind(transport.socket);
    buffer.to_dma.bind(dma.socket);
    Script script{agenda};
    const auto arrive = [&] {
        const packet::FrameRef frame = frames.data();
        frame->reth.virtual_address = 0x2'0000'0000 + frame->uid * 4'096;
        port.send(frame);
    };
    const auto accept = [&] { dma.back(packet::FrameRef{dma.frames.back()}, packet::phase::ACCEPTED); };
    script.at(0, [&] {
        for (int i = 0; i < 4; ++i) {
            arrive();
        }
        EXPECT_EQ(buffer.drops(), 3U);
        accept();
        for (int i = 0; i < 8; ++i) {
            arrive();
            accept();
        }
    });
    testbench::run_to_end([] { return true; });
    EXPECT_EQ(buffer.drops(), 3U);
    EXPECT_EQ(buffer.pool(TrafficClass::data).occupancy(), 0U);
    ASSERT_EQ(dma.frames.size(), 9U);
    for (std::size_t i = 1; i < 9; ++i) {
        EXPECT_EQ(dma.frames[i]->uid, 4 + i);
        EXPECT_EQ(dma.frames[i]->reth.virtual_address, 0x2'0000'0000 + (4 + i) * 4'096);
    }
}

// E16: stopped by the pool, sending starts again 15 ns after the half drain (without acknowledgements), and at once on
// an acknowledgement: the SACK at 371.204 ns finds room of the three packets that have left, and a window that its
// sample has not narrowed [CC-1].
TEST(Cases, E16_StartsAgain)
{
    PlatformRun far{"far", configuration("pair", {{"workload.MessageBytes", "1MiB"},
                                                  {"nic.TransmissionMedium.Delay", "100us"},
                                                  {"simulation.StopTime", "3us"}})};
    PlatformRun near{"near", configuration("pair", {{"workload.MessageBytes", "1MiB"},
                                                    {"nic.CongestionControl.NSCCEnable", "false"}})};
    const auto expect_reserved = [](PlatformRun& run, Picoseconds when, std::uint64_t count) {
        const nic::BytePool& pool = run.node(0).nic.egress_buffer().pool(TrafficClass::data);
        run.script().look_at(when, [&pool, count] { EXPECT_EQ(pool.reserved(), count); });
    };
    expect_reserved(far, 2'438'283, 55);
    expect_reserved(far, 2'438'284, 83);
    expect_reserved(near, 371'203, 55);
    expect_reserved(near, 371'204, 58);
    run_all({&far, &near});
    EXPECT_EQ(near.platform().outcome(), Outcome::completed);
}

}  // namespace
}  // namespace mrcnic::platforms
