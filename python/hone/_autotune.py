"""`autotune`: a decorator for functions whose keyword arguments are knobs; `Tuner`: the same, step by step."""
from __future__ import annotations

import difflib
import functools
import inspect
import os
import pickle
import sys
import tempfile
import threading
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _compare, _wisdom
from ._callable import CallableEvaluator
from ._errors import HoneError, NotTunedError
from ._fingerprint import function_digest, versions
from ._instances import is_instance
from ._knobs import Config, Knobs
from ._results import Result
from ._scratch import Scratch, memory_folder
from ._tuning import Tuning, autotune_mode, spec_name, spec_problem

Key = Union[None, Sequence[str], Callable[..., Any]]
Budget = Union[None, int, float, str]

_LIBRARIES = ("numpy", "numba", "torch", "cupy", "jax", "scipy")


def tune_words(budget: Budget = None, effort: Optional[str] = None, strategy: Optional[str] = None,
               seed: Optional[int] = None, top: Optional[int] = None, margin: Optional[float] = None,
               fresh: bool = False, store: Optional[str] = None) -> List[str]:
    """Options of ``hone tune``. `budget`: a number of candidates, or a time such as "30s"."""
    words: List[str] = []
    for option, value in (("--budget", budget), ("--effort", effort), ("--strategy", strategy), ("--seed", seed),
                          ("--top", top), ("--store", store)):
        if value is not None:
            words += [option, f"{value:g}s" if isinstance(value, float) else str(value)]
    if margin is not None:
        words += ["--margin", f"{100 * margin:g}"]
    if fresh:
        words.append("--fresh")
    return words


def gpu_is_in_use() -> bool:
    """Whether this process has a context on a GPU, which a forked process cannot use."""
    torch = sys.modules.get("torch")
    if torch is not None and getattr(torch, "cuda", None) is not None and torch.cuda.is_initialized():
        return True
    try:
        for name in os.listdir("/proc/self/fd"):
            try:
                target = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                continue
            if target == "/dev/kfd" or (target.startswith("/dev/nvidia") and target[len("/dev/nvidia"):].isdigit()):
                return True
    except OSError:
        pass
    return False


def _threads_are_in_use(values: Iterable[Any]) -> bool:
    """Whether OpenMP's threads may have been started here: a forked process waits for them for ever."""
    if any(_compare.library_of(value) in ("torch", "jax") for value in values):
        return True
    parallel = sys.modules.get("numba.np.ufunc.parallel")
    return bool(parallel is not None and getattr(parallel, "_is_initialized", False))


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


