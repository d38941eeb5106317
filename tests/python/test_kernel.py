"""hone.tune_kernel: kernels in C and OpenCL with Kernel Tuner's arguments."""
import contextlib
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy

import hone
from hone import _kernel_objective as objectives
from hone import _kernel_source as sources
from hone._kernel_results import CompilationFailedConfig, ErrorConfig, RuntimeFailedConfig
from hone._kernel_space import Launch, Space, quote
from hone._kernel_trace import evaluate, trace_over
from hone._session import Session
from hone.kernel import run_kernel, tune_kernel

N = 4096
A = numpy.random.default_rng(1).random(N).astype(numpy.float32)
B = numpy.random.default_rng(2).random(N).astype(numpy.float32)
C = numpy.zeros_like(A)

ADD = """
#include <stdio.h>
extern "C" float add(float *c, float *a, float *b, int n) {
  for (int i = 0; i < n; i += STEP)
    for (int j = 0; j < STEP; j++) c[i + j] = a[i + j] + b[i + j];
  for (volatile int wait = 0; wait < WAIT; wait++);
  return 1.0f;
}
"""
OPENCL_ADD = """
__kernel void add(__global float *c, __global const float *a, __global const float *b, int n) {
  int i = get_group_id(0) * block_size_x + get_local_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
"""


def arguments(c=C):
    return [c, A, B, numpy.int32(N)]


def tune(*words, **options):
    return tune_kernel(*words, **{"quiet": True, "confirm": False, "iterations": 3, **options})


def configs(rows, *names):
    return sorted(tuple(row[name] for name in names) for row in rows)


class Opencl(unittest.TestCase):
    def setUp(self):
        found = json.loads(Session().run(["devices", "--format", "json"]))
        if not any(one["backend"] == "opencl" for one in found["devices"]):
            self.skipTest("there is no OpenCL device")


