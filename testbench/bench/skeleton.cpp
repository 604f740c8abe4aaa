#include "testbench/bench/skeleton.h"

#include <algorithm>

namespace mrcnic::bench {

namespace {

constexpr std::uint64_t kWindow = 60;  // packets: some 5 us at 83.48 ns each, as in the model

// Times of a full packet at the defaults, to the nanosecond: they decide how many events are pending, no more.
constexpr Picoseconds kRequest = 540;
constexpr Picoseconds kTransfer = 8'667;
constexpr std::uint32_t kTransfersPerPacket = 8;
constexpr Picoseconds kWire = 83'480;
constexpr Picoseconds kPropagation = 100'000;
constexpr Picoseconds kAck = 1'880;

std::vector<Stage::Parameters> stages_of(Skeleton::Grain grain)
{
    using Kind = Stage::Kind;
    const Stage::Parameters request{Kind::serial, kRequest, 1};
    const Stage::Parameters wire{Kind::serial, kWire, 1};
    const Stage::Parameters arrival{Kind::delay, kPropagation, 1};
    if (grain == Skeleton::Grain::stage) {
        const Stage::Parameters packet{Kind::serial, kTransfer * kTransfersPerPacket, 1};
        const Stage::Parameters ack{Kind::delay, kAck + kPropagation, 1};
        return {request, packet, wire, arrival, packet, ack};
    }
    const Stage::Parameters packet{Kind::serial, kTransfer, kTransfersPerPacket};
    const Stage::Parameters ack{Kind::serial, kAck, 1};
    return {request, packet, wire, arrival, packet, ack, arrival};
}

}  // namespace

Stage::Stage(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module{name}, parameters_{parameters}, transfers_left_{parameters.transfers}
{
    SC_HAS_PROCESS(Stage);
    SC_METHOD(transfer_ended);
    sensitive << due_;
    dont_initialize();
}

void Stage::enter()
{
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    waiting_.push_back(now.value());
    if (waiting_.size() == 1) {
        arm(now);
    }
}

void Stage::arm(sc_core::sc_time now)
{
    const auto duration = static_cast<sc_dt::uint64>(parameters_.duration);
    const sc_dt::uint64 end = parameters_.kind == Kind::delay ? waiting_.front() + duration : now.value() + duration;
    due_.notify(sc_core::sc_time::from_value(end - now.value()));
}

void Stage::transfer_ended()
{
    ++events_;
    if (--transfers_left_ > 0) {
        arm(sc_core::sc_time_stamp());
        return;
    }
    transfers_left_ = parameters_.transfers;
    waiting_.pop_front();
    if (!waiting_.empty()) {
        arm(sc_core::sc_time_stamp());
    }
    leave();
}

/// Where the ACK comes home and lets the next packet go.
class Skeleton::LastStage : public Stage {
public:
    LastStage(const sc_core::sc_module_name& name, const Parameters& parameters, std::uint64_t packets)
        : Stage{name, parameters}, left_{packets}
    {
    }

    void start(Stage& first)
    {
        for (std::uint64_t i = std::min(kWindow, left_); i > 0; --i) {
            --left_;
            first.enter();
        }
    }
    [[nodiscard]] std::uint64_t acknowledged() const noexcept { return acknowledged_; }

private:
    void leave() override
    {
        ++acknowledged_;
        if (left_ > 0) {
            --left_;
            Stage::leave();
        }
    }

    std::uint64_t left_;
    std::uint64_t acknowledged_{0};
};

Skeleton::Skeleton(const sc_core::sc_module_name& name, Grain grain, std::uint64_t packets) : sc_module{name}
{
    add_direction("there", grain, packets / 2);
    add_direction("back", grain, packets / 2);
}

void Skeleton::add_direction(const std::string& name, Grain grain, std::uint64_t packets)
{
    Direction direction;
    const std::vector<Stage::Parameters> parameters = stages_of(grain);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string stage = name + "_" + std::to_string(i);
        if (i + 1 < parameters.size()) {
            direction.stages.push_back(std::make_unique<Stage>(stage.c_str(), parameters[i]));
        } else {
            auto last = std::make_unique<LastStage>(stage.c_str(), parameters[i], packets);
            direction.last = last.get();
            direction.stages.push_back(std::move(last));
        }
    }
    for (std::size_t i = 0; i < direction.stages.size(); ++i) {
        direction.stages[i]->then(*direction.stages[(i + 1) % direction.stages.size()]);
    }
    directions_.push_back(std::move(direction));
}

void Skeleton::start_of_simulation()
{
    for (Direction& direction : directions_) {
        direction.last->start(*direction.stages.front());
    }
}

std::uint64_t Skeleton::events() const noexcept
{
    std::uint64_t events = 0;
    for (const Direction& direction : directions_) {
        for (const auto& stage : direction.stages) {
            events += stage->events();
        }
    }
    return events;
}

std::uint64_t Skeleton::acknowledged() const noexcept
{
    std::uint64_t acknowledged = 0;
    for (const Direction& direction : directions_) {
        acknowledged += direction.last->acknowledged();
    }
    return acknowledged;
}

}  // namespace mrcnic::bench
