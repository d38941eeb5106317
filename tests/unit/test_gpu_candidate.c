/* What a spec says of a kernel on a GPU, as the workers get it: launch sizes, arguments of all
 * kinds. No device is needed. */
#include "wire/packed_json.h"
#include "backend/gpu/gpu_candidate.h"
#include "backend/kernel/kernel_values.h"
#include "backend/kernel/pipeline.h"
#include "folder.h"
#include "unpacked.h"

#include <unistd.h>

static const char head[] = "name: t\n"
                           "file: k.c\n"
                           "problem: {M: 256, N: 512}\n"
                           "params: {BM: [16, 32, 64], BN: [0, 8]}\n"
                           "derived: {TILE: BM * 2}\n"
                           "baseline: {BM: 32, BN: 8}\n";

struct world {
  struct hone_spec *spec;
  struct hone_space *space;
  struct hone__task task;
  struct hone__backend backend;
  struct hone__kernel_kind kind;
};

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__build_source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  (void)source;
  return hone__gpu_complete(origin, row, arena, candidate);
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__build_source_text *source, const char *from,
                     struct hone__digester *digester)
{
  (void)candidate, (void)source, (void)from, (void)digester;
}

/* As if the spec were one of this backend, which need not be here. */
static void open_world(struct world *world, const char *backend, const char *yaml)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  const char *files[] = {path_of("t.yaml")};
  struct hone__text text = {0};
  hone_status status;

  *world = (struct world){.kind = {.backend = backend,
                                   .complete = complete,
                                   .identify = identify,
                                   .functions = HONE__FUNCTIONS_C,
                                   .launch = hone__gpu_stage_launch}};
  hone__text_addf(&text, "%s%s", head, yaml);
  write_text("t.yaml", text.data);
  hone__text_release(&text);
  hone_spec_options_init(&options);
  options.files = files;
  options.file_count = 1;
  status = hone_spec_load(&options, &world->spec);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(world->spec, &space_options, &world->space));
  assert_null(hone__task_init(&world->task, world->spec, world->space));
  world->backend = *world->task.backend;
  world->backend.name = backend;
  world->task.backend = &world->backend;
}

static void close_world(struct world *world)
{
  hone__task_release(&world->task);
  hone_space_free(world->space);
  hone_spec_free(world->spec);
}

static hone_status make(struct world *world, const char *config, json_t **out_candidate)
{
  const struct hone__kernel_kind *kind =
      strcmp(world->kind.backend, "c") == 0 ? &hone__kernel_kind_c : &world->kind;
  struct hone__packed *packed = NULL;
  uint32_t row[16];
  hone_status status;

  assert_null(hone_space_parse(world->space, config, row));
  status = hone__kernel_candidate(&world->task, row, kind, &packed);
  *out_candidate = hone__packed_json(packed);
  return status;
}

static void expect_json(const json_t *json, const char *expected)
{
  json_t *other = json_loads(expected, JSON_DECODE_ANY, NULL);
  char *text = json_dumps(json, JSON_ENCODE_ANY | JSON_SORT_KEYS);

  assert_non_null(other);
  if (!json_equal(json, other)) print_message("%s\nis not\n%s\n", text, expected);
  assert_true(json_equal(json, other));
  free(text);
  json_decref(other);
}

static void expect_message(hone_status status, const char *words)
{
  const char *message = status ? hone_status_message(status) : "no error";

  if (!strstr(message, words)) print_message("no '%s' in:\n%s\n", words, message);
  assert_non_null(strstr(message, words));
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  hone_status_free(status);
}

/* `key` of the candidate with BM=32 and BN=8. */
static void expect_part(const char *backend, const char *yaml, const char *key,
                        const char *expected)
{
  struct world world;
  json_t *candidate = NULL;
  hone_status status;

  open_world(&world, backend, yaml);
  status = make(&world, "BM=32,BN=8", &candidate);
  if (status) print_message("%s\n%s\n", yaml, hone_status_message(status));
  assert_null(status);
  expect_json(json_object_get(candidate, key), expected);
  json_decref(candidate);
  close_world(&world);
}

