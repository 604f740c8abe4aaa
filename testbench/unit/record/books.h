#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/unit/record/record_files.h"
#include "testbench/unit/record/recorded_run.h"

namespace mrcnic::testbench {

/// Every record on, rows of all periodic ones at the same instants.
inline RecordedRun::Settings all_on(const std::string& interval, RecordedRun::Settings settings = {})
{
    RecordedRun::Settings all{{"simulation.NDStatsReportInterval", interval},
                              {"nic.TransportStatsReportInterval", interval},
                              {"simulation.NetworkBufferStatsReportingInterval", interval},
                              {"simulation.EnableNetworkBufferStatsReporting", "true"},
                              {"simulation.EnableMessageStats", "true"},
                              {"nic.EnableEventLogging", "true"},
                              {"nic.Monitor.EnableMRCMonitor", "true"},
                              {"switch.EnableSwitchStats", "true"}};
    all.insert(all.end(), settings.begin(), settings.end());
    return all;
}

inline std::uint64_t count(const Row& row, const std::string& column)
{
    return std::stoull(row.at(column));
}

inline std::size_t count_if(const std::vector<Row>& rows, const std::function<bool(const Row&)>& holds)
{
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), holds));
}

/// The last row of each NIC or port, by its names.
inline std::map<std::string, Row> last_rows(const std::vector<Row>& rows, const std::vector<std::string>& names)
{
    std::map<std::string, Row> last;
    for (const Row& row : rows) {
        std::string name;
        for (const std::string& column : names) {
            name += row.at(column) + "/";
        }
        last[name] = row;
    }
    return last;
}

inline std::uint64_t sum_of(const std::map<std::string, Row>& rows, const std::string& column)
{
    std::uint64_t total = 0;
    for (const auto& [name, row] : rows) {
        total += count(row, column);
    }
    return total;
}

/// What the records of one run must say of each other, whatever happened in it.
class Books {
public:
    explicit Books(const RecordedRun& run)
        : ports_{run.rows("nd-stats")},
          transports_{run.rows("mrc-transport-stats")},
          pools_{run.rows("net-buff-stats")},
          events_{run.rows("mrc-events")},
          packets_{run.rows("mrc-monitor")},
          messages_{run.rows("message-stats")},
          queues_{run.rows("switch-stats")},
          port_{last_rows(ports_, {"component_name", "ifid"})},
          transport_{last_rows(transports_, {"component_name", "node_id"})}
    {
    }

    void check() const
    {
        check_instants();
        check_transport_intervals();
        check_transport_sums();
        check_pools();
        check_drops();
        check_ports_and_transports();
        check_packets();
        check_messages();
        check_queues();
    }

    [[nodiscard]] std::uint64_t total(const std::string& column) const { return sum_of(transport_, column); }
    [[nodiscard]] const Row& port(const std::string& name) const { return port_.at(name); }
    [[nodiscard]] std::uint64_t total_of_ports(const std::string& column) const { return sum_of(port_, column); }
    [[nodiscard]] std::uint64_t total_of_queues(const std::string& column) const
    {
        return sum_of(last_rows(queues_, {"component_name", "ifid", "tc"}), column);
    }
    [[nodiscard]] std::uint64_t refusals(const std::string& pool) const
    {
        std::uint64_t refused = 0;
        for (const auto& [name, row] : last_rows(pools_, {"component_name", "buffer_id"})) {
            refused += row.at("buffer_id") == pool ? count(row, "overflow") : 0;
        }
        return refused;
    }
    [[nodiscard]] std::size_t packets(const std::function<bool(const Row&)>& holds) const
    {
        return count_if(packets_, holds);
    }

private:
    // [RC-15] [RC-17] All periodic records have rows of the same instants, each of them once for every NIC.
    void check_instants() const
    {
        std::map<std::string, std::map<std::string, int>> instants;
        for (const Row& row : ports_) {
            instants[row.at("component_name")][row.at("sim_time_sec")] |= row.at("ifid") == "0" ? 1 : 0;
        }
        for (const Row& row : transports_) {
            instants[row.at("component_name")][row.at("sim_time_sec")] += 2;
        }
        for (const Row& row : pools_) {
            instants[row.at("component_name")][row.at("sim_time_sec")] += 4;
        }
        for (const auto& [name, times] : instants) {
            for (const auto& [time, seen] : times) {
                EXPECT_EQ(seen, name.rfind("MrcNic", 0) == 0 ? 1 + 2 + 4 * 4 : 1) << name << " at " << time;
            }
        }
    }

