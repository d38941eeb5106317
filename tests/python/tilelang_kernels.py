"""Kernels for test_tilelang.py."""
import tilelang.language as T


def matmul(M, N, K, block_M, block_N, block_K=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), B: T.Tensor((K, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M)) as (bx, by):
            C_tile = T.alloc_local((block_M, block_N), "float32")
            T.clear(C_tile)
            for k in T.serial(K):
                for i, j in T.grid(block_M, block_N):
                    C_tile[i, j] += A[by * block_M + i, k] * B[k, bx * block_N + j]
            T.copy(C_tile, C[by * block_M, bx * block_N])

    return main


def part(N, block, share):
    """Writes only share / 4 of its output."""
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block)) as bx:
            for i in T.serial(block * share // 4):
                B[bx * block + i] = A[bx * block + i] + 1.0

    return main


def increment(N, block):
    """In place: A += s. It has no output of its own, and a scalar input."""
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), s: T.float32):
        with T.Kernel(T.ceildiv(N, block)) as bx:
            for i in T.serial(block):
                A[bx * block + i] = A[bx * block + i] + s

    return main


def eager(A, B, block=16):
    N = T.const("N")
    A: T.Tensor[[N], "float32"]
    B: T.Tensor[[N], "float32"]
    with T.Kernel(T.ceildiv(N, block)) as bx:
        for i in T.serial(block):
            B[bx * block + i] = A[bx * block + i] * 2.0
