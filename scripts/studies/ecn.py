"""Where should marking begin? Goodput, round trips and queue of an incast of 4 against the thresholds of ECN."""

import picture
import runner

SENDERS = 4  # their first windows fit into the queue: no loss, so marks alone make the difference
MESSAGE_BYTES = 8_000_000
WARM_UP_S = 100e-6  # the first windows are gone by then
THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
WIDTHS = (("step at MinThreshold", lambda low: low), ("ramp up to 0.8", lambda low: max(low, 0.8)))


def _keep(result):
    last = {row["node_id"]: row for row in result.rows("mrc-transport-stats")}  # rows are in the order of time
    rtts = [float(row["avg_calc_rtt_usec"]) for row in last.values() if float(row["avg_calc_rtt_usec"]) > 0]
    port = [row for row in result.rows("switch-stats") if int(row["ifid"]) == SENDERS and int(row["tc"]) == 0]
    queues = [int(row["queue_B"]) for row in port if WARM_UP_S < float(row["sim_time_sec"])]
    return (result.finish_us, sum(rtts) / len(rtts), sum(queues) / len(queues), int(port[-1]["pkts_ecn_marked"]),
            result.total("transport", "retransmissions"))


def run(program, folder):
    cases = [(name, low, high(low)) for name, high in WIDTHS for low in THRESHOLDS]
    results = runner.run_points(
        program,
        [runner.incast(SENDERS, {"switch.MinThreshold": low, "switch.MaxThreshold": high,
                                 "switch.EnableSwitchStats": "true", "simulation.NDStatsReportInterval": "2us"},
                       MESSAGE_BYTES) for _, low, high in cases], _keep)
    rows = [[name, low, high, *result] for (name, low, high), result in zip(cases, results)]
    runner.write_table(folder / "ecn.csv",
                       ["marking", "MinThreshold", "MaxThreshold", "last_finish_us", "mean_rtt_us", "mean_queue_bytes",
                        "marked_frames", "retransmissions"], rows)
    fig, (time, rtt, queue) = picture.figure(f"Incast of {SENDERS}, 8 MB from each sender, trimming off", 3)
    bound = runner.bound_us(SENDERS, MESSAGE_BYTES)
    for name, _ in WIDTHS:
        own = [row for row in rows if row[0] == name]
        x = [row[1] for row in own]
        time.plot(x, [row[3] / bound for row in own], label=name)
        rtt.plot(x, [row[4] for row in own], label=name)
        queue.plot(x, [row[5] / 1000 for row in own], label=name)
    picture.label(time, "MinThreshold, share of the queue limit", "last completion / bound of the link")
    picture.label(rtt, "MinThreshold, share of the queue limit", "mean round trip, us")
    picture.label(queue, "MinThreshold, share of the queue limit", "mean queue after 100 us, KB")
    time.legend()
    picture.save(fig, folder / "ecn.svg")
