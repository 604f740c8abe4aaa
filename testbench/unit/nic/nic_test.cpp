#include "mrcnic/nic/nic.h"

#include <gtest/gtest.h>

#include "mrcnic/host/host_memory.h"
#include "mrcnic/host/root_port.h"
#include "testbench/support/harness.h"
#include "testbench/unit/base/scripted_modules.h"
#include "testbench/unit/nic/frame_script.h"

namespace mrcnic::nic {
namespace {

using packet::FrameKind;
using packet::FrameRef;
using packet::TrafficClass;
using testbench::FrameInitiator;
using testbench::FrameMaker;
using testbench::FrameTarget;
using testbench::Script;
using Notes = std::vector<std::string>;

constexpr packet::Address kHere = 0x0A00'0001;
constexpr packet::Address kThere = 0x0A00'0002;

NicParameters checked()
{
    NicParameters parameters;
    parameters.address = kHere;
    parameters.protocol_checkers = true;
    return parameters;
}

/// Notes completions as "wqe 1@371204".
class Completions : public sc_core::sc_module, private transport::CompletionSink {
public:
    sc_core::sc_export<transport::CompletionSink> sink{"sink"};
    Notes seen;

    Completions(const sc_core::sc_module_name& name, const Agenda& agenda) : sc_module{name}, agenda_{agenda}
    {
        sink.bind(*this);
    }

private:
    void send_complete(std::uint64_t id) override { note("send", id); }
    void wqe_complete(std::uint64_t id) override { note("wqe", id); }
    void recv_complete(std::uint64_t id) override { note("recv", id); }
    void message_failed(std::uint64_t id) override { note("failed", id); }
    void note(const char* what, std::uint64_t id)
    {
        seen.push_back(what + std::string{' '} + std::to_string(id) + '@' + std::to_string(agenda_.now()));
    }
    const Agenda& agenda_;
};

/// A NIC with a host and a scripted far end.
struct Bench {
    explicit Bench(const config::NicConfig& config = {}, const NicParameters& parameters = checked(),
                   Agenda::Inputs inputs = Agenda::Inputs::scheduled)
        : agenda{"agenda", inputs}, nic{"nic", agenda, config, parameters}, root_port{"root_port",
                                                                                      agenda,
                                                                                      config.host_interface,
                                                                                      {0, 0},
                                                                                      parameters.payload_mode,
                                                                                      true}
    {
        nic.wiring().connect(nic.pcie_out, root_port.pcie_in, pcie::TlpHop::link);
        nic.wiring().connect(root_port.pcie_out, nic.pcie_in, pcie::TlpHop::link);
        root_port.memory().bind(memory.socket);
        nic.wiring().connect(nic.wire_out, wire.socket, packet::Hop::wire);
        nic.wiring().connect(far_end.socket, nic.wire_in, packet::Hop::wire);
        nic.completions.bind(completions.sink);
        // Numbers on the wire differ from run to run only by what is sent: notes of kinds are easier to read.
        wire.on_forward = [this](packet::Frame& frame, tlm::tlm_phase&, sc_core::sc_time&) {
            sent.push_back(name_of(frame.kind) + '@' + std::to_string(agenda.now()));
            return tlm::TLM_COMPLETED;
        };
    }

