#include "mrcnic/record/monitor_selection.h"

#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::record {
namespace {

using transport::ConnectionEnd;

constexpr packet::Address kFirst = 0x0A00'0001U;
constexpr Picoseconds kUs = 1'000'000;

/// NICs 0, 1, 2 at 10.0.0.1 and on, all with the same rules.
MonitorSelection selection_of(const MonitorRules& rules)
{
    std::vector<MonitorSelection::Nic> nics;
    for (std::uint16_t i = 0; i < 3; ++i) {
        nics.push_back({i, kFirst + i, rules});
    }
    return MonitorSelection{nics};
}

/// From QP `qp` of NIC `local` to QP `remote_qp` of NIC `remote`.
ConnectionEnd end(std::uint32_t local, packet::QpNumber qp, std::uint32_t remote, packet::QpNumber remote_qp)
{
    return {kFirst + local, qp, kFirst + remote, remote_qp};
}

// [RC-67] `All` matches everything; [RC-24] off selects nothing.
TEST(MonitorSelection, OnAndOff)
{
    MonitorRules rules;
    EXPECT_FALSE(rules.can_select());
    EXPECT_FALSE(selection_of(rules).selects(0, end(0, 1, 1, 1)));
    rules.filters = true;
    EXPECT_TRUE(rules.can_select());
    EXPECT_TRUE(selection_of(rules).selects(0, end(0, 1, 1, 1)));
}

// [RC-67] Each filter, on the NIC that looks.
TEST(MonitorSelection, Filters)
{
    MonitorRules node;
    node.filters = true;
    node.node = 1;
    EXPECT_TRUE(selection_of(node).selects(1, end(1, 1, 0, 1)));
    EXPECT_FALSE(selection_of(node).selects(0, end(0, 1, 1, 1)));

    MonitorRules local;
    local.filters = true;
    local.local = kFirst + 1;
    EXPECT_TRUE(selection_of(local).selects(1, end(1, 1, 0, 1)));
    EXPECT_FALSE(selection_of(local).selects(0, end(0, 1, 1, 1)));

    MonitorRules remote;
    remote.filters = true;
    remote.remote = kFirst + 1;
    EXPECT_TRUE(selection_of(remote).selects(0, end(0, 1, 1, 1)));
    EXPECT_FALSE(selection_of(remote).selects(1, end(1, 1, 0, 1)));

    MonitorRules either;
    either.filters = true;
    either.end = packet::QpEnd{kFirst, 2};
    EXPECT_TRUE(selection_of(either).selects(0, end(0, 2, 1, 5)));
    EXPECT_TRUE(selection_of(either).selects(1, end(1, 5, 0, 2)));
    EXPECT_FALSE(selection_of(either).selects(0, end(0, 1, 1, 2)));
    EXPECT_FALSE(selection_of(either).selects(1, end(1, 2, 0, 1)));
}

// [RC-67] All filters must match.
TEST(MonitorSelection, AllFiltersMustMatch)
{
    MonitorRules rules;
    rules.filters = true;
    rules.node = 0;
    rules.remote = kFirst + 2;
    MonitorSelection selection = selection_of(rules);
    EXPECT_FALSE(selection.selects(0, end(0, 1, 1, 1)));
    EXPECT_TRUE(selection.selects(0, end(0, 2, 2, 1)));
    EXPECT_FALSE(selection.selects(1, end(1, 2, 2, 3)));
}

// [RC-67] A match selects the connection at both ends from then on, whatever the other end's filters say; others stay.
TEST(MonitorSelection, BothEndsFromTheMatchOn)
{
    MonitorRules rules;
    rules.filters = true;
    rules.node = 0;
    MonitorSelection selection = selection_of(rules);
    EXPECT_FALSE(selection.selects(1, end(1, 7, 0, 3)));
    EXPECT_TRUE(selection.selects(0, end(0, 3, 1, 7)));
    EXPECT_TRUE(selection.selects(1, end(1, 7, 0, 3)));
    EXPECT_FALSE(selection.selects(1, end(1, 8, 2, 3)));
}

// A peer outside the platform has no end here.
TEST(MonitorSelection, AForeignPeer)
{
    MonitorRules rules;
    rules.filters = true;
    MonitorSelection selection = selection_of(rules);
    EXPECT_TRUE(selection.selects(0, {kFirst, 1, 0xC000'0201U, 9}));
    EXPECT_TRUE(selection.selects(0, {kFirst, 1, 0xC000'0201U, 9}));
}

// [RC-68] A SACK's sample at the threshold fires, one below does not, nor does a SACK without a sample.
TEST(MonitorSelection, TriggerOnRoundTripTime)
{
    MonitorRules rules;
    rules.rtt = 100 * kUs;
    EXPECT_TRUE(rules.can_select());
    MonitorSelection selection = selection_of(rules);
    selection.hear_sack(0, end(0, 1, 1, 1), std::nullopt, 127);
    selection.hear_sack(0, end(0, 1, 1, 1), 100 * kUs - 1, 127);
    EXPECT_FALSE(selection.selects(0, end(0, 1, 1, 1)));
    selection.hear_sack(0, end(0, 1, 1, 1), 100 * kUs, 0);
    EXPECT_TRUE(selection.selects(0, end(0, 1, 1, 1)));
    EXPECT_TRUE(selection.selects(1, end(1, 1, 0, 1)));
    EXPECT_FALSE(selection.selects(0, end(0, 2, 1, 2)));
}

// [RC-68] A penalty at the threshold fires, sample or none.
TEST(MonitorSelection, TriggerOnPenalty)
{
    MonitorRules rules;
    rules.penalty = 60;
    MonitorSelection selection = selection_of(rules);
    selection.hear_sack(0, end(0, 1, 1, 1), 1'000 * kUs, 59);
    EXPECT_FALSE(selection.selects(0, end(0, 1, 1, 1)));
    selection.hear_sack(0, end(0, 1, 1, 1), std::nullopt, 60);
    EXPECT_TRUE(selection.selects(0, end(0, 1, 1, 1)));
}

// [RC-68] Both triggers of all NICs together select at most so many connections; one selected already does not count.
TEST(MonitorSelection, LimitOfTheProcess)
{
    MonitorRules rules;
    rules.rtt = kUs;
    rules.penalty = 1;
    rules.triggered_connections = 2;
    MonitorSelection selection = selection_of(rules);
    selection.hear_sack(0, end(0, 1, 1, 1), 2 * kUs, 0);
    selection.hear_sack(0, end(0, 1, 1, 1), 2 * kUs, 5);
    EXPECT_EQ(selection.triggered(), 1U);
    selection.hear_sack(2, end(2, 1, 0, 4), std::nullopt, 5);
    selection.hear_sack(1, end(1, 2, 2, 2), 2 * kUs, 5);
    EXPECT_EQ(selection.triggered(), 2U);
    EXPECT_TRUE(selection.selects(2, end(2, 1, 0, 4)));
    EXPECT_FALSE(selection.selects(1, end(1, 2, 2, 2)));
}

// [RC-68] A limit of 0 lets no trigger select; filters are not bounded by it.
TEST(MonitorSelection, LimitZero)
{
    MonitorRules rules;
    rules.rtt = kUs;
    rules.triggered_connections = 0;
    MonitorSelection selection = selection_of(rules);
    selection.hear_sack(0, end(0, 1, 1, 1), 2 * kUs, 0);
    EXPECT_FALSE(selection.selects(0, end(0, 1, 1, 1)));
    rules.filters = true;
    EXPECT_TRUE(selection_of(rules).selects(0, end(0, 1, 1, 1)));
}

// [RC-67] [RC-68] The attributes, read.
TEST(MonitorRules, FromTheConfiguration)
{
    const MonitorRules off = monitor_rules({});
    EXPECT_FALSE(off.can_select());
    EXPECT_FALSE(off.node || off.local || off.remote || off.end);
    EXPECT_EQ(off.triggered_connections, 1U);

    config::MonitorConfig config;
    config.enable_mrc_monitor = true;
    config.filter_on_node_id = "12";
    config.filter_on_local_ip = "10.0.0.13";
    config.filter_on_remote_ip = "10.0.0.2";
    config.filter_on_qp = "10.0.0.2:17";
    config.trigger_logging_on_rtt_enable = true;
    config.trigger_logging_on_cwind_pen = true;
    config.triggered_logging_qp_limit = 7;
    const MonitorRules on = monitor_rules(config);
    EXPECT_TRUE(on.filters);
    EXPECT_EQ(on.node, 12);
    EXPECT_EQ(on.local, 0x0A00'000DU);
    EXPECT_EQ(on.remote, 0x0A00'0002U);
    EXPECT_EQ(on.end, (packet::QpEnd{0x0A00'0002U, 17}));
    EXPECT_EQ(on.rtt, 100 * kUs);
    EXPECT_EQ(on.penalty, 127U);
    EXPECT_EQ(on.triggered_connections, 7U);
}

}  // namespace
}  // namespace mrcnic::record