class CFunctions(unittest.TestCase):
    def test_rows_have_the_form_of_kernel_tuner(self):
        """rows and the environment have Kernel Tuner's form; failures are rows"""
        source = ADD.replace("return", """
#if STEP == 3
  c[7] = 99;
#elif STEP == 8
  no C at all
#endif
  return""")
        rows, env = tune("add", source, N, arguments(), {"STEP": [1, 4, 3, 8], "WAIT": [0, 200000]},
                         answer=[A + B, None, None, None], metrics={"GB/s": lambda p: 12 * N / p["time"] / 1e6})
        self.assertEqual(len(rows), 8)
        by_config = {(row["STEP"], row["WAIT"]): row for row in rows}
        good = by_config[4, 0]
        self.assertEqual(list(good)[:8], ["STEP", "WAIT", "time", "times", "compile_time", "verification_time",
                                          "benchmark_time", "GB/s"])
        self.assertLess({"timestamp", "strategy_time", "framework_time"}, set(good))
        self.assertEqual(len(good["times"]), 3)
        self.assertAlmostEqual(good["GB/s"], 12 * N / good["time"] / 1e6)
        self.assertGreater(by_config[4, 200000]["time"], 2 * good["time"])
        self.assertEqual(by_config[3, 0]["time"], "RuntimeFailedConfig")
        self.assertEqual(by_config[3, 0]["outcome"], "wrong_result")
        self.assertIn("c:", by_config[3, 0]["evidence"])
        self.assertIsInstance(by_config[8, 0]["time"], CompilationFailedConfig)
        best = min(rows, key=lambda row: row["time"])
        self.assertEqual(best["WAIT"], 0)
        self.assertEqual(env["best_config"]["WAIT"], 0)
        self.assertEqual(env["iterations"], 3)
        self.assertTrue(env["device_name"])
        self.assertEqual(env["hone"]["answers"], "reference")
        json.dumps(rows)

    def test_the_winner_is_proved(self):
        """with confirmation the verdict is in env"""
        rows, env = tune("add", ADD, N, arguments(), {"STEP": [4], "WAIT": [50000, 0]}, confirm=True,
                         answer=[A + B, None, None, None])
        self.assertEqual(env["hone"]["verdict"], "IMPROVED")
        self.assertEqual(env["hone"]["winner"], {"STEP": 4, "WAIT": 0})
        self.assertIn("confirmed_time", env["best_config"])

    def test_a_file_with_its_headers(self):
        """a .c file, its headers, options of the compiler"""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "twice.h"), "w") as file:
            file.write("#define TWICE(x) (FACTOR * (x))\n")
        path = os.path.join(folder, "twice.c")
        with open(path, "w") as file:
            file.write('#include "twice.h"\nvoid twice(float *restrict y, const float *restrict x, int n)\n'
                       "{\n  for (int i = 0; i < n; i++) y[i] = TWICE(x[i]) * (UNUSED ? 1 : 1);\n}\n")
        rows, _ = tune("twice", path, N, [C, A, numpy.int32(N)], {"UNUSED": [0, 1]}, answer=[2 * A, None, None],
                       compiler_options=["-O1", "-DFACTOR=2"])
        self.assertEqual(sum(isinstance(row["time"], float) for row in rows), 2)

    def test_a_function_without_c_linkage(self):
        """C++ without extern "C"; values that are texts"""
        source = "template <class T> T twice(T x) { return 2 * x; }\nvoid run(TYPE *y, const TYPE *x, int n) " \
                 "{ for (int i = 0; i < n; i++) y[i] = twice(x[i]); }"
        rows, _ = tune("run", source, N, [C, A, numpy.int32(N)], {"TYPE": ["float", "2*8"]}, answer=[2 * A, None, None])
        by_type = {row["TYPE"]: row["time"] for row in rows}
        self.assertIsInstance(by_type["float"], float)
        self.assertEqual(by_type["2*8"], "CompilationFailedConfig")

    def test_verify_runs_in_this_process(self):
        """verify gets the answers, the results and atol"""
        seen = []

        def verify(answer, result, atol=None):
            seen.append((atol, [one is None for one in result]))
            return bool(numpy.isclose(answer[0], numpy.sum(result[0]), rtol=1e-3))

        source = "extern \"C\" void sums(float *s, const float *x, int n) { for (int i = 0; i < 4; i++) { s[i] = 0; " \
                 "for (int j = i; j < n - WRONG; j += 4) s[i] += x[j]; } }"
        rows, env = tune("sums", source, N, [numpy.zeros(4, numpy.float32), A, numpy.int32(N)], {"WRONG": [0, 2000]},
                         answer=[numpy.sum(A), None, None], verify=verify, atol=0.5)
        times = {row["WRONG"]: row["time"] for row in rows}
        self.assertIsInstance(times[0], float)
        self.assertIsInstance(times[2000], RuntimeFailedConfig)
        self.assertEqual(seen[0], (0.5, [False, True, True]))
        self.assertEqual(env["hone"]["answers"], "command")
        self.assertIn("verify returned False", [row for row in rows if row["WRONG"]][0]["evidence"])

    def test_arguments_that_are_written_but_have_no_answer(self):
        """only arguments with an answer are compared"""
        source = ADD.replace("float *b, int n) {", "float *b, int n, float *scratch) { scratch[0] = STEP;")
        source = source.replace("return", "if (STEP == 2) c[0] = -1; return")
        rows, _ = tune("add", source, N, [*arguments(), numpy.zeros(3, numpy.float32)], {"STEP": [1, 2], "WAIT": [0]},
                       answer=[A + B, None, None, None, None])
        times = {row["STEP"]: row for row in rows}
        self.assertIsInstance(times[1]["time"], float)
        self.assertIn("argument 0: 1 of 4096 elements differ; first at [0]: got -1.0", times[2]["evidence"])

    def test_arrays_of_other_types_and_orders(self):
        """complex numbers, Fortran's order, truth values, structs as bytes"""
        source = """
struct pair { int a; float b; };
extern "C" void mixed(float *z, double *f, const bool *t, pair *p) {
  for (int i = 0; i < 2 * 8; i++) z[i] = 2 * z[i];
  for (int i = 0; i < 6; i++) f[i] = f[i] + (t[i] ? 1 : 0) + i;
  p[1].a = 7 + X - X;
}"""
        z = (numpy.arange(8) + 1j).astype(numpy.complex64)
        f = numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3))
        t = numpy.array([True, False, True, True, False, False])
        p = numpy.zeros(2, numpy.dtype([("a", numpy.int32), ("b", numpy.float32)]))
        after_p = p.copy()
        after_p["a"][1] = 7
        after_f = f + (t.astype(float) + numpy.arange(6)).reshape(2, 3, order="F")
        rows, _ = tune("mixed", source, 1, [z, f, t, p], {"X": [1]}, answer=[2 * z, after_f, None, after_p])
        self.assertIsInstance(rows[0]["time"], float, rows)
        result = run_kernel("mixed", source, 1, [z, f, t, p], {"X": 1})
        self.assertTrue((result[0] == 2 * z).all() and (result[1] == after_f).all() and result[3]["a"][1] == 7)
        self.assertEqual(z[1], 1 + 1j)  # the user's arrays stay as they are

    def test_restrictions(self):
        """restrictions that are texts, functions that are expressions, and others"""
        params = {"STEP": [1, 2, 4, 8], "WAIT": [0, 1, 2]}
        expected = [(step, wait) for step in params["STEP"] for wait in params["WAIT"] if step >= 4 and step * wait <= 8]
        for restrictions in (["STEP >= 4", "STEP * WAIT <= 8"],
                             lambda p: p["STEP"] >= 4 and p["STEP"] * p["WAIT"] <= 8,
                             ["STEP >= 4", lambda p: p["STEP"] * p["WAIT"] <= 8]):
            rows, _ = tune("add", ADD, N, arguments(), params, restrictions=restrictions, iterations=1)
            self.assertEqual(configs(rows, "STEP", "WAIT"), expected)

    def test_objectives(self):
        """metrics as objectives: functions, texts, and functions that only Python can evaluate"""
        params = {"STEP": [1, 2], "WAIT": [0, 100000]}
        for metric in (lambda p: p["STEP"] * 1e9 / p["time"] ** 0, "STEP * 1e9 / time ** 0",
                       lambda p: float(f"{p['STEP'] * 1e9}")):
            rows, env = tune("add", ADD, N, arguments(), params, metrics={"points": metric}, objective="points",
                             objective_higher_is_better=True)
            self.assertEqual(env["best_config"]["STEP"], 2)
            self.assertEqual(max(rows, key=lambda row: row["points"])["STEP"], 2)
        with self.assertRaisesRegex(ValueError, "metrics: the objective is a function"):
            tune("add", ADD, N, arguments(), params, metrics={"points": metric}, objective="points",
                 objective_higher_is_better=True, strategy="random_sample")

    def test_strategies(self):
        """strategies by Kernel Tuner's and by Hone's names, with their budgets"""
        params = {"STEP": [1, 2, 4, 8], "WAIT": [0, 10, 20, 30]}
        rows, _ = tune("add", ADD, N, arguments(), params, strategy="random_sample",
                       strategy_options={"max_fevals": 5}, iterations=1)
        self.assertLessEqual(len(rows), 6)  # and the baseline
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            rows, _ = tune("add", ADD, N, arguments(), params, strategy="genetic_algorithm", iterations=1,
                           strategy_options={"max_fevals": 4, "popsize": 3})
        self.assertIn("strategy_options: popsize", str(warned[0].message))

    def test_caches(self):
        """a cache file is continued, read by a simulation, and kept for one kernel"""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        cache = os.path.join(folder, "add")
        first, _ = tune("add", ADD, N, arguments(), {"STEP": [1, 2], "WAIT": [0]}, cache=cache)
        with open(cache + ".json") as file:
            data = json.load(file)
        self.assertEqual(sorted(data["cache"]), ["1,0", "2,0"])
        again, _ = tune("add", ADD, N, arguments(C + 1), {"STEP": [1, 2], "WAIT": [0]}, cache=cache)
        self.assertEqual([row["time"] for row in again], [row["time"] for row in first])
        more, _ = tune("add", ADD, N, arguments(), {"STEP": [1, 2, 4], "WAIT": [0]}, cache=cache)
        self.assertEqual([row["time"] for row in more[:2]], [row["time"] for row in first])
        self.assertEqual(configs(more, "STEP"), [(1,), (2,), (4,)])
        replayed, env = tune("add", ADD, N, arguments(), {"STEP": [1, 2, 4], "WAIT": [0]}, cache=cache,
                             simulation_mode=True)
        self.assertEqual(sorted(row["time"] for row in replayed), sorted(row["time"] for row in more))
        with self.assertRaisesRegex(ValueError, "cache: .* the parameters is"):
            tune("add", ADD, N, arguments(), {"OTHER": [1]}, cache=cache)

    def test_output(self):
        """what is printed: the device, each configuration, the best one"""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tune("add", ADD, N, arguments(), {"STEP": [1, 2], "WAIT": [0]}, quiet=False)
        self.assertRegex(out.getvalue(), r"^Using: .*\nSTEP=1, WAIT=0, time=[\d.]+[mu]s\nSTEP=2.*\nbest for time: STEP=")

    def test_the_store_answers_the_second_call(self):
        """the same kernel and arrays are not measured again"""
        words = ("add", ADD, N, arguments(), {"STEP": [1, 2], "WAIT": [5]})
        first, one = tune(*words)
        second, two = tune(*words)
        self.assertEqual([row["time"] for row in first], [row["time"] for row in second])
        self.assertEqual(one["hone"]["run"], two["hone"]["run"])

    def test_a_folder_is_kept(self):
        """folder keeps what `hone run` needs"""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        tune("add", ADD, N, arguments(), {"STEP": [1], "WAIT": [0]}, folder=folder)
        self.assertLess({"kernel.yaml", "kernel.cpp", "a.npy"}, set(os.listdir(folder)))
        Session().run(["space", os.path.join(folder, "kernel.yaml"), "--count"])


