#include "testbench/support/random_case.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "mrcnic/base/pool_split.h"
#include "mrcnic/base/shared_buffer_split.h"
#include "mrcnic/config/checks.h"
#include "mrcnic/config/edit.h"
#include "mrcnic/packet/wire_size.h"
#include "testbench/support/random_draws.h"

namespace mrcnic::testbench {
namespace {

constexpr std::uint64_t kGbps = 1'000'000'000;
constexpr std::uint64_t kNs = 1'000;
constexpr std::uint64_t kUs = 1'000'000;
constexpr std::uint64_t kMaxTransferPayload = 512;  // [PC-2]
constexpr std::uint64_t kMaxMessageBytes = 200'000;

/// Draws the attributes of a case. Ranges are narrower than the table's, so that every run ends soon; what depends on
/// others (smallest buffers) follows from what was drawn before.
class Attributes {
public:
    Attributes(RandomDraws& draws, const CaseShape& shape)
        : draws_{draws}, switched_{shape.platform != "pair"}, unequal_windows_{draws.chance(0.15)}
    {
        set("platform", shape.platform);
        if (shape.platform == "star") {
            nics_ = draws_.between(2, 7);
            set("fabric.Nics", nics_);
        } else if (shape.platform == "leaf_spine") {
            draw_leaves_and_spines();
        }
        draw_segments();
        draw_common();
        draw_dscp();
        draw_transport("nic.");
        draw_node("nic.", false);
        for (std::uint64_t nic = 0; nic < nics_; ++nic) {
            if (draws_.chance(0.2)) {
                draw_node(fmt::format("nics[{}].", nic), true);
            }
        }
        if (unequal_windows_) {
            draw_unequal_windows();
        }
        if (draws_.chance(0.15)) {
            draw_slow_host();
        }
        if (switched_) {
            draw_switch();
        }
    }

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> take() { return std::move(settings_); }
    [[nodiscard]] std::uint64_t nics() const noexcept { return nics_; }
    [[nodiscard]] std::size_t links() const noexcept { return 2 * (switched_ ? nics_ + uplinks_ : 1); }
    [[nodiscard]] std::uint64_t mss() const noexcept { return mss_; }
    [[nodiscard]] bool unequal_windows() const noexcept { return unequal_windows_; }

private:
    void set(std::string path, std::string value) { settings_.emplace_back(std::move(path), std::move(value)); }
    void set(std::string path, std::uint64_t value) { set(std::move(path), std::to_string(value)); }
    /// Sets it in a share of the cases only: the others keep the default, so that a failure's list stays short.
    template <typename Value>
    void maybe(const std::string& path, Value value, double probability = 0.35)
    {
        if (draws_.chance(probability)) {
            set(path, value);
        }
    }
    void maybe_flag(const std::string& path) { maybe(path, draws_.one_of<std::string>({"true", "false"})); }

