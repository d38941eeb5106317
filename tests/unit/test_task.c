/* A spec's settings with their values, and what the C backend tells its workers of them. */
#include "wire/packed_json.h"
#include "backend/backend.h"
#include "base/npy.h"
#include "backend/task.h"
#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] = "void f(const float *x, float *y, int n) { y[0] = x[0] * BM + n; }\n";

static const char spec_head[] = "name: t\n"
                                "file: kernel.c\n"
                                "problem: {M: [256, 1024], N: 512}\n"
                                "params: {BM: [16, 32, 64], ALGO: [direct, 'a,b'], FAST: [True, "
                                "False], $CHUNK: [1, 2]}\n"
                                "derived: {TILE: BM * 2, PAD: N + 8}\n"
                                "constraints: [BM < 64 or M > 256]\n";
static const char args[] = "entry: f\n"
                           "args:\n"
                           "- {name: x, type: f32, shape: [N, PAD]}\n"
                           "- {name: y, type: f32, shape: N / 2, role: out}\n"
                           "- {name: n, type: i32, value: M * CHUNK}\n";

struct world {
  struct hone_spec *spec;
  struct hone_space *space;
  struct hone__task task;
  bool ready;
};

static void load_options(struct world *world, const char *head, const char *yaml, size_t problem)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  const char *files[] = {path_of("t.yaml")};
  char text[4096];
  hone_status status;

  *world = (struct world){0};
  snprintf(text, sizeof text, "%s%s", head, yaml);
  write_text("t.yaml", text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &world->spec);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  hone_space_options_init(&space_options);
  space_options.problem = problem;
  status = hone_space_build(world->spec, &space_options, &world->space);
  assert_null(status);
}

static void load(struct world *world, const char *yaml, size_t problem)
{
  hone_status status;

  load_options(world, spec_head, yaml, problem);
  status = hone__task_init(&world->task, world->spec, world->space);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  world->ready = true;
}

static void unload(struct world *world)
{
  if (world->ready) hone__task_release(&world->task);
  hone_space_free(world->space);
  hone_spec_free(world->spec);
}

static void expect_message(hone_status status, const char *words)
{
  const char *message = status ? hone_status_message(status) : "no error";

  if (!strstr(message, words)) print_message("no '%s' in:\n%s\n", words, message);
  assert_non_null(strstr(message, words));
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  hone_status_free(status);
}

static void expect_bad_task(const char *yaml, const char *words)
{
  struct world world;

  load_options(&world, spec_head, yaml, 0);
  expect_message(hone__task_init(&world.task, world.spec, world.space), words);
  unload(&world);
}

static void expect_bad_setup(const char *yaml, const char *words)
{
  struct world world;
  struct hone__message setup;

  load(&world, yaml, 0);
  expect_message(world.task.backend->driver.describe(&world.task, &setup), words);
  assert_null(setup.head);
  unload(&world);
}

static json_t *describe(struct world *world, struct hone__message *setup)
{
  hone_status status = world->task.backend->driver.describe(&world->task, setup);

  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  return hone__packed_json(setup->head);
}

static void release_setup(struct hone__message *setup)
{
  hone__packed_drop(setup->head);
  hone__text_release(&setup->payload);
}

static json_t *candidate_at(struct world *world, const char *config)
{
  uint32_t row[16];
  struct hone__packed *candidate;
  hone_status status = hone_space_parse(world->space, config, row);

  assert_null(status);
  status = world->task.backend->driver.candidate(&world->task, row, &candidate);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  return hone__packed_json(candidate);
}

static void expect_json(const json_t *json, const char *expected)
{
  json_t *other = json_loads(expected, JSON_DECODE_ANY, NULL);
  char *text;

  assert_non_null(other);
  if (!json_equal(json, other)) {
    text = json_dumps(json, JSON_ENCODE_ANY);
    print_message("got %s\nexpected %s\n", text, expected);
    free(text);
  }
  assert_true(json_equal(json, other));
  json_decref(other);
}

