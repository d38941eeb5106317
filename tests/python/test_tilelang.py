"""hone.tilelang with real TileLang, on a CPU: kernels are compiled as C. The tests on a GPU are in test_tilelang_gpu.py."""
import glob
import logging
import os
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
if "HONE_CACHE" not in os.environ:  # tap.py names, and removes, a folder
    os.environ["HONE_CACHE"] = tempfile.mkdtemp(prefix="hone-test-")
    os.environ["HONE_STORE"] = os.path.join(os.environ["HONE_CACHE"], "store.db")
os.environ["TILELANG_CACHE_DIR"] = os.path.join(os.environ["HONE_CACHE"], "tilelang")
os.environ["TILELANG_PRINT_ON_COMPILATION"] = "0"
sys.path.insert(0, HERE)

if glob.glob(os.path.join(sysconfig.get_path("purelib"), "torch", "lib")) and sys.prefix != sys.base_prefix:
    subprocess.run([os.path.join(HERE, "tilelang_stubs.sh"), sysconfig.get_path("purelib")], check=True)
try:
    import torch

    import hone.tilelang
except ImportError as error:
    raise unittest.SkipTest(f"TileLang is not installed: {error}")

import tilelang
import tilelang_kernels as kernels
from hone.tilelang import AutoTuner, autotune, set_autotune_inputs

logging.getLogger("tilelang").setLevel(logging.CRITICAL)
QUICK = ["--no-confirm", "--no-cap"]
CONFIGS = [{"block_M": 8, "block_N": 8}, {"block_M": 16, "block_N": 32}]
SIZES = (64, 64, 64)


def matmul_reference(a, b):
    return a @ b


def jit(function, out_idx=(-1,), **options):
    return tilelang.jit(out_idx=list(out_idx) if out_idx is not None else None, target="c", **options)(function)


def tuned(function=kernels.matmul, configs=CONFIGS, jit_options=None, **options):
    return autotune(configs=configs, options=QUICK, progress=False, **options)(jit(function, **(jit_options or {})))


def outcomes(kernel):
    return [row["outcome"] for row in kernel.hone.rows()]


