#include "testbench/support/run_invariants.h"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include "mrcnic/packet/wire_size.h"
#include "mrcnic/platforms/node_statistics.h"

namespace mrcnic::testbench {
namespace {

constexpr std::array<packet::TrafficClass, 2> kClasses{packet::TrafficClass::data, packet::TrafficClass::control};
constexpr std::size_t kMostLines = 20;

// Time that `frames` with `bytes` take at least: a busy period's end is rounded to the picosecond [XT-1].
double least_time(std::uint64_t bytes, std::uint64_t frames, BitsPerSecond rate)
{
    return static_cast<double>(bytes) * 8e12 / static_cast<double>(rate) * (1 - 1e-9) -
           0.5 * static_cast<double>(frames) - 1;
}

std::uint64_t frames_sent(const nic::Nic& nic)
{
    const auto& sent = nic.transport().sender().counters();
    const auto& received = nic.transport().receiver().counters();
    return sent.data_sent + sent.probes_sent + received.acks_sent + received.sacks_sent + received.nacks_sent;
}

std::uint64_t frames_seen(const nic::Nic& nic)
{
    const auto& sent = nic.transport().sender().counters();
    const auto& received = nic.transport().receiver().counters();
    return received.data_received + received.probes_received + received.unknown_received + sent.acks_received +
           sent.sacks_received + sent.nacks_received;
}

}  // namespace

RunInvariants::RunInvariants(Assembly& assembly)
    : assembly_{assembly}, nodes_{assembly.nodes()}, links_{assembly.links()}, switches_{assembly.switches()}
{
    find_hops();
}

// [SW-50]
void RunInvariants::find_hops()
{
    const std::vector<platforms::LinkPlan>& plans = assembly_.topology().links;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        hops_.push_back({links_[i], &port_of(plans[i].from), &port_of(plans[i].to)});
    }
}

const nic::NetworkPort& RunInvariants::port_of(const platforms::LinkEnd& end) const
{
    return end.is_nic ? nodes_[end.device]->nic.network_port() : switches_[end.device]->port(end.port).port;
}

void RunInvariants::expect(bool holds, std::string_view what, std::size_t where)
{
    if (!holds && broken_.size() < kMostLines) {
        broken_.push_back(fmt::format("at {} ps, {}: {}", assembly_.agenda().now(), where, what));
    }
}

void RunInvariants::check_now()
{
    const Picoseconds now = assembly_.agenda().now();
    expect(now >= last_instant_, "[OE-1] time went backwards", 0);
    last_instant_ = now;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const nic::Nic& nic = nodes_[i]->nic;
        for (const auto traffic_class : kClasses) {
            const auto& egress = nic.egress_buffer().pool(traffic_class);
            const auto& ingress = nic.ingress_buffer().pool(traffic_class);
            expect(egress.occupancy() <= egress.size(), "[PL-3] egress occupancy above the pool", i);
            expect(ingress.occupancy() <= ingress.size(), "[PL-3] ingress occupancy above the pool", i);
        }
        expect(nic.network_port().counters().tx_frames <= frames_sent(nic), "[EG-1] a frame left that nobody sent", i);
        expect(frames_seen(nic) + nic.ingress_buffer().drops() == nic.network_port().counters().rx_frames,
               "[IN-1] arrived is not delivered + dropped", i);
    }
    for (std::size_t i = 0; i < hops_.size(); ++i) {
        expect(hops_[i].link->frames() == hops_[i].from->counters().tx_frames,
               "[SW-2] a frame on the link twice or not", i);
        expect(hops_[i].to->counters().rx_frames <= hops_[i].link->delivered(), "[SW-4] more arrived than was sent", i);
    }
    for (const net::Switch* network_switch : switches_) {
        check_switch_now(*network_switch);
    }
}

void RunInvariants::check_end()
{
    check_messages();
    check_rates();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        check_pools(i);
        check_pcie(i);
        check_transport(i);
        check_host(i);
    }
    check_links();
    for (const net::Switch* network_switch : switches_) {
        check_switch_end(*network_switch);
    }
    expect(assembly_.agenda().is_quiet(), "[WL-5] work is left at the end", 0);
}

