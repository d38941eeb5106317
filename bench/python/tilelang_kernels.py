"""The kernels of tilelang_matmul.py: C = A B on a CPU, C = A B^T on a GPU."""
from typing import Any

import tilelang.language as T


def cpu_kernel(M: int, N: int, K: int, block_M: int, block_N: int, block_K: int) -> Any:
    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), B: T.Tensor((K, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M)) as (bx, by):
            A_tile = T.alloc_local((block_M, block_K), "float32")
            B_tile = T.alloc_local((block_K, block_N), "float32")
            C_tile = T.alloc_local((block_M, block_N), "float32")
            T.clear(C_tile)
            for ko in T.serial(T.ceildiv(K, block_K)):
                T.copy(A[by * block_M, ko * block_K], A_tile)
                T.copy(B[ko * block_K, bx * block_N], B_tile)
                for i, k, j in T.grid(block_M, block_K, block_N):
                    C_tile[i, j] += A_tile[i, k] * B_tile[k, j]
            T.copy(C_tile, C[by * block_M, bx * block_N])

    return main


def gpu_kernel(M: int, N: int, K: int, block_M: int, block_N: int, block_K: int, num_stages: int, threads: int) -> Any:
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_N, block_K), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[bx * block_N, k * block_K], B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
