"""A matrix product in TileLang, tuned by Hone; it runs on a CPU."""
import tilelang
import tilelang.language as T
import torch

from hone.tilelang import autotune  # was: from tilelang import autotune


def configs(M, N, K):
    return [{"block_M": m, "block_N": n, "block_K": k} for m in (16, 32, 64) for n in (32, 64) for k in (16, 32)
            if m * k <= 1024]


@autotune(configs=configs, ref_prog=torch.matmul, progress=True)
@tilelang.jit(out_idx=[-1], target="c", compile_flags=["-O3", "-march=native"])
def matmul(M, N, K, block_M=16, block_N=32, block_K=16):
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


if __name__ == "__main__":
    kernel = matmul(128, 128, 128)
    a, b = torch.rand(128, 128), torch.rand(128, 128)
    torch.testing.assert_close(kernel(a, b), a @ b)
    print(f"best: {kernel.config}, {kernel.latency:.3g} ms (torch: {kernel.ref_latency:.3g} ms)")
    for row in kernel.hone.rows():
        print(f"  {row['block_M']:3} {row['block_N']:3} {row['block_K']:3}  {row['outcome']}"
              + (f"  {row['time_ns'] / 1e3:8.1f} us" if row["time_ns"] else ""))