class Errors(unittest.TestCase):
    def expect(self, error, text, **changes):
        words = dict(kernel_name="add", kernel_source=ADD, problem_size=N, arguments=arguments(),
                     tune_params={"STEP": [1], "WAIT": [0]})
        with self.assertRaisesRegex(error, text):
            tune(**{**words, **changes})

    def test_what_is_not_supported_is_named(self):
        """arguments that Hone cannot use are named"""
        self.expect(NotImplementedError, "^texmem_args: ", texmem_args={"t": A})
        self.expect(NotImplementedError, "^observers: ", observers=[object()])
        self.expect(NotImplementedError, "^cmem_args: ", cmem_args={"t": A})
        self.expect(NotImplementedError, "^lang: 'HIP'", lang="HIP")
        self.expect(NotImplementedError, "^compiler: 'nvcc'", compiler="nvcc")
        self.expect(NotImplementedError, "^strategy: an object", strategy=object())
        self.expect(NotImplementedError, "^restrictions: number 0", restrictions=[3])

    def test_what_is_wrong_is_named(self):
        """arguments that are wrong are named"""
        self.expect(TypeError, "^arguments: number 3 is of type int", arguments=[C, A, B, N])
        self.expect(ValueError, "^answer: it has 1 elements", answer=[A + B])
        self.expect(ValueError, "^answer: number 0 has 3 elements", answer=[A[:3], None, None, None])
        self.expect(ValueError, "^strategy: 'x'", strategy="x")
        self.expect(ValueError, "^objective: 'GB/s'", objective="GB/s")
        self.expect(ValueError, "^objective_higher_is_better: ", objective="q", metrics={"q": "time"})
        self.expect(TypeError, "^tune_params: 'STEP' needs a list", tune_params={"STEP": 1, "WAIT": [0]})
        self.expect(ValueError, "^tune_params: there are no", tune_params={})
        self.expect(FileNotFoundError, "^kernel_source: cannot open 'nothing.cu'", kernel_source="nothing.cu")
        self.expect(ValueError, "no configuration is legal", restrictions=lambda p: p["STEP"] > 5 and True)
        self.expect(ValueError, "simulation_mode: it needs a cache", simulation_mode=True)

    def test_nothing_works(self):
        """if no configuration works, the compiler's message is the error"""
        self.expect(hone.HoneError, "none of the|does not|error", kernel_source=ADD.replace("return", "retrun"))

    def test_an_error_in_verify_is_told(self):
        """an exception of verify is the evidence"""
        self.expect(hone.HoneError, "the check failed: KeyError: 'x'", verify=lambda answer, result: {}["x"],
                    answer=[A + B, None, None, None])


