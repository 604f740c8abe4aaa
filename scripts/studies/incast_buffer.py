"""How much buffer does an incast of N need? Completion and repeats against the limit of one switch queue."""

import picture
import runner

SENDERS = (2, 4, 8, 15, 31)
LIMITS_KB = (75, 150, 300, 600, 1200, 2400)


def run(program, folder):
    points = [
        runner.incast(senders, {"switch.QueueDropThreshold": 1, "switch.PlaneBDP": f"{limit}KB"})
        for senders in SENDERS for limit in LIMITS_KB
    ]
    results = runner.run_points(
        program, points, lambda r: (r.finish_us, r.total("transport", "retransmissions"), r.summary["data_packets"]))
    rows = [[senders, limit, finish, finish / runner.bound_us(senders), repeats, 100 * repeats / sent]
            for (senders, limit), (finish, repeats, sent) in zip(
                ((s, l) for s in SENDERS for l in LIMITS_KB), results)]
    runner.write_table(folder / "incast_buffer.csv",
                       ["senders", "queue_limit_KB", "last_finish_us", "times_bound", "retransmissions",
                        "retransmissions_percent"], rows)
    fig, (time, repeats) = picture.figure("Incast of N, 2 MB from each sender, trimming off", 2)
    for senders in SENDERS:
        own = [row for row in rows if row[0] == senders]
        time.plot([row[1] for row in own], [row[3] for row in own], label=f"{senders} to 1")
        repeats.plot([row[1] for row in own], [row[5] for row in own], label=f"{senders} to 1")
    picture.label(time, "limit of the switch queue, KB", "last completion / bound of the link", log_x=True)
    picture.label(repeats, "limit of the switch queue, KB", "packets sent again, %", log_x=True)
    time.legend()
    picture.save(fig, folder / "incast_buffer.svg")
