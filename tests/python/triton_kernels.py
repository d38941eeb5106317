"""Kernels and tensors for test_triton.py, without PyTorch and without a GPU."""
import ctypes
import itertools

import triton
import triton.language as tl


class DType:
    def __init__(self, name, size):
        self.name, self.itemsize = name, size

    def __str__(self):
        return f"torch.{self.name}"

    __repr__ = __str__


float16, float32, int32 = DType("float16", 2), DType("float32", 4), DType("int32", 4)


class Tensor:
    """Memory of this process that looks like a tensor."""

    def __init__(self, dtype, *shape, fill=None, shift=0):
        self.dtype, self.shape = dtype, tuple(shape)
        count = 1
        for size in shape:
            count *= size
        self.memory = ctypes.create_string_buffer(count * dtype.itemsize + 64)
        begin = ctypes.addressof(self.memory)
        self.begin = (begin + 15) // 16 * 16 + shift
        if fill is not None:
            (ctypes.c_float * count).from_address(self.begin)[:] = list(itertools.islice(fill, count))

    def data_ptr(self):
        return self.begin

    def element_size(self):
        return self.dtype.itemsize

    def stride(self, axis=None):
        steps, step = [], 1
        for size in reversed(self.shape):
            steps.append(step)
            step *= size
        return tuple(reversed(steps)) if axis is None else list(reversed(steps))[axis]

    def numel(self):
        count = 1
        for size in self.shape:
            count *= size
        return count

    def values(self):
        return list((ctypes.c_float * self.numel()).from_address(self.begin))


@triton.jit
def helper(x):
    return x + 0.0


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    tl.store(out + place, helper(tl.load(x + place, mask)) + tl.load(y + place, mask), mask)


@triton.jit
def bad_kernel(x, y, out, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.static_assert(BLOCK < 512, "BLOCK is too large")
    tl.store(out + place, tl.load(x + place) + tl.load(y + place), place < n)


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * stride_am + depth[None, :] * stride_ak
    b = b_ptr + depth[:, None] * stride_bk + columns[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, tl.cdiv(K, BK)):
        total = tl.dot(tl.load(a), tl.load(b), total)
        a += BK * stride_ak
        b += BK * stride_bk
    c = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tl.store(c, total.to(tl.float16))


@triton.jit
def scaled_kernel(x, out, n, factor, extra, pair, HALF: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + place, place < n) * factor + pair[1]
    tl.store(out + place, value * (0.5 if HALF else 1.0), place < n)


@triton.jit
def copy_kernel(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    target.store([row, 0], source.load([row, 0]))