class Autotuned:
    """A function that is tuned when it is first called with a problem."""

    def __init__(self, function: Callable[..., Any], knobs: Knobs, key: Key, options: Mapping[str, Any]) -> None:
        self.__wrapped__ = function
        functools.update_wrapper(self, function)
        self.knobs = knobs
        self.options = dict(options)
        self.key = key
        self._lock = threading.RLock()
        self._results: Dict[Any, Optional[Result]] = {}
        self._table: Dict[Any, Callable[..., Any]] = {}
        self._signature = inspect.signature(function, follow_wrapped=not getattr(function, "takes_any", False))
        self._check_names()
        self._names = [name for name in self._signature.parameters if name not in knobs.names]
        self._fast_key = self._make_fast_key()

    def _check_names(self) -> None:
        parameters = self._signature.parameters
        has_rest = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        name = getattr(self.__wrapped__, "__name__", "the function")
        for knob in self.knobs.names:
            if knob not in parameters and not has_rest:
                raise HoneError(f"'{knob}' is not a parameter of {name}{_nearest(knob, parameters)}")
            if knob in parameters and parameters[knob].kind is inspect.Parameter.POSITIONAL_ONLY:
                raise HoneError(f"'{knob}' of {name} is positional-only: a knob must be passed by name")
        named = list(self.key or ()) if not callable(self.key) else []
        for option in ("restore", "reset"):
            named += list(self.options.get(option) or ())
        for argument in named:
            if argument not in parameters:
                raise HoneError(f"'{argument}' is not a parameter of {name}{_nearest(argument, parameters)}")

    def __getstate__(self) -> Dict[str, Any]:
        """Another process tunes nothing, and has no use for results."""
        left_out = ("_lock", "_results", "_table", "_fast_key", "_signature")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__init__(self.__wrapped__, self.knobs, self.key, self.options)  # type: ignore[misc]

    # ---- problems ----

    def _make_fast_key(self) -> Callable[[Tuple[Any, ...]], Any]:
        """The key of a call without keywords, as quickly as possible; it raises if it does not know."""
        positions = {name: i for i, name in enumerate(self._signature.parameters) if name in self._names}
        if callable(self.key):
            return self.key
        wanted = self._names if self.key is None else list(self.key)
        indices = [positions[name] for name in wanted]

        def one(value: Any) -> Any:
            shape = getattr(value, "shape", None)
            return value if shape is None else (tuple(shape), value.dtype)

        if len(indices) == 1:
            only = indices[0]
            return lambda *args: one(args[only])
        return lambda *args: tuple([one(args[i]) for i in indices])

    def _arguments(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
        try:
            bound = self._signature.bind_partial(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.__name__}: {error}") from None
        bound.apply_defaults()
        return {name: value for name, value in bound.arguments.items() if name not in self.knobs.names}

    def problem(self, *args: Any, **kwargs: Any) -> Dict[str, Any]:
        """What the result depends on, by name."""
        if callable(self.key):
            value = self.key(*args, **kwargs)
            if isinstance(value, Mapping):
                return {name: _compare.describe(part) for name, part in value.items()}
            parts = value if isinstance(value, tuple) else (value,)
            return {f"key{i}" if len(parts) > 1 else "key": _plain(part) for i, part in enumerate(parts)}
        arguments = self._arguments(args, kwargs)
        names = self._names if self.key is None else list(self.key)
        return {name: _plain(arguments[name]) for name in names if name in arguments}

    def _default(self) -> Config:
        """The configuration without tuning: `baseline`, else the function's own defaults, else the first one."""
        if self.options.get("baseline") is not None:
            return dict(self.options["baseline"])
        parameters = self._signature.parameters
        first = self.knobs.first()
        if all(name in parameters and parameters[name].default is not inspect.Parameter.empty for name in first):
            own = {name: parameters[name].default for name in first}
            if self.knobs.has(own):
                return own
        return first

    # ---- calls ----

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            try:
                return self._table[self._fast_key(*args)](*args)
            except (KeyError, IndexError, TypeError):
                pass
        return self._slow_call(args, kwargs)

    def _slow_call(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if any(name in kwargs for name in self.knobs.names):  # the caller has chosen
            return self.__wrapped__(*args, **{**self._default(), **kwargs})
        config = self._config(args, kwargs)
        function = functools.partial(self.__wrapped__, **config)
        if not kwargs:
            try:
                self._table[self._fast_key(*args)] = function
            except (IndexError, TypeError):
                pass
        return function(*args, **kwargs)

    def _config(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Config:
        result = self._find(args, kwargs)
        return result if isinstance(result, dict) else (result.config or self._default()) if result else self._default()

    def _find(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Union[None, Config, Result]:
        mode = autotune_mode(self.options.get("autotune", "on"))
        if mode == "off" or is_instance():
            return None
        problem = self.problem(*args, **kwargs)
        key = tuple(sorted(problem.items()))
        with self._lock:
            if key not in self._results:
                known = self._wisdom(problem, mode)
                if known is not None:
                    return known
                with _Work(self, args, kwargs, problem) as work:
                    self._results[key] = work.tuning.find(mode)
            return self._results[key]

    def _wisdom(self, problem: Mapping[str, Any], mode: str) -> Optional[Config]:
        path = self.options.get("wisdom") or os.environ.get("HONE_WISDOM")
        found = _wisdom.find(path, spec_name(self._name()), spec_problem(problem), self.options.get("device"),
                             mode == "require")
        return self.knobs.decode(found) if found is not None else None

    def _name(self) -> str:
        return str(self.options.get("name") or getattr(self.__wrapped__, "__name__", "function"))

    # ---- for people ----

    def tune(self, *args: Any, **kwargs: Any) -> Result:
        """Tunes this problem, or takes it from the store, and returns the result."""
        return self._tune(args, kwargs, False)

    def retune(self, *args: Any, **kwargs: Any) -> Result:
        """Measures this problem again."""
        return self._tune(args, kwargs, True)

    def _tune(self, args: Tuple[Any, ...], kwargs: Dict[str, Any], fresh: bool) -> Result:
        problem = self.problem(*args, **kwargs)
        with self._lock:
            with _Work(self, args, kwargs, problem, fresh) as work:
                result = work.tuning.tune()
            self._results[tuple(sorted(problem.items()))] = result
            self._table.clear()
        return result

    def best(self, *args: Any, **kwargs: Any) -> Optional[Config]:
        """The tuned configuration of this problem; None: it has not been tuned. Nothing is measured."""
        problem = self.problem(*args, **kwargs)
        known = self._results.get(tuple(sorted(problem.items()))) or self._wisdom(problem, "lookup")
        if known is None:
            with _Work(self, args, kwargs, problem) as work:
                known = work.tuning.lookup()
        return known.config if isinstance(known, Result) else known

    def results(self, *args: Any, **kwargs: Any) -> Any:
        """Every candidate of this problem, of the last one without arguments: a DataFrame where pandas is installed."""
        return self._known(args, kwargs).results()

    def result(self, *args: Any, **kwargs: Any) -> Result:
        """The result of this problem, of the last one without arguments."""
        return self._known(args, kwargs)

    def _known(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Result:
        if args or kwargs:
            key = tuple(sorted(self.problem(*args, **kwargs).items()))
            found = self._results.get(key)
            if found is None:
                with _Work(self, args, kwargs, self.problem(*args, **kwargs)) as work:
                    found = work.tuning.lookup()
        else:
            found = next((result for result in reversed(list(self._results.values())) if result), None)
        if found is None:
            raise NotTunedError(f"{self.__name__} has not been tuned for this problem")
        return found

    def export(self, path: Optional[str] = None, format: str = "wisdom", force: bool = False) -> str:
        """Writes what this process has tuned or looked up: all problems as wisdom, the last one in other formats."""
        results = [result for result in self._results.values() if result]
        if not results:
            raise NotTunedError(f"{self.__name__} has not been tuned in this process")
        return export_results(results, path, format, force)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<hone.Autotuned {self.__name__}: {len(self._results)} problems>"


def export_results(results: List[Result], path: Optional[str], format: str, force: bool) -> str:
    if format != "wisdom" or len(results) == 1:
        return results[-1].export(format, path, force)
    from ._session import Session

    with tempfile.TemporaryDirectory(prefix="hone-py-") as folder:
        files = []
        for i, result in enumerate(results):
            files.append(os.path.join(folder, f"{i}.json"))
            result.export("wisdom", files[-1], force)
        merged = path or os.path.join(folder, "merged.json")
        Session().run(["merge", *files, "-o", merged])
        if path:
            return ""
        with open(merged, encoding="utf-8") as file:
            return file.read()


def _plain(value: Any) -> Any:
    return value if type(value) in (int, float, str) else _compare.describe(value)


class _Work:
    """The files of one tuning, which are removed after it."""

    def __init__(self, tuned: Autotuned, args: Tuple[Any, ...], kwargs: Dict[str, Any], problem: Mapping[str, Any],
                 fresh: bool = False) -> None:
        self.args, self.kwargs = args, kwargs
        self.scratch = Scratch("py", memory_folder())
        try:
            self.tuning = self._describe(tuned, problem, fresh)
        except BaseException:
            self.scratch.remove()
            raise

    def _describe(self, tuned: Autotuned, problem: Mapping[str, Any], fresh: bool) -> Tuning:
        options, function, args, kwargs = tuned.options, tuned.__wrapped__, self.args, self.kwargs
        values = [*args, *kwargs.values()]
        measurers = options.get("isolation")
        if measurers is None:
            measurers = "spawn" if gpu_is_in_use() or _threads_are_in_use(values) else "fork"
        baseline = tuned._default()
        reference = options.get("reference")
        self.arguments_file = os.path.join(self.scratch.path, "arguments") if measurers == "spawn" else None
        evaluator = CallableEvaluator(
            function, tuned.knobs, [name for name in tuned._signature.parameters if name not in tuned.knobs.names],
            args, kwargs, baseline, self.scratch.path, reference, tuple(options.get("restore") or ()),
            tuple(options.get("reset") or ()), options.get("rtol"), options.get("atol"),
            options.get("max_mismatched_ratio", 0.0), options.get("check"), options.get("checks", True),
            self.arguments_file)
        fingerprint = {"function": function_digest(function), "versions": versions(*_LIBRARIES),
                       "reference": function_digest(reference) if reference else None,
                       "check": function_digest(options["check"]) if options.get("check") else None,
                       "tolerances": [options.get("rtol"), options.get("atol"), options.get("max_mismatched_ratio", 0.0)],
                       "arguments": [_compare.describe(value) if _compare.is_array(value) else type(value).__name__
                                     for value in values],
                       "restore": list(options.get("restore") or ()), "reset": list(options.get("reset") or ())}
        return Tuning(
            tuned._name(), tuned.knobs, evaluator, fingerprint, problem, baseline, measurers,
            checks=evaluator.checks, timeout_s=options.get("timeout"), device=options.get("device"),
            objective=options.get("objective"), metrics=options.get("metrics"), progress=options.get("progress"),
            options=tune_words(options.get("budget"), options.get("effort"), options.get("strategy"), options.get("seed"),
                               options.get("top"), options.get("margin"), fresh, options.get("store")),
            before=self._write_arguments if self.arguments_file else None)

    def _write_arguments(self) -> None:
        assert self.arguments_file
        try:
            with open(self.arguments_file, "wb") as file:
                pickle.dump((self.args, self.kwargs), file, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise HoneError(f"the arguments cannot be sent to another process: {error}; "
                            "isolation='fork' needs no copies, but the GPU cannot be used with it") from error

    def __enter__(self) -> "_Work":
        return self

    def __exit__(self, *_: Any) -> None:
        self.scratch.remove()


def autotune(params: Optional[Mapping[str, Iterable[Any]]] = None, *, configs: Optional[Sequence[Mapping[str, Any]]] = None,
             constraints: Union[None, str, Sequence[str]] = None, key: Key = None,
             baseline: Optional[Mapping[str, Any]] = None, reference: Optional[Callable[..., Any]] = None,
             restore: Sequence[str] = (), reset: Sequence[str] = (), budget: Budget = None, device: Optional[str] = None,
             **options: Any) -> Callable[[Callable[..., Any]], Autotuned]:
    """Tunes a function when it is first called with a problem.

    ::

        @hone.autotune(params={"BLOCK": [16, 32, 64]}, key=["n"])
        def transpose(a, n, *, BLOCK=32): ...

    params, configs   the knobs, keyword arguments of the function: values of each, or whole configurations
    constraints       expressions in Python's words, such as "BLOCK * UNROLL <= 256"
    key               names of the arguments that make a problem (of arrays shape and type count), or a function of the
                      arguments that returns it, for example to put sizes into buckets; default: all arguments
    baseline          what others are compared with; default: the function's own defaults, else the first configuration
    reference         a function of the arguments that returns the right answer; default: the baseline's answer
    restore, reset    names of arguments to restore, or to fill with 0, before each call
    budget            "30s", or a number of candidates
    device            the name of what it is measured on, for results that are shipped

    Other options: effort ("quick", "normal", "thorough"), strategy, seed, top, margin, rtol, atol, max_mismatched_ratio,
    check (a function of answer and right answer that raises), checks=False, timeout (seconds of one call), objective,
    metrics, progress (True, False or a function), isolation ("fork" or "spawn"), wisdom (a file), store (a file),
    autotune ("off", "lookup", "on", "require"; HONE_AUTOTUNE wins), name.
    """
    knobs = Knobs(params, configs, constraints)
    _check_options(options)
    given = dict(options, baseline=baseline, reference=reference, restore=tuple(restore), reset=tuple(reset),
                 budget=budget, device=device)
    if baseline is not None:
        _check_baseline(baseline, knobs)

    def decorate(function: Callable[..., Any]) -> Autotuned:
        return Autotuned(function, knobs, key, given)

    return decorate


_OPTIONS = ("effort", "strategy", "seed", "top", "margin", "rtol", "atol", "max_mismatched_ratio", "check", "checks",
            "timeout", "objective", "metrics", "progress", "isolation", "wisdom", "store", "autotune", "name")

_NAMED = ("params", "configs", "constraints", "key", "baseline", "reference", "restore", "reset", "budget", "device")


def _check_options(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"autotune has no option '{name}'{_nearest(name, (*_OPTIONS, *_NAMED))}")
    if options.get("isolation") not in (None, "fork", "spawn"):
        raise ValueError(f"isolation is 'fork' or 'spawn', not {options['isolation']!r}")


def _check_baseline(baseline: Mapping[str, Any], knobs: Knobs) -> None:
    for name in baseline:
        if name not in knobs.names:
            raise HoneError(f"the baseline names '{name}', which is not a knob{_nearest(name, knobs.names)}")
    missing = [name for name in knobs.names if name not in baseline]
    if missing:
        raise HoneError(f"the baseline has no value for {', '.join(missing)}")
