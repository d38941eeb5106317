#!/usr/bin/env python3
"""Tunes an fp16 product 4096^3 with 108 Triton configurations: Hone beside Triton's own autotuner.

    HONE_PROGRAM=dist/hone PYTHONPATH=python python3 bench/python/triton_matmul.py [STEP ...]

Steps, each in a process of its own with empty caches (all of them by default):
    all       Hone, the whole list
    search    Hone, the default search; then the best time of 'all' is the measure of its choice
    second    a second process with the key of 'all' (or of 'search'), then the overhead of a call
    triton    Triton's own autotuner
    compare   the choices of all of them, and cuBLAS, measured side by side with do_bench
    few       Hone, 8 configurations: a quick trial
"""
import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

START = time.time()
SIZE = int(os.environ.get("SIZE", "4096"))
STEPS = ("all", "search", "second", "triton", "compare")


def say(*words):
    print(f"{time.time() - START:7.2f} s", *words, file=sys.stderr, flush=True)


def make_configs(triton, few=False):
    values = itertools.product((64, 128, 256), (64, 128, 256), (32, 64), (3, 4, 5), (4, 8))
    configs = [triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8}, num_stages=stages, num_warps=warps)
               for bm, bn, bk, stages, warps in values]
    return configs[::14] if few else configs


def make_kernel():
    import triton
    import triton.language as tl
    globals().update(triton=triton, tl=tl)

    @triton.jit
    def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
               BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
        pid = tl.program_id(0)
        num_m = tl.cdiv(M, BM)
        num_n = tl.cdiv(N, BN)
        in_group = GROUP * num_n
        first_m = pid // in_group * GROUP
        group_size = min(num_m - first_m, GROUP)
        pid_m = first_m + (pid % in_group) % group_size
        pid_n = (pid % in_group) // group_size
        rows = (pid_m * BM + tl.arange(0, BM)) % M
        columns = (pid_n * BN + tl.arange(0, BN)) % N
        depth = tl.arange(0, BK)
        a = a_ptr + rows[:, None] * stride_am + depth[None, :] * stride_ak
        b = b_ptr + depth[:, None] * stride_bk + columns[None, :] * stride_bn
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            total = tl.dot(tl.load(a, depth[None, :] < K - k * BK, 0.0), tl.load(b, depth[:, None] < K - k * BK, 0.0), total)
            a += BK * stride_ak
            b += BK * stride_bk
        rows = pid_m * BM + tl.arange(0, BM)
        columns = pid_n * BN + tl.arange(0, BN)
        c = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
        tl.store(c, total.to(tl.float16), (rows[:, None] < M) & (columns[None, :] < N))

    return matmul


def make_arguments():
    import torch

    torch.manual_seed(0)
    a = torch.randn((SIZE, SIZE), device="cuda", dtype=torch.float16)
    b = torch.randn((SIZE, SIZE), device="cuda", dtype=torch.float16)
    c = torch.empty((SIZE, SIZE), device="cuda", dtype=torch.float16)
    torch.cuda.synchronize()
    return a, b, c, SIZE, SIZE, SIZE, *a.stride(), *b.stride(), *c.stride()


def grid(meta):
    import triton

    return (triton.cdiv(meta["M"], meta["BM"]) * triton.cdiv(meta["N"], meta["BN"]),)


class Phases:
    """When what happened, from the events of hone."""

    def __init__(self):
        self.begin = time.time()
        self.times = []
        self.counts = {}
        self.seen = set()

    def mark(self, name):
        if name not in self.seen:
            self.seen.add(name)
            self.times.append((name, round(time.time() - self.begin, 2)))

    def __call__(self, event):
        kind, phase = event.get("kind"), event.get("phase")
        if kind == "phase":
            self.mark(f"{event.get('text')} begins")
        elif kind == "progress":
            self.counts = {word: event.get(word) for word in ("built", "ok", "slow", "failed")}
            if event.get("built"):
                self.mark("first build")
            if phase == "screen" and event.get("done"):
                self.mark("first candidate measured")
            if phase == "screen" and event.get("built") and not event.get("building"):
                self.times = [pair for pair in self.times if pair[0] != "builds done"]
                self.seen.discard("builds done")
                self.mark("builds done")
        elif kind in ("warning", "error"):
            say(kind, event.get("text"))