void RunInvariants::check_messages()
{
    const workload::Director& director = assembly_.director();
    expect(director.completed() == director.records().size(), "[WL-5] not every message completed", 0);
    expect(director.posted() == director.records().size(), "[WL-5] not every message was posted", 0);
    expect(director.run_errors().empty(), "[WL-20] errors of the run", 0);
    note_due_times();
    for (std::size_t i = 0; i < director.records().size(); ++i) {
        check_message(i);
    }
}

// Of messages that start at a time, or after messages that they wait for.
void RunInvariants::note_due_times()
{
    const workload::Director& director = assembly_.director();
    const std::vector<workload::Message>& messages = director.workload().messages;
    due_.assign(messages.size(), assembly_.config().workload.start_time);
    for (const workload::Wait& wait : director.workload().waits) {
        const workload::MessageRecord& cause = director.records()[wait.before.index];
        const Picoseconds when = wait.before.kind == workload::PointKind::message_acknowledged ? cause.wqe_complete
                                 : wait.before.kind == workload::PointKind::message_sent       ? cause.send_complete
                                                                                               : cause.recv_complete;
        due_[wait.after.index] = std::max(due_[wait.after.index], when);
    }
    for (std::size_t i = 0; i < messages.size(); ++i) {
        due_[i] += messages[i].start;
    }
}

// Completions come once: the director has an invariant for it [TR-90 .. TR-92].
void RunInvariants::check_message(std::size_t index)
{
    const workload::Message& message = assembly_.director().workload().messages[index];
    const workload::MessageRecord& record = assembly_.director().records()[index];
    const Picoseconds due = due_[index];
    expect(record.posted == due, "[WL-2, WL-31] posted at another time than asked for", message.id);
    expect(record.posted <= record.send_complete && record.send_complete <= record.wqe_complete,
           "[TR-90, TR-91] completions out of order", message.id);
    expect(record.recv_complete > record.send_complete, "[TR-92] received before it was fetched", message.id);
    expect(record.finish() <= assembly_.end_time(), "[WL-5] finished after the end", message.id);

    const config::NicConfig& source = assembly_.config().nics[message.source];
    const BitsPerSecond rate = nodes_[message.source]->nic.network_port().rate();
    const Traffic traffic = traffic_of(message);
    const double least = least_time(traffic.wire, traffic.packets, rate) + static_cast<double>(source.link_delay);
    expect(static_cast<double>(record.recv_complete - record.posted) >= least, "[D5] faster than its link", message.id);
}

RunInvariants::Traffic RunInvariants::traffic_of(const workload::Message& message) const
{
    const config::NicConfig& source = assembly_.config().nics[message.source];
    const bool stamped = source.transport.rtt_timestamp_mode == config::RttTimestampMode::wire_timestamp;
    Traffic traffic;
    traffic.packets = std::max<std::uint64_t>(1, (message.bytes + source.mss - 1) / source.mss);  // [TR-10]
    traffic.payload = message.bytes;
    traffic.wire = message.bytes + traffic.packets * packet::data_wire_bytes(0, stamped);
    return traffic;
}

RunInvariants::Traffic RunInvariants::total(std::uint32_t workload::Message::*end, std::size_t node) const
{
    Traffic sum;
    for (const workload::Message& message : assembly_.director().workload().messages) {
        if (message.*end == node) {
            const Traffic one = traffic_of(message);
            sum.packets += one.packets;
            sum.payload += one.payload;
            sum.wire += one.wire;
        }
    }
    return sum;
}

// Copies of the test hook come without the time that they would take on the link [SW-4].
bool RunInvariants::has_copies(const nic::NetworkPort& receiver) const
{
    return std::any_of(hops_.begin(), hops_.end(),
                       [&receiver](const Hop& hop) { return hop.to == &receiver && hop.link->copies() > 0; });
}