class OpenclKernels(Opencl):
    def test_sizes_of_blocks_and_grids(self):
        """launches: problem_size, grid_div, block_size_names, defines, functions"""
        source = """
__kernel void sizes(__global int *x) {
  if (get_global_id(0) + get_global_id(1) == 0) {
    x[0] = get_num_groups(0); x[1] = get_num_groups(1); x[2] = get_local_size(0); x[3] = get_local_size(1);
    x[4] = MACROS;
  }
}"""
        x = numpy.zeros(5, numpy.int32)
        for options, expected in (
                (dict(problem_size=1000), [8, 1, 128, 1]),
                (dict(problem_size=(1000, 7), grid_div_x=["bx * 2", "3"], grid_div_y=[]), [2, 7, 128, 1]),
                (dict(problem_size="bx * 4 + 1", grid_div_x=lambda p: p["bx"]), [5, 1, 128, 1]),
                (dict(problem_size=lambda p: (p["bx"] * 3, p["by"]), grid_div_y=["by"]), [3, 1, 128, 2]),
                (dict(problem_size=lambda p: (int(p["bx"]) + 1, 4), grid_div_y=["by"]), [2, 2, 128, 2])):
            params = {"bx": [128], **({"by": [2]} if expected[3] == 2 else {})}
            kernel = source.replace("MACROS", "grid_size_x * 1000 + bx + 0 * kernel_tuner")
            rows, _ = tune("sizes", kernel, options.pop("problem_size"), [x], params, block_size_names=["bx", "by"],
                           answer=[numpy.array([*expected, expected[0] * 1000 + 128], numpy.int32)], **options)
            self.assertIsInstance(rows[0]["time"], float, rows)
        rows, _ = tune("sizes", source, 128, [x], {"block_size_x": [64, 32]},
                       defines={"MACROS": "TWICE / 2", "TWICE": lambda p: 2 * p["block_size_x"]},
                       verify=lambda answer, result: result[0][4] == result[0][2])
        self.assertEqual([type(row["time"]) for row in rows], [float, float], rows)

    def test_sources_that_are_generated(self):
        """a function that makes the source of each configuration"""
        rows, _ = tune("add", lambda p: OPENCL_ADD.replace("block_size_x", str(p["block_size_x"])), N, arguments(),
                       {"block_size_x": [32, 64], "other": [1, 2]}, lang="OpenCL", answer=[A + B, None, None, None])
        self.assertEqual([type(row["time"]) for row in rows], [float] * 4, rows)

    def test_blocks_that_are_too_large(self):
        """the device's limit of threads is a restriction"""
        rows, _ = tune("add", OPENCL_ADD, N, arguments(), {"block_size_x": [64, 1 << 20]}, answer=[A + B, None, None, None])
        self.assertEqual(configs(rows, "block_size_x"), [(64,)])

    def test_run_kernel(self):
        """run_kernel returns the arguments after one call"""
        result = run_kernel("add", OPENCL_ADD, N, arguments(), {"block_size_x": 64})
        numpy.testing.assert_allclose(result[0], A + B)
        self.assertFalse(C.any())
        with self.assertRaisesRegex(hone.HoneError, "nonsense"):
            run_kernel("add", OPENCL_ADD.replace("int i", "nonsense i"), N, arguments(), {"block_size_x": 64})

    def test_devices_that_do_not_exist(self):
        """a wrong device or platform is named"""
        with self.assertRaisesRegex(ValueError, "^platform: there is no OpenCL platform 7"):
            tune("add", OPENCL_ADD, N, arguments(), {"block_size_x": [64]}, platform=7)
        with self.assertRaisesRegex(ValueError, "^device: there is no opencl device 9"):
            tune("add", OPENCL_ADD, N, arguments(), {"block_size_x": [64]}, device=9)


