"""Results of `hone.tune_kernel` in Kernel Tuner's form: a list of dictionaries, and one about the environment."""
from __future__ import annotations

import gzip
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type

from ._kernel_space import Space
from ._kernel_trace import evaluate


class ErrorConfig(str):
    """Stands where a result would be if the configuration had worked. It is a text, the name of its class, and comes
    behind all numbers, so that ``min(results, key=lambda row: row["time"])`` is a result; in front of them where more
    is better."""

    is_lowest = False

    def __new__(cls, is_lowest: bool = False) -> ErrorConfig:
        error = str.__new__(cls, cls.__name__)
        error.is_lowest = is_lowest
        return error

    def _compare(self, other: Any, is_less: bool) -> bool:
        if isinstance(other, ErrorConfig):
            return False
        return self.is_lowest is is_less

    def __lt__(self, other: Any) -> bool:
        return self._compare(other, True)

    def __gt__(self, other: Any) -> bool:
        return self._compare(other, False)

    def __le__(self, other: Any) -> bool:
        return bool(self == other) or self < other

    def __ge__(self, other: Any) -> bool:
        return bool(self == other) or self > other


class InvalidConfig(ErrorConfig):
    """It cannot be launched: too many threads, too much shared memory, a constraint on the build."""


class CompilationFailedConfig(ErrorConfig):
    """The compiler rejected it, or did not finish."""


class RuntimeFailedConfig(ErrorConfig):
    """It failed while it ran, or its answer is wrong."""


_INVALID = ("invalid", "launch_failure", "oom_device", "not_applied")


def error_of(outcome: str) -> Type[ErrorConfig]:
    if outcome.startswith("compile_") or outcome == "not_built":
        return CompilationFailedConfig
    return InvalidConfig if outcome in _INVALID else RuntimeFailedConfig


def make_rows(data: Mapping[str, Any], space: Space, metrics: Mapping[str, Any],
              objectives: Mapping[str, bool]) -> List[Dict[str, Any]]:
    """A row for each configuration, in the order in which they were measured. `objectives`: whether more is better."""
    evaluations = data.get("evaluations") or []
    by_id = {evaluation["id"]: evaluation for evaluation in evaluations}
    rows: Dict[str, Dict[str, Any]] = {}
    for evaluation in evaluations:
        if evaluation["config"] not in rows:  # the baseline has one for each device
            rows[evaluation["config"]] = _row(evaluation, by_id, space, metrics, objectives)
    busy_ms = sum(row["compile_time"] + row["verification_time"] + row["benchmark_time"] for row in rows.values())
    rest_ms = max(0.0, (data.get("wall_s") or 0.0) * 1e3 - busy_ms)
    for row in rows.values():
        row["strategy_time"] = 0.0
        row["framework_time"] = rest_ms / len(rows)
    return list(rows.values())


def _row(evaluation: Mapping[str, Any], by_id: Mapping[int, Mapping[str, Any]], space: Space,
         metrics: Mapping[str, Any], objectives: Mapping[str, bool]) -> Dict[str, Any]:
    row = space.original(evaluation["params"])
    time_ms, times = _times(evaluation, by_id)
    failed = time_ms is None or evaluation["outcome"] not in ("ok", "slow")
    error = error_of(evaluation["outcome"])
    row["time"] = error() if failed else time_ms
    row["times"] = [] if failed else times
    row["compile_time"] = (evaluation.get("compile_s") or 0.0) * 1e3
    row["verification_time"] = (evaluation.get("cold_ns") or 0.0) / 1e6
    row["benchmark_time"] = sum(times, 0.0)
    if failed:
        row.update({name: error(is_lowest=higher) for name, higher in objectives.items() if name != "time"})
        row["outcome"] = evaluation["outcome"]
        row["evidence"] = evaluation.get("evidence")
    else:
        add_metrics(row, metrics)
        confirmed_ns = (evaluation.get("confirmation") or {}).get("time_ns")
        if confirmed_ns:
            row["confirmed_time"] = confirmed_ns / 1e6
    row["timestamp"] = f"{evaluation.get('made')}+00:00"
    return row


def _times(evaluation: Mapping[str, Any], by_id: Mapping[int, Mapping[str, Any]]) -> Tuple[Optional[float], List[float]]:
    """The median of the search in milliseconds, and its samples."""
    time_ns = evaluation.get("time_ns")
    source = by_id.get(evaluation.get("same_as") or 0, evaluation)
    samples = [sample for sample in source.get("samples") or [] if sample.get("times_ns")]
    screened = [one for one in samples if one["phase"] in ("baseline", "screen")] or samples[:1]
    times = [time / 1e6 for one in screened[:1] for time in one["times_ns"]]
    if time_ns is None:
        return None, times
    return time_ns / 1e6, times or [time_ns / 1e6]


def add_metrics(row: Dict[str, Any], metrics: Mapping[str, Any]) -> None:
    """Metrics in their order: each may use those before it."""
    for name, metric in metrics.items():
        row[name] = metric(row) if callable(metric) else evaluate(metric, row)


