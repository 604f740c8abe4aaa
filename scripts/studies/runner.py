"""Runs the points of a study and gives their results: what the studies beside this file share."""

import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MESSAGE_BYTES = 2_000_000
MSS = 4096
HEADER_BYTES = 78  # of each packet on the wire
LINK_RATE = 400e9  # bit/s


class StudyError(Exception):
    """A point that could not be run."""


class Result:
    """One run: its summary and its records."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.summary = json.loads((self.folder / "summary.json").read_text())

    def rows(self, record):
        """The rows of a record, each a dictionary by column."""
        with open(self.folder / f"{record}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def total(self, section, name):
        """Sum of a statistic over all NICs."""
        return sum(nic[section][name] for nic in self.summary["nics"])

    @property
    def finish_us(self):
        """Last completion, in microseconds."""
        return self.summary["messages"]["last_finish_ps"] / 1e6

    def finishes_us(self):
        """Completion of each message, rising."""
        return sorted(int(row["finish_ps"]) / 1e6 for row in self.rows("messages"))


def incast(senders, settings, message_bytes=MESSAGE_BYTES):
    """A point: `senders` NICs of a star send one message each to the last NIC, at the same time."""
    return {"senders": senders, "settings": dict(settings), "message_bytes": message_bytes}


def bound_us(senders, message_bytes=MESSAGE_BYTES):
    """No incast can be faster: the last link carries every frame once."""
    packets = -(-message_bytes // MSS)
    return senders * (message_bytes + packets * HEADER_BYTES) * 8 / LINK_RATE * 1e6


def _write_inputs(folder, point):
    senders = point["senders"]
    lines = [f"Nodes {senders + 1}", f"Connections {senders}"]
    lines += [f"{sender}->{senders} start 0 size {point['message_bytes']}" for sender in range(senders)]
    (folder / "incast.cm").write_text("\n".join(lines) + "\n")
    config = folder / "incast.toml"
    config.write_text(
        f'platform = "star"\n[fabric]\nNics = {senders + 1}\n[workload]\nFile = "incast.cm"\n')
    return config


def _run_point(program, point, keep):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        config = _write_inputs(folder, point)
        command = [program, "run", str(config), "--quiet", "--out", str(folder / "out")]
        for path, value in point["settings"].items():
            command += ["--set", f"{path}={value}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise StudyError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
        return keep(Result(folder / "out"))


def run_points(program, points, keep):
    """Runs all points, a process for each processor at a time.

    keep(result) takes what a study needs of a run before its files go. Returns a list in the order of the points.
    """
    show = sys.stderr.isatty()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(_run_point, program, point, keep) for point in points]
        for done, _ in enumerate(concurrent.futures.as_completed(futures), start=1):
            if show:
                print(f"\r{done} of {len(points)} runs", end="", file=sys.stderr)
        if show:
            print(file=sys.stderr)
        return [future.result() for future in futures]


def write_table(path, columns, rows):
    """The numbers behind a picture, as CSV."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