class Parts(unittest.TestCase):
    def test_functions_as_expressions(self):
        """functions of parameters as expressions, where they are"""
        params = {"x": [1, 2, 64], "y": [3, 5], "t": ["a", "b"]}
        for function in (lambda p: p["x"] / 32, lambda p: -p["x"] ** 2 % 7, lambda p: math.ceil(p["x"] / p["y"]),
                         lambda p: 2 - abs(p["x"] - 3), lambda p: p["t"] == "a", lambda p: numpy.int32(4) * p["x"],
                         lambda p: 5, lambda p: (p["x"] > 1) & (p["y"] < 4)):
            text = trace_over(function, params)
            self.assertIsInstance(text, str)
            for x in params["x"]:
                config = {"x": x, "y": 5, "t": "b"}
                self.assertEqual(evaluate(text, config), function(config))
        self.assertEqual(trace_over(lambda p: (p["x"], 3), params), ["x", "3"])
        for function in (lambda p: p["x"] > 1 and p["y"], lambda p: int(p["x"]), lambda p: max(p["x"], 3),
                         lambda p: p["z"], lambda p: f"{p['x']}", lambda p: p["x"] in (1, 2), lambda p: numpy.ceil(p["x"])):
            self.assertIsNone(trace_over(function, params))

    def test_grids(self):
        """grids are sizes divided by divisors, rounded up"""
        space = Space({"block_size_x": [96], "t": [3]})
        launch = Launch(space, (1000, "t * 5"), (["block_size_x", "t"], None, None))
        values = {"block_size_x": 96, "t": 3}
        self.assertEqual([evaluate(text, values) for text in launch.grid], [4, 15, 1])
        self.assertEqual(launch.block, ["block_size_x", "1", "1"])
        self.assertEqual(Launch(Space({"t": [1]}), 1000, (None, None, None)).grid[0], "ceil(1000)")
        self.assertEqual(Launch(Space({"t": [1]}), 1000, (None, None, None)).block[0], "256")

    def test_functions_of_a_source(self):
        """names of arguments, and those that are only read"""
        text = """
// void f(int comment) { }
void f(float *x);
template <int N> __global__ void __launch_bounds__(128) f(float *out, const double *__restrict__ a, float *b, float *c,
    float (*d)[3], int *e, float *g, int n)
{
  out[n] += b[n] + c[b == c ? 0 : 1] + d[1][2] + (e[0] == 3) + __ldg(&g[n]);
}"""
        function = sources.find_function("f<3>", text)
        self.assertEqual([(one.name, one.is_constant) for one in function.parameters if one.is_pointer],
                         [("out", False), ("a", True), ("b", False), ("c", False), ("d", True), ("e", True), ("g", True)])
        self.assertIsNone(sources.find_function("g", text))
        self.assertIn('extern "C" void h', sources.with_c_linkage("h", "#include <x>\nvoid h(int a) {}"))

    def test_languages(self):
        """languages are detected"""
        for text, language in (("__global__ void f() {}", "cuda"), ("__kernel void f() {}", "opencl"), ("void f() {}", "c")):
            self.assertEqual(sources.find_language(None, text), language)
        self.assertEqual(sources.find_language("cupy", ""), "cuda")

    def test_values(self):
        """values of parameters in a spec"""
        self.assertEqual([quote(value) for value in (3, numpy.int64(4), 0.5, True, "2*8", "it's")],
                         [3, 4, 0.5, True, "'2*8'", '"it\'s"'])
        with self.assertRaises(TypeError):
            quote((1, 2))

    def test_errors_are_behind_all_numbers(self):
        """failed configurations are behind all others"""
        self.assertEqual(min([ErrorConfig(), 3.0, ErrorConfig(), 2.0, numpy.float64(5)]), 2.0)
        self.assertEqual(max([ErrorConfig(True), 3.0, ErrorConfig(True)]), 3.0)
        self.assertEqual([*sorted([RuntimeFailedConfig(), 1.0, 0.5])], [0.5, 1.0, "RuntimeFailedConfig"])
        self.assertEqual(json.dumps(RuntimeFailedConfig()), '"RuntimeFailedConfig"')

    def test_objectives_of_a_spec(self):
        """objectives and metrics in a spec"""
        metrics = {"GFLOP/s": lambda p: 2 * p["n"] / p["time"], "half": lambda p: p["GFLOP/s"] / 2, "text": "n / time"}
        aims = objectives.Objective("half", True, None, metrics, ["n"])
        self.assertEqual(aims.spec(), {"metrics": {"half": "((((2 * n) / time_ms)) / 2)"}, "maximise": "half"})
        aims = objectives.Objective(["time", "GFLOP/s"], None, None, metrics, ["n"])
        self.assertEqual(aims.spec()["objective"], ["time", {"maximise": "GFLOP/s"}])
        self.assertEqual(objectives.Objective(None, None, None, {}, []).spec(), {"objective": "time"})
        for name, expected in (("pso", "auto"), ("dual annealing", "annealing"), (None, "exhaustive"), ("climb", "climb")):
            self.assertEqual(objectives.find_strategy(name), expected)