/* ---- Tasks ---- */

static void test_baseline(void **state)
{
  struct world world;
  char *config;

  (void)state;
  load(&world, "baseline: {BM: M // 8, ALGO: 'a,b', FAST: no, CHUNK: 2}\n", 0);
  assert_true(world.task.baseline_given);
  config = hone__task_config(&world.task, world.task.baseline);
  assert_string_equal(config, "BM=32,ALGO='a,b',FAST=False,CHUNK=2");
  free(config);
  assert_string_equal(world.task.problem, "M=256 N=512");
  assert_string_equal(world.task.folder, folder);
  assert_int_equal(world.task.seed, 42);
  assert_true(world.task.check);
  unload(&world);
}

static void test_baseline_of_each_problem(void **state)
{
  static const char yaml[] = "search: {seed: 7}\ncheck: {enabled: false}\n"
                             "baseline:\n- {BM: 16, ALGO: direct, FAST: yes, $CHUNK: 1}\n"
                             "- {BM: 64, ALGO: direct, FAST: yes, $CHUNK: 1}\n";
  struct world world;
  char *config;

  (void)state;
  load(&world, yaml, 1);
  config = hone__task_config(&world.task, world.task.baseline);
  assert_string_equal(config, "BM=64,ALGO=direct,FAST=True,CHUNK=1");
  free(config);
  assert_int_equal(world.task.seed, 7);
  assert_false(world.task.check);
  unload(&world);
}

static void test_no_baseline(void **state)
{
  struct world world;
  char *config;

  (void)state;
  load(&world, "", 0);
  assert_false(world.task.baseline_given);
  config = hone__task_config(&world.task, world.task.baseline);
  assert_string_equal(config, "BM=16,ALGO=direct,FAST=True,CHUNK=1");
  free(config);
  unload(&world);
}

static void test_configs_can_be_parsed(void **state)
{
  struct world world;
  uint32_t row[16], again[16];

  (void)state;
  load(&world, "", 1);
  for (uint64_t i = 0; i < hone_space_count(world.space); i++) {
    char *config;
    assert_true(hone_space_at(world.space, i, row));
    config = hone__task_config(&world.task, row);
    assert_null(hone_space_parse(world.space, config, again));
    assert_memory_equal(row, again, hone_space_width(world.space) * sizeof *row);
    free(config);
  }
  unload(&world);
}

static void test_bad_tasks(void **state)
{
  (void)state;
  expect_bad_task("baseline: {BM: 64, ALGO: direct, FAST: no, CHUNK: 1}\n",
                  "t.yaml:7:11: error: the baseline is not legal for M=256 N=512: "
                  "'BM < 64 or M > 256' is not true (BM=64, M=256)");
}

static void test_no_configuration(void **state)
{
  struct world world;
  hone_status status;

  (void)state;
  load_options(&world, spec_head, "rules: [BM > 100]\n", 0);
  status = hone__task_init(&world.task, world.spec, world.space);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_non_null(strstr(hone_status_message(status), "no legal configuration for M=256 N=512"));
  hone_status_free(status);
  unload(&world);
}

static void test_files_without_backend(void **state)
{
  struct world world;

  (void)state;
  load_options(&world, "name: t\nfile: k.cl\nparams: {A: [1, 2]}\n", "derived: {B: A}\n", 0);
  expect_message(hone__task_init(&world.task, world.spec, world.space),
                 "t.yaml:2:7: error: no backend for 'k.cl'; known suffixes: c (.c .cc .cpp");
  unload(&world);
  load_options(&world, "name: t\nparams: {A: [1, 2]}\n", "derived: {B: A}\n", 0);
  expect_message(hone__task_init(&world.task, world.spec, world.space), "no 'file'");
  unload(&world);
}

