"""hone.tune_kernel with CUDA kernels, on a GPU: ``tests/python/run --gpu kernel_gpu``."""
import json
import os
import unittest

import numpy

import hone
from hone._session import Session
from hone.kernel import run_kernel, tune_kernel

found = json.loads(Session().run(["devices", "--format", "json"]))
if not any(one["backend"] == "cuda" for one in found["devices"]):
    raise unittest.SkipTest("there is no CUDA device")

N = 1 << 20
A = numpy.random.default_rng(1).random(N).astype(numpy.float32)
B = numpy.random.default_rng(2).random(N).astype(numpy.float32)
C = numpy.zeros_like(A)

ADD = """
template <typename T> __global__ void add(T *c, T *a, T *b, int n) {
  int i = (blockIdx.x * block_size_x + threadIdx.x) * PER_THREAD;
  for (int j = 0; j < PER_THREAD; j++) if (i + j < n) c[i + j] = a[i + j] + b[i + j] + (T)(MODE == 1 && i + j == 9);
  if (MODE == 2) c[(long)n * 100000000] = 1;
}
"""


def tune(*words, **options):
    return tune_kernel(*words, **{"quiet": True, "confirm": False, **options})


class Cuda(unittest.TestCase):
    def test_a_template(self):
        """a template, its failures, and the proof of the best"""
        rows, env = tune("add<float>", ADD, N, [C, A, B, numpy.int32(N)],
                         {"block_size_x": [32, 128, 512, 2048], "PER_THREAD": [1, 8], "MODE": [0, 1, 2]},
                         restrictions=["MODE == 0 or block_size_x == 128"], answer=[A + B, None, None, None], confirm=True,
                         grid_div_x=["block_size_x", "PER_THREAD"], metrics={"GB/s": lambda p: 12 * N / p["time"] / 1e6},
                         objective="GB/s")
        good = [row for row in rows if isinstance(row["time"], float)]
        self.assertEqual(len(rows), 10)
        self.assertEqual(len(good), 6)
        outcomes = {(row["MODE"], row["PER_THREAD"]): row["outcome"] for row in rows if row["MODE"]}
        self.assertEqual(outcomes[1, 1], "wrong_result")
        self.assertEqual(outcomes[2, 1], "device_fault")
        self.assertEqual(max(rows, key=lambda row: row["GB/s"])["MODE"], 0)
        self.assertIn("NVIDIA", env["device_name"])
        print(env["device_name"], env["hone"]["sentence"])

    def test_constant_and_shared_memory(self):
        """cmem_args and smem_args"""
        source = """
__constant__ float weights[5];
__constant__ int count;
__global__ void stencil(float *out, const float *in, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < count; k++) sum += weights[k] * tile[(threadIdx.x + k) % blockDim.x];
  if (i < n) out[i] = sum;
}"""
        weights = numpy.arange(1, 6, dtype=numpy.float32)
        for size in (lambda p: p["block_size_x"] * 4, "block_size_x * 4", 4096):
            rows, _ = tune("stencil", source, N, [C, A, numpy.int32(N)], {"block_size_x": [256]}, smem_args={"size": size},
                           cmem_args={"weights": weights, "count": numpy.int32(5)},
                           answer=[sum(w * numpy.roll(A.reshape(-1, 256), -k, 1) for k, w in enumerate(weights)).ravel(),
                                   None, None], atol=1e-4)
            self.assertIsInstance(rows[0]["time"], float, rows)
        with self.assertRaisesRegex(ValueError, "cmem_args: the source declares no"):
            tune("stencil", source, N, [C, A, numpy.int32(N)], {"block_size_x": [256]}, cmem_args={"other": weights})

    def test_structs_and_halves(self):
        """a struct by value, half precision, run_kernel"""
        source = """
#include <cuda_fp16.h>
struct setup { int n; float factor; double shift; };
extern "C" __global__ void scale(half *y, const half *x, setup s) {
  int i = blockIdx.x * block_size_x + threadIdx.x;
  if (i < s.n) y[i] = __float2half(__half2float(x[i]) * s.factor + (float)s.shift);
}"""
        kind = numpy.dtype([("n", numpy.int32), ("factor", numpy.float32), ("shift", numpy.float64)])
        setup = numpy.array((N, 2.0, 1.0), kind)[()]
        x = A.astype(numpy.float16)
        result = run_kernel("scale", source, N, [numpy.zeros_like(x), x, setup], {"block_size_x": 256})
        numpy.testing.assert_allclose(result[0].astype(float), x.astype(float) * 2 + 1, rtol=1e-2)

    def test_examples_of_kernel_tuner(self):
        """Kernel Tuner's own examples, where HONE_KERNEL_TUNER_EXAMPLES names their folder"""
        folder = os.environ.get("HONE_KERNEL_TUNER_EXAMPLES")
        if not folder:
            self.skipTest("HONE_KERNEL_TUNER_EXAMPLES is not set")
        path = os.path.join(folder, "cuda", "convolution.cu")
        image = numpy.random.default_rng(3).standard_normal((512 + 16) ** 2).astype(numpy.float32)
        weights = numpy.random.default_rng(4).standard_normal(17 * 17).astype(numpy.float32)
        words = ("convolution_kernel", path, (512, 512), [numpy.zeros(512 * 512, numpy.float32), image, weights])
        rows, env = tune(*words, {"filter_width": [17], "filter_height": [17], "block_size_x": [16, 64],
                                  "block_size_y": [8], "tile_size_x": [1, 2], "tile_size_y": [2]},
                         grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y", "tile_size_y"],
                         cmem_args={"d_filter": weights})
        print(env["best_config"])
        self.assertTrue(any(isinstance(row["time"], float) for row in rows))


if __name__ == "__main__":
    unittest.main()
