"""TileLang's kernels, tuned by Hone.

One changed line of a program that uses TileLang's autotuner::

    from hone.tilelang import autotune          # was: from tilelang import autotune

    @autotune(configs=[{"block_M": 64, "block_N": 64}, {"block_M": 128, "block_N": 64}])
    @tilelang.jit(out_idx=[-1])
    def matmul(M, N, K, block_M=64, block_N=64): ...

`autotune` and `AutoTuner` take what TileLang's take, and return the same objects. Configurations are
compiled by several processes, measured by another one, and one that fails, crashes or hangs is only
a row of the result. Results are kept in Hone's store: another process with the same kernel, problem
and device compiles and measures nothing.

Different from TileLang:
  - without `ref_prog`, answers are compared with those of the first configuration that works, with
    the same tolerances; skip_check=True switches this off
  - inputs are the same for all configurations, and an input that a kernel changes is put back
  - `ref_prog`, `supply_prog` and `manual_check_prog` do not switch the cache off: their code is part
    of the key
  - the winner is proved against the first configuration; `warmup` and `rep` are the most calls that
    warm up and make one sample
  - a configuration that hangs is killed after `timeout` seconds, 60 by default
  - `early_stop`, `use_pipeline`, `enable_grouped_compile` and `cache_input_tensors` have no effect:
    slow configurations end early, building and measuring overlap, and inputs are kept anyway
"""
from __future__ import annotations

import dataclasses
import inspect
import logging
import os
import shutil
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._tilelang_device import ask_nvml, current_gpu, device_name, gpu_is_touched, resolve_target

ask_nvml()

import tilelang  # noqa: E402
from tilelang import env  # noqa: E402
from tilelang.autotuner import param as _param  # noqa: E402
from tilelang.autotuner import tuner as _tuner  # noqa: E402
from tilelang.autotuner.capture import get_autotune_inputs, set_autotune_inputs  # noqa: E402
from tilelang.jit import JITImpl  # noqa: E402
from tvm.tirx import PrimFunc, Var  # noqa: E402

from ._errors import HoneError  # noqa: E402
from ._fingerprint import function_digest, versions  # noqa: E402
from ._instances import is_instance  # noqa: E402
from ._knobs import Config, Knobs  # noqa: E402
from ._results import Result  # noqa: E402
from ._scratch import Scratch, memory_folder  # noqa: E402
from ._tilelang_data import Supply, is_tensor  # noqa: E402
from ._tilelang_evaluator import Checks, TileLangEvaluator  # noqa: E402
from ._tilelang_program import Program  # noqa: E402
from ._tuning import Tuning, autotune_mode, cache_folder, digest  # noqa: E402

__all__ = ["AutoTuneImpl", "AutoTuner", "AutotuneResult", "autotune", "get_autotune_inputs", "set_autotune_inputs"]

logger = logging.getLogger("hone.tilelang")

_RESERVED = ("pass_configs",)
_ALL_FAILED = "Auto-tuning failed: No configuration successfully compiled and passed benchmarking/validation."
_FINALISTS = {True: "3", False: "1"}  # of the confirmation, on a GPU and on a CPU: each may take half a minute
_DEFAULT_TIMEOUTS = (30, 100, 180)  # TileLang's own, if the caller has named none
_TIMEOUT_S = 60.0                   # is used instead of them


class _Default:
    """Stands for the default of a parameter, in a configuration that does not name it."""

    def __repr__(self) -> str:
        return "default"


_DEFAULT = _Default()


@dataclasses.dataclass(frozen=True)
class AutotuneResult(_param.AutotuneResult):
    """TileLang's result, and Hone's: every configuration with its time or its failure."""

    hone: Optional[Result] = None


# ---- configurations ----

def _check_configs(configs: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]) -> None:
    for config in configs:
        unused = set(config) - set(parameters) - set(_RESERVED)
        if unused:
            raise ValueError(f"Unused keys in config: {unused}")
    if not configs:
        raise ValueError("No configurations to tune, please check your `@autotune` decorator")


