"""One tuning: the spec that describes it, the call of ``hone``, its result.

What is tuned is identified by its fingerprint: a file beside the spec that holds the digest of the
code and all that changes its speed. A finished run of the same fingerprint, problem and options is
the answer; nothing is measured then.
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import tempfile
from typing import Any, Callable, Dict, List, Mapping, Optional

from ._errors import HoneError, NotTunedError
from ._knobs import Knobs
from ._progress import progress_for
from ._results import Result
from ._serve import Evaluator
from ._session import Session, join_command

MODES = ("off", "lookup", "on", "require")


def autotune_mode(default: str = "on") -> str:
    """What is allowed: the environment variable HONE_AUTOTUNE wins."""
    mode = os.environ.get("HONE_AUTOTUNE", "") or default
    if mode not in MODES:
        raise HoneError(f"HONE_AUTOTUNE={mode}: it is one of {', '.join(MODES)}")
    return mode


def cache_folder() -> str:
    base = os.environ.get("HONE_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hone")
    return os.path.join(base, "python")


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=repr).encode()).hexdigest()[:16]


def spec_name(name: str) -> str:
    """The name as a spec, and so a wisdom file, has it."""
    return re.sub(r"\W+", "_", name).strip("_") or "kernel"


def spec_problem(problem: Mapping[str, Any]) -> Dict[str, Any]:
    """Sizes are numbers and words; any other value is a word that stands for it."""
    return {spec_name(name): value if type(value) in (int, float) else _word(str(value))
            for name, value in problem.items()}


def _word(text: str) -> str:
    if re.fullmatch(r"[A-Za-z_]\w*", text):
        return text
    return "_" + re.sub(r"\W+", "_", text)[:40] + "_" + hashlib.sha256(text.encode()).hexdigest()[:6]


def _write(path: str, text: str) -> None:
    """By a rename: another process may write the same file."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


@dataclasses.dataclass
class Tuning:
    """What is tuned, and how."""

    name: str
    knobs: Knobs
    evaluator: Optional[Evaluator]
    fingerprint: Mapping[str, Any]                   # all that identifies the code, the inputs and the device
    problem: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    baseline: Optional[Mapping[str, Any]] = None
    measurers: str = "fork"
    builders: int = 0                                # 0: there is nothing to build
    checks: bool = True
    timeout_s: Optional[float] = None                # of one check or measurement
    build_timeout_s: Optional[float] = None
    device: Optional[str] = None                     # the name of what it is measured on
    objective: Any = None
    metrics: Optional[Mapping[str, str]] = None
    options: List[str] = dataclasses.field(default_factory=list)  # of `hone tune`
    progress: Any = None                             # None: as it suits the output; False: none
    overlap: bool = False                            # building does not disturb measuring
    before: Optional[Callable[[], None]] = None      # called before anything is measured

    # ---- files ----

    def spec(self) -> Dict[str, Any]:
        run: Dict[str, Any] = {"mode": "serve", "command": join_command(), "start_timeout": "600s"}
        if self.builders:
            run["builders"] = self.builders
        if self.overlap:
            run["overlap"] = True
        if self.timeout_s:
            run["timeout"] = f"{self.timeout_s:g}s"
        if self.device:
            run["device"] = self.device
        spec: Dict[str, Any] = {"name": spec_name(self.name), "file": "kernel.json", "backend": "program", "run": run,
                                "params": self.knobs.spec()}
        if self.problem:
            spec["problem"] = spec_problem(self.problem)
        if self.knobs.constraints:
            spec["constraints"] = list(self.knobs.constraints)
        if self.baseline is not None:
            spec["baseline"] = self.knobs.encode_config(self.baseline)
        if self.build_timeout_s:
            spec["build"] = {"timeout": f"{self.build_timeout_s:g}s"}
        if not self.checks:
            spec["check"] = {"enabled": False}
        if self.objective:
            spec["objective"] = self.objective
        if self.metrics:
            spec["metrics"] = dict(self.metrics)
        return spec

    def write(self) -> str:
        """Writes the spec and the fingerprint; returns the path of the spec."""
        fingerprint = json.dumps(dict(self.fingerprint), indent=1, sort_keys=True, default=repr) + "\n"
        kernel = hashlib.sha256(fingerprint.encode()).hexdigest()[:12]
        folder = os.path.join(cache_folder(), f"{spec_name(self.name)}-{kernel}")
        spec = self.spec()
        _write(os.path.join(folder, "kernel.json"), fingerprint)
        path = os.path.join(folder, f"{digest(spec)[:12]}.yaml")
        _write(path, json.dumps(spec, indent=1) + "\n")
        return path

    # ---- running ----

    def _session(self, on_event: Optional[Callable[[Dict[str, Any]], None]]) -> Session:
        return Session(self.evaluator, self.measurers, on_event)

    def _words(self) -> List[str]:
        words = ["tune", self.write(), "--format", "json", "--progress", "json", *self.options]
        if self.builders:
            words += ["--builders", str(self.builders)]
        return words

    def lookup(self) -> Optional[Result]:
        """What the store has; None: nothing that is finished."""
        session = Session()
        output = session.run([*self._words(), "--lookup"], accept=(0, 4))
        return self._result(output) if output.strip() else None

    def tune(self) -> Result:
        """What the store has, or else what is measured now."""
        progress = progress_for(self.name, self.problem, self.progress)
        session = self._session(progress.take if progress else None)
        try:
            output = session.run(self._words(), before_first=self.before)
        finally:
            if progress:
                progress.close()
        result = self._result(output)
        result.measured = session.started_instances > 0
        if progress:
            progress.finish(result)
        return result

    def find(self, mode: str) -> Optional[Result]:
        """What `mode` allows. None: the default is to be used."""
        if mode == "off":
            return None
        if mode == "on":
            return self.tune()
        result = self.lookup()
        if mode == "require" and not (result and result.proved):
            raise NotTunedError(
                f"'{self.name}' has no proved result for {_describe_problem(self.problem)} on this machine, and "
                "HONE_AUTOTUNE=require forbids tuning; run the program once with HONE_AUTOTUNE=on, or ship its wisdom")
        return result

    def _result(self, output: str) -> Result:
        try:
            data = json.loads(output)
        except ValueError as error:
            raise HoneError(f"hone printed no valid JSON: {error}") from error
        if isinstance(data, list):
            data = data[0]
        return Result(data, self.knobs)


def _describe_problem(problem: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in problem.items()) or "its problem"