def best_row(rows: List[Dict[str, Any]], objective: str, higher_is_better: bool,
             proved: Optional[Mapping[str, Any]] = None) -> Optional[Dict[str, Any]]:
    """The winner if it was proved to be better than the baseline, else the best of the search."""
    for row in rows:
        if proved and all(row[name] == value for name, value in proved.items()):
            return row
    working = [row for row in rows if not isinstance(row.get(objective), ErrorConfig) and row.get(objective) is not None]
    if not working:
        return None
    return (max if higher_is_better else min)(working, key=lambda row: row[objective])


def line_of(row: Mapping[str, Any], space: Space, metrics: Mapping[str, Any]) -> str:
    """``block_size_x=256, time=0.286ms, GB/s=41.912``"""
    parts = [f"{name}={row[name]}" for name in space.params]
    if isinstance(row["time"], ErrorConfig):
        parts.append(f"{row['time']} ({row['outcome']}: {row.get('evidence') or 'no evidence'})")
        return ", ".join(parts)
    parts.append(f"time={row['time']:.3f}ms" if row["time"] >= 0.01 else f"time={row['time'] * 1e3:.3f}us")
    parts += [f"{name}={row[name]:.3f}" if isinstance(row[name], float) else f"{name}={row[name]}" for name in metrics]
    return ", ".join(parts)


def make_environment(data: Mapping[str, Any], rows: List[Dict[str, Any]], device: Mapping[str, Any],
                     best: Optional[Mapping[str, Any]], space: Space, more: Mapping[str, Any]) -> Dict[str, Any]:
    keys = ("verdict", "sentence", "run", "speedup", "low", "high", "pairs", "restarts", "answers", "notes", "wall_s")
    environment: Dict[str, Any] = {"device_name": device.get("name") or (data.get("environment") or {}).get("cpu")}
    if device.get("platform"):
        environment.update(platform_name=device["platform"], platform_version=device.get("arch"),
                           device_version=device.get("version"), driver_version=device.get("driver"))
    elif device.get("backend") == "cuda":
        environment.update(compute_capability=device.get("compute_capability"), driver_version=device.get("driver"))
    environment.update(more)
    environment["best_config"] = dict(best) if best else None
    for name in ("compile", "verification", "benchmark", "framework", "strategy"):
        environment[f"total_{name}_time"] = sum(row[f"{name}_time"] for row in rows)
    environment["hone"] = {**{key: data.get(key) for key in keys}, "version": data.get("hone"),
                           **{key: space.original(data[f"{key}_params"]) if data.get(f"{key}_params") else None
                              for key in ("winner", "baseline")},
                           "environment": data.get("environment")}
    return environment


# ---- cache files ----


def cache_file(cache: str) -> str:
    return cache if cache.endswith((".json", ".json.gz")) else cache + ".json"


CacheRows = Dict[Tuple[Any, ...], Dict[str, Any]]


def _load(path: str) -> Dict[str, Any]:
    opener: Any = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        text = file.read().rstrip()
    try:
        data = json.loads(text)
    except ValueError:  # Kernel Tuner writes the end of the file when it has finished
        data = json.loads(text.rstrip(",") + "}}")
    return dict(data)


def simulated_rows(data: Mapping[str, Any], space: Space, path: str) -> List[Dict[str, Any]]:
    """The recorded rows of the configurations that were asked for, in this order."""
    recorded = _rows_of(_load(path), space)
    asked = [tuple(space.original(one["params"]).values()) for one in data.get("evaluations") or []]
    return [dict(recorded[values]) for values in dict.fromkeys(asked) if values in recorded]


def read_cache(path: str, kernel_name: str, device_name: Optional[str], space: Space) -> CacheRows:
    """The rows of a cache file by the values of their parameters. Raises `ValueError` if it is another kernel's."""
    if not os.path.exists(path):
        return {}
    data = _load(path)
    for what, there, here in (("the kernel", data.get("kernel_name"), kernel_name),
                              ("the device", data.get("device_name"), device_name),
                              ("the parameters", list(data.get("tune_params_keys") or []), list(space.params))):
        if there != here:
            raise ValueError(f"cache: '{path}' was made for another run: {what} is {there!r} there and {here!r} here")
    return _rows_of(data, space)


def _rows_of(data: Mapping[str, Any], space: Space) -> CacheRows:
    rows: CacheRows = {}
    for row in (data.get("cache") or {}).values():
        for error in (InvalidConfig, CompilationFailedConfig, RuntimeFailedConfig):
            row = {name: error() if value == error.__name__ else value for name, value in row.items()}
        rows[tuple(row[name] for name in space.params)] = row
    return rows


def write_cache(path: str, kernel_name: str, device_name: Optional[str], problem_size: Any, space: Space,
                objective: str, rows: List[Dict[str, Any]]) -> None:
    """A cache file that Kernel Tuner and its tools read."""
    entries = {",".join(str(row[name]) for name in space.params): row for row in rows}
    data = {"schema_version": "1.0.0", "device_name": device_name, "kernel_name": kernel_name,
            "problem_size": problem_size if not callable(problem_size) else "callable",
            "tune_params_keys": list(space.params), "tune_params": space.params, "objective": objective,
            "cache": entries}
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(data, file, default=_plain, indent=1)
        file.write("\n")
    os.replace(temporary, path)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)
