"""Values that functions take and return: copied, restored, poisoned, compared.

Known are arrays of NumPy, PyTorch, CuPy and JAX, Python's own buffers and lists, numbers, and
tuples, lists and dictionaries of them. No library is imported for that: a value's own is used.
"""
from __future__ import annotations

import array
import copy
import math
import numbers
from typing import Any, Optional

from ._errors import WrongResult

#: relative tolerances of element types; others are compared exactly
TOLERANCES = {"float64": 1e-7, "complex128": 1e-7, "float32": 1e-4, "complex64": 1e-4, "float16": 1e-2,
              "bfloat16": 2e-2, "float8_e4m3fn": 0.15, "float8_e5m2": 0.3}


def library_of(value: Any) -> str:
    """"numpy", "torch", "cupy", "jax", or ""."""
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape"):
            return "numpy"
        if root == "torch" and kind.__name__ == "Tensor":
            return "torch"
        if root == "cupy" and kind.__name__ == "ndarray":
            return "cupy"
        if root in ("jax", "jaxlib") and hasattr(value, "block_until_ready"):
            return "jax"
    return ""


def is_array(value: Any) -> bool:
    return bool(library_of(value))


def is_mutable_data(value: Any) -> bool:
    """Data that a function may write to."""
    library = library_of(value)
    if library == "numpy":
        return hasattr(value, "flags") and bool(value.flags.writeable)
    return library in ("torch", "cupy") or isinstance(value, (bytearray, array.array, list))


def dtype_name(value: Any) -> str:
    return str(value.dtype).replace("torch.", "")


def describe(value: Any) -> str:
    """"float32_512x512" of an array; the text of any other value."""
    if is_array(value):
        return "_".join([dtype_name(value), *(["x".join(str(size) for size in value.shape)] if value.shape else [])])
    return str(value)


def is_on_gpu(value: Any) -> bool:
    library = library_of(value)
    if library == "torch":
        return value.device.type not in ("cpu", "meta")
    return library == "cupy"


def duplicate(value: Any) -> Any:
    library = library_of(value)
    if library == "torch":
        return value.detach().clone()
    if library in ("numpy", "cupy"):
        return value.copy()
    if library == "jax":
        return value
    return copy.deepcopy(value)


def restore(value: Any, pristine: Any) -> None:
    """Writes the contents of `pristine` into `value`."""
    if library_of(value) == "torch":
        import torch  # type: ignore[import-not-found]

        with torch.no_grad():
            value.copy_(pristine)
    elif is_array(value):
        value[...] = pristine
    else:
        value[:] = copy.deepcopy(pristine)


def fill(value: Any, number: Any) -> None:
    library = library_of(value)
    if library == "torch":
        import torch

        with torch.no_grad():
            value.fill_(number)
    elif library:
        value.fill(number)
    elif isinstance(value, array.array):
        value[:] = array.array(value.typecode, [number] * len(value))
    elif isinstance(value, bytearray):
        value[:] = bytes([number]) * len(value)
    else:
        value[:] = [number] * len(value)


def poison(value: Any) -> None:
    """Contents that no right answer has."""
    name = dtype_name(value) if is_array(value) else ""
    if "float" in name or "complex" in name:
        fill(value, math.nan)
    elif "bool" in name:
        fill(value, True)
    else:
        fill(value, 85)  # 0x55


def synchronize(value: Any) -> None:
    """Waits until results of asynchronous libraries are there."""
    if isinstance(value, (tuple, list)):
        for part in value:
            synchronize(part)
    elif isinstance(value, dict):
        synchronize(list(value.values()))
    elif library_of(value) == "jax":
        value.block_until_ready()


def to_host(value: Any) -> Any:
    """An array as one of NumPy, widened where NumPy lacks its type; other values as they are."""
    library = library_of(value)
    if library == "torch":
        value = value.detach()
        if dtype_name(value) == "bfloat16" or dtype_name(value).startswith("float8"):
            value = value.float()
        return value.cpu().numpy()
    if library == "cupy":
        return value.get()
    if library == "jax":
        import numpy  # type: ignore[import-not-found]

        return numpy.asarray(value)
    return value


