"""Knobs: the parameters of what is tuned, as a spec names them.

A spec knows numbers, truth values and texts. Any other value (None, a tuple, a class) travels as a
text that stands for it, and is put back before it is used.
"""
from __future__ import annotations

import itertools
import math
import re
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._errors import HoneError

Config = Dict[str, Any]


#: texts that a spec would take for something else are not plain
_WORD = re.compile(r"[A-Za-z_][\w.-]*")
_NO_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "none", "nan", "inf", "y", "n"}


def _is_plain(value: Any) -> bool:
    if type(value) is str:
        return bool(_WORD.fullmatch(value)) and value.lower() not in _NO_WORDS
    return type(value) in (int, bool) or (type(value) is float and math.isfinite(value))


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and one == other)


class Knobs:
    """`params`: values by name. `configs`: the configurations themselves. One of the two, or both: then the list is
    filtered by nothing, and the parameters are added to each of its configurations."""

    def __init__(self, params: Optional[Mapping[str, Iterable[Any]]] = None,
                 configs: Optional[Sequence[Mapping[str, Any]]] = None,
                 constraints: Union[None, str, Sequence[str]] = None) -> None:
        self._texts: Dict[str, Dict[str, Any]] = {}  # of each knob: texts that stand for values
        self.constraints = [constraints] if isinstance(constraints, str) else list(constraints or [])
        self._params = {name: _values(name, values) for name, values in (params or {}).items()}
        self._configs = [dict(config) for config in configs] if configs is not None else None
        self._check()
        self.names = list(self._params) + [name for name in (self._configs[0] if self._configs else ())
                                           if name not in self._params]

    def _check(self) -> None:
        if self._configs is not None and not self._configs:
            raise HoneError("there are no configurations to tune: the list is empty")
        if not self._params and not self._configs:
            raise HoneError("there is nothing to tune: give params={'NAME': [values]} or configs=[{'NAME': value}]")
        names = set(self._configs[0]) if self._configs else set()
        for config in self._configs or ():
            if set(config) != names:
                odd = sorted(set(config) ^ names)
                raise HoneError(f"configurations must have the same names: {', '.join(odd)} is not in all of them")
        twice = names & set(self._params)
        if twice:
            raise HoneError(f"{', '.join(sorted(twice))}: given by params and by configs")
        for name, values in self._params.items():
            if not values:
                raise HoneError(f"'{name}' has no values")

    # ---- values ----

    def encode(self, name: str, value: Any) -> Any:
        if _is_plain(value):
            return value
        if hasattr(value, "item") and _is_plain(value.item()):  # of NumPy
            return value.item()
        texts = self._texts.setdefault(name, {})
        for text, known in texts.items():
            if _same(known, value):
                return text
        text = base = "v_" + re.sub(r"\W+", "_", repr(value)).strip("_")[:60]
        for number in itertools.count(2):
            if text not in texts:
                break
            text = f"{base}_{number}"
        texts[text] = value
        return text

    def decode(self, config: Mapping[str, Any]) -> Config:
        """A configuration as the function takes it."""
        return {name: self._texts.get(name, {}).get(value, value) if isinstance(value, str) else value
                for name, value in config.items()}

    def encode_config(self, config: Mapping[str, Any]) -> Config:
        return {name: self.encode(name, value) for name, value in config.items()}

    # ---- the spec ----

    def has(self, config: Mapping[str, Any]) -> bool:
        """Whether each value is one of its knob; constraints are not looked at."""
        for name, value in config.items():
            known = self._params.get(name) or [row[name] for row in self._configs or () if name in row]
            if not any(_same(value, other) for other in known):
                return False
        return True

    def first(self) -> Config:
        """The first configuration, which may break constraints."""
        first = {name: values[0] for name, values in self._params.items()}
        first.update(self._configs[0] if self._configs else {})
        return first

    def spec(self) -> Union[Dict[str, List[Any]], List[Dict[str, List[Any]]]]:
        """What stands under `params`: values by name, or a list of groups if the configurations are not a product."""
        params = {name: [self.encode(name, value) for value in values] for name, values in self._params.items()}
        if not self._configs:
            return params
        rows = [self.encode_config(config) for config in self._configs]
        values: Dict[str, List[Any]] = {name: [] for name in rows[0]}
        for row in rows:
            for name, value in row.items():
                if not any(_same(value, known) for known in values[name]):
                    values[name].append(value)
        size = 1
        for known in values.values():
            size *= len(known)
        different = {tuple((name, type(value).__name__, value) for name, value in sorted(row.items())) for row in rows}
        if size == len(different):
            return {**values, **params}
        unique = []
        for row in rows:
            key = tuple((name, type(value).__name__, value) for name, value in sorted(row.items()))
            if key in different:
                different.discard(key)
                unique.append(row)
        return [{**{name: [value] for name, value in row.items()}, **params} for row in unique]


def _values(name: str, values: Iterable[Any]) -> List[Any]:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise HoneError(f"'{name}' needs a list of values, not {values!r}")
    return list(values)
