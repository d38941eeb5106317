"""hone.triton with real Triton. Nothing here needs a GPU: kernels are compiled for sm_90, and a driver for tests
(fake_cuda.cpp) stands for CUDA's. The tests on a GPU are in test_triton_gpu.py."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

FOLDER = tempfile.mkdtemp(prefix="hone-test-")
os.environ["HONE_STORE"] = os.path.join(FOLDER, "store.db")
os.environ["HONE_CACHE"] = os.path.join(FOLDER, "cache")
os.environ["TRITON_CACHE_DIR"] = os.path.join(FOLDER, "triton")
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # Triton 3.9 warns otherwise
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import triton
except ImportError as error:
    raise unittest.SkipTest(f"Triton is not installed: {error}")

import triton_kernels as kernels
from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver
from triton_kernels import Tensor, float16, float32

import hone
import hone.triton
from hone import _triton_args, _triton_build
from hone._triton_build import Builder, Call, TargetDriver
from hone._triton_configs import first_legal

TARGET = GPUTarget("cuda", 90, 32)
SHARED = 232448
VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])
Config = triton.Config


def tearDownModule():
    shutil.rmtree(FOLDER, ignore_errors=True)


def setUpModule():
    library = os.path.join(FOLDER, "libfakecuda.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_cuda.cpp")
    compiler = os.environ.get("CXX", "c++")
    if not shutil.which(compiler.split()[0]):
        raise unittest.SkipTest("there is no C++ compiler")
    subprocess.run([*compiler.split(), "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
    os.environ["HONE_LIBCUDA"] = library
    hone.triton.current_device = lambda: hone.triton.Device(TARGET, 0, "a GPU for tests", SHARED)


class Recorder(TargetDriver):
    """A driver whose launches are written down."""

    class Utils:
        def load_binary(self, *arguments):
            return (1, 1, 32, 0, 1024)[: 5 if VERSION >= (3, 4) else 4]

        def get_device_properties(self, device):
            return {"max_shared_mem": SHARED}

        def unload_module(self, module):
            pass

    def __init__(self):
        super().__init__(TARGET, 0)
        self.utils = self.Utils()
        self.launches = []

    def launcher_cls(self, source, metadata):
        def launch(x, y, z, *rest):
            self.launches.append(((x, y, z), metadata.num_warps))
        return launch


def folders():
    return {name for name in os.listdir("/dev/shm") if name.startswith("hone-triton-")}


def floats(n):
    return map(float, range(n))


def add_arguments(n=1000):
    return Tensor(float32, n, fill=floats(n)), Tensor(float32, n, fill=floats(n)), Tensor(float32, n), n


def add_grid(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def add_configs(warps=(2, 4, 8), blocks=(128,)):
    return [Config({"BLOCK": block}, num_warps=count) for block in blocks for count in warps]


def in_child(function, *arguments):
    """Calls a function in a forked process, as a builder is one; returns what it returns, which must be JSON."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            try:
                answer = {"value": function(*arguments)}
            except hone.Failure as failure:
                answer = {"outcome": failure.outcome, "text": failure.text}
            except BaseException as error:
                answer = {"error": repr(error)}
            with os.fdopen(write, "w") as file:
                json.dump(answer, file)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        answer = json.load(file)
    os.waitpid(pid, 0)
    return answer


def build(kernel, args, kwargs, config, grid=add_grid):
    """What a builder makes of a configuration: the header of the object, and its numbers."""
    call = Call(kernel, args, {**kwargs, "grid": grid, "warmup": False})
    memory = _triton_args.Memory(call.named())

    def work():
        builder = Builder(call, lambda config: config, TARGET, 0, SHARED)
        builder.open()
        path = os.path.join(FOLDER, f"object-{os.getpid()}")
        numbers, _ = builder.build(config, memory, path)
        with open(path, "rb") as file:
            header = json.loads(file.readline())
            return header, numbers, file.read(4).hex()

    return in_child(work)