static void test_evaluating(void **state)
{
  static const char yaml[] = "metrics: {rate: TILE * M / time_us, odd: 1 // (BM - 16),\n"
                             "  use: power_w, rest: energy_j}\n"
                             "launch: {global: [TILE, PAD, M - 1]}\n"
                             "build: {flags: [-O2]}\n";
  const struct hone__node *sizes;
  struct hone_value value;
  const struct hone__task_measured measured = {.time_ns = 2000, .energy = {NAN, 450}};
  struct world world;
  uint32_t row[16];
  double metric;

  (void)state;
  load(&world, yaml, 0);
  sizes = hone__task_setting(&world.task, "launch.global");
  assert_null(hone_space_parse(world.space, "BM=32,ALGO=direct,FAST=no,CHUNK=1", row));
  assert_true(hone__task_depends_on_row(&world.task, sizes->items[0]));
  assert_false(hone__task_depends_on_row(&world.task, sizes->items[1]));
  assert_null(hone__task_evaluate(&world.task, row, sizes->items[0], &value));
  assert_int_equal(value.integer, 64);
  assert_null(hone__task_evaluate(&world.task, NULL, sizes->items[1], &value));
  assert_int_equal(value.integer, 520);
  expect_message(hone__task_evaluate(&world.task, NULL, sizes->items[0], &value), "t.yaml:9:19");
  assert_true(hone__task_metric(&world.task, row, &world.spec->metrics[0], &measured, &metric));
  assert_true(metric > 8191.99 && metric < 8192.01);
  assert_true(hone__task_metric(&world.task, row, &world.spec->metrics[2], &measured, &metric));
  assert_true(metric > 449.99 && metric < 450.01); /* as measured, whatever the time is */
  assert_false(hone__task_metric(&world.task, row, &world.spec->metrics[3], &measured, &metric));
  assert_true(hone_space_at(world.space, 0, row));
  assert_false(hone__task_metric(&world.task, row, &world.spec->metrics[1], &measured, &metric));
  assert_null(hone__task_setting(&world.task, "build.flags.x"));
  assert_null(hone__task_setting(&world.task, "nothing"));
  unload(&world);
}

/* ---- Setups ---- */

static void test_setup(void **state)
{
  struct hone__message setup;
  struct world world;
  json_t *head;
  char real[4096];

  (void)state;
  load(&world, args, 0);
  head = describe(&world, &setup);
  assert_non_null(realpath(folder, real));
  assert_string_equal(json_string_value(json_object_get(head, "folder")), real);
  assert_string_equal(json_string_value(json_object_get(head, "entry")), "f");
  assert_true(json_integer_value(json_object_get(head, "memory_bytes")) > 1 << 20);
  expect_json(json_object_get(head, "cache"), "\"\"");
  expect_json(json_object_get(head, "args"),
              "[{\"name\": \"x\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [512, 520],"
              "  \"fill\": {\"kind\": \"auto\"}},"
              " {\"name\": \"y\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [256],"
              "  \"rtol\": 1e-4, \"atol\": 1e-5},"
              " {\"name\": \"n\", \"type\": \"i32\", \"scalar\": true}]");
  expect_json(json_object_get(head, "check"), "{\"enabled\": true, \"rtol\": 1e-4, \"atol\": 1e-5, "
                                              "\"ratio\": 0.0, \"answers\": \"sampled\"}");
  expect_json(json_object_get(json_object_get(head, "reference"), "kind"), "\"object\"");
  release_setup(&setup);
  unload(&world);
}

