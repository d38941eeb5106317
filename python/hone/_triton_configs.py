"""Configurations of Triton as rows of a spec, and back."""
from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Dict, List, Mapping, Sequence

from triton.runtime.autotuner import Config

from ._errors import HoneError

OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "ir_override")


class Unset:
    """Stands in a configuration for a name that only others have."""

    def __repr__(self) -> str:
        return "unset"


UNSET = Unset()


def make_config(values: Mapping[str, Any]) -> Config:
    given = {word: value for word, value in values.items() if value is not UNSET}
    options = {word: given.pop(word) for word in OPTIONS if word in given}
    return Config(given, **options)


def rows_of(configs: Sequence[Config]) -> List[Dict[str, Any]]:
    """Configurations as rows with the same names. Those that differ in their hooks only get a number."""
    rows = [dict(config.all_kwargs()) for config in configs]
    names = list(dict.fromkeys(word for row in rows for word in row))
    rows = [{word: row.get(word, UNSET) for word in names} for row in rows]
    hooks = list(dict.fromkeys(id(config.pre_hook) for config in configs))
    different = {repr(sorted(row.items(), key=lambda item: item[0])) for row in rows}
    if len(hooks) > 1 and len(different) < len(set(configs)):
        for row, config in zip(rows, configs):
            row["pre_hook"] = hooks.index(id(config.pre_hook))
    return rows


def finder(rows: Sequence[Mapping[str, Any]], configs: Sequence[Config]) -> Callable[[Mapping[str, Any]], Config]:
    def find(values: Mapping[str, Any]) -> Config:
        for row, config in zip(rows, configs):
            if all(row[word] is value or row[word] == value for word, value in values.items()):
                return config
        raise HoneError(f"hone asked for a configuration that is not in the list: {dict(values)}")

    return find


_FUNCTIONS: Dict[str, Any] = {
    function.__name__: function for function in (abs, all, any, bool, float, int, len, list, max, min, pow, range, round,
                                                 sorted, str, sum, tuple)}
_FUNCTIONS.update(ceil=math.ceil, floor=math.floor, log2=math.log2, gcd=math.gcd, divides=lambda a, b: b % a == 0,
                  pow2=lambda x: x > 0 and x & (x - 1) == 0)


def first_legal(params: Mapping[str, Sequence[Any]], constraints: Sequence[str], named: Mapping[str, Any]) -> Dict[str, Any]:
    """The first configuration that satisfies the constraints: hone's default baseline."""
    for values in itertools.product(*params.values()):
        row = dict(zip(params, values))
        try:
            if all(eval(text, {"__builtins__": {}, **_FUNCTIONS, **named, **row}) for text in constraints):
                return row
        except NameError as error:
            raise HoneError(f"a constraint needs a value that is not known here: {error}; baseline={{...}} says which "
                            "configuration is used if nothing is known") from error
        except Exception:
            continue  # as hone: it is not legal, or the spec has an error
    raise HoneError(f"no configuration satisfies the constraints: {'; '.join(constraints)}")
