#include "mrcnic/net/ecn_marker.h"

#include "mrcnic/base/uniform.h"

namespace mrcnic::net {

double EcnMarker::probability(std::size_t traffic_class) const noexcept
{
    const double mean = means_[traffic_class];
    if (!parameters_.enabled || mean < parameters_.min_bytes) {
        return 0;
    }
    if (mean >= parameters_.max_bytes) {
        return 1;
    }
    return parameters_.max_probability * (mean - parameters_.min_bytes) /
           (parameters_.max_bytes - parameters_.min_bytes);
}

bool EcnMarker::marks(std::size_t traffic_class)
{
    const double mean = means_[traffic_class];
    if (!parameters_.enabled || mean < parameters_.min_bytes) {
        return false;
    }
    if (mean >= parameters_.max_bytes) {
        return true;
    }
    if (!generator_) {
        generator_ = std::make_unique<std::mt19937_64>(parameters_.seed);
    }
    return uniform(*generator_) < probability(traffic_class);
}

}  // namespace mrcnic::net