def equal(one: Any, other: Any) -> bool:
    """Whether contents are the same, bit for bit."""
    if is_array(one):
        one, other = to_host(one), to_host(other)
        return bool(one.shape == other.shape and one.tobytes() == other.tobytes())
    return bool(one == other)


def compare(got: Any, expected: Any, rtol: Optional[float] = None, atol: Optional[float] = None,
            max_mismatched_ratio: float = 0.0, where: str = "the result") -> None:
    """Raises `WrongResult` with the place and size of the difference."""
    if is_array(got) or is_array(expected):
        _compare_arrays(got, expected, rtol, atol, max_mismatched_ratio, where)
    elif isinstance(expected, dict):
        if not isinstance(got, dict) or set(got) != set(expected):
            raise WrongResult(f"{where} has other keys than expected")
        for name in expected:
            compare(got[name], expected[name], rtol, atol, max_mismatched_ratio, f"{where}[{name!r}]")
    elif isinstance(expected, (tuple, list)):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            raise WrongResult(f"{where} has another length than expected")
        for i, (one, other) in enumerate(zip(got, expected)):
            compare(one, other, rtol, atol, max_mismatched_ratio, f"{where}[{i}]")
    elif isinstance(expected, numbers.Number) and isinstance(got, numbers.Number):
        _compare_numbers(got, expected, rtol, atol, where)
    elif got != expected:
        raise WrongResult(f"{where} is {got!r}, expected {expected!r}"[:500])


def _compare_numbers(got: Any, expected: Any, rtol: Optional[float], atol: Optional[float], where: str) -> None:
    if got == expected or (got != got and expected != expected):
        return
    is_exact = isinstance(got, int) and isinstance(expected, int) and rtol is None and atol is None
    relative = TOLERANCES["float64"] if rtol is None else rtol
    if is_exact or not abs(got - expected) <= (atol or 0.0) + relative * abs(expected):
        raise WrongResult(f"{where} is {got!r}, expected {expected!r}")


def _compare_arrays(got: Any, expected: Any, rtol: Optional[float], atol: Optional[float], ratio: float,
                    where: str) -> None:
    import numpy

    if not hasattr(got, "shape") or tuple(got.shape) != tuple(getattr(expected, "shape", ())):
        raise WrongResult(f"{where} has the shape {list(getattr(got, 'shape', []))}, expected "
                          f"{list(getattr(expected, 'shape', []))}")
    name = dtype_name(got)
    one, other = numpy.asarray(to_host(got)), numpy.asarray(to_host(expected))
    if one.size == 0 or one.tobytes() == other.tobytes():
        return
    if rtol is None and atol is None and name not in TOLERANCES:
        wrong = one != other
    else:
        wide = numpy.complex128 if numpy.iscomplexobj(other) else numpy.float64
        one, other = one.astype(wide), other.astype(wide)
        relative = TOLERANCES.get(name, 0.0) if rtol is None else rtol
        finite = numpy.isfinite(other)
        scale = float(numpy.sqrt(numpy.mean(numpy.abs(other[finite]) ** 2))) if finite.any() else 0.0
        absolute = relative * scale if atol is None else atol
        with numpy.errstate(invalid="ignore"):
            near = numpy.abs(one - other) <= absolute + relative * numpy.abs(other)
        wrong = ~(near | (one == other) | (numpy.isnan(one) & numpy.isnan(other)))
    count = int(wrong.sum())
    if count <= int(one.size * ratio):
        return
    first = numpy.unravel_index(int(numpy.argmax(wrong)), one.shape) if one.shape else ()
    place = "".join(f"[{int(i)}]" for i in first)
    raise WrongResult(f"{where}: {count} of {one.size} elements differ; {where}{place} is {one[first]}, expected "
                      f"{other[first]}")
