"""`tune_kernel` and `run_kernel`: Kernel Tuner's interface for kernels in C, CUDA and OpenCL, over Hone.

    results, env = hone.tune_kernel("vector_add", source, size, [c, a, b, n], {"block_size_x": [64, 128, 256]},
                                    answer=[a + b, None, None, None])

What is measured, compiled and proved is Hone's: candidates run in processes of their own, failures are rows of the
result, and the best is confirmed against the first configuration that works. ``env["hone"]`` has the verdict.
"""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ._errors import HoneError
from ._kernel_args import Argument, make_arguments, write_array
from ._kernel_check import Checker, Judge, check_command, judge_by_answers, judge_by_function
from ._kernel_objective import Objective, find_strategy, search_words
from ._kernel_results import (CompilationFailedConfig, ErrorConfig, InvalidConfig, RuntimeFailedConfig, best_row, cache_file,
                              line_of, make_environment, make_rows, read_cache, simulated_rows, write_cache)
from ._kernel_source import (SUFFIXES, find_function, find_language, include_folders, read_source, source_file,
                             with_c_linkage, with_variants)
from ._kernel_space import Launch, Space
from ._progress import progress_for
from ._scratch import Scratch
from ._session import Session
from ._tuning import cache_folder

__all__ = ["tune_kernel", "run_kernel", "ErrorConfig", "InvalidConfig", "CompilationFailedConfig",
           "RuntimeFailedConfig"]

_PREFIX = "hone_macro_"  # of parameters' macros that the source must not see
_RTOL = 1e-5             # numpy.allclose's

Rows = List[Dict[str, Any]]


def tune_kernel(
    kernel_name: str,
    kernel_source: Any,
    problem_size: Any,
    arguments: Sequence[Any],
    tune_params: Mapping[str, Sequence[Any]],
    grid_div_x: Any = None,
    grid_div_y: Any = None,
    grid_div_z: Any = None,
    restrictions: Any = None,
    answer: Optional[Sequence[Any]] = None,
    atol: float = 1e-6,
    verify: Optional[Callable[..., Any]] = None,
    verbose: bool = False,
    lang: Optional[str] = None,
    device: int = 0,
    platform: int = 0,
    smem_args: Optional[Mapping[str, Any]] = None,
    cmem_args: Optional[Mapping[str, Any]] = None,
    texmem_args: Optional[Mapping[str, Any]] = None,
    compiler: Optional[str] = None,
    compiler_options: Optional[Sequence[str]] = None,
    defines: Optional[Mapping[str, Any]] = None,
    log: Any = None,
    iterations: int = 7,
    block_size_names: Optional[Sequence[str]] = None,
    quiet: bool = False,
    strategy: Any = None,
    strategy_options: Optional[Mapping[str, Any]] = None,
    cache: Optional[str] = None,
    metrics: Optional[Mapping[str, Any]] = None,
    simulation_mode: Optional[bool] = None,
    parallel: Any = None,
    observers: Any = None,
    objective: Any = None,
    objective_higher_is_better: Any = None,
    objectives: Optional[Mapping[str, bool]] = None,
    seed: Optional[int] = None,
    *,
    confirm: bool = True,
    folder: Optional[str] = None,
    options: Sequence[str] = (),
) -> Tuple[Rows, Dict[str, Any]]:
    """Tunes a kernel; the arguments are Kernel Tuner's. Returns (results, env).

    Three arguments are Hone's own: `confirm=False` ends after the search, without a proof; `folder` keeps the spec, the
    source and the arrays there, for ``hone run``; `options` are more options of ``hone tune``.

    What differs from Kernel Tuner:
      - a configuration that fails is a row with an `ErrorConfig` as its time, and with `outcome` and `evidence`
      - the time is the median of the search; finalists also have `confirmed_time`, from the pairs that prove the best,
        and ``env["best_config"]`` is the proved one
      - of a C function, Hone times the call itself; a number that it returns is not used
      - a second call with the same kernel and the same arrays is answered from Hone's store
      - `log` has no effect; arguments that Hone cannot use raise `NotImplementedError` or `ValueError`
    """
    _refuse(texmem_args=texmem_args, observers=observers)
    if simulation_mode and not cache:
        raise ValueError("simulation_mode: it needs a cache")
    del log
    job = _Job(kernel_name, kernel_source, problem_size, (grid_div_x, grid_div_y, grid_div_z), arguments, tune_params,
               restrictions, lang, device, platform, smem_args, cmem_args, compiler, compiler_options, defines,
               block_size_names, simulated=cache_file(cache) if simulation_mode and cache else None)
    metrics = dict(metrics or {})
    aims = Objective(objective, objective_higher_is_better, objectives, metrics, list(job.space.params))
    judge, identity = _judge_of(job, answer, atol, verify)
    known = {} if simulation_mode or not cache else read_cache(cache_file(cache), kernel_name, job.device_name, job.space)
    with job.open(folder):
        job.add_objective(aims, find_strategy(strategy))
        if not simulation_mode:
            job.add_check(answer, atol, judge, identity)
        rows, data = [dict(row) for row in known.values()], {}
        if job.prepare(set(known)):
            words = search_words(strategy, strategy_options, list(job.space.params), job.count, seed)
            words += ["--screen-samples", str(max(1, int(iterations))), "--keep-going", "--top", "4",
                      *job.device_words(parallel)]
            if not confirm or simulation_mode or not job.searches_objective:
                words.append("--no-confirm")
            data = job.tune([*words, *options], judge, verbose, quiet)
            if simulation_mode and cache:
                rows = simulated_rows(data, job.space, cache_file(cache))
            else:
                rows += make_rows(data, job.space, metrics, dict(zip(aims.names, aims.higher)))
    proved = job.space.original(data["winner_params"]) if data.get("verdict") == "IMPROVED" else None
    best = best_row(rows, aims.names[0], aims.higher[0], proved)
    env = make_environment(data, rows, job.device, best, job.space,
                           {"iterations": iterations, "compiler_options": compiler_options})
    if cache and not simulation_mode:
        write_cache(cache_file(cache), kernel_name, env["device_name"], problem_size, job.space, aims.names[0], rows)
    if not quiet:
        _print_results(rows, best, env, job.space, metrics, aims.names[0], verbose)
    return rows, env