static void expect_bad(const char *backend, const char *yaml, const char *config, const char *words)
{
  struct world world;
  json_t *candidate = NULL;

  open_world(&world, backend, yaml);
  expect_message(make(&world, config, &candidate), words);
  assert_null(candidate);
  close_world(&world);
}

/* ---- Launch ---- */

#define ENTRY "entry: f\n"

static void test_launch(void **state)
{
  (void)state;
  expect_part("cuda", ENTRY "launch: {grid: [M / BM, N // 8], block: [BM, 2], shared: BM * 4}\n",
              "launch",
              "{\"dimensions\": 2, \"global\": [256, 128, 1], \"local\": [32, 2, 1],"
              " \"cluster\": [1, 1, 1], \"shared\": 128}");
  expect_part("cuda", ENTRY "launch: {grid: 8, block: 32, cluster: [2]}\n", "launch",
              "{\"dimensions\": 1, \"global\": [256, 1, 1], \"local\": [32, 1, 1],"
              " \"cluster\": [2, 1, 1], \"shared\": 0}");
  expect_part("opencl", ENTRY "launch: {global: [M - 1, N, 2], local: TILE}\n", "launch",
              "{\"dimensions\": 3, \"global\": [255, 512, 2], \"local\": [64, 1, 1],"
              " \"cluster\": [1, 1, 1], \"shared\": 0}");
  expect_part("cuda", ENTRY "launch: {global: M - 1, local: BM}\n", "launch",
              "{\"dimensions\": 1, \"global\": [256, 1, 1], \"local\": [32, 1, 1],"
              " \"cluster\": [1, 1, 1], \"shared\": 0}");
  expect_part("opencl", ENTRY "launch: {global: M}\n", "launch",
              "{\"dimensions\": 1, \"global\": [256, 1, 1], \"local\": null,"
              " \"cluster\": [1, 1, 1], \"shared\": 0}");
}

static void test_bad_launch(void **state)
{
  const char *config = "BM=32,BN=8";

  (void)state;
  expect_bad("cuda", ENTRY, config, "a kernel for a GPU needs 'launch'");
  expect_bad("cuda", ENTRY "launch: {global: M}\n", config, "needs 'local'");
  expect_bad("cuda", ENTRY "launch: {shared: 4}\n", config, "'launch' needs 'grid' and 'block'");
  expect_bad("cuda", ENTRY "launch: {grid: M / 3, block: 1}\n", config,
             "not a valid non-negative integer");
  expect_bad(
      "cuda", ENTRY "launch: {grid: BM - 40, block: 1}\n", config,
      "t.yaml:8:16: error: 'launch.grid' is -8, which is not a valid non-negative integer, for "
      "BM=32,BN=8");
  expect_bad("cuda", ENTRY "launch: {grid: M // BN, block: 1}\n", "BM=16,BN=0", "division by zero");
  expect_bad("cuda", ENTRY "launch: {grid: M - 256, block: 1}\n", config, "nothing would be");
  expect_bad("cuda", ENTRY "launch: {grid: 2 ** 47, block: 2 ** 40}\n", config, "too many threads");
  expect_bad("cuda", ENTRY "launch: {grid: 2 ** 50, block: 1}\n", config,
             "not a valid device size");
}

static struct hone__gpu_launch read_launch(const char *config, const char *yaml, bool expected)
{
  struct hone__gpu_launch launch;
  struct world world;
  struct hone__arena arena = {0};
  struct hone__kernel_candidate unpacked;
  json_t *candidate = NULL;

  open_world(&world, "cuda", yaml);
  assert_null(make(&world, config, &candidate));
  unpacked = unpacked_candidate(candidate, &arena);
  assert_int_equal(hone__gpu_launch_read(unpacked.launch, &launch), expected);
  hone__arena_release(&arena);
  json_decref(candidate);
  close_world(&world);
  return launch;
}