    static std::string name_of(FrameKind kind)
    {
        return kind == FrameKind::data   ? "data"
               : kind == FrameKind::sack ? "sack"
               : kind == FrameKind::ack  ? "ack"
                                         : "?";
    }
    packet::QpNumber open_sender()
    {
        const packet::QpNumber qp = nic.verbs->open_sender(kThere);
        nic.verbs->connect(qp, 1);
        return qp;
    }
    void post(std::uint64_t bytes, packet::QpNumber qp)
    {
        script.at(0, EventClass::posting, [=] { nic.verbs->post({1, qp, bytes, 0x1'0000'0000, 0x2'0000'0000}); });
    }
    /// The only packet of a message for `qp` of this NIC.
    FrameRef data_for(packet::QpNumber qp, packet::Psn psn = 0)
    {
        FrameRef frame = frames.data();
        frame->network.source = kThere;
        frame->network.destination = kHere;
        frame->bth.opcode = packet::Opcode::write_only;
        frame->bth.destination_qp = qp;
        frame->bth.ack_request = true;
        frame->bth.psn = psn;
        frame->meth.msn = static_cast<std::uint16_t>(psn);
        frame->reth.virtual_address = 0x2'0000'0000;
        frame->reth.dma_length = 4096;
        return frame;
    }
    FrameRef sack_for(packet::QpNumber qp, packet::Psn psn)
    {
        FrameRef frame = frames.sack();
        frame->network.source = kThere;
        frame->network.destination = kHere;
        frame->bth.opcode = packet::Opcode::sack;
        frame->bth.destination_qp = qp;
        frame->bth.psn = psn;
        frame->seth.cack_psn = psn;
        frame->seth.mpr = 32;
        frame->seth.sack_offset = 1;
        return frame;
    }
    void run()
    {
        testbench::run_to_end([] { return true; });
        nic.wiring().finish();
        root_port.wiring().finish();
    }

