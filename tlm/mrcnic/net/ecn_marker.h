#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace mrcnic::net {

/// Averages the queues of one egress port and decides which frames are marked [SW-40 .. SW-44].
class EcnMarker {
public:
    struct Parameters {
        bool enabled{true};
        double weight{0.1};           ///< of the newest queue in the average, 0 .. 1
        double min_bytes{0};          ///< below: never
        double max_bytes{0};          ///< at or above: always
        double max_probability{1.0};  ///< just below `max_bytes`
        std::uint64_t seed{0};        ///< of the port's generator, see `seed_of`
    };

    EcnMarker(const Parameters& parameters, std::size_t classes) : parameters_{parameters}, means_(classes) {}

    /// [SW-44] @param seed  `simulation.Seed`
    [[nodiscard]] static constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t switch_id,
                                                         std::uint64_t port) noexcept
    {
        return seed << 32U ^ switch_id << 16U ^ port;
    }

    /// A frame was admitted; `queued` are the bytes of its queue with it [SW-40].
    void admitted(std::size_t traffic_class, std::uint64_t queued) noexcept
    {
        double& mean = means_[traffic_class];
        mean = (1 - parameters_.weight) * mean + parameters_.weight * static_cast<double>(queued);
    }
    [[nodiscard]] double mean(std::size_t traffic_class) const noexcept { return means_[traffic_class]; }

    /// Probability that a frame of the class is marked now.
    [[nodiscard]] double probability(std::size_t traffic_class) const noexcept;
    /// The test of a frame that starts on the wire. Draws only between the thresholds [SW-42, SW-44].
    [[nodiscard]] bool marks(std::size_t traffic_class);

private:
    Parameters parameters_;
    std::vector<double> means_;
    std::unique_ptr<std::mt19937_64> generator_;  // 2.5 KB: made for a port that needs it
};

}  // namespace mrcnic::net
