"""The space and the launch of `hone.tune_kernel`: Kernel Tuner's words as those of a spec.

Texts are expressions of a spec as they are. A function becomes an expression if it can (see `_kernel_trace`). Else the
legal configurations are listed, and what the function returns for each of them is a further parameter, whose name
begins with `hone_`.
"""
from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._kernel_trace import trace_over

MARK = "hone_"  # of parameters that the user does not have
MOST_LISTED = 1_000_000

Config = Dict[str, Any]
Column = Callable[[Config], Any]


def quote(value: Any) -> Any:
    """A value as a spec has it: texts in quotes, since a spec evaluates what it can."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, str):
        mark = '"' if "'" in value else "'"
        if mark in value or "\\" in value or "\n" in value:
            raise ValueError(f"tune_params: the text {value!r} has quotes of both kinds, a backslash or a line end")
        return f"{mark}{value}{mark}"
    if type(value) in (int, float, bool):
        return value
    raise TypeError(f"tune_params: {value!r} is not a number, a truth value or a text")


class Space:
    """Parameters, constraints, and columns: values that only Python can compute."""

    def __init__(self, params: Mapping[str, Sequence[Any]]) -> None:
        if not params:
            raise ValueError("tune_params: there are no parameters")
        self.params: Dict[str, List[Any]] = {}
        for name, values in params.items():
            if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
                raise TypeError(f"tune_params: '{name}' needs a list of values, not {values!r}")
            self.params[name] = list(values)
            if not self.params[name]:
                raise ValueError(f"tune_params: '{name}' has no values")
            if not re.fullmatch(r"[A-Za-z_]\w*", name):
                raise ValueError(f"tune_params: '{name}' is not a name that a macro can have")
        self._originals = {name: {_plain(value): value for value in values} for name, values in self.params.items()}
        self.constraints: List[str] = []
        self.filters: List[Column] = []
        self.columns: Dict[str, Column] = {}
        self.configs: Optional[List[Config]] = None  # with the columns

    # ---- restrictions ----

    def restrict(self, restrictions: Any) -> None:
        """Texts, functions, or a list of both."""
        if restrictions is None:
            return
        if callable(restrictions) or isinstance(restrictions, str):
            restrictions = [restrictions]
        for number, restriction in enumerate(restrictions):
            if isinstance(restriction, str):
                self.constraints.append(_one_line(restriction))
            elif callable(restriction) and not hasattr(restriction, "preProcess"):
                traced = trace_over(restriction, self.params)
                if isinstance(traced, str):
                    self.constraints.append(traced)
                else:
                    self.filters.append(restriction)
            else:
                raise NotImplementedError(f"restrictions: number {number} is of type {type(restriction).__name__}; "
                                          "Hone takes texts and functions of one dictionary")

    # ---- expressions ----

    def expression(self, value: Any, what: str) -> str:
        """A number, a text or a function as an expression."""
        if callable(value):
            traced = trace_over(value, self.params)
            return traced if isinstance(traced, str) else self.column(what, value)
        if isinstance(value, str):
            return f"({_one_line(value)})"
        return str(_number(value, what))

    def column(self, name: str, function: Column) -> str:
        """A further parameter with the values of a function."""
        self.columns[MARK + name] = function
        return MARK + name

    # ---- the list of configurations ----

    def needs_list(self) -> bool:
        return bool(self.filters or self.columns)

    def make_list(self, spec: Mapping[str, Any], ask: Callable[[List[str], Mapping[str, Any]], str]) -> None:
        """Lists the configurations that texts allow and functions do not reject. `ask` runs ``hone space``."""
        part = {**spec, "params": self.spec_params(), "constraints": list(self.constraints)}
        count = int(ask(["--count"], part))
        if count > MOST_LISTED:
            raise ValueError(f"a function has to be called for each of {count} configurations: write restrictions, "
                             "sizes and divisors as texts")
        self.configs = []
        for line in ask(["--list", "--format", "json"], part).splitlines():
            config = self.original(json.loads(line))
            if all(accepts(dict(config)) for accepts in self.filters):
                more = {name: function(dict(config)) for name, function in self.columns.items()}
                self.configs.append({**config, **more})
        if not self.configs:
            raise ValueError("restrictions: no configuration is legal")

    def spec_params(self) -> Dict[str, List[Any]]:
        return {name: [quote(value) for value in values] for name, values in self.params.items()}

    def spec(self) -> Dict[str, Any]:
        """`params` or `configs`, and `constraints`."""
        if self.configs is None:
            part: Dict[str, Any] = {"params": self.spec_params()}
        else:
            part = {"configs": [{name: quote(value) for name, value in config.items()} for config in self.configs]}
        if self.constraints:
            part["constraints"] = list(self.constraints)
        return part

    def original(self, config: Mapping[str, Any]) -> Config:
        """A configuration of Hone's with the user's own values, in the user's order."""
        return {name: self._originals[name].get(_plain(config[name]), config[name]) for name in self.params}


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _number(value: Any, what: str) -> Any:
    value = _plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{what}: {value!r} is not a number, a text or a function")
    return int(value) if float(value).is_integer() else value