static void test_fills(void **state)
{
  static const char yaml[] =
      "entry: elsewhere\n"
      "args:\n"
      "- {name: a, type: i32, shape: [4], range: [0, N - 1]}\n"
      "- {name: b, type: f64, shape: [4], role: inout, fill: {kind: uniform, low: -1.5, high: N}}\n"
      "- {name: c, type: u8, shape: [4]}\n"
      "- {name: d, type: i64, shape: [4], value: 7}\n"
      "- {name: e, type: u16, shape: [2], fill: file, file: e.bin}\n"
      "check: {rtol: 1e-3, max_mismatched_ratio: 0.5, command: [./judge, 'a b']}\n"
      "reference: {command: \"python3 'my ref.py' x\"}\n"
      "measure: {cache: cold}\n"
      "build: {timeout: 1m}\n";
  struct hone__message setup;
  struct world world;
  json_t *head, *list, *file;

  (void)state;
  write_file("e.bin", "\1\0\2\0", 4);
  load(&world, yaml, 0);
  head = describe(&world, &setup);
  list = json_object_get(head, "args");
  expect_json(json_object_get(json_array_get(list, 0), "fill"),
              "{\"kind\": \"auto\", \"low\": 0, \"high\": 511}");
  expect_json(json_object_get(json_array_get(list, 1), "fill"),
              "{\"kind\": \"uniform\", \"low\": -1.5, \"high\": 512}");
  expect_json(json_object_get(json_array_get(list, 2), "fill"), "{\"kind\": \"auto\"}");
  expect_json(json_object_get(json_array_get(list, 3), "fill"),
              "{\"kind\": \"constant\", \"value\": 7}");
  file = json_object_get(json_object_get(json_array_get(list, 4), "fill"), "file");
  expect_json(json_object_get(file, "format"), "\"bin\"");
  assert_int_equal(json_integer_value(json_object_get(file, "size")), 4);
  assert_memory_equal(setup.payload.data + json_integer_value(json_object_get(file, "offset")),
                      "\1\0\2\0", 4);
  expect_json(json_object_get(head, "check"),
              "{\"enabled\": true, \"rtol\": 1e-3, \"atol\": 1e-12, \"ratio\": 0.5,"
              " \"answers\": \"sampled\", \"command\": [\"./judge\", \"a b\"], \"limit_s\": 60.0}");
  expect_json(json_object_get(head, "reference"),
              "{\"kind\": \"command\", \"argv\": [\"python3\", \"my ref.py\", \"x\"]}");
  expect_json(json_object_get(head, "cache"), "\"cold\"");
  expect_json(json_object_get(head, "build"), "{\"timeout_s\": 60.0}");
  release_setup(&setup);
  unload(&world);
}

/* Inputs are the same as long as nothing that they are made of changes. */
static void test_inputs_key(void **state)
{
  struct hone__message setup, other;
  struct world world;

  (void)state;
  load(&world, args, 0);
  describe(&world, &setup);
  unload(&world);
  load(&world,
       "check: {rtol: 1}\nentry: f\nargs:\n- {name: x, type: f32, shape: [N, N + 8]}\n"
       "- {name: y, type: f32, shape: N / 2, role: out}\n"
       "- {name: n, type: i32, value: 5}\n",
       1);
  describe(&world, &other);
  assert_true(json_equal(json_object_get(hone__packed_json(setup.head), "inputs_key"),
                         json_object_get(hone__packed_json(other.head), "inputs_key")));
  release_setup(&other);
  world.task.seed++;
  describe(&world, &other);
  assert_false(json_equal(json_object_get(hone__packed_json(setup.head), "inputs_key"),
                          json_object_get(hone__packed_json(other.head), "inputs_key")));
  release_setup(&other);
  release_setup(&setup);
  unload(&world);
}

static void write_npy(void)
{
  static const float values[] = {1, 2};
  struct hone__text bytes = {0};

  hone__npy_header(HONE__ELEMENT_F32, (const size_t[]){2}, 1, &bytes);
  hone__text_addn(&bytes, (const char *)values, sizeof values);
  write_file("y.npy", bytes.data, bytes.length);
  hone__text_release(&bytes);
}

