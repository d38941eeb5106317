"""Kernels of TileLang as something that Hone can build, check and measure.

Builders elaborate a configuration and compile it; they never use a GPU. What they write is the
program (`_tilelang_program.py`), and the compiled kernel is in TileLang's cache: a measurer loads it
from there. All work of a measurer is done in a thread of its own: OpenMP's threads of the process
that was forked do not exist here, and only a new thread does not wait for them.
"""
from __future__ import annotations

import concurrent.futures
import hashlib
import os
from typing import Any, Callable, Dict, List, Optional, Tuple

import tilelang
import torch

from . import _tilelang_data as data
from ._errors import Failure, WrongResult
from ._serve import Config, Evaluator
from ._tilelang_program import Program, keep_kernels_in, loads, signature
from ._tilelang_timing import Clock, clock_for, positive

_MOST_KERNELS = 64
_MOST_SAVED_BYTES = 1 << 30


class Checks:
    """What answers are compared with, and how."""

    def __init__(self, ref_prog: Optional[Callable[..., Any]] = None,
                 manual_check_prog: Optional[Callable[..., Any]] = None, skip_check: bool = False,
                 rtol: float = 1e-2, atol: float = 1e-2, max_mismatched_ratio: float = 0.01) -> None:
        self.ref_prog = ref_prog
        self.manual_check_prog = manual_check_prog if ref_prog is not None else None
        self.enabled = not skip_check
        self.tolerance = data.Tolerance(rtol, atol, max_mismatched_ratio)


class Loaded:
    """A kernel that can be called."""

    def __init__(self, program: Program, kernel: Any, inputs: data.Inputs) -> None:
        self.program = program
        self.kernel = kernel
        self.inputs = inputs
        self.calls = 0  # of a sample; 0: not known yet