class Building(unittest.TestCase):
    def test_object_has_all_that_a_launch_needs(self):
        answer = build(kernels.add_kernel, add_arguments(), {}, Config({"BLOCK": 256}, num_warps=8))
        header, numbers, magic = answer["value"]
        self.assertEqual(magic, b"\x7fELF".hex())
        self.assertEqual((header["name"], header["threads"], header["grid"]), ("add_kernel", 256, [4, 1, 1]))
        self.assertEqual([part[0] for part in header["parameters"]], ["pointer"] * 3 + ["bits"])
        self.assertEqual(header["parameters"][3], ["bits", 4, 1000])
        self.assertGreater(numbers["registers"], 0)
        self.assertEqual(numbers["spills"], 0)

    def test_values_that_triton_makes_constant_are_no_parameters(self):
        x, y, out, _ = add_arguments(16)
        header = build(kernels.add_kernel, (x, y, out, 1), {}, Config({"BLOCK": 128}))["value"][0]
        self.assertEqual([part[0] for part in header["parameters"]], ["pointer"] * 3)

    @unittest.skipIf(VERSION < (3, 3), "this version of Triton has no tuples")
    def test_floats_missing_tensors_and_tuples(self):
        x, _, out, n = add_arguments()
        args = (x, out, n, 0.5, None, (3, 2.5))
        header = build(kernels.scaled_kernel, args, {"HALF": True}, Config({"BLOCK": 128}))["value"][0]
        self.assertEqual(header["parameters"][2:], [["bits", 4, 1000], ["bits", 4, 0x3F000000], ["bits", 4, 3],
                                                    ["bits", 4, 0x40200000]])

    def test_alignment_is_kept(self):
        n = 1000
        odd = Tensor(float32, n, shift=4)
        memory = _triton_args.Memory({"x": odd})
        self.assertEqual(memory.buffers[0].begin % 16, 4)
        paths = set(os.listdir(os.environ["TRITON_CACHE_DIR"])) if os.path.exists(os.environ["TRITON_CACHE_DIR"]) else set()
        x, y, out, _ = add_arguments()
        for args in ((x, y, out, n), (odd, y, out, n)):
            self.assertIn("value", build(kernels.add_kernel, args, {}, Config({"BLOCK": 64})))
        self.assertEqual(len(set(os.listdir(os.environ["TRITON_CACHE_DIR"])) - paths), 2)

    def test_the_later_launch_finds_what_was_built(self):
        config = Config({"BLOCK": 512}, num_warps=2)
        args = add_arguments()
        self.assertIn("value", build(kernels.add_kernel, args, {}, config))

        def launch():
            recorder = Recorder()
            driver.set_active(recorder)
            triton.compiler.compiler.ASTSource.make_ir = None  # compiling would fail
            kernels.add_kernel[add_grid](*args, **config.all_kwargs())
            return recorder.launches[0]

        self.assertEqual(in_child(launch)["value"], [[2, 1, 1], 2])

    def test_errors_are_outcomes(self):
        answer = build(kernels.bad_kernel, add_arguments(), {}, Config({"BLOCK": 1024}))
        self.assertEqual(answer["outcome"], "compile_error")
        self.assertIn("BLOCK is too large", answer["text"])
        answer = build(kernels.add_kernel, add_arguments(), {}, Config({"BLOCK": 100}))
        self.assertEqual(answer["outcome"], "compile_error")
        a = Tensor(float16, 512, 512)
        args = (a, a, a, 512, 512, 512, 512, 1, 512, 1, 512, 1)
        answer = build(kernels.matmul_kernel, args, {}, Config({"BM": 256, "BN": 256, "BK": 128}, num_stages=4, num_warps=8),
                       lambda meta: (2, 2))
        self.assertEqual(answer["outcome"], "launch_failure")
        self.assertRegex(answer["text"], "out of resource: shared memory, required: [0-9]+, hardware limit: 232448")

    def test_heuristics(self):
        inner = triton.heuristics({"BLOCK": lambda args: 64 if args["num_warps"] == 2 else 128})(kernels.add_kernel)
        for warps, programs in ((2, 16), (4, 8)):
            header = build(inner, add_arguments(), {}, Config({}, num_warps=warps))["value"][0]
            self.assertEqual((header["grid"][0], header["threads"]), (programs, 32 * warps))

    def test_tensor_descriptors_and_hooks_that_change_them(self):
        try:
            from triton.tools.tensor_descriptor import TensorDescriptor
        except ImportError:
            self.skipTest("this version of Triton has no descriptors")
        source, target = Tensor(float32, 256, 64), Tensor(float32, 256, 64)
        float32.is_floating_point = True
        descriptors = [TensorDescriptor(tensor, [256, 64], [64, 1], [8, 64]) for tensor in (source, target)]

        def hook(args):
            for name in ("source", "target"):
                args[name].block_shape = [args["ROWS"], args["COLUMNS"]]

        config = Config({"ROWS": 16, "COLUMNS": 64}, pre_hook=hook)
        answer = build(kernels.copy_kernel, tuple(descriptors), {}, config, lambda meta: (256 // meta["ROWS"],))
        header = answer["value"][0]
        self.assertEqual(header["grid"], [16, 1, 1])
        kinds = [part[0] for part in header["parameters"]]
        self.assertEqual(kinds, ["map", "bits", "bits", "bits", "bits"] * 2)
        fields = header["parameters"][0][1]
        self.assertEqual((fields["shape"], fields["element_bytes"], fields["box"][0]), ([256, 64], 4, 16))

    def test_overlapping_tensors_share_a_buffer(self):
        whole = Tensor(float32, 64)

        class View(Tensor):
            def __init__(self, base, first, count):
                self.dtype, self.shape, self.begin, self.keep = base.dtype, (count,), base.begin + 4 * first, base

        memory = _triton_args.Memory({"x": whole, "y": View(whole, 16, 32), "none": None, "n": 5})
        self.assertEqual([(tensor.buffer, tensor.offset) for tensor in memory.tensors], [(0, 0), (0, 64)])
        self.assertEqual(memory.locate(whole.begin + 70), (0, 70))
        self.assertIsNone(memory.locate(whole.begin + 4 * 64))

    def test_floats_are_packed_as_the_device_has_them(self):
        pack = _triton_build._pack_float
        self.assertEqual(pack("bf16", 1.0), (2, 0x3F80))
        self.assertEqual(pack("bf16", 1.0 + 2.0 ** -8), (2, 0x3F80))      # half: to the even one
        self.assertEqual(pack("bf16", 1.0 + 3 * 2.0 ** -8), (2, 0x3F82))
        self.assertEqual(pack("fp16", -2.0), (2, 0xC000))
        self.assertEqual(pack("fp64", 1.0), (8, 0x3FF0000000000000))


class Tuning(unittest.TestCase):
    """Tunings with the driver for tests: more threads are faster there."""

    def setUp(self):
        self.recorder = Recorder()
        driver.set_active(self.recorder)
        getattr(kernels.add_kernel, "device_caches", kernels.add_kernel.__dict__.get("cache", {})).clear()
        self.fakes = {}
        self.folders = folders()

    def tearDown(self):
        for name in self.fakes:
            os.environ.pop(name, None)

    def fake(self, **variables):
        self.fakes.update(variables)
        os.environ.update(variables)

    def autotune(self, configs=None, kernel=None, **options):
        options.setdefault("key", ["n"])
        options.setdefault("builders", 2)
        options.setdefault("timeout", 20.0)
        return hone.triton.autotune(configs if configs is not None or "params" in options else add_configs(),
                                    **options)(kernel or kernels.add_kernel)

    def outcomes(self, result):
        return {(row["BLOCK"], row["num_warps"]): row["outcome"] for row in result.rows()}

    def test_first_call_tunes_then_launches(self):
        tuned = self.autotune()
        x, y, out, n = add_arguments()
        tuned[add_grid](x, y, out, n)
        self.assertEqual(tuned.best_config.num_warps, 8)
        self.assertIs(tuned.best_config, tuned.configs[2])
        self.assertEqual(tuned.cache, {(n, "torch.float32", "torch.float32", "torch.float32"): tuned.configs[2]})
        result = tuned.result()
        self.assertEqual((result.verdict, result.measured), ("IMPROVED", True))
        self.assertEqual(len(result.rows()), 3)
        self.assertEqual(self.recorder.launches, [((8, 1, 1), 8)])
        self.assertEqual((x.values(), out.values()), (list(floats(n)), [0.0] * n))  # tuning used copies
        with mock.patch.dict(os.environ, HONE_PROGRAM="/does/not/exist"):
            tuned[add_grid](x, y, out, n)            # nothing is started any more
            tuned[add_grid](y=y, x=x, n=n, out=out)  # in any order
        self.assertEqual(len(tuned.cache), 1)
        self.assertEqual(len(self.recorder.launches), 3)
        self.assertEqual(len(tuned.configs_timings), 3)
        again = self.autotune()
        again[add_grid](x, y, out, n)
        self.assertFalse(again.result().measured)   # as another process would
        self.assertEqual(again.best_config.num_warps, 8)
        self.assertEqual(folders() - self.folders, set())

    def test_a_failure_is_a_row(self):
        x, y, out, n = add_arguments(996)
        for variable, outcome in (("FAKE_CUDA_FAULT", "device_fault"), ("FAKE_CUDA_WRONG", "wrong_result"),
                                  ("FAKE_CUDA_HANG", "hang")):
            self.fake(**{variable: "256"})
            result = self.autotune(timeout=2.0).tune(x, y, out, n, grid=add_grid, fresh=True)
            del os.environ[variable]
            self.assertEqual(self.outcomes(result), {(128, 2): "ok", (128, 4): "ok", (128, 8): outcome})
            self.assertEqual(result.config["num_warps"], 4)

    def test_a_compile_error_is_a_row_also_of_the_first_one(self):
        configs = add_configs(warps=(2, 4), blocks=(1024, 128))
        tuned = self.autotune(configs, kernels.bad_kernel)
        result = tuned.tune(*add_arguments(992), grid=add_grid)
        self.assertEqual(set(self.outcomes(result).items()) & {((1024, 2), "compile_error"), ((1024, 4), "compile_error")},
                         {((1024, 2), "compile_error"), ((1024, 4), "compile_error")})
        self.assertEqual((result.baseline["BLOCK"], result.config["num_warps"]), (128, 4))
        self.assertFalse(self.autotune(configs, kernels.bad_kernel).tune(*add_arguments(992), grid=add_grid).measured)

    def test_a_compiler_that_crashes_is_a_row(self):
        configs = add_configs()
        configs[1].pre_hook = lambda args: os.abort()  # called in a builder only
        result = self.autotune(configs).tune(*add_arguments(932), grid=add_grid)
        self.assertEqual(self.outcomes(result), {(128, 2): "ok", (128, 4): "compile_crash", (128, 8): "ok"})

    def test_the_baseline_faults(self):
        self.fake(FAKE_CUDA_FAULT="64")
        with self.assertRaisesRegex(hone.HoneError, "illegal memory access(.|\n)*in_process=True"):
            self.autotune().tune(*add_arguments(988), grid=add_grid)

    def test_a_gpu_that_is_gone(self):
        self.fake(FAKE_CUDA_GONE="1")
        with self.assertRaisesRegex(hone.HoneError, "CUDA error 100"):
            self.autotune().tune(*add_arguments(984), grid=add_grid)

    def test_params_and_constraints(self):
        tuned = self.autotune(params={"BLOCK": [64, 128, 256], "num_warps": [2, 4, 8]}, search="all",
                              constraints=["BLOCK <= 32 * num_warps and BLOCK != 32 * n"])
        result = tuned.tune(*add_arguments(980), grid=add_grid)
        self.assertEqual((len(result.rows()), result.baseline), (6, {"BLOCK": 64, "num_warps": 2}))
        with mock.patch.dict(os.environ, HONE_AUTOTUNE="off"):
            self.autotune(params=tuned.params, constraints=tuned.constraints)[add_grid](*add_arguments(936))
        self.assertEqual(self.recorder.launches, [((15, 1, 1), 2)])
        self.assertEqual(tuned.best().num_warps, 8)
        self.assertIn("BLOCK", tuned.best().kwargs)

    def test_reference(self):
        """The answers of the reference, not of the first configuration, are right."""
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        self.fake(FAKE_CUDA_WRONG="64")
        n = 1000
        x, y, out = torch.arange(float(n)), torch.arange(float(n)), torch.zeros(n)
        tuned = self.autotune(add_configs(), reference=lambda x, y, out, n: x + y)
        with self.assertRaisesRegex(hone.HoneError, "differs from the answer of the reference in 500 of 1000"):
            tuned.tune(x, y, out, n, grid=add_grid)
        self.fakes.clear()
        os.environ.pop("FAKE_CUDA_WRONG")
        self.assertEqual(tuned.tune(x, y, out, n, grid=add_grid).config["num_warps"], 8)
        self.assertEqual(float(out.sum()), 0.0)

    def test_reference_that_fails(self):
        def fail(x, y, out, n):
            raise RuntimeError("no such file")

        with self.assertRaisesRegex(hone.HoneError, "the reference failed: RuntimeError: no such file"):
            self.autotune(reference=fail).tune(*add_arguments(976), grid=add_grid)

    def test_modes(self):
        args = add_arguments(972)
        tuned = self.autotune()
        for mode in ("off", "lookup"):
            with mock.patch.dict(os.environ, HONE_AUTOTUNE=mode):
                tuned[add_grid](*args)
            self.assertEqual((tuned.best_config.num_warps, tuned.cache), (2, {}))
        with mock.patch.dict(os.environ, HONE_AUTOTUNE="require"):
            with self.assertRaisesRegex(hone.NotTunedError, "add_kernel.*n=972"):
                tuned[add_grid](*args)
        tuned[add_grid](*args)
        with mock.patch.dict(os.environ, HONE_AUTOTUNE="require"):
            again = self.autotune()
            again[add_grid](*args)
        self.assertEqual(again.best_config.num_warps, 8)
        self.assertEqual(self.autotune().best(*args).num_warps, 8)

    def test_wisdom(self):
        args = add_arguments(968)
        tuned = self.autotune()
        tuned.tune(*args, grid=add_grid)
        path = os.path.join(FOLDER, "wisdom.json")
        tuned.export(path)
        with mock.patch.dict(os.environ, HONE_WISDOM=path, HONE_STORE=os.path.join(FOLDER, "empty.db"),
                             HONE_AUTOTUNE="require"):
            other = self.autotune()
            other[add_grid](*args)
        self.assertEqual(other.best_config.num_warps, 8)

    def test_keys(self):
        tuned = self.autotune(add_configs((2, 8)))
        for n in (960, 956):
            tuned[add_grid](*add_arguments(n))
        self.assertEqual([key[0] for key in tuned.cache], [960, 956])

    def test_hooks(self):
        called = []
        tuned = self.autotune(add_configs((2, 8)),
                              pre_hook=lambda args, reset_only=False: called.append(("pre", reset_only)),
                              post_hook=lambda args, exception: called.append(("post", exception)))
        tuned.tune(*add_arguments(952), grid=add_grid)
        self.assertEqual(called, [("pre", False), ("post", None), ("pre", True)])

    def test_reset_to_zero_and_restore_value(self):
        tuned = self.autotune(add_configs((2, 8)), reset_to_zero=["out"], restore_value=["x"])
        x, y, out, n = add_arguments(948)
        result = tuned.tune(x, y, out, n, grid=add_grid)
        self.assertEqual(x.values(), list(floats(n)))
        self.assertEqual(result.config["num_warps"], 8, (result, result.rows(), result.data["log"]))

    def test_configurations_with_other_names_and_values(self):
        configs = [Config({"BLOCK": 128}, num_warps=2), Config({"BLOCK": 128}, num_warps=8, maxnreg=64)]
        tuned = self.autotune(configs)
        tuned.tune(*add_arguments(944), grid=add_grid)
        self.assertIs(tuned.best_config, configs[1])

    def test_interrupt_leaves_nothing(self):
        script = f"""if 1:
            import sys
            sys.path[:0] = {[os.path.dirname(os.path.dirname(hone.__file__)), os.path.dirname(os.path.abspath(__file__))]!r}
            import os, test_triton as t
            os.environ.update({{"HONE_CACHE": {os.environ["HONE_CACHE"]!r}, "HONE_STORE": {os.environ["HONE_STORE"]!r}}})
            t.hone.triton.current_device = lambda: t.hone.triton.Device(t.TARGET, 0, "a GPU for tests", t.SHARED)
            print("begin", flush=True)
            try:
                t.hone.triton.autotune(t.add_configs(), ["n"], timeout=60.0)(t.kernels.add_kernel).tune(
                    *t.add_arguments(940), grid=t.add_grid)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
            """
        token = f"HONE_TEST_TOKEN={time.time()}"
        variables = dict(os.environ, FAKE_CUDA_HANG="128", HONE_TEST_TOKEN=token.split("=")[1])
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=variables)
        self.assertEqual(process.stdout.readline(), "begin\n")
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60)[0], "interrupted\n")
        time.sleep(0.5)
        self.assertEqual(processes_with(token), [])
        self.assertEqual(folders() - self.folders, set())


