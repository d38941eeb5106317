"""CUDA's driver and NVRTC by ctypes: what the programs of this folder share.

Nothing but Python and the two libraries is needed. HONE_NVRTC may name the folder of libnvrtc.
"""

import ctypes
import glob
import os
import statistics
import sys
import sysconfig
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_ulonglong, c_void_p

FLUSH_BYTES = 256 << 20  # what Triton's do_bench clears
MAX_DYNAMIC_SHARED, LOCAL_BYTES = 8, 3  # attributes of a function
MAJOR, MINOR, L2_BYTES = 75, 76, 38  # of a device


class CudaError(Exception):
    pass


class CompileError(Exception):
    pass


# ---- Libraries -----------------------------------------------------------------------------------


def library_places(name):
    """Files that may be the library: by its own name, in wheels, in toolkits."""
    packages = {sysconfig.get_paths()["purelib"], *(p for p in sys.path if "-packages" in p)}
    roots = ["/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda/lib64"]
    roots += [f"{p}/nvidia/*/lib" for p in packages] + [f"{p}/torch/lib" for p in packages]
    if os.environ.get("HONE_NVRTC"):
        roots.insert(0, os.environ["HONE_NVRTC"])
    found = [file for root in roots for file in sorted(glob.glob(f"{root}/{name}*"), reverse=True)]
    return [*found, name, *(f"{name}.{major}" for major in (13, 12, 11))]


def load_library(name):
    """None if it is not here."""
    for place in library_places(name):
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    return None


# ---- NVRTC ---------------------------------------------------------------------------------------