/* What depends on the configuration fails with it, at run time. */
static void test_read_launch(void **state)
{
  struct hone__gpu_launch launch;

  (void)state;
  launch = read_launch(
      "BM=32,BN=8", ENTRY "launch: {grid: [4, 2], block: BM, shared: 100000, cluster: 2}\n", true);
  assert_int_equal(launch.dimensions, 2);
  assert_int_equal(launch.global[0], 128);
  assert_int_equal(launch.global[1], 2);
  assert_int_equal(launch.local[0], 32);
  assert_true(launch.has_local);
  assert_int_equal(launch.cluster[0], 2);
  assert_int_equal(launch.shared, 100000);
  read_launch("BM=32,BN=0", ENTRY "launch: {grid: 4, block: BN}\n", false);
  read_launch("BM=32,BN=0", ENTRY "launch: {global: 4, local: BN}\n", false);
  assert_false(hone__gpu_launch_read(NULL, &launch));
}

/* ---- Arguments ---- */

#define LAUNCH "entry: f\nlaunch: {grid: 1, block: 32}\n"
/* A function that no source declares: its arguments are compared with nothing. */
#define LAUNCH_ELSEWHERE "entry: elsewhere\nlaunch: {grid: 1, block: 32}\n"

static void test_values(void **state)
{
  (void)state;
  expect_part("opencl",
              LAUNCH "args:\n"
                     "- {name: A, type: f16, shape: [M, N]}\n"
                     "- {name: n, type: i32, value: M}\n"
                     "- {name: tile, type: f32, local: BM * BN}\n",
              "values", "[256, {\"local\": 1024}]");
  expect_part("cuda",
              LAUNCH "args:\n"
                     "- {name: p, struct: [{type: u8, value: 255}, {type: i32, value: -M},"
                     " {type: f16, value: 1.5}, {type: bool, value: true},"
                     " {type: u64, value: 18446744073709551615}, {type: bf16, value: 1}]}\n",
              "values",
              "[{\"bytes\": \"ff00000000ffffff003e010000000000ffffffffffffffff"
              "803f000000000000\"}]");
  expect_part("cuda",
              LAUNCH "args:\n"
                     "- {name: A, type: f16, shape: [M, N]}\n"
                     "- {name: m, tensor_map: {of: A, box: [64, BM], swizzle: TILE * 2}}\n"
                     "- {name: o, tensor_map: {of: A, box: 8, sizes: M * N, l2: 128, fill: nan}}\n",
              "values",
              "[{\"of\": \"A\", \"map\": {\"type\": \"f16\", \"sizes\": [512, 256], \"box\": [64, "
              "32], \"swizzle\": 128, \"l2\": 0, \"interleave\": 0, \"fill\": \"zero\"}},"
              " {\"of\": \"A\", \"map\": {\"type\": \"f16\", \"sizes\": [131072], \"box\": [8],"
              " \"swizzle\": 0, \"l2\": 128, \"interleave\": 0, \"fill\": \"nan\"}}]");
}

static void test_bad_values(void **state)
{
  const char *config = "BM=32,BN=8";

  (void)state;
  expect_bad("opencl", LAUNCH "args: [{name: t, type: f32, local: BN - 16}]\n", config,
             "the size of 't' is -8, which is not a valid non-negative integer, for BM=32,BN=8");
  expect_bad("cuda", LAUNCH "args: [{name: p, struct: [{type: u8, value: M}]}]\n", config,
             "member 1 of 'p' is 256, which is not a valid u8");
  expect_bad("cuda",
             LAUNCH "args: [{name: A, type: f16, shape: [M, N]},"
                    " {name: m, tensor_map: {of: A, box: [64, BM], swizzle: BM + 1}}]\n",
             config, "'swizzle' of 'm' is 33, not 0, 32, 64 or 128, for BM=32,BN=8");
  expect_bad("cuda",
             LAUNCH "args: [{name: A, type: f16, shape: [M, N]},"
                    " {name: m, tensor_map: {of: A, box: 64}}]\n",
             config, "the box of 'm' has 1 size, its tensor 2");
  expect_bad("cuda",
             LAUNCH "args: [{name: A, type: f16, shape: [M, N]},"
                    " {name: m, tensor_map: {of: A, box: 64, sizes: M * N + 1}}]\n",
             config, "the sizes of 'm' are more than 'A' has");
}

