"""Digests of functions: equal if the code is, whatever its comments, blanks and place in the file."""
from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
import types
from typing import Any, Dict, Optional, Set

from ._pickle import names_used

_PLAIN = (int, float, bool, str, bytes, type(None))
_LIBRARIES = tuple(path for path in {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")} if path)


def _is_own(function: types.FunctionType) -> bool:
    """Whether it is the user's code, not a library's: those are known by their versions."""
    file = function.__code__.co_filename
    return not any(file.startswith(folder + os.sep) for folder in _LIBRARIES) and not file.startswith("<frozen")


def _add_constant(value: Any, digest: Any) -> None:
    if isinstance(value, types.CodeType):
        _add_code(value, digest)
    elif isinstance(value, frozenset):
        digest.update(repr(sorted(map(repr, value))).encode())
    else:
        digest.update(repr(value).encode())


def _add_code(code: types.CodeType, digest: Any) -> None:
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode())
    for constant in code.co_consts:
        _add_constant(constant, digest)


def _add_value(value: Any, digest: Any, seen: Set[int]) -> None:
    function = (getattr(value, "__wrapped__", None) or getattr(value, "py_func", None) or getattr(value, "fn", None)
                or value)
    if isinstance(function, types.FunctionType):
        if _is_own(function):
            _add_function(function, digest, seen)
    elif isinstance(value, _PLAIN):
        digest.update(repr(value).encode())
    elif isinstance(value, (tuple, list)) and all(isinstance(part, _PLAIN) for part in value):
        digest.update(repr(value).encode())


def _add_function(function: types.FunctionType, digest: Any, seen: Set[int]) -> None:
    if id(function.__code__) in seen:
        return
    seen.add(id(function.__code__))
    _add_code(function.__code__, digest)
    for value in (function.__defaults__ or ()) + tuple((function.__kwdefaults__ or {}).values()):
        _add_value(value, digest, seen)
    for cell in function.__closure__ or ():
        try:
            _add_value(cell.cell_contents, digest, seen)
        except ValueError:
            pass
    for name in sorted(names_used(function.__code__)):
        if name in function.__globals__:
            digest.update(name.encode())
            _add_value(function.__globals__[name], digest, seen)


def function_digest(function: Any) -> str:
    """Of its code, its defaults and closure, and of the user's functions and constants that it uses."""
    inner = function
    while not isinstance(inner, types.FunctionType):
        following = (getattr(inner, "__wrapped__", None) or getattr(inner, "py_func", None)
                     or getattr(inner, "fn", None) or getattr(inner, "__func__", None) or getattr(inner, "func", None))
        if following is None:
            call = getattr(type(inner), "__call__", None)
            if isinstance(call, types.FunctionType):
                following = call
            else:
                return hashlib.sha256(repr(getattr(inner, "__qualname__", type(inner).__qualname__)).encode()).hexdigest()[:32]
        inner = following
    digest = hashlib.sha256()
    _add_function(inner, digest, set())
    return digest.hexdigest()[:32]


def versions(*names: str) -> Dict[str, Optional[str]]:
    """Of Python, and of libraries that are loaded."""
    found: Dict[str, Optional[str]] = {"python": ".".join(map(str, sys.version_info[:2]))}
    for name in names:
        module = sys.modules.get(name)
        if module is not None:
            found[name] = getattr(module, "__version__", None)
    return found
