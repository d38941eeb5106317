"""hone.tilelang on a GPU. It is run by tests/python/run --gpu."""
import logging
import os
import sys
import tempfile
import time
import unittest

if "HONE_CACHE" not in os.environ:  # tap.py names, and removes, a folder
    os.environ["HONE_CACHE"] = tempfile.mkdtemp(prefix="hone-test-")
    os.environ["HONE_STORE"] = os.path.join(os.environ["HONE_CACHE"], "store.db")
os.environ["TILELANG_CACHE_DIR"] = os.path.join(os.environ["HONE_CACHE"], "tilelang")
os.environ["TILELANG_PRINT_ON_COMPILATION"] = "0"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import hone.tilelang
except ImportError as error:
    raise unittest.SkipTest(f"TileLang is not installed: {error}")

import tilelang
import tilelang.language as T
import torch
from hone._tilelang_device import gpu_is_touched, nvidia_gpu
from hone.tilelang import autotune, set_autotune_inputs

if nvidia_gpu() is None:
    raise unittest.SkipTest("there is no GPU")
logging.getLogger("tilelang").setLevel(logging.CRITICAL)


def add(N, block, share=4, far=0, slow=0):
    """B = A + 1. share: how many quarters of it; far: writes that far behind it; slow: first goes round slow^2 times."""
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N * share // 4, block), threads=block) as bx:
            i = bx * block + T.get_thread_binding()
            rest = T.alloc_local((1,), "float32")
            rest[0] = 0.0
            for _ in T.serial(slow):
                for _ in T.serial(slow):
                    rest[0] = rest[0] * 0.5 + A[i]
            B[i + far] = A[i] + 1.0 + rest[0] * 1e-30

    return main


def tuned(function, configs, **options):
    jit_options = options.pop("jit", {"out_idx": [-1]})
    return autotune(configs=configs, options=options.pop("options", ["--no-confirm", "--no-cap"]), progress=False, **options)(
        tilelang.jit(target="cuda", **jit_options)(function))


def outcomes(kernel):
    return [row["outcome"] for row in kernel.hone.rows()]


class Gpu(unittest.TestCase):
    def test_1_nothing_is_used_before_the_result(self):
        """Measuring processes are forked as long as this one has not used the GPU"""
        self.assertFalse(gpu_is_touched())
        begin = time.time()
        kernel = tuned(add, [{"block": 64}, {"block": 256}], ref_prog=lambda a: a + 1)(1 << 20)
        print("tuned in", time.time() - begin, kernel.hone.rows(), file=sys.stderr)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])
        tensor = torch.rand(1 << 20, device="cuda")
        torch.testing.assert_close(kernel(tensor), tensor + 1)
        self.assertTrue(gpu_is_touched())

    def test_2_after_the_gpu_was_used(self):
        tensor = torch.rand(1 << 16, device="cuda")
        with set_autotune_inputs(tensor):
            kernel = tuned(add, [{"block": 64}, {"block": 256}], ref_prog=lambda a: a + 1)(1 << 16)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])
        self.assertGreater(kernel.ref_latency, 0)

    def test_failures_are_rows(self):
        """An illegal access, a hang and a wrong answer do not disturb the others"""
        unsafe = {tilelang.PassConfigKey.TL_DISABLE_SAFE_MEMORY_ACCESS: True}
        configs = [{"block": 64}, {"block": 64, "far": 1 << 30, "pass_configs": unsafe}, {"block": 128},
                   {"block": 64, "slow": 1 << 17}, {"block": 64, "share": 2}, {"block": 256}]
        begin = time.time()
        kernel = tuned(add, configs, ref_prog=lambda a: a + 1, timeout=6)(1 << 18)
        rows = kernel.hone.rows()
        print("tuned in", time.time() - begin, [(row["outcome"], (row["evidence"] or "")[:80]) for row in rows], file=sys.stderr)
        self.assertEqual(sorted(outcomes(kernel)).count("ok"), 3)
        self.assertIn("wrong_result", outcomes(kernel))
        self.assertIn("hang", outcomes(kernel))

    def test_other_ways_of_timing(self):
        def kernel(block):
            return add(1 << 20, block)

        for backend in ("cudagraph", "cupti"):
            result = (hone.tilelang.AutoTuner.from_kernel(kernel, [{"block": 128}])
                      .set_compile_args(out_idx=[-1], target="cuda").set_profile_args(backend=backend)
                      .set_tune_args(["--no-confirm", "--no-cap"], False).run())
            self.assertTrue(0 < result.latency < 1, (backend, result.latency))


if __name__ == "__main__":
    unittest.main()
