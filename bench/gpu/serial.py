#!/usr/bin/env python3
"""Compiles and times a list of configurations one after the other, as Triton's autotuner does.

    bench/gpu/serial.py SPEC --configs FILE [--limit SECONDS] [--skip-spills] [--dry-run]

SPEC is a spec of CUDA whose arguments are tensors, such as examples/convolution/convolution.yaml.
FILE has the configurations: what `hone space SPEC --sample N --format csv` prints, or the report
of `hone tune --format json`, whose evaluations are then compiled and timed, the baseline included.
Each is compiled by NVRTC, loaded, launched once and compared with what the first one gave, then
timed like Triton's do_bench: 25 ms of warming up, 100 ms of launches, with 256 MB cleared before
each, between events. The order is random, so that after --limit seconds the rest can be taken to
be like what is done: `wall_s` is then for all of them, and `is_extrapolated` says so. With
--skip-spills, what spills registers is compiled, and not run. --dry-run compiles only, for --arch,
where there is no GPU. One JSON object goes to standard output.
"""

import argparse
import csv
import json
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from common import say
from gpu import FLUSH_BYTES, CompileError, CudaError, Gpu, Nvrtc, c_float, c_ulonglong, do_bench_ms
from spec import SIZES, Call, literal, parse

HELPERS = """
extern "C" __global__ void fill(float *to, unsigned long long count, unsigned seed)
{
  unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u + seed;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  if (i < count) to[i] = (float)(int)(x ^ x >> 16) / 2147483648.0f;
}
extern "C" __global__ void compare(const float *one, const float *other, unsigned long long count,
                                   float rtol, float atol, unsigned *wrong)
{
  unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= count) return;
  if (!(fabsf(one[i] - other[i]) <= atol + rtol * fabsf(other[i]))) atomicAdd(wrong, 1);
}
"""


def read_configs(path):
    text = pathlib.Path(path).read_text()
    if not text.lstrip().startswith("{"):
        rows = csv.DictReader(text.splitlines())
        return [{name: literal(value) for name, value in row.items()} for row in rows]
    texts = dict.fromkeys(e["config"] for e in json.loads(text)["evaluations"])
    pairs = ([pair.split("=", 1) for pair in config.split(",")] for config in texts)
    return [{name: literal(value) for name, value in config} for config in pairs]


