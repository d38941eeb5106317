"""TileLang matmul: Hone beside TileLang's own autotuner, with empty caches for both.

    python bench/python/tilelang_matmul.py              # with a GPU: fp16 4096^3, 48 configurations, beside TileLang
    python bench/python/tilelang_matmul.py --target c   # on CPUs: fp32 256^3, 12 configurations

Each contestant is a process of its own; its time is that of the call that tunes, after the imports.
TileLang is measured with AutoTuner, which compiles in parallel; --peer decorator measures
tilelang.autotune, which compiles one after the other. On CPUs TileLang's autotuner does not run (it
needs CUDA's events); --processes measures the alternative, a new process for each configuration.
In the end both choices are timed side by side.

On a machine without a network that has PyTorch and nvcc: take along build-tilelang/tilelang.tar.xz (40 MB, made by
tilelang_bundle.py), the portable program dist/hone, python/ and bench/python/, less than 64 MiB in all, and

    mkdir /tmp/tilelang && tar xf tilelang.tar.xz -C /tmp/tilelang
    PYTHONPATH=/tmp/tilelang HONE_PROGRAM=$PWD/dist/hone python3 bench/python/tilelang_matmul.py
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any, Dict, List

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


# ---- what is tuned: the kernels are in tilelang_kernels.py ----

def cpu_reference(a: Any, b: Any) -> Any:
    return a @ b


def gpu_reference(a: Any, b: Any) -> Any:
    return a @ b.T


CASES: Dict[str, Dict[str, Any]] = {
    "c": {"kernel": "cpu_kernel", "reference": cpu_reference, "size": 256, "target": "c", "flags": ["-O3", "-march=native"],
          "configs": [dict(block_M=m, block_N=n, block_K=k) for m in (16, 32, 64) for n in (32, 64) for k in (16, 32)]},
    "cuda": {"kernel": "gpu_kernel", "reference": gpu_reference, "size": 4096, "target": "cuda", "flags": None,
             "configs": [dict(block_M=m, block_N=n, block_K=k, num_stages=s, threads=t) for m in (64, 128)
                         for n in (64, 128, 256) for k in (32, 64) for s in (2, 3) for t in (128, 256)]},
}


# ---- contestants: each in a process of its own ----

def kernel_of(case: Dict[str, Any]) -> Any:
    import tilelang_kernels

    return getattr(tilelang_kernels, case["kernel"])


def fixed(case: Dict[str, Any]) -> Any:
    """The kernel as AutoTuner takes it: a function of the configuration."""
    size, kernel = case["size"], kernel_of(case)
    names = list(case["configs"][0])
    scope: Dict[str, Any] = {"kernel": kernel, "size": size}
    parameters, arguments = ", ".join(f"{name}=None" for name in names), ", ".join(f"{name}={name}" for name in names)
    path = os.path.join(tempfile.mkdtemp(prefix="hone-bench-"), "fixed.py")  # TileLang reads the source
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"def matmul({parameters}):\n    return kernel(size, size, size, {arguments})\n")
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), scope)
    return scope["matmul"]


def run_tuner(case: Dict[str, Any], kind: Any) -> Any:
    tuner = kind.from_kernel(fixed(case), case["configs"])
    tuner.set_compile_args(out_idx=[-1], target=case["target"])
    tuner.set_profile_args(ref_prog=case["reference"], cache_input_tensors=True)
    return tuner.run()


def run_decorator(case: Dict[str, Any], autotune: Any) -> Any:
    import tilelang

    jit = tilelang.jit(out_idx=[-1], target=case["target"], compile_flags=case["flags"])(kernel_of(case))
    return autotune(configs=case["configs"], ref_prog=case["reference"], cache_input_tensors=True)(jit)(
        case["size"], case["size"], case["size"])


def contest(who: str, case: Dict[str, Any]) -> Dict[str, Any]:
    begin = time.time()
    if who.startswith("hone"):
        sys.path.insert(0, os.path.join(ROOT, "python"))
        import hone.tilelang as module
    import tilelang
    import torch  # noqa: F401

    imported = time.time()
    if not who.startswith("hone"):
        module = tilelang.autotuner
    if who.endswith("tuner"):
        result = run_tuner(case, module.AutoTuner)
    else:
        result = run_decorator(case, module.autotune)
    done = time.time()
    answer = {"config": result.config, "latency_ms": result.latency, "ref_ms": result.ref_latency,
              "import_s": imported - begin, "tune_s": done - imported}
    if getattr(result, "hone", None):
        answer["sentence"] = result.hone.sentence
    return answer


def one_process(case: Dict[str, Any], config: Dict[str, Any]) -> Dict[str, Any]:
    """What a program does that is started for each configuration."""
    import tilelang
    import torch

    size = case["size"]
    kernel = tilelang.compile(kernel_of(case)(size, size, size, **config), out_idx=[-1], target=case["target"],
                              compile_flags=case["flags"])
    a, b = torch.randn(size, size), torch.randn(size, size)
    torch.testing.assert_close(kernel(a, b), case["reference"](a, b), rtol=1e-2, atol=1e-2)
    begin = time.perf_counter()
    for _ in range(10):
        kernel(a, b)
    return {"latency_ms": 100 * (time.perf_counter() - begin)}


def side_by_side(case: Dict[str, Any], configs: List[Dict[str, Any]]) -> List[float]:
    """The time of each configuration in ms: the median of rounds in which they alternate."""
    import statistics

    import tilelang
    import torch
    from tilelang.profiler import do_bench

    size, dtype = case["size"], torch.float16
    a, b = (torch.randn(size, size, dtype=dtype, device="cuda") for _ in range(2))
    kernels = [tilelang.compile(kernel_of(case)(size, size, size, **config), out_idx=[-1], target=case["target"])
               for config in configs]
    rounds = [[float(do_bench(lambda: kernel(a, b), warmup=10, rep=50)) for kernel in kernels] for _ in range(15)]
    return [statistics.median(column) for column in zip(*rounds)]


def child(arguments: List[str], folder: str) -> Any:
    """Runs this script again, with caches in `folder`, and returns what it reports."""
    variables = dict(os.environ, TILELANG_CACHE_DIR=os.path.join(folder, "tilelang"), TILELANG_PRINT_ON_COMPILATION="0",
                     HONE_CACHE=os.path.join(folder, "hone"), HONE_STORE=os.path.join(folder, "store.db"))
    report = os.path.join(folder, "report.json")
    begin = time.time()
    done = subprocess.run([sys.executable, os.path.abspath(__file__), *arguments, "--report", report], env=variables,
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stdout[-4000:]}")
    with open(report, encoding="utf-8") as file:
        answer = json.load(file)
    if isinstance(answer, dict):
        answer["wall_s"] = time.time() - begin
    return answer


# ---- tables ----

def show(name: str, answer: Dict[str, Any]) -> None:
    config = ",".join(f"{key}={value}" for key, value in answer["config"].items())
    print(f"| {name} | {answer['tune_s']:.1f} s | {answer['import_s']:.1f} s | {answer['latency_ms']:.4g} ms | {config} |",
          flush=True)


def verdict(what: str, value: float, target: str, good: bool) -> bool:
    print(f"| {what} | {value:.3g} | {target} | {'reached' if good else 'MISSED'} |", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=CASES)
    parser.add_argument("--peer", choices=("tuner", "decorator", "none"), default="tuner")
    parser.add_argument("--processes", action="store_true", help="also start a process for each configuration")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--config", help=argparse.SUPPRESS)
    parser.add_argument("--report", help=argparse.SUPPRESS)
    options = parser.parse_args()
    target = options.target or ("cuda" if os.path.exists("/dev/nvidiactl") else "c")
    case = CASES[target]
    if options.only:
        if options.only == "process":
            answer: Any = one_process(case, json.loads(options.config))
        elif options.only == "beside":
            answer = side_by_side(case, json.loads(options.config))
        else:
            answer = contest(options.only, case)
        with open(options.report, "w", encoding="utf-8") as file:
            json.dump(answer, file)
        return 0
    return compare(target, case, options)


def compare(target: str, case: Dict[str, Any], options: Any) -> int:
    good = True
    print(f"TileLang matmul, target {target}, {case['size']}^3, {len(case['configs'])} configurations, "
          f"{len(os.sched_getaffinity(0))} CPUs, empty caches\n")
    print("| who | tuning | imports | its time | choice |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="hone-bench-") as folder:
        kind = "decorator" if target == "c" or options.peer == "decorator" else "tuner"
        hone = child(["--target", target, "--only", f"hone {kind}"], folder)
        show("Hone", hone)
        again = child(["--target", target, "--only", f"hone {kind}"], folder)
        show("Hone, second process", again)
        peer = None
        if target != "c" and options.peer != "none":
            with tempfile.TemporaryDirectory(prefix="hone-bench-") as other:
                peer = child(["--target", target, "--only", f"tilelang {kind}"], other)
            show(f"TileLang {kind}", peer)
        print(f"\n{hone.get('sentence', '')}\n\n| what | value | target | |\n|---|---|---|---|")
        if target == "c":
            good &= verdict("seconds, with imports", hone["wall_s"], "<= 60", hone["wall_s"] <= 60)
            if options.processes:
                begin = time.time()
                for config in case["configs"]:
                    with tempfile.TemporaryDirectory(prefix="hone-bench-") as other:
                        child(["--target", target, "--only", "process", "--config", json.dumps(config)], other)
                print(f"| seconds, a process for each configuration | {time.time() - begin:.0f} | | |", flush=True)
        if peer:
            ratio = hone["tune_s"] / peer["tune_s"]
            good &= verdict("time / TileLang's", ratio, "<= 0.5", ratio <= 0.5)
            times = child(["--target", target, "--only", "beside", "--config", json.dumps([hone["config"], peer["config"]])],
                          folder)
            ratio = times[0] / times[1]
            good &= verdict("choice / TileLang's choice, side by side", ratio, "<= 1.01", ratio <= 1.01)
        good &= verdict("seconds of a second process", again["tune_s"], "<= 0.3", again["tune_s"] <= 0.3)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