// [D5] No port moves more than its rate allows in the time of the run, whatever is counted.
void RunInvariants::check_rates()
{
    const Picoseconds end = assembly_.end_time();
    const auto elapsed = static_cast<double>(end - std::min(end, assembly_.director().first_posted()));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const nic::NetworkPort& port = nodes_[i]->nic.network_port();
        const nic::PortCounters& counters = port.counters();
        const std::uint64_t gaps = assembly_.config().nics[i].frame_gap_bytes * counters.tx_frames;
        const double sending = least_time(counters.tx_bytes, counters.tx_frames, port.rate());
        const double last_gap = least_time(assembly_.config().nics[i].frame_gap_bytes, 0, port.rate()) + 2;
        expect(elapsed >= sending, "[D5] sent faster than the link", i);
        expect(has_copies(port) || elapsed >= least_time(counters.rx_bytes, counters.rx_frames, port.rate()),
               "[D5] received faster than the link", i);
        expect(static_cast<double>(port.busy()) >= sending, "[XT-1] the port was busy for less than its frames take",
               i);
        expect(elapsed + last_gap >= least_time(counters.tx_bytes + gaps, counters.tx_frames, port.rate()),
               "[FR-4] gaps took no time", i);
        expect(port.busy() <= end, "[XT-1] the port was busy for longer than the run", i);
        for (const auto where : {&workload::Message::source, &workload::Message::destination}) {
            const Traffic moved = total(where, i);
            expect(elapsed >= least_time(moved.wire, moved.packets, port.rate()),
                   "[D5] goodput above the link's payload rate", i);
        }
    }
}

void RunInvariants::check_pools(std::size_t node)
{
    const nic::Nic& nic = nodes_[node]->nic;
    std::uint64_t reserved = 0;
    for (const auto traffic_class : kClasses) {
        for (const nic::BytePool* pool :
             {&nic.egress_buffer().pool(traffic_class), &nic.ingress_buffer().pool(traffic_class)}) {
            expect(pool->occupancy() == 0, "[PL-3] a pool is not empty at the end", node);
            expect(pool->reserved() == pool->released(), "[PL-3] reservations are not releases", node);
            expect(pool->bytes_in() == pool->bytes_out(), "[PL-3] bytes reserved are not bytes released", node);
            expect(pool->peak() <= pool->size(), "[PL-3] a peak above the pool", node);
        }
        reserved += nic.egress_buffer().pool(traffic_class).reserved();
    }
    // [EG-3] what has room is sent: nothing is dropped on the way out
    expect(reserved == nic.network_port().counters().tx_frames, "[EG-3] a frame with room was not sent", node);
    expect(nic.egress_buffer().pool(kClasses[0]).bytes_in() + nic.egress_buffer().pool(kClasses[1]).bytes_in() ==
               nic.network_port().counters().tx_bytes,
           "[EG-1] bytes reserved are not bytes sent", node);
}

void RunInvariants::check_pcie(std::size_t node)
{
    const config::HostInterfaceConfig& host = assembly_.config().nics[node].host_interface;
    const pcie::TransactionLayer& near = nodes_[node]->nic.transaction_layer();
    const pcie::TransactionLayer& far = nodes_[node]->root_port.transaction_layer();
    check_pcie_direction(near, far, host.host_side, node);
    check_pcie_direction(far, near, host.nic_side, node);
}

void RunInvariants::check_pcie_direction(const pcie::TransactionLayer& from, const pcie::TransactionLayer& to,
                                         const config::PcieSide& receiving, std::size_t node)
{
    expect(from.path().idle(), "[WL-5] transfers are left in a PCIe queue", node);
    expect(from.path().header_occupancy() == 0 && from.path().data_occupancy() == 0,
           "[PC-9] a transmit buffer is not empty at the end", node);
    const pcie::CreditUnits occupied = to.receive_buffer().occupancy();
    expect(occupied.header == 0 && occupied.data == 0, "[PC-9] a receive buffer is not empty at the end", node);
    const pcie::CreditUnits used = from.path().credits().consumed();
    const pcie::CreditUnits limit = to.receive_buffer().limit();
    expect(limit.header - receiving.rx_header_buffer == used.header, "[PC-9] header credits got lost", node);
    expect(limit.data - receiving.rx_data_buffer == used.data, "[PC-9] data credits got lost", node);
}

