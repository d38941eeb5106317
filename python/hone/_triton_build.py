"""Compiles configurations of a Triton kernel in processes that never touch the GPU.

A builder is forked from the user's process, and so has its function and its arguments. It calls the
function's own `run` with `warmup=True` and a driver that knows the target but has no device. Triton
therefore specialises and caches exactly as it does for the later launch: the measuring process gets
the binary, and the user's process finds it in Triton's cache.
"""
from __future__ import annotations

import json
import os
import struct
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction

from ._errors import Failure
from ._triton_args import Memory, is_descriptor, is_tensor

_TMA_TYPES = {8: 10, 9: 8, 10: 9}  # numbers of element types: Triton's, and those of the driver
_TMA_TF32 = 11
_INTEGERS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u1": 1, "u8": 1, "u16": 2, "u32": 4, "u64": 8}
_FLOATS = {"fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}


class TargetDriver:
    """Stands for the driver where there is no device: it knows what to compile for."""

    def __init__(self, target: GPUTarget, device: int) -> None:
        self.target = target
        self.device = device

    def get_current_target(self) -> GPUTarget:
        return self.target

    def get_current_device(self) -> int:
        return self.device

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def get_device_capability(self, device: Any = None) -> Tuple[int, int]:
        return self.target.arch // 10, self.target.arch % 10


def jit_function(function: Any) -> JITFunction:
    """The function inside of heuristics and other wrappers."""
    while not isinstance(function, JITFunction):
        function = function.fn
    return function


class Call:
    """A launch: `function[grid](*args, **kwargs)`, without the tuned parameters."""

    def __init__(self, function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        self.function = function
        self.jit = jit_function(function)
        self.args = args
        self.kwargs = {name: value for name, value in kwargs.items() if name not in ("grid", "warmup")}
        self.grid = kwargs.get("grid")

    def named(self) -> Dict[str, Any]:
        """The kernel's arguments, in its order."""
        given = {**dict(zip(self.jit.arg_names, self.args)), **self.kwargs}
        return {name: given[name] for name in self.jit.arg_names if name in given}

    def final(self, config: Dict[str, Any]) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
        """The arguments of the innermost function, after heuristics. Only in a process of its own: `run` is replaced."""
        if self.function is self.jit:
            return self.args, {**self.kwargs, **config}
        found: List[Tuple[Tuple[Any, ...], Dict[str, Any]]] = []

        def capture(*args: Any, grid: Any = None, warmup: bool = True, **kwargs: Any) -> None:
            found.append((args, kwargs))

        self.jit.run = capture  # type: ignore[method-assign]
        try:
            self.function.run(*self.args, grid=self.grid, warmup=True, **self.kwargs, **config)
        finally:
            del self.jit.run
        return found[0]

    def compile(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        return JITFunction.run(self.jit, *args, grid=self.grid, warmup=True, **kwargs)

    def bound(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
        """All arguments by name, as a grid gets them."""
        names = {name: value for name, value in kwargs.items() if name in self.jit.arg_names}
        bound = self.jit.signature.bind(*args, **names)
        bound.apply_defaults()
        return dict(bound.arguments)

    def grid_of(self, bound: Dict[str, Any]) -> List[int]:
        grid = self.grid(bound) if callable(self.grid) else self.grid
        if isinstance(grid, int):
            grid = (grid,)
        sizes = [int(size) for size in (grid or ())]
        if not 1 <= len(sizes) <= 3:
            raise Failure("invalid", f"the grid has {len(sizes)} sizes; it needs one to three")
        return sizes + [1] * (3 - len(sizes))


# ---- parameters of the compiled kernel ----


def _pack_float(kind: str, value: float) -> Tuple[int, int]:
    if kind == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        return 2, (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF if value == value else 0x7FC0
    data = struct.pack(_FLOATS[kind], value)
    return len(data), int.from_bytes(data, "little")


def _pointer(value: Any, memory: Memory) -> List[Any]:
    address = 0 if value is None else int(value.data_ptr()) if is_tensor(value) else int(value)
    if not address:
        return ["pointer", None, 0]
    place = memory.locate(address)
    if place is None and is_tensor(value) and 0 in tuple(value.shape):
        return ["pointer", None, 0]
    if place is None:
        raise Failure("invalid", "an address is passed as a number, or a tensor was made by a hook: "
                                 "the measuring process cannot access it")
    return ["pointer", *place]


def _descriptor(value: Any, meta: Optional[Dict[str, Any]], memory: Memory) -> List[List[Any]]:
    shape, strides = [int(size) for size in value.shape], [int(step) for step in value.strides]
    sizes = [["bits", 4, size & 0xFFFFFFFF] for size in shape] + [["bits", 8, step] for step in strides]
    place = _pointer(value.base, memory)
    padding = getattr(value, "padding", "zero") == "nan"
    if meta is None:
        wide = [["bits", 8, number] for number in shape + strides]
        extra = [["bits", 1, int(padding)]]
        if hasattr(value, "round_f32_to_tf32"):
            extra.append(["bits", 1, int(bool(value.round_f32_to_tf32))])
        return [place, *wide, *extra, *sizes]
    if meta.get("is_im2col"):
        raise Failure("invalid", "descriptors of kind im2col are not known to hone.triton")
    kind = _TMA_TYPES.get(meta["elem_type"], meta["elem_type"])
    if getattr(value, "round_f32_to_tf32", False):
        kind = _TMA_TF32
    mapped = list(shape)
    if meta.get("fp4_padded"):
        mapped[-1] *= 2
    fields = {"buffer": place[1], "offset": place[2], "shape": mapped, "strides": strides,
              "box": list(meta["block_size"]), "element_bytes": meta["elem_size"], "element_type": kind,
              "swizzle": meta["swizzle"], "nan": padding}
    return [["map", fields], *sizes]


def _flatten(kind: Any, value: Any, memory: Memory, metas: Iterator[Optional[Dict[str, Any]]]) -> List[List[Any]]:
    if isinstance(kind, tuple):
        return [part for one, item in zip(kind, value) for part in _flatten(one, item, memory, metas)]
    if kind == "constexpr":
        return []
    if kind.startswith("*"):
        return [_pointer(value, memory)]
    if kind.startswith("tensordesc") or is_descriptor(value):
        return _descriptor(value, next(metas, None), memory)
    if kind in _INTEGERS:
        size = _INTEGERS[kind]
        return [["bits", size, int(value) & ((1 << 8 * size) - 1)]]
    if kind in _FLOATS or kind == "bf16":
        return [["bits", *_pack_float(kind, float(value))]]
    raise Failure("invalid", f"an argument of type '{kind}' is not known to hone.triton")


def parameters(source: Any, bound: Dict[str, Any], memory: Memory, metas: Any) -> List[List[Any]]:
    """What the compiled kernel takes, in order: arguments that are not constants."""
    constants = {key[0] if isinstance(key, tuple) and len(key) == 1 else key for key in source.constants}
    remaining = iter(list(metas or []))
    result = []
    for index, name in enumerate(source.fn.arg_names):
        kind = source.signature.get(name, source.signature.get(index))
        if kind is None or index in constants or name in constants:
            continue
        result += _flatten(kind, bound[name], memory, remaining)
    return result


# ---- objects ----


def write_object(kernel: Any, call: Call, bound: Dict[str, Any], memory: Memory, path: str) -> Dict[str, float]:
    metadata = kernel.metadata
    cluster = list(getattr(metadata, "cluster_dims", None) or (getattr(metadata, "num_ctas", 1) or 1, 1, 1))
    grid = call.grid_of(bound)
    programs = grid[0] * grid[1] * grid[2] * (getattr(metadata, "num_ctas", 1) or 1)
    header = {"name": metadata.name, "shared": metadata.shared,
              "threads": metadata.num_warps * kernel.metadata.target.warp_size, "grid": grid, "cluster": cluster,
              "cooperative": bool(getattr(metadata, "launch_cooperative_grid", False)),
              "pdl": bool(getattr(metadata, "launch_pdl", False)),
              "scratch": [programs * (getattr(metadata, "global_scratch_size", 0) or 0),
                          programs * (getattr(metadata, "profile_scratch_size", 0) or 0)],
              "parameters": parameters(kernel.src, bound, memory, getattr(metadata, "tensordesc_meta", None))}
    image = kernel.asm["cubin"]
    with open(path, "wb") as file:
        file.write(json.dumps(header).encode() + b"\n" + image)
    return {"shared_bytes": metadata.shared, "binary_bytes": len(image), **cubin_costs(image)}


def cubin_costs(image: bytes) -> Dict[str, float]:
    """Registers of a thread, and bytes of its stack frame (spills and arrays), from the section .nv.info."""
    try:
        return _read_costs(image)
    except (struct.error, IndexError, ValueError):
        return {}


def _read_costs(image: bytes) -> Dict[str, float]:
    if image[:4] != b"\x7fELF":
        return {}
    (offset,) = struct.unpack_from("<Q", image, 40)
    entry, count, names = struct.unpack_from("<HHH", image, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, offset + index * entry) for index in range(count)]
    text = sections[names][4]
    costs: Dict[str, float] = {}
    for section in sections:
        if image[text + section[0]: image.index(b"\0", text + section[0])] != b".nv.info":
            continue
        place, end = section[4], section[4] + section[5]
        while place + 4 <= end:
            form, attribute, value = struct.unpack_from("<BBH", image, place)
            place += 4
            if form != 4:
                continue
            number = struct.unpack_from("<I", image, place + 4)[0] if value >= 8 else 0
            if attribute == 0x2F:
                costs["registers"] = max(costs.get("registers", 0), number)
            elif attribute == 0x11:
                costs["spills"] = max(costs.get("spills", 0), number)
            place += value
    return costs


class Builder:
    """Compiles for one call. `config_of` makes a configuration of what a request has."""

    def __init__(self, call: Call, config_of: Callable[[Dict[str, Any]], Any], target: GPUTarget, device: int,
                 shared_limit: Optional[int]) -> None:
        self.call = call
        self.config_of = config_of
        self.target = target
        self.device = device
        self.shared_limit = shared_limit

    def open(self) -> None:
        driver.set_active(TargetDriver(self.target, self.device))

    def build(self, config: Dict[str, Any], memory: Memory, path: str) -> Tuple[Dict[str, float], Any]:
        chosen = self.config_of(config)
        values = chosen.all_kwargs()
        if chosen.pre_hook:
            self._call_hook(chosen, values)
        args, kwargs = self.call.final(values)
        kernel = self._compile(args, kwargs)
        if hasattr(kernel, "result"):
            kernel = kernel.result()
        shared = kernel.metadata.shared
        if self.shared_limit and shared > self.shared_limit:
            raise Failure("launch_failure", f"out of resource: shared memory, required: {shared}, "
                                            f"hardware limit: {self.shared_limit}")
        return write_object(kernel, self.call, self.call.bound(args, kwargs), memory, path), kernel

    def _call_hook(self, chosen: Any, values: Dict[str, Any]) -> None:
        """A hook may change descriptors, which changes what is compiled. What it does on the GPU fails here; the
        user's process has done it before the buffers were copied."""
        try:
            chosen.pre_hook({**self.call.named(), **self.call.kwargs, **values})
        except Exception as error:
            if "CUDA" not in str(error):
                raise Failure("invalid", f"the pre_hook of this configuration failed: {error!r}") from error

    def _compile(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        try:
            return self.call.compile(args, kwargs)
        except Failure:
            raise
        except Exception as error:
            raise Failure("compile_error", _describe(error)) from error


def _describe(error: BaseException) -> str:
    """The message of a compiler's error, and of what caused it."""
    texts = [f"{type(error).__name__}: {error}".strip()]
    cause = error.__cause__ or error.__context__
    while cause is not None and len(texts) < 4:
        texts.append(f"{type(cause).__name__}: {cause}".strip())
        cause = cause.__cause__ or cause.__context__
    return "\n".join(texts)


def prepare_launcher(kernel: Any) -> None:
    """Lets Triton compile its own modules for launching into its cache, so that the user's first launch needs not."""
    if kernel.metadata.target.backend != "cuda":
        return
    from triton.backends.nvidia import driver as nvidia

    utils = nvidia.CudaUtils()
    active = driver.active
    if isinstance(active, TargetDriver):
        active.utils = utils  # type: ignore[attr-defined]
    nvidia.CudaLauncher(kernel.src, kernel.metadata)


def start_in_background(work: Callable[[], None]) -> None:
    """In a process that is not waited for."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        if os.fork() == 0:
            os.closerange(3, 256)  # the answers to hone among them
            work()
    finally:
        os._exit(0)
