#include "mrcnic/platforms/registry.h"

#include <array>
#include <stdexcept>
#include <string_view>

#include "mrcnic/platforms/leaf_spine.h"
#include "mrcnic/platforms/line_rate_receive.h"
#include "mrcnic/platforms/pair.h"
#include "mrcnic/platforms/star.h"

namespace mrcnic::platforms {

namespace {

struct Entry {
    std::string_view name;
    std::unique_ptr<Platform> (*make)(const config::Config&);
};

template <typename P>
std::unique_ptr<Platform> make(const config::Config& config)
{
    return std::make_unique<P>(config.platform.c_str(), config);
}

constexpr std::array<Entry, 4> kPlatforms{{
    {"pair", make<Pair>},
    {"star", make<Star>},
    {"leaf_spine", make<LeafSpine>},
    {"line_rate_receive", make<LineRateReceive>},
}};

}  // namespace

std::unique_ptr<Platform> make_platform(const config::Config& config)
{
    for (const Entry& entry : kPlatforms) {
        if (entry.name == config.platform) {
            return entry.make(config);
        }
    }
    throw std::invalid_argument{"no platform is called " + config.platform};
}

}  // namespace mrcnic::platforms
