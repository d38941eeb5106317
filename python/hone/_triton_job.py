"""One tuning of a Triton kernel: what its builders and its measuring process work with.

The user's process prepares a folder in memory (/dev/shm) with the buffers and a manifest when the
first instance starts, and removes it at the end. Builders are forked; the measuring process is a
fresh interpreter that reads the folder (see `_triton_measure.py`), since the GPU is in use here.
"""
from __future__ import annotations

import json
import os
import shutil
import tempfile
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._compare import library_of
from ._errors import Failure, HoneError
from ._scratch import Scratch
from ._serve import Config, Evaluator
from ._triton_args import Memory, named_tensors
from ._triton_build import Builder, Call, prepare_launcher, start_in_background
from ._triton_measure import Measurer, note_failure, read_failure
from ._triton_trace import step

_NICENESS = 5


class Job(Evaluator):
    builds = True

    def __init__(self, call: Call, builder: Builder, *, zeroed: Sequence[str] = (), restored: Sequence[str] = (),
                 reference: Optional[Callable[..., Any]] = None, hooks: Optional[Callable[[], None]] = None,
                 rtol: Optional[float] = None, atol: Optional[float] = None, mismatched_ratio: float = 0.0) -> None:
        self.call = call
        self.builder = builder
        self.zeroed = list(zeroed)
        self.restored = list(restored)
        self.reference = reference
        self.hooks = hooks
        self.rtol = rtol
        self.atol = atol
        self.mismatched_ratio = mismatched_ratio
        self._scratch: Optional[Scratch] = None
        self.folder: Optional[str] = None
        self.memory: Optional[Memory] = None

    def __reduce__(self) -> Tuple[Any, ...]:
        """What another interpreter gets: the part that measures."""
        if self.folder is None:
            raise HoneError("the arguments are not prepared")
        return Measurer, (self.folder,)

    # ---- in the user's process ----

    def prepare(self) -> None:
        """Called before the first instance is started."""
        with step("prepare the arguments"):
            self._prepare()

    def _prepare(self) -> None:
        arguments = self.call.named()
        self._wait_for_gpu(arguments)
        restored = self.restored + self._call_hooks(arguments)
        self.memory = memory = Memory(arguments)
        self._scratch = Scratch("triton", _shared_memory(memory))
        self.folder = self._scratch.path
        manifest: Dict[str, Any] = {
            "device": self.builder.device, "buffers": memory.write(self.folder), "tensors": memory.tensors,
            "zeroed": self._numbers(self.zeroed), "restored": self._numbers(restored),
            "rtol": self.rtol, "atol": self.atol, "mismatched_ratio": self.mismatched_ratio, "expected": []}
        if self.reference:
            manifest["expected"] = self._write_answers(arguments)
        with open(os.path.join(self.folder, "manifest.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)

    def _wait_for_gpu(self, arguments: Mapping[str, Any]) -> None:
        for name, value in arguments.items():
            for _, tensor in named_tensors(name, value):
                if library_of(tensor) == "torch" and tensor.is_cuda:
                    import torch  # type: ignore[import-not-found]

                    torch.cuda.synchronize(tensor.device)
                    return

    def _call_hooks(self, arguments: Mapping[str, Any]) -> List[str]:
        """Calls the user's hooks once. Tensors that they change are given this content before each launch."""
        if not self.hooks:
            return []
        tensors = [pair for name, value in arguments.items() for pair in named_tensors(name, value)]
        before = {name: getattr(tensor, "_version", 0) for name, tensor in tensors}
        self.hooks()
        return [name for name, tensor in tensors if getattr(tensor, "_version", 0) != before[name]]

    def _numbers(self, names: Sequence[str]) -> List[int]:
        assert self.memory
        return [number for number, tensor in enumerate(self.memory.tensors) if tensor.name in names]

    def _write_answers(self, arguments: Mapping[str, Any]) -> List[int]:
        assert self.memory and self.folder and self.reference
        try:
            answers = self._named_answers(self.reference(*arguments.values()))
        except HoneError:
            raise
        except Exception as error:
            raise HoneError(f"the reference failed: {type(error).__name__}: {error}") from error
        self.memory.write_expected(self.folder, answers)
        places = [self.memory.tensor(name) for name in answers]
        return sorted({place.buffer for place in places if place})

    def _named_answers(self, answers: Any) -> Dict[str, Any]:
        assert self.memory
        known = [tensor.name for tensor in self.memory.tensors]
        if isinstance(answers, Mapping):
            odd = [name for name in answers if name not in known]
            if odd:
                raise HoneError(f"the reference returned '{odd[0]}', which is no tensor argument of the kernel: "
                                f"{', '.join(known)}")
            return dict(answers)
        named: Dict[str, Any] = {}
        for answer in reversed(list(answers) if isinstance(answers, (tuple, list)) else [answers]):
            shape = tuple(getattr(answer, "shape", ()))
            match = [tensor.name for tensor in self.memory.tensors if tensor.shape == shape and tensor.name not in named]
            if not match:
                raise HoneError(f"the reference returned a tensor of shape {list(shape)}, and no argument has this shape; "
                                "return a dictionary: {'argument': tensor}")
            named[match[-1]] = answer
        return named

    def failure_of(self, config: Mapping[str, Any]) -> Optional[str]:
        """How a configuration failed, if it did."""
        return read_failure(self.folder, config) if self.folder else None

    def close(self) -> None:
        if self._scratch:
            self._scratch.remove()
            self._scratch = self.folder = None

    # ---- in a builder ----

    def open(self, hello: Dict[str, Any]) -> None:
        if hello["role"] != "builder":
            raise Failure("launch_failure", "this process cannot measure: the GPU is in use in its parent")
        with step("builder: open"):
            os.nice(_NICENESS)
            self.builder.open()

    def build(self, config: Config, path: str) -> Dict[str, float]:
        assert self.memory and self.folder
        try:
            with step("build"):
                numbers, kernel = self.builder.build(config, self.memory, path)
        except Failure as failure:
            note_failure(self.folder, config, failure.outcome)
            raise
        if self._is_first():
            with step("fork for the launcher"):
                start_in_background(lambda: _prepare_launcher(kernel))
        return numbers

    def _is_first(self) -> bool:
        """Once for all builders."""
        try:
            os.close(os.open(os.path.join(self.folder or "", "launcher"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except OSError:
            return False
        return True


def _prepare_launcher(kernel: Any) -> None:
    with step("the launcher, in the background"):
        prepare_launcher(kernel)


def _shared_memory(memory: Memory) -> Optional[str]:
    """/dev/shm if the buffers and their answers fit; None: the folder for temporary files."""
    size = 2 * sum(buffer.size for buffer in memory.buffers)
    try:
        if shutil.disk_usage("/dev/shm").free > size + (64 << 20) and os.access("/dev/shm", os.W_OK):
            return "/dev/shm"
    except OSError:
        pass
    if shutil.disk_usage(tempfile.gettempdir()).free < size:
        raise HoneError(f"the arguments need {size >> 20} MiB in /dev/shm or {tempfile.gettempdir()}, which have less")
    return None
