"""The arguments of a launch, as another process can use them: buffers, and where tensors lie in them.

Tensors that share memory share a buffer, so that they still do in the process that measures. A
buffer keeps the alignment of its address: Triton compiles other code for aligned pointers.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from ._compare import library_of
from ._errors import HoneError

ALIGNMENT = 256
_WHOLE_STORAGE_BYTES = 64 << 20  # up to here, or twice the tensor, all of a storage is copied

# The kinds of elements that hone_compare of _triton_device.cu knows, and their default tolerances.
KINDS: Dict[str, int] = {}
SIZES = (1, 2, 4, 8, 2, 2, 4, 8, 1, 1)
TOLERANCES = {4: (1e-2, 1e-3), 5: (2e-2, 1e-2), 6: (1e-4, 1e-5), 7: (1e-9, 1e-12), 8: (0.125, 0.03125),
              9: (0.25, 0.0625)}
for _kind, _names in enumerate(("int8 uint8 bool i8 u8 int1 i1 u1", "int16 uint16 i16 u16", "int32 uint32 i32 u32",
                                "int64 uint64 i64 u64", "float16 fp16 half", "bfloat16 bf16", "float32 fp32 complex64",
                                "float64 fp64 complex128", "float8_e4m3fn fp8e4nv", "float8_e5m2 fp8e5")):
    for _name in _names.split():
        KINDS[_name] = _kind
FIRST_FLOAT = 4


def dtype_name(tensor: Any) -> str:
    return str(tensor.dtype).replace("torch.", "")


def element_bytes(tensor: Any) -> int:
    base = tensor
    while not hasattr(base, "element_size") and hasattr(base, "base"):
        base = base.base
    if hasattr(base, "element_size"):
        return int(base.element_size())
    size = getattr(tensor.dtype, "itemsize", None)
    if size is None:
        kind = KINDS.get(dtype_name(tensor))
        if kind is None:
            raise HoneError(f"the size of an element of type {dtype_name(tensor)} is not known")
        size = SIZES[kind] * (2 if dtype_name(tensor).startswith("complex") else 1)
    return int(size)


def is_tensor(value: Any) -> bool:
    return hasattr(value, "data_ptr") and hasattr(value, "dtype")


def is_descriptor(value: Any) -> bool:
    return hasattr(value, "base") and hasattr(value, "block_shape") and hasattr(value, "strides")


def named_tensors(name: str, value: Any) -> Iterator[Tuple[str, Any]]:
    """The tensors in an argument: it may be one, a descriptor of one, or a tuple."""
    if is_descriptor(value):
        yield name, value.base
    elif is_tensor(value):
        yield name, value
    elif isinstance(value, (tuple, list)):
        for index, part in enumerate(value):
            yield from named_tensors(f"{name}[{index}]", part)


def _sizes(tensor: Any) -> Tuple[List[int], List[int]]:
    shape = [int(size) for size in tensor.shape]
    stride = tensor.stride() if callable(getattr(tensor, "stride", None)) else getattr(tensor, "strides", None)
    if stride is None:
        stride = [1] * len(shape)
        for index in range(len(shape) - 2, -1, -1):
            stride[index] = stride[index + 1] * shape[index + 1]
    return shape, [int(step) for step in stride]


def extent(tensor: Any) -> int:
    """Elements from the first to the last, with the gaps between them."""
    shape, stride = _sizes(tensor)
    if 0 in shape:
        return 0
    return 1 + sum((size - 1) * step for size, step in zip(shape, stride) if step > 0)


class Tensor(NamedTuple):
    """Where an argument's tensor lies, and how it is compared."""
    name: str
    buffer: int
    offset: int
    size: int                # bytes
    kind: int
    elements: int            # with the gaps between them
    dense: bool              # there are no gaps
    shape: Tuple[int, ...]


class Buffer:
    def __init__(self, begin: int, end: int, owner: Any) -> None:
        self.begin = begin
        self.end = end
        self.owner = owner

    @property
    def size(self) -> int:
        return self.end - self.begin


def _span(tensor: Any) -> Tuple[int, int]:
    begin = int(tensor.data_ptr())
    end = begin + extent(tensor) * element_bytes(tensor)
    base = tensor
    while library_of(base) != "torch" and hasattr(base, "base"):
        base = base.base
    if library_of(base) == "torch":
        storage = base.untyped_storage()
        whole = int(storage.nbytes())
        if whole <= max(_WHOLE_STORAGE_BYTES, 2 * (end - begin)):
            begin, end = int(storage.data_ptr()), int(storage.data_ptr()) + whole
    return begin, end