    [[nodiscard]] std::uint64_t rate()
    {
        const std::uint64_t least = switched_ ? 10 : 1;
        switch (draws_.between(0, 3)) {
            case 0:
                return draws_.one_of<std::uint64_t>({100, 200, 400, 800, 1600}) * kGbps;
            case 1:
                return draws_.one_of<std::uint64_t>({11, 13, 37, 101, 397, 401, 797, 1'597}) * kGbps;
            case 2:
                return draws_.one_of<std::uint64_t>({10'000'000'019, 399'999'999'989, 1'000'000'000'039});
            default:
                return draws_.magnitude_between(least * kGbps, 1'600 * kGbps);
        }
    }
    [[nodiscard]] std::uint64_t time(std::uint64_t high)
    {
        return draws_.chance(0.2) ? 0 : draws_.magnitude_between(1, high);
    }
    /// From the smallest legal size up, which is drawn often.
    [[nodiscard]] std::uint64_t size_from(std::uint64_t smallest, std::uint64_t high)
    {
        switch (draws_.between(0, 3)) {
            case 0:
                return smallest;
            case 1:
                return draws_.between(smallest, 3 * smallest);
            default:
                return draws_.magnitude_between(smallest, std::max(high, smallest));
        }
    }

    void draw_leaves_and_spines()
    {
        const std::uint64_t leaves = draws_.between(1, 3);
        const std::uint64_t below = draws_.between(leaves == 1 ? 2 : 1, 5);
        const std::uint64_t spines = draws_.chance(0.5) ? 1 : draws_.between(1, 3);  // often too few: queues at leaves
        const std::uint64_t parallel = draws_.chance(0.7) ? 1 : 2;
        nics_ = leaves * below;
        uplinks_ = leaves * spines * parallel;
        set("fabric.Leaves", leaves);
        set("fabric.NicsPerLeaf", below);
        set("fabric.Spines", spines);
        set("fabric.ParallelLinks", parallel);
        maybe("switch.UplinkDelay", time(2 * kUs), 0.4);
        maybe("switch.EcmpHashMethod", draws_.one_of<std::string>({"crc32WithSalt", "crc32", "dpr"}), 0.4);
    }

    void draw_segments()
    {
        if (unequal_windows_) {
            mss_ = draws_.between(64, 512);
            set("nic.SemanticLayer.MSS", mss_);
        } else if (draws_.chance(0.7)) {
            mss_ = draws_.chance(0.3)
                       ? draws_.one_of<std::uint64_t>({1, 2, 63, 64, 511, 512, 513, 1024, 8192, 15'999, 16'000})
                       : draws_.magnitude_between(64, 16'000);
            set("nic.SemanticLayer.MSS", mss_);
        }
        stamped_ = draws_.chance(0.3);
        if (stamped_) {
            set("nic.CongestionControl.RTTTimestampMode", "WireTimestamp");
        }
    }

    /// Of the whole run, or meaningless for one NIC alone.
    void draw_common()
    {
        maybe("simulation.PayloadMode", std::string{"bytes"}, 0.33);
        maybe("workload.StartTime", time(2 * kUs), 0.2);
        maybe("nic.Transport.QpsPerDestination", draws_.between(1, 4));
        maybe("nic.Transport.QpPerMessage", std::string{"true"}, 0.2);
        maybe("nic.Transport.UdpDestinationPort", draws_.between(0, 65'535), 0.1);
        const std::uint64_t request = draws_.magnitude_between(1, 2'000);
        maybe("nic.HostInterface.ReadRequestSize", request, 0.4);
        largest_transfer_ = std::min(kMaxTransferPayload, std::max({mss_, request, std::uint64_t{64}}));
    }

    void draw_dscp()
    {
        if (!draws_.chance(0.2)) {
            return;
        }
        std::vector<std::uint64_t> codepoints(64);
        std::iota(codepoints.begin(), codepoints.end(), std::uint64_t{0});
        draws_.shuffle(codepoints);
        std::size_t next = 0;
        for (const char* role : {"NoTrim", "Trimmable", "TrimmableRtx", "Trimmed", "TrimmedLastHop", "Control"}) {
            set(fmt::format("nic.Transport.Dscp{}", role), codepoints[next++]);
        }
    }

    void draw_transport(const std::string& nic)
    {
        maybe_flag(nic + "Transport.DestinationGroupsEnabled");
        maybe(nic + "Transport.MaxPsnRange", 128 * draws_.one_of<std::uint64_t>({1, 1, 2, 3, 17, 32, 255}));
        maybe_flag(nic + "Transport.TrimmingEnabled");
        maybe_flag(nic + "Transport.UseDistinctDSCPForRetransmit");
        maybe(nic + "Transport.TurnTime", time(200 * kNs), 0.2);
        maybe_flag(nic + "Transport.AckRequestFirstPacket");
        maybe_flag(nic + "Transport.AckRequestLastPacket");
        maybe(nic + "Transport.AckRequestEveryNthPacket", draws_.magnitude_between(1, 64));
        maybe(nic + "Transport.SackTriggerBytes", draws_.between(0, 50'000), 0.2);
        maybe(nic + "Transport.ServiceTimeStep", time(100 * kNs), 0.2);
        maybe_flag(nic + "Transport.RecvCompleteAfterWrite");
        maybe(nic + "Transport.InitialRetransmitTimeout", draws_.between(100 * kUs, 1'000 * kUs));
        maybe(nic + "Transport.MaxExponentialRTOBackoffCount", draws_.between(2, 7), 0.2);
        maybe(nic + "Transport.RtoBackoffCounts", std::string{"Retransmissions"}, 0.2);
        maybe_flag(nic + "CongestionControl.NSCCEnable");
        maybe(nic + "CongestionControl.InitialBaseRTT", draws_.magnitude_between(10 * kNs, 50 * kUs));
        maybe(nic + "CongestionControl.OverrideMaxCongestionWindow", std::string{"true"}, 0.3);
        maybe(nic + "CongestionControl.MaxCongestionWindow", draws_.magnitude_between(1, 500));
        maybe(nic + "CongestionControl.NominalHeaderBytes", draws_.between(0, 200), 0.2);
        maybe(nic + "Paths.PacketSprayingType", draws_.one_of<std::string>({"None", "RoundRobin", "EvRotation"}));
        maybe(nic + "Paths.StartingPortOffset", draws_.between(0, 65'535), 0.2);
        maybe(nic + "Paths.EntropyMaskBits", draws_.between(0, 8), 0.2);
    }

    void draw_node(const std::string& nic, bool with_transport)
    {
        maybe(nic + "UplinkNetworkInterface.DataRate", rate(), 0.6);
        maybe(nic + "UplinkNetworkInterface.FrameGapBytes", draws_.one_of<std::uint64_t>({1, 20, 999}), 0.2);
        maybe(nic + "TransmissionMedium.Delay", time(2 * kUs), 0.6);
        maybe(nic + "EgressBufferManager.TotalBufferSize", size_from(smallest_buffer(), 300'000), 0.6);
        maybe(nic + "IngressBufferManager.TotalBufferSize", size_from(smallest_buffer(), 300'000), 0.5);
        draw_pcie_side(nic + "HostInterface.NICSide.");
        draw_pcie_side(nic + "HostInterface.HostSide.");
        maybe(nic + "HostInterface.HostSide.MemoryLatency", time(2 * kUs), 0.3);
        if (with_transport) {
            draw_transport(nic);
            maybe(nic + "SemanticLayer.MSS", draws_.between((mss_ + 3) / 4, mss_), 0.3);  // buffers hold the largest
            maybe(nic + "CongestionControl.RTTTimestampMode", std::string{"SenderRecord"}, 0.3);
        }
    }

    /// [TR-18, TR-82] The only way to a NACK of this reason: a sender that has not heard of a small window yet, far
    /// beyond a packet that was lost.
    void draw_unequal_windows()
    {
        for (std::uint64_t nic = 0; nic < nics_; ++nic) {
            set(fmt::format("nics[{}].Transport.MaxPsnRange", nic), draws_.chance(0.5) ? 128 : 32'640);
        }
        set("nic.TransmissionMedium.Delay", 2 * kUs);
        set("nic.CongestionControl.OverrideMaxCongestionWindow", "true");
        set("nic.CongestionControl.MaxCongestionWindow", 1'000);
    }

    /// [PC-7] One that does not keep up with its link: the ingress pool fills and drops.
    void draw_slow_host()
    {
        const std::string nic = fmt::format("nics[{}].", draws_.between(0, nics_ - 1));
        set(nic + "HostInterface.NICSide.LaneCount", draws_.between(1, 4));
        set(nic + "HostInterface.NICSide.TXHeaderBufferSize", draws_.between(34, 340));
        set(nic + "IngressBufferManager.TotalBufferSize", draws_.between(smallest_buffer(), 3 * smallest_buffer()));
    }

    [[nodiscard]] std::uint64_t smallest_buffer() const
    {
        const std::uint64_t data = packet::data_wire_bytes(static_cast<std::uint32_t>(mss_), stamped_);
        return PoolSplit::smallest_total(data, packet::kSackWireBytes);
    }

    void draw_pcie_side(const std::string& side)
    {
        constexpr std::uint64_t header = 34;  // [PC-2]
        maybe(side + "LaneCount", draws_.between(1, 16));
        maybe(side + "LaneBps", draws_.one_of<std::uint64_t>({7'877'000'000, 15'754'000'000, 31'999'999'981}), 0.2);
        maybe(side + "TXHeaderBufferSize", size_from(header, 2'000));
        maybe(side + "RXHeaderBufferSize", size_from(header, 2'000));
        maybe(side + "TXDataBufferSize", size_from(largest_transfer_, 20'000));
        maybe(side + "RXDataBufferSize", size_from(largest_transfer_, 20'000));
    }

    void draw_switch()
    {
        constexpr std::uint64_t not_charged = packet::kEthernetBytes + packet::kFcsBytes;
        const std::uint64_t largest = packet::data_wire_bytes(static_cast<std::uint32_t>(mss_), stamped_) - not_charged;
        maybe("switch.DataRate", rate(), 0.5);
        maybe("switch.ForwardingLatency", time(kUs), 0.3);
        if (draws_.chance(0.5)) {
            set("switch.QueueDropThreshold", draws_.between(1, 5));
            set("switch.PlaneBDP", size_from(std::max<std::uint64_t>(largest, 76), 100'000));  // [SW-12] SACK 76
        }
        maybe_flag("switch.TrimmingEnabled");
        maybe("switch.UETPolicyEnabled", std::string{"false"}, 0.1);
        if (draws_.chance(0.3)) {  // [SW-15, SW-16] pools of a few frames
            set("switch.HeadRoomPerPortLimit", std::uint64_t{0});
            const std::uint64_t smallest =
                SharedBufferSplit::smallest_sizing_total(std::max<std::uint64_t>(largest, 76), 76);
            set("switch.TotalSharedBufferSize", size_from(smallest, 300'000));
        }
        draw_ecn();
    }

    void draw_ecn()
    {
        maybe_flag("switch.EnableEcn");
        maybe("switch.EwmaWeight", draws_.one_of<std::string>({"0", "0.1", "0.5", "1"}), 0.3);
        if (draws_.chance(0.5)) {
            const std::uint64_t low = draws_.between(0, 50);
            set("switch.MinThreshold", fmt::format("{}", static_cast<double>(low) / 100));
            set("switch.MaxThreshold", fmt::format("{}", static_cast<double>(draws_.between(low, 100)) / 100));
        }
        maybe("switch.MaxMarkProbability", std::string{"0.3"}, 0.2);
    }

    RandomDraws& draws_;
    bool switched_;
    bool unequal_windows_;
    std::uint64_t nics_{2};
    std::uint64_t uplinks_{0};
    std::uint64_t mss_{4096};
    bool stamped_{false};
    std::uint64_t largest_transfer_{kMaxTransferPayload};
    std::vector<std::pair<std::string, std::string>> settings_;
};

std::uint64_t draw_size(RandomDraws& draws, std::uint64_t mss, std::uint64_t most)
{
    switch (draws.between(0, 5)) {
        case 0:
            return draws.between(0, 1);
        case 1:
            return std::min(most, mss * draws.between(1, 4));
        case 2:
            return std::min(most, mss * draws.between(1, 4) + 1);
        default:
            return draws.magnitude_between(1, most);
    }
}

std::uint64_t draw_start(RandomDraws& draws)
{
    constexpr std::uint64_t full_frame = 83'480;  // [FR-4] at 400 Gbps: ends and postings coincide
    switch (draws.between(0, 3)) {
        case 0:
            return 0;
        case 1:
            return kUs;
        case 2:
            return full_frame * draws.between(1, 20);
        default:
            return draws.between(0, 5 * kUs);
    }
}

std::string draw_workload(RandomDraws& draws, std::uint64_t nics, std::uint64_t mss, std::uint64_t packets)
{
    const std::uint64_t count = draws.magnitude_between(1, 60);
    const std::uint64_t most = std::min(kMaxMessageBytes, std::max<std::uint64_t>(1, packets / count) * mss);
    const bool incast = nics > 2 && draws.chance(0.3);
    std::vector<std::uint64_t> ids(2 * count);
    std::iota(ids.begin(), ids.end(), std::uint64_t{1});
    draws.shuffle(ids);
    std::string text = "id,src,dst,bytes,start_ps,after,qp\n";
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t source = incast ? draws.between(1, nics - 1) : draws.between(0, nics - 1);
        const std::uint64_t destination = incast ? 0 : (source + draws.between(1, nics - 1)) % nics;
        const std::string after =
            i > 0 && draws.chance(0.3) ? std::to_string(ids[draws.between(0, i - 1)]) : std::string{};
        const std::string qp = draws.chance(0.2) ? std::to_string(draws.between(0, 3)) : std::string{};
        // One draw a statement: the order of a call's arguments is each compiler's own.
        const std::uint64_t start = draw_start(draws);
        const std::uint64_t bytes = draw_size(draws, mss, most);
        text += fmt::format("{},{},{},{},{},{},{}\n", ids[i], source, destination, bytes, start, after, qp);
    }
    return text;
}

std::vector<PlacedFault> draw_faults(RandomDraws& draws, std::size_t links)
{
    using Action = net::LinkFault::Action;
    std::vector<PlacedFault> faults;
    for (std::uint64_t left = draws.between(1, 4); left > 0; --left) {
        PlacedFault placed;
        net::LinkFault& fault = placed.fault;
        placed.link = draws.between(0, links - 1);
        fault.action = draws.one_of<Action>(
            {Action::drop, Action::drop, Action::drop, Action::mark, Action::duplicate, Action::delay});
        switch (draws.between(0, 3)) {
            case 0:
                fault.probability = static_cast<double>(draws.between(1, 20)) / 100;
                fault.seed = draws.between(1, 1'000);
                break;
            case 1:
                fault.every = draws.between(3, 50);
                break;
            default:
                fault.nth = draws.between(1, 60);
        }
        if (fault.action == Action::delay) {
            fault.extra_delay = static_cast<Picoseconds>(draws.magnitude_between(1, 20 * kUs));
        }
        if (draws.chance(0.2)) {
            fault.only = draws.one_of<packet::FrameKind>({packet::FrameKind::data, packet::FrameKind::sack});
        }
        faults.push_back(placed);
    }
    return faults;
}

std::string describe(const PlacedFault& placed)
{
    constexpr std::array<const char*, 4> actions{"drop", "mark", "duplicate", "delay"};
    const net::LinkFault& fault = placed.fault;
    const std::string which = fault.nth != 0 ? fmt::format("frame {}", fault.nth)
                              : fault.every != 0
                                  ? fmt::format("every {}th frame", fault.every)
                                  : fmt::format("{} of the frames, seed {}", fault.probability, fault.seed);
    return fmt::format("# link {}: {} {}{}, {} ps\n", placed.link, actions[static_cast<std::size_t>(fault.action)],
                       which, fault.only ? fmt::format(" of kind {}", static_cast<int>(*fault.only)) : "",
                       fault.extra_delay);
}

}  // namespace

config::Config RandomCase::configuration(const std::string& workload_file) const
{
    config::Config config = config::default_config(shape.platform);
    for (const auto& [path, value] : settings) {
        config::set(config, path, value);
    }
    config::set(config, "workload.File", workload_file);
    for (const config::Error& error : config::validate(config)) {
        throw std::logic_error{error.text()};
    }
    return config;
}

std::string RandomCase::text() const
{
    std::string text = fmt::format("MRCNIC_TEST_SEED={}\n", seed);
    for (const PlacedFault& fault : faults) {
        text += describe(fault);
    }
    text +=
        fmt::format("cat >workload.csv <<END\n{}END\nmrcnic run platforms/examples/{}.toml", workload, shape.platform);
    for (const auto& [path, value] : settings) {
        text += fmt::format(" \\\n  --set '{}={}'", path, value);
    }
    return text + " \\\n  --set workload.File=workload.csv\n";
}

RandomCase random_case(std::uint64_t seed, const CaseShape& shape)
{
    RandomDraws draws{seed};
    RandomCase result;
    result.seed = seed;
    result.shape = shape;
    Attributes attributes{draws, shape};
    const std::uint64_t nics = attributes.nics();
    result.workload = draw_workload(draws, nics, attributes.mss(), shape.packets);
    if (shape.link_faults) {
        const std::size_t links = attributes.links();
        result.faults = draw_faults(draws, links);
        if (attributes.unequal_windows()) {
            const std::size_t link = draws.between(0, links - 1);
            result.faults.push_back({link, {net::LinkFault::Action::drop, draws.between(1, 3)}});
        }
    }
    result.settings = attributes.take();
    return result;
}

}  // namespace mrcnic::testbench
