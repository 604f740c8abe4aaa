"""Where should marking begin? Goodput, round trips and queue of an incast of 8 against the thresholds of ECN."""

import picture
import runner

SENDERS = 8
THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
WIDTHS = (("step, max = min", lambda low: low), ("ramp to 0.8", lambda low: max(low, 0.8)))


def _keep(result):
    rtts = [(float(row["avg_calc_rtt_usec"]), float(row["max_calc_rtt_usec"]))
            for row in result.rows("mrc-transport-stats") if float(row["max_calc_rtt_usec"]) > 0]
    queue = max(int(row["ivl_max_queue_B"]) for row in result.rows("switch-stats"))
    marked = sum(int(row["pkts_ecn_marked"]) for row in _last_rows(result.rows("switch-stats")))
    return (result.finish_us, sum(rtt[0] for rtt in rtts) / len(rtts), max(rtt[1] for rtt in rtts), queue, marked,
            result.total("transport", "retransmissions"))


def _last_rows(rows):
    last = rows[-1]["sim_time_sec"]
    return [row for row in rows if row["sim_time_sec"] == last]


def run(program, folder):
    cases = [(name, low, high(low)) for name, high in WIDTHS for low in THRESHOLDS]
    results = runner.run_points(
        program,
        [runner.incast(SENDERS, {"switch.MinThreshold": low, "switch.MaxThreshold": high,
                                 "switch.EnableSwitchStats": "true"}) for _, low, high in cases], _keep)
    rows = [[name, low, high, *result] for (name, low, high), result in zip(cases, results)]
    runner.write_table(folder / "ecn.csv",
                       ["marking", "MinThreshold", "MaxThreshold", "last_finish_us", "mean_rtt_us", "max_rtt_us",
                        "max_queue_bytes", "marked_frames", "retransmissions"], rows)
    fig, (time, rtt, queue) = picture.figure(f"Incast of {SENDERS}, 2 MB from each sender, trimming off", 3)
    for name, _ in WIDTHS:
        own = [row for row in rows if row[0] == name]
        x = [row[1] for row in own]
        time.plot(x, [row[3] / runner.bound_us(SENDERS) for row in own], label=name)
        rtt.plot(x, [row[4] for row in own], label=name)
        queue.plot(x, [row[6] / 1000 for row in own], label=name)
    picture.label(time, "MinThreshold, share of the queue limit", "last completion / bound of the link")
    picture.label(rtt, "MinThreshold, share of the queue limit", "mean round trip, us")
    picture.label(queue, "MinThreshold, share of the queue limit", "longest queue, KB")
    time.legend()
    picture.save(fig, folder / "ecn.svg")
