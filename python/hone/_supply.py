"""Inputs of kernels that are described by shape and type: the kinds of TileLang's TensorSupplyType."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Sequence, Tuple

from ._errors import HoneError

KINDS = ("auto", "integer", "uniform", "normal", "randn", "zero", "one")


class Input(NamedTuple):
    """One array: ``hone.Input((512, 512), "float32")``."""

    shape: Tuple[int, ...]
    dtype: str = "float32"


def kind_name(kind: Any) -> str:
    """Of a name, or of a member of an enum such as TileLang's."""
    name = str(getattr(kind, "name", kind)).lower()
    if name not in KINDS:
        raise HoneError(f"supply_type is one of {', '.join(KINDS)}, not '{kind}'")
    return name


def _integers(random: Any, kind: Any, shape: Tuple[int, ...]) -> Any:
    low, high = (0, 2) if kind == "b" else (0, 3) if kind == "u" else (-2, 3)
    return random.integers(low, high, size=shape)


def make(description: Input, kind: str, random: Any) -> Any:
    """An array of NumPy. Index-like types get small integers: pass real ones where values matter."""
    import numpy  # type: ignore[import-not-found]

    shape, dtype = tuple(description.shape), numpy.dtype(description.dtype)
    if kind in ("zero", "one"):
        return numpy.full(shape, 1 if kind == "one" else 0, dtype)
    if dtype.kind not in "fc" or kind == "integer":
        return _integers(random, dtype.kind, shape).astype(dtype)
    if kind in ("normal", "randn"):
        return random.normal(-1.0 if kind == "normal" else 0.0, 1.0, size=shape).astype(dtype)
    return random.uniform(-1.0, 1.0, size=shape).astype(dtype)


def make_all(descriptions: Sequence[Input], kind: str, seed: int) -> List[Any]:
    import numpy

    random = numpy.random.default_rng(seed)
    return [make(Input(*description), kind, random) for description in descriptions]
