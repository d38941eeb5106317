"""Pickling of functions that another process cannot import.

A function of ``__main__``, of a notebook, or inside of another function is sent by value: its code,
its defaults, what it closes over, and those global names that it uses. Everything else is pickled
as usual, modules by their names.
"""
from __future__ import annotations

import builtins
import dis
import importlib
import io
import marshal
import pickle
import sys
import types
from typing import Any, Dict, Optional, Tuple

_MISSING = object()


def _attribute(module: str, qualname: str) -> Any:
    value: Any = sys.modules.get(module)
    for name in qualname.split("."):
        value = getattr(value, name, _MISSING)
    return value


def is_importable(function: Any) -> bool:
    """Whether another process finds it, or what wraps it, under its name."""
    module = getattr(function, "__module__", None)
    if not module or module == "__main__" or "<locals>" in function.__qualname__:
        return False
    if getattr(sys.modules.get(module), "__file__", None) is None:
        return False
    found = _attribute(module, function.__qualname__)
    return found is function or getattr(found, "__wrapped__", None) is function


def _import(module: str, qualname: str) -> Any:
    importlib.import_module(module)
    return _attribute(module, qualname)


def _import_wrapped(module: str, qualname: str) -> Any:
    return _import(module, qualname).__wrapped__


def names_used(code: types.CodeType) -> set:
    """Global names that a function may use, with those of functions inside of it."""
    names = {one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_used(constant)
    return names


def _make(code: bytes, name: str, qualname: str, module: str, cells: int) -> types.FunctionType:
    namespace: Dict[str, Any] = {"__builtins__": builtins, "__name__": module}
    closure = tuple(types.CellType() for _ in range(cells))
    function = types.FunctionType(marshal.loads(code), namespace, name, None, closure)
    function.__qualname__ = qualname
    return function


def _fill(function: types.FunctionType, state: Tuple[Any, ...]) -> None:
    names, cells, function.__defaults__, function.__kwdefaults__, attributes = state
    function.__globals__.update(names)
    for cell, value in zip(function.__closure__ or (), cells):
        if value is not None:
            cell.cell_contents = value[0]
    function.__dict__.update(attributes)


def _cell(cell: types.CellType) -> Optional[Tuple[Any]]:
    try:
        return (cell.cell_contents,)
    except ValueError:
        return None


def _by_value(function: types.FunctionType) -> Tuple[Any, ...]:
    code = function.__code__
    names = {name: function.__globals__[name] for name in sorted(names_used(code)) if name in function.__globals__}
    state = (names, [_cell(cell) for cell in function.__closure__ or ()], function.__defaults__,
             function.__kwdefaults__, dict(function.__dict__))
    arguments = (marshal.dumps(code), function.__name__, function.__qualname__, function.__module__ or "__main__",
                 len(function.__closure__ or ()))
    return _make, arguments, state, None, None, _fill


class Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if not isinstance(value, types.FunctionType):
            return NotImplemented
        if not is_importable(value):
            return _by_value(value)
        if _attribute(value.__module__, value.__qualname__) is not value:
            return _import_wrapped, (value.__module__, value.__qualname__)
        return NotImplemented


def dumps(value: Any) -> bytes:
    buffer = io.BytesIO()
    Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()