    // [RC-19] Intervals add up to totals; those of maxima are never above them and reach them once.
    void check_transport_intervals() const
    {
        std::map<std::string, std::map<std::string, std::uint64_t>> sums;
        for (const Row& row : transports_) {
            for (const auto& [column, value] : row) {
                const auto twin = row.find("ivl_" + column);
                if (twin == row.end() || column.find("calc") != std::string::npos) {
                    continue;
                }
                std::uint64_t& sum_so_far = sums[row.at("component_name")][column];
                const std::uint64_t interval = std::stoull(twin->second);
                sum_so_far = column.rfind("max_", 0) == 0 ? std::max(sum_so_far, interval) : sum_so_far + interval;
                EXPECT_EQ(sum_so_far, std::stoull(value)) << column << " at " << row.at("sim_time_sec");
            }
        }
    }

    // [RC-63]
    void check_transport_sums() const
    {
        for (const Row& row : transports_) {
            for (const std::string way : {"_sent", "_rcvd"}) {
                EXPECT_EQ(count(row, "total_pkts" + way),
                          count(row, "write_pkts" + way) + count(row, "ack_pkts" + way) +
                              count(row, "sack_pkts" + way) + count(row, "nack_pkts" + way));
            }
            EXPECT_LE(count(row, "num_rtx"),
                      count(row, "num_rto") + count(row, "num_gap_loss") + count(row, "nack_pkts_rcvd"));
            EXPECT_LE(count(row, "wqes_completed"), count(row, "wqes_created"));
        }
        EXPECT_EQ(total("wqes_created"), total("wqes_completed"));
    }

    // [RC-52] [RC-50] At every row; the pools are empty at the end.
    void check_pools() const
    {
        std::map<std::string, std::uint64_t> held;
        std::map<std::string, std::uint64_t> highest;
        for (const Row& row : pools_) {
            const std::string pool = row.at("component_name") + row.at("buffer_id");
            const std::uint64_t before = held[pool];
            held[pool] += count(row, "interval_enq_B") - count(row, "interval_deq_B");
            EXPECT_EQ(count(row, "occupancy_B"), held[pool]) << pool;
            EXPECT_EQ(count(row, "num_enq") == count(row, "num_deq"), held[pool] == 0) << pool;
            EXPECT_GE(count(row, "interval_max_occupancy_B"), std::max(before, held[pool])) << pool;
            highest[pool] = std::max(highest[pool], count(row, "interval_max_occupancy_B"));
            EXPECT_EQ(count(row, "max_occupancy_B"), highest[pool]) << pool;
            EXPECT_LE(count(row, "max_occupancy_B"), count(row, "buffer_max_size_B")) << pool;
        }
        for (const auto& [pool, bytes] : held) {
            EXPECT_EQ(bytes, 0U) << pool;
        }
    }

    // [RC-53] At every instant.
    void check_drops() const
    {
        std::map<std::string, std::uint64_t> overflow;
        for (const Row& row : pools_) {
            if (row.at("buffer_id").rfind("RX", 0) == 0) {
                overflow[row.at("component_name") + row.at("sim_time_sec")] += count(row, "overflow");
            }
        }
        for (const Row& row : ports_) {
            if (row.at("component_type") == "NIC") {
                EXPECT_EQ(overflow.at(row.at("component_name") + row.at("sim_time_sec")), count(row, "rx_drops"));
                EXPECT_EQ(row.at("tx_drops"), "0");
            }
        }
    }