class Nvrtc:
    def __init__(self):
        self.library = load_library("libnvrtc.so")
        if not self.library:
            raise CudaError("no libnvrtc here: HONE_NVRTC may name its folder")

    def version(self):
        major, minor = c_int(), c_int()
        self.library.nvrtcVersion(byref(major), byref(minor))
        return f"{major.value}.{minor.value}"

    def log(self, program):
        size = c_size_t()
        self.library.nvrtcGetProgramLogSize(program, byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        self.library.nvrtcGetProgramLog(program, text)
        return text.value.decode(errors="replace")

    def compile(self, source, name, options):
        """The cubin."""
        program, size = c_void_p(), c_size_t()
        code = self.library.nvrtcCreateProgram(
            byref(program), source.encode(), name.encode(), 0, None, None
        )
        if code:
            raise CompileError(f"nvrtcCreateProgram: error {code}")
        try:
            words = (c_char_p * len(options))(*(word.encode() for word in options))
            if self.library.nvrtcCompileProgram(program, len(options), words):
                raise CompileError(self.log(program))
            self.library.nvrtcGetCUBINSize(program, byref(size))
            cubin = ctypes.create_string_buffer(size.value)
            self.library.nvrtcGetCUBIN(program, cubin)
            return cubin.raw
        finally:
            self.library.nvrtcDestroyProgram(byref(program))


# ---- A device ------------------------------------------------------------------------------------


class Kernel:
    def __init__(self, module, function, local_bytes):
        self.module, self.function, self.local_bytes = module, function, local_bytes


class Gpu:
    """The first device, with its primary context (which cuBLAS and PyTorch use too)."""

    def __init__(self):
        self.cuda = load_library("libcuda.so.1")
        if not self.cuda:
            raise CudaError("no libcuda.so.1 here: is NVIDIA's driver installed?")
        self.device, self.context, self.stream = c_int(), c_void_p(), c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", byref(self.device), 0)
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), self.device)
        self.call("cuCtxSetCurrent", self.context)
        self.call("cuStreamCreate", byref(self.stream), c_uint(1))
        self.l2_bytes = self.attribute(L2_BYTES)
        self.arch = f"sm_{self.attribute(MAJOR)}{self.attribute(MINOR)}"

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code:
            text = c_char_p()
            self.cuda.cuGetErrorName(code, byref(text))
            raise CudaError(f"{name}: {(text.value or b'error').decode()} ({code})")

    def attribute(self, number):
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), number, self.device)
        return value.value

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self.device)
        return text.value.decode()

    def allocate(self, size):
        pointer = c_ulonglong()
        self.call("cuMemAlloc_v2", byref(pointer), c_size_t(size))
        return pointer

    def clear(self, pointer, byte, size):
        self.call("cuMemsetD8Async", pointer, ctypes.c_ubyte(byte), c_size_t(size), self.stream)

    def write(self, pointer, data):
        self.synchronise()
        self.call("cuMemcpyHtoD_v2", pointer, bytes(data), c_size_t(len(data)))

    def read(self, pointer, size):
        data = ctypes.create_string_buffer(size)
        self.synchronise()
        self.call("cuMemcpyDtoH_v2", data, pointer, c_size_t(size))
        return data.raw

    def synchronise(self):
        self.call("cuStreamSynchronize", self.stream)

    def load(self, cubin, entry, shared=0):
        module, function, local = c_void_p(), c_void_p(), c_int()
        self.call("cuModuleLoadData", byref(module), cubin)
        self.call("cuModuleGetFunction", byref(function), module, entry.encode())
        self.call("cuFuncGetAttribute", byref(local), LOCAL_BYTES, function)
        if shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, c_int(shared))
        return Kernel(module, function, local.value)

    def unload(self, kernel):
        self.call("cuModuleUnload", kernel.module)

    def launch(self, kernel, grid, block, shared, arguments):
        places = (c_void_p * len(arguments))(*(ctypes.addressof(a) for a in arguments))
        sizes = [c_uint(n) for n in (*grid, *block)]
        self.call(
            "cuLaunchKernel", kernel.function, *sizes, c_uint(shared), self.stream, places, None
        )

    # -- time --

    def event(self):
        event = c_void_p()
        self.call("cuEventCreate", byref(event), c_uint(0))
        return event

    def record(self, event):
        self.call("cuEventRecord", event, self.stream)

    def between_ms(self, first, second):
        ms = c_float()
        self.call("cuEventElapsedTime", byref(ms), first, second)
        return ms.value

    def event_pairs_ms(self, launch, flush, flush_bytes, count):
        """Of each launch, with the cache flushed before it; all are queued, then awaited."""
        pairs = [(self.event(), self.event()) for _ in range(count)]
        for i, (first, second) in enumerate(pairs):
            self.clear(flush, 0, flush_bytes)
            self.record(first)
            launch(i)
            self.record(second)
        self.synchronise()
        times = [self.between_ms(*pair) for pair in pairs]
        for event in (event for pair in pairs for event in pair):
            self.call("cuEventDestroy_v2", event)
        return times

    def graph_ms(self, launch, count, replays):
        """Of one of `count` launches in a graph: the median of replays."""
        graph, run, first, second = c_void_p(), c_void_p(), self.event(), self.event()
        self.call("cuStreamBeginCapture_v2", self.stream, c_int(2))
        for i in range(count):
            launch(i)
        self.call("cuStreamEndCapture", self.stream, byref(graph))
        self.call("cuGraphInstantiateWithFlags", byref(run), graph, c_ulonglong(0))
        times = []
        for _ in range(replays + 1):
            self.record(first)
            self.call("cuGraphLaunch", run, self.stream)
            self.record(second)
            self.synchronise()
            times.append(self.between_ms(first, second) / count)
        self.call("cuGraphExecDestroy", run)
        self.call("cuGraphDestroy", graph)
        return statistics.median(times[1:])


def do_bench_ms(gpu, launch, flush, warmup_ms=25, repeat_ms=100):
    """As Triton's do_bench does it: (median, launches)."""
    launch(0)
    gpu.synchronise()
    first, second = gpu.event(), gpu.event()
    gpu.record(first)
    for i in range(5):
        gpu.clear(flush, 0, FLUSH_BYTES)
        launch(i)
    gpu.record(second)
    gpu.synchronise()
    estimate = max(gpu.between_ms(first, second) / 5, 1e-3)
    for i in range(max(1, int(warmup_ms / estimate))):
        launch(i)
    count = max(1, int(repeat_ms / estimate))
    return statistics.median(gpu.event_pairs_ms(launch, flush, FLUSH_BYTES, count)), count
