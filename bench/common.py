"""What the benchmarks share: talk, tables, and what machine this is."""

import os
import pathlib
import statistics
import subprocess
import sys


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def spread(values, form):
    """The median, with least and greatest."""
    least, middle, most = min(values), statistics.median(values), max(values)
    return f"{middle:{form}} ({least:{form}}-{most:{form}})"


def print_table(rows):
    columns = list(rows[0])
    lines = [columns] + [[row[column] for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in [lines[0], ["-" * width for width in widths]] + lines[1:]:
        print("| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |")


def first_line(command):
    result = subprocess.run(command, capture_output=True, text=True)
    return (result.stdout.splitlines() or ["unknown"])[0]


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return f"{next(names, 'unknown')}, {len(os.sched_getaffinity(0))} cores"


def busy_machine():
    """The load average before anything runs; says so if it is too high."""
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"the machine is busy, load average {load:.2f}: do not trust the figures")
    return load
