"""The process that measures compiled Triton kernels: CUDA's driver alone, no PyTorch, no Triton.

It reads buffers and a manifest from a folder that the user's process has written, and kernels from
the objects that builders have written (see `_triton_build.py`). The first configuration that is
checked, the baseline, shows which buffers a kernel writes; its answer is the right one, unless the
user gave a reference. Both are kept in the folder for the processes that follow.

A sample is the mean time of single launches, each between two events and after the second-level
cache was overwritten, as in triton.testing.do_bench.
"""
from __future__ import annotations

import ctypes
import json
import mmap
import os
import struct
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._errors import Failure, WrongResult
from ._serve import Config, Evaluator
from ._triton_args import ALIGNMENT, FIRST_FLOAT, TOLERANCES, Tensor
from ._triton_cuda import Cuda, Launch
from ._triton_ptx import DEVICE_FUNCTIONS
from ._triton_trace import step

_SAMPLE_NS = 2e6
_MOST_LAUNCHES = 64
_MOST_KERNELS = 512
_POISON = 0xFF               # a NaN in every floating-point type
_FEWEST_POISONED = 16        # elements; smaller tensors may control a loop
_THREADS, _BLOCKS = 256, 1024
_INTEGERS = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


class Kernel:
    """A loaded kernel with its arguments."""

    def __init__(self, module: Any, launch: Launch) -> None:
        self.module = module
        self.launch = launch
        self.launches = 0  # of one sample; 0: not known yet


class Memory:
    """A buffer on the device. `first` is its content before the launch, `expected` after it."""

    def __init__(self, cuda: Cuda, path: str, size: int, shift: int) -> None:
        self.cuda = cuda
        self.path = path
        self.size = size
        self.words = (size + 7) // 8
        self.address = _aligned(cuda.alloc(size + 2 * ALIGNMENT)) + shift
        self.first: Optional[int] = None
        self.expected: Optional[int] = None
        self.upload(self.address, path)

    def upload(self, address: int, path: str) -> None:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as data:
            view = (ctypes.c_char * self.size).from_buffer(data)
            try:
                self.cuda.upload(address, ctypes.addressof(view), self.size)
            finally:
                del view

    def keep_first(self) -> None:
        if self.first is None:
            self.first = self.cuda.alloc(self.size)
            self.upload(self.first, self.path)

    def restore(self) -> None:
        if self.first is None:
            self.upload(self.address, self.path)
        else:
            self.cuda.copy(self.address, self.first, self.size)

    def keep_expected(self, path: Optional[str] = None) -> None:
        """From a file, or as it is now."""
        if self.expected is None:
            self.expected = self.cuda.alloc(self.size)
        if path:
            self.upload(self.expected, path)
        else:
            self.cuda.copy(self.expected, self.address, self.size)

    def save_expected(self, path: str) -> None:
        assert self.expected is not None
        data = ctypes.create_string_buffer(self.size)
        self.cuda.download(ctypes.addressof(data), self.expected, self.size)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)


def note_failure(folder: str, config: Config, outcome: str) -> None:
    """For the user's process, which asks why a baseline failed."""
    with open(os.path.join(folder, "failures"), "a", encoding="utf-8") as file:
        file.write(json.dumps([config, outcome]) + "\n")


def read_failure(folder: str, config: Mapping[str, Any]) -> Optional[str]:
    path = os.path.join(folder, "failures")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                known, outcome = json.loads(line)
                if known == dict(config):
                    return str(outcome)
    return None


