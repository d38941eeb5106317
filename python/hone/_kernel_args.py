"""Arguments of a kernel: NumPy arrays and scalars as arguments of a spec, with files for their content."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence

from ._kernel_source import Function

_TYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16", "int8": "i8", "int16": "i16",
          "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
          "bool": "bool", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2"}
_PARTS = {"complex64": "float32", "complex128": "float64"}


class Argument:
    """One argument. `content` is None for a scalar, else its elements in the order of memory."""

    def __init__(self, position: int, value: Any, name: str) -> None:
        import numpy

        self.name = name
        self.position = position
        self.original = value
        self.scalar: Any = None
        self.members: Optional[List[Dict[str, Any]]] = None
        self.content: Any = None
        self.role = "in"
        value = _on_host(value)
        if isinstance(value, numpy.ndarray):
            self.array = value
            self.order: Any = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
            self.content = self.flat(value)
            self.type = _TYPES[self.content.dtype.name] if self.content.dtype.name in _TYPES else "u8"
        elif isinstance(value, numpy.void) and value.dtype.names:
            self.members = [{"name": field, **_scalar(position, value[field])} for field in value.dtype.names]
        elif isinstance(value, numpy.generic):
            self.scalar = _scalar(position, value)
        else:
            raise TypeError(f"arguments: number {position} is of type {type(value).__name__}; arguments are NumPy "
                            "arrays and NumPy scalars, such as numpy.int32(n)")

    def flat(self, array: Any) -> Any:
        """The elements in the order that they have in memory, as a type that Hone knows."""
        import numpy

        flat = numpy.ascontiguousarray(numpy.ravel(array, order=self.order))
        if flat.dtype.byteorder == ">":
            flat = flat.astype(flat.dtype.newbyteorder("="))
        if flat.dtype.name in _PARTS:
            return flat.view(_PARTS[flat.dtype.name])
        return flat if flat.dtype.name in _TYPES else flat.view("uint8")

    def unflatten(self, flat: Any) -> Any:
        """An array of the type and shape of the argument, from elements as `flat` returns them."""
        import numpy

        return numpy.reshape(flat.view(self.array.dtype), self.array.shape, order=self.order)

    def is_array(self) -> bool:
        return self.content is not None

    def spec(self, folder: str) -> Dict[str, Any]:
        """The argument in a spec; writes its content into the folder."""
        if self.members is not None:
            return {"name": self.name, "struct": self.members}
        if self.scalar is not None:
            return {"name": self.name, **self.scalar}
        argument = {"name": self.name, "type": self.type, "shape": [int(self.content.size)], "role": self.role}
        if not self.content.view("uint8").any():
            return {**argument, "fill": "zero"}
        write_array(os.path.join(folder, f"{self.name}.npy"), self.content)
        return {**argument, "file": f"{self.name}.npy"}


def write_array(path: str, array: Any) -> None:
    import numpy

    if array.dtype.kind == "V" or array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        array = array.view(f"V{array.dtype.itemsize}")
    numpy.save(path, array)


def _on_host(value: Any) -> Any:
    if hasattr(value, "detach") and hasattr(value, "cpu"):  # of PyTorch
        return value.detach().cpu().numpy()
    if hasattr(value, "__cuda_array_interface__") and hasattr(value, "get"):  # of CuPy
        return value.get()
    return value


def _scalar(position: int, value: Any) -> Dict[str, Any]:
    kind = _TYPES.get(value.dtype.name)
    if kind is None:
        raise NotImplementedError(f"arguments: number {position} is a scalar of type {value.dtype}, which Hone cannot "
                                  "pass by value")
    plain = value.item() if kind not in ("bf16", "f8e4m3", "f8e5m2") else float(value)
    return {"type": kind, "value": plain}


def make_arguments(arguments: Sequence[Any], function: Optional[Function], taken: Sequence[str]) -> List[Argument]:
    """The arguments, with the names of the source unless parameters have these, and with their roles."""
    declared = function.parameters if function and len(function.parameters) == len(arguments) else None
    used = set(taken)
    made = []
    for position, value in enumerate(arguments):
        name = declared[position].name if declared else ""
        if not name or name in used or name.startswith("hone_"):
            name = f"hone_argument_{position}"
        used.add(name)
        argument = Argument(position, value, name)
        if argument.is_array() and not (declared and declared[position].is_constant):
            argument.role = "inout"
        made.append(argument)
    return made
