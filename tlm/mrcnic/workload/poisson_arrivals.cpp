#include "mrcnic/workload/poisson_arrivals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "mrcnic/base/uniform.h"
#include "mrcnic/workload/exponential.h"
#include "mrcnic/workload/input_error.h"
#include "mrcnic/workload/text_input.h"

namespace mrcnic::workload {

namespace {

struct NextFlow {
    Picoseconds when;
    std::uint32_t source;

    // For the heap of the standard library, whose front is the greatest.
    bool operator<(const NextFlow& other) const noexcept
    {
        return when != other.when ? when > other.when : source > other.source;
    }
};

class Arrivals {
public:
    Arrivals(const SizeDistribution& sizes, const ArrivalParameters& parameters)
        : sizes_{sizes}, parameters_{parameters}, random_{parameters.seed}
    {
        for (const std::uint32_t source : parameters.sources) {
            add_next(source, 0);
        }
    }

    /// The next flow, unless the run time is over.
    [[nodiscard]] std::optional<Message> next();

private:
    void add_next(std::uint32_t source, Picoseconds after);
    [[nodiscard]] std::uint32_t draw_destination(std::uint32_t source);

    const SizeDistribution& sizes_;
    const ArrivalParameters& parameters_;
    std::mt19937_64 random_;
    std::vector<NextFlow> heap_;
};

void Arrivals::add_next(std::uint32_t source, Picoseconds after)
{
    const double gap = exponential(random_) * mean_gap(sizes_, parameters_.load, parameters_.link_rates[source]);
    const Picoseconds latest = parameters_.run_time > 0 ? parameters_.run_time : kLatestStart;
    if (gap <= static_cast<double>(latest - after)) {
        heap_.push_back({after + std::llround(gap), source});
        std::push_heap(heap_.begin(), heap_.end());
    }
}

std::optional<Message> Arrivals::next()
{
    if (heap_.empty()) {
        return std::nullopt;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    const NextFlow flow = heap_.back();
    heap_.pop_back();
    Message message;
    message.source = flow.source;
    message.start = flow.when;
    message.bytes = sizes_.bytes_at(100.0 * uniform(random_));
    message.destination = draw_destination(flow.source);
    add_next(flow.source, flow.when);
    return message;
}

std::uint32_t Arrivals::draw_destination(std::uint32_t source)
{
    const auto others = static_cast<double>(parameters_.link_rates.size() - 1);
    const auto drawn = static_cast<std::uint32_t>(uniform(random_) * others);
    return drawn < source ? drawn : drawn + 1;
}

}  // namespace

double mean_gap(const SizeDistribution& sizes, double load, BitsPerSecond link_rate)
{
    return sizes.mean() * 8.0 / (load * static_cast<double>(link_rate)) * static_cast<double>(kPicosecondsPerSecond);
}

Workload make_poisson_arrivals(const SizeDistribution& sizes, const ArrivalParameters& parameters,
                               const std::string& file)
{
    const std::uint64_t limit =
        parameters.message_count > 0 ? parameters.message_count : std::numeric_limits<std::uint64_t>::max();
    Workload workload;
    workload.file = file;
    Arrivals arrivals{sizes, parameters};
    while (workload.messages.size() < limit) {
        std::optional<Message> message = arrivals.next();
        if (!message) {
            break;
        }
        if (workload.messages.size() == kMostFlows) {
            throw InputError{file,
                             {{0, 0,
                               fmt::format("makes more than {} messages; allowed: a smaller workload.RunTime, "
                                           "workload.Load or workload.MessageCount",
                                           kMostFlows)}}};
        }
        message->id = workload.messages.size() + 1;
        workload.messages.push_back(*message);
    }
    return workload;
}

}  // namespace mrcnic::workload