class Decorator(unittest.TestCase):
    def test_tunes_and_returns_the_kernel(self):
        torch.mm(torch.rand(600, 600), torch.rand(600, 600))  # OpenMP's threads do not exist in a forked process
        tuner = tuned(ref_prog=matmul_reference)
        kernel = tuner(*SIZES)
        self.assertIn(kernel.config, CONFIGS)
        self.assertGreater(kernel.latency, 0)
        self.assertGreater(kernel.ref_latency, 0)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])
        a, b = torch.rand(64, 64), torch.rand(64, 64)
        torch.testing.assert_close(kernel(a, b), a @ b)
        self.assertIs(tuner(64, N=64, K=64), kernel)

    def test_another_process_builds_and_measures_nothing(self):
        first = tuned(ref_prog=matmul_reference)(*SIZES)
        script = f"""
            import sys
            sys.path.insert(0, {HERE!r})
            import test_tilelang as t
            kernel = t.tuned(ref_prog=t.matmul_reference)(*t.SIZES)
            print(kernel.hone.measured, kernel.artifact is None, kernel.config, kernel.latency, kernel.ref_latency)
            """
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout.split(None, 2)[:2], ["False", "True"], done.stdout)
        self.assertIn(f"{first.config} {first.latency} {first.ref_latency}", done.stdout)

    def test_measuring_in_a_new_process(self):
        kernel = tuned(ref_prog=matmul_reference, isolation="spawn", atol=0.011)(*SIZES)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])

    def test_failures_are_rows(self):
        configs = [{"block_M": 0, "block_N": 8}, *CONFIGS, {"block_M": 8, "block_N": "eight"}]
        kernel = tuned(configs=configs, ref_prog=matmul_reference)(*SIZES)
        self.assertEqual(sorted(outcomes(kernel)), ["compile_error", "compile_error", "ok", "ok"])

    def test_configurations_given_by_a_function(self):
        seen = []

        def configs(M, N, K):
            seen.append((M, N, K))
            return CONFIGS[:1]

        kernel = tuned(configs=configs)(*SIZES)
        self.assertEqual((seen, kernel.config), ([SIZES], CONFIGS[0]))

    def test_given_tunables_are_not_tuned(self):
        tuner = tuned()
        with self.assertLogs("hone.tilelang", "WARNING") as log:
            kernel = tuner(*SIZES, block_M=4, block_N=4)
        self.assertIn("already provided during auto-tuning. Skipping compilation and using direct JIT", log.output[0])
        self.assertEqual((kernel.config, kernel.latency), (None, None))

    def test_do_not_specialize(self):
        tuner = tuned(do_not_specialize=["N"])
        first, second = tuner(*SIZES), tuner(64, 32, 64)
        self.assertEqual(second.prim_func.buffer_map[second.prim_func.params[2]].shape[1], 32)
        self.assertIsNot(first, second)
        self.assertEqual(len(tuner._tuner_cache), 1)
        tuner(32, 64, 64)
        self.assertEqual(len(tuner._tuner_cache), 2)

    def test_compiler_options_of_a_configuration(self):
        key = tilelang.PassConfigKey.TL_DISABLE_TMA_LOWER if hasattr(tilelang.PassConfigKey, "TL_DISABLE_TMA_LOWER") \
            else tilelang.PassConfigKey.TL_SIMPLIFY
        configs = [CONFIGS[0], {**CONFIGS[0], "pass_configs": {key: True}}]
        kernel = tuned(configs=configs)(*SIZES)
        self.assertIn(kernel.config, configs)
        self.assertEqual(len(kernel.hone.rows()), 2)

    def test_eager_mode(self):
        tuner = tuned(kernels.eager, [{"block": 8}, {"block": 16}], {"out_idx": None})
        a, b = torch.rand(64), torch.zeros(64)
        tuner(a, b)
        torch.testing.assert_close(b, a * 2)
        self.assertIn(tuner.compile(a, b).config, [{"block": 8}, {"block": 16}])


class Checks(unittest.TestCase):
    def test_elements_that_are_not_written(self):
        """An output that keeps the right answer of an earlier configuration is not right"""
        kernel = tuned(kernels.part, [{"block": 8, "share": 4}, {"block": 8, "share": 2}],
                       ref_prog=lambda a: a + 1)(64)
        self.assertEqual(outcomes(kernel), ["ok", "wrong_result"])
        self.assertEqual(kernel.config["share"], 4)

    def test_without_a_reference_the_first_configuration_is_right(self):
        kernel = tuned(kernels.part, [{"block": 8, "share": 4}, {"block": 8, "share": 2}])(64)
        self.assertEqual(outcomes(kernel), ["ok", "wrong_result"])
        kernel = tuned(kernels.part, [{"block": 8, "share": 4}, {"block": 8, "share": 2}], skip_check=True)(64)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])

    def test_mismatched_ratio_and_own_check(self):
        configs = [{"block": 64, "share": 4}, {"block": 64, "share": 3}]
        kernel = tuned(kernels.part, configs, ref_prog=lambda a: a + 1, max_mismatched_ratio=0.25)(64)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])

        def own(outputs, expected):
            assert torch.equal(outputs[0], expected[0]), "another number"

        kernel = tuned(kernels.part, configs, ref_prog=lambda a: a + 1, manual_check_prog=own)(64)
        self.assertEqual(outcomes(kernel), ["ok", "wrong_result"])
        self.assertIn("another number", kernel.hone.rows()[1]["evidence"])

    def test_all_fail(self):
        with self.assertRaisesRegex(RuntimeError, "(?s)Auto-tuning failed: No configuration successfully compiled and "
                                    "passed benchmarking/validation.*Too many mismatched elements"):
            tuned(kernels.part, [{"block": 8, "share": 2}], ref_prog=lambda a: a + 1)(64)

    def test_reference_that_fails(self):
        def reference(a):
            raise ArithmeticError("no reference today")

        with self.assertRaisesRegex(hone.HoneError, "no reference today"):
            tuned(kernels.part, [{"block": 8, "share": 4}], ref_prog=reference)(64)