static void test_references(void **state)
{
  static const char yaml[] = "entry: elsewhere\nargs: [{name: y, type: f32, shape: 2, role: out}]\n"
                             "reference: {files: [y.npy]}\n";
  struct hone__message setup;
  struct world world;
  json_t *reference, *candidate;

  (void)state;
  write_npy();
  load(&world, yaml, 0);
  reference = json_object_get(describe(&world, &setup), "reference");
  expect_json(json_object_get(reference, "kind"), "\"files\"");
  assert_int_equal(json_array_size(json_object_get(reference, "files")), 1);
  release_setup(&setup);
  world.task.check = false;
  describe(&world, &setup);
  expect_json(json_object_get(hone__packed_json(setup.head), "reference"), "{\"kind\": \"none\"}");
  release_setup(&setup);
  unload(&world);

  write_text("ref.cpp", "extern \"C\" void g(float *y) { y[0] = 1; }\n");
  load(&world,
       "entry: elsewhere\nargs: [{name: y, type: f32, shape: 2, role: out}]\n"
       "build: {flags: [-O1], defines: {DEBUG: 1}}\n"
       "reference: {file: ref.cpp, entry: g}\n",
       0);
  reference = json_object_get(describe(&world, &setup), "reference");
  candidate = json_object_get(reference, "candidate");
  expect_json(json_object_get(candidate, "entry"), "\"g\"");
  expect_json(json_object_get(candidate, "compiler"), "\"c++\"");
  expect_json(json_object_get(candidate, "flags"), "[\"-O1\"]");
  expect_json(json_object_get(candidate, "defines"),
              "[[\"M\", \"256\"], [\"N\", \"512\"], [\"DEBUG\", \"1\"]]");
  release_setup(&setup);
  unload(&world);
}

static void test_bad_setups(void **state)
{
  static const struct {
    const char *yaml, *words;
  } cases[] = {
      {"entry: f\nargs: [{name: x, type: f32, shape: [N, BM]}]\n",
       "t.yaml:8:40: error: the shape of 'x' depends on 'BM'; arguments are shared by all "
       "candidates: give its largest size; only 'role: out' and 'role: scratch' may depend on "
       "parameters"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [TILE], role: inout}]\n", "depends on 'TILE'"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [N, BM], role: out}]\n",
       "t.yaml:8:36: error: the shape of 'x' depends on parameters, so its elements cannot be "
       "compared one by one"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [BM - 16], role: out}]\n"
       "check: {reduce: sum}\n",
       "a size of 'x' is 0, for"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [4], role: out, symbol: 'a b'}]\n",
       "'a b' is not the name of an array"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [4], role: out, surface: true}]\n",
       "backend 'c' does not support arguments with 'surface': OpenCL has 'image', others have the "
       "tensor alone"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N / 3, role: out}]\n", "not an integer"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N - M * 2, role: out}]\n", "at least 1"},
      {"entry: f\nargs: [{name: x, type: f32, shape: [N ** 3, N ** 3], role: out}]\n", "too many"},
      {"entry: f\nargs: [{name: x, type: i32, shape: N}, {name: y, type: f32, shape: 1, role: "
       "out}]\n",
       "t.yaml:8:8: error: 'x' holds integers but has no range: give 'range: [low, high]'"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N}]\n", "no argument is an output"},
      {"entry: f\n", "no argument is an output"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N, role: inout, value: BM}]\n",
       "the value of 'x' depends on 'BM'"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N, role: inout, fill: {kind: uniform, low: "
       "1}}]\n",
       "'low' and 'high' of 'x' belong together"},
      {"entry: f\nargs: [{name: x, type: f32, shape: N, role: inout, fill: file, file: no.bin}]\n",
       "no.bin': no such file"},
      {"entry: f\nargs: [{name: x, type: f32, shape: 8, role: inout, fill: file, file: e.bin}]\n",
       "'e.bin' has 4 bytes, but 'x' takes 32"},
      {"entry: f\nargs: [{name: x, type: f32, shape: 8, role: inout, fill: file, file: y.npy}]\n",
       "'y.npy' holds 2 elements, but 'x' has 8"},
      {"entry: f\nargs: [{name: x, type: i8, shape: 2, role: out}]\nreference: {files: [y.npy]}\n",
       "'y.npy' holds f32, but 'x' is i8"},
      {"entry: f\nargs: [{name: x, type: i8, shape: 2, role: out}]\n"
       "reference: {files: [y.npy, y.npy]}\n",
       "2 files for 1 output"},
      {"entry: f\nargs: [{name: x, type: i8, shape: 2, role: out}]\nreference: {file: no.c}\n",
       "t.yaml:9:19: error: cannot open"},
      {"entry: f\nargs: [{name: x, type: i8, shape: 2, role: out}]\n"
       "build: {command: 'cc {source} -o x'}\n",
       "t.yaml:9:18: error: 'build.command' needs {output}"},
      {"entry: f\nargs: [{name: x, type: i8, shape: 2, role: out}]\n"
       "build: {command: \"cc 'x {output}\"}\n",
       "a quote is not closed"},
  };

  (void)state;
  write_file("e.bin", "\1\0\2\0", 4);
  write_npy();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_bad_setup(cases[i].yaml, cases[i].words);
}

