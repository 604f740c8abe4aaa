#include "mrcnic/packet/roles.h"

#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace mrcnic::packet {
namespace {

// [TR-35 .. TR-40] The default codepoints.
TEST(Roles, OfTheDefaultCodepoints)
{
    const DscpRoles roles{DscpCodepoints{}};
    EXPECT_EQ(roles.role_of(0), DscpRole::no_trim);
    EXPECT_EQ(roles.role_of(4), DscpRole::trimmable);
    EXPECT_EQ(roles.role_of(8), DscpRole::trimmable_rtx);
    EXPECT_EQ(roles.role_of(12), DscpRole::trimmed);
    EXPECT_EQ(roles.role_of(16), DscpRole::trimmed_lasthop);
    EXPECT_EQ(roles.role_of(46), DscpRole::control);
}

// [FR-3] [TR-35 .. TR-40] Trimmed frames and acknowledgements are control class, all else is data.
TEST(Roles, ClassOfEveryRole)
{
    EXPECT_EQ(class_of(DscpRole::no_trim), TrafficClass::data);
    EXPECT_EQ(class_of(DscpRole::trimmable), TrafficClass::data);
    EXPECT_EQ(class_of(DscpRole::trimmable_rtx), TrafficClass::data);
    EXPECT_EQ(class_of(DscpRole::trimmed), TrafficClass::control);
    EXPECT_EQ(class_of(DscpRole::trimmed_lasthop), TrafficClass::control);
    EXPECT_EQ(class_of(DscpRole::control), TrafficClass::control);
    EXPECT_EQ(class_of(DscpRole::unrecognized), TrafficClass::data);
}

// [TR-41] The other 58 codepoints are unrecognized and of data class.
TEST(Roles, UnknownCodepointsAreData)
{
    const DscpRoles roles{DscpCodepoints{}};
    const std::set<int> known{0, 4, 8, 12, 16, 46};
    for (int dscp = 0; dscp < 64; ++dscp) {
        const auto codepoint = static_cast<std::uint8_t>(dscp);
        EXPECT_EQ(roles.role_of(codepoint) != DscpRole::unrecognized, known.count(dscp) == 1) << dscp;
        const bool control = dscp == 12 || dscp == 16 || dscp == 46;
        EXPECT_EQ(roles.class_of(codepoint), control ? TrafficClass::control : TrafficClass::data) << dscp;
    }
}

// [TR-41] The codepoints are attributes: the class follows the role, wherever it is.
TEST(Roles, FollowTheConfiguredCodepoints)
{
    DscpCodepoints codepoints;
    codepoints.no_trim = 63;
    codepoints.trimmable = 62;
    codepoints.trimmable_rtx = 61;
    codepoints.trimmed = 60;
    codepoints.trimmed_lasthop = 59;
    codepoints.control = 0;
    const DscpRoles roles{codepoints};
    EXPECT_EQ(roles.role_of(63), DscpRole::no_trim);
    EXPECT_EQ(roles.role_of(62), DscpRole::trimmable);
    EXPECT_EQ(roles.role_of(61), DscpRole::trimmable_rtx);
    EXPECT_EQ(roles.role_of(60), DscpRole::trimmed);
    EXPECT_EQ(roles.role_of(59), DscpRole::trimmed_lasthop);
    EXPECT_EQ(roles.role_of(0), DscpRole::control);
    EXPECT_EQ(roles.class_of(0), TrafficClass::control);
    EXPECT_EQ(roles.role_of(46), DscpRole::unrecognized);
    EXPECT_EQ(roles.class_of(46), TrafficClass::data);
}

}  // namespace
}  // namespace mrcnic::packet