def describe(config):
    return {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages}


def with_hone(search, few=False):
    import torch

    import hone.triton

    say("imports done")
    arguments = make_arguments()
    say("arguments made")
    phases = Phases()
    options = {"search": "all"} if search == "all" else {}
    extra = os.environ.get("HONE_OPTIONS", "").split()
    tuned = hone.triton.autotune(make_configs(__import__("triton"), few), key=["M", "N", "K"], progress=phases,
                                 options=extra, **options)(make_kernel())
    begin = phases.begin = time.time()
    tuned[grid](*arguments)
    torch.cuda.synchronize()
    seconds = time.time() - begin
    phases.mark("the call returned")
    result = tuned.result()
    rows = [row for row in result.rows() if row["time_ns"]]
    times = sorted(row["time_ns"] for row in rows)
    outcomes = {}
    for row in result.rows():
        outcomes[row["outcome"]] = outcomes.get(row["outcome"], 0) + 1
    torch.testing.assert_close(arguments[2], arguments[0] @ arguments[1], rtol=2e-2, atol=0.5)
    return {"begin": begin, "seconds": seconds, "tuning_s": tuned.bench_time, "verdict": result.sentence,
            "proved": result.proved, "choice": describe(tuned.best_config), "time_us": (result.time_ns() or 0) / 1e3,
            "best_us": times[0] / 1e3 if times else None, "candidates": len(result.rows()), "outcomes": outcomes,
            "phases": phases.times, "notes": result.notes, "measured": result.measured}


def with_triton():
    import torch
    import triton

    say("imports done")
    arguments = make_arguments()
    tuned = triton.autotune(make_configs(triton), key=["M", "N", "K"])(make_kernel())
    begin = time.time()
    tuned[grid](*arguments)
    torch.cuda.synchronize()
    best = min(tuned.configs_timings.values(), key=lambda times: times[0])
    return {"seconds": time.time() - begin, "choice": describe(tuned.best_config), "time_us": best[0] * 1e3}


