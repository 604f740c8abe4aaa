"""Runs a study: its points, its table and its picture.

usage: run_study.py NAME PROGRAM FOLDER
"""

import importlib
import pathlib
import sys

import runner

STUDIES = ("incast_buffer", "trimming", "ecn")


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in STUDIES:
        name = arguments[0] if arguments else ""
        print(f"error: --study {name}: no such study; allowed: {', '.join(STUDIES)}", file=sys.stderr)
        return 2
    name, program, out = arguments
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        importlib.import_module(name).run(program, folder)
    except runner.StudyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(f"{folder / name}.csv and {folder / name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
