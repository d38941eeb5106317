"""Inputs and right answers of TileLang's kernels.

All configurations get the same inputs: they are made once for each list of parameters, with the
same seed in every process, and put back before each call that is checked.
"""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import torch
from tilelang.utils.tensor import TensorSupplyType, get_tensor_supply, torch_assert_close

from ._errors import WrongResult
from ._tilelang_program import Program

Tensors = List[Any]  # tensors, and numbers between them


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def copies(values: Sequence[Any], device: Any = None) -> Tensors:
    """Copies that share no memory, on `device` if it is given."""
    return [(value.detach().to(device) if device is not None else value.detach()).clone() if is_tensor(value) else value
            for value in values]


def put(values: Sequence[Any], device: Any) -> Tensors:
    return [value.detach().to(device) if is_tensor(value) else value for value in values]


def same(one: Any, other: Any) -> bool:
    """Whether two tensors have the same bits, as far as that can be said: NaN is equal to NaN."""
    if not is_tensor(one):
        return True
    if one.element_size() == 1 and one.dtype is not torch.bool:
        return bool(torch.equal(one.contiguous().view(torch.uint8), other.contiguous().view(torch.uint8)))
    return bool(torch.equal(one, other)) or bool(
        one.is_floating_point() and torch.allclose(one, other, rtol=0.0, atol=0.0, equal_nan=True))


def poison(value: Any) -> None:
    """Fills a tensor with what no kernel writes by chance."""
    if value.is_floating_point() and value.element_size() > 1:
        value.fill_(float("nan"))
    else:
        value.contiguous().view(torch.uint8).fill_(0x7F)


@contextlib.contextmanager
def poisoned_allocations() -> Iterator[None]:
    """Memory that is allocated here is filled with NaN, or with the largest integer, also by C++ code."""
    was = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    settings: Any = torch.utils.deterministic
    fills = settings.fill_uninitialized_memory
    _set_deterministic(True, True)
    settings.fill_uninitialized_memory = True
    try:
        yield
    finally:
        _set_deterministic(*was)
        settings.fill_uninitialized_memory = fills


def _set_deterministic(mode: bool, only_warns: bool) -> None:
    """torch.use_deterministic_algorithms without its import of the compiler, which takes seconds."""
    function = getattr(torch._C, "_set_deterministic_algorithms", torch.use_deterministic_algorithms)
    function(mode, warn_only=only_warns)


def as_list(outputs: Any) -> List[Any]:
    if outputs is None:
        return []
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _comparable(value: Any) -> Any:
    if value.dtype is torch.bool:
        return value.to(torch.uint8)
    return value.to(torch.float32) if value.is_floating_point() and value.element_size() == 1 else value


class Tolerance:
    def __init__(self, rtol: float, atol: float, max_mismatched_ratio: float) -> None:
        self.rtol = rtol
        self.atol = atol
        self.max_mismatched_ratio = max_mismatched_ratio

    def compare(self, got: Any, expected: Any, name: str) -> None:
        """TileLang's comparison and its message. A pair with None is not compared."""
        if got is None or expected is None:
            return
        if not is_tensor(got) or not is_tensor(expected):
            if got != expected:
                raise WrongResult(f"{name}: {got!r}, expected {expected!r}")
            return
        try:
            torch_assert_close(_comparable(got), _comparable(expected), rtol=self.rtol, atol=self.atol,
                               max_mismatched_ratio=self.max_mismatched_ratio, base_name="tilelang", ref_name="ref")
        except AssertionError as error:
            raise WrongResult(f"{name}: {str(error).partition(chr(10) + 'tilelang: ')[0]}") from error

    def compare_lists(self, got: List[Any], expected: List[Any]) -> None:
        if len(got) != len(expected):
            raise WrongResult(f"it returns {len(got)} tensors, expected {len(expected)}")
        for i, (one, other) in enumerate(zip(got, expected)):
            self.compare(one, other, f"output {i}")


class Supply:
    """Where inputs come from. The order is TileLang's: captured inputs, `supply_prog`, `supply_type`."""

    def __init__(self, supply_type: TensorSupplyType = TensorSupplyType.Auto,
                 supply_prog: Optional[Callable[..., Any]] = None, captured: Optional[Sequence[Any]] = None) -> None:
        self.supply_type = supply_type
        self.supply_prog = supply_prog
        self.captured = list(captured) if captured is not None else None

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self.captured is not None:  # a process that loads them must not use the GPU for it
            state["captured"] = put(self.captured, "cpu")
        return state

    @property
    def is_given(self) -> bool:
        return self.captured is not None or self.supply_prog is not None

    def make(self, program: Program, seed: int, device: Any) -> Tensors:
        torch.manual_seed(seed)
        if self.captured is not None:
            return copies(self.captured, device)
        params = program.inputs()
        if self.supply_prog is not None:
            return put(as_list(self.supply_prog(params)), device)
        supply = get_tensor_supply(self.supply_type)
        return put([supply(param) for param in params], device)


class Inputs:
    """The inputs of one list of parameters, and their contents before the first call."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.pristine = copies(tensors)
        self.written: List[int] = []      # numbers of those that a call changes
        self.outputs: List[int] = []      # those of them whose former content does not matter

    def rewind(self, numbers: Optional[Sequence[int]] = None) -> None:
        for i in range(len(self.tensors)) if numbers is None else numbers:
            if is_tensor(self.tensors[i]):
                self.tensors[i].copy_(self.pristine[i])

    def poison_outputs(self) -> None:
        for i in self.outputs:
            poison(self.tensors[i])

    def changed(self) -> List[int]:
        return [i for i, value in enumerate(self.tensors) if not same(value, self.pristine[i])]


class Answer:
    """What a call returned, and the inputs that it has changed."""

    def __init__(self, outputs: List[Any], changed: Dict[int, Any]) -> None:
        self.outputs = outputs
        self.changed = changed

    def to(self, device: Any) -> "Answer":
        return Answer(put(self.outputs, device), dict(zip(self.changed, put(list(self.changed.values()), device))))

    def bytes(self) -> int:
        return sum(value.numel() * value.element_size() for value in [*self.outputs, *self.changed.values()]
                   if is_tensor(value))