void RunInvariants::check_transport(std::size_t node)
{
    const nic::Nic& nic = nodes_[node]->nic;
    const auto& sent = nic.transport().sender().counters();
    const auto& received = nic.transport().receiver().counters();
    expect(nic.transport().live_frames() == 0, "a frame is alive at the end", node);
    expect(nic.transport().receiver().waiting() == 0, "[EG-6] an acknowledgement still waits", node);
    expect(frames_sent(nic) == nic.network_port().counters().tx_frames, "[EG-3] frames handed down are not frames sent",
           node);
    expect(sent.data_sent == total(&workload::Message::source, node).packets + sent.retransmissions,
           "[TR-10] data sent is not packets + retransmissions", node);
    const std::uint64_t repeated = received.duplicates + received.window_discards + received.trims_seen;
    expect(received.data_received == total(&workload::Message::destination, node).packets + repeated,
           "[TR-61] a packet was not taken exactly once", node);
    expect(sent.retransmissions <= sent.rto_fired + sent.gap_losses + sent.nacks_received,
           "[TR-87] a retransmission without a cause", node);
    if (!assembly_.config().nic.transport.qp_per_message) {
        expect(received.unknown_received == 0, "[TR-3] a frame for no queue pair", node);
        // [TR-81] a NACK may come after the packet has been acknowledged: doubled, delayed or by another path
        expect(sent.invalid_received <= sent.nacks_received, "[TR-73] an acknowledgement of what was never sent", node);
    }
}

void RunInvariants::check_host(std::size_t node)
{
    const auto& statistics = nodes_[node]->root_port.root_complex().statistics().statistics();
    const auto value = [&statistics](std::string_view name) {
        const auto found = std::find_if(statistics.begin(), statistics.end(),
                                        [name](const Statistic& statistic) { return statistic.name == name; });
        return std::get<std::uint64_t>(found->read());
    };
    expect(value("bytes_read") == total(&workload::Message::source, node).payload,
           "[TR-55, TR-56] a byte was not fetched exactly once", node);
    expect(value("bytes_written") == total(&workload::Message::destination, node).payload,
           "[TR-60] a byte was not written exactly once", node);
    expect(value("errors") == 0, "host memory refused an access", node);
    expect(nodes_[node]->nic.dma().failed_reads() == 0, "[PC-3] a read failed", node);
}

void RunInvariants::check_links()
{
    for (std::size_t i = 0; i < hops_.size(); ++i) {
        const net::NetworkLink& link = *hops_[i].link;
        expect(link.frames() == hops_[i].from->counters().tx_frames, "[SW-4] sent is not what entered the link", i);
        expect(link.frames() + link.copies() == link.dropped() + hops_[i].to->counters().rx_frames,
               "[SW-4] sent is not dropped + arrived", i);
        expect(link.live_copies() == 0, "[SW-4] a copy is alive at the end", i);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const nic::Nic& nic = nodes_[i]->nic;
        expect(nic.network_port().counters().rx_frames == frames_seen(nic) + nic.ingress_buffer().drops(),
               "[E12] arrived is not delivered + rx_drops", i);
    }
}

// [SW-13, SW-15, SW-16] Accounts stay inside their pools; pools are the sums of their ports.
void RunInvariants::check_switch_now(const net::Switch& network_switch)
{
    for (const net::BufferAccounts* accounts : {&network_switch.ingress(), &network_switch.egress()}) {
        for (std::size_t pool = 0; pool < accounts->pools(); ++pool) {
            expect(accounts->total(pool) <= accounts->size(pool), "[SW-13] a pool holds more than its size",
                   network_switch.node());
        }
    }
    const config::SwitchConfig& policy = assembly_.config().network_switch;
    const std::uint64_t limit = policy.queue_limit() + policy.queue_limit() / 2;  // [SW-24]
    for (std::size_t i = 0; i < network_switch.port_count() && policy.uet_policy_enabled; ++i) {
        for (std::size_t traffic_class = 0; traffic_class < network_switch.port(i).classes(); ++traffic_class) {
            expect(network_switch.port(i).queued_bytes(traffic_class) <= limit, "[SW-23] a queue above its limit",
                   network_switch.node());
        }
    }
}