    Agenda agenda;
    Nic nic;
    host::RootPort root_port;
    host::HostMemory memory{"memory"};
    FrameMaker frames;
    FrameTarget wire{"wire", agenda, tlm::TLM_COMPLETED};
    FrameInitiator far_end{"far_end", agenda};
    Completions completions{"completions", agenda};
    Script script{agenda};
    Notes sent;
};

// [TR-W3, PC-6, EG-1, EG-2] The sending half: pass at 15 ns, hand-off at 85.844, on the wire at 169.324. The SACK that
// comes at 371.204 completes.
TEST(Nic, SendsAMessage)
{
    Bench bench;
    bench.post(4'096, bench.open_sender());
    bench.script.look_at(15'000,
                         [&] { EXPECT_EQ(bench.nic.egress_buffer().pool(TrafficClass::data).occupancy(), 4'174U); });
    bench.script.look_at(85'843, [&] { EXPECT_EQ(bench.nic.network_port().busy(), 0); });
    bench.script.look_at(85'845, [&] { EXPECT_EQ(bench.nic.network_port().busy(), 1); });
    bench.script.look_at(169'323,
                         [&] { EXPECT_EQ(bench.nic.egress_buffer().pool(TrafficClass::data).occupancy(), 4'174U); });
    bench.script.look_at(169'324,
                         [&] { EXPECT_EQ(bench.nic.egress_buffer().pool(TrafficClass::data).occupancy(), 0U); });
    bench.script.at(371'204, [&] { bench.far_end.send(bench.sack_for(1, 0)); });
    bench.run();
    EXPECT_EQ(bench.sent, (Notes{"data@169324"}));
    EXPECT_EQ(bench.completions.seen, (Notes{"send 1@15000", "wqe 1@371204"}));
    EXPECT_EQ(bench.nic.transport().sender().rtt().last, 201'880);
}

// [TR-W3, IN-3] The receiving half: acknowledgements go out when the packet arrives, before its payload is written; the
// write takes the link 69.289 ns [PC-6].
TEST(Nic, ReceivesAMessage)
{
    Bench bench;
    const packet::QpNumber qp = bench.nic.verbs->open_receiver(kThere, 1);
    bench.script.at(269'324, [&] { bench.far_end.send(bench.data_for(qp)); });
    bench.run();
    EXPECT_EQ(bench.sent, (Notes{"sack@271204", "ack@272444"}));
    EXPECT_EQ(bench.completions.seen.size(), 1U);
    EXPECT_EQ(bench.nic.ingress_buffer().pool(TrafficClass::data).peak(), 4'174U);
    EXPECT_EQ(std::get<std::uint64_t>(bench.nic.transaction_layer().statistics().statistics()[2].read()), 69'289U);
}

// [SW-1] The far end is slower: 4,174 bytes at 100 Gbps take 333.92 ns.
TEST(Nic, LowerRateOfTheLinkCounts)
{
    NicParameters parameters = checked();
    parameters.link_rate = 100'000'000'000;
    Bench bench{{}, parameters};
    bench.post(4'096, bench.open_sender());
    bench.script.at(1'000'000, [&] { bench.far_end.send(bench.sack_for(1, 0)); });
    bench.run();
    EXPECT_EQ(bench.sent, (Notes{"data@419764"}));  // 85,844 + 333,920
}

// [TX-3, SW-17] A pause frame is not obeyed: it is taken in, counted and discarded, and sending goes on without a gap.
TEST(Nic, IgnoresPauseFrames)
{
    Bench bench;
    bench.post(10 * 4'096, bench.open_sender());
    bench.script.at(100'000, [&] { bench.far_end.send(bench.frames.make(FrameKind::foreign, 64, 0)); });
    bench.script.at(5'000'000, [&] { bench.far_end.send(bench.sack_for(1, 9)); });
    bench.run();
    ASSERT_EQ(bench.sent.size(), 10U);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(bench.sent[static_cast<std::size_t>(i)], "data@" + std::to_string(85'844 + 83'480 * (i + 1)));
    }
    EXPECT_EQ(bench.nic.network_port().counters().rx_frames, 2U);
    EXPECT_EQ(bench.nic.ingress_buffer().drops(), 0U);
    EXPECT_EQ(bench.nic.ingress_buffer().pool(TrafficClass::data).occupancy(), 0U);
}

// [IN-1, TX-3] Pool full: one drop, no acknowledgement, no pause frame; the control pool still takes what comes.
TEST(Nic, FullPoolDropsInSilence)
{
    config::NicConfig config;
    config.ingress_buffer_size = 4'640;                    // one packet
    config.host_interface.nic_side.tx_header_buffer = 34;  // its write stays
    Bench bench{config};
    const packet::QpNumber qp = bench.nic.verbs->open_receiver(kThere, 1);
    bench.post(4'096, bench.open_sender());
    bench.script.at(200'000, [&] {
        bench.far_end.send(bench.data_for(qp, 0));
        bench.far_end.send(bench.data_for(qp, 1));
        bench.far_end.send(bench.sack_for(2, 0));
    });
    bench.run();
    EXPECT_EQ(bench.nic.ingress_buffer().drops(), 1U);
    EXPECT_EQ(bench.nic.transport().receiver().counters().data_received, 1U);
    EXPECT_EQ(bench.sent, (Notes{"data@169324", "sack@201880", "ack@203120"}));
    EXPECT_EQ(bench.completions.seen.back(), "wqe 1@200000");
}

// A NIC alone in a foreign platform: its own agenda, a far end that is a process of its own. Same picoseconds.
TEST(Nic, StandsAloneWithAnAgendaOfItsOwn)
{
    Bench bench{{}, checked(), Agenda::Inputs::foreign};
    const packet::QpNumber qp = bench.nic.verbs->open_receiver(kThere, 1);
    bench.post(4'096, bench.open_sender());
    const testbench::Thread far_side{"far_side", [&] {
                                         sc_core::wait(sc_core::sc_time{169.324, sc_core::SC_NS});
                                         bench.far_end.send(bench.data_for(qp));
                                         sc_core::wait(sc_core::sc_time{201.88, sc_core::SC_NS});
                                         bench.far_end.send(bench.sack_for(2, 0));
                                     }};
    bench.run();
    // [OE-3] The SACK is drawn in the instant in which the port becomes free.
    EXPECT_EQ(bench.sent, (Notes{"data@169324", "sack@171204", "ack@172444"}));
    EXPECT_EQ(bench.completions.seen.back(), "wqe 1@371204");
}

}  // namespace
}  // namespace mrcnic::nic
