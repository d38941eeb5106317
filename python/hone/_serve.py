"""The protocol of hone-serve(7), spoken by one instance: a process that builds or measures.

An `Evaluator` says what building, checking and measuring mean. `serve` reads requests and writes
answers until ``bye`` or the end of its input.
"""
from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any, BinaryIO, Dict, List, Optional, Tuple

from ._errors import Failure

Config = Dict[str, Any]

_LONGEST_TEXT = 4000


class Evaluator:
    """What is tuned. An instance calls `open` once, and then any of the others, many times."""

    builds = False  # whether there is something to build
    checks = True   # whether `check` compares answers

    def open(self, hello: Dict[str, Any]) -> None:
        """Called first, in the instance. ``hello["role"]`` is builder or measurer."""

    def build(self, config: Config, path: str) -> Optional[Dict[str, float]]:
        """May write the file `path`. Returns numbers about what was built."""
        return None

    def check(self, config: Config, path: Optional[str]) -> None:
        """Runs the configuration once; raises `Failure` if it fails or its answer is wrong."""

    def measure(self, config: Config, path: Optional[str], samples: int) -> Tuple[List[float], Dict[str, float]]:
        """Times in nanoseconds, and other numbers that were measured."""
        raise NotImplementedError


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT // 2] + "\n...\n" + text[-_LONGEST_TEXT // 2 :]


def describe_error(error: BaseException) -> str:
    """The error, and the place in the user's code that raised it."""
    lines = traceback.format_exception_only(type(error), error)
    frames = traceback.extract_tb(error.__traceback__)
    own = os.path.dirname(os.path.abspath(__file__))
    others = [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) != own]
    text = "".join(lines).strip()
    if others:
        last = others[-1]
        text += f"\nin {last.name}, {last.filename}:{last.lineno}: {last.line or ''}".rstrip(": ")
    return text


def failure_of(error: BaseException, step: str) -> Failure:
    """What an exception says about a configuration."""
    if isinstance(error, Failure):
        return error
    name = type(error).__name__
    if isinstance(error, MemoryError):
        return Failure("compile_oom" if step == "build" else "oom_host", describe_error(error))
    if name in ("OutOfMemoryError", "CUDAOutOfMemoryError"):
        return Failure("oom_device", describe_error(error))
    if "CUDA error" in str(error) or "illegal memory access" in str(error):
        return Failure("device_fault", describe_error(error))
    return Failure("compile_error" if step == "build" else "launch_failure", describe_error(error))


class Server:
    """Answers the requests of one instance."""

    def __init__(self, evaluator: Evaluator, requests: BinaryIO, answers: BinaryIO) -> None:
        self.evaluator = evaluator
        self.requests = requests
        self.answers = answers

    def answer(self, **members: Any) -> None:
        sys.stdout.flush()
        self.answers.write(json.dumps(members).encode() + b"\n")
        self.answers.flush()

    def hello(self, request: Dict[str, Any]) -> None:
        self.evaluator.open(request)
        self.answer(id=request["id"], version=1, name="hone (Python)", build=bool(self.evaluator.builds),
                    check=bool(self.evaluator.checks))

    def build(self, request: Dict[str, Any]) -> Dict[str, Any]:
        numbers = self.evaluator.build(request["config"], request["object"])
        return {"built": numbers} if numbers else {}

    def check(self, request: Dict[str, Any]) -> Dict[str, Any]:
        self.evaluator.check(request["config"], request.get("object"))
        return {}

    def measure(self, request: Dict[str, Any]) -> Dict[str, Any]:
        times, metrics = self.evaluator.measure(request["config"], request.get("object"), request["samples"])
        answer: Dict[str, Any] = {"samples_ns": [float(time) for time in times]}
        if metrics:
            answer["metrics"] = metrics
        return answer

    def step(self, request: Dict[str, Any]) -> None:
        kind = request["type"]
        try:
            members = {"build": self.build, "check": self.check, "measure": self.measure}[kind](request)
        except (Exception, SystemExit) as error:
            failure = failure_of(error, kind)
            members = {"outcome": failure.outcome, "text": _short(failure.text)}
        self.answer(id=request["id"], **members)

    def run(self, first: bytes) -> None:
        self.hello(json.loads(first))
        for line in self.requests:
            request = json.loads(line)
            if request["type"] == "bye":
                return
            self.step(request)


def serve(evaluator: Evaluator, first: bytes, descriptors: List[int]) -> None:
    """Talks through `descriptors`: input, output and errors. Output of the evaluator goes to errors."""
    requests = os.fdopen(os.dup(descriptors[0]), "rb")
    answers = os.fdopen(os.dup(descriptors[1]), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(descriptors[2], 1)
    os.dup2(descriptors[2], 2)
    for descriptor in {null, *descriptors} - {0, 1, 2}:
        os.close(descriptor)
    sys.stdin = open(0, closefd=False)
    sys.stdout = open(1, "w", closefd=False, errors="replace")
    sys.stderr = open(2, "w", closefd=False, errors="replace", buffering=1)
    Server(evaluator, requests, answers).run(first)
