#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mrcnic/config/attributes.h"
#include "mrcnic/config/origin.h"

namespace mrcnic::config {

/// A value and where it comes from. Path values stand as they were written.
struct Setting {
    Value value;
    Origin origin;
};

/// One line of the effective configuration: an attribute, or what one NIC has instead.
struct EffectiveValue {
    Target target;
    Value value;    ///< paths resolved, as the run uses them
    Value written;  ///< paths as written, which do not depend on where the file lies
    Origin origin;
};

/// The values of all attributes while they are gathered: defaults at first, then whatever file and command line say.
class Settings {
public:
    Settings();

    /// The last one wins. A NIC's own value always goes before that of all NICs.
    void set(const Target& target, Setting setting);

    /// Builds the structs. Values for NICs beyond the platform's count are left out.
    [[nodiscard]] Config to_config() const;

    /// Every attribute in the table's order, then the NICs' own values by NIC and the table's order.
    [[nodiscard]] std::vector<EffectiveValue> effective() const;

    /// Where a fault lies that involves these paths: the first that was set at all, a NIC's own value first.
    [[nodiscard]] Origin origin_of(const std::vector<std::string>& paths) const;

    /// The values that single NICs have of their own, and where they come from.
    [[nodiscard]] std::vector<std::pair<Target, Origin>> nic_settings() const;

private:
    [[nodiscard]] const Setting* own_setting(const Target& target) const;

    std::vector<Setting> common_;  // by position in attributes()
    std::map<std::pair<std::uint32_t, std::size_t>, Setting> own_;
};

}  // namespace mrcnic::config