class BesideKernelTuner(unittest.TestCase):
    def test_the_same_call(self):
        """the same call of Kernel Tuner has the same rows, keys and best configuration"""
        folder = os.environ.get("HONE_KERNEL_TUNER") or os.path.join(
            os.path.dirname(os.environ.get("HONE_PROGRAM", "")), "..", "kernel-tuner-venv")
        python = os.path.join(folder, "bin", "python")
        done = subprocess.run([python, "-c", "import kernel_tuner"], stderr=subprocess.DEVNULL) if os.path.exists(python) else None
        if done is None or done.returncode:
            self.skipTest("Kernel Tuner is not installed: HONE_KERNEL_TUNER names its virtual environment")
        script = f"""
import json, numpy, sys
from MODULE import tune_kernel
n = {N}
a = numpy.arange(n, dtype=numpy.float32)
source = {ADD!r}.replace("return 1.0f", "return WAIT / 1e3f + 1")  # Kernel Tuner takes what it returns as the time
rows, env = tune_kernel("add", source, n, [numpy.zeros_like(a), a, a, numpy.int32(n)],
                        {{"STEP": [1, 4], "WAIT": [300000, 100000, 0]}}, restrictions=["STEP == 4 or WAIT > 0"],
                        answer=[a + a, None, None, None], metrics={{"x": lambda p: p["time"] * 2}}, lang="C", quiet=True)
json.dump([rows, min(rows, key=lambda row: row["time"]), sorted(env)], sys.stdout, default=str)
"""
        outputs = []
        for module in ("kernel_tuner", "hone"):
            done = subprocess.run([python, "-c", script.replace("MODULE", module)], stdout=subprocess.PIPE, text=True, check=True,
                                  cwd=os.environ.get("TMPDIR", "/tmp"))
            outputs.append(json.loads(done.stdout[done.stdout.index("[[{"):]))
        (theirs, their_best, their_env), (ours, our_best, our_env) = outputs
        self.assertEqual(configs(theirs, "STEP", "WAIT"), configs(ours, "STEP", "WAIT"))
        self.assertEqual(set(theirs[0]) - set(ours[0]), set())
        self.assertEqual((their_best["STEP"], their_best["WAIT"]), (our_best["STEP"], our_best["WAIT"]))
        self.assertEqual({"device_name", "iterations", "compiler_options"} - set(our_env), set())


if __name__ == "__main__":
    unittest.main()