void RunInvariants::check_switch_end(const net::Switch& network_switch)
{
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < network_switch.port_count(); ++i) {
        const net::SwitchPort& port = network_switch.port(i);
        in += port.port.counters().rx_frames;
        out += port.port.counters().tx_frames + port.tx_drops() + port.rx_drops();
        for (std::size_t traffic_class = 0; traffic_class < port.classes(); ++traffic_class) {
            expect(port.queued_bytes(traffic_class) == 0, "[SW-13] a queue of a switch is not empty",
                   network_switch.node());
            expect(port.ingress_bytes(traffic_class) == 0, "[SW-13] an ingress account is not empty",
                   network_switch.node());
        }
    }
    for (std::size_t pool = 0; pool < network_switch.egress().pools(); ++pool) {
        expect(network_switch.ingress().total(pool) == 0 && network_switch.egress().total(pool) == 0,
               "[SW-13] a pool is not empty at the end", network_switch.node());
    }
    expect(network_switch.unroutable() == 0, "[SW-51] a frame had no route", network_switch.node());
    expect(in == out, "[SW-10] a switch's frames in are not out + dropped", network_switch.node());
}

namespace {

std::string text_of(const StatisticValue& value)
{
    return std::visit([](auto number) { return fmt::format("{}", number); }, value);
}

void add_port(std::string& text, std::string_view name, std::size_t i, const nic::NetworkPort& port)
{
    const nic::PortCounters& counters = port.counters();
    text += fmt::format("{} {}: tx {} frames {} B, rx {} frames {} B, busy {}\n", name, i, counters.tx_frames,
                        counters.tx_bytes, counters.rx_frames, counters.rx_bytes, port.busy());
}

void add_switch(std::string& text, const net::Switch& network_switch)
{
    for (std::size_t i = 0; i < network_switch.port_count(); ++i) {
        const net::SwitchPort& port = network_switch.port(i);
        add_port(text, fmt::format("switch {} port", network_switch.id()), i, port.port);
        for (std::size_t traffic_class = 0; traffic_class < port.classes(); ++traffic_class) {
            text += fmt::format(
                "class {}: mean {}, {} marked, {} trimmed, {} at the last hop, {} dropped on egress, "
                "{} dropped on ingress\n",
                traffic_class, port.mean_queue(traffic_class), port.ecn_marked(traffic_class),
                port.trimmed(traffic_class), port.trimmed_lasthop(traffic_class), port.egress_drops(traffic_class),
                port.ingress_drops(traffic_class));
        }
    }
}

}  // namespace

std::string fingerprint(Assembly& assembly)
{
    std::string text = fmt::format("end {}\n", assembly.end_time());
    const workload::Director& director = assembly.director();
    for (std::size_t i = 0; i < director.records().size(); ++i) {
        const workload::MessageRecord& record = director.records()[i];
        text += fmt::format("message {}: {} {} {} {}\n", director.workload().messages[i].id, record.posted,
                            record.send_complete, record.wqe_complete, record.recv_complete);
    }
    const std::vector<platforms::Node*> nodes = assembly.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const record::StatisticSource& source : platforms::node_statistics(*nodes[i])) {
            for (const Statistic* statistic : record::statistics_of(source)) {
                text +=
                    fmt::format("node {}: {}.{} {}\n", i, source.section, statistic->name, text_of(statistic->read()));
            }
        }
        const transport::RttSamples& rtt = nodes[i]->nic.transport().sender().rtt();
        text += fmt::format("node {}: rtt {} {} {} {} {}\n", i, rtt.count, rtt.last, rtt.minimum, rtt.maximum, rtt.sum);
        add_port(text, "port", i, nodes[i]->nic.network_port());
    }
    for (const net::NetworkLink* link : assembly.links()) {
        text += fmt::format("link: {} frames, {} dropped, {} marked, {} copies\n", link->frames(), link->dropped(),
                            link->marked(), link->copies());
    }
    for (const net::Switch* network_switch : assembly.switches()) {
        add_switch(text, *network_switch);
    }
    return text;
}

std::string difference(std::string_view one, std::string_view other)
{
    const auto [here, there] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    if (here == one.end() && there == other.end()) {
        return {};
    }
    const auto line = [](std::string_view text, std::size_t at) {
        const std::size_t before = text.rfind('\n', at);
        const std::size_t start = before == std::string_view::npos || at == 0 ? 0 : before + 1;
        return std::string{text.substr(start, text.find('\n', at) - start)};
    };
    const auto at = static_cast<std::size_t>(here - one.begin());
    return fmt::format("'{}' against '{}'", line(one, at), line(other, at));
}

}  // namespace mrcnic::testbench
