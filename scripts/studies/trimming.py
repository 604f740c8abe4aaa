"""What does trimming change? Completion times of an incast with it on and off."""

import picture
import runner

SENDERS = (2, 4, 8, 15, 31, 63)
ON = {"nic.Transport.TrimmingEnabled": "true", "switch.TrimmingEnabled": "true"}
MODES = (("off", {}), ("on", ON))


def run(program, folder):
    cases = [(senders, mode, settings) for senders in SENDERS for mode, settings in MODES]
    results = runner.run_points(
        program, [runner.incast(senders, settings) for senders, _, settings in cases],
        lambda r: (r.finishes_us(), r.total("transport", "retransmissions"), r.total("transport", "rto_fired"),
                   r.total("transport", "trims_seen")))
    rows = []
    for (senders, mode, _), (finishes, repeats, expiries, trims) in zip(cases, results):
        bound = runner.bound_us(senders)
        rows.append([senders, mode, finishes[0] / bound, finishes[-1] / bound, finishes[-1], repeats, expiries, trims])
    runner.write_table(folder / "trimming.csv",
                       ["senders", "trimming", "first_times_bound", "last_times_bound", "last_finish_us",
                        "retransmissions", "timeouts", "trims"], rows)
    fig, (time, repeats) = picture.figure("Incast of N, 2 MB from each sender", 2)
    for mode, _ in MODES:
        own = [row for row in rows if row[1] == mode]
        time.plot([row[0] for row in own], [row[3] for row in own], label=f"trimming {mode}, last")
        time.plot([row[0] for row in own], [row[2] for row in own], linestyle=":", label=f"trimming {mode}, first")
        repeats.plot([row[0] for row in own], [row[5] for row in own], label=f"trimming {mode}")
    picture.label(time, "senders", "completion / bound of the link", log_x=True)
    picture.label(repeats, "senders", "packets sent again", log_x=True)
    time.legend()
    repeats.legend()
    picture.save(fig, folder / "trimming.svg")
