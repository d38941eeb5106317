"""The practical floor: what it takes to build and time every configuration, and nothing else.

    floor.py LIST

LIST is what `hone space sgemm.yaml --list --format json` prints. First every configuration is
built, by one gcc each, as many at once as there are cores; then each is loaded with ctypes and
called 7 times. Nothing is isolated, checked, kept or compared. Prints one line of JSON:

    contender   who this is
    wall_s      from the list in memory to the best configuration
    process_s   the same with Python's imports and the making of the inputs
    build_s, run_s   parts of wall_s: compilers, kernels
    configs     how many there were
    best, best_ms    the fastest of them, and its median time
"""

import time

STARTED = time.perf_counter()

import concurrent.futures
import ctypes
import json
import mmap
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "sgemm.c"
COMPILER = "gcc"
FLAGS = ["-O3", "-march=native"]
SIZE = 256  # m, n and k
REPEAT = 7


def read_list(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def new_matrix():
    """Begins on a page: where a matrix lies changes the time of a kernel by up to a half."""
    return mmap.mmap(-1, SIZE * SIZE * ctypes.sizeof(ctypes.c_float))


def report(contender, wall_s, build_s, run_s, times):
    """times is a list of pairs: milliseconds, configuration."""
    best_ms, best = min(times, key=lambda pair: pair[0])
    line = {"contender": contender, "wall_s": wall_s, "process_s": time.perf_counter() - STARTED}
    line |= {"build_s": build_s, "run_s": run_s, "configs": len(times)}
    print(json.dumps(line | {"best": best, "best_ms": best_ms}), flush=True)


def build(config, library):
    defines = [f"-D{name}={value}" for name, value in config.items()]
    command = [COMPILER, *FLAGS, *defines, "-shared", "-fPIC", SOURCE, "-o", library]
    subprocess.run(command, check=True)
    return library


def time_kernel(library, arguments):
    kernel = ctypes.CDLL(str(library)).sgemm
    kernel.restype = None
    times = []
    for _ in range(REPEAT):
        start = time.perf_counter_ns()
        kernel(*arguments)
        times.append((time.perf_counter_ns() - start) / 1e6)
    return statistics.median(times)


def make_arguments():
    arguments = []
    for role in ["in", "in", "out"]:
        view = (ctypes.c_float * (SIZE * SIZE)).from_buffer(new_matrix())
        if role == "in":
            view[:] = [random.random() for _ in range(SIZE * SIZE)]
        arguments.append(view)
    return arguments + [SIZE, SIZE, SIZE]


def main():
    configs = read_list(sys.argv[1])
    arguments = make_arguments()
    with tempfile.TemporaryDirectory(prefix="floor.") as folder:
        start = time.perf_counter()
        paths = [pathlib.Path(folder) / f"{number}.so" for number in range(len(configs))]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            libraries = list(pool.map(build, configs, paths))
        built = time.perf_counter()
        times = [(time_kernel(library, arguments), c) for library, c in zip(libraries, configs)]
        end = time.perf_counter()
    report("floor", end - start, built - start, end - built, times)


if __name__ == "__main__":
    main()