class Kernels:
    """Compiled, checked and timed."""

    def __init__(self, spec, source, arch, gpu):
        self.spec, self.source, self.arch, self.gpu = spec, source, arch, gpu
        self.nvrtc = Nvrtc()
        self.compile_s = 0
        if gpu:
            self.flush = gpu.allocate(FLUSH_BYTES)
            cubin = self.nvrtc.compile(HELPERS, "helpers.cu", [f"--gpu-architecture={arch}"])
            self.fill, self.compare = gpu.load(cubin, "fill"), gpu.load(cubin, "compare")
            self.wrong = gpu.allocate(4)
        self.tensors = self.expected = None

    def compile(self, call):
        start = time.perf_counter()
        options = [f"--gpu-architecture={self.arch}", "--std=c++17", *call.defines]
        try:
            return self.nvrtc.compile(self.source, "kernel.cu", options)
        finally:
            self.compile_s += time.perf_counter() - start

    def blocks(self, count):
        return [(count + 255) // 256, 1, 1]

    def make_tensors(self, call):
        self.tensors = [self.gpu.allocate(SIZES[kind] * n) for _, kind, n in call.args]
        for number, (tensor, (role, kind, n)) in enumerate(zip(self.tensors, call.args)):
            if kind != "f32":
                raise ValueError(f"tensors of {kind} are not known here")
            if role != "out":
                arguments = [tensor, c_ulonglong(n), c_ulonglong(number)]
                self.gpu.launch(self.fill, self.blocks(n), [256, 1, 1], 0, arguments)

    def check(self, call):
        """Of the outputs, against those of the first that ran."""
        outputs = [(t, n) for t, (role, _, n) in zip(self.tensors, call.args) if role != "in"]
        if not self.expected:
            self.expected = [self.gpu.allocate(4 * n) for _, n in outputs]
            for (tensor, n), copy in zip(outputs, self.expected):
                self.gpu.synchronise()
                self.gpu.call("cuMemcpyDtoD_v2", copy, tensor, c_ulonglong(4 * n))
            return True
        limits = [c_float(float(self.spec["check"][name])) for name in ("rtol", "atol")]
        self.gpu.clear(self.wrong, 0, 4)
        for (tensor, n), copy in zip(outputs, self.expected):
            arguments = [tensor, copy, c_ulonglong(n), *limits, self.wrong]
            self.gpu.launch(self.compare, self.blocks(n), [256, 1, 1], 0, arguments)
        return self.gpu.read(self.wrong, 4) == bytes(4)

    def run(self, call, cubin, skip_spills):
        """(outcome, milliseconds)."""
        kernel = self.gpu.load(cubin, self.spec["entry"], call.shared)
        try:
            if skip_spills and kernel.local_bytes:
                return "spills", None
            if not self.tensors:
                self.make_tensors(call)
            for tensor, (role, _, n) in zip(self.tensors, call.args):
                if role == "out":
                    self.gpu.clear(tensor, 0xFF, 4 * n)

            def launch(_):
                self.gpu.launch(kernel, call.grid, call.block, call.shared, self.tensors)

            launch(0)
            if not self.check(call):
                return "wrong", None
            return "ok", do_bench_ms(self.gpu, launch, self.flush)[0]
        finally:
            self.gpu.unload(kernel)


def try_all(kernels, configs, options):
    counts, best, start, done = {}, (float("inf"), None), time.perf_counter(), 0
    for config in configs:
        if options.limit and time.perf_counter() - start > options.limit:
            break
        call, outcome, ms = Call(kernels.spec, config), "compiled", None
        try:
            cubin = kernels.compile(call)
            if kernels.gpu:
                outcome, ms = kernels.run(call, cubin, options.skip_spills)
        except CompileError:
            outcome = "compile error"
        except CudaError as error:
            outcome = str(error)
        counts[outcome] = counts.get(outcome, 0) + 1
        if ms is not None and ms < best[0]:
            best = ms, config
        done += 1
    return counts, best, time.perf_counter() - start, done


def main():
    parser = argparse.ArgumentParser(description="Compiles and times configurations in turn.")
    parser.add_argument("spec", type=pathlib.Path)
    parser.add_argument("--configs", required=True, help="CSV, or a report in JSON")
    parser.add_argument("--limit", type=float, default=0, help="seconds; default none")
    parser.add_argument("--skip-spills", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--arch", help="default the GPU's; sm_90 for --dry-run")
    options = parser.parse_args()

    spec, configs = parse(options.spec.read_text()), read_configs(options.configs)
    knobs = set(Call(spec, configs[0]).values) - set(spec.get("derived") or {})
    configs = [{name: value for name, value in c.items() if name in knobs} for c in configs]
    random.Random(1).shuffle(configs)
    try:
        gpu = None if options.dry_run else Gpu()
        arch = options.arch or (gpu.arch if gpu else "sm_90")
        source = (options.spec.parent / spec["file"]).read_text()
        kernels = Kernels(spec, source, arch, gpu)
    except CudaError as error:
        sys.exit(f"bench: {error}")
    say(f"serial: {len(configs)} configurations for {arch}, NVRTC {kernels.nvrtc.version()}")
    counts, (ms, best), wall_s, done = try_all(kernels, configs, options)
    result = {
        "configs": len(configs),
        "done": done,
        "wall_s": wall_s * len(configs) / max(done, 1),
        "is_extrapolated": done < len(configs),
        "measured_s": wall_s,
        "compile_s": kernels.compile_s,
        "outcomes": counts,
        "best_ms": ms if best else None,
        "best": best,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