class Inputs(unittest.TestCase):
    configs = [{"block": 8}, {"block": 16}]

    def test_scalar_needs_inputs(self):
        tuner = tuned(kernels.increment, self.configs, {"out_idx": None})
        with self.assertRaisesRegex(ValueError, "does not support auto-generated scalar inputs. Found scalar input "
                                    "parameter 's'.*set_autotune_inputs"):
            tuner(64)

    def test_in_place_kernel_with_captured_inputs(self):
        tensor = torch.arange(64, dtype=torch.float32)
        with set_autotune_inputs(tensor, 0.5):
            kernel = tuned(kernels.increment, self.configs, {"out_idx": None})(64)
        self.assertEqual(outcomes(kernel), ["ok", "ok"])
        self.assertTrue(torch.equal(tensor, torch.arange(64, dtype=torch.float32)), "the user's tensor is not touched")
        kernel(tensor, 0.5)
        self.assertTrue(torch.equal(tensor, torch.arange(64) + 0.5))

    def test_supply_prog(self):
        def supply(params):
            return [torch.full((64,), 3.0) for _ in params]

        def reference(a):
            assert bool((a == 3).all())
            return a + 1

        kernel = tuned(kernels.part, [{"block": 8, "share": 4}], ref_prog=reference, supply_prog=supply)(64)
        self.assertEqual(outcomes(kernel), ["ok"])


class Tuner(unittest.TestCase):
    def test_result(self):
        def kernel(block_M, block_N):
            return kernels.matmul(*SIZES, block_M, block_N)

        result = (AutoTuner.from_kernel(kernel=kernel, configs=CONFIGS)
                  .set_compile_args(out_idx=[-1], target="c")
                  .set_profile_args(ref_prog=matmul_reference)
                  .set_tune_args(QUICK, False)
                  .run(warmup=3, rep=10))
        self.assertIsInstance(result, tilelang.autotuner.param.AutotuneResult)
        self.assertIn(result.config, CONFIGS)
        self.assertEqual(result.kernel.get_tuner_result(),
                         {"latency": result.latency, "config": result.config, "ref_latency": result.ref_latency})
        self.assertIn("main_kernel", result.libcode)
        self.assertIs(result.func, result.kernel.prim_func)

    def test_wrong_calls(self):
        def kernel(block_M, block_N):
            return kernels.matmul(*SIZES, block_M, block_N)

        with self.assertRaisesRegex(ValueError, r"Unused keys in config: \{'block_m'\}"):
            AutoTuner(kernel, [{"block_m": 8}]).run()
        with self.assertRaisesRegex(ValueError, "No configurations to tune, please check your `@autotune` decorator"):
            AutoTuner(kernel, []).run()
        with self.assertRaisesRegex(ValueError, "early_stop_factor must be >= 1.0"):
            AutoTuner(kernel, CONFIGS).run(early_stop=True, early_stop_factor=0.5)
        with self.assertRaisesRegex(ValueError, "without arguments is not supported"):
            autotune(kernel, configs=CONFIGS)
        with self.assertRaisesRegex(AssertionError, "only be applied to @tilelang.jit"):
            autotune(configs=CONFIGS)(kernel)

    def test_caches_switched_off(self):
        os.environ["TILELANG_DISABLE_CACHE"] = "1"
        try:
            kernel = tuned(kernels.part, [{"block": 8, "share": 4}, {"block": 16, "share": 4}])(64)
        finally:
            del os.environ["TILELANG_DISABLE_CACHE"]
        self.assertEqual((outcomes(kernel), kernel.hone.measured), (["ok", "ok"], True))


if __name__ == "__main__":
    unittest.main()