    // [RC-44] [RC-61] What the transport sends goes out once; what arrives was dropped or is received.
    void check_ports_and_transports() const
    {
        for (const auto& [name, row] : transport_) {
            const std::string& nic = row.at("component_name");
            const Row& port = port_.at(nic + "/0/");
            const std::size_t probes = packets_of(nic, "PROBE", "Rx");
            EXPECT_EQ(count(port, "total_packets_tx"), count(row, "total_pkts_sent") + count(row, "probe_sent"));
            EXPECT_EQ(count(port, "total_packets_rx") - count(port, "rx_drops"),
                      count(row, "total_pkts_rcvd") + probes);
        }
    }

    // [RC-66] Each packet sent and received has its row at its NIC.
    void check_packets() const
    {
        const std::map<std::string, std::string> types{
            {"WRITE", "write_pkts"}, {"ACK", "ack_pkts"}, {"SACK", "sack_pkts"}, {"NACK", "nack_pkts"}};
        for (const auto& [name, row] : transport_) {
            const std::string& nic = row.at("component_name");
            for (const auto& [type, column] : types) {
                EXPECT_EQ(packets_of(nic, type, "Tx") + packets_of(nic, type, "ReTx"), count(row, column + "_sent"))
                    << name << type;
                EXPECT_EQ(packets_of(nic, type, "Rx"), count(row, column + "_rcvd")) << name << type;
            }
            EXPECT_EQ(packets_of(nic, "WRITE", "ReTx"), count(row, "num_rtx")) << name;
        }
    }

    [[nodiscard]] std::size_t packets_of(const std::string& nic, const std::string& type,
                                         const std::string& direction) const
    {
        return packets([&](const Row& row) {
            return row.at("component_name") == nic && row.at("packet_type") == type && row.at("direction") == direction;
        });
    }

    // [RC-72] Messages, events and counters tell of the same work.
    void check_messages() const
    {
        const auto events = [this](const std::string& type) {
            return count_if(events_, [&type](const Row& row) { return row.at("ev_type") == type; });
        };
        std::uint64_t packets = 0;
        std::uint64_t repeated = 0;
        for (const Row& row : messages_) {
            packets += count(row, "packets");
            repeated += count(row, "retransmissions");
        }
        EXPECT_EQ(repeated, total("num_rtx"));
        EXPECT_EQ(packets + repeated, total("write_pkts_sent"));
        EXPECT_EQ(messages_.size(), total("wqes_created"));
        for (const char* type : {"WQE_CREATED", "SEND_COMPLETE", "WQE_COMPLETE", "RECV_COMPLETE"}) {
            EXPECT_EQ(events(type), messages_.size()) << type;
        }
        EXPECT_EQ(events("QP_CREATED"), events("QP_TERMINATED"));
    }

    // [RC-70] Drops of all classes are the port's, at every instant.
    void check_queues() const
    {
        std::map<std::string, std::uint64_t> egress;
        std::map<std::string, std::uint64_t> ingress;
        const auto place = [](const Row& row) {
            return row.at("component_name") + "/" + row.at("ifid") + "/" + row.at("sim_time_sec");
        };
        for (const Row& row : queues_) {
            egress[place(row)] += count(row, "egress_drops");
            ingress[place(row)] += count(row, "ingress_drops");
            EXPECT_GE(count(row, "ivl_max_queue_B"), count(row, "queue_B"));
        }
        for (const Row& row : ports_) {
            if (row.at("component_type") == "Switch") {
                EXPECT_EQ(egress.at(place(row)), count(row, "tx_drops"));
                EXPECT_EQ(ingress.at(place(row)), count(row, "rx_drops"));
            }
        }
    }

    std::vector<Row> ports_;
    std::vector<Row> transports_;
    std::vector<Row> pools_;
    std::vector<Row> events_;
    std::vector<Row> packets_;
    std::vector<Row> messages_;
    std::vector<Row> queues_;
    std::map<std::string, Row> port_;
    std::map<std::string, Row> transport_;
};

}  // namespace mrcnic::testbench