/* ---- Entries that the spec does not name ---- */

static void expect_entry(const char *source, const char *entry)
{
  struct hone__message setup;
  struct world world;
  json_t *head, *candidate;

  write_text("kernel.c", source);
  load(&world, "args: [{name: x, type: f32, shape: [N], role: out}]\n", 0);
  head = describe(&world, &setup);
  expect_json(json_object_get(head, "entry"), entry);
  candidate = candidate_at(&world, "BM=32,ALGO='a,b',FAST=no,CHUNK=2");
  expect_json(json_object_get(candidate, "entry"), entry);
  json_decref(candidate);
  release_setup(&setup);
  unload(&world);
}

static void expect_no_entry(const char *source, const char *words)
{
  struct hone__message setup = {0};
  struct world world;

  write_text("kernel.c", source);
  load(&world, "args: [{name: x, type: f32, shape: [N], role: out}]\n", 0);
  expect_message(world.task.backend->driver.describe(&world.task, &setup), words);
  release_setup(&setup);
  unload(&world);
}

static void test_only_function(void **state)
{
  (void)state;
  expect_entry("static float half(float a) { return a / 2; }\nvoid scale(float *x) {}\n",
               "\"scale\"");
  expect_no_entry("void a(float *x) {}\n\nvoid b(float *x) {}\n",
                  "t.yaml:2:7: error: no 'entry', and 'kernel.c' has 2 functions that may be the "
                  "kernel: 'a' (line 1), 'b' (line 3); name one of them, as in 'entry: a'");
  expect_no_entry("#define F scale\nvoid F(float *x) {}\n",
                  "no 'entry': name the function to call, as in 'entry: sgemm'");
  expect_no_entry("MAKE(float) {}\nvoid a(float *x) {}\n",
                  "as in 'entry: a'; macros in 'kernel.c' may hide others than 'a' (line 2)");
  expect_no_entry("void a(int x) {} void b(int x) {} void c(int x) {} void d(int x) {}\n"
                  "void e(int x) {} void f(int x) {} void g(int x) {} void h(int x) {}\n"
                  "void i(int x) {}",
                  "'h' (line 2) and 1 more; name one");
  write_text("kernel.c", kernel);
}

