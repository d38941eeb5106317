"""Any Python callable as something that Hone can check and measure.

In an instance the arguments are the user's own, by copy-on-write, or copies of them. Arguments that
a call writes to are found by calling the baseline once: they are compared like a returned value.
"""
from __future__ import annotations

import os
import pickle
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import _compare
from ._errors import Failure
from ._knobs import Knobs
from ._serve import Evaluator, describe_error

_LEAST_SAMPLE_NS = 1_000_000
_MOST_CALLS = 1000


class CallableEvaluator(Evaluator):
    """`folder` is where instances keep the expected answer for one another."""

    def __init__(self, function: Callable[..., Any], knobs: Knobs, names: List[str], args: Tuple[Any, ...],
                 kwargs: Dict[str, Any], baseline: Mapping[str, Any], folder: str,
                 reference: Optional[Callable[..., Any]] = None, restore: Tuple[str, ...] = (),
                 reset: Tuple[str, ...] = (), rtol: Optional[float] = None, atol: Optional[float] = None,
                 max_mismatched_ratio: float = 0.0, check: Optional[Callable[[Any, Any], None]] = None,
                 checks: bool = True, arguments_file: Optional[str] = None) -> None:
        self.function = function
        self.knobs = knobs
        self.names = names            # of positional arguments
        self.args = args
        self.kwargs = kwargs
        self.baseline = dict(baseline)
        self.folder = folder
        self.reference = reference
        self.restored = restore
        self.zeroed = reset
        self.tolerance = (rtol, atol, max_mismatched_ratio)
        self.own_check = check
        self.checks = checks
        self.arguments_file = arguments_file
        self.calls: Dict[str, int] = {}
        self.pristine: Dict[str, Any] = {}
        self.expected: Any = None
        self.is_ready = False

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self.arguments_file:
            state["args"], state["kwargs"] = (), {}
        return state

    # ---- arguments ----

    def open(self, hello: Dict[str, Any]) -> None:
        if self.arguments_file and not self.args and not self.kwargs:
            with open(self.arguments_file, "rb") as file:
                self.args, self.kwargs = pickle.load(file)
        self.data = {name: value for name, value in self._arguments().items() if _compare.is_mutable_data(value)}
        self.is_on_gpu = any(_compare.is_on_gpu(value) for value in self._arguments().values())

    def _arguments(self) -> Dict[str, Any]:
        return {**dict(zip(self.names, self.args)), **self.kwargs}

    def synchronize(self, result: Any) -> None:
        if self.is_on_gpu:
            for value in self._arguments().values():
                library = _compare.library_of(value) if _compare.is_on_gpu(value) else ""
                if library == "torch":
                    import torch  # type: ignore[import-not-found]

                    torch.cuda.synchronize(value.device)
                    return
                if library == "cupy":
                    import cupy  # type: ignore[import-not-found]

                    cupy.cuda.get_current_stream().synchronize()
                    return
        _compare.synchronize(result)

    def call(self, config: Mapping[str, Any]) -> Any:
        return self.function(*self.args, **self.kwargs, **self.knobs.decode(config))

    def put_back(self) -> None:
        """The arguments that are named for it, as they were; outside of the timed part."""
        for name in self.restored:
            _compare.restore(self.data[name], self.pristine[name])
        for name in self.zeroed:
            _compare.fill(self.data[name], 0)

    # ---- answers ----

    def answer(self, call: Callable[[], Any]) -> Dict[str, Any]:
        result = call()
        self.synchronize(result)
        answer = {"the result": _compare.duplicate(result)} if result is not None else {}
        for name, pristine in self.pristine.items():
            if not _compare.equal(self.data[name], pristine):
                answer[name] = _compare.duplicate(self.data[name])
        return answer

    def rewind(self) -> None:
        for name, pristine in self.pristine.items():
            _compare.restore(self.data[name], pristine)
        for name in self.zeroed:
            _compare.fill(self.data[name], 0)

    def get_ready(self) -> None:
        """Copies of the data, and the right answer: of the reference, or of the baseline."""
        if self.is_ready:
            return
        self.pristine = {name: _compare.duplicate(value) for name, value in self.data.items()}
        path = os.path.join(self.folder, "expected")
        if os.path.exists(path):
            with open(path, "rb") as file:
                self.expected, self.poisoned = pickle.load(file)
        elif self.checks:
            self.expected, self.poisoned = self._expect()
            with open(path + ".new", "wb") as file:
                pickle.dump((self.expected, self.poisoned), file)
            os.replace(path + ".new", path)
        self.is_ready = True

    def _expect(self) -> Tuple[Dict[str, Any], List[str]]:
        self.rewind()
        baseline = self.knobs.encode_config(self.baseline)
        if self.reference:
            expected = self.answer(self._call_reference)
        else:
            expected = self.answer(lambda: self.call(baseline))
        written = [name for name in expected if name in self.data and name not in (*self.restored, *self.zeroed)]
        return expected, [name for name in written if self._is_only_written(name, expected, baseline)]

    def _call_reference(self) -> Any:
        try:
            return self.reference(*self.args, **self.kwargs)  # type: ignore[misc]
        except Exception as error:
            raise Failure("launch_failure", f"the reference failed: {describe_error(error)}") from error

    def _is_only_written(self, name: str, expected: Dict[str, Any], baseline: Mapping[str, Any]) -> bool:
        """Whether the baseline's answer does not depend on what was there before."""
        self.rewind()
        _compare.poison(self.data[name])
        try:
            answer = self.answer(lambda: self.call(baseline))
            self._compare(answer, expected)
        except Exception:
            return False
        finally:
            self.rewind()
        return True

    def _compare(self, answer: Dict[str, Any], expected: Dict[str, Any]) -> None:
        for name, value in expected.items():
            if name not in answer and name not in self.data:
                raise Failure("wrong_result", f"{name} is None, expected {_compare.describe(value)}")
            got = answer[name] if name in answer else self.data[name]
            _compare.compare(got, value, *self.tolerance, where=name)

    def check(self, config: Dict[str, Any], path: Optional[str]) -> None:
        self.get_ready()
        self.rewind()
        for name in self.poisoned:
            _compare.poison(self.data[name])
        answer = self.answer(lambda: self.call(config))
        if self.own_check:
            self._check_by_user(answer)
        else:
            self._compare(answer, self.expected)
        self.rewind()

    def _check_by_user(self, answer: Dict[str, Any]) -> None:
        def plain(values: Dict[str, Any]) -> Any:
            return values["the result"] if set(values) == {"the result"} else values

        try:
            verdict = self.own_check(plain(answer), plain(self.expected))  # type: ignore[misc]
        except Exception as error:
            raise Failure("wrong_result", f"{type(error).__name__}: {error}") from error
        if verdict is False:
            raise Failure("wrong_result", "its own check returned False")

    # ---- times ----

    def _time(self, config: Mapping[str, Any], calls: int) -> float:
        """The mean of `calls` calls in nanoseconds."""
        arguments, call = self.knobs.decode(config), self.function
        if self.restored or self.zeroed:
            total = 0
            for _ in range(calls):
                self.put_back()
                self.synchronize(None)
                begin = time.perf_counter_ns()
                self.synchronize(call(*self.args, **self.kwargs, **arguments))
                total += time.perf_counter_ns() - begin
            return total / calls
        args, kwargs, result = self.args, {**self.kwargs, **arguments}, None
        self.synchronize(None)
        begin = time.perf_counter_ns()
        for _ in range(calls):
            result = call(*args, **kwargs)
        self.synchronize(result)
        return (time.perf_counter_ns() - begin) / calls

    def measure(self, config: Dict[str, Any], path: Optional[str], samples: int) -> Tuple[List[float], Dict[str, float]]:
        if self.restored or self.zeroed:
            self.get_ready()
        key = repr(sorted(config.items()))
        if key not in self.calls:  # the first call may compile
            self._time(config, 1)
            once = max(self._time(config, 1), 1.0)
            self.calls[key] = int(min(max(_LEAST_SAMPLE_NS / once, 1), _MOST_CALLS))
        return [max(self._time(config, self.calls[key]), 1.0) for _ in range(samples)], {}
