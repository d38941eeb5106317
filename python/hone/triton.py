"""hone.triton: a drop-in for triton.autotune.

    from hone.triton import autotune            # instead of: from triton import autotune

    @autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=4), ...], key=["n"])
    @triton.jit
    def kernel(x, n, BLOCK: tl.constexpr): ...

    kernel[grid](x, n)                          # the first call of a key tunes, later ones launch

Configurations are compiled in parallel by processes that never touch the GPU, and measured in one
process that holds copies of the arguments: a configuration that crashes, hangs or gives a wrong
answer is a row of the results, and the user's tensors stay as they are. Results are kept across
processes. `HONE_AUTOTUNE` (off, lookup, on, require) says what is allowed.
"""
from __future__ import annotations

import functools
import inspect
import os
import sys
import threading
import time
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import triton
from triton.backends.compiler import GPUTarget
from triton.runtime.autotuner import Autotuner as TritonAutotuner
from triton.runtime.autotuner import Config
from triton.runtime.jit import JITFunction

from . import _wisdom
from ._errors import HoneError, NotTunedError
from ._fingerprint import function_digest, versions
from ._instances import is_instance
from ._knobs import Knobs
from ._results import Result
from ._triton_build import Builder, Call
from ._triton_configs import OPTIONS, finder, first_legal, make_config, rows_of
from ._triton_job import Job
from ._triton_launch import Plan, kinds
from ._triton_baselines import Baselines
from ._tuning import Tuning, autotune_mode, spec_name, spec_problem

__all__ = ["autotune", "Autotuner", "Config"]

_MOST_BUILDERS = 64


def _initial(function: Any) -> Dict[str, Any]:
    """Which arguments Triton's own autotuner takes, which differ between versions."""
    return dict(inspect.signature(function).parameters)


def _bench(call: Callable[[], Any], quantiles: Any = None) -> Any:
    import triton.testing

    return triton.testing.do_bench(call, quantiles=quantiles)


class Device:
    """What is compiled for, and measured on."""

    def __init__(self, target: GPUTarget, index: int, name: str, shared_limit: Optional[int]) -> None:
        self.target = target
        self.index = index
        self.name = name
        self.shared_limit = shared_limit


def current_device() -> Device:
    """The current device of PyTorch. Triton's driver is not asked: it would compile a module first."""
    import torch  # type: ignore[import-not-found]

    if torch.version.hip is not None or not torch.cuda.is_available():
        raise HoneError("no NVIDIA GPU is available")
    index = torch.cuda.current_device()
    facts = torch.cuda.get_device_properties(index)
    limit = getattr(facts, "shared_memory_per_block_optin", None)
    return Device(GPUTarget("cuda", facts.major * 10 + facts.minor, 32), index, facts.name, limit)


