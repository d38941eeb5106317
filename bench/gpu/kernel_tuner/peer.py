"""Kernel Tuner's side of the comparison: one of its own examples, as its example tunes it.

    peer.py NAME SOURCE [FOLDER]

NAME is stencil or matmul, SOURCE its kernel, FOLDER has the package kernel_tuner if it is not
installed (pip install --target FOLDER). Kernels are compiled and launched by CuPy. Prints a line of
JSON: wall_s is the call of tune_kernel, process_s also has the imports, best_ms is Kernel Tuner's
own figure, and configs counts those that ran.
"""

import time

BEGAN = time.perf_counter()

import contextlib
import json
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
sys.path.extend(sys.argv[3:4])

import kernel_tuner
import numpy

# problem size, parameters, restrictions, divisors of the grid, repetitions: those of the examples
EXAMPLES = {
    "stencil": dict(
        kernel_name="stencil_kernel",
        problem_size=(4096, 2048),
        tune_params={
            "block_size_x": [32 * i for i in range(1, 9)],
            "block_size_y": [2**i for i in range(6)],
        },
        restrictions=["block_size_x*block_size_y<=1024"],
        grid_div_x=["block_size_x"],
        grid_div_y=["block_size_y"],
        iterations=7,
    ),
    "matmul": dict(
        kernel_name="matmul_kernel",
        problem_size=(4096, 4096),
        tune_params={
            "block_size_x": [16, 32, 64],
            "block_size_y": [2**i for i in range(6)],
            "tile_size_x": [2**i for i in range(4)],
            "tile_size_y": [2**i for i in range(4)],
        },
        restrictions=["block_size_x==block_size_y*tile_size_y"],
        grid_div_x=["block_size_x", "tile_size_x"],
        grid_div_y=["block_size_y", "tile_size_y"],
        iterations=32,
    ),
}


def make_arguments(name, problem_size):
    shape = problem_size[0] * problem_size[1]
    count = {"stencil": 2, "matmul": 3}[name]
    return [numpy.random.randn(shape).astype(numpy.float32) for _ in range(count)]


def main():
    name, source = sys.argv[1], pathlib.Path(sys.argv[2]).read_text()
    example = dict(EXAMPLES[name])
    kernel_name, size = example.pop("kernel_name"), example.pop("problem_size")
    params = example.pop("tune_params")
    arguments = make_arguments(name, size)
    start = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        results, _ = kernel_tuner.tune_kernel(
            kernel_name, source, size, arguments, params, lang="CUPY", quiet=True, **example
        )
    end = time.perf_counter()
    times = [row["time"] for row in results if isinstance(row.get("time"), float)]
    best = {"wall_s": end - start, "process_s": end - BEGAN, "configs": len(times)}
    print(json.dumps(best | {"best_ms": min(times)}))


if __name__ == "__main__":
    main()
