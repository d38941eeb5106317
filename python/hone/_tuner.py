"""`Tuner`: what `autotune` does, without a decorator and step by step, in TileLang's words.

::

    tuner = (hone.Tuner(matmul, configs=[{"BLOCK": 16}, {"BLOCK": 64}])
             .set_profile_args(inputs=[hone.Input((512, 512)), hone.Input((512, 512))], ref_prog=numpy.matmul))
    best = tuner.run()
    best.config, best.latency, best.ref_latency
"""
from __future__ import annotations

import time
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._autotune import Autotuned, Budget
from ._errors import HoneError
from ._knobs import Config, Knobs
from ._results import Result
from ._supply import Input, kind_name, make_all


class TunerResult:
    """Times are in milliseconds, as TileLang has them."""

    def __init__(self, result: Result, function: Callable[..., Any], ref_latency: Optional[float]) -> None:
        self.result = result
        self.config: Optional[Config] = result.config
        self.func = function
        self.ref_latency = ref_latency
        best = result.time_ns()
        self.latency: Optional[float] = None if best is None else best / 1e6

    def __repr__(self) -> str:
        return f"<hone.TunerResult {self.config}: {self.latency} ms; {self.result.sentence}>"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


class _Factory:
    """A function that makes a kernel for a configuration; each is made once in a process."""

    takes_any = True  # its own signature counts, not that of what it wraps

    def __init__(self, make: Callable[..., Callable[..., Any]], arguments: Mapping[str, Any]) -> None:
        self.make = make
        self.arguments = dict(arguments)
        self.kernels: Dict[str, Callable[..., Any]] = {}
        self.__wrapped__ = make
        self.__name__ = getattr(make, "__name__", "kernel")

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "kernels": {}}

    def __call__(self, *inputs: Any, **config: Any) -> Any:
        key = repr(sorted(config.items(), key=lambda item: item[0]))
        if key not in self.kernels:
            self.kernels[key] = self.make(**config, **self.arguments)
        return self.kernels[key](*inputs)


class Tuner:
    """`fn` takes inputs and, by name, the knobs. With ``factory=True`` it takes the knobs and returns the kernel."""

    def __init__(self, fn: Callable[..., Any], configs: Optional[Sequence[Mapping[str, Any]]] = None, *,
                 params: Optional[Mapping[str, Iterable[Any]]] = None,
                 constraints: Union[None, str, Sequence[str]] = None, factory: bool = False,
                 baseline: Optional[Mapping[str, Any]] = None, name: Optional[str] = None) -> None:
        self.fn = fn
        self.knobs = Knobs(params, configs, constraints)
        self.factory = factory
        self.options: Dict[str, Any] = {"baseline": baseline, "name": name or getattr(fn, "__name__", "kernel")}
        self.compile_args: Dict[str, Any] = {}
        self.inputs: Optional[Tuple[Any, ...]] = None
        self.descriptions: List[Input] = []
        self.supply_type = "auto"
        self.supply_prog: Optional[Callable[[List[Input]], Sequence[Any]]] = None
        self.seed = 42

    @classmethod
    def from_kernel(cls, kernel: Callable[..., Any], configs: Sequence[Mapping[str, Any]], **options: Any) -> "Tuner":
        return cls(kernel, configs, **options)

    def set_compile_args(self, **arguments: Any) -> "Tuner":
        """Given to the factory by name, beside the knobs."""
        if not self.factory:
            raise HoneError("set_compile_args is for kernels that are made: Tuner(fn, ..., factory=True)")
        self.compile_args = {name: value for name, value in arguments.items() if value is not None}
        return self

    def set_inputs(self, *inputs: Any) -> "Tuner":
        """The inputs themselves."""
        self.inputs = inputs
        return self

    def set_profile_args(self, *, inputs: Optional[Sequence[Any]] = None, supply_type: Any = "auto",
                         supply_prog: Optional[Callable[[List[Input]], Sequence[Any]]] = None,
                         ref_prog: Optional[Callable[..., Any]] = None,
                         manual_check_prog: Optional[Callable[[Any, Any], Any]] = None, rtol: float = 1e-2,
                         atol: float = 1e-2, max_mismatched_ratio: float = 0.01, skip_check: bool = False,
                         timeout: Optional[float] = None, cache_input_tensors: bool = True, seed: int = 42) -> "Tuner":
        """`inputs` are arrays, or descriptions of them (`hone.Input`) that `supply_type` or `supply_prog` fills.
        Inputs are made once and are the same for all configurations, whatever `cache_input_tensors` says."""
        del cache_input_tensors
        self.supply_type = kind_name(supply_type)
        self.supply_prog = supply_prog
        self.seed = seed
        if inputs is not None and all(isinstance(value, Input) for value in inputs):
            self.descriptions = list(inputs)
            self.inputs = None
        elif inputs is not None:
            self.inputs = tuple(inputs)
        self.options.update(reference=ref_prog, check=manual_check_prog, rtol=rtol, atol=atol,
                            max_mismatched_ratio=max_mismatched_ratio, checks=not skip_check, timeout=timeout)
        return self

    def _make_inputs(self) -> Tuple[Any, ...]:
        if self.inputs is not None:
            return self.inputs
        if self.supply_prog:
            return tuple(self.supply_prog(list(self.descriptions)))
        if not self.descriptions:
            raise HoneError("there are no inputs: give set_inputs(...), or set_profile_args(inputs=[hone.Input(...)])")
        return tuple(make_all(self.descriptions, self.supply_type, self.seed))

    def run(self, budget: Budget = None, timeout: Optional[float] = None, **options: Any) -> TunerResult:
        """`timeout` is that of one call, in seconds; `options` are those of `autotune`."""
        function = _Factory(self.fn, self.compile_args) if self.factory else self.fn
        given = {**self.options, **options, "budget": budget}
        if timeout is not None:
            given["timeout"] = timeout
        inputs = self._make_inputs()
        tuned = Autotuned(function, self.knobs, lambda *args: self._problem(args), given)
        result = tuned.tune(*inputs)
        reference = self.options.get("reference")
        return TunerResult(result, lambda *args: function(*args, **(result.config or {})),
                           _latency_ms(reference, inputs) if reference else None)

    __call__ = run

    def _problem(self, inputs: Sequence[Any]) -> Dict[str, Any]:
        problem: Dict[str, Any] = {f"input{i}": value for i, value in enumerate(inputs)}
        problem.update({f"compile_{name}": str(value) for name, value in self.compile_args.items()})
        return problem


def _latency_ms(function: Callable[..., Any], inputs: Sequence[Any]) -> float:
    """The median of seven calls."""
    times = []
    for _ in range(8):
        begin = time.perf_counter_ns()
        function(*inputs)
        times.append(time.perf_counter_ns() - begin)
    return sorted(times[1:])[3] / 1e6