def run_kernel(
    kernel_name: str,
    kernel_source: Any,
    problem_size: Any,
    arguments: Sequence[Any],
    params: Mapping[str, Any],
    grid_div_x: Any = None,
    grid_div_y: Any = None,
    grid_div_z: Any = None,
    lang: Optional[str] = None,
    device: int = 0,
    platform: int = 0,
    smem_args: Optional[Mapping[str, Any]] = None,
    cmem_args: Optional[Mapping[str, Any]] = None,
    texmem_args: Optional[Mapping[str, Any]] = None,
    compiler: Optional[str] = None,
    compiler_options: Optional[Sequence[str]] = None,
    defines: Optional[Mapping[str, Any]] = None,
    block_size_names: Optional[Sequence[str]] = None,
    quiet: bool = False,
    log: Any = None,
) -> List[Any]:
    """Runs a kernel with one value for each parameter, and returns the arguments as it leaves them."""
    _refuse(texmem_args=texmem_args)
    del quiet, log
    values = {name: [value] for name, value in params.items()} or {"hone_nothing": [0]}
    job = _Job(kernel_name, kernel_source, problem_size, (grid_div_x, grid_div_y, grid_div_z), arguments, values, None,
               lang, device, platform, smem_args, cmem_args, compiler, compiler_options, defines, block_size_names)
    kept: List[Any] = []

    def keep(results: List[Any]) -> Optional[str]:
        kept[:] = results
        return None

    with job.open(None):
        job.add_check(None, None, keep, "keep")
        job.prepare(set())
        words = ["--strategy", "exhaustive", "--no-confirm", "--screen-samples", "1", *job.device_words(None)]
        job.tune([*words, "--store", os.path.join(job.folder, "store.db")], keep, False, True)
    if not kept:
        raise HoneError(f"'{kernel_name}' ran, but its results did not arrive")
    return kept