/* ---- The setup ---- */

static hone_status describe(struct world *world, struct hone__message *setup)
{
  const struct hone__kernel_kind *kind =
      strcmp(world->kind.backend, "c") == 0 ? &hone__kernel_kind_c : &world->kind;

  return hone__kernel_describe(&world->task, kind, setup);
}

static void test_setup(void **state)
{
  struct hone__message setup;
  struct world world;
  struct hone__named count = {"sm_count", {HONE_INT, {.integer = 132}}};
  const struct hone__wire_device_facts facts = {
      .device = "cuda:1", .other = &count, .other_count = 1};

  (void)state;
  open_world(&world, "cuda",
             LAUNCH_ELSEWHERE "args:\n"
                              "- {name: A, type: f16, shape: [M, N]}\n"
                              "- {name: p, struct: [{type: f32, value: M}, {type: u8, value: 1}]}\n"
                              "- {name: m, tensor_map: {of: A, box: [64, BM]}}\n"
                              "measure: {energy: true}\n"
                              "check: {enabled: false}\n");
  world.task.device = &facts;
  assert_null(describe(&world, &setup));
  expect_json(json_array_get(json_object_get(hone__packed_json(setup.head), "args"), 1),
              "{\"name\": \"p\", \"struct\": true, \"size\": 8}");
  expect_json(json_array_get(json_object_get(hone__packed_json(setup.head), "args"), 2),
              "{\"name\": \"m\", \"map\": true, \"of\": \"A\"}");
  expect_json(json_object_get(hone__packed_json(setup.head), "energy"), "true");
  expect_json(json_object_get(hone__packed_json(setup.head), "device"), "\"cuda:1\"");
  expect_json(json_object_get(json_object_get(hone__packed_json(setup.head), "target"), "sm_count"),
              "132");
  hone__packed_drop(setup.head);
  hone__text_release(&setup.payload);
  close_world(&world);
}

