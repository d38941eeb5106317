#!/usr/bin/env python3
"""Times the product of two square matrices of half precision by cuBLAS, as Hone times kernels.

    bench/gpu/cublas.py [--size N] [--seconds S]

cuBLAS is called by ctypes (cublasGemmEx, sums in single precision, 32 MiB of workspace), and by
PyTorch, where that is installed. Inputs are random in [-1, 1], like those of Hone's example.
Each is timed in two ways for S seconds: between events, one launch at a time, with the L2 cache
flushed before it (twice its size is cleared); and as a graph of launches over three sets of
matrices. One JSON object goes to standard output: milliseconds and TFLOP/s of both, and
`best_events_ms`, the least of what was timed between events, which is how Hone times kernels of
this length.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from common import say
from gpu import CudaError, Gpu, byref, c_float, c_int, c_size_t, c_void_p, load_library

HALF, SINGLE_SUMS, DEFAULT_ALGORITHM, NOT_TRANSPOSED = 2, 68, -1, 0
WORKSPACE_BYTES = 32 << 20
SETS, GRAPH_LAUNCHES = 3, 12
WAYS = ("cublas", "torch")


def random_halves(count):
    """In [-1, 1], about uniform: sign and two bits of the mantissa are random, the exponent is as
    often 14 as all smaller ones together, and so on."""

    def upper(byte):
        chance = byte >> 2 & 31
        exponent = 14 if chance > 15 else 13 if chance > 7 else 12 if chance > 3 else 11
        return byte & 0x80 | exponent << 2 | byte & 3

    halves = bytearray(os.urandom(2 * count))
    halves[1::2] = halves[1::2].translate(bytes(map(upper, range(256))))
    return bytes(halves)


class Cublas:
    """By ctypes."""

    def __init__(self, gpu, size):
        self.gpu, self.size = gpu, size
        self.library, self.handle = load_library("libcublas.so"), c_void_p()
        if not self.library:
            raise CudaError("no libcublas here")
        self.call("cublasCreate_v2", byref(self.handle))
        self.call("cublasSetStream_v2", self.handle, gpu.stream)
        workspace = gpu.allocate(WORKSPACE_BYTES)
        self.call("cublasSetWorkspace_v2", self.handle, workspace, c_size_t(WORKSPACE_BYTES))
        self.sets = [[gpu.allocate(2 * size * size) for _ in range(3)] for _ in range(SETS)]
        for tensor in (tensor for a, b, _ in self.sets for tensor in (a, b)):
            gpu.write(tensor, random_halves(size * size))
        self.one, self.zero = c_float(1), c_float(0)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise CudaError(f"{name}: error {code}")

    def launch(self, i):
        a, b, c = self.sets[i % SETS]
        n, no = c_int(self.size), c_int(NOT_TRANSPOSED)
        half = c_int(HALF)
        # Rows for columns: the transposed product of the transposed matrices.
        self.call("cublasGemmEx", self.handle, no, no, n, n, n, byref(self.one), b, half, n, a,
                  half, n, byref(self.zero), c, half, n, c_int(SINGLE_SUMS),
                  c_int(DEFAULT_ALGORITHM))  # fmt: skip


def time_ctypes(size, seconds):
    gpu = Gpu()
    cublas = Cublas(gpu, size)
    flush_bytes = 2 * gpu.l2_bytes
    flush = gpu.allocate(flush_bytes)
    first = statistics.median(gpu.event_pairs_ms(cublas.launch, flush, flush_bytes, 30)[10:])
    count = max(20, min(int(1e3 * seconds / first / 2), 2000))
    times = gpu.event_pairs_ms(cublas.launch, flush, flush_bytes, count)
    replays = max(5, min(int(1e3 * seconds / first / GRAPH_LAUNCHES / 2), 500))
    graph = gpu.graph_ms(cublas.launch, GRAPH_LAUNCHES, replays)
    return statistics.median(times[count // 10 :]), graph


def time_torch(size, seconds):
    import torch

    sets = [[torch.rand(size, size, device="cuda").mul_(2).sub_(1).half() for _ in range(2)]
            for _ in range(SETS)]  # fmt: skip
    outs = [torch.empty(size, size, device="cuda", dtype=torch.half) for _ in range(SETS)]
    l2_bytes = torch.cuda.get_device_properties(0).L2_cache_size
    flush = torch.empty(2 * l2_bytes, dtype=torch.int8, device="cuda")

    def launch(i):
        torch.mm(*sets[i % SETS], out=outs[i % SETS])

    def pairs_ms(count):
        pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(count)]
        for i, (first, second) in enumerate(pairs):
            flush.zero_()
            first.record()
            launch(i)
            second.record()
        torch.cuda.synchronize()
        return [first.elapsed_time(second) for first, second in pairs]

    first = statistics.median(pairs_ms(30)[10:])
    count = max(20, min(int(1e3 * seconds / first / 2), 2000))
    times = pairs_ms(count)
    graph, pair = torch.cuda.CUDAGraph(), [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    with torch.cuda.graph(graph):
        for i in range(GRAPH_LAUNCHES):
            launch(i)
    replays = []
    for _ in range(max(5, min(int(1e3 * seconds / first / GRAPH_LAUNCHES / 2), 500))):
        pair[0].record()
        graph.replay()
        pair[1].record()
        torch.cuda.synchronize()
        replays.append(pair[0].elapsed_time(pair[1]) / GRAPH_LAUNCHES)
    return statistics.median(times[count // 10 :]), statistics.median(replays[1:])


def time_way(name, size, seconds):
    """What one of the ways takes, for its own process to print."""
    ways = {"cublas": time_ctypes, "torch": time_torch}
    events, graph = ways[name](size, seconds)
    flop = 2e-9 * size**3
    return {
        "events_ms": events,
        "graph_ms": graph,
        "events_tflops": flop / events,
        "graph_tflops": flop / graph,
    }


def ask(name, options):
    """The same of a process that has only one of the two: they may bring different libraries."""
    command = [sys.executable, __file__, "--way", name, "--size", str(options.size)]
    result = subprocess.run(
        [*command, "--seconds", str(options.seconds)], capture_output=True, text=True
    )
    if result.returncode == 0:
        return json.loads(result.stdout)
    say(f"{name}: {(result.stderr.splitlines() or ['failed without a word'])[-1]}")
    return None


def main():
    parser = argparse.ArgumentParser(description="Times cuBLAS.")
    parser.add_argument("--size", type=int, default=4096, help="default 4096")
    parser.add_argument("--seconds", type=float, default=1, help="of each way; default 1")
    parser.add_argument("--way", choices=WAYS, help="only this one, in this process")
    options = parser.parse_args()
    if options.way:
        print(json.dumps(time_way(options.way, options.size, options.seconds)))
        return
    answers = {name: ask(name, options) for name in WAYS}
    result = {name: answer for name, answer in answers.items() if answer}
    if not result:
        sys.exit("bench: no cuBLAS could be timed")
    best = {f"best_{k}": min(way[k] for way in result.values()) for k in ("events_ms", "graph_ms")}
    print(json.dumps({"size": options.size, **result, **best}))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
