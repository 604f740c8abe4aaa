#include <gtest/gtest.h>

#include "mrcnic/base/block_timing.h"
#include "mrcnic/nic/egress_buffer.h"
#include "mrcnic/nic/transmit_scheduler.h"
#include "testbench/unit/transport/transport_bench.h"

namespace mrcnic::transport {
namespace {

using packet::Opcode;

/// A port that takes a frame and does not let go.
class BlockedPort : public sc_core::sc_module {
public:
    packet::FrameTargetSocket<BlockedPort> socket{"socket", *this, &BlockedPort::start};
    FrameRef on_the_link;

    explicit BlockedPort(const sc_core::sc_module_name& name) : sc_module{name} {}

    /// The frame's serialization ends. @return it
    FrameRef end()
    {
        FrameRef frame = std::exchange(on_the_link, FrameRef{});
        socket.backward(*frame, packet::phase::SENT);
        return frame;
    }

private:
    tlm::tlm_sync_enum start(Frame& frame, tlm::tlm_phase&, sc_core::sc_time&)
    {
        on_the_link = FrameRef{frame};
        return tlm::TLM_ACCEPTED;
    }
};

/// Transport, egress buffer and scheduler of a NIC, with a port that the test works.
struct ServiceBench {
    Agenda agenda{"agenda"};
    config::NicConfig config;
    ExactTiming timing;
    queue_disc::ControlBeforeData bands;
    Transport transport{"transport", agenda, config, TransportBench::parameters()};
    nic::EgressBuffer egress{"egress", agenda, timing, {}};
    nic::TransmitScheduler scheduler;
    BlockedPort port{"port"};
    ScriptedDma dma{"dma"};
    ScriptedIngress ingress{"ingress"};
    CompletionLog completions{"completions", agenda};
    pcie::CheckedWiring wiring{true};

    explicit ServiceBench(Picoseconds step = 0) : scheduler{"scheduler", agenda, timing, bands, scheduling(step)}
    {
        transport.completions.bind(completions);
        wiring.connect(transport.to_egress, egress.from_transport.as_port(), packet::Hop::reservation);
        wiring.connect(egress.to_scheduler, scheduler.from_buffer.as_port(), packet::Hop::queue);
        wiring.connect(scheduler.to_port, port.socket.as_port(), packet::Hop::port);
        wiring.connect(transport.to_dma, dma.socket.as_port(), packet::Hop::host);
        wiring.connect(ingress.socket, transport.from_ingress.as_port(), packet::Hop::delivery);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        transport.verbs->open_receiver(TransportBench::kPeer, 77);
    }
    [[nodiscard]] static nic::TransmitScheduler::Parameters scheduling(Picoseconds step)
    {
        nic::TransmitScheduler::Parameters parameters;
        parameters.service_time_step = step;
        parameters.stamps_service_time = true;
        return parameters;
    }
    void receive(Psn psn, Opcode opcode = Opcode::write_middle)
    {
        const FrameRef frame = ingress.frames.make();
        frame->wire_bytes = 4174;
        frame->payload_bytes = 4096;
        frame->bth.destination_qp = 1;
        frame->bth.psn = psn;
        frame->bth.opcode = opcode;
        frame->bth.ack_request = true;
        ingress.deliver(frame);
    }
    /// The port makes its choice at the end of an instant [OE-3].
    void end_instant()
    {
        while (sc_core::sc_pending_activity_at_current_time()) {
            sc_core::sc_start(sc_core::SC_ZERO_TIME);
        }
    }
    /// Service time of the last frame to leave.
    Picoseconds last_service_time()
    {
        Picoseconds result = -1;
        for (end_instant(); port.on_the_link; end_instant()) {
            result = port.end()->service_time;
        }
        return result;
    }
};

// [TR-W8] [TR-71] [TX-2] Behind 10 SACKs, which join in one instant: none has started yet [OE-3]. 18.80 ns.
TEST(ServiceTime, BehindTenSacks)
{
    ServiceBench bench;
    for (Psn psn = 0; psn < 11; ++psn) {
        bench.receive(psn);
    }
    EXPECT_EQ(bench.last_service_time(), 18'800);
}

// [TR-W8] Behind 3 SACKs and 2 ACKs: 8.12 ns.
TEST(ServiceTime, BehindSacksAndAcks)
{
    ServiceBench bench;
    bench.receive(0, Opcode::write_only);  // SACK, ACK
    bench.receive(1, Opcode::write_only);  // SACK, ACK
    bench.receive(2, Opcode::write_middle);
    bench.receive(3, Opcode::write_middle);
    EXPECT_EQ(bench.last_service_time(), 8'120);
}

// [TR-W8] [PL-1] The last of the 272 SACKs that fit the control pool of 25,600 bytes: 509.48 ns.
TEST(ServiceTime, BehindAFullControlPool)
{
    ServiceBench bench;
    for (Psn psn = 0; psn < 272; ++psn) {
        bench.receive(psn);
    }
    EXPECT_EQ(bench.egress.pool(TrafficClass::control).occupancy(), 272U * 94);
    EXPECT_EQ(bench.transport.receiver().waiting(), 0U);
    EXPECT_EQ(bench.last_service_time(), 509'480);
}

// [TR-71] The frame on the link does not count, nor does data; an empty queue is 0.
TEST(ServiceTime, FrameOnTheLinkDoesNotCount)
{
    ServiceBench bench;
    bench.receive(0);
    bench.end_instant();  // it is on the link now
    ASSERT_TRUE(bench.port.on_the_link);
    EXPECT_EQ(bench.port.on_the_link->service_time, 0);
    bench.receive(1);
    bench.receive(2);
    (void)bench.port.end();
    bench.end_instant();
    EXPECT_EQ(bench.port.end()->service_time, 0);
    bench.end_instant();
    EXPECT_EQ(bench.port.end()->service_time, 1'880);
}

// [TR-71] ServiceTimeStep 1 ns: rounded down to it.
TEST(ServiceTime, Step)
{
    ServiceBench bench{1'000};
    for (Psn psn = 0; psn < 11; ++psn) {
        bench.receive(psn);
    }
    EXPECT_EQ(bench.last_service_time(), 18'000);
}

// [EG-6] [TR-72] The 273rd SACK waits until one has left, and then reports the queue it joins: 271 ahead, in this
// instant one of them is about to start [OE-3].
TEST(ServiceTime, WaitingSackJoinsWhenRoomReturns)
{
    ServiceBench bench;
    for (Psn psn = 0; psn < 274; ++psn) {
        bench.receive(psn);
    }
    EXPECT_EQ(bench.transport.receiver().waiting(), 1U);  // 273 and 274 have merged
    bench.end_instant();
    (void)bench.port.end();
    EXPECT_EQ(bench.transport.receiver().waiting(), 0U);
    EXPECT_EQ(bench.egress.pool(TrafficClass::control).occupancy(), 272U * 94);
    EXPECT_EQ(bench.last_service_time(), 509'480);
}

}  // namespace
}  // namespace mrcnic::transport
