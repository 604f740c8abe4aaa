#include "mrcnic/record/mrc_monitor.h"

#include <optional>
#include <utility>

#include "mrcnic/record/monitor_row.h"

namespace mrcnic::record {

namespace {

std::vector<MonitorSelection::Nic> nics_of(const std::vector<MonitorSource>& sources)
{
    std::vector<MonitorSelection::Nic> nics;
    for (const MonitorSource& source : sources) {
        nics.push_back({source.node_id, source.address, source.rules});
    }
    return nics;
}

}  // namespace

class MrcMonitor::Observer : public transport::FrameObserver {
public:
    Observer(MrcMonitor& monitor, std::size_t nic)
        : monitor_{monitor}, nic_{nic}, source_{monitor.sources_[nic]}, roles_{source_.dscp}
    {
    }

    void frame_sent(const packet::Frame& frame, const transport::ConnectionEnd& end,
                    const transport::FlowState* flow) override
    {
        log(frame, end, true, flow, std::nullopt);
    }

    // [RC-69] Triggers first: the row that fires one is logged.
    void frame_received(const packet::Frame& frame, const transport::ConnectionEnd& end,
                        const transport::FlowState* flow, std::optional<Picoseconds> rtt) override
    {
        if (frame.kind == packet::FrameKind::sack) {
            monitor_.selection_.hear_sack(nic_, end, rtt, frame.cc_state.receiver_penalty);
        }
        log(frame, end, false, flow, rtt);
    }

private:
    void log(const packet::Frame& frame, const transport::ConnectionEnd& end, bool sent,
             const transport::FlowState* flow, std::optional<Picoseconds> rtt)
    {
        if (!monitor_.selection_.selects(nic_, end)) {
            return;
        }
        const std::uint64_t occupancy = source_.egress_data_occupancy();
        write_monitor_row(monitor_.file_, {monitor_.now_(), source_.component_name, source_.node_id, roles_, frame, end,
                                           sent, occupancy, flow, rtt});
    }

    MrcMonitor& monitor_;
    std::size_t nic_;
    const MonitorSource& source_;
    packet::DscpRoles roles_;
};

MrcMonitor::MrcMonitor(std::filesystem::path path, std::vector<MonitorSource> sources, std::function<Picoseconds()> now)
    : file_{std::move(path), monitor_columns()},
      now_{std::move(now)},
      sources_{std::move(sources)},
      selection_{nics_of(sources_)}
{
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        observers_.push_back(std::make_unique<Observer>(*this, i));
    }
}

MrcMonitor::~MrcMonitor() = default;

transport::FrameObserver& MrcMonitor::observer(std::size_t i)
{
    return *observers_[i];
}

}  // namespace mrcnic::record
