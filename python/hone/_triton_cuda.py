"""The part of the CUDA driver that measuring needs, through ctypes: no PyTorch, no Triton.

A process that measures starts in a fraction of a second this way; `import torch` alone takes
seconds. All calls are made with the primary context of one device, on its default stream.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, List, Optional, Sequence, Tuple

from ._errors import Failure

# What a CUresult says about a configuration. All others are launch_failure.
_OUT_OF_MEMORY = 2
_NO_DEVICE = (3, 4, 100, 101)
_FAULTS = (700, 702, 708, 709, 710, 713, 714, 715, 716, 717, 718, 719, 999)

_NUM_REGS, _LOCAL_BYTES, _STATIC_SHARED_BYTES, _MAX_THREADS = 4, 3, 1, 0
_MAX_DYNAMIC_SHARED_BYTES, _NON_PORTABLE_CLUSTER = 8, 14
_DEVICE_SHARED_OPTIN, _DEVICE_L2_BYTES = 97, 38
_ATTRIBUTE_COOPERATIVE, _ATTRIBUTE_CLUSTER, _ATTRIBUTE_CLUSTER_POLICY, _ATTRIBUTE_PDL = 2, 4, 5, 6
_POLICY_SPREAD = 1
_SHARED_WITHOUT_OPTIN = 49152


class _Attribute(ctypes.Structure):
    _fields_ = [("id", c_int), ("pad", c_int), ("value", c_uint * 16)]


class _LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_uint), ("stream", c_void_p),
                ("attributes", POINTER(_Attribute)), ("attribute_count", c_uint)]


class CudaError(Failure):
    def __init__(self, code: int, name: str, where: str) -> None:
        outcome = "launch_failure"
        if code == _OUT_OF_MEMORY:
            outcome = "oom_device"
        elif code in _FAULTS or code in _NO_DEVICE:
            outcome = "device_fault"
        super().__init__(outcome, f"{where}: {name} (CUDA error {code})")
        self.code = code


class Launch:
    """A kernel that is ready to be launched, with its arguments."""

    def __init__(self, cuda: "Cuda", function: c_void_p, grid: Sequence[int], threads: int, shared: int,
                 arguments: List[Any], cluster: Sequence[int] = (1, 1, 1), cooperative: bool = False,
                 pdl: bool = False) -> None:
        self.cuda = cuda
        self.function = function
        self.arguments = arguments  # kept alive
        self.pointers = (c_void_p * max(1, len(arguments)))(*[ctypes.addressof(value) for value in arguments])
        attributes: List[Tuple[int, Tuple[int, ...]]] = []
        if pdl:
            attributes.append((_ATTRIBUTE_PDL, (1,)))
        if cooperative:
            attributes.append((_ATTRIBUTE_COOPERATIVE, (1,)))
        if tuple(cluster) != (1, 1, 1):
            attributes.append((_ATTRIBUTE_CLUSTER, tuple(cluster)))
            attributes.append((_ATTRIBUTE_CLUSTER_POLICY, (_POLICY_SPREAD,)))
        self.attributes = (_Attribute * max(1, len(attributes)))()
        for slot, (number, values) in zip(self.attributes, attributes):
            slot.id = number
            for index, value in enumerate(values):
                slot.value[index] = value
        self.config = _LaunchConfig((c_uint * 3)(*grid), (c_uint * 3)(threads, 1, 1), shared, None,
                                    ctypes.cast(self.attributes, POINTER(_Attribute)), len(attributes))
        self._launch = cuda.library.cuLaunchKernelEx
        self._config = byref(self.config)
        self.empty = 0 in tuple(grid)

    def __call__(self) -> None:
        if not self.empty:
            code = self._launch(self._config, self.function, self.pointers, None)
            if code:
                self.cuda.fail(code, "the kernel cannot be launched")


class Cuda:
    """A device. Memory and modules live as long as the process."""

    def __init__(self, device: int = 0) -> None:
        name = os.environ.get("HONE_LIBCUDA") or "libcuda.so.1"
        try:
            self.library = ctypes.CDLL(name)
        except OSError as error:
            raise Failure("device_fault", f"cannot load the CUDA driver '{name}': {error}") from error
        self._declare()
        self.call("cuInit", 0)
        handle = c_int()
        self.call("cuDeviceGet", byref(handle), device)
        self.device = handle
        context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(context), handle)
        self.call("cuCtxSetCurrent", context)
        self.l2_bytes = self._attribute(_DEVICE_L2_BYTES)
        self.shared_optin = self._attribute(_DEVICE_SHARED_OPTIN)

    def _declare(self) -> None:
        for name in ("cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoDAsync_v2",
                     "cuMemsetD8Async", "cuMemsetD32Async", "cuMemFree_v2"):
            getattr(self.library, name).restype = c_int
        self.library.cuMemAlloc_v2.argtypes = [POINTER(c_uint64), c_size_t]
        self.library.cuMemFree_v2.argtypes = [c_uint64]
        self.library.cuMemcpyHtoD_v2.argtypes = [c_uint64, c_void_p, c_size_t]
        self.library.cuMemcpyDtoH_v2.argtypes = [c_void_p, c_uint64, c_size_t]
        self.library.cuMemcpyDtoDAsync_v2.argtypes = [c_uint64, c_uint64, c_size_t, c_void_p]
        self.library.cuMemsetD8Async.argtypes = [c_uint64, ctypes.c_ubyte, c_size_t, c_void_p]
        self.library.cuMemsetD32Async.argtypes = [c_uint64, c_uint, c_size_t, c_void_p]
        self.library.cuModuleLoadData.argtypes = [POINTER(c_void_p), c_char_p]
        self.library.cuModuleGetFunction.argtypes = [POINTER(c_void_p), c_void_p, c_char_p]
        self.library.cuModuleUnload.argtypes = [c_void_p]
        self.library.cuFuncGetAttribute.argtypes = [POINTER(c_int), c_int, c_void_p]
        self.library.cuFuncSetAttribute.argtypes = [c_void_p, c_int, c_int]
        self.library.cuLaunchKernelEx.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
        self.library.cuEventRecord.argtypes = [c_void_p, c_void_p]
        self.library.cuEventElapsedTime.argtypes = [POINTER(c_float), c_void_p, c_void_p]

    def fail(self, code: int, where: str) -> None:
        text = c_char_p()
        self.library.cuGetErrorString(code, byref(text))
        raise CudaError(code, (text.value or b"unknown error").decode(), where)

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self.library, name)(*arguments)
        if code:
            self.fail(code, name)

    def _attribute(self, number: int) -> int:
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), number, self.device)
        return value.value

    def alloc(self, size: int) -> int:
        address = c_uint64()
        self.call("cuMemAlloc_v2", byref(address), max(size, 256))
        return address.value

    def free(self, address: int) -> None:
        self.call("cuMemFree_v2", address)

    def upload(self, address: int, data: Any, size: int) -> None:
        self.call("cuMemcpyHtoD_v2", address, data, size)

    def download(self, data: Any, address: int, size: int) -> None:
        self.call("cuMemcpyDtoH_v2", data, address, size)

    def copy(self, to: int, source: int, size: int) -> None:
        self.call("cuMemcpyDtoDAsync_v2", to, source, size, None)

    def fill(self, address: int, byte: int, size: int) -> None:
        self.call("cuMemsetD8Async", address, byte, size, None)

    def synchronize(self, where: str = "the kernel failed") -> None:
        code = self.library.cuCtxSynchronize()
        if code:
            self.fail(code, where)

    def load(self, image: bytes, name: str) -> Tuple[c_void_p, c_void_p]:
        module, function = c_void_p(), c_void_p()
        code = self.library.cuModuleLoadData(byref(module), image)
        if code:
            self.fail(code, "the compiled kernel cannot be loaded")
        code = self.library.cuModuleGetFunction(byref(function), module, name.encode())
        if code:
            self.fail(code, f"the compiled kernel has no function '{name}'")
        return module, function

    def unload(self, module: c_void_p) -> None:
        self.call("cuModuleUnload", module)

    def function_attribute(self, function: c_void_p, number: int) -> int:
        value = c_int()
        self.call("cuFuncGetAttribute", byref(value), number, function)
        return value.value

    def costs(self, function: c_void_p) -> Tuple[int, int, int]:
        """Registers of a thread, bytes of local memory, and the largest number of threads of a block."""
        return (self.function_attribute(function, _NUM_REGS), self.function_attribute(function, _LOCAL_BYTES),
                self.function_attribute(function, _MAX_THREADS))

    def allow_shared(self, function: c_void_p, size: int) -> None:
        """Lets the function have more dynamic shared memory than by default, as Triton does it."""
        if size <= _SHARED_WITHOUT_OPTIN:
            return
        static = self.function_attribute(function, _STATIC_SHARED_BYTES)
        if size + static > self.shared_optin:
            raise Failure("launch_failure", f"out of resource: shared memory, required: {size}, "
                                            f"hardware limit: {self.shared_optin}")
        self.call("cuFuncSetAttribute", function, c_int(_MAX_DYNAMIC_SHARED_BYTES), c_int(self.shared_optin - static))

    def allow_cluster(self, function: c_void_p) -> None:
        self.call("cuFuncSetAttribute", function, c_int(_NON_PORTABLE_CLUSTER), c_int(1))

    def parameter_sizes(self, function: c_void_p) -> Optional[List[int]]:
        """The sizes of the kernel's parameters; None if the driver (before CUDA 12.4) does not tell."""
        if not hasattr(self.library, "cuFuncGetParamInfo"):
            return None
        sizes: List[int] = []
        offset, size = c_size_t(), c_size_t()
        while not self.library.cuFuncGetParamInfo(function, c_size_t(len(sizes)), byref(offset), byref(size)):
            sizes.append(size.value)
        return sizes

    def event(self) -> c_void_p:
        handle = c_void_p()
        self.call("cuEventCreate", byref(handle), 0)
        return handle

    def record(self, event: c_void_p) -> None:
        code = self.library.cuEventRecord(event, None)
        if code:
            self.fail(code, "cuEventRecord")

    def elapsed_ns(self, begin: c_void_p, end: c_void_p) -> float:
        milliseconds = c_float()
        self.call("cuEventElapsedTime", byref(milliseconds), begin, end)
        return milliseconds.value * 1e6

    def tensor_map(self, address: int, shape: Sequence[int], strides: Sequence[int], box: Sequence[int],
                   element_bytes: int, element_type: int, swizzle: int, nan: bool) -> Any:
        """A CUtensorMap as Triton's launcher makes it. Shapes and strides in elements, outermost first."""
        rank = len(shape)
        storage = ctypes.create_string_buffer(128 + 64)
        begin = (ctypes.addressof(storage) + 63) // 64 * 64 - ctypes.addressof(storage)
        value = (ctypes.c_char * 128).from_buffer(storage, begin)
        sizes = (c_uint64 * rank)(*reversed(list(shape)))
        bytes_of = [stride * element_bytes for stride in reversed(list(strides))]
        pitches = (c_uint64 * max(1, rank - 1))(*bytes_of[1:])
        boxes = (c_uint * rank)(*reversed(list(box)))
        steps = (c_uint * rank)(*([1] * rank))
        self.call("cuTensorMapEncodeTiled", value, c_int(element_type), c_uint(rank), c_uint64(address), sizes,
                  pitches, boxes, steps, c_int(0), c_int(swizzle), c_int(2), c_int(1 if nan else 0))
        return value


def double(value: float) -> c_double:
    return c_double(value)