def _aligned(address: int) -> int:
    return (address + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


class Measurer(Evaluator):
    builds = True

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def open(self, hello: Dict[str, Any]) -> None:
        with open(self._path("manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        gpu = hello.get("gpu")
        with step("measurer: context"):
            self.cuda = Cuda(int(gpu) if gpu and str(gpu).isdigit() else self.manifest["device"])
        self.tensors = [Tensor(*fields) for fields in self.manifest["tensors"]]
        with step("measurer: buffers"):
            self.buffers = [Memory(self.cuda, self._path(f"buffer-{index}"), buffer["size"], buffer["shift"])
                            for index, buffer in enumerate(self.manifest["buffers"])]
        with step("measurer: device functions"):
            self._load_device_functions()
        self.kernels: Dict[str, Kernel] = {}
        self.flush_bytes = max(2 * self.cuda.l2_bytes, 32 << 20)
        self.flush = self.cuda.alloc(self.flush_bytes)
        self.begins = [self.cuda.event() for _ in range(_MOST_LAUNCHES)]
        self.ends = [self.cuda.event() for _ in range(_MOST_LAUNCHES)]
        self.first_digests = [self._digest(memory) for memory in self.buffers]
        self.written: List[int] = []    # buffers
        self.poisoned: List[int] = []   # tensors that a kernel overwrites and never reads
        self.scales: Dict[str, float] = {}
        self.learned = False
        self._read_state()

    def build(self, config: Config, path: str) -> Optional[Dict[str, float]]:
        raise Failure("compile_error", "the process that measures does not compile; builders do")

    # ---- functions of _triton_device.cu ----

    def _load_device_functions(self) -> None:
        image = DEVICE_FUNCTIONS.strip().encode() + b"\0"
        module, self._compare_function = self.cuda.load(image, "hone_compare")
        function = ctypes.c_void_p()
        self.cuda.call("cuModuleGetFunction", ctypes.byref(function), module, b"hone_digest")
        self._digest_function = function
        self._out = self.cuda.alloc(24)

    def _device_call(self, function: Any, count: int, arguments: List[Any], out: Tuple[int, ...]) -> Tuple[int, ...]:
        data = struct.pack(f"{len(out)}Q", *out)
        self.cuda.upload(self._out, ctypes.c_char_p(data), len(data))
        blocks = max(1, min(_BLOCKS, (count + _THREADS - 1) // _THREADS))
        Launch(self.cuda, function, (blocks, 1, 1), _THREADS, 0, [*arguments, ctypes.c_uint64(self._out)])()
        result = ctypes.create_string_buffer(len(data))
        self.cuda.download(ctypes.addressof(result), self._out, len(data))
        return struct.unpack(f"{len(out)}Q", result.raw)

    def _digest(self, memory: Memory) -> int:
        """Of the whole words of a buffer, from an aligned address on; the ends of odd buffers are left out."""
        begin = (memory.address + 7) // 8 * 8
        words = max(0, (memory.address + memory.size) // 8 - begin // 8)
        if not words:
            return self._small_digest(memory)
        arguments = [ctypes.c_uint64(begin), ctypes.c_uint64(words)]
        return self._device_call(self._digest_function, words, arguments, (0,))[0]

    def _small_digest(self, memory: Memory) -> int:
        data = ctypes.create_string_buffer(max(1, memory.size))
        self.cuda.download(ctypes.addressof(data), memory.address, memory.size)
        return int.from_bytes(data.raw, "little")

    def _compare(self, tensor: Tensor, actual: int, expected: int, rtol: float, atol: float) -> Tuple[int, int, float]:
        """Elements that differ, the index of the first one, the largest difference."""
        arguments = [ctypes.c_uint64(actual), ctypes.c_uint64(expected), ctypes.c_uint64(tensor.elements),
                     ctypes.c_int(tensor.kind), ctypes.c_double(rtol), ctypes.c_double(atol)]
        wrong, first, bits = self._device_call(self._compare_function, tensor.elements, arguments, (0, (1 << 64) - 1, 0))
        return wrong, first, struct.unpack("d", struct.pack("Q", bits))[0]

    # ---- kernels ----

    def _kernel(self, config: Config, path: Optional[str]) -> Kernel:
        key = json.dumps(config, sort_keys=True)
        kernel = self.kernels.get(key)
        if kernel is None:
            if not path:
                raise Failure("launch_failure", "there is no compiled kernel")
            if len(self.kernels) >= _MOST_KERNELS:
                self.cuda.unload(self.kernels.pop(next(iter(self.kernels))).module)
            kernel = self.kernels[key] = self._load(path)
        return kernel

    def _load(self, path: str) -> Kernel:
        with open(path, "rb") as file:
            header = json.loads(file.readline())
            image = file.read()
        shared, threads = header["shared"], header["threads"]
        if shared > self.cuda.shared_optin:
            raise Failure("launch_failure", f"out of resource: shared memory, required: {shared}, "
                                            f"hardware limit: {self.cuda.shared_optin}")
        module, function = self.cuda.load(image, header["name"])
        most_threads = self.cuda.costs(function)[2]
        if threads > most_threads:
            raise Failure("launch_failure", f"out of resource: threads, required: {threads}, "
                                            f"hardware limit: {most_threads}")
        self.cuda.allow_shared(function, shared)
        cluster = header["cluster"]
        if cluster[0] * cluster[1] * cluster[2] > 8:
            self.cuda.allow_cluster(function)
        arguments = self._arguments(header)
        sizes = self.cuda.parameter_sizes(function)
        if sizes is not None and [ctypes.sizeof(value) for value in arguments][: len(sizes)] != sizes:
            given = [ctypes.sizeof(value) for value in arguments]
            raise Failure("launch_failure", f"the kernel has parameters of {sizes} bytes, but its signature has {given}; "
                                            "this version of Triton passes arguments in a way that hone does not know")
        grid = [size * part for size, part in zip(header["grid"], cluster)]
        return Kernel(module, Launch(self.cuda, function, grid, threads, shared, arguments, cluster,
                                     header["cooperative"], header["pdl"]))

    def _arguments(self, header: Dict[str, Any]) -> List[Any]:
        arguments = [self._argument(*parameter) for parameter in header["parameters"]]
        for size in header["scratch"]:
            arguments.append(ctypes.c_uint64(self.cuda.alloc(size) if size else 0))
        return arguments

    def _argument(self, kind: str, *value: Any) -> Any:
        if kind == "pointer":
            buffer, offset = value
            return ctypes.c_uint64(0 if buffer is None else self.buffers[buffer].address + offset)
        if kind == "map":
            fields = dict(value[0])
            fields["address"] = self.buffers[fields.pop("buffer")].address + fields.pop("offset")
            return self.cuda.tensor_map(**fields)
        size, bits = value
        return _INTEGERS[size](bits)

    def _run(self, kernel: Kernel) -> None:
        self._prepare_launch()
        kernel.launch()
        self.cuda.synchronize()

    # ---- right answers ----

    def _read_state(self) -> None:
        path = self._path("state.json")
        if not os.path.exists(path):
            return
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        self.written, self.poisoned, self.scales = state["written"], state["poisoned"], state["scales"]
        for index in self.written:
            self.buffers[index].keep_first()
            self.buffers[index].keep_expected(self._path(f"expected-{index}"))
        self.learned = True

    def _learn(self, kernel: Kernel) -> None:
        """What the kernel writes, and what its right answers are."""
        self._run(kernel)
        known = set(self.manifest["expected"])  # buffers with answers of a reference
        written = {index for index, memory in enumerate(self.buffers)
                   if self._digest(memory) != self.first_digests[index]} | known
        for index in sorted(written):
            self.buffers[index].keep_first()
            self.buffers[index].keep_expected()
        poisoned = [number for number, tensor in enumerate(self.tensors) if self._is_overwritten(kernel, tensor, written)]
        self.written, self.poisoned = sorted(written), poisoned
        for index in self.written:
            path = self._path(f"expected-{index}")
            if index in known:
                self.buffers[index].keep_expected(path)
            else:
                self.buffers[index].save_expected(path)
        self.scales = {str(number): self._scale(tensor) for number, tensor in enumerate(self.tensors)
                       if tensor.buffer in written and tensor.kind >= FIRST_FLOAT}
        self._restore()
        self.learned = True
        self._write_state()

    def _write_state(self) -> None:
        temporary = self._path(f"state.{os.getpid()}")
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump({"written": self.written, "poisoned": self.poisoned, "scales": self.scales}, file)
        os.replace(temporary, self._path("state.json"))

    def _is_overwritten(self, kernel: Kernel, tensor: Tensor, written: set) -> bool:
        """Whether the kernel writes all of a floating-point tensor, and gives the same answers if it was NaN before.
        Also finds tensors that held the right answer before the launch: they are added to `written`."""
        shared = [other for other in self.tensors if other.buffer == tensor.buffer]
        if tensor.kind < FIRST_FLOAT or not tensor.dense or tensor.elements < _FEWEST_POISONED or len(shared) > 1:
            return False
        self._restore(written)
        memory = self.buffers[tensor.buffer]
        self.cuda.fill(memory.address + tensor.offset, _POISON, tensor.size)
        self._run(kernel)
        if tensor.buffer not in written:
            same = self._digest(memory) == self.first_digests[tensor.buffer]
            if same:
                memory.keep_first()
                memory.keep_expected()
                written.add(tensor.buffer)
            else:
                memory.restore()
            return same
        return all(self._differences(other, 0.0)[0] == 0 for other in self.tensors if other.buffer in written)

    def _scale(self, tensor: Tensor) -> float:
        """The largest absolute value of the right answer."""
        expected = self.buffers[tensor.buffer].expected
        assert expected is not None
        zeros = self.cuda.alloc(tensor.size)
        self.cuda.fill(zeros, 0, tensor.size)
        largest = self._compare(tensor, expected + tensor.offset, zeros, 0.0, 0.0)[2]
        self.cuda.free(zeros)
        return largest if 0.0 < largest < float("inf") else 1.0

    def _differences(self, tensor: Tensor, scale: float) -> Tuple[int, int, float]:
        memory = self.buffers[tensor.buffer]
        assert memory.expected is not None
        rtol, atol = TOLERANCES.get(tensor.kind, (0.0, 0.0))
        atol *= scale or 1.0
        rtol = self.manifest["rtol"] if self.manifest["rtol"] is not None else rtol
        atol = self.manifest["atol"] if self.manifest["atol"] is not None else atol
        return self._compare(tensor, memory.address + tensor.offset, memory.expected + tensor.offset, rtol, atol)

    def _restore(self, written: Optional[Any] = None) -> None:
        for index in self.written if written is None else written:
            self.buffers[index].restore()

    def _poison(self) -> None:
        for number in self.poisoned:
            tensor = self.tensors[number]
            self.cuda.fill(self.buffers[tensor.buffer].address + tensor.offset, _POISON, tensor.size)

    def check(self, config: Config, path: Optional[str]) -> None:
        try:
            with step("check"):
                self._check(config, path)
        except Failure as failure:
            note_failure(self.folder, config, failure.outcome)
            raise

    def _check(self, config: Config, path: Optional[str]) -> None:
        kernel = self._kernel(config, path)
        if not self.learned:
            self._learn(kernel)
        self._restore()
        self._poison()
        self._run(kernel)
        for number, tensor in enumerate(self.tensors):
            if tensor.buffer in self.written:
                self._judge(tensor, self.scales.get(str(number), 1.0))
        for index, memory in enumerate(self.buffers):
            if index not in self.written and self._digest(memory) != self.first_digests[index]:
                memory.restore()
                names = ", ".join(tensor.name for tensor in self.tensors if tensor.buffer == index)
                raise WrongResult(f"it changes '{names}', which the first configuration only reads")
        self._restore()

    def _judge(self, tensor: Tensor, scale: float) -> None:
        wrong, first, largest = self._differences(tensor, scale)
        if wrong <= int(tensor.elements * self.manifest["mismatched_ratio"]):
            return
        right = "the reference" if self.manifest["expected"] else "the first configuration"
        most = f"the largest difference is {largest:.6g}" if largest else "they are not written, or not a number"
        raise WrongResult(f"'{tensor.name}' differs from the answer of {right} in {wrong} of {tensor.elements} elements, "
                          f"the first is number {first} in memory; {most}; the largest right value is {scale:.6g}")

    # ---- times ----

    def measure(self, config: Config, path: Optional[str], samples: int) -> Tuple[List[float], Dict[str, float]]:
        with step(f"measure {samples}"):
            return self._measure(config, path, samples), {}

    def _measure(self, config: Config, path: Optional[str], samples: int) -> List[float]:
        kernel = self._kernel(config, path)
        if not kernel.launches:
            self._restore()
            self._sample(kernel, 1)  # warm-up
            time_ns = self._sample(kernel, 2)
            flush_ns = self.flush_bytes / 2000.0  # at 2 TB/s
            kernel.launches = max(1, min(_MOST_LAUNCHES, round(_SAMPLE_NS / (time_ns + flush_ns))))
        times = []
        for _ in range(samples):
            self._restore()
            times.append(self._sample(kernel, kernel.launches))
        return times

    def _sample(self, kernel: Kernel, launches: int) -> float:
        cuda, launch = self.cuda, kernel.launch
        for begin, end in zip(self.begins[:launches], self.ends):
            self._prepare_launch()
            cuda.fill(self.flush, 0, self.flush_bytes)
            cuda.record(begin)
            launch()
            cuda.record(end)
        cuda.synchronize()
        total = sum(cuda.elapsed_ns(begin, end) for begin, end in zip(self.begins[:launches], self.ends))
        return max(total / launches, 1.0)

    def _prepare_launch(self) -> None:
        """reset_to_zero and restore_value, as Triton does before each launch."""
        for number in self.manifest["restored"]:
            tensor = self.tensors[number]
            memory = self.buffers[tensor.buffer]
            memory.keep_first()
            assert memory.first is not None
            self.cuda.copy(memory.address + tensor.offset, memory.first + tensor.offset, tensor.size)
        for number in self.manifest["zeroed"]:
            tensor = self.tensors[number]
            self.cuda.fill(self.buffers[tensor.buffer].address + tensor.offset, 0, tensor.size)
