#include "mrcnic/record/mrc_events.h"

#include <map>
#include <utility>

namespace mrcnic::record {

namespace {

const std::vector<std::string_view> kColumns{"time_utc",  "sim_time_ns", "component_name", "node_id", "local_QP",
                                             "remote_QP", "wqe_ID",      "wqe_size_bytes", "ev_type"};

}  // namespace

class MrcEvents::Observer : public transport::QueuePairObserver {
public:
    using End = transport::ConnectionEnd;
    using Message = transport::ObservedMessage;

    Observer(MrcEvents& events, const EventSource& source) : events_{events}, source_{source} {}

    void qp_created(const End& end) override
    {
        open_.emplace(end.local_qp, end);
        write(end, nullptr, "QP_CREATED");
    }
    void wqe_created(const End& end, const Message& message) override { write(end, &message, "WQE_CREATED"); }
    void send_complete(const End& end, const Message& message) override { write(end, &message, "SEND_COMPLETE"); }
    void wqe_complete(const End& end, const Message& message) override { write(end, &message, "WQE_COMPLETE"); }
    void recv_complete(const End& end) override { write(end, nullptr, "RECV_COMPLETE"); }
    void qp_terminated(const End& end) override
    {
        if (open_.erase(end.local_qp) > 0) {  // one that was never used was not created for this record
            write(end, nullptr, "QP_TERMINATED");
        }
    }

    void run_ended(Picoseconds time)
    {
        for (const auto& [number, end] : open_) {
            events_.write(source_, time, end, nullptr, "QP_TERMINATED");
        }
    }

private:
    void write(const End& end, const Message* message, std::string_view event)
    {
        events_.write(source_, events_.now_(), end, message, event);
    }

    MrcEvents& events_;
    const EventSource& source_;
    std::map<packet::QpNumber, End> open_;
};

MrcEvents::MrcEvents(std::filesystem::path path, std::vector<EventSource> sources, Utc utc,
                     std::function<Picoseconds()> now)
    : file_{std::move(path), kColumns}, utc_{std::move(utc)}, now_{std::move(now)}, sources_{std::move(sources)}
{
    for (const EventSource& source : sources_) {
        observers_.push_back(std::make_unique<Observer>(*this, source));
    }
}

MrcEvents::~MrcEvents() = default;

transport::QueuePairObserver& MrcEvents::observer(std::size_t i)
{
    return *observers_[i];
}

void MrcEvents::write(const EventSource& source, Picoseconds time, const transport::ConnectionEnd& end,
                      const transport::ObservedMessage* message, std::string_view event)
{
    file_.cell(utc_.now()).nanoseconds_cell(time).cell(source.component_name).cell(source.node_id);
    file_.cell(packet::QpEnd{end.local_address, end.local_qp});
    file_.cell(packet::QpEnd{end.remote_address, end.remote_qp});
    if (message != nullptr) {
        file_.cell(message->id).cell(message->bytes);
    } else {
        file_.empty_cell().empty_cell();
    }
    file_.cell(event).end_row();
}

void MrcEvents::finish(Picoseconds end)
{
    for (const auto& observer : observers_) {
        observer->run_ended(end);
    }
    file_.close();
}

}  // namespace mrcnic::record