def call_time(function, repeat=2000):
    """Microseconds of a call, the median of several rounds; the GPU must not hold the calls up."""
    import torch

    rounds = []
    for _ in range(15):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(repeat // 10):
            function()
        rounds.append((time.perf_counter() - begin) / (repeat // 10) * 1e6)
    torch.cuda.synchronize()
    return sorted(rounds)[len(rounds) // 2]


def second(search):
    """A second process: the result is there. Then what a call costs, on a small product so that the GPU keeps pace."""
    import torch

    import hone.triton
    import triton

    torch.cuda.init()
    arguments = make_arguments()
    events = []
    options = {"search": "all"} if search == "all" else {}
    kernel = make_kernel()
    tuned = hone.triton.autotune(make_configs(triton), key=["M", "N", "K"], progress=events.append,
                                 options=os.environ.get("HONE_OPTIONS", "").split(), **options)(kernel)
    begin = time.time()
    tuned[grid](*arguments)
    first = time.time() - begin
    result = tuned.result()
    config = tuned.best_config
    small = 64
    a, b, c = (tensor[:small, :small].contiguous() for tensor in arguments[:3])
    few = (a, b, c, small, small, small, small, 1, small, 1, small, 1)
    tuned.cache[tuned.triton_key(few, {})] = config
    values = config.all_kwargs()
    bare = call_time(lambda: kernel[grid](*few, **values))
    ours = call_time(lambda: tuned[grid](*few))
    theirs = triton.autotune(make_configs(triton), key=["M", "N", "K"])(kernel)
    theirs.cache[tuned.triton_key(few, {})] = config
    peer = call_time(lambda: theirs[grid](*few))
    return {"seconds": first, "lookup_s": tuned.bench_time, "measured": result.measured, "bare_us": bare,
            "hone_us": ours, "triton_us": peer, "choice": describe(config),
            "progress": sum(event.get("kind") == "result" for event in events)}


def bare(choice):
    """The first launch of a process without any autotuner, with the caches of before: what Triton itself needs."""
    import torch

    torch.cuda.init()
    arguments = make_arguments()
    kernel = make_kernel()
    begin = time.time()
    kernel[grid](*arguments, **choice)
    return {"seconds": time.time() - begin}


def compare(choices):
    """The time of each choice, measured alike, and of cuBLAS."""
    import torch
    import triton

    arguments = make_arguments()
    kernel = make_kernel()
    times = {name: [] for name in [*choices, "cuBLAS"]}
    for _ in range(5):
        for name, choice in choices.items():
            times[name].append(triton.testing.do_bench(lambda choice=choice: kernel[grid](*arguments, **choice), warmup=20,
                                                       rep=60, return_mode="median") * 1e3)
        times["cuBLAS"].append(triton.testing.do_bench(lambda: torch.mm(arguments[0], arguments[1], out=arguments[2]),
                                                       warmup=20, rep=60, return_mode="median") * 1e3)
    return {name: sorted(values)[len(values) // 2] for name, values in times.items()}


# ---- the parent ----


def child(step, folder, given=None):
    """Runs a step in a process of its own, with the caches of `folder`."""
    variables = dict(os.environ, TRITON_CACHE_DIR=os.path.join(folder, "triton"), HONE_CACHE=os.path.join(folder, "hone"),
                     HONE_STORE=os.path.join(folder, "store.db"))
    variables.pop("TRITON_CACHE_AUTOTUNING", None)
    variables["HONE_TRITON_TRACE"] = trace = os.path.join(folder, f"{step}.trace")
    answer = os.path.join(folder, f"{step}.json")
    os.makedirs(folder, exist_ok=True)
    say(f"--- {step}")
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--child", step, "--answer", answer,
                           "--given", json.dumps(given or {})], env=variables)
    if done.returncode:
        say(f"{step} failed with status {done.returncode}")
        return None
    with open(answer) as file:
        result = json.load(file)
    if os.path.exists(trace) and "begin" in result:
        show_trace(trace, result["begin"])
    return result


def show_trace(path, begin):
    """Where the time went: the steps of all processes."""
    steps = {}
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            steps.setdefault(record["step"], []).append((record["begin"] - begin, record["seconds"]))
    say(f"{'step':34} {'count':>5} {'first at':>9} {'last ends':>9} {'mean':>8} {'longest':>8} {'sum':>8}  seconds")
    for name, values in sorted(steps.items(), key=lambda item: min(item[1])):
        seconds = [value for _, value in values]
        say(f"{name:34} {len(values):5} {min(values)[0]:9.2f} {max(sum(value) for value in values):9.2f} "
            f"{sum(seconds) / len(seconds):8.3f} {max(seconds):8.3f} {sum(seconds):8.2f}")


def run_child(step, answer, given):
    result = {"all": lambda: with_hone("all"), "search": lambda: with_hone("auto"),
              "few": lambda: with_hone("all", True), "triton": with_triton,
              "second": lambda: second(given.get("search", "all")), "bare": lambda: bare(given),
              "compare": lambda: compare(given)}[step]()
    with open(answer, "w") as file:
        json.dump(result, file)


def show(rows):
    print("\n| what | measured | target | |\n|---|---|---|---|")
    for what, value, target, good in rows:
        print(f"| {what} | {value} | {target} | {'' if good is None else 'reached' if good else 'MISSED'} |")


def table(results):
    rows = []
    for step, target, name in (("all", 16, "Hone, 108 configurations"), ("search", 9, "Hone, default search"),
                               ("few", None, "Hone, 8 configurations")):
        found = results.get(step)
        if not found:
            continue
        rows.append((f"{name}, with proof", f"{found['seconds']:.2f} s", f"<= {target} s" if target else "",
                     found["seconds"] <= target and found["proved"] if target else None))
        rows.append((f"{name}: verdict", found["verdict"], "", None))
        rows.append((f"{name}: candidates", f"{found['candidates']} {found['outcomes']}", "", None))
        rows.append((f"{name}: phases", ", ".join(f"{what} {when}" for what, when in found["phases"]), "", None))
        for note in found["notes"]:
            rows.append((f"{name}: note", note, "", None))
    peer, whole = results.get("triton"), results.get("all") or results.get("search")
    if peer:
        rows.append(("Triton's autotuner, 108 configurations", f"{peer['seconds']:.2f} s", "about 91 s", None))
    if peer and whole:
        rows.append(("Triton's time / Hone's", f"{peer['seconds'] / whole['seconds']:.1f}", "", None))
    again = results.get("second")
    if again:
        rows.append(("second process: its configuration is known after", f"{again['lookup_s']:.3f} s, measured: "
                     f"{again['measured']}", "<= 0.3 s", again["lookup_s"] <= 0.3 and not again["measured"]))
        alone = results["bare"]["seconds"]
        rows.append(("second process: the first call, over that of a bare launch",
                     f"{again['seconds'] - alone:.3f} s ({again['seconds']:.3f} - {alone:.3f})", "<= 0.3 s",
                     again["seconds"] - alone <= 0.3))
        rows.append(("call after tuning, over Triton's launch",
                     f"{again['hone_us'] - again['bare_us']:.2f} us ({again['hone_us']:.2f} - {again['bare_us']:.2f}; "
                     f"triton.autotune {again['triton_us']:.2f})", "< 5 us", again["hone_us"] - again["bare_us"] < 5))
    times = results.get("compare")
    if times:
        for name, time_us in times.items():
            rows.append((f"choice of {name}, side by side", f"{time_us:.1f} us", "", None))
        if "triton" in times and "all" in times:
            rows.append(("choice of Hone against Triton's", f"{times['all'] / times['triton']:.4f}", "<= 1.00 (noise 0.5 %)",
                         times["all"] <= times["triton"] * 1.005))
        if "search" in times and "all" in times:
            best = min(times["all"], times["search"], times.get("triton", times["all"]))
            rows.append(("default search against the best", f"{times['search'] / best:.4f}", "<= 1.01",
                         times["search"] <= 1.01 * best))
    show(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="STEP")
    parser.add_argument("--folder", help="keep caches and answers here; default: a temporary folder")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    parser.add_argument("--given", default="{}", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        run_child(arguments.child, arguments.answer, json.loads(arguments.given))
        return
    steps = arguments.steps or list(STEPS)
    unknown = set(steps) - {*STEPS, "few"}
    if unknown:
        parser.error(f"unknown step: {', '.join(sorted(unknown))}")
    folder = arguments.folder or tempfile.mkdtemp(prefix="hone-bench-")
    results = {}
    try:
        for step in steps:
            if step == "second":
                search = "all" if "all" in results or os.path.exists(os.path.join(folder, "all", "all.json")) else "search"
                results[step] = child(step, os.path.join(folder, search), {"search": search})
                results["bare"] = child("bare", os.path.join(folder, search), results[step]["choice"])
            elif step == "compare":
                choices = {name: results[name]["choice"] for name in ("all", "search", "few", "triton") if results.get(name)}
                results[step] = child(step, os.path.join(folder, "compare"), choices)
            else:
                results[step] = child(step, os.path.join(folder, step))
            say(step, json.dumps(results[step]))
        table(results)
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