/* A reference without `entry` is its file's only function, or has the kernel's name. */
static void test_only_function_of_a_reference(void **state)
{
  static const struct {
    const char *reference, *entry;
  } cases[] = {
      {"void expected(float *x) {}\n", "\"expected\""},
      {"void helper(float *x) {}\nvoid other(float *x) {}\n", "\"scale\""},
      {"#define MAKE(name) void name(float *x)\nMAKE(scale) {}\nvoid g(int a) {}\n", "\"scale\""},
      {"#include \"rest.h\"\nvoid helper(float *x) {}\n", "\"scale\""},
  };
  struct hone__message setup;
  struct world world;

  (void)state;
  write_text("kernel.c", "void scale(float *x) {}\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_text("ref.c", cases[i].reference);
    load(&world, "args: [{name: x, type: f32, shape: [N], role: out}]\nreference: {file: ref.c}\n",
         0);
    describe(&world, &setup);
    expect_json(
        json_object_get(json_object_get(json_object_get(hone__packed_json(setup.head), "reference"),
                                        "candidate"),
                        "entry"),
        cases[i].entry);
    release_setup(&setup);
    unload(&world);
  }
  write_text("kernel.c", kernel);
}

/* ---- Candidates ---- */

static void test_candidate(void **state)
{
  static const char yaml[] = "entry: f\n"
                             "build:\n"
                             "  flags: [-O3, '-DWIDTH={BM}', '{ALGO}', '-x{nothing}']\n"
                             "  includes: [include, /opt/x]\n"
                             "  defines: {DEBUG: yes, LEVEL: 1.50, WORD: a b}\n"
                             "args:\n"
                             "- {name: x, type: f32, shape: [N], role: inout}\n"
                             "- {name: m, type: i32, value: M * CHUNK}\n"
                             "- {name: s, type: f64, value: 2}\n"
                             "- {name: FAST, type: bool, value: FAST}\n"
                             "- {name: u, type: u64, value: 18446744073709551615}\n"
                             "- {name: h, type: f32, value: 1e-3}\n";
  struct world world;
  json_t *candidate;
  char expected[4096], real[2048];

  (void)state;
  load(&world, yaml, 0);
  assert_non_null(realpath(folder, real));
  candidate = candidate_at(&world, "BM=32,ALGO='a,b',FAST=no,CHUNK=2");
  expect_json(json_object_get(candidate, "flags"),
              "[\"-O3\", \"-DWIDTH=32\", \"a,b\", \"-x{nothing}\"]");
  expect_json(json_object_get(candidate, "defines"),
              "[[\"BM\", \"32\"], [\"ALGO\", \"a,b\"], [\"TILE\", \"64\"], [\"PAD\", \"520\"],"
              " [\"M\", \"256\"], [\"N\", \"512\"], [\"DEBUG\", \"1\"], [\"LEVEL\", \"1.50\"],"
              " [\"WORD\", \"a b\"]]");
  expect_json(json_object_get(candidate, "values"),
              "[512, 2.0, 0, \"18446744073709551615\", 0.001]");
  expect_json(json_object_get(candidate, "language"), "\"c\"");
  expect_json(json_object_get(candidate, "compiler"), "\"cc\"");
  snprintf(expected, sizeof expected, "\"%s/kernel.c\"", real);
  expect_json(json_object_get(candidate, "source"), expected);
  snprintf(expected, sizeof expected, "[\"%s/include\", \"/opt/x\"]", real);
  expect_json(json_object_get(candidate, "includes"), expected);
  json_decref(candidate);
  unload(&world);
}

static void expect_bad_scalar(const char *arg, const char *words)
{
  struct world world;
  struct hone__packed *candidate;
  char yaml[512];

  snprintf(yaml, sizeof yaml, "entry: f\nargs: [{name: x, %s}]\n", arg);
  load(&world, yaml, 0);
  expect_message(world.task.backend->driver.candidate(&world.task, world.task.baseline, &candidate),
                 words);
  assert_null(candidate);
  unload(&world);
}

static void test_bad_scalars(void **state)
{
  (void)state;
  expect_bad_scalar("type: i32, value: M * 2 ** 24",
                    "argument 'x' is 4294967296, which is not a valid i32");
  expect_bad_scalar("type: u8, value: -1", "which is not a valid u8");
  expect_bad_scalar("type: i16, value: N / 3", "which is not a valid i16");
  expect_bad_scalar("type: f32, value: ALGO",
                    "argument 'x' is 'direct', which is not a valid f32, for BM=");
  expect_bad_scalar("type: i32, value: M // (BM - 16)", "division by zero");
}

