"""Kernel Tuner's side of the comparison: its C backend, brute force, without a cache.

    kernel_tuner_run.py SPACE LIST

SPACE is what `hone space sgemm.yaml --format json` prints, LIST the same with --list. The
parameters have the values that occur in LIST, and the restrictions are the texts of the constraints
in SPACE; it is an error if Kernel Tuner then comes to other configurations than those of LIST.
Prints a line of JSON, whose keys floor.py explains; wall_s is the call of tune_kernel, and best_ms
is Kernel Tuner's own figure, the mean of all 7 runs.

The source goes in as text, as Kernel Tuner has it: it compiles the text as C++ inside extern "C".
It takes what the function returns for its time, so the kernel gets a function around it that reads
the clock. Temporary files go to the current folder.
"""

import floor  # first: its clock starts

import contextlib
import json
import pathlib
import sys
import time
import warnings

warnings.simplefilter("ignore")  # of graphics libraries that are not there, of thread blocks

import kernel_tuner
import numpy

AROUND = """
#include <time.h>
__attribute__((noinline)) void sgemm(const float *, const float *, float *, int, int, int);
%s
float timed_sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  sgemm(a, b, c, m, n, k);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (float)((end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
}
"""


def make_arguments():
    matrices = [numpy.frombuffer(floor.new_matrix(), numpy.float32) for _ in range(3)]
    for matrix in matrices[:2]:
        matrix[:] = numpy.random.default_rng(1).random(matrix.size)
    return matrices + [numpy.int32(floor.SIZE)] * 3


def tune(restrictions, configs, arguments):
    params = {name: sorted({config[name] for config in configs}) for name in configs[0]}
    results, env = kernel_tuner.tune_kernel(
        "timed_sgemm",
        AROUND % floor.SOURCE.read_text(),
        (floor.SIZE, floor.SIZE),
        arguments,
        params,
        restrictions=restrictions,
        lang="C",
        compiler=floor.COMPILER,
        compiler_options=floor.FLAGS,
        iterations=floor.REPEAT,
        strategy="brute_force",
        quiet=True,
    )
    return [(float(row["time"]), {name: row[name] for name in params}) for row in results], env


def main():
    restrictions = json.loads(pathlib.Path(sys.argv[1]).read_text())["constraints"]
    configs = floor.read_list(sys.argv[2])
    arguments = make_arguments()
    start = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        times, env = tune(restrictions, configs, arguments)
    wall_s = time.perf_counter() - start
    tuned = sorted(tuple(config.values()) for _, config in times)
    if tuned != sorted(tuple(config.values()) for config in configs):
        sys.exit(f"Kernel Tuner has {len(tuned)} configurations, not those of the list")
    build_s, run_s = env["total_compile_time"] / 1e3, env["total_benchmark_time"] / 1e3
    floor.report("Kernel Tuner", wall_s, build_s, run_s, times)


if __name__ == "__main__":
    main()
