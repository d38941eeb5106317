"""Launches that are known, found as quickly as Python can."""
from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Sequence, Tuple


class Plan:
    """Launches of calls with arguments of certain types. `key` makes a key of a call: the values of Triton's `key`, and
    the types of tensors."""

    def __init__(self, names: Sequence[str], keys: Sequence[str], args: Tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        places = {names[index]: f"args[{index}]" for index in range(len(args))}
        places.update({word: f"kwargs[{word!r}]" for word in kwargs if word in names})
        values = {**dict(zip(names, args)), **kwargs}
        parts = [places[word] for word in keys if word in places]
        parts += [f"{place}.dtype" for word, place in places.items() if hasattr(values[word], "dtype")]
        self.key: Callable[[Tuple[Any, ...], Mapping[str, Any]], Any] = eval(
            f"lambda args, kwargs: ({', '.join(parts)}{',' if len(parts) == 1 else ''})")
        self.launches: Dict[Any, Tuple[Callable[..., Any], Any]] = {}


def kinds(args: Tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The types of arguments, by which plans are found."""
    types = tuple(map(type, args))
    return (types, tuple(kwargs), tuple(map(type, kwargs.values()))) if kwargs else types