/* The wrong thing for a backend: the place, and what to do. */
static void test_bad_setup(void **state)
{
  static const struct {
    const char *backend, *yaml, *words;
  } cases[] = {
      {"c", LAUNCH, "8:9: error: backend 'c' does not support 'launch': it calls a function"},
      {"c", ENTRY "args: [{name: t, type: f32, local: 4}]\n",
       "8:36: error: backend 'c' does not support arguments with 'local'"},
      {"c", "entry: f<4>\n",
       "templates and namespaces are for sources in C++ (also .hpp) and for backends"},
      {"cuda", LAUNCH "args: [{name: t, type: f32, return: true}]\n",
       "backend 'cuda' does not support arguments with 'return': its kernels return nothing"},
      {"opencl", "entry: ns::f\nlaunch: {global: 1}\n",
       "templates and namespaces are for sources in C++ (also .hpp) and for backends"},
      {"opencl", ENTRY "launch: {grid: 4, block: 1, cluster: 2}\n",
       "8:38: error: backend 'opencl' does not support 'launch.cluster'"},
      {"opencl",
       LAUNCH "args: [{name: A, type: f16, shape: 64}, {name: m, tensor_map: {of: A, box: 8}}]\n",
       "backend 'opencl' does not support arguments with 'tensor_map'"},
      {"cuda", LAUNCH "args: [{name: t, type: f32, local: 4}]\n",
       "backend 'cuda' does not support arguments with 'local': CUDA and HIP have 'launch: "
       "{shared: "
       "BYTES}'"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__message setup;
    struct world world;
    open_world(&world, cases[i].backend, cases[i].yaml);
    expect_message(describe(&world, &setup), cases[i].words);
    close_world(&world);
  }
}

/* A reference in C gets buffers and scalars alone. */
static void test_reference_in_c(void **state)
{
  struct hone__message setup;
  struct world world;
  const json_t *candidate;

  (void)state;
  open_world(&world, "cuda",
             LAUNCH_ELSEWHERE "args:\n"
                              "- {name: A, type: f16, shape: [M, N], role: out}\n"
                              "- {name: p, struct: [{type: f32, value: M}]}\n"
                              "- {name: n, type: i32, value: N}\n"
                              "- {name: m, tensor_map: {of: A, box: [64, BM]}}\n"
                              "reference: {file: k.c, entry: elsewhere}\n");
  assert_null(describe(&world, &setup));
  candidate =
      json_object_get(json_object_get(hone__packed_json(setup.head), "reference"), "candidate");
  expect_json(json_object_get(candidate, "values"), "[512]");
  expect_json(json_object_get(candidate, "backend"), "\"c\"");
  assert_null(json_object_get(candidate, "launch"));
  hone__packed_drop(setup.head);
  hone__text_release(&setup.payload);
  close_world(&world);
}

/* Launches and arguments are part of what a candidate is. */
/* ---- Pipelines ---- */

#define ARGS                                                                                       \
  "args:\n"                                                                                        \
  "- {name: x, type: f32, shape: [N], role: inout}\n"                                              \
  "- {name: t, type: f32, shape: [N], role: scratch}\n"                                            \
  "- {name: n, type: i32, value: N}\n"
#define GRID "launch: {grid: BM, block: 64}"

static void test_stages(void **state)
{
  static const char yaml[] =
      ARGS "stages:\n"
           "- {entry: one, args: [x, t], when: BN > 100, " GRID "}\n"
           "- {entry: two, args: [t, n, x], name: second, values: {n: BM}, " GRID "}\n"
           "- {entry: two, args: [t, n, x], name: second, values: {n: 32}, " GRID "}\n";

  (void)state;
  expect_part("cuda", yaml, "order", "[0, 0]"); /* equal launches are one stage */
  expect_part("cuda", yaml, "entry", "\"two\"");
  expect_part("cuda", yaml, "stages",
              "[{\"name\": \"second\", \"entry\": \"two\", \"args\": [1, 2, 0], \"values\": [32],"
              "  \"launch\": {\"dimensions\": 1, \"global\": [2048, 1, 1], \"local\": [64, 1, 1],"
              "                \"cluster\": [1, 1, 1], \"shared\": 0}}]");
  expect_part("cuda", ARGS "stages: [{entry: one, " GRID "}]\n", "order", "[0]");
  expect_part("cuda",
              ARGS "stages: [{entry: one, args: [x], launch: {grid: 1, block: 1, cooperative: "
                   "true}}]\n",
              "stages",
              "[{\"name\": \"one\", \"entry\": \"one\", \"args\": [0], \"values\": [],"
              "  \"launch\": {\"dimensions\": 1, \"global\": [1, 1, 1], \"local\": [1, 1, 1],"
              "                \"cluster\": [1, 1, 1], \"shared\": 0, \"cooperative\": true}}]");
}

/* Functions on the host have no launch, and are no entries. */
static void test_host_stages(void **state)
{
  static const char yaml[] = ARGS "stages:\n"
                                  "- {host: s.c, entry: one, args: [t, n]}\n"
                                  "- {entry: one, args: [x, t], " GRID "}\n"
                                  "- {host: s.c, entry: one, args: [t, n]}\n";
  static const struct hone__kernel_stage stages[] = {{.name = "a", .entry = "one", .host = "s.c"},
                                                     {.name = "b", .entry = "one"},
                                                     {.name = "c", .entry = "one", .host = "s.c"},
                                                     {.name = "d", .entry = "one"},
                                                     {.name = "e", .entry = "two"}};
  const struct hone__kernel_candidate candidate = {
      .stages = (struct hone__kernel_stage *)(uintptr_t)stages, .stages_count = 5};
  struct hone__pipeline pipeline = {.stages = stages, .stage_count = 5};
  struct hone__text entries = {0};

  (void)state;
  expect_part("opencl", yaml, "order", "[0, 1, 0]");
  expect_part("opencl", yaml, "entry", "\"one\"");
  expect_part(
      "opencl", ARGS "stages: [{entry: one, " GRID "}, {host: s.c, entry: f, args: [t]}]\n",
      "stages",
      "[{\"name\": \"one\", \"entry\": \"one\", \"args\": [0, 1, 2], \"values\": [512],"
      "  \"launch\": {\"dimensions\": 1, \"global\": [2048, 1, 1], \"local\": [64, 1, 1],"
      "                \"cluster\": [1, 1, 1], \"shared\": 0}},"
      " {\"name\": \"f\", \"entry\": \"f\", \"args\": [1], \"values\": [], \"host\": \"s.c\"}]");
  hone__pipeline_entries(&candidate, &entries);
  assert_string_equal(entries.data, "one\ntwo");
  assert_int_equal(hone__pipeline_first_with_entry(&pipeline, 2), 2);
  assert_int_equal(hone__pipeline_first_with_entry(&pipeline, 3), 1);
  hone__text_release(&entries);
}

/* Each function is built once; what it declares constant is not copied back. */
static void test_host_setup(void **state)
{
  static const char yaml[] = ARGS "stages:\n"
                                  "- {host: s.c, entry: f, args: [x, t, n], when: BM == 16}\n"
                                  "- {entry: one, args: [x, t], " GRID "}\n"
                                  "- {repeat: 2, stages: [{host: s.c, entry: f, args: [x, t, n]},"
                                  " {host: s.c, entry: g, args: [t]}]}\n";
  struct world world;
  struct hone__message setup = {0};
  json_t *head_json, *steps;
  hone_status status;

  (void)state;
  write_text("s.c", "void f(const float *x, float *t, int n) { t[0] = x[0] + n; }\n"
                    "void g(float *const t) { t[0] = 0; }\n");
  open_world(&world, "opencl", yaml);
  status = hone__kernel_describe(&world.task, &world.kind, &setup);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  head_json = hone__packed_json(setup.head);
  steps = json_object_get(head_json, "steps");
  assert_int_equal(json_array_size(steps), 2);
  expect_json(json_object_get(json_array_get(steps, 0), "entry"), "\"f\"");
  expect_json(json_object_get(json_array_get(steps, 0), "constant"), "[0]");
  expect_json(json_object_get(json_array_get(steps, 1), "entry"), "\"g\"");
  expect_json(json_object_get(json_array_get(steps, 1), "constant"), "[]");
  hone__packed_drop(setup.head);
  hone__text_release(&setup.payload);
  close_world(&world);
}

static void test_loops(void **state)
{
  (void)state;
  expect_part("c", ARGS "stages: [{repeat: 5, swap: [x, t], stages: [{entry: f, args: [x, t]}]}]\n",
              "order", "[0, 1, 0, 1, 0]");
  expect_part("c", ARGS "stages: [{repeat: 2, swap: [x, t], stages: [{entry: f, args: [x, t]}]}]\n",
              "stages",
              "[{\"name\": \"f\", \"entry\": \"f\", \"args\": [0, 1], \"values\": []},"
              " {\"name\": \"f\", \"entry\": \"f\", \"args\": [1, 0], \"values\": []}]");
  expect_part("c",
              ARGS "stages:\n"
                   "- repeat: 3\n"
                   "  index: i\n"
                   "  stages:\n"
                   "  - {entry: f, args: [n], values: {n: i}, when: i != 1}\n"
                   "  - {repeat: i, index: k, stages: [{entry: f, args: [n], values: {n: k}}]}\n",
              "order", "[0, 0, 1, 0, 2]");
  expect_part("c", ARGS "stages: [{repeat: 0, stages: [{entry: f}]}, {entry: g}]\n", "order",
              "[0]");
}

static void test_bad_stages(void **state)
{
  static const struct {
    const char *backend, *yaml, *words;
  } cases[] = {
      {"cuda", "stages: [{entry: f}]\n", "a stage on a GPU needs 'launch'"},
      {"c", "stages: [{entry: f, " GRID "}]\n", "backend 'c' does not support 'launch'"},
      {"opencl", "stages: [{entry: f, launch: {grid: 1, block: 1, cluster: 2}}]\n",
       "backend 'opencl' does not support 'launch.cluster'"},
      {"opencl", "stages: [{entry: f, launch: {grid: 1, block: 1, cooperative: true}}]\n",
       "backend 'opencl' does not support 'launch.cooperative'"},
      {"opencl", "stages: [{entry: 'f<1>', " GRID "}]\n", "'f<1>' is not a plain name"},
      {"c", "stages: [{entry: f, when: BM > 64}]\n",
       "no stage left: 'when' excludes all of them, "
       "for BM=32,BN=8"},
      {"c", "stages: [{entry: f, when: 0.5 * BM}]\n", "'when' is neither true nor false"},
      {"c", "stages: [{repeat: 10001, stages: [{entry: f}]}]\n", "at most 10000 launches"},
      {"c", "stages: [{repeat: 1001, index: i, stages: [{entry: f, values: {n: i}}]}]\n",
       "at most 1000 different launches"},
      {"c", "stages: [{host: s.c, entry: f}]\n",
       "the pipeline has no kernel, but functions on the host"},
      {"c", "stages: [{entry: f}, {host: s.c, entry: f}]\n",
       "backend 'c' does not support 'stages.host'"},
      {"hip", "stages: [{entry: f, when: BM > 64, " GRID "}, {host: s.c, entry: f}]\n",
       "the pipeline has no kernel left, but functions on the host, for BM=32,BN=8"},
      {"hip", "stages: [{host: s.cc, entry: 'a::f'}, {entry: f, " GRID "}]\n",
       "'a::f' is not a plain name: a function on the host is in C"},
      {"c", "stages: [{repeat: 4 - BM, stages: [{entry: f}]}]\n", "'repeat' is -28"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hone__text yaml = {0};
    hone__text_addf(&yaml, "%s%s", ARGS, cases[i].yaml);
    expect_bad(cases[i].backend, yaml.data, "BM=32,BN=8", cases[i].words);
    hone__text_release(&yaml);
  }
}

static void test_keys(void **state)
{
  struct world world;
  json_t *one = NULL, *other = NULL;

  (void)state;
  open_world(&world, "cuda", ENTRY "launch: {grid: 4, block: BM}\n");
  assert_null(make(&world, "BM=32,BN=8", &one));
  assert_null(make(&world, "BM=64,BN=8", &other));
  assert_string_not_equal(json_string_value(json_object_get(one, "key")),
                          json_string_value(json_object_get(other, "key")));
  json_decref(one);
  json_decref(other);
  close_world(&world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launch),         cmocka_unit_test(test_bad_launch),
      cmocka_unit_test(test_read_launch),    cmocka_unit_test(test_stages),
      cmocka_unit_test(test_host_stages),    cmocka_unit_test(test_host_setup),
      cmocka_unit_test(test_loops),          cmocka_unit_test(test_bad_stages),
      cmocka_unit_test(test_values),         cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_setup),          cmocka_unit_test(test_bad_setup),
      cmocka_unit_test(test_reference_in_c), cmocka_unit_test(test_keys),
  };

  return cmocka_run_group_tests(tests, make_kernel_folder, remove_folder);
}