class TileLangEvaluator(Evaluator):
    """`elaborate` makes a program of a configuration; only builders need it. `folder` is shared by all instances."""

    builds = True

    def __init__(self, elaborate: Callable[[Config], Program], baseline: Program, supply: data.Supply, checks: Checks,
                 folder: str, kind: str, gpu: int = 0, warmup: int = 25, rep: int = 100, backend: str = "event",
                 cache_folder: Optional[str] = None) -> None:
        self.elaborate: Optional[Callable[[Config], Program]] = elaborate
        self.baseline = baseline
        self.supply = supply
        self.rules = checks
        self.checks = checks.enabled
        self.folder = folder
        self.kind = kind
        self.gpu = gpu
        self.counts = (warmup, rep)
        self.backend = backend
        self.cache_folder = cache_folder
        self.seed = 0
        self.thread: Optional[concurrent.futures.Executor] = None
        self.kernels: Dict[str, Loaded] = {}
        self.inputs: Dict[str, data.Inputs] = {}
        self.answers: Dict[str, data.Answer] = {}

    def __getstate__(self) -> Dict[str, Any]:
        return dict(self.__dict__, elaborate=None)

    # ---- instances ----

    def open(self, hello: Dict[str, Any]) -> None:
        self.seed = int(hello.get("seed") or 0)
        if self.cache_folder:
            keep_kernels_in(self.cache_folder)
        if hello.get("role") == "builder":
            torch.cuda.is_available = lambda: False  # type: ignore[assignment] # in this process
            return
        gpu = hello.get("gpu")
        if gpu is not None:
            os.environ["CUDA_VISIBLE_DEVICES"], self.gpu = str(gpu), 0
        self.thread = concurrent.futures.ThreadPoolExecutor(1)
        self._do(self._open_measurer)

    def _do(self, function: Callable[..., Any], *args: Any) -> Any:
        return self.thread.submit(function, *args).result() if self.thread else function(*args)

    def _open_measurer(self) -> None:
        self.device = torch.device("cpu")
        if self.kind in ("cuda", "hip"):
            torch.cuda.set_device(self.gpu)
            self.device = torch.device("cuda", self.gpu)
        else:
            _supply_on_cpu()
        self.clock: Clock = clock_for(self.device, self.backend, *self.counts)
        inputs = self._inputs_of(self.baseline)
        if self.rules.ref_prog is not None:
            self._expected(self.baseline, inputs)
        self._measure_reference(inputs)

    # ---- building ----

    def build(self, config: Config, path: str) -> Optional[Dict[str, float]]:
        if self.elaborate is None:
            raise Failure("compile_error", "this process cannot build: it has no kernel function")
        program = self.elaborate(config)
        program.compile()
        program.write(path)
        return None

    def _load(self, path: Optional[str]) -> "Loaded":
        """The kernel of what a builder wrote. Its content is the key: names of files may be used again."""
        if path is None:
            raise Failure("no_result", "there is no compiled kernel")
        with open(path, "rb") as file:
            content = file.read()
        key = hashlib.sha256(content).hexdigest()
        if key not in self.kernels:
            while len(self.kernels) >= _MOST_KERNELS:
                del self.kernels[next(iter(self.kernels))]
            program = loads(content)
            self.kernels[key] = Loaded(program, program.compile(), self._inputs_of(program))
        return self.kernels[key]

    # ---- inputs and answers ----

    def _inputs_of(self, program: Program) -> data.Inputs:
        key = signature(program.inputs())
        if key not in self.inputs:
            self.inputs[key] = data.Inputs(self.supply.make(program, self.seed, self.device))
        return self.inputs[key]

    def _synchronize(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def _answer(self, call: Callable[..., Any], inputs: data.Inputs) -> data.Answer:
        outputs = data.as_list(call(*inputs.tensors))
        self._synchronize()
        return data.Answer(outputs, {i: data.copies([inputs.tensors[i]])[0] for i in inputs.changed()})

    def _run(self, kernel: Any, inputs: data.Inputs) -> data.Answer:
        inputs.rewind()
        inputs.poison_outputs()
        with data.poisoned_allocations():
            return self._answer(kernel, inputs)

    def _expected(self, program: Program, inputs: data.Inputs) -> data.Answer:
        """The right answer for these inputs: of the reference, or of the first configuration."""
        key = signature(program.inputs())
        if key not in self.answers:
            path = os.path.join(self.folder, "expected-" + hashlib.sha256(key.encode()).hexdigest()[:16])
            if os.path.exists(path):
                answer, inputs.written, inputs.outputs = torch.load(path, weights_only=False)
                self.answers[key] = answer.to(self.device)
            else:
                self.answers[key] = self._make_expected(program, inputs)
                self._save(path, self.answers[key], inputs)
        return self.answers[key]

    def _save(self, path: str, answer: data.Answer, inputs: data.Inputs) -> None:
        if answer.bytes() <= _MOST_SAVED_BYTES:
            torch.save((answer.to("cpu"), inputs.written, inputs.outputs), path + ".new")
            os.replace(path + ".new", path)

    def _make_expected(self, program: Program, inputs: data.Inputs) -> data.Answer:
        inputs.rewind()
        if self.rules.ref_prog is not None:
            answer = self._answer(self.rules.ref_prog, inputs)
            inputs.written = list(answer.changed)
            return answer
        kernel = self.baseline.compile() if signature(self.baseline.inputs()) == signature(program.inputs()) \
            else program.compile()
        answer = self._run(kernel, inputs)
        inputs.written = list(answer.changed)
        inputs.outputs = self._only_written(kernel, inputs, answer)
        return answer

    def _only_written(self, kernel: Any, inputs: data.Inputs, expected: data.Answer) -> List[int]:
        """Inputs whose former content does not matter: the answer is the same without it."""
        if not inputs.written:
            return []
        inputs.outputs = list(inputs.written)
        try:
            self._compare(self._run(kernel, inputs), expected, inputs)
            return list(inputs.written)
        except Failure:
            return []

    def _compare(self, got: data.Answer, expected: data.Answer, inputs: data.Inputs) -> None:
        tolerance = self.rules.tolerance
        tolerance.compare_lists(got.outputs, expected.outputs)
        for i, value in expected.changed.items():
            tolerance.compare(got.changed.get(i, inputs.tensors[i]), value, f"argument {i}")
        if self.rules.ref_prog is None:
            others = [i for i in got.changed if i not in expected.changed]
            if others:
                raise WrongResult(f"it writes to argument {others[0]}, which the first configuration leaves as it is")

    def check(self, config: Config, path: Optional[str]) -> None:
        self._do(self._check, path)

    def _check(self, path: Optional[str]) -> None:
        loaded = self._load(path)
        inputs = loaded.inputs
        expected = self._expected(loaded.program, inputs)
        got = self._run(loaded.kernel, inputs)
        inputs.written = sorted({*inputs.written, *got.changed})
        if self.rules.manual_check_prog is None:
            self._compare(got, expected, inputs)
            return
        try:
            self.rules.manual_check_prog(got.outputs, expected.outputs)
        except Exception as error:
            raise WrongResult(f"{type(error).__name__}: {error}") from error

    # ---- times ----

    def _measure_reference(self, inputs: data.Inputs) -> None:
        """By the first measurer: the host reads its file."""
        reference = self.rules.ref_prog
        path = os.path.join(self.folder, "reference-ns")
        if reference is None or os.path.exists(path):
            return
        inputs.rewind()
        prepare = self._prepare(inputs)

        def call() -> None:
            reference(*inputs.tensors)

        calls = self.clock.calls(call, prepare)
        times = [self.clock.sample(call, prepare, calls) for _ in range(3)]
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(repr(sorted(times)[1]))
        os.replace(path + ".new", path)

    def _prepare(self, inputs: data.Inputs) -> Optional[Callable[[], None]]:
        """Puts back what a call changes and reads."""
        numbers = [i for i in inputs.written if i not in inputs.outputs]
        return (lambda: inputs.rewind(numbers)) if numbers else None

    def measure(self, config: Config, path: Optional[str], samples: int) -> Tuple[List[float], Dict[str, float]]:
        return self._do(self._measure, path, samples)

    def _measure(self, path: Optional[str], samples: int) -> Tuple[List[float], Dict[str, float]]:
        loaded = self._load(path)
        kernel, inputs = loaded.kernel, loaded.inputs
        if not self.checks and not loaded.calls:
            inputs.rewind()
            inputs.written = sorted({*inputs.written, *self._answer(kernel, inputs).changed})
        arguments, prepare = inputs.tensors, self._prepare(inputs)

        def call() -> None:
            kernel(*arguments)

        loaded.calls = loaded.calls or self.clock.calls(call, prepare)
        times = positive([self.clock.sample(call, prepare, loaded.calls) for _ in range(samples)])
        return times, {}


def _supply_on_cpu() -> None:
    """TileLang generates inputs on the GPU if there is one, also for kernels of a CPU. In this process it does not."""
    tilelang.utils.device.IS_CUDA = False