class Memory:
    """The buffers of a launch."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        found = [pair for name, value in arguments.items() for pair in named_tensors(name, value)]
        self.buffers = self._merge([(tensor, *_span(tensor)) for _, tensor in found if extent(tensor)])
        self.tensors = [self._place(name, tensor) for name, tensor in found if extent(tensor)]
        self.sources = dict(found)

    @staticmethod
    def _merge(spans: List[Tuple[Any, int, int]]) -> List[Buffer]:
        buffers: List[Buffer] = []
        for owner, begin, end in sorted(spans, key=lambda span: (span[1], -span[2])):
            if buffers and begin < buffers[-1].end:
                buffers[-1].end = max(buffers[-1].end, end)
            else:
                buffers.append(Buffer(begin, end, owner))
        return buffers

    def _place(self, name: str, tensor: Any) -> Tensor:
        place = self.locate(int(tensor.data_ptr()))
        assert place
        kind = KINDS.get(dtype_name(tensor))
        width = element_bytes(tensor)
        size = extent(tensor) * width
        if kind is None:
            kind = {1: 0, 2: 1, 4: 2, 8: 3}.get(width, 0)
        shape, _ = _sizes(tensor)
        elements = 1
        for part in shape:
            elements *= part
        return Tensor(name, place[0], place[1], size, kind, size // SIZES[kind], elements == extent(tensor), tuple(shape))

    def locate(self, address: int) -> Optional[Tuple[int, int]]:
        for index, buffer in enumerate(self.buffers):
            if buffer.begin <= address < buffer.end:
                return index, address - buffer.begin
        return None

    def tensor(self, name: str) -> Optional[Tensor]:
        return next((tensor for tensor in self.tensors if tensor.name == name), None)

    # ---- files ----

    def write(self, folder: str) -> List[Dict[str, int]]:
        """Writes the contents; returns what the measuring process needs to know of the buffers."""
        for index, buffer in enumerate(self.buffers):
            save_memory(buffer.owner, buffer.begin, buffer.size, os.path.join(folder, f"buffer-{index}"))
        return [{"size": buffer.size, "shift": buffer.begin % ALIGNMENT} for buffer in self.buffers]

    def write_expected(self, folder: str, answers: Mapping[str, Any]) -> None:
        """The right contents of buffers, for tensors whose right values are known. They are PyTorch's."""
        import torch  # type: ignore[import-not-found]

        changed: Dict[int, Any] = {}
        for name, answer in answers.items():
            place = self.tensor(name)
            source = self.sources[name]
            assert place
            if place.buffer not in changed:
                buffer = self.buffers[place.buffer]
                changed[place.buffer] = _bytes_of(buffer.owner, buffer.begin, buffer.size).clone()
            bytes_now = changed[place.buffer][place.offset: place.offset + place.size]
            view = bytes_now.view(source.dtype).as_strided(tuple(source.shape), tuple(source.stride()))
            view.copy_(torch.as_tensor(answer, device=view.device).reshape(view.shape).to(view.dtype))
        for index, data in changed.items():
            _save_torch(data, os.path.join(folder, f"expected-{index}"))


def _bytes_of(owner: Any, begin: int, size: int) -> Any:
    """The memory as a tensor of bytes."""
    import torch  # type: ignore[import-not-found]

    base = owner
    while library_of(base) != "torch":
        base = base.base
    storage = base.untyped_storage()
    empty = torch.empty(0, dtype=torch.uint8, device=base.device)
    return empty.set_(storage, begin - int(storage.data_ptr()), (size,), (1,))


def _save_torch(data: Any, path: str) -> None:
    import torch  # type: ignore[import-not-found]

    with open(path, "wb") as file:
        file.truncate(data.numel())
    torch.from_file(path, shared=True, size=data.numel(), dtype=torch.uint8).copy_(data)


def save_memory(owner: Any, begin: int, size: int, path: str) -> None:
    base = owner
    while library_of(base) != "torch" and hasattr(base, "base"):
        base = base.base
    if library_of(base) == "torch":
        _save_torch(_bytes_of(owner, begin, size), path)
        return
    if type(base).__module__.partition(".")[0] == "cupy":
        raise HoneError("arrays of CuPy are not known to hone.triton: pass tensors of PyTorch")
    with open(path, "wb") as file:  # memory of this process
        file.write(ctypes.string_at(begin, size))
