"""Turns a function over parameters into an expression of a spec.

The function is called with symbols that record what is done to them. What records cannot show (a condition, a
conversion to int, a loop over values) ends the attempt: the caller then evaluates the function for each configuration.
"""
from __future__ import annotations

import random
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence


class NotTraced(Exception):
    """The function does what an expression cannot."""


def _refuse(*_: Any) -> Any:
    raise NotTraced


class Symbol:
    """An expression. Its text has brackets around every operation."""

    def __init__(self, text: str) -> None:
        self.text = text

    __bool__ = __int__ = __float__ = __index__ = __hash__ = _refuse
    __iter__ = __len__ = __getitem__ = __contains__ = __str__ = __format__ = _refuse
    __array__ = _refuse
    __array_ufunc__ = None

    def __neg__(self) -> Symbol:
        return Symbol(f"(-{self.text})")

    def __abs__(self) -> Symbol:
        return Symbol(f"abs({self.text})")

    def __ceil__(self) -> Symbol:
        return Symbol(f"ceil({self.text})")

    def __floor__(self) -> Symbol:
        return Symbol(f"floor({self.text})")


def _text(value: Any) -> str:
    if isinstance(value, Symbol):
        return value.text
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # of NumPy
        value = value.item()
    if isinstance(value, str):
        if "'" in value or "\\" in value or "\n" in value:
            raise NotTraced
        return f"'{value}'"
    if type(value) in (int, bool):
        if not -2 ** 63 < value < 2 ** 63:
            raise NotTraced
        return repr(value) if value >= 0 else f"({value!r})"
    if type(value) is float and value == value and abs(value) != float("inf"):
        return f"({value!r})"
    raise NotTraced


def _operator(mark: str) -> Callable[[Symbol, Any], Symbol]:
    return lambda left, right: Symbol(f"({left.text} {mark} {_text(right)})")


def _reflected(mark: str) -> Callable[[Symbol, Any], Symbol]:
    return lambda right, left: Symbol(f"({_text(left)} {mark} {right.text})")


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
              "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^"}
for _name, _mark in _OPERATORS.items():
    setattr(Symbol, f"__{_name}__", _operator(_mark))
    setattr(Symbol, f"__r{_name}__", _reflected(_mark))
for _name, _mark in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Symbol, f"__{_name}__", _operator(_mark))


def trace(function: Callable[[Dict[str, Any]], Any], names: Mapping[str, str]) -> Any:
    """What the function returns for symbols, as text; a tuple or list as a list of texts. `names`: the text of each
    key of the dictionary that it gets. Raises `NotTraced`."""
    try:
        value = function({name: Symbol(text) for name, text in names.items()})
    except NotTraced:
        raise
    except Exception as error:
        raise NotTraced from error
    if isinstance(value, (tuple, list)):
        return [_text(one) for one in value]
    return _text(value)


_FUNCTIONS = {"abs": abs, "min": min, "max": max, "int": int, "float": float, "round": round, "pow": pow}


def evaluate(text: str, values: Mapping[str, Any]) -> Any:
    """The value of an expression, as Python computes it."""
    import math

    return eval(text, {"__builtins__": {}, "ceil": math.ceil, "floor": math.floor, "log2": math.log2, **_FUNCTIONS},
                dict(values))


def samples(params: Mapping[str, Sequence[Any]], count: int = 40) -> List[Dict[str, Any]]:
    """Configurations to compare a function and its expression at."""
    choose = random.Random(1).choice
    return [{name: choose(list(values)) for name, values in params.items()} for _ in range(count)]


def trace_over(function: Callable[[Dict[str, Any]], Any], params: Mapping[str, Sequence[Any]]) -> Optional[Any]:
    """The expression of a function over parameters, or a list of them; None: it has none. It is compared with the
    function at some configurations."""
    try:
        traced = trace(function, {name: name for name in params})
        for config in samples(params):
            expected = function(dict(config))
            texts, values = (traced, list(expected)) if isinstance(traced, list) else ([traced], [expected])
            if [evaluate(text, config) for text in texts] != values:
                return None
    except Exception:  # of the function, at a configuration that constraints may exclude
        return None
    return traced