def _refuse(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value:
            raise NotImplementedError(f"{name}: Hone does not support it")


# ---- one call ----


class _Job:
    """A kernel with its arguments and its space: the spec, the files, the call of ``hone``."""

    def __init__(self, kernel_name: str, kernel_source: Any, problem_size: Any, divisors: Sequence[Any],
                 arguments: Sequence[Any], tune_params: Mapping[str, Sequence[Any]], restrictions: Any,
                 lang: Optional[str], device: int, platform: int, smem_args: Optional[Mapping[str, Any]],
                 cmem_args: Optional[Mapping[str, Any]], compiler: Optional[str],
                 compiler_options: Optional[Sequence[str]], defines: Optional[Mapping[str, Any]],
                 block_size_names: Optional[Sequence[str]], simulated: Optional[str] = None) -> None:
        self.name = kernel_name
        self.space = Space(tune_params)
        self.space.restrict(restrictions)
        self.source = kernel_source
        self.generates = callable(_first(kernel_source))
        first = {name: values[0] for name, values in self.space.params.items()}
        self.text = read_source(kernel_source, first)
        self.backend = find_language(lang, self.text)
        self.launch = Launch(self.space, problem_size, divisors, block_size_names)
        self.smem_args = dict(smem_args or {})
        self.cmem_args = dict(cmem_args or {})
        self.compiler = compiler
        self.compiler_options = list(compiler_options or [])
        self.defines = None if defines is None else dict(defines)
        self.simulated = simulated
        self.searches_objective = True
        self.folder = ""
        self.spec_file = ""
        self.keeps = False  # the folder stays
        self.count = 0
        self.spec: Dict[str, Any] = {}
        self._check_support()
        self.arguments: List[Argument] = []
        if not simulated:
            taken = [*self.space.params, *self.launch.derived(), *self.launch.names, *(self.defines or {}), "kernel_tuner"]
            self.arguments = make_arguments(arguments, find_function(kernel_name, self.text), taken)
        self.device = {} if simulated else _find_device(self.backend, device, platform)
        self.device_name: Optional[str] = self.device.get("name")

    def _check_support(self) -> None:
        unknown = [name for name in self.smem_args if name != "size"]
        if unknown:
            raise NotImplementedError(f"smem_args: '{unknown[0]}' is not supported; 'size' is")
        if self.cmem_args and self.backend != "cuda":
            raise NotImplementedError("cmem_args: constant memory is for CUDA; pass it as an argument of the kernel")
        if self.smem_args and self.backend == "c":
            raise ValueError("smem_args: a C function has no shared memory")
        name = os.path.basename(self.compiler or "")
        if self.backend == "c" and name in ("nvcc", "gfortran", "ftn", "ifort", "nvfortran", "nvc++", "pgfortran"):
            raise NotImplementedError(f"compiler: '{self.compiler}' is not supported for functions in C and C++; "
                                      "use gcc, g++, clang or clang++")

    @contextlib.contextmanager
    def open(self, folder: Optional[str]) -> Iterator[None]:
        """The folder of the spec; a temporary one is removed in the end."""
        self.keeps = bool(folder)
        scratch = None if folder else Scratch("kernel")
        self.folder = scratch.path if scratch else os.path.abspath(str(folder))
        try:
            os.makedirs(self.folder, exist_ok=True)
            self._describe()
            yield
        finally:
            if scratch:
                scratch.remove()
                with contextlib.suppress(OSError):
                    os.remove(self.spec_file)

    # ---- the spec ----

    def _describe(self) -> None:
        """All of the spec but its space."""
        name = re.sub(r"\W+", "_", self.name).strip("_")
        if self.simulated:
            self.spec = {"name": name, "backend": "sim", "file": os.path.abspath(self.simulated)}
            return
        build: Dict[str, Any] = {"includes": include_folders(self.source if not self.generates else "")}
        if self.compiler_options:
            build["flags"] = [str(option) for option in self.compiler_options]
        if self.compiler and self.backend == "c":
            build["compiler"] = self.compiler
        self.spec = {"name": name, "backend": self.backend, "entry": self.name, "build": build}
        derived = self.launch.derived()
        prologue = self._macros(build)
        if self.backend != "c":
            limit = self.launch.limit()
            if limit:
                self.space.constraints.append(limit)
            shared = self.space.expression(self.smem_args["size"], "smem_args") if "size" in self.smem_args else None
            self.spec["launch"] = self.launch.spec(shared)
        self.spec["derived"] = derived
        self.spec["file"] = "kernel" + self._suffix()
        if self.generates:
            self._generate(prologue)
        else:
            self._write_source(self.spec["file"], prologue, [self.text])

    def _suffix(self) -> str:
        path = source_file(_first(self.source)) if not self.generates else None
        if self.backend == "c" and path and path.endswith(".c") and 'extern "C"' not in self.text:
            return ".c"
        return SUFFIXES[self.backend]

    def _macros(self, build: Dict[str, Any]) -> str:
        """Macros of the build, and lines in front of the source."""
        if self.defines is None:
            build["defines"] = {"kernel_tuner": 1, **self.launch.defines(self.space)}
            return ""
        build["define_prefix"] = _PREFIX
        lines = []
        for name, value in self.defines.items():
            if callable(value):
                text = _PREFIX + self.space.column(f"define_{name}", _text_of(value))
            else:
                text = self._with_prefix(str(value))
            lines.append(f"#define {name} {text}\n")
        self.spec["entry"] = self._with_prefix(self.name)
        return "".join(lines)

    def _with_prefix(self, text: str) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda match: _PREFIX + match.group() if match.group() in self.space.params
                      else match.group(), text)

    def _generate(self, prologue: str) -> None:
        """The sources of all configurations: each one that differs is a branch of one file."""
        variants: Dict[str, int] = {}

        def variant(config: Dict[str, Any]) -> int:
            return variants.setdefault(read_source(self.source, config), len(variants))

        macro = self.space.column("source", variant)
        macro = (_PREFIX if self.defines is not None else "") + macro
        self._after_list = lambda: self._write_source(self.spec["file"], prologue, list(variants), macro)

    _after_list: Optional[Callable[[], None]] = None

    def _write_source(self, name: str, prologue: str, texts: Sequence[str], macro: str = "") -> None:
        texts = [self._with_constants(text) for text in texts]
        if self.backend == "c" and name.endswith(".cpp"):
            texts = [with_c_linkage(self.name, text) for text in texts]
        path = source_file(_first(self.source)) if not self.generates else None
        line = f'#line 1 "{path}"\n' if path and self.backend == "c" else ""
        text = prologue + line + with_variants(texts, macro)
        folder = self.folder
        if not self.keeps:  # by its content: builds of C depend on the name of the file
            digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
            folder = os.path.join(cache_folder(), "kernels", f"{self.spec['name']}-{digest}")
            os.makedirs(folder, exist_ok=True)
            self.spec["file"] = os.path.join(folder, name)
        temporary = os.path.join(folder, f".{name}-{os.getpid()}-{threading.get_ident()}")
        with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.replace(temporary, os.path.join(folder, name))

    def _with_constants(self, text: str) -> str:
        """Constant memory gets its content as an initialiser: it has at most 64 KiB."""
        import numpy

        for symbol, value in self.cmem_args.items():
            values = numpy.ravel(numpy.asarray(value))
            pattern = re.compile(rf"(__constant__[^;={{}}]*\b{re.escape(symbol)}\s*(?:\[[^\]]*\]\s*)*);")
            if not pattern.search(text):
                raise ValueError(f"cmem_args: the source declares no '__constant__ ... {symbol}' without an initialiser")
            if values.nbytes > 65536:
                raise ValueError(f"cmem_args: '{symbol}' has {values.nbytes} bytes; constant memory has 65536")
            content = ", ".join(_literal(one) for one in values)
            is_array = bool(re.search(rf"\b{re.escape(symbol)}\s*\[", pattern.search(text).group()))  # type: ignore[union-attr]
            text = pattern.sub(lambda match: f"{match.group(1)} = {{{content}}};" if is_array
                               else f"{match.group(1)} = {content};", text, count=1)
        return text

    def add_objective(self, aims: Objective, strategy: str) -> None:
        part = aims.spec()
        if part is not None:
            self.spec.update(part)
            return
        if strategy != "exhaustive":
            raise ValueError("metrics: the objective is a function that Hone cannot write as an expression; give it as a "
                             "text, such as '2 * n / time', or use strategy='brute_force'")
        self.searches_objective = False

    def add_check(self, answer: Optional[Sequence[Any]], atol: Optional[float], judge: Optional[Judge], identity: str) -> None:
        """What answers are compared with: files, the function of the user, or nothing."""
        if judge:
            for argument in self.arguments:  # whatever it writes to is not judged by Hone
                if argument.is_array() and answer is not None and answer[argument.position] is not None:
                    argument.role = "inout"
            self.spec["check"] = {"command": check_command(identity)}
        elif answer is not None:
            files = []
            for argument, expected in zip(self.arguments, answer):
                if expected is not None:
                    files.append(self._write_answer(argument, expected))
            self.spec["reference"] = {"files": files}
            self.spec["check"] = {"rtol": _RTOL, "atol": float(atol or 0.0)}
        else:
            self.spec["check"] = {"enabled": False}
        self.spec["args"] = [argument.spec(self.folder) for argument in self.arguments]

    def _write_answer(self, argument: Argument, expected: Any) -> str:
        import numpy

        if not argument.is_array():
            raise ValueError(f"answer: number {argument.position} is a scalar, which a kernel cannot change")
        array = numpy.asarray(expected)
        if array.size != argument.array.size:
            raise ValueError(f"answer: number {argument.position} has {array.size} elements, the argument "
                             f"{argument.array.size}; use verify to compare them")
        argument.role = "inout"
        name = f"{argument.name}-answer.npy"
        write_array(os.path.join(self.folder, name), argument.flat(array.astype(argument.array.dtype, copy=False)))
        return name

    # ---- hone ----

    def prepare(self, known: Set[Any]) -> bool:
        """Completes the spec. `known`: configurations that a cache has. False: nothing is left to measure."""
        space = self.space
        if known:
            space.filters.append(lambda config: tuple(_plain(value) for value in config.values()) not in known)
        if space.needs_list():
            try:
                space.make_list(self._part_for_space(), self._ask_space)
            except ValueError:
                if known and space.configs == []:
                    return False
                raise
            self.count = len(space.configs or ())
        else:
            self.count = int(self._ask_space(["--count"], {**self._part_for_space(), **space.spec()}))
        if self._after_list:
            self._after_list()
        self.spec.update(space.spec())
        self.spec_file = self._spec_path()
        with open(self.spec_file, "w", encoding="utf-8") as file:
            json.dump(self.spec, file, indent=1, default=_plain)
        return True

    def _spec_path(self) -> str:
        """Next to the source: builds of C depend on the folder of the spec. The command that checks needs the folder of
        its socket."""
        if self.keeps or self.simulated or "command" in self.spec["check"]:
            return os.path.join(self.folder, "kernel.yaml")
        folder = os.path.dirname(self.spec["file"])
        for part in self.spec["args"]:
            if "file" in part:
                part["file"] = os.path.join(self.folder, part["file"])
        files = self.spec.get("reference", {}).get("files", [])
        files[:] = [os.path.join(self.folder, name) for name in files]
        return os.path.join(folder, f"kernel-{os.getpid()}-{threading.get_ident()}.yaml")

    def _part_for_space(self) -> Dict[str, Any]:
        return {key: self.spec[key] for key in ("name", "backend", "file", "entry") if key in self.spec}

    def _ask_space(self, words: List[str], spec: Mapping[str, Any]) -> str:
        path = os.path.join(self.folder, "space.yaml")
        if not self.simulated:  # it need not exist yet
            with open(os.path.join(self.folder, str(spec["file"])), "a", encoding="utf-8"):
                pass
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file, default=_plain)
        device = self.device.get("device")
        return Session().run(["space", path, *words, *(["--device", device] if device and self.backend != "c" else [])])

    def device_words(self, parallel: Any) -> List[str]:
        if self.simulated or self.backend == "c":
            return []
        if parallel:
            return ["--devices", f"{self.backend}:all"]
        return ["--devices", self.device["device"]] if not self.device.get("is_default") else []

    def tune(self, words: Sequence[str], judge: Optional[Judge], verbose: bool, quiet: bool) -> Dict[str, Any]:
        progress = progress_for(self.name, {}, False if quiet else True if verbose else None)
        session = Session(on_event=progress.take if progress else None)
        checker = Checker(self.folder, self.arguments, judge) if judge else contextlib.nullcontext()
        try:
            with checker:
                output = session.run(["tune", self.spec_file, "--format", "json", "--progress", "json", *words])
        finally:
            if progress:
                progress.close()
        data = json.loads(output)
        return dict(data[0] if isinstance(data, list) else data)