static bool same_key(struct world *world, const char *a, const char *b)
{
  json_t *x = candidate_at(world, a), *y = candidate_at(world, b);
  bool same = json_equal(json_object_get(x, "key"), json_object_get(y, "key"));

  json_decref(x);
  json_decref(y);
  return same;
}

/* What the source cannot see makes no other candidate; what the call gets does. */
static void test_candidate_keys(void **state)
{
  struct world world;

  (void)state;
  write_text("kernel.c", kernel);
  load(&world, args, 0);
  assert_true(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=16,ALGO='a,b',FAST=yes,CHUNK=1"));
  assert_false(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=32,ALGO=direct,FAST=no,CHUNK=1"));
  assert_false(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=16,ALGO=direct,FAST=no,CHUNK=2"));
  write_text("kernel.c", "#include \"x.h\"\n");
  assert_false(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=16,ALGO=direct,FAST=yes,CHUNK=1"));
  write_text("kernel.c", "#define J(a, b) a##b\nint x = J(FA, ST);\n");
  assert_false(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=16,ALGO=direct,FAST=yes,CHUNK=1"));
  assert_true(
      same_key(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1", "BM=16,ALGO='a,b',FAST=no,CHUNK=1"));
  unload(&world);
  write_text("kernel.c", kernel);
}

/* Sizes and derived values stay away from names that the source has itself; knobs do not. */
static void test_declared_names(void **state)
{
  struct world world;
  json_t *candidate;

  (void)state;
  write_text("kernel.c", "enum { TILE = 2 * BM };\nvoid f(float *y, int M) { y[0] = M * N; }\n");
  load(&world, args, 0);
  candidate = candidate_at(&world, "BM=16,ALGO=direct,FAST=no,CHUNK=1");
  expect_json(json_object_get(candidate, "defines"),
              "[[\"BM\", \"16\"], [\"ALGO\", \"direct\"], [\"FAST\", \"0\"],"
              " [\"PAD\", \"520\"], [\"N\", \"512\"]]");
  json_decref(candidate);
  unload(&world);
  write_text("kernel.c", kernel);
}

static void test_missing_source(void **state)
{
  struct world world;
  struct hone__packed *candidate;
  uint32_t row[16];

  (void)state;
  load_options(&world, "file: gone.c\nparams: {A: [1, 2]}\nentry: f\n", "derived: {B: A}\n", 0);
  assert_null(hone__task_init(&world.task, world.spec, world.space));
  world.ready = true;
  hone_space_at(world.space, 0, row);
  expect_message(world.task.backend->driver.candidate(&world.task, row, &candidate),
                 "t.yaml:1:7: error: cannot open");
  unload(&world);
}

static int begin(void **state)
{
  if (make_folder(state) != 0) return -1;
  write_text("kernel.c", kernel);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_baseline_of_each_problem),
      cmocka_unit_test(test_no_baseline),
      cmocka_unit_test(test_configs_can_be_parsed),
      cmocka_unit_test(test_bad_tasks),
      cmocka_unit_test(test_no_configuration),
      cmocka_unit_test(test_files_without_backend),
      cmocka_unit_test(test_evaluating),
      cmocka_unit_test(test_setup),
      cmocka_unit_test(test_fills),
      cmocka_unit_test(test_inputs_key),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_bad_setups),
      cmocka_unit_test(test_only_function),
      cmocka_unit_test(test_only_function_of_a_reference),
      cmocka_unit_test(test_candidate),
      cmocka_unit_test(test_bad_scalars),
      cmocka_unit_test(test_candidate_keys),
      cmocka_unit_test(test_declared_names),
      cmocka_unit_test(test_missing_source),
  };

  return cmocka_run_group_tests(tests, begin, remove_folder);
}
