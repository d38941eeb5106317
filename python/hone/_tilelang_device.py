"""What TileLang's kernels run on, found without using it.

A process that has used a GPU cannot be forked for measuring. So the kind of GPU is asked of NVML,
which does not touch it, and PyTorch is told to ask NVML, too, whether there is one.
"""
from __future__ import annotations

import ctypes
import os
import platform
from typing import Any, List, Optional, Tuple

CHECK_BY_NVML = "PYTORCH_NVML_BASED_CUDA_CHECK"


def ask_nvml() -> None:
    """Before TileLang is imported: torch.cuda.is_available(), which it calls, then leaves the GPU alone."""
    os.environ.setdefault(CHECK_BY_NVML, "1")


_CUDA_NOT_INITIALIZED = 3


def gpu_is_touched() -> bool:
    """Whether this process has initialised CUDA or HIP, also without a context: a forked process cannot use it then."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOW | os.RTLD_NOLOAD)
        count = ctypes.c_int()
        if cuda.cuDeviceGetCount(ctypes.byref(count)) != _CUDA_NOT_INITIALIZED:
            return True
    except (OSError, AttributeError):  # it is not loaded
        pass
    return _holds("/dev/kfd")


def _holds(path: str) -> bool:
    try:
        names = os.listdir("/proc/self/fd")
    except OSError:
        return False
    for name in names:
        try:
            if os.readlink(f"/proc/self/fd/{name}") == path:
                return True
        except OSError:
            continue
    return False


class _Nvml:
    def __init__(self) -> None:
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        self._call("nvmlInit_v2")

    def _call(self, name: str, *arguments: Any) -> None:
        if getattr(self.library, name)(*arguments):
            raise OSError(f"{name} failed")

    def handle(self, number: int) -> ctypes.c_void_p:
        handle = ctypes.c_void_p()
        visible = [part.strip() for part in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if part.strip()]
        name = visible[number] if number < len(visible) else str(number)
        if name.isdigit():
            self._call("nvmlDeviceGetHandleByIndex_v2", int(name), ctypes.byref(handle))
        else:
            self._call("nvmlDeviceGetHandleByUUID", name.encode(), ctypes.byref(handle))
        return handle

    def gpu(self, number: int) -> Tuple[str, Tuple[int, int]]:
        handle, name, major, minor = self.handle(number), ctypes.create_string_buffer(96), ctypes.c_int(), ctypes.c_int()
        self._call("nvmlDeviceGetName", handle, name, 96)
        self._call("nvmlDeviceGetCudaComputeCapability", handle, ctypes.byref(major), ctypes.byref(minor))
        return name.value.decode("utf-8", "replace"), (major.value, minor.value)

    def close(self) -> None:
        self._call("nvmlShutdown")


def nvidia_gpu(number: int = 0) -> Optional[Tuple[str, Tuple[int, int]]]:
    """Its name and compute capability; None: there is no such GPU, or it cannot be asked."""
    try:
        nvml = _Nvml()
    except OSError:
        return None
    try:
        return nvml.gpu(number)
    except (OSError, IndexError):
        return None
    finally:
        nvml.close()


def cpu_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines: List[str] = [line for line in file if line.startswith("model name")]
        return lines[0].partition(":")[2].strip()
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def current_gpu() -> int:
    """The number of the GPU that this process uses, or would use."""
    import torch

    return int(torch.cuda.current_device()) if torch.cuda.is_initialized() else 0


def resolve_target(target: Any) -> Any:
    """"auto" and "cuda" with the kind of GPU that is there, if it can be found without using it."""
    import torch
    from tilelang import env

    if target is None:
        target = env.get_default_target()
    if not isinstance(target, str) or target.strip() not in ("auto", "cuda") or torch.version.hip is not None:
        return target
    gpu = nvidia_gpu(current_gpu())
    if gpu is None:
        return target
    from tilelang.contrib import nvcc
    from tilelang.cuda.target import check_cuda_availability
    from tvm.target import Target

    if target.strip() == "auto" and not check_cuda_availability():
        return target
    return Target({"kind": "cuda", "arch": f"sm_{nvcc.get_target_arch(gpu[1])}"})


def device_name(kind: str) -> str:
    """Of what kernels of this kind of target run on: results belong to it."""
    if kind not in ("cuda", "hip", "metal"):
        return cpu_name()
    gpu = nvidia_gpu(current_gpu()) if kind == "cuda" else None
    if gpu:
        return gpu[0]
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else kind
