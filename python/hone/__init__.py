"""Hone finds the fastest correct configuration of a function or a kernel.

    import hone

    @hone.autotune(params={"BLOCK": [16, 32, 64]}, key=["n"])
    def transpose(a, n, *, BLOCK=32): ...

The first call with a problem tunes it, later ones use what was found, also in other processes.
`hone.triton` and `hone.tilelang` tune kernels of Triton and TileLang, `hone.tune_kernel` kernels in
C, CUDA and OpenCL. The package uses the program ``hone``; ``python -m hone`` runs it.
"""
from __future__ import annotations

from typing import Any

from ._autotune import Autotuned, autotune
from ._errors import Failure, HoneError, NotTunedError, WrongResult
from ._results import Result
from ._serve import Evaluator
from ._supply import Input
from ._version import __version__

__all__ = ["Autotuned", "Evaluator", "Failure", "HoneError", "Input", "NotTunedError", "Result", "Tuner", "WrongResult",
           "autotune", "run_kernel", "tune_kernel", "__version__"]


def __getattr__(name: str) -> Any:
    """Parts that are loaded when they are needed."""
    if name in ("tune_kernel", "run_kernel"):
        from . import kernel

        return getattr(kernel, name)
    if name == "Tuner":
        from ._tuner import Tuner

        return Tuner
    raise AttributeError(f"module 'hone' has no attribute '{name}'")