def _first(kernel_source: Any) -> Any:
    return kernel_source[0] if isinstance(kernel_source, (list, tuple)) and kernel_source else kernel_source


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _text_of(function: Callable[[Dict[str, Any]], Any]) -> Callable[[Dict[str, Any]], str]:
    return lambda config: str(function(config))


def _literal(value: Any) -> str:
    value = value.item()
    return repr(value) if not isinstance(value, bool) else str(int(value))


def _judge_of(job: _Job, answer: Optional[Sequence[Any]], atol: float,
              verify: Optional[Callable[..., Any]]) -> Tuple[Optional[Judge], str]:
    """The function that judges answers in this process, and its digest; None: Hone compares them itself, or nothing."""
    if answer is not None and job.arguments and len(answer) != len(job.arguments):
        raise ValueError(f"answer: it has {len(answer)} elements, arguments has {len(job.arguments)}")
    if verify is not None:
        from ._fingerprint import function_digest

        return judge_by_function(verify, answer, atol), f"{function_digest(verify)}-{atol}-{_digest(answer)}"
    if answer is None or all(expected is None for expected in answer):
        return None, ""
    if all(argument.role == "in" or not argument.is_array() or answer[argument.position] is not None
           for argument in job.arguments):
        return None, ""
    return judge_by_answers(answer, atol), f"answers-{atol}-{_digest(answer)}"