class Autotuner(TritonAutotuner):
    """A tuned kernel. `cache` has the configuration of each key, `best_config` the one of the last launch."""

    def __init__(self, fn: Any, configs: Optional[Sequence[Config]], key: Sequence[str], *,
                 params: Optional[Mapping[str, Sequence[Any]]] = None,
                 constraints: Union[None, str, Sequence[str]] = None, baseline: Any = None,
                 reference: Optional[Callable[..., Any]] = None, search: str = "auto", effort: Optional[str] = None,
                 budget: Union[None, str, int, float] = None, rtol: Optional[float] = None,
                 atol: Optional[float] = None, max_mismatched_ratio: float = 0.0, builders: Optional[int] = None,
                 build_timeout: Optional[float] = None, timeout: Optional[float] = None, progress: Any = None,
                 in_process: bool = False, name: Optional[str] = None, wisdom: Optional[str] = None,
                 options: Sequence[str] = (),
                 **triton_options: Any) -> None:
        known = _initial(TritonAutotuner.__init__)
        own = {option: value for option, value in triton_options.items() if option in known}
        given = dict(own)
        own["do_bench"] = own.get("do_bench") or _bench  # Triton 3.2 asks its driver for one at once
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            super().__init__(fn, fn.arg_names, list(configs or []), list(key), **own)
        self.params = dict(params) if params else None
        self.constraints = [constraints] if isinstance(constraints, str) else list(constraints or ())
        self.baseline = baseline
        self.reference = reference
        self.search = search
        self.effort = effort
        self.budget = budget
        self.rtol, self.atol, self.max_mismatched_ratio = rtol, atol, max_mismatched_ratio
        self.builders = builders
        self.build_timeout, self.timeout = build_timeout, timeout
        self.progress = progress
        self.in_process = in_process
        self.name = name or self.base_fn.__name__
        self.wisdom = wisdom
        self.options = list(options)
        self.tuned: Dict[Tuple[Any, ...], Result] = {}   # by key
        self.last_result: Optional[Result] = None
        self._plans: Dict[Any, Plan] = {}               # by the types of arguments: launches that are known
        self._lock = threading.RLock()
        self._arguments = frozenset(self.arg_names)
        self._check_settings(configs, given)

    def _check_settings(self, configs: Any, own: Mapping[str, Any]) -> None:
        for word, names in (("key", self.keys), ("reset_to_zero", self.reset_to_zero),
                            ("restore_value", self.restore_value)):
            unknown = [one for one in names if one not in self._arguments]
            if unknown:
                raise ValueError(f"{word} contains names that are not kernel arguments: {', '.join(unknown)}. "
                                 f"Valid argument names are: {', '.join(self.arg_names)}.")
        if self.params and configs:
            raise ValueError("give configs or params, not both")
        if self.constraints and not self.params:
            raise ValueError("constraints need params")
        if self.params and (self.perf_model or self.early_config_prune):
            raise ValueError("prune_configs_by needs configs; use constraints with params")
        if self.search not in ("auto", "all"):
            raise ValueError(f"search is 'auto' or 'all', not {self.search!r}")
        for config in self.configs if configs else ():
            if not isinstance(config, Config):
                raise TypeError(f"configs has {config!r}, which is not a triton.Config")
        if any(own.get(word) is not None for word in ("do_bench", "warmup", "rep")) or own.get("use_cuda_graph"):
            warnings.warn("do_bench, warmup, rep and use_cuda_graph have no effect: hone measures by itself; "
                          "in_process=True uses Triton's autotuner", stacklevel=4)

    # ---- launching ----

    def __getitem__(self, grid: Any) -> Any:
        plans = self._plans

        def launch(*args: Any, **kwargs: Any) -> Any:
            plan = plans.get(tuple(map(type, args)) if not kwargs else kinds(args, kwargs))
            if plan is not None:
                found = plan.launches.get(plan.key(args, kwargs))
                if found is not None:
                    self.best_config = found[1]
                    return found[0](*args, grid=grid, warmup=False, **kwargs)
            return self.run(*args, grid=grid, warmup=False, **kwargs)

        return launch

    def run(self, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any) -> Any:
        if self.in_process or not _is_compiled(self.fn) or _is_amd():
            return super().run(*args, grid=grid, warmup=warmup, **kwargs)
        config, is_final = self._choose(args, {**kwargs, "grid": grid, "warmup": warmup})
        launch = functools.partial(self.fn.run, **config.all_kwargs())
        if is_final and config.pre_hook is None:
            plan = self._plans.setdefault(kinds(args, kwargs), Plan(self.arg_names, self.keys, args, kwargs))
            plan.launches[plan.key(args, kwargs)] = (launch, config)
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**dict(zip(self.arg_names, args)), **kwargs, **config.all_kwargs()})
        return launch(*args, grid=grid, warmup=warmup, **kwargs)

    def triton_key(self, args: Tuple[Any, ...], kwargs: Mapping[str, Any]) -> Tuple[Any, ...]:
        """As Triton makes it: the values of `key`, then the type of each tensor."""
        named = {**dict(zip(self.arg_names, args)), **kwargs}
        named = {word: value for word, value in named.items() if word in self._arguments}
        key = [named[word] for word in self.keys if word in named]
        key += [str(value.dtype) for value in named.values() if hasattr(value, "dtype")]
        return tuple(key)

    def _choose(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[Config, bool]:
        """The configuration for a call, and whether it is the one for all calls of this key."""
        self._check_conflicts(kwargs)
        key = self.triton_key(args, kwargs)
        with self._lock:
            if key in self.cache:
                return self.cache[key], True
            if not self.params and len(self.configs) == 1:
                return self.configs[0], True
            mode, named = autotune_mode(), Call(self.fn, args, kwargs).named()
            if mode == "off" or is_instance():
                return self.default_config(None, named), False
            configs = self._pruned(args, kwargs)
            if configs is not None and len(configs) == 1:
                self.cache[key] = configs[0]
            else:
                self._find(mode, key, args, kwargs, configs)
            return (self.cache[key], True) if key in self.cache else (self.default_config(configs, named), False)

    def _check_conflicts(self, kwargs: Mapping[str, Any]) -> None:
        tuned = set(self.params or ()).union(*(config.kwargs for config in self.configs)) & set(kwargs)
        if tuned:
            raise ValueError(f"Conflicting meta-parameters: {', '.join(sorted(tuned))}."
                             " Make sure that you don't re-define auto-tuned symbols.")

    def default_config(self, configs: Optional[Sequence[Config]] = None,
                       named: Optional[Mapping[str, Any]] = None) -> Config:
        """What is used if nothing is known: the baseline, or else the first configuration."""
        if isinstance(self.baseline, Config):
            return self.baseline
        if self.baseline is not None:
            return make_config(self.baseline)
        if self.params:
            return make_config(first_legal(self.params, self.constraints, named or {}))
        return (configs or self.configs)[0]

    # ---- configurations ----

    def prune_configs(self, kwargs: Dict[str, Any]) -> List[Config]:
        """early_config_prune, then perf_model and top_k, as newer versions of Triton do it."""
        configs = self.configs
        if self.early_config_prune:
            configs = self.early_config_prune(self.configs, self.nargs, **kwargs)
            if not configs:
                raise _no_configs(
                    "No valid autotuner configs after pruning. `early_config_prune` should return at least one config.")
        if self.perf_model:
            top_k = self.configs_top_k
            if isinstance(top_k, float) and top_k <= 1.0:
                top_k = max(1, int(len(configs) * top_k))
            elif not isinstance(top_k, int):
                raise TypeError("Error while pruning configs, top_k must be either 1) a float <= 1.0 or 2) an int")
            if len(configs) > top_k:
                times = {config: self.perf_model(**self.nargs, **kwargs, **config.all_kwargs()) for config in configs}
                configs = sorted(times, key=lambda config: times[config])[:top_k]
        return list(configs)

    def _pruned(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Optional[List[Config]]:
        if self.params:
            return None
        self.nargs = dict(zip(self.arg_names, args))
        try:
            return self.prune_configs(kwargs)
        finally:
            self.nargs = {}

    def _check_names(self, names: Sequence[str], target: GPUTarget) -> None:
        from triton.compiler.compiler import make_backend

        allowed = set(make_backend(target).parse_options({}).__dict__)
        for word in names:
            if word not in self._arguments and word not in allowed and word != "pre_hook":
                raise ValueError(f"a configuration has '{word}', which is neither an argument of '{self.name}' "
                                 f"({', '.join(self.arg_names)}) nor an option of Triton")

    # ---- tuning ----

    def _knobs(self, configs: Optional[List[Config]]) -> Tuple[Knobs, Callable[[Mapping[str, Any]], Config]]:
        """The space, and what makes a configuration of its rows."""
        if configs is None:
            return Knobs(params=self.params, constraints=self.constraints), make_config
        rows = rows_of(configs)
        return Knobs(configs=rows), finder(rows, configs)

    def _problem(self, call: Call) -> Dict[str, Any]:
        """The key, by name."""
        named = call.named()
        problem = {word: named[word] for word in self.keys if word in named}
        types = [str(value.dtype).replace("torch.", "") for value in named.values() if hasattr(value, "dtype")]
        if types:
            problem["types"] = types[0] if len(set(types)) == 1 else "_".join(types)
        return problem

    def _tuning(self, key: Tuple[Any, ...], args: Tuple[Any, ...], kwargs: Dict[str, Any],
                configs: Optional[List[Config]], baseline: Optional[Dict[str, Any]]) -> Tuple[Tuning, Job]:
        device = current_device()
        knobs, config_of = self._knobs(configs)
        self._check_names(knobs.names, device.target)
        call = Call(self.fn, args, kwargs)
        builder = Builder(call, lambda config: config_of(knobs.decode(config)), device.target, device.index,
                          device.shared_limit)
        job = Job(call, builder, zeroed=() if self.user_defined_pre_hook else self.reset_to_zero,
                  restored=() if self.user_defined_pre_hook else self.restore_value, reference=self.reference,
                  hooks=self._hooks(args, kwargs, configs), rtol=self.rtol, atol=self.atol,
                  mismatched_ratio=self.max_mismatched_ratio)
        tuning = Tuning(name=self.name, knobs=knobs, evaluator=job, fingerprint=self._fingerprint(device, key, call),
                        problem=self._problem(call), baseline=baseline, measurers="spawn",
                        builders=self._builder_count(configs), timeout_s=self.timeout,
                        build_timeout_s=self.build_timeout or 600, options=self._words(), progress=self.progress,
                        device=device.name, overlap=True, before=job.prepare)
        return tuning, job

    def _baseline_row(self, configs: Optional[List[Config]]) -> Optional[Dict[str, Any]]:
        if isinstance(self.baseline, Mapping):
            return dict(self.baseline)
        if configs is None:
            return dict(self.baseline.all_kwargs()) if isinstance(self.baseline, Config) else None
        place = configs.index(self.baseline) if isinstance(self.baseline, Config) and self.baseline in configs else 0
        return rows_of(configs)[place]

    def _hooks(self, args: Tuple[Any, ...], kwargs: Dict[str, Any],
               configs: Optional[List[Config]]) -> Optional[Callable[[], None]]:
        """Calls the user's hooks as for a launch of the first configuration, without launching it."""
        first = self.baseline if isinstance(self.baseline, Config) else configs[0] if configs else None
        if not (self.user_defined_pre_hook or self.user_defined_post_hook or (first and first.pre_hook)):
            return None
        config = first or self.default_config(None, dict(zip(self.arg_names, args)))
        named = {**dict(zip(self.arg_names, args)), **kwargs, **config.all_kwargs()}

        def call_hooks() -> None:
            if config.pre_hook:
                config.pre_hook(named)
            if self.user_defined_pre_hook:
                self.pre_hook(named)
            if self.user_defined_post_hook:
                self.post_hook(named, exception=None)

        return call_hooks

    def _builder_count(self, configs: Optional[List[Config]]) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = self.builders or min(cores, _MOST_BUILDERS)
        return max(1, min(count, len(configs)) if configs else count)

    def _words(self) -> List[str]:
        words = []
        if self.search == "all":
            words += ["--strategy", "exhaustive"]
        if self.budget is not None:
            words += ["--budget", f"{self.budget:g}s" if isinstance(self.budget, float) else str(self.budget)]
        if self.effort:
            words += ["--effort", self.effort]
        elif self.search == "auto" and self.budget is None:
            # As short as a quick search, in whole rounds of builders, but it ends with a proof: what is chosen here stays.
            evaluations = min(50, max(24, 3 * self._builder_count(None) - 1))
            words += ["--evals", str(evaluations), "--patience", "20", "--top", "3"]
        return [*words, *self.options]

    def _fingerprint(self, device: Device, key: Tuple[Any, ...], call: Call) -> Dict[str, Any]:
        inner = self.fn
        wrappers = []
        while inner is not call.jit:
            values = getattr(inner, "values", None)
            if isinstance(values, Mapping):
                wrappers.append({word: function_digest(value) for word, value in values.items()})
            inner = inner.fn
        constant = {parameter.name for parameter in call.jit.params if parameter.is_constexpr}
        hooks = [function_digest(hook) for hook in (self.user_defined_pre_hook and self.pre_hook, self.reference) if hook]
        return {"kind": "triton", "kernel": function_digest(call.jit), "wrappers": wrappers, "hooks": hooks,
                "key": [repr(part) for part in key], "zeroed": self.reset_to_zero, "restored": self.restore_value,
                "versions": {"triton": triton.__version__, **versions("torch")}, "device": device.name,
                "target": [device.target.backend, str(device.target.arch)],
                "tolerances": [self.rtol, self.atol, self.max_mismatched_ratio],
                "constants": {word: _describe(value) for word, value in sorted(call.named().items())
                              if word in constant and word not in self.keys}}

    def _find(self, mode: str, key: Tuple[Any, ...], args: Tuple[Any, ...], kwargs: Dict[str, Any],
              configs: Optional[List[Config]], fresh: bool = False) -> Optional[Result]:
        """Looks for the configuration of a key, or tunes; what is found is in `cache`."""
        begin = time.time()
        config_of = self._knobs(configs)[1]
        known = None if fresh else self._from_wisdom(mode, Call(self.fn, args, kwargs), configs)
        if known is not None:
            self.cache[key] = known
            return None
        result = self._try_baselines(mode, key, args, kwargs, configs, fresh)
        if result is None or result.config is None:
            return None
        self._remember(key, result, config_of(result.config), time.time() - begin)
        if self.user_defined_pre_hook and result.measured:
            named = {**dict(zip(self.arg_names, args)), **kwargs, **self.cache[key].all_kwargs()}
            self.pre_hook(named, reset_only=True)
        return result

    def _from_wisdom(self, mode: str, call: Call, configs: Optional[List[Config]]) -> Optional[Config]:
        path = self.wisdom or os.environ.get("HONE_WISDOM")
        if not path:
            return None
        found = _wisdom.find(path, spec_name(self.name), spec_problem(self._problem(call)), current_device().name,
                             mode == "require")
        knobs, config_of = self._knobs(configs)
        knobs.spec()  # makes texts of values that need one
        return config_of(knobs.decode(found)) if found is not None else None

    def _try_baselines(self, mode: str, key: Tuple[Any, ...], args: Tuple[Any, ...], kwargs: Dict[str, Any],
                       configs: Optional[List[Config]], fresh: bool) -> Optional[Result]:
        """The first configuration is the baseline. If it does not work, the next one is: as for Triton, a
        configuration that fails is no error."""
        rows = [self._baseline_row(configs)]
        if configs is not None and self.baseline is None:
            rows += rows_of(configs)[1:]
        baselines = Baselines(rows, self._fingerprint(current_device(), key, Call(self.fn, args, kwargs)))
        while True:
            tuning, job = self._tuning(key, args, kwargs, configs, baselines.current)
            if fresh:
                tuning.options = [*tuning.options, "--fresh"]
            try:
                return tuning.find(mode)
            except NotTunedError:
                raise
            except HoneError as error:
                outcome = job.failure_of(tuning.knobs.encode_config(tuning.baseline or {}))
                if outcome == "device_fault":
                    raise HoneError(f"{error}\nA kernel that takes addresses from a tensor cannot run in another process, "
                                    "which has its own memory; in_process=True uses Triton's autotuner") from error
                if not baselines.take_next(outcome):
                    raise
            finally:
                job.close()

    def _remember(self, key: Tuple[Any, ...], result: Result, config: Config, seconds: float) -> None:
        self.tuned[key] = self.last_result = result
        self.cache[key] = config
        self.best_config = config
        self.bench_time = seconds
        if _wants_lines():
            print(f"Triton autotuning for function {self.name},\nwith key as {key},\nfinished after {seconds:.2f}s,\n"
                  f"best config selected: {config};")

    # ---- more than Triton's ----

    def tune(self, *args: Any, grid: Any, fresh: bool = False, **kwargs: Any) -> Result:
        """Tunes for these arguments, and launches nothing. `fresh` measures again what the store has."""
        kwargs = {"grid": grid, "warmup": False, **kwargs}
        self._check_conflicts(kwargs)
        key = self.triton_key(args, kwargs)
        result = self._find("on", key, args, kwargs, self._pruned(args, kwargs), fresh)
        self._plans.clear()
        if result is None:
            raise HoneError(f"'{self.name}' was not tuned: its wisdom file has the configuration; fresh=True measures")
        return result

    def best(self, *args: Any, grid: Any = None, **kwargs: Any) -> Optional[Config]:
        """The configuration for these arguments, if it is known. Nothing is measured."""
        if not args and not kwargs:
            return getattr(self, "best_config", None)
        kwargs = {"grid": grid, "warmup": False, **kwargs}
        key = self.triton_key(args, kwargs)
        if key not in self.cache:
            self._find("lookup", key, args, kwargs, self._pruned(args, kwargs))
        return self.cache.get(key)

    def result(self, *args: Any, grid: Any = None, **kwargs: Any) -> Result:
        """The result for these arguments; without arguments, the last one."""
        result = self.last_result
        if args or kwargs:
            self.best(*args, grid=grid, **kwargs)
            result = self.tuned.get(self.triton_key(args, kwargs))
        if result is None:
            raise NotTunedError(f"'{self.name}' has no result yet: call it, or tune(...)")
        return result

    def results(self, *args: Any, grid: Any = None, **kwargs: Any) -> Any:
        """Every candidate: a DataFrame where pandas is installed, else a list of rows."""
        return self.result(*args, grid=grid, **kwargs).results()

    def export(self, path: Optional[str] = None, format: str = "wisdom", force: bool = False) -> str:
        """What this process has tuned or looked up: all keys as wisdom, the last one in other formats."""
        from ._autotune import export_results

        if not self.tuned:
            raise NotTunedError(f"'{self.name}' has no result yet: call it, or tune(...)")
        return export_results(list(self.tuned.values()), path, format, force)

    @property
    def configs_timings(self) -> Dict[Config, List[float]]:
        """Milliseconds of the configurations that were measured, as Triton's own attribute."""
        if self.last_result is None:
            return self.__dict__.get("_configs_timings", {})
        return {make_config({word: row[word] for word in self._knob_names(row)}): [row["time_ns"] / 1e6] * 3
                for row in self.last_result.rows() if row["time_ns"]}

    @configs_timings.setter
    def configs_timings(self, value: Dict[Config, List[float]]) -> None:
        self.__dict__["_configs_timings"] = value

    def _knob_names(self, row: Mapping[str, Any]) -> List[str]:
        tuned = set(self.params or ()).union(*(config.kwargs for config in self.configs))
        return [word for word in row if word in tuned or word in OPTIONS]

    def __repr__(self) -> str:
        return f"<hone.triton.Autotuner of {self.name}: {len(self.cache)} keys>"


def _is_compiled(function: Any) -> bool:
    """Whether it is compiled for a GPU: not with TRITON_INTERPRET=1."""
    while not isinstance(function, JITFunction):
        function = getattr(function, "fn", None)
        if function is None or inspect.isfunction(function):
            return False
    return True


@functools.lru_cache(None)
def _is_amd() -> bool:
    torch = sys.modules.get("torch")
    found = torch is not None and getattr(torch.version, "hip", None) is not None
    if found:
        warnings.warn("hone.triton measures on NVIDIA's GPUs only: Triton's own autotuner is used", stacklevel=3)
    return found


def _no_configs(text: str) -> Exception:
    from triton.runtime import errors

    return getattr(errors, "AutotunerError", RuntimeError)(text)


def _wants_lines() -> bool:
    try:
        from triton import knobs

        return bool(knobs.autotuning.print)
    except ImportError:
        return os.environ.get("TRITON_PRINT_AUTOTUNING", "") == "1"


def _describe(value: Any) -> str:
    return function_digest(value) if hasattr(value, "fn") or inspect.isfunction(value) else repr(value)


def autotune(configs: Optional[Sequence[Config]] = None, key: Sequence[str] = (), prune_configs_by: Any = None,
             reset_to_zero: Optional[Sequence[str]] = None, restore_value: Optional[Sequence[str]] = None,
             pre_hook: Any = None, post_hook: Any = None, warmup: Optional[int] = None, rep: Optional[int] = None,
             use_cuda_graph: bool = False, do_bench: Any = None, cache_results: bool = True,
             **hone_options: Any) -> Callable[[Any], Autotuner]:
    """As `triton.autotune`, with more:

    `params` and `constraints` instead of `configs`: values by name, and texts such as "BM * BN <= 128 * 256";
    num_warps, num_stages, num_ctas and maxnreg are params, too.
    `baseline`: what others are compared with, by default the first configuration.
    `reference`: a function of the same arguments (without those that are tuned) that returns the right tensors: a
    dictionary by argument, or tensors with the shapes of arguments. By default the baseline's answers are right.
    `rtol`, `atol`, `max_mismatched_ratio`: when an answer is right; by default by type.
    `search`: "auto" learns where fast configurations are; "all" measures all of them. `effort`, `budget`: as for
    ``hone tune``. `builders`: processes that compile, by default one for each core.
    `build_timeout`, `timeout`: seconds. `progress`: True, False, or a function that gets events.
    `in_process=True`: Triton's own autotuner.
    """

    def decorator(fn: Any) -> Autotuner:
        return Autotuner(fn, configs, key, prune_configs_by=prune_configs_by, reset_to_zero=reset_to_zero,
                         restore_value=restore_value, pre_hook=pre_hook, post_hook=post_hook, warmup=warmup, rep=rep,
                         use_cuda_graph=use_cuda_graph, do_bench=do_bench, cache_results=cache_results, **hone_options)

    return decorator