def processes_with(token):
    found = []
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if token.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


class Settings(unittest.TestCase):
    """What is told before anything runs, and Triton's rules for configurations."""

    def tuner(self, configs=None, **options):
        options.setdefault("key", ["n"])
        return hone.triton.autotune(configs if configs is not None else add_configs(), **options)(kernels.add_kernel)

    def prune(self, tuner):
        return tuner._pruned(add_arguments(), {"grid": add_grid, "warmup": False})

    def test_top_k_is_a_share_of_those_that_are_left(self):
        called = []
        tuner = self.tuner([Config({"BLOCK": 2 ** number}) for number in range(4, 14)],
                           prune_configs_by={"early_config_prune": lambda configs, named, **kwargs: configs[:6],
                                             "perf_model": lambda BLOCK, **kwargs: called.append(BLOCK) or -BLOCK,
                                             "top_k": 0.5})
        self.assertEqual([config.kwargs["BLOCK"] for config in self.prune(tuner)], [512, 256, 128])
        self.assertEqual(len(called), 6)

    def test_top_k_keeps_one_at_least(self):
        tuner = self.tuner(add_configs((2, 4)),
                           prune_configs_by={"perf_model": lambda num_warps, **kwargs: -num_warps, "top_k": 0.3})
        self.assertEqual([config.num_warps for config in self.prune(tuner)], [4])
        tuner = self.tuner(prune_configs_by={"perf_model": lambda num_warps, **kwargs: -num_warps, "top_k": 2})
        self.assertEqual([config.num_warps for config in self.prune(tuner)], [8, 4])
        with self.assertRaises(TypeError):
            self.prune(self.tuner(prune_configs_by={"perf_model": lambda **kwargs: 1, "top_k": "all"}))

    def test_pruned_to_one_measures_nothing(self):
        with mock.patch.dict(os.environ, HONE_PROGRAM="/does/not/exist"):
            tuner = self.tuner(prune_configs_by={"early_config_prune": lambda configs, named, **kwargs: configs[1:2]})
            config, is_final = tuner._choose(add_arguments(), {"grid": add_grid, "warmup": False})
        self.assertEqual((config.num_warps, is_final), (4, True))

    def test_pruned_to_none(self):
        tuner = self.tuner(prune_configs_by={"early_config_prune": lambda configs, named, **kwargs: []})
        with self.assertRaisesRegex(Exception, "No valid autotuner configs after pruning. `early_config_prune` should"):
            self.prune(tuner)

    def test_one_or_no_configuration_measures_nothing(self):
        for configs in ([], [Config({"BLOCK": 64})]):
            tuner = self.tuner(configs)
            self.assertIs(tuner._choose(add_arguments(), {})[0], tuner.configs[0])

    def test_conflicts_and_unknown_names(self):
        with self.assertRaisesRegex(ValueError, "Conflicting meta-parameters: BLOCK"):
            self.tuner().run(*add_arguments(), grid=add_grid, warmup=False, BLOCK=64)
        with self.assertRaisesRegex(ValueError, "a configuration has 'BLOK'.*x, y, out, n, BLOCK"):
            self.tuner([Config({"BLOK": 1}), Config({"BLOK": 2})]).tune(*add_arguments(), grid=add_grid)
        with self.assertRaisesRegex(ValueError, "key contains names that are not kernel arguments: m"):
            self.tuner(key=["m"])
        with self.assertRaisesRegex(ValueError, "restore_value contains names"):
            self.tuner(restore_value=["z"])
        with self.assertRaisesRegex(ValueError, "configs or params"):
            self.tuner(params={"BLOCK": [64]})
        with self.assertRaisesRegex(TypeError, "not a triton.Config"):
            self.tuner([{"BLOCK": 64}])

    def test_the_first_legal_configuration(self):
        params = {"A": [64, 32], "B": [1, 2, 4]}
        found = first_legal(params, ["A * B <= n", "pow2(B)", "n / (B - 1) > 0"], {"n": 70})
        self.assertEqual(found, {"A": 32, "B": 2})
        with self.assertRaisesRegex(hone.HoneError, "'device' is not defined.*baseline="):
            first_legal(params, ["A < device.cores"], {})
        with self.assertRaisesRegex(hone.HoneError, "no configuration satisfies the constraints: A < B"):
            first_legal(params, ["A < B"], {})

    def test_options_of_triton_without_effect(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.tuner(do_bench=lambda call, quantiles: 1.0)
        self.assertEqual(["do_bench" in str(warning.message) for warning in caught], [True])

    def test_it_is_triton_s_autotuner_too(self):
        self.assertIsInstance(self.tuner(), triton.runtime.autotuner.Autotuner)

    def test_a_call_costs_little(self):
        """The launch itself is replaced; on the H200, bench/python measures it."""
        args, config = add_arguments(), Config({"BLOCK": 64})
        tuner = self.tuner([config])
        plain = type("Plain", (triton.runtime.jit.KernelInterface,), {"run": lambda self, *args, **kwargs: None})()
        tuner.fn = plain
        tuner[add_grid](*args)
        values = config.all_kwargs()

        def time_of(call):
            best = 1.0
            for _ in range(20):
                begin = time.perf_counter()
                for _ in range(500):
                    call()
                best = min(best, (time.perf_counter() - begin) / 500)
            return best

        over = time_of(lambda: tuner[add_grid](*args)) - time_of(lambda: plain[add_grid](*args, **values))
        self.assertLess(over, 5e-6)


if __name__ == "__main__":
    unittest.main()