def _digest(answer: Optional[Sequence[Any]]) -> str:
    import numpy

    digest = hashlib.sha256()
    for expected in answer or ():
        digest.update(b"-" if expected is None else numpy.ascontiguousarray(expected).tobytes())
    return digest.hexdigest()[:16]


def _find_device(backend: str, device: int, platform: int) -> Dict[str, Any]:
    found = json.loads(Session().run(["devices", "--format", "json"]))
    devices = [one for one in found.get("devices", []) if one.get("backend") == backend]
    if backend == "c":
        return devices[0] if devices else {"name": None}
    if backend == "opencl" and devices:
        platforms = list(dict.fromkeys(one.get("platform") for one in devices))
        if not 0 <= int(platform) < len(platforms):
            raise ValueError(f"platform: there is no OpenCL platform {platform}; found: {', '.join(map(str, platforms))}")
        devices = [one for one in devices if one.get("platform") == platforms[int(platform)]]
    if not devices:
        reasons = [one.get("reason", "") for one in found.get("missing", []) if one.get("backend") == backend]
        raise HoneError(f"there is no {backend} device: {reasons[0] if reasons else 'none was found'}")
    if not 0 <= int(device) < len(devices):
        raise ValueError(f"device: there is no {backend} device {device}; found: "
                         f"{', '.join(str(one.get('device')) for one in devices)}")
    return dict(devices[int(device)])


def _print_results(rows: Rows, best: Optional[Mapping[str, Any]], env: Mapping[str, Any], space: Space,
                   metrics: Mapping[str, Any], objective: str, verbose: bool) -> None:
    print(f"Using: {env['device_name']}")
    for row in rows:
        if verbose or not isinstance(row["time"], ErrorConfig):
            print(line_of(row, space, metrics))
    failed = sum(isinstance(row["time"], ErrorConfig) for row in rows)
    if failed and not verbose:
        print(f"{failed} of {len(rows)} configurations failed (verbose=True shows them)")
    if best:
        print(f"best for {objective}: {line_of(best, space, metrics)}")
    if env["hone"].get("sentence"):
        verdict = env["hone"].get("verdict")
        print(f"{verdict}: {env['hone']['sentence']}" if verdict else env["hone"]["sentence"])
    sys.stdout.flush()