# ---- the launch ----


class Launch:
    """Sizes of blocks and grids: problem_size divided by grid_div_x, y and z, rounded up."""

    def __init__(self, space: Space, problem_size: Any, divisors: Sequence[Any],
                 block_size_names: Optional[Sequence[str]] = None) -> None:
        names = list(block_size_names or ())
        names += ["block_size_x", "block_size_y", "block_size_z"][len(names):]
        self.names = names
        self.block = [name if name in space.params else default for name, default in zip(names, ("256", "1", "1"))]
        sizes = self._sizes(space, problem_size)
        self.grid = [self._grid(space, axis, sizes[axis], divisors[axis]) for axis in range(3)]

    def _sizes(self, space: Space, problem_size: Any) -> List[str]:
        if callable(problem_size):
            traced = trace_over(problem_size, space.params)
            if traced is not None:
                return _pad([f"({text})" for text in traced] if isinstance(traced, list) else [f"({traced})"])
            return [space.column(f"size_{axis}", _axis_of(problem_size, number)) for number, axis in enumerate("xyz")]
        if isinstance(problem_size, (tuple, list)) or getattr(problem_size, "ndim", 0) == 1:
            if not 1 <= len(problem_size) <= 3:
                raise ValueError(f"problem_size: it has {len(problem_size)} dimensions, not 1 to 3")
            return _pad([space.expression(size, "problem_size") for size in problem_size])
        return _pad([space.expression(problem_size, "problem_size")])

    def _grid(self, space: Space, axis: int, size: str, divisor: Any) -> str:
        what = "grid_div_" + "xyz"[axis]
        if divisor is None:
            divisor = [self.names[axis]] if self.names[axis] in space.params else []
        if callable(divisor) or isinstance(divisor, str):
            divisor = [divisor]
        product = " * ".join(space.expression(one, what) for one in divisor)
        if not product:
            return f"ceil({size})"
        return f"ceil({size} / ({product}))"

    def derived(self) -> Dict[str, str]:
        return {f"grid_size_{axis}": text for axis, text in zip("xyz", self.grid)}

    def spec(self, shared: Optional[str]) -> Dict[str, Any]:
        launch: Dict[str, Any] = {"grid": ["grid_size_x", "grid_size_y", "grid_size_z"], "block": list(self.block)}
        if shared:
            launch["shared"] = shared
        return launch

    def limit(self) -> Optional[str]:
        """The constraint that a block has no more threads than the device allows; None: its size is fixed."""
        sizes = [size for size in self.block if not size.isdigit()]
        if not sizes:
            return None
        return f"{' * '.join(size for size in self.block if size != '1')} <= device.max_threads"

    def defines(self, space: Space) -> Dict[str, str]:
        """Macros of block sizes that are no parameters."""
        return {name: size for name, size in zip(self.names, self.block) if name not in space.params}


def _pad(sizes: Sequence[str]) -> List[str]:
    return [*sizes, "1", "1"][:3]


def _axis_of(function: Column, number: int) -> Column:
    def size(config: Config) -> Any:
        sizes: Tuple[Any, ...]
        value = function(config)
        sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
        return _number(sizes[number], "problem_size") if number < len(sizes) else 1

    return size
