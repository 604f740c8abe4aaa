#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mrcnic/packet/headers.h"

namespace mrcnic::net {

/// Egress ports of a destination: `members` ports from `first` on, equally good [SW-51].
struct Route {
    std::uint16_t first{0};
    std::uint16_t members{0};  ///< 0 = no route
};

/// Routes by destination address; quick where addresses lie close together, as those of a fabric do [SW-56].
class RouteTable {
public:
    void add(packet::Address address, const Route& route)
    {
        if (routes_.empty()) {
            first_address_ = address;
        } else if (address < first_address_) {
            routes_.insert(routes_.begin(), first_address_ - address, Route{});
            first_address_ = address;
        }
        const std::size_t index = address - first_address_;
        if (routes_.size() <= index) {
            routes_.resize(index + 1);
        }
        routes_[index] = route;
    }

    [[nodiscard]] Route find(packet::Address address) const noexcept
    {
        const std::size_t index = address - first_address_;
        return index < routes_.size() ? routes_[index] : Route{};
    }

private:
    packet::Address first_address_{0};
    std::vector<Route> routes_;
};

}  // namespace mrcnic::net
