#include "mrcnic/workload/collective.h"

#include <utility>

namespace mrcnic::workload {

namespace {

class Expansion {
public:
    Expansion(const Collective& collective, const std::vector<Point>& starts, Workload& workload)
        : collective_{collective}, starts_{starts}, workload_{workload}, shares_(collective.nics.size())
    {
    }

    std::vector<CollectiveShare> run();

private:
    [[nodiscard]] std::size_t ranks() const noexcept { return collective_.nics.size(); }
    [[nodiscard]] std::uint64_t part() const noexcept
    {
        const std::uint64_t rest = collective_.bytes % ranks();
        return collective_.bytes / ranks() + (rest > 0 ? 1 : 0);
    }
    void ring(std::size_t steps, std::uint64_t bytes);
    void all_to_all();
    void broadcast();
    void transfer(std::size_t from, std::size_t to, std::uint64_t bytes, std::optional<Point> cause);

    const Collective& collective_;
    const std::vector<Point>& starts_;
    Workload& workload_;
    std::vector<CollectiveShare> shares_;
};

// [WL-55]
std::vector<CollectiveShare> Expansion::run()
{
    const std::size_t others = ranks() - 1;
    switch (collective_.kind) {
        case CollectiveKind::all_reduce:
            ring(2 * others, part());
            break;
        case CollectiveKind::all_gather:
            ring(others, collective_.bytes);
            break;
        case CollectiveKind::reduce_scatter:
            ring(others, part());
            break;
        case CollectiveKind::barrier:
            ring(2 * others, 0);
            break;
        case CollectiveKind::all_to_all:
            all_to_all();
            break;
        case CollectiveKind::broadcast:
            broadcast();
            break;
    }
    return std::move(shares_);
}

void Expansion::ring(std::size_t steps, std::uint64_t bytes)
{
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            std::optional<Point> cause;
            if (step > 0) {
                cause = Point{PointKind::message_received, shares_[rank].receives[step - 1]};
            }
            transfer(rank, (rank + 1) % ranks(), bytes, cause);
        }
    }
}

void Expansion::all_to_all()
{
    for (std::size_t distance = 1; distance < ranks(); ++distance) {
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            std::optional<Point> cause;
            if (collective_.in_turn && distance > 1) {
                cause = Point{PointKind::message_acknowledged, shares_[rank].sends.back()};
            }
            transfer(rank, (rank + distance) % ranks(), part(), cause);
        }
    }
}

void Expansion::broadcast()
{
    for (std::size_t distance = 1; distance < ranks(); ++distance) {
        transfer(collective_.root, (collective_.root + distance) % ranks(), collective_.bytes, std::nullopt);
    }
}

void Expansion::transfer(std::size_t from, std::size_t to, std::uint64_t bytes, std::optional<Point> cause)
{
    const std::size_t index = workload_.messages.size();
    const Point due{PointKind::message_due, index};
    Message message;
    message.id = index + 1;
    message.source = collective_.nics[from];
    message.destination = collective_.nics[to];
    message.bytes = bytes;
    if (!starts_.empty()) {
        workload_.waits.push_back({starts_[from], due});
    }
    if (cause) {
        workload_.waits.push_back({*cause, due});
    }
    if (!starts_.empty() || cause) {
        message.start_kind = StartKind::waits;
    }
    workload_.messages.push_back(message);
    shares_[from].sends.push_back(index);
    shares_[to].receives.push_back(index);
}

}  // namespace

std::vector<CollectiveShare> expand(const Collective& collective, const std::vector<Point>& starts, Workload& workload)
{
    return Expansion{collective, starts, workload}.run();
}

}  // namespace mrcnic::workload