def _complete(configs: Sequence[Mapping[str, Any]]) -> List[Config]:
    """All with the same names; a name that only some of them have has its default in the others."""
    names = list(dict.fromkeys(name for config in configs for name in config))
    return [{name: config.get(name, _DEFAULT) for name in names} for config in configs]


def _given(config: Mapping[str, Any]) -> Config:
    return {name: value for name, value in config.items() if value is not _DEFAULT}


def _arguments(config: Mapping[str, Any]) -> Config:
    """What the kernel function gets of a configuration."""
    return {name: value for name, value in _given(config).items() if name not in _RESERVED}


def _pass_configs(config: Mapping[str, Any], common: Optional[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    own = _given(config).get("pass_configs")
    return {**(common or {}), **own} if own else common


# ---- the tuner ----

class AutoTuner(_tuner.AutoTuner):
    """TileLang's AutoTuner, with `run` by Hone."""

    def __init__(self, fn: Callable[..., Any], configs: Any) -> None:
        super().__init__(fn, configs)
        self.configs: Any = configs
        self._captured: Optional[List[Any]] = None
        self._program: Callable[[Config], Program] = self._own_program
        self._problem: Dict[str, Any] = {}
        self._options: List[str] = []
        self._progress: Any = None
        self._isolation: Optional[str] = None
        self._skipped: Callable[[], Any] = lambda: self._own_program({}).compile()

    # ---- settings ----

    def set_compile_args(self, out_idx: Any = None, target: Any = None, execution_backend: Optional[str] = None,
                         target_host: Any = None, verbose: Optional[bool] = None,
                         pass_configs: Optional[Dict[str, Any]] = None) -> "AutoTuner":
        super().set_compile_args(out_idx, resolve_target(target), execution_backend, target_host, verbose, pass_configs)
        return self

    def set_profile_args(self, *args: Any, **kwargs: Any) -> "AutoTuner":
        super().set_profile_args(*args, **kwargs)
        captured = get_autotune_inputs()
        self._captured = list(captured) if captured is not None else None
        return self

    set_profile_args.__doc__ = _tuner.AutoTuner.set_profile_args.__doc__
    set_profile_args.__signature__ = inspect.signature(_tuner.AutoTuner.set_profile_args)  # type: ignore[attr-defined]

    def set_tune_args(self, options: Sequence[str] = (), progress: Any = None,
                      isolation: Optional[str] = None) -> "AutoTuner":
        """Only of Hone: options of ``hone tune``, such as ["--effort", "quick"]; whether to show progress; whether
        measuring processes are forked from this one ("fork") or from a new one ("spawn")."""
        self._options = list(options)
        self._progress = progress
        self._isolation = isolation
        return self

    def _own_program(self, config: Config) -> Program:
        args = self.compile_args
        return Program(self.fn(**_arguments(config)), args.out_idx, args.execution_backend, args.target,
                       args.target_host, args.verbose, _pass_configs(config, args.pass_configs))

    # ---- running ----

    def run(self, warmup: int = 25, rep: int = 100, timeout: float = 180, use_pipeline: bool = False,
            enable_grouped_compile: bool = False, group_compile_size: int = 2,
            benchmark_devices: Optional[List[int]] = None, benchmark_multi_gpu: bool = False,
            early_stop: bool = False, early_stop_factor: float = 2.0) -> AutotuneResult:
        """As TileLang's; see the module for what differs."""
        if early_stop and early_stop_factor < 1.0:
            raise ValueError(f"early_stop_factor must be >= 1.0, got {early_stop_factor}")
        parameters = inspect.signature(self.fn).parameters
        if callable(self.configs):
            args, kwargs = self._kernel_parameters
            self.configs = self.configs(*args, **dict(kwargs))
        configs = list(self.configs)
        _check_configs(configs, parameters)
        provided = self._provided(configs[0])
        if provided:
            logger.warning("Tunable parameters %s already provided during auto-tuning. Skipping compilation and using "
                           "direct JIT", provided)
            kernel = self._skipped()
            return AutotuneResult(libcode=kernel.get_kernel_source(), func=kernel.prim_func, kernel=kernel)
        if benchmark_multi_gpu:
            logger.warning("Hone measures these kernels on one device: benchmark_multi_gpu has no effect")
        if type(self).compile_args is self.compile_args:
            self.set_compile_args()
        return _Run(self, configs, warmup, rep, timeout).run()

    def __call__(self) -> AutotuneResult:
        return self.run()

    def _provided(self, config: Mapping[str, Any]) -> List[str]:
        """The names of tunable parameters, if the caller has given a value to one of them."""
        if self._kernel_parameters is None:
            return []
        args, kwargs = self._kernel_parameters
        names = [name for name in config if name not in _RESERVED]
        order = list(self._function_parameters or {})
        if any(name in config for name, _ in kwargs) or any(order.index(name) < len(args) for name in names):
            return names
        return []


class _Run:
    """One call of `AutoTuner.run`."""

    def __init__(self, tuner: AutoTuner, configs: List[Mapping[str, Any]], warmup: int, rep: int, timeout: float) -> None:
        self.tuner = tuner
        self.configs = configs
        self.complete = _complete(configs)
        self.knobs = Knobs(configs=self.complete)
        self.counts = (warmup, rep)
        self.timeout = None if timeout <= 0 else _TIMEOUT_S if timeout in _DEFAULT_TIMEOUTS else float(timeout)
        args = tuner.profile_args
        self.supply = Supply(args.supply_type, None if tuner._captured is not None else args.supply_prog, tuner._captured)
        self.checks = Checks(args.ref_prog, args.manual_check_prog, args.skip_check, args.rtol, args.atol,
                             args.max_mismatched_ratio)
        self.target = tuner.compile_args.target
        self.kind = self.target.kind.name
        self.folder = ""
        self.ref_ms: Optional[float] = None
        self.context = digest(self.fingerprint())

    # ---- what is tuned ----

    def elaborate(self, config: Config) -> Program:
        return dataclasses.replace(self.tuner._program(self.knobs.decode(config)), context=self.context)

    def fingerprint(self) -> Dict[str, Any]:
        compile_args, profile_args = self.tuner.compile_args, self.tuner.profile_args
        return {
            "function": function_digest(getattr(self.tuner.fn, "orig_func", self.tuner.fn)),
            "versions": versions("torch", "tilelang"),
            "device": device_name(self.kind),
            "target": str(compile_args.target),
            "target_host": str(compile_args.target_host),
            "execution_backend": compile_args.execution_backend,
            "out_idx": repr(compile_args.out_idx),
            "pass_configs": repr(sorted((str(key), str(value)) for key, value in (compile_args.pass_configs or {}).items())),
            "supply": [str(profile_args.supply_type),
                       [_describe(value) for value in self.tuner._captured] if self.tuner._captured is not None else
                       _digest(profile_args.supply_prog)],
            "check": [profile_args.rtol, profile_args.atol, profile_args.max_mismatched_ratio, profile_args.skip_check,
                      _digest(profile_args.ref_prog), _digest(profile_args.manual_check_prog)],
            "timing": profile_args.backend,
        }

    def tuning(self, baseline: int, program: Program) -> Tuning:
        args, caches = self.tuner.profile_args, env.is_cache_enabled()
        evaluator = TileLangEvaluator(self.elaborate, program, self.supply, self.checks, self.folder, self.kind,
                                      current_gpu() if self.kind in ("cuda", "hip") else 0, *self.counts, args.backend,
                                      None if caches else os.path.join(self.folder, "kernels"))
        options, is_gpu = [*self.tuner._options], self.kind not in ("c", "llvm")
        if "--top" not in options:
            options += ["--top", _FINALISTS[is_gpu]]
        if not caches or env.is_autotune_cache_disabled():
            options.append("--fresh")
        isolation = self.tuner._isolation or ("spawn" if is_gpu and gpu_is_touched() else "fork")
        name = str(getattr(getattr(self.tuner.fn, "orig_func", self.tuner.fn), "__name__", "kernel"))
        return Tuning(name, self.knobs, evaluator, self.fingerprint(), self.tuner._problem, self.complete[baseline],
                      isolation, builders=self.builders(), checks=self.checks.enabled, timeout_s=self.timeout,
                      options=options, progress=self.tuner._progress, overlap=is_gpu)

    def builders(self) -> int:
        """As many as TileLang's settings name; without them one for each CPU."""
        settings = ("TILELANG_AUTO_TUNING_CPU_UTILITIES", "TILELANG_AUTO_TUNING_CPU_COUNTS",
                    "TILELANG_AUTO_TUNING_MAX_CPU_COUNT")
        if any(name in os.environ for name in settings):
            count = self.tuner._resolve_num_compile_workers()
        else:
            count = _tuner.get_available_cpu_count()
        return max(1, min(count, len(self.configs)))

    # ---- running ----

    def run(self) -> AutotuneResult:
        mode = "off" if is_instance() else autotune_mode()
        with Scratch("tilelang", memory_folder()) as scratch:
            self.folder = scratch.path
            result = self._find(mode)
        if result is None:
            return self._chosen(0, None)
        return self._chosen(self._choose(result), result)

    def _find(self, mode: str) -> Optional[Result]:
        """Tunes with the first configuration that works as the baseline."""
        errors: List[Exception] = []
        reasons: List[str] = []
        for number in self._baselines():
            try:
                program = self.tuner._program(self.complete[number])
            except Exception as error:  # of the user's function
                errors.append(error)
                reasons.append(self._reason(number, error))
                continue
            _check_inputs(self.tuner, program, self.supply)
            tuning = self.tuning(number, program)
            try:
                result = tuning.find(mode)
            except HoneError as error:
                if not _is_of_baseline(str(error)):
                    raise
                errors.append(error)
                reasons.append(self._reason(number, error))
                continue
            self._keep_reference(tuning)
            if reasons:
                self._remember_baseline(number)
            return result
        raise RuntimeError("\n".join([_ALL_FAILED, *reasons])) from errors[0]

    def _baseline_file(self) -> str:
        known = digest([self.fingerprint(), self.tuner._problem, [repr(config) for config in self.configs]])
        return os.path.join(cache_folder(), f"tilelang-baseline-{known}")

    def _baselines(self) -> List[int]:
        """The order in which they are tried: first the one that worked before."""
        numbers = list(range(len(self.configs)))
        try:
            with open(self._baseline_file(), encoding="utf-8") as file:
                number = int(file.read())
            return [number, *(other for other in numbers if other != number)] if number in numbers else numbers
        except (OSError, ValueError):
            return numbers

    def _remember_baseline(self, number: int) -> None:
        path = self._baseline_file()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(number))

    def _reason(self, number: int, error: Exception) -> str:
        text = f"{dict(self.configs[number])}: {error}".strip()
        logger.warning("the baseline configuration fails; the next one is used: %s", text)
        return text

    def _keep_reference(self, tuning: Tuning) -> None:
        """The time of `ref_prog`: measured now, or kept beside the spec when it was."""
        kept = os.path.splitext(tuning.write())[0] + ".reference-ns"
        try:
            shutil.copyfile(os.path.join(self.folder, "reference-ns"), kept)
        except OSError:
            pass
        try:
            with open(kept, encoding="utf-8") as file:
                self.ref_ms = float(file.read()) / 1e6
        except (OSError, ValueError):
            self.ref_ms = None

    def _choose(self, result: Result) -> int:
        """The number of the configuration to use: what is proved, or else what looks fastest."""
        config = result.config if result.proved else _fastest(result)
        if config is None:
            reasons = [f"{row}" for row in result.rows()]
            raise RuntimeError("\n".join([_ALL_FAILED, *reasons]))
        return self.complete.index(config)

    def _chosen(self, number: int, result: Optional[Result]) -> AutotuneResult:
        config, program = self.complete[number], self.tuner._program(self.complete[number])
        kernel = program.compile()
        time_ns = result.time_ns(config) if result else None
        latency, ref_latency = time_ns / 1e6 if time_ns else None, self.ref_ms if result else None
        kernel.hone = result
        kernel = kernel.update_tuner_result(latency=latency, config=dict(self.configs[number]), ref_latency=ref_latency)
        return AutotuneResult(latency=latency, config=dict(self.configs[number]), ref_latency=ref_latency,
                              libcode=kernel.get_kernel_source(), func=kernel.prim_func, kernel=kernel, hone=result)


def _is_of_baseline(text: str) -> bool:
    return "baseline" in text


def _fastest(result: Result) -> Optional[Config]:
    """By the ratio to the baseline, which was measured beside it."""
    if result.winner and result.speedup:
        return result.winner if result.speedup > 1 else result.baseline
    best, config = 0.0, None
    for evaluation, row in zip(result.data.get("evaluations") or [], result.rows()):
        if row["outcome"] == "ok" and (row["speedup"] or 0.0) > best:
            best, config = row["speedup"], result._decode(evaluation.get("params"))
    return config


def _digest(function: Optional[Callable[..., Any]]) -> Optional[str]:
    return function_digest(function) if function is not None else None


def _describe(value: Any) -> str:
    """Of an argument: what a result depends on."""
    if is_tensor(value):
        strides = "" if value.is_contiguous() else f" strides {list(value.stride())}"
        return f"{str(value.dtype).replace('torch.', '')}{list(value.shape)}{strides}"
    return str(value) if isinstance(value, Var) else repr(value)


def _check_inputs(tuner: AutoTuner, program: Program, supply: Supply) -> None:
    """Inputs that TileLang cannot generate, and the caller has not given."""
    if supply.is_given:
        return
    tuner._validate_input_supply_requirements(program.function, program.results() or None)
    for param in program.inputs():
        for size in param.shape:
            if not isinstance(size, int):
                raise ValueError(f"TensorType must have a static shape, but got {size}, likely you are trying to generate "
                                 "a random tensor with a dynamic symbolic shape. "
                                 "Please provide concrete inputs with `with set_autotune_inputs(...)`.")


# ---- the decorator ----

@dataclasses.dataclass
class AutoTuneImpl(_tuner.AutoTuneImpl):
    """What `autotune` makes of a `@tilelang.jit` function."""

    options: Sequence[str] = ()
    progress: Any = None
    isolation: Optional[str] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._lock = threading.RLock()
        self._kernels: Dict[Any, Any] = {}
        self.__wrapped__ = getattr(self.jit_impl.func, "orig_func", None)

    def get_tunner(self) -> AutoTuner:
        jit = self.jit_impl
        return (AutoTuner(jit.func, self.configs)
                .set_profile_args(supply_type=self.supply_type, ref_prog=self.ref_prog, supply_prog=self.supply_prog,
                                  rtol=self.rtol, atol=self.atol, max_mismatched_ratio=self.max_mismatched_ratio,
                                  skip_check=self.skip_check, manual_check_prog=self.manual_check_prog,
                                  cache_input_tensors=self.cache_input_tensors)
                .set_compile_args(out_idx=jit.out_idx, execution_backend=jit.execution_backend, target=jit.target,
                                  target_host=jit.target_host, verbose=jit.verbose, pass_configs=jit.pass_configs)
                .set_tune_args(self.options, self.progress, self.isolation))

    # ---- keys ----

    def _bound(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
        bound = self.jit_impl.signature.bind_partial(*args, **kwargs)
        return dict(bound.arguments)

    def _key(self, args: Tuple[Any, ...], kwargs: Dict[str, Any], without: Sequence[str]) -> Any:
        """Equal for calls by position and by name."""
        given = {name: value for name, value in self._bound(args, kwargs).items() if name not in without}
        return _tuner._normalize_value(given, sort_dict_items=True)

    # ---- calls ----

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return_kernel = kwargs.pop("__return_kernel", False)
        mode = self.jit_impl.initialize_jit_mode(*args, **kwargs)
        kernel, config = self._kernel(args, kwargs)
        if mode == "lazy" or return_kernel:
            return kernel
        chosen = {**kwargs, **_arguments(config or {})}
        _, arguments = self.jit_impl.func.parse_args(*args, **chosen)
        return kernel(*arguments.values())

    def compile(self, *args: Any, **kwargs: Any) -> Any:
        return self(*args, **kwargs, __return_kernel=True)

    def _kernel(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[Any, Optional[Config]]:
        """The tuned kernel of exactly these arguments."""
        exact = self._key(args, kwargs, ())
        found = self._kernels.get(exact)
        if found is None:
            with self._lock:
                found = self._kernels.get(exact) or self._find(args, kwargs)
                self._kernels[exact] = found
        return found

    def _find(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[Any, Optional[Config]]:
        key = self._key(args, kwargs, tuple(self.do_not_specialize or ()))
        tuner = self._tuner(args, kwargs, key)
        if key in self._tuner_cache:  # tuned with other values of what is not specialised
            _, config = self._tuner_cache[key]
            return (tuner._program(config) if config is not None else tuner).compile(), config
        result = tuner.run(self.warmup, self.rep, self.timeout, early_stop=self.early_stop,
                           early_stop_factor=self.early_stop_factor)
        self._tuner_cache[key] = result.kernel, result.config
        return result.kernel, result.config

    def _tuner(self, args: Tuple[Any, ...], kwargs: Dict[str, Any], key: Any) -> AutoTuner:
        tuner = self.get_tunner()
        jit = self.jit_impl
        if jit.target is not None:  # so that elaborating does not look for a GPU
            jit = dataclasses.replace(jit, target=tuner.compile_args.target)
            jit.func.set_mode(jit.mode)
        common, flags = tuner.compile_args, jit.compile_flags

        def program(config: Config) -> Program:
            return Program(jit.get_tir(*args, **{**kwargs, **_arguments(config)}), common.out_idx, common.execution_backend,
                           common.target, common.target_host, common.verbose, _pass_configs(config, common.pass_configs),
                           flags)

        tuner._program = program
        tuner._skipped = lambda: jit.compile(*args, **kwargs)
        tuner._problem = {name: value if type(value) in (int, float, str) else _describe(value)
                          for name, value in self._bound(args, kwargs).items()
                          if name not in (self.do_not_specialize or ())}
        tuner.set_kernel_parameters((args, tuple(sorted(kwargs.items()))), jit.signature.parameters)
        return tuner


def autotune(func: Any = None, *, configs: Any, warmup: int = 25, rep: int = 100, timeout: float = 100,
             supply_type: Any = tilelang.TensorSupplyType.Auto, ref_prog: Optional[Callable[..., Any]] = None,
             supply_prog: Optional[Callable[..., Any]] = None, rtol: float = 1e-2, atol: float = 1e-2,
             max_mismatched_ratio: float = 0.01, skip_check: bool = False,
             manual_check_prog: Optional[Callable[..., Any]] = None, cache_input_tensors: bool = False,
             do_not_specialize: Optional[Sequence[str]] = None, early_stop: bool = False,
             early_stop_factor: float = 2.0, options: Sequence[str] = (), progress: Any = None,
             isolation: Optional[str] = None) -> Callable[[Any], AutoTuneImpl]:
    """TileLang's `autotune`. `options`, `progress` and `isolation` are Hone's: see `AutoTuner.set_tune_args`."""
    if isinstance(func, PrimFunc):
        raise ValueError("Use tilelang.jit to decorate prim_func is not supported yet.")
    if func is not None:
        raise ValueError("Use tilelang.autotune to decorate func without arguments is not supported yet.")

    def decorate(impl: Any) -> AutoTuneImpl:
        assert isinstance(impl, JITImpl), "The @autotune decorator can only be applied to @tilelang.jit decorated instances."
        return AutoTuneImpl(impl, warmup, rep, timeout, configs, supply_type, ref_prog, supply_prog, rtol, atol,
                            max_mismatched_ratio, skip_check, manual_check_prog, cache_input_tensors, do_not_specialize,
                            early_stop, early_stop_factor, options, progress, isolation)

    return decorate
