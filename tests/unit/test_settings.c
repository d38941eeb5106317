/* Settings are checked when a spec is loaded: what a person reads then. */
#include "folder.h"
#include "spec/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* The parameters and sizes that the cases below use. */
static const char prelude[] = "name: t\n"
                              "problem: {M: [256, 1024], N: 512}\n"
                              "params: {BM: [16, 32, 64], ALGO: [direct, packed], ONE: 1}\n"
                              "derived: {TILE: BM * 2}\n";

static hone_status load(const char *head, const char *yaml, struct hone_spec **out_spec)
{
  const char *files[] = {path_of("t.yaml")};
  struct hone_spec_options options;
  struct hone__text text = {0};

  hone__text_add(&text, head);
  hone__text_add(&text, yaml);
  write_text("t.yaml", text.data);
  hone__text_release(&text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  return hone_spec_load(&options, out_spec);
}

static void expect_fine(const char *head, const char *yaml)
{
  struct hone_spec *spec;
  hone_status status = load(head, yaml, &spec);

  if (status) print_message("%s\n%s\n", yaml, hone_status_message(status));
  assert_null(status);
  assert_string_equal(hone_spec_warnings(spec), "");
  hone_spec_free(spec);
}

static size_t count_errors(const char *message)
{
  size_t count = 0;

  while ((message = strstr(message, ": error: ")))
    count++, message++;
  return count;
}

/* Every line of `words` is part of an error, and there are no other errors. */
static void expect_errors(const char *yaml, const char *words)
{
  struct hone_spec *spec;
  hone_status status = load(prelude, yaml, &spec);
  const char *message = status ? hone_status_message(status) : "no error";
  char *copy = strdup(words), *rest = copy, *line;
  size_t count = 0;

  while ((line = strsep(&rest, "\n"))) {
    if (!strstr(message, line)) print_message("%s\nhas no '%s':\n%s\n", yaml, line, message);
    assert_non_null(strstr(message, line));
    count++;
  }
  if (count_errors(message) != count) print_message("%s\n%s\n", yaml, message);
  assert_int_equal(count_errors(message), count);
  free(copy);
  hone_status_free(status);
  hone_spec_free(spec);
}

struct error_case {
  const char *yaml, *words;
};

static void expect_all(const struct error_case *cases, size_t count)
{
  for (size_t i = 0; i < count; i++)
    expect_errors(cases[i].yaml, cases[i].words);
}
#define EXPECT_ALL(cases) expect_all(cases, sizeof(cases) / sizeof *(cases))

/* ---- What is allowed ---- */

static void test_full_example(void **state)
{
  (void)state;
  expect_fine("", "name: sgemm\n"
                  "file: sgemm.c\n"
                  "problem: {M: [256, 1024], N: 512, K: 512}\n"
                  "params:\n"
                  "  BM: [16, 32, 64, 128]\n"
                  "  BN: range(16, 129, 16)\n"
                  "  UNROLL: [1, 2, 4, 8]\n"
                  "  ALGO: [direct, packed]\n"
                  "derived: {TILE: BM * BN}\n"
                  "constraints:\n"
                  "  - M % BM == 0 and N % BN == 0\n"
                  "  - (BM + BN) * K * 4 <= device.cache_bytes\n"
                  "baseline: {BM: 32, BN: 32, UNROLL: 1, ALGO: direct}\n"
                  "build: {flags: [-O3, -march=native], timeout: 60s}\n"
                  "entry: sgemm\n"
                  "args:\n"
                  "  - {name: A, type: f32, shape: [M, K], fill: uniform}\n"
                  "  - {name: B, type: f32, shape: [K, N], fill: uniform}\n"
                  "  - {name: C, type: f32, shape: [M, N], role: out}\n"
                  "  - {name: m, type: i32, value: M}\n"
                  "launch: {grid: [N / BN, M / BM], block: [BM, 8]}\n"
                  "reference: {file: sgemm_ref.c, entry: sgemm_ref}\n"
                  "check: {rtol: 1e-2, atol: 1e-2, max_mismatched_ratio: 0}\n"
                  "measure: {cache: hot, timeout: auto}\n"
                  "search: {strategy: auto, budget: 5m, seed: 42}\n"
                  "metrics: {GFLOP/s: 2 * M * N * K / time_ns}\n"
                  "objective: time\n");
}

static void test_variants_are_allowed(void **state)
{
  static const char *const variants[] = {
      "backend: cuda",
      "build: {command: 'mycc -o {out}', timeout: 1.5, includes: [a, b]}",
      "build: {command: [mycc, -o, x], timeout: 500ms, defines: {A: 1, B: text, C: yes}}",
      "run: {command: ./bench, prefix: [taskset, '1'], timeout: 1h30m}",
      "args: [{name: a, type: u8, shape: N, fill: {kind: integer, low: 0, high: N}}]",
      "args: [{name: a, type: i32, shape: [N], fill: integer, range: [0, N]}]",
      "args: [{name: a, type: bf16, shape: [TILE, BM], fill: constant, value: 0.5}]",
      "args: [{name: a, type: f8e4m3, shape: [N], fill: {kind: file, file: a.npy}}]",
      "args: [{name: a, type: f64, shape: [0x10, 'min(N, 8)'], role: inout, fill: zero}]",
      "args: [{name: a, type: bool, value: true}, {name: b, type: f32, value: 1e-3}]",
      "launch: {global: [N, M], local: BM, shared: BM * 4}",
      "launch: {global: N}",
      "launch: {grid: [N / BM, M], block: [BM], cluster: [2, 1], shared: BM * 4}",
      "entry: gemm<BM, 4, float>",
      "entry: 'ns::gemm<(BM + 1), ns::tag<float>, true>'",
      "entry: ns::f",
      "args: [{name: t, type: f32, local: BM * 4}]",
      "args: [{name: p, struct: [{type: i32, value: M}, {name: b, type: bool, value: true}]}]",
      ("args: [{name: A, type: f16, shape: [M, N]}, {name: m, tensor_map: {of: A, box: [64, BM], "
       "swizzle: BM * 2, sizes: [N, M], l2: 128, interleave: 0, fill: nan}}]"),
      "measure: {energy: true}",
      "constraints: [built.registers <= 128 or BM == 16, built.spills == 0]",
      "reference: baseline",
      "reference: {command: [./ref, --out, x.npy]}",
      "reference: {files: [c.npy, d.npy]}",
      "check: {enabled: no, command: ./judge}",
      "measure: {cache: cold, timeout: 2, repeat: 7, warmup: 0}",
      "search: {strategy: surrogate, budget: 500, batch: 8}",
      "search: {strategy: ordered, order: [-BM, not pow2(BM)], seeds: [{BM: 32}]}",
      "search: {order: BM}",
      "measure: {clock: cpu}",
      "build: {limits: [vgpr_count <= 256 and spill_bytes == 0]}",
      "iree: {dispatch: a.mlir, digest: 12, target: gfx942, flags: [--x], choice: {a: [1]}}",
      "iree: {bindings: [{offset: 0, size: 64, type: f16, read: true, written: false}]}",
      "metrics: {work: 2 * TILE * M / time_s, constant: 4}\nmaximise: work",
      "metrics: {time per row: time_us / BM}\nminimise: time per row",
      "minimise: time",
      "objective: [time]",
      "objective: [energy, time]",
      "metrics: {work: M / time_s}\nobjective: {maximise: work}",
      "metrics: {work: M / time_s, size: BM * 4}\nobjective: [{maximise: work}, {minimise: size}, "
      "energy]",
      "baseline: {BM: 16, ALGO: packed}",
      "baseline: [{BM: 16, ALGO: packed}, {BM: 64, ALGO: direct, ONE: 1}]",
      "baseline: {BM: 'min(M, 64)', ALGO: direct}",
      "metadata: [anything, {at: all}]\nentry: f",
      "args: [{name: off, type: i32, value: 0}]\n"
      "stages: [{entry: f, args: [off], values: {off: 4}}]",
      "build: &flags {flags: [-O3]}\nentry: f",
      "args: []\nbuild: {}",
  };

  (void)state;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    expect_fine(prelude, variants[i]);
}

static void test_kbench_files_are_not_checked(void **state)
{
  (void)state;
  expect_fine("", "name: t\nparams: [{A: [1, 2], $B: 3}]\nmetadata: {build: wrong}\n");
}

static void test_metrics_are_kept(void **state)
{
  struct hone_spec *spec;
  hone_status status = load(prelude, "metrics: {GB/s: 4 * M / time_ns, x: BM}", &spec);

  (void)state;
  assert_null(status);
  assert_int_equal(spec->metric_count, 2);
  assert_string_equal(spec->metrics[0].name, "GB/s");
  assert_string_equal(spec->metrics[0].text, "4 * M / time_ns");
  assert_non_null(spec->metrics[0].expr);
  assert_string_equal(spec->metrics[1].name, "x");
  hone_spec_free(spec);
}

/* ---- What is not ---- */

static void test_wrong_types(void **state)
{
  static const struct error_case cases[] = {
      {"backend: [c]", "'backend' takes c, program, opencl, cuda, hip, iree or sim, not a list"},
      {"build: -O3", "'build' takes a mapping, not '-O3'"},
      {"build:", "'build' takes a mapping, not nothing"},
      {"build: {flags: -O3}", "'flags' is a list of text, not '-O3'"},
      {"build: {flags: [-O3, 5]}", "'flags' is a list of text, not 5; in quotes it is text"},
      {"build: {compiler: [cc]}", "'compiler' takes text, not a list"},
      {"build: {compiler: ''}", "'compiler' takes text, not ''"},
      {"build: {defines: {A: [1]}}", "'A' takes text, true or false or a number, not a list"},
      {"run: 5", "'run' takes a mapping, not 5"},
      {"entry: {a: 1}", "'entry' takes a name, not a mapping"},
      {"entry: 2fast", "'entry' takes a name, not '2fast'"},
      {"entry: yes", "'entry' takes a name, not yes; in quotes it is text"},
      {"args: {name: a}", "'args' is a list of mappings, not a mapping"},
      {"args: [a]", "'args' is a list of mappings, not 'a'"},
      {"args: [{name: a, type: f32, shape: {}}]", "'shape' takes an integer of at least 1 or"},
      {"args: [{name: a, type: f32, shape: [1.5]}]", "or an expression, not 1.5"},
      {"args: [{name: a, type: f32, shape: ['[1, 2]']}]", "or an expression, not '[1, 2]'"},
      {"args: [{name: a, type: f32, shape: [N], fill: 5}]", "file or a mapping, not 5"},
      {"args: [{name: a, type: i32, shape: N, range: 5}]",
       "'range' is a list of numbers or expressions, not 5"},
      {"args: [{name: a, type: f32, value: [1]}]", "'value' takes true or false, a number or an"},
      {"launch: [1]", "'launch' takes a mapping, not a list"},
      {"launch: {grid: true, block: 1}", "'grid' takes an integer of at least 1 or an expression"},
      {"reference: [a.npy]", "'reference' takes baseline or a mapping, not a list"},
      {"supply: {}", "'supply' needs 'command' or 'file'"},
      {"supply: {command: x, file: y.c}", "'file' cannot be combined with 'command'"},
      {"check: {command: x, file: y.c}", "'file' cannot be combined with 'command'"},
      {"reference: {file: 5}", "'file' takes text, not 5"},
      {"reference: {files: c.npy}", "'files' is a list of text, not 'c.npy'"},
      {"check: true", "'check' takes a mapping, not true"},
      {"check: {rtol: small}", "'rtol' takes a number of at least 0, not 'small'"},
      {"check: {enabled: 1}", "'enabled' takes true or false, not 1"},
      {"measure: hot", "'measure' takes a mapping, not 'hot'"},
      {"measure: {repeat: 1.5}", "'repeat' takes an integer of at least 1, not 1.5"},
      {"search: random", "'search' takes a mapping, not 'random'"},
      {"search: {order: [BM, ZZ + 1]}", "unknown name 'ZZ'"},
      {"search: {seeds: {BM: 32}}", "'seeds' is a list of mappings, not a mapping"},
      {"search: {seeds: [{BM: [32]}]}", "'BM' takes one value here, not a list"},
      {"build: {limits: [a b]}", "unexpected 'b'"},
      {"measure: {clock: sun}", "'clock' takes wall or cpu, not 'sun'"},
      {"iree: {bindings: [{sise: 1}]}", "unknown key 'sise' in 'bindings'; did you mean 'size'?"},
      {"search: {seed: abc}", "'seed' takes an integer of at least 0, not 'abc'"},
      {"metrics: time_ns", "'metrics' takes a mapping, not 'time_ns'"},
      {"metrics: {a: [1]}", "expected an expression, found a list"},
      {"metrics: {a: '\"x\"'}", "'a' takes a number or an expression, not '\"x\"'"},
      {"objective: [[time]]", "'objective' takes text or a mapping, not a list"},
      {"objective: []", "'objective' takes at least 1 element, not 0"},
      {"objective: [time, 5]", "'objective' takes text or a mapping, not 5"},
      {"objective: {}", "an objective is a metric, or {maximise: METRIC}"},
      {"metrics: {a: 1, b: 2, c: 3}\nobjective: [time, a, b, c]",
       "'objective' takes at most 3 elements, not 4"},
      {"metrics: {a: 1}\nobjective: [time, {maximise: [a]}]", "'maximise' takes text, not a list"},
      {"maximise: 5", "'maximise' takes text, not 5"},
      {"baseline: 5", "'baseline' takes a mapping, not 5"},
      {"baseline: {BM: [16], ALGO: direct}", "'BM' takes one value here, not a list"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_unknown_keys(void **state)
{
  static const struct error_case cases[] = {
      {"build: {flag: [-O3]}", "unknown key 'flag' in 'build'; did you mean 'flags'?"},
      {"run: {comand: x}", "unknown key 'comand' in 'run'; did you mean 'command'?"},
      {"args: [{name: a, type: f32, shpe: [N], value: 1}]",
       "unknown key 'shpe' in 'args'; did you mean 'shape'?"},
      {"args: [{name: a, type: f32, shape: N, fill: {kind: one, lo: 1}}]",
       "unknown key 'lo' in 'fill'; did you mean 'low'?"},
      {"launch: {grids: 1}", "unknown key 'grids' in 'launch'; did you mean 'grid'?"},
      {"reference: {file: a.c, entri: f}", "unknown key 'entri' in 'reference'; did you mean"},
      {"check: {rtoll: 1}", "unknown key 'rtoll' in 'check'; did you mean 'rtol'?"},
      {"measure: {cahce: hot}", "unknown key 'cahce' in 'measure'; did you mean 'cache'?"},
      {"search: {bugdet: 5m}", "unknown key 'bugdet' in 'search'; did you mean 'budget'?"},
      {"search: {xyzzy: 1}", "unknown key 'xyzzy' in 'search', which takes 'strategy', 'budget', "
                             "'seed', 'batch', 'order', "
                             "'seeds'"},
      {"entry: f\nmaximize: x", "unknown key 'maximize'; did you mean 'maximise'?"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_bad_words(void **state)
{
  static const struct error_case cases[] = {
      {"backend: cude", "not 'cude'; did you mean 'cuda'?"},
      {"args: [{name: a, type: f33, value: 1}]", "not 'f33'; did you mean 'f32'?"},
      {"args: [{name: a, type: f32, shape: N, fill: unifrom}]",
       "not 'unifrom'; did you mean 'uniform'?"},
      {"args: [{name: a, type: f32, shape: N, fill: {kind: nromal}}]",
       "not 'nromal'; did you mean 'normal'?"},
      {"args: [{name: a, type: f32, shape: N, role: input}]",
       "'role' takes in, out, inout or scratch, not 'input'; did you mean 'inout'?"},
      {"reference: basline", "not 'basline'; did you mean 'baseline'?"},
      {"measure: {cache: warm}", "'cache' takes hot or cold, not 'warm'"},
      {"measure: {cache: clod}", "not 'clod'; did you mean 'cold'?"},
      {"search: {strategy: aneealing}", "not 'aneealing'; did you mean 'annealing'?"},
      {"metrics: {speed: 1 / time_s}\nobjective: sped",
       "unknown metric 'sped'; did you mean 'speed'?"},
      {"metrics: {speed: 1 / time_s}\nmaximise: spede",
       "unknown metric 'spede'; did you mean 'speed'?"},
      {"objective: tiem", "unknown metric 'tiem'; did you mean 'time'?"},
      {"maximise: time", "time is minimised; only a metric can be maximised"},
      {"objective: [time, enregy]", "unknown metric 'enregy'; did you mean 'energy'?"},
      {"metrics: {speed: 1 / time_s}\nobjective: [time, {maximise: sped}]",
       "unknown metric 'sped'; did you mean 'speed'?"},
      {"objective: [{maximise: energy}, time]", "energy is minimised; only a metric can be"},
      {"objective: [time, {smallest: time}]", "unknown key 'smallest' in 'objective'"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_bad_durations_and_ranges(void **state)
{
  static const struct error_case cases[] = {
      {"build: {timeout: soon}",
       "'timeout' takes a duration (500ms, 60s, 5m) or a number of seconds, not 'soon'"},
      {"build: {timeout: 5x}", "or a number of seconds, not '5x'"},
      {"build: {timeout: 0s}", "or a number of seconds, not '0s'"},
      {"build: {timeout: -3}", "or a number of seconds, not -3"},
      {"run: {timeout: 5 m}", "or a number of seconds, not '5 m'"},
      {"measure: {timeout: auot}",
       "'timeout' takes auto, a duration (500ms, 60s, 5m) or a number of seconds, not 'auot'; "
       "did you mean 'auto'?"},
      {"search: {budget: 2.5}",
       "'budget' takes an integer of at least 1 or a duration (500ms, 60s, 5m), not 2.5"},
      {"search: {budget: 0}", "or a duration (500ms, 60s, 5m), not 0"},
      {"check: {max_mismatched_ratio: 2}",
       "'max_mismatched_ratio' takes a number from 0 to 1, not 2"},
      {"check: {atol: -1e-2}", "'atol' takes a number of at least 0, not '-1e-2'"},
      {"check: {atol: .nan}", "'atol' takes a number of at least 0, not .nan"},
      {"args: [{name: a, type: f32, shape: [N, 0]}]", "or an expression, not 0"},
      {"args: [{name: a, type: f32, shape: [N, 4 - 8]}]", "or an expression, not '4 - 8'"},
      {"args: [{name: a, type: f32, shape: []}]", "'shape' takes at least 1 element, not 0"},
      {"args: [{name: a, type: f32, shape: N, range: [1]}]", "takes exactly 2 elements, not 1"},
      {"args: [{name: a, type: f32, shape: N, range: [5, 1]}]", "empty range"},
      {"launch: {global: [1, 2, 3, 4]}", "'global' takes at most 3 elements, not 4"},
      {"launch: {global: 1 // 0}", "division by zero"},
      {"metrics: {a: 1 % 0}", "in '1 % 0'"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_names_in_expressions(void **state)
{
  static const struct error_case cases[] = {
      {"metrics: {a: 1 / time_n}", "unknown name 'time_n'; did you mean 'time_ns'?"},
      {"launch: {global: [BMM, N]}", "unknown name 'BMM'; did you mean 'BM'?"},
      {"launch: {global: [time_ns]}", "unknown name 'time_ns'"},
      {"args: [{name: a, type: f32, shape: [TYLE]}]", "unknown name 'TYLE'; did you mean 'TILE'?"},
      {"args: [{name: a, type: i32, shape: N, fill: integer, range: [0, BM]}]",
       "unknown name 'BM'"},
      {"args: [{name: a, type: i32, value: M +}]", ": error: "},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_keys_that_depend_on_each_other(void **state)
{
  static const struct error_case cases[] = {
      {"launch: {grid: 1, local: 1}",
       "'local' cannot be combined with 'grid'\n'grid' needs 'block'\n"
       "'local' needs 'global'"},
      {"launch: {block: 8}", "'block' needs 'grid'"},
      {"reference: {file: a.c, command: ./x}", "'command' cannot be combined with 'file'"},
      {"reference: {entry: f}", "'entry' needs 'file'"},
      {"reference: {}", "'reference' needs 'file', 'command' or 'files'"},
      {"reference: {files: [c.txt]}", "'files' is a list of .npy files"},
      {"metrics: {a: 1}\nobjective: time\nmaximise: a",
       "'maximise' cannot be combined with 'objective'"},
      {"metrics: {a: 1}\nobjective: [time, a]\nmaximise: a",
       "'maximise' cannot be combined with 'objective'"},
      {"metrics: {a: 1}\nobjective: [time, {maximise: a, minimise: a}]",
       "'minimise' cannot be combined with 'maximise'"},
      {"objective: [time, energy, time]", "'time' is already an objective"},
      {"metrics: {a: 1}\nobjective: [a, {maximise: a}]", "'a' is already an objective"},
      {"metrics: {a: power_w, b: 1 / energy_j}\nobjective: [energy, a, b]",
       "all objectives depend on energy, which is measured once"},
      {"metrics: {time_ns: 1}", "'time_ns' is a measured quantity: give the metric another name"},
      {"args: [{type: f32, shape: N}]", "'name' is missing in 'args'"},
      {"args: [{name: a, shape: N}]", "'type' is missing in 'args'"},
      {"args: [{name: a, type: f32}]", "argument 'a' needs a 'shape' (a tensor) or a 'value'"},
      {"args: [{name: a, type: f32, shape: N, local: 4}]",
       "'local' cannot be combined with 'shape'"},
      {"args: [{name: a, local: 4}]", "'type' is missing in 'args'"},
      {"args: [{name: a, type: f32, local: 4, role: out}]", "'role' has no effect on local memory"},
      {"args: [{name: a, type: f32, struct: [{type: f32, value: 1}]}]",
       "'type' cannot be combined with 'struct': its members have types and values"},
      {"args: [{name: a, struct: []}]", "'struct' takes at least 1 element, not 0"},
      {"args: [{name: a, struct: [{type: f32}, {value: 1}]}]",
       "'value' is missing in 'struct'\n'type' is missing in 'struct'"},
      {"args: [{name: a, type: f32, value: 1}, {name: m, tensor_map: {of: a, box: 4}}]",
       "no argument is a tensor named 'a'"},
      {"args: [{name: m, tensor_map: {of: b, box: 4}}]", "no argument is a tensor named 'b'"},
      {"args: [{name: a, type: f32, shape: N}, {name: m, tensor_map: {of: a}}]",
       "'box' is missing in 'tensor_map'"},
      {"args: [{name: a, type: f32, shape: N}, {name: m, role: in, tensor_map: {of: a, box: 1}}]",
       "'role' cannot be combined with 'tensor_map'"},
      {"launch: {cluster: 2}", "'cluster' needs 'grid'"},
      {"entry: 'gemm<BM'", "'entry' takes a name, not 'gemm<BM'; a template of C++ is written"},
      {"entry: 'f<1>; int x'", "'entry' takes a name, not 'f<1>; int x'"},
      {"entry: 'f<BM>g'", "'entry' takes a name"},
      {"entry: '<BM>'", "'entry' takes a name"},
      {"metrics: {a: built.registers}",
       "unknown name 'built.registers'; build costs are known only in constraints"},
      {"constraints: ['built.registers + [1] < 2']", "type error"},
      {"args: [{name: a, type: f32, value: 1, fill: one}]",
       "'fill' is for tensors, but this argument has no 'shape'"},
      {"args: [{name: a, type: f32, value: 1, role: out}]", "a scalar can only be an input"},
      {"args: [{name: a, type: f32, shape: N, fill: one, role: out}]", "'fill' applies to inputs"},
      {"args: [{name: a, type: f32, shape: N, fill: {kind: auto}, range: [1, 2]}]",
       "'range' belongs in the mapping under 'fill'"},
      {"args: [{name: a, type: f32, shape: N, fill: constant}]", "fill 'constant' needs 'value'"},
      {"args: [{name: a, type: f32, shape: N, fill: {kind: file}}]", "fill 'file' needs 'file'"},
      {"args: [{name: a, type: f32, shape: N, fill: {kind: zero, low: 1}}]",
       "'low' has no effect with fill 'zero'"},
      {"args: [{name: a, type: f32, value: 1}, {name: a, type: f32, value: 2}]",
       "duplicate argument 'a'"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_baseline(void **state)
{
  static const struct error_case cases[] = {
      {"baseline: {BMM: 16, ALGO: direct}",
       "unknown parameter 'BMM' in 'baseline'; did you mean 'BM'?"},
      {"baseline: {BM: 17, ALGO: direct}", "parameter 'BM' has no value '17'; it has 16, 32, 64"},
      {"baseline: {BM: 16, ALGO: driect}",
       "parameter 'ALGO' has no value 'driect'; it has direct, packed; did you mean 'direct'?"},
      {"baseline: {ALGO: direct}", "'baseline' gives no value for parameter 'BM'"},
      {"baseline: [{BM: 16, ALGO: direct}]", "1 baseline for 2 problems"},
  };

  (void)state;
  EXPECT_ALL(cases);
}

static void test_all_errors_are_reported(void **state)
{
  (void)state;
  expect_errors("build: {flags: -O3, timeout: soon, flag: 1}\n"
                "entry: 5\n"
                "args:\n"
                "  - {name: a, type: f99, shape: [X]}\n"
                "  - {name: b, type: f32}\n"
                "search: {strategy: best, budget: 5q}\n"
                "metrics: {a: nothing / time_ns}\n"
                "maximise: b\n"
                "baseline: {BM: 5, ALGO: x}\n",
                ":5:16: error: 'flags' is\n"
                ":5:30: error: 'timeout' takes\n"
                ":5:36: error: unknown key 'flag'\n"
                ":6:8: error: 'entry' takes\n"
                ":8:21: error: 'type' takes\n"
                ":8:34: error: unknown name 'X'\n"
                ":9:5: error: argument 'b' needs\n"
                ":10:20: error: 'strategy' takes\n"
                ":10:34: error: 'budget' takes\n"
                ":11:14: error: unknown name 'nothing'\n"
                ":12:11: error: unknown metric 'b'\n"
                ":13:16: error: parameter 'BM'\n"
                ":13:25: error: parameter 'ALGO'");
}

#define STAGES                                                                                     \
  "args:\n"                                                                                        \
  "- {name: x, type: f32, shape: [N]}\n"                                                           \
  "- {name: t, type: f32, shape: [N], role: scratch}\n"                                            \
  "- {name: u, type: f64, shape: [N], role: scratch}\n"                                            \
  "- {name: n, type: i32, value: N}\n"                                                             \
  "stages:\n"

static void test_stages(void **state)
{
  static const struct error_case cases[] = {
      {STAGES "- {}", ":11:3: error: a stage needs 'entry' (a kernel) or 'repeat' (a loop)"},
      {STAGES "- {entry: f, args: [x, y]}", ":11:24: error: no argument is named 'y'"},
      {STAGES "- {entry: f, values: {x: 1}}", "'x' is not a scalar: 'values' are those of scalars"},
      {STAGES "- {entry: f, args: [x], values: {n: 1}}", "'n' is not one of this stage's 'args'"},
      {STAGES "- {entry: f, values: {n: BMM}}", "unknown name 'BMM'; did you mean 'BM'?"},
      {STAGES "- {entry: f, repeat: 2, stages: [{entry: f}]}",
       "'repeat' cannot be combined with 'entry'"},
      {STAGES "- {host: s.c, args: [x]}", "'host' needs 'entry'"},
      {STAGES "- {host: s.c, entry: f, launch: {global: 1}}",
       ":11:33: error: 'launch' is for kernels: the host calls this stage's function once"},
      {"args:\n- {name: m, type: f32, local: 4}\nstages:\n- {host: s.c, entry: f, args: [m]}",
       "'m' is 'local', which a function on the host cannot take: name the others in 'args' of "
       "this stage"},
      {"args:\n- {name: m, type: f32, local: 4}\nstages:\n- {host: s.c, entry: f}",
       "'m' is 'local', which a function on the host cannot take"},
      {STAGES "- {repeat: 2}", "'repeat' needs 'stages'"},
      {STAGES "- {repeat: 2, stages: []}", "'stages' takes at least 1 element, not 0"},
      {STAGES "- {repeat: 2, stages: [{entrys: f}]}",
       "unknown key 'entrys' in 'stages'; did you mean 'entry'?"},
      {STAGES "- {repeat: 2, swap: [x], stages: [{entry: f}]}",
       "'swap' takes exactly 2 elements, not 1"},
      {STAGES "- {repeat: 2, swap: [x, u], stages: [{entry: f}]}",
       "'swap' takes two tensors of one type and shape: 'x' and 'u' differ"},
      {STAGES "- {repeat: 2, swap: [x, x], stages: [{entry: f}]}", "not 'x' twice"},
      {STAGES "- {repeat: 2, index: BM, stages: [{entry: f}]}",
       ":11:22: error: 'BM' has a meaning already: give the index another name"},
      {STAGES "- {repeat: 2, index: i, stages: [{entry: f, when: i > 0}]}\n"
              "- {entry: f, when: i > 0}",
       ":12:20: error: unknown name 'i'"},
      {STAGES "- {entry: f}\nentry: g", "'entry' cannot be combined with 'stages'"},
      {STAGES "- {entry: f}\nlaunch: {global: 1}", "'launch' cannot be combined with 'stages'"},
      {"stages: {entry: f}", "'stages' is a list of"},
      {"args: [{name: t, type: f32, shape: [N], role: scratch, fill: zero}]",
       "'fill' applies to inputs; what 'scratch' holds before a call is random"},
  };

  (void)state;
  expect_all(cases, sizeof cases / sizeof *cases);
  expect_fine(prelude, STAGES
              "- {entry: f, name: first, args: [x, t, n], values: {n: BM + TILE}, when: BM > 16}\n"
              "- repeat: M // BM\n"
              "  index: i\n"
              "  swap: [x, t]\n"
              "  stages:\n"
              "  - {entry: 'g<BM>', launch: {grid: i + 1, block: BM}, when: true}\n"
              "  - {repeat: i, index: k, stages: [{entry: h, values: {n: i * k}}]}\n");
}

static void test_durations(void **state)
{
  static const struct {
    const char *text;
    double seconds; /* 0: no duration */
  } cases[] = {{"500ms", 0.5}, {"60s", 60}, {"5m", 300}, {"1.5h", 5400}, {"1h30m", 5400},
               {"20us", 2e-5}, {"", 0},     {"5", 0},    {"s", 0},       {"-5s", 0},
               {"0x5s", 0},    {"5ss", 0},  {"nans", 0}, {"5s ", 0},     {"1h30", 0}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double seconds = 0;
    assert_int_equal(hone__duration_parse(cases[i].text, &seconds), cases[i].seconds > 0);
    if (cases[i].seconds > 0) assert_true(fabs(seconds / cases[i].seconds - 1) < 1e-12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_example),
      cmocka_unit_test(test_variants_are_allowed),
      cmocka_unit_test(test_kbench_files_are_not_checked),
      cmocka_unit_test(test_metrics_are_kept),
      cmocka_unit_test(test_wrong_types),
      cmocka_unit_test(test_unknown_keys),
      cmocka_unit_test(test_bad_words),
      cmocka_unit_test(test_bad_durations_and_ranges),
      cmocka_unit_test(test_names_in_expressions),
      cmocka_unit_test(test_keys_that_depend_on_each_other),
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_all_errors_are_reported),
      cmocka_unit_test(test_stages),
      cmocka_unit_test(test_durations),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
